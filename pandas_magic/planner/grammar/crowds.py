"""How many rows of one kind there are, as a condition: "there are more than 4 orders of the same user"."""

from collections.abc import Iterator

from pandas_magic.constraints.algebra.conditions import Compare, Condition
from pandas_magic.constraints.algebra.expressions import Group
from pandas_magic.planner.grammar import claims, limits, phrases
from pandas_magic.planner.grammar import lexicon as words
from pandas_magic.planner.grammar.chart import Parse, Position
from pandas_magic.planner.grammar.logic import negate
from pandas_magic.planner.grammar.meaning import Claim

Found = Iterator[tuple[Position, Condition]]


def so_many_of_one(p: Parse, i: Position, table: str) -> Found:
    """Behind "there are": "more than 4 orders of the same user": too many, never too few."""
    for end, (condition, where) in limits.counted_rows(p, i, table, ()):
        grouped = isinstance(condition, Compare) and isinstance(condition.left, Group) and bool(condition.left.by)
        if grouped and isinstance(condition, Compare) and condition.relation in (">", ">=") and where is None:
            yield end, condition


def too_many(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, Claim]]:
    """Like "There must not be more than 4 orders with the same user"."""
    for start in p.phrase(i, phrases.THERE_MUST_NOT_BE):
        for end, condition in so_many_of_one(p, p.note(i, start, "what follows must not be"), table):
            yield end, claims.demand(table, negate(condition))


def crowded(p: Parse, i: Position, table: str) -> Found:
    """Like "a session with more than 20 events", said of those events."""
    for start in (i, *p.phrase(i, "a|an|any|the|one|some")):
        for middle, key in limits.holder(p, start, table):
            for after in p.phrase(middle, phrases.HAVING):
                for end, (condition, where) in limits.counted_rows(p, after, table, (key,)):
                    if isinstance(condition, Compare) and condition.relation in (">", ">=") and where is None:
                        yield p.note(i, end, "in one group"), condition


def too_crowded(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, Claim]]:
    """Like "A session with more than 20 events is not permitted", "no session with more than 20 events"."""
    for end, condition in crowded(p, i, table):
        for last in (*p.seq_ends(end, phrases.TO_BE_BAD, words.NOT_ACCEPTED), *p.phrase(end, words.BE_BAD)):
            yield p.note(i, last, "must not be"), claims.demand(table, negate(condition))
    for start in (*p.phrase(i, f"{phrases.THERE_IS_NO}|no"), *p.seq_ends(i, words.ASKED_FOR, f"?{words.EVERY}|the")):
        for end, condition in crowded(p, start, table):
            yield p.note(i, end, "must not be"), claims.demand(table, negate(condition))
