"""Two limits on one number: "at least 20 and at most 40", "below 55 or above 75", "over 0 but not over 60"."""

from collections.abc import Iterator

from pandas_magic.constraints.algebra.conditions import Compare, Condition
from pandas_magic.constraints.algebra.expressions import (
    Aggregate,
    Column,
    Expression,
    Group,
    Lookup,
    Rollup,
    Share,
    Span,
    Value,
)
from pandas_magic.constraints.algebra.tree import children
from pandas_magic.planner.grammar import comparisons, phrases
from pandas_magic.planner.grammar import lexicon as words
from pandas_magic.planner.grammar.chart import Parse, Position, rule
from pandas_magic.planner.grammar.logic import all_in, any_of, negate
from pandas_magic.planner.grammar.meaning import compare
from pandas_magic.planner.grammar.values import number, span
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


def of_time(p: Parse, i: Position, table: str, x: Expression) -> Found:
    """Two limits with one unit: "between 1 and 20 days", "at least 1 and at most 20 days", "less than 1 or more …"."""
    inside = (("between", "and"), (words.AT_LEAST, f"and {words.AT_MOST.replace('|', '|and ')}"), ("from", "to"))
    for first, second in inside:
        for end, (low, high) in p.seq(i, first, _amount, second, span):
            least = Span(amount=low[0], unit=high.unit)
            if low[0] <= high.amount and low[1] in ("", high.unit):
                limits = [compare(p.schema, table, x, ">=", least), compare(p.schema, table, x, "<=", high)]
                yield p.note(i, end, "a range with both ends"), all_in(tuple(one for one in limits if one))
    for end, (low, high) in p.seq(i, phrases.SHORTER, number, "or", phrases.LONGER, span):
        limits = [
            compare(p.schema, table, x, "<", Span(amount=low, unit=high.unit)),
            compare(p.schema, table, x, ">", high),
        ]
        yield p.note(i, end, "outside a range"), any_of(*(one for one in limits if one))


def _amount(p: Parse, i: Position) -> Iterator[tuple[Position, tuple[int | float, str]]]:
    """A number, with its unit or with that of the second limit."""
    yield from ((end, (amount, "")) for end, amount in number(p, i))
    yield from ((end, (length.amount, length.unit)) for end, length in span(p, i))


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
