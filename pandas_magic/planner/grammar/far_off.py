"""How far a number is from another, said before it: "more than 0.01 away from the total"."""

from collections.abc import Iterator

from pandas_magic.constraints.algebra.conditions import Condition
from pandas_magic.constraints.algebra.expressions import Expression
from pandas_magic.planner.grammar import comparisons
from pandas_magic.planner.grammar.chart import Parse, Position
from pandas_magic.planner.grammar.logic import negate
from pandas_magic.planner.grammar.meaning import compare, kind_of_expression
from pandas_magic.planner.grammar.values import number

Found = Iterator[tuple[Position, Condition]]
_NUMERIC = ("integer", "number")


def far_off(p: Parse, i: Position, table: str, x: Expression) -> Found:
    """Like "(is) more than 0.01 away from the total", "at most 1 off the sum"."""
    sides = (("more than|over|greater than|further than", True), ("at most|no more than|not more than|up to", False))
    if kind_of_expression(p.schema, table, x) not in _NUMERIC:
        return
    for said, far in sides:
        for end, (limit, other) in p.seq(
            i,
            said,
            number,
            "away from|off|off from|apart from|different from|distant from",
            lambda p, i: comparisons.operand(p, i, table, x),
        ):
            equal = compare(p.schema, table, x, "==", other, within=float(limit)) if other != x else None
            if equal is not None and kind_of_expression(p.schema, table, other) in _NUMERIC:
                yield p.note(i, end, f"apart by {limit}"), negate(equal) if far else equal
