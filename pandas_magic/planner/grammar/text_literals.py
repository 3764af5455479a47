"""Letters that stand in a text as they are: "INV, a dash and four digits", "W or S", "a letter from A to F"."""

import re
from collections.abc import Iterator

from pandas_magic.constraints.algebra.conditions import Condition, HasText
from pandas_magic.constraints.algebra.expressions import Expression
from pandas_magic.planner.grammar import phrases, text_shapes
from pandas_magic.planner.grammar.chart import Parse, Position
from pandas_magic.planner.grammar.logic import any_of

Shape = Iterator[tuple[Position, str]]
_JOINED = (",", "and", "plus")


def opening(p: Parse, i: Position) -> Shape:
    """Before more of the shape: "INV", "W or S", "a letter from A to F"; two texts one after another are a list."""
    yield from _this_text(p, i)
    yield from closing(p, i)
    if i > 0 and p.tokens[i - 1].low in ("only", "but", "solely", "exclusively"):
        return  # "only digits, then a plus sign" says two things
    for said, letters in text_shapes.CLASSES:
        for end in p.phrase(i, said):
            if p.tokens[end - 1].low.endswith("s") and any(True for _ in p.phrase(end, phrases.FOLLOWED_BY)):
                yield p.note(i, end, f"one or more of {letters}"), f"{letters}+"


def closing(p: Parse, i: Position) -> Shape:
    """Behind other parts, where "or" can only join letters: "W or S", "either W or S", "the letter x", "EU"."""
    before = p.tokens[i - 1].low if i > 0 else ""
    if before not in _JOINED:
        yield from _this_text(p, i)
    for start in (i, *p.phrase(i, phrases.EITHER_LETTER)):
        for end, texts in _alternatives(p, start):
            short = all(len(text) == 1 for text in texts)
            joined = f"[{''.join(texts)}]" if short else f"({'|'.join(texts)})"
            yield p.note(i, end, f"one of {', '.join(texts)}"), joined
    yield from _from_to(p, i)


def _alternatives(p: Parse, i: Position) -> Iterator[tuple[Position, tuple[str, ...]]]:
    """Texts in capitals that "or" joins."""
    for middle, first in (*_this_text(p, i), *_these_digits(p, i)):
        for start in p.phrase(middle, f"or|, or|or {phrases.A_LETTER.replace('|', '|or ')}"):
            for end, last in (*_this_text(p, start), *_these_digits(p, start)):
                if last != first:
                    yield end, (first, last)
        for start in p.phrase(middle, ","):
            for end, rest in _alternatives(p, start):
                if first not in rest:
                    yield end, (first, *rest)


def _this_text(p: Parse, i: Position) -> Shape:
    """Letters in capitals, also after "the letters", "a", with a hyphen or digits that belong to them."""
    for start in (i, *p.phrase(i, phrases.A_LETTER)):
        token = p.at(start)
        if token is None or token.kind != "word" or not re.fullmatch(r"[A-Z]+[0-9]*", token.text):
            continue
        if start > i and len(token.text) > 1 and p.tokens[start - 1].low in ("a", "an", "letter"):
            continue  # "a VAT number"
        after = p.at(start + 1)
        hyphen = after is not None and after.text in ("-", "_", "/") and after.start == token.end
        end = p.note(i, start + 1 + hyphen, "this very text")
        yield end, re.escape(p.source(start, end))


def _these_digits(p: Parse, i: Position) -> Shape:
    """Like "978" in "978 or 979 followed by ten digits"; "4 or 5" says how many."""
    token = p.at(i)
    if token is not None and token.kind == "number" and token.text.isdigit() and len(token.text) > 1:
        after = p.at(i + 1)
        if after is not None and after.kind == "word" and after.low in ("or", "followed"):
            yield p.note(i, i + 1, "these very digits"), token.text


def with_one_of(p: Parse, i: Position, x: Expression) -> Iterator[tuple[Position, Condition]]:
    """Like "end in W or S", "start with CS, MAT or LAW", "contain the letters I, O or Q": any of them."""
    for where, said in (("start", phrases.START_WITH), ("end", phrases.END_WITH), ("anywhere", phrases.HAVE_INSIDE)):
        for start in p.phrase(i, said):
            for begin in (start, *p.phrase(start, f"{phrases.EITHER_LETTER}|{phrases.A_LETTER}")):
                for end, texts in _alternatives(p, begin):
                    found = [HasText(of=x, where=where, text=text.replace("\\", "")) for text in texts]
                    if len(texts) > 2 or min(map(len, texts)) == 1:
                        yield p.note(i, end, f"one of {', '.join(texts)} at the {where}"), any_of(*found)


def sign_and_digits(p: Parse, i: Position) -> Shape:
    """Like "+49", as it stands there."""
    sign, digits = p.at(i), p.at(i + 1)
    if sign is None or digits is None or sign.end != digits.start:
        return
    if sign.text in "+#" and digits.text.isdigit():
        yield p.note(i, i + 2, "this text"), sign.text + digits.text


def _from_to(p: Parse, i: Position) -> Shape:
    """Like "a letter from A to F", "one digit between 1 and 6"."""
    for said, kind in ((phrases.LETTER_FROM, "word"), (phrases.DIGIT_FROM, "number")):
        for start in p.phrase(i, said):
            first, joint, last = (p.at(start + place) for place in range(3))
            if first is None or joint is None or last is None or joint.low not in ("to", "and", "-", "–", "through"):
                continue
            plain = all(one.kind == kind and len(one.text) == 1 for one in (first, last))
            if plain and first.text < last.text and first.text.isupper() == last.text.isupper():
                yield p.note(i, start + 3, f"{first.text} to {last.text}"), f"[{first.text}-{last.text}]"
