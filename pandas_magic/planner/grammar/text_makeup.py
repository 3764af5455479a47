"""How many characters a text has and which: "17 characters, only capital letters and digits, but never I, O or Q"."""

import re
import string
from collections.abc import Iterator

from pandas_magic.constraints.algebra.conditions import Compare, Condition, HasText, Matches
from pandas_magic.constraints.algebra.expressions import Column, Expression, TextLength, Value
from pandas_magic.planner.grammar import examples, measures, phrases, text_mixtures, text_shapes
from pandas_magic.planner.grammar import lexicon as words
from pandas_magic.planner.grammar.chart import Parse, Position
from pandas_magic.planner.grammar.morphology import name_words
from pandas_magic.planner.grammar.values import whole

_DIGITS = re.compile(r"\\d(\{[\d,]+\}|\+)?")
_ALL = string.digits + string.ascii_uppercase + string.ascii_lowercase


def makeup(p: Parse, i: Position, x: Expression) -> Iterator[tuple[Position, Condition]]:
    """A number of characters, then the kinds of them, then perhaps letters that must not be among them."""
    if any(token.low in ("not", "never") for token in p.tokens[max(0, i - 2) : i]):
        return  # "must not have 17 characters, only digits" can mean two things
    yield from _contain_only(p, i, x)
    for middle, (count,) in p.seq(i, phrases.HAVE_CHARACTERS, text_shapes.how_many, phrases.CHARACTERS_LONG):
        for start in p.phrase(middle, phrases.ONLY_OF) if count else ():
            for end, kinds in _only_kinds(p, start):
                every = frozenset(_characters(kinds))
                yield from _without_letters(p, i, end, x, every, count)


def is_only_numbers(p: Parse, i: int, end: int) -> bool:
    """Like "only numbers", where digits may be meant."""
    said = [token.low for token in p.tokens[max(0, i - 1) : end]]
    return "numbers" in said[-2:] and not {"only", "but", "exclusively", "solely"}.isdisjoint(said)


def is_a_code(x: Expression) -> bool:
    """Its name says that it is no quantity: matriculation_no, phone, zip_code."""
    return isinstance(x, Column) and not set(name_words(x.name)[-1:]).isdisjoint(words.CODE_NOUNS.split("|"))


def is_a_quantity(x: Expression) -> bool:
    """Its name says that it is measured or counted: weekly_hours, result_value."""
    name = name_words(x.name) if isinstance(x, Column) else ()
    return bool(name) and (name[-1] in words.QUANTITY_NOUNS.split("|") or measures.is_a_unit(name[-1]))


def as_one(first: Condition, second: Condition) -> Condition | None:
    """Like "be 17 characters long" and "contain only digits", "start with +" and "have 9 digits", as one shape."""
    if isinstance(first, HasText) and isinstance(second, Matches) and first.of == second.of and first.where == "start":
        counted = _DIGITS.fullmatch(second.pattern) and not first.text.isdigit()
        return Matches(of=first.of, pattern=re.escape(first.text) + second.pattern) if counted else None
    if not (isinstance(first, Compare) and isinstance(second, Matches) and isinstance(first.left, TextLength)):
        return None
    count = first.right.value if isinstance(first.right, Value) and first.relation == "==" else None
    kinds = re.fullmatch(r"(\[[^\]\[]+\]|\\d)\+", second.pattern)
    if kinds is None or not isinstance(count, int) or first.left.of != second.of or second.format:
        return None
    return Matches(of=second.of, pattern=f"{kinds[1]}{{{count}}}")


def _contain_only(p: Parse, i: Position, x: Expression) -> Iterator[tuple[Position, Condition]]:
    """Like "(may only) contain capital letters and digits"."""
    if i == 0 or p.tokens[i - 1].low not in ("only", "exclusively", "solely"):
        return
    for start in p.phrase(i, "contain|consist of|include|use|have|be made up of|be made of|be composed of"):
        for end, kinds in _only_kinds(p, start):
            every = frozenset(_characters(kinds))
            yield from _without_letters(p, i, end, x, every, "+")


