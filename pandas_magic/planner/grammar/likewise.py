"""What is said of one value and, in short, of another: "… must not lie in the future, and neither must returned_on"."""

from collections.abc import Iterator

from pandas_magic.constraints.algebra.conditions import Condition
from pandas_magic.constraints.algebra.expressions import Column, Expression
from pandas_magic.planner.grammar import claims, clauses, moods, nouns, phrases, possession
from pandas_magic.planner.grammar import lexicon as words
from pandas_magic.planner.grammar.chart import Parse, Position
from pandas_magic.planner.grammar.logic import both, has_window
from pandas_magic.planner.grammar.meaning import Claim

Found = Iterator[tuple[Position, Claim]]


def likewise(p: Parse, i: Position, table: str) -> Found:
    """Both claims: the same words are read again with the other value as their subject."""
    for start in p.seq_ends(i, f"?{words.EVERY}"):
        for middle, x in nouns.own_column(p, start, table):
            for end, condition in clauses.value_phrase(p, middle, table, x, "must"):
                for last, others in _others(p, end, table, denied=moods.is_negated(p, middle)):
                    again = [_said_of(p, middle, int(end), table, other) for other in others if other != x]
                    if None not in again and len(again) == len(others):
                        joined = both(condition, *again)
                        assert joined is not None
                        yield p.note(end, last, "the same of the other"), claims.demand(table, joined)


def _others(p: Parse, i: Position, table: str, *, denied: bool) -> Iterator[tuple[Position, tuple[Expression, ...]]]:
    for start in p.phrase(i, phrases.THE_SAME_GOES_FOR):
        yield from possession.column_list(p, start, table)
    for start in p.phrase(i, phrases.AND_NEITHER if denied else phrases.AND_SO):
        yield from possession.column_list(p, start, table)


def _said_of(p: Parse, i: Position, end: int, table: str, other: Expression) -> Condition | None:
    """What the words from `i` to `end` say of the other value, if it is one thing."""
    again = [found for last, found in clauses.value_phrase(p, i, table, other, "must") if int(last) == end]
    return again[0] if len(again) == 1 and isinstance(other, Column) and not has_window(again[0]) else None
