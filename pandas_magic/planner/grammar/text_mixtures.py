"""Characters of several kinds in one place: "11 to 30 capital letters or digits", "four blocks of four digits"."""

import re
from collections.abc import Iterator

from pandas_magic.planner.grammar import phrases, text_shapes
from pandas_magic.planner.grammar.chart import Parse, Position
from pandas_magic.planner.grammar.values import whole

# The classes without brackets, so that several can stand in one.
_OR = "or|and/or|or/and"
_FEWEST_BLOCKS = 2


def mixture(p: Parse, i: Position) -> Iterator[tuple[Position, str]]:
    """So many characters, each of one of several kinds: "11 to 30 capital letters or digits"."""
    for start, count in text_shapes.how_many(p, i):
        for end, mixed in kinds(p, start, _OR):
            yield p.note(i, end, "characters of these kinds"), f"[{_class(mixed)}]{count}"
    for start in p.phrase(i, "only|nothing but|solely|only of|exclusively"):
        for end, mixed in kinds(p, start, f"{_OR}|and"):
            yield p.note(i, end, "nothing but characters of these kinds"), f"[{_class(mixed)}]+"
    for end, mixed in kinds(p, i, f"{_OR}|and"):
        for last in p.phrase(end, "only"):
            yield p.note(i, last, "nothing but characters of these kinds"), f"[{_class(mixed)}]+"


def kinds(p: Parse, i: Position, joint: str) -> Iterator[tuple[Position, tuple[str, ...]]]:
    """At least two kinds of characters, all in the plural or all without article."""
    for middle, first in kind(p, i):
        for start in p.phrase(middle, ","):
            for end, rest in kinds(p, start, joint):
                yield end, (first, *rest)
        for start in p.phrase(middle, f"{joint}|, {joint.replace('|', '|, ')}"):
            for end, second in kind(p, start):
                if second != first:
                    yield end, (first, second)


def kind(p: Parse, i: Position) -> Iterator[tuple[Position, str]]:
    """One kind of character, as it stands in the brackets of a regular expression."""
    for said, letters in text_shapes.CLASSES:
        for end in p.phrase(i, said):
            yield end, "0-9" if letters == r"\d" else letters[1:-1]
    for said, sign in text_shapes.SINGLES:
        for end in p.seq_ends(i, "?a|an", said):
            if p.tokens[end - 1].low.endswith("s") or int(end) > int(i) + 1:
                yield end, r"\-" if sign == "-" else sign


def only_these(p: Parse, i: Position) -> Iterator[tuple[Position, str]]:
    """Behind "only": one or more kinds of characters, for the brackets of a regular expression: "digits and dashes"."""
    for end, mixed in (*((end, (one,)) for end, one in kind(p, i)), *kinds(p, i, f"{_OR}|and")):
        if p.tokens[end - 1].low.endswith("s"):
            yield end, _class(mixed)


def _class(mixed: tuple[str, ...]) -> str:
    # A hyphen between others would be read as a range.
    return "".join(sorted(dict.fromkeys(mixed), key=lambda one: one == r"\-"))


def blocks(p: Parse, i: Position) -> Iterator[tuple[Position, str]]:
    """The same several times with a sign between: "four blocks of four digits joined by hyphens"."""
    for middle, (number,) in p.seq(i, whole, "block of|group of|blocks of|groups of"):
        for after, inner in text_shapes.piece(p, middle):
            for end, sign in _separated(p, after) if number >= _FEWEST_BLOCKS else ():
                yield p.note(i, end, f"{number} times, with {sign} between"), f"{inner}({sign}{inner}){{{number - 1}}}"


def numbers_apart(p: Parse, i: Position) -> Iterator[tuple[Position, str]]:
    """Like "three numbers separated by dots", where the numbers can have any length."""
    for middle, (count,) in p.seq(i, whole, "number|numbers"):
        for end, sign in _separated(p, middle) if count >= _FEWEST_BLOCKS else ():
            yield p.note(i, end, f"{count} numbers, with {sign} between"), f"\\d+({sign}\\d+){{{count - 1}}}"


def _separated(p: Parse, i: Position) -> Iterator[tuple[Position, str]]:
    for start in p.phrase(i, phrases.SEPARATED_BY):
        for said, sign in text_shapes.SINGLES:
            for end in p.seq_ends(start, "?a|an|one|a single", said):
                yield end, sign


def parts_apart(p: Parse, i: Position) -> Iterator[tuple[Position, str]]:
    """Parts one after another with the same sign between them: "capital L, two-digit year, …, separated by hyphens"."""
    for middle, parts in _parts(p, i):
        for end, sign in _separated(p, middle) if len(parts) > 1 else ():
            yield p.note(i, end, f"with {sign} between the parts"), sign.join(parts)


def _parts(p: Parse, i: Position) -> Iterator[tuple[Position, tuple[str, ...]]]:
    for middle, first in text_shapes.piece(p, i):
        yield middle, (first,)
        for start in p.phrase(middle, ",|and|, and"):
            for end, rest in _parts(p, start):
                yield end, (first, *rest)


def or_at_the_end(p: Parse, i: Position, pattern: str) -> Iterator[tuple[Position, str]]:
    """Behind digits: "the last character may also be a capital X"."""
    last_digits = re.fullmatch(r"(.*)\\d\{(\d+)\}", pattern)
    repeated = re.fullmatch(r"(.*)\((.*)\\d\{(\d+)\}\)\{(\d+)\}", pattern)
    for start in p.phrase(i, phrases.LAST_CHARACTER_MAY_BE) if last_digits or repeated else ():
        for begin in (
            start,
            *p.phrase(start, "a|an|the letter|a capital|an uppercase|the capital letter|a capital letter"),
        ):
            token = p.at(begin)
            if token is None or not re.fullmatch("[A-Z]", token.text):
                continue
            end = p.note(i, begin + 1, f"a digit or {token.text} at the end")
            if last_digits:
                before, count = last_digits.group(1), int(last_digits.group(2))
                yield end, before + _digits_then(count, token.text)
            elif repeated:
                before, inner, digits, times = (repeated.group(number) for number in (1, 2, 3, 4))
                again = f"({inner}\\d{{{digits}}}){{{int(times) - 1}}}" if int(times) > 1 else ""
                yield end, before + again + inner + _digits_then(int(digits), token.text)


def _digits_then(count: int, letter: str) -> str:
    before = f"\\d{{{count - 1}}}" if count > 1 else ""
    return f"{before}[0-9{letter}]"
