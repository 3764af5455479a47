"""Days of the week: "Monday to Friday", "Mon-Fri", "on a Saturday or Sunday", "a weekday (Monday to Friday)"."""

from collections.abc import Iterator

from pandas_magic.constraints.algebra.conditions import Condition, OneOf
from pandas_magic.constraints.algebra.expressions import DatePart, Expression
from pandas_magic.planner.grammar import lexicon as words
from pandas_magic.planner.grammar import phrases
from pandas_magic.planner.grammar.chart import Parse, Position, rule

Found = Iterator[tuple[Position, Condition]]
Days = tuple[int, ...]
_WORKDAYS: Days = (1, 2, 3, 4, 5)
_OPENING = (
    "on|on a|on any|a|on one of the days|on the days|a day from|on a day from|from|on days from|between|on one of"
)


def on_weekdays(p: Parse, i: Position, x: Expression) -> Found:
    """The date falls on one of several days of the week."""
    for end, days in _days(p, i):
        if len(days) > 1:
            yield end, OneOf(of=DatePart(part="weekday", of=x), values=days)


@rule
def _days(p: Parse, i: Position) -> Iterator[tuple[Position, Days]]:
    for start in (i, *p.phrase(i, _OPENING)):
        yield from _range(p, start)
        yield from _list(p, start)
    for middle in p.phrase(i, f"{phrases.ON_A_WEEKDAY}|{phrases.A_WORKDAY}"):
        noted = p.note(i, middle, "Monday to Friday")
        yield noted, _WORKDAYS
        for start in p.phrase(noted, "(|,|, i.e .|, that is|, meaning|( i.e .|, so|, so from|, from|( from"):
            for end, days in _range(p, start):
                for last in (end, *p.phrase(end, ")")):
                    if days == _WORKDAYS and _closed(p, i, last):
                        yield last, days


def _closed(p: Parse, i: Position, end: Position) -> bool:
    texts = [token.text for token in p.tokens[i:end]]
    return texts.count("(") == texts.count(")")


def _range(p: Parse, i: Position) -> Iterator[tuple[Position, Days]]:
    """Like "Monday to Friday", "Mon-Fri", "Monday through Saturday"."""
    for middle, first in _day(p, i):
        hyphen = p.text[p.tokens[middle - 1].end : p.tokens[middle].start] if middle < len(p.tokens) else ""
        joined = (middle,) if hyphen in ("-", "–") else ()  # the hyphen of "Mon-Fri" is no token
        for start in (
            *joined,
            *p.phrase(middle, "to|through|-|–|until|till|thru|and including|up to|..|to a|to and including"),
        ):
            for end, last in _day(p, start):
                if first < last:
                    yield p.note(i, end, f"weekdays {first} to {last}"), tuple(range(first, last + 1))


def _list(p: Parse, i: Position) -> Iterator[tuple[Position, Days]]:
    """Like "Saturday or Sunday", "Mondays, Wednesdays and Fridays"."""
    for end, first in _day(p, i):
        yield end, (first,)
        for start in p.phrase(end, "or|or a|or on|or on a|,|, or|, or a|, or on a|/|and|and on|, and"):
            for last, others in _list(p, start):
                if first not in others:
                    yield p.note(i, last, "these days of the week"), tuple(sorted((first, *others)))


def _day(p: Parse, i: Position) -> Iterator[tuple[Position, int]]:
    for day, iso in words.WEEKDAYS.items():
        yield from ((end, iso) for end in p.phrase(i, day))
    for iso, said in enumerate(phrases.SHORT_DAYS.split("|"), 1):
        for end in p.phrase(i, said):
            yield from ((last, iso) for last in (end, *p.phrase(end, ".")))
