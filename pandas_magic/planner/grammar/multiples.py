"""Whole multiples of a number: "a multiple of 5", "divisible by 3", "an even number of weeks"."""

from collections.abc import Iterator

from pandas_magic.catalog.table import ValueKind
from pandas_magic.constraints.algebra.conditions import Condition, Parses
from pandas_magic.constraints.algebra.expressions import Arithmetic, Column, Expression, Value
from pandas_magic.planner.grammar import measures, phrases
from pandas_magic.planner.grammar.chart import Parse, Position
from pandas_magic.planner.grammar.logic import both, negate
from pandas_magic.planner.grammar.meaning import kind_of_expression
from pandas_magic.planner.grammar.values import number

Found = Iterator[tuple[Position, Condition]]


def multiple(p: Parse, i: Position, table: str, x: Expression) -> Found:
    """Said of a number, behind "be": "a multiple of 5", "divisible by 2", "even", "an odd number"."""
    kind = kind_of_expression(p.schema, table, x)
    if kind not in ("integer", "number"):
        return
    for start in p.phrase(i, phrases.A_MULTIPLE_OF):
        for end, found in (*number(p, start), *measures.measured(p, start, table, x), *_in_its_unit(p, start, x)):
            if isinstance(found, int) and found > 1:
                yield p.note(i, end, f"a whole number of times {found}"), _times(x, found)
            else:
                p.refuse(f"multiples of {found} cannot be told exactly; only those of whole numbers above 1 can")
    for said, even in ((phrases.EVEN, True), (phrases.ODD, False)):
        for start in p.phrase(i, said):
            for end in (start, *_of_units(p, start, x)):
                yield (
                    p.note(i, end, "divisible by 2" if even else "whole, not divisible by 2"),
                    _parity(x, kind, even=even),
                )


def _times(x: Expression, of: int) -> Condition:
    return Parses(of=Arithmetic(sign="/", left=x, right=Value(value=of)), type="integer")


def _parity(x: Expression, kind: ValueKind, *, even: bool) -> Condition:
    if even:
        return _times(x, 2)
    odd = both(None if kind == "integer" else Parses(of=x, type="integer"), negate(_times(x, 2)))
    assert odd is not None
    return odd


def _in_its_unit(p: Parse, i: Position, x: Expression) -> Iterator[tuple[Position, int | float]]:
    """Like "two weeks" for notice_period_weeks."""
    for middle, found in number(p, i):
        yield from ((end, found) for end in measures.own_unit(p, middle, _name(x)))


def _of_units(p: Parse, i: Position, x: Expression) -> Iterator[Position]:
    """Like "of weeks" behind "an even number"."""
    for start in p.phrase(i, "of"):
        yield from measures.own_unit(p, start, _name(x))


def _name(x: Expression) -> str:
    return x.name if isinstance(x, Column) else ""