def contains_at_least(p: Parse, i: int) -> bool:
    """Like "contain at least two digits", which leaves room for other characters."""
    said = [token.low for token in p.tokens[i + 1 : i + 3]]
    return bool(p.tokens[i].forms & {"contain", "include"}) and said == ["at", "least"]


def at_least_so_many(p: Parse, i: Position, x: Expression) -> Iterator[tuple[Position, Condition]]:
    """Like "contain at least two digits": so many of them somewhere."""
    for start in p.phrase(i, "contain at least|include at least"):
        for said, letters in text_shapes.CLASSES:
            for end, (count,) in p.seq(start, whole, said):
                if count > 1 and p.tokens[end - 1].low not in ("number", "numbers"):
                    pattern = f"(.*{letters}){{{count}}}.*"
                    yield p.note(i, end, f"{count} of {letters} somewhere"), Matches(of=x, pattern=pattern)


def only_contains(p: Parse, i: Position, x: Expression) -> Iterator[tuple[Position, Condition]]:
    """Like "(may) contain only letters and digits"."""
    for start in p.phrase(i, "contain only|consist only of|have only|include only|contain nothing but|consist of only"):
        for end, kinds in _only_kinds(p, start):
            yield from _without_letters(p, i, end, x, frozenset(_characters(kinds)), "+")


def _only_kinds(p: Parse, i: Position) -> Iterator[tuple[Position, tuple[str, ...]]]:
    yield from text_mixtures.kinds(p, i, "and|or|and/or")
    yield from ((end, (one,)) for end, one in text_mixtures.kind(p, i))


def _without_letters(
    p: Parse, start: Position, i: Position, x: Expression, every: frozenset[str], count: str
) -> Iterator[tuple[Position, Condition]]:
    yield from _made(p, start, i, x, every, count)
    for middle in p.phrase(i, phrases.BUT_NEVER):
        for begin in (middle, *p.phrase(middle, "the letters|the letter|the characters|the capital letters")):
            for end, letters in _letters(p, begin):
                if letters <= every:
                    yield from _made(p, start, end, x, every - letters, count)
                else:
                    p.refuse("letters are left out that the text cannot have anyway")


def _made(
    p: Parse, i: Position, end: Position, x: Expression, letters: frozenset[str], count: str
) -> Iterator[tuple[Position, Condition]]:
    signs = "".join(f"\\{sign}" if sign in "-]^\\" else sign for sign in sorted(letters - frozenset(_ALL)))
    if letters and (count == "+" or not signs):
        noted = p.note(i, end, "so many characters, each one of these")
        yield from examples.with_sample(p, noted, Matches(of=x, pattern=f"[{_ranges(letters)}{signs}]{count}"))


def _letters(p: Parse, i: Position) -> Iterator[tuple[Position, frozenset[str]]]:
    """Like "I, O or Q"."""
    token = p.at(i)
    if token is None or len(token.text) != 1 or token.text not in _ALL:
        return
    end = p.note(i, i + 1, "this very letter")
    yield end, frozenset(token.text)
    for middle in p.phrase(end, ",|or|and|, or|, and|nor"):
        for last, rest in _letters(p, middle):
            yield last, rest | {token.text}


def _characters(kinds: tuple[str, ...]) -> Iterator[str]:
    for one in kinds:
        for first, last in (("0", "9"), ("A", "Z"), ("a", "z"), ("A", "F"), ("a", "f")):
            if f"{first}-{last}" in one:
                yield from (character for character in _ALL if first <= character <= last)
        if not one[-1].isalnum():
            yield one[-1]


def _ranges(letters: frozenset[str]) -> str:
    """The characters as ranges: "A-HJ-NPR-Z0-9"."""
    said = ""
    for group in (string.ascii_uppercase, string.ascii_lowercase, string.digits):
        run = ""
        for character in group + " ":
            if character in letters and character != " ":
                run += character
            elif run:
                said += run if len(run) < 3 else f"{run[0]}-{run[-1]}"
                run = ""
    return said
