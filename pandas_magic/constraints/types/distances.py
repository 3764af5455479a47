"""Demands on how far two moments lie apart that no two moments can meet: "before the start, and 3 days after it"."""

import math
from collections.abc import Iterable
from fractions import Fraction
from typing import TypeGuard, cast

from pandas_magic.constraints.algebra.conditions import MIRRORED, Compare, Condition, Relation
from pandas_magic.constraints.algebra.expressions import Arithmetic, Expression, Span, Value

# The fewest and the most days that a unit has.
_DAYS: dict[str, tuple[Fraction | int, Fraction | int]] = {
    **{unit: (Fraction(1, many),) * 2 for unit, many in (("seconds", 86_400), ("minutes", 1_440), ("hours", 24))},
    **{"days": (1, 1), "weeks": (7, 7), "months": (28, 31), "years": (365, 366)},
}
# first - second, the relation to that, the fewest and the most days
_Distance = tuple[Expression, Expression, Relation, float, float]


def is_impossible_distance(conditions: Iterable[Condition]) -> bool:
    """Whether the conditions, which must all hold, leave no distance between two moments."""
    bounds: dict[tuple[Expression, Expression], tuple[float, float]] = {}
    for condition in conditions:
        told = _distance(condition) if isinstance(condition, Compare) else None
        if told is None:
            continue
        first, second, relation, fewest, most = told
        if (second, first) in bounds:
            first, second, relation, fewest, most = second, first, MIRRORED[relation], -most, -fewest
        # What is equal or unlike is left to those who can say how long a month is.
        least, greatest = bounds.get((first, second), (-math.inf, math.inf))
        if relation in (">", ">="):
            least = max(least, math.nextafter(fewest, math.inf) if relation == ">" else fewest)
        elif relation in ("<", "<="):
            greatest = min(greatest, math.nextafter(most, -math.inf) if relation == "<" else most)
        bounds[first, second] = least, greatest
    return any(least > greatest for least, greatest in bounds.values())


def _distance(told: Compare) -> _Distance | None:
    """What a comparison says of the distance of two moments; None where it says nothing of that."""
    left, right = told.left, told.right
    if isinstance(right, Span) and isinstance(left, Arithmetic) and left.sign == "-":
        return (left.left, left.right, told.relation, *_days(right))
    relation = told.relation
    if _is_shifted(left):
        left, right, relation = right, left, MIRRORED[relation]
    if _is_shifted(right):
        fewest, most = _days(cast(Span, right.right))
        return (left, right.left, relation, *((-most, -fewest) if right.sign == "-" else (fewest, most)))
    is_fixed = any(isinstance(side, (Value, Span)) for side in (left, right))
    return None if is_fixed else (left, right, relation, 0.0, 0.0)


def _is_shifted(side: Expression) -> TypeGuard[Arithmetic]:
    return isinstance(side, Arithmetic) and side.sign in "+-" and isinstance(side.right, Span)


def _days(span: Span) -> tuple[float, float]:
    ends = [float(Fraction(str(span.amount)) * Fraction(days)) for days in _DAYS[span.unit]]
    return min(ends), max(ends)
