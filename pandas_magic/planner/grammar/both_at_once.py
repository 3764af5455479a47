"""Two things said of a row together: "a copy can't be both withdrawn and lost", "must not have a and b at once"."""

from collections.abc import Iterator

from pandas_magic.constraints.algebra.conditions import All, Condition
from pandas_magic.planner.grammar import lexicon as words
from pandas_magic.planner.grammar import moods, phrases, possession, rows
from pandas_magic.planner.grammar.chart import Parse, Position, rule
from pandas_magic.planner.grammar.logic import both, negate

Found = Iterator[tuple[Position, Condition]]


@rule
def both_of_two(p: Parse, i: Position, table: str, mood: str) -> Found:
    """What is so of both, or must not be so of both; "must not always be both" denies less and is left alone."""
    for start, negated in moods.head(p, i, mood):
        if negated and moods.half_negated(p, i, start):
            continue
        for end, condition in (*_had_together(p, start, table), *_true_together(p, start, table)):
            yield end, negate(condition) if negated else condition


def _had_together(p: Parse, i: Position, table: str) -> Found:
    for start in p.phrase(i, words.HAVE):
        for end, condition in possession.had(p, start, table):
            if isinstance(condition, All):
                yield from _said_together(p, start, end, condition)


def _true_together(p: Parse, i: Position, table: str) -> Found:
    for start in p.phrase(i, "be|have been|have ever been|become|get"):
        for begin in (start, *p.phrase(start, "both")):
            for middle, first in rows.adjective(p, begin, table):
                for after in p.phrase(middle, "and|and also|, and"):
                    for end, second in rows.adjective(p, after, table):
                        joined = both(first, second)
                        assert joined is not None
                        yield from _said_together(p, start, end, joined)


def _said_together(p: Parse, start: Position, end: Position, condition: Condition) -> Found:
    """Without "both" or "at the same time", what "must not be a and b" denies is left open."""
    if p.tokens[start].low == "both":
        yield end, condition
    for last in p.phrase(end, phrases.AT_THE_SAME_TIME):
        yield p.note(end, last, "both together"), condition
