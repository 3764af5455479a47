"""Two limits on one number: "at least 20 and at most 40", "below 55 or above 75", "over 0 but not over 60"."""

from collections.abc import Iterator

from pandas_magic.constraints.conditions import Compare, Condition
from pandas_magic.constraints.expressions import Aggregate, Column, Expression, Group, Lookup, Rollup, Share, Value
from pandas_magic.constraints.reading import children
from pandas_magic.planner.rules import comparisons
from pandas_magic.planner.rules.chart import Parse, Position, rule
from pandas_magic.planner.rules.logic import all_in, any_of, negate
from pandas_magic.record import Record

Found = Iterator[tuple[Position, Condition]]


@rule
def bounded(p: Parse, i: Position, table: str, x: Expression) -> Found:
    """One comparison, or a lower and an upper limit joined by "and" or "or"."""
    for end, first in _limit(p, i, table, x):
        yield end, first
        for joint, said in (("and", "and|, and|but|, but|yet"), ("or", "or|, or")):
            for middle in p.phrase(end, said):
                for start in (middle, *p.phrase(middle, "be")):
                    for last, second in _limit(p, start, table, x):
                        if _are_limits(first, second, joint):
                            yield last, all_in((first, second)) if joint == "and" else any_of(first, second)


def _limit(p: Parse, i: Position, table: str, x: Expression) -> Found:
    yield from comparisons.comparison(p, i, table, x)
    for start in p.phrase(i, "not"):
        yield from ((end, negate(said)) for end, said in comparisons.comparison(p, start, table, x))


def _are_limits(first: Condition, second: Condition, joint: str) -> bool:
    """One is a lower and one an upper limit; "below 20 and above 40" is no number, "above 20 or below 40" is any."""
    sides = []
    for limit in (first, second):
        if not (isinstance(limit, Compare) and isinstance(limit.right, Value)):
            return False
        sides.append((limit.relation, limit.right.value))
    lower = [number for relation, number in sides if relation in (">", ">=")]
    upper = [number for relation, number in sides if relation in ("<", "<=")]
    if len(lower) != 1 or len(upper) != 1 or isinstance(lower[0], str) or isinstance(upper[0], str):
        return False
    return lower[0] <= upper[0] if joint == "and" else upper[0] <= lower[0]


def of_each_row(node: Record) -> bool:
    """Like "equals labour_hours": a column of each row, which the table as a whole does not have."""
    if isinstance(node, (Aggregate, Share)):
        return False
    return isinstance(node, (Column, Lookup, Rollup, Group)) or any(of_each_row(part) for part in children(node))
