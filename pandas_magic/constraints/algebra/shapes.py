"""Shapes that several parts of the package must recognise alike: ranges, computed numbers."""

from collections.abc import Iterator
from typing import TypeGuard

from pandas_magic.constraints.algebra.conditions import All, Any_, Compare, Condition, OneOf
from pandas_magic.constraints.algebra.expressions import (
    Absolute,
    Aggregate,
    Arithmetic,
    Column,
    DatePart,
    Expression,
    Group,
    HowMany,
    Lookup,
    Moment,
    Now,
    Previous,
    ReadAs,
    Rollup,
    Share,
    Span,
    Value,
)
from pandas_magic.constraints.algebra.tree import children
from pandas_magic.record import Record

# Two computed numbers are the same when they differ by no more than this, plus this share of the right one: far above
# the noise of binary fractions (1e-16 of the terms), far below a cent in ten milliards.
ROUNDING = 1e-9
ROUNDING_SHARE = 1e-12

# A computed number is whole when it is off by no more than ROUNDING and this share of it: two roundings of the sides
# and one of the quotient, 2**-53 each.
WHOLE_SHARE = 4e-16

# Held against 0, a computed number leaves no right side to have a share of; then it is this share of its terms. A sum
# of n random terms is off by some sqrt(n) * 1e-16 of them, so that a million payments of millions still cancel, and a
# cent in a milliard of them is seen.
TERMS_SHARE = 1e-14

# The units in which a time of day is told.
_PER_DAY = {"minutes": 1_440, "seconds": 86_400}

# Statistics of values that are one of them, or lie among them.
_OF_LIKE_VALUES = frozenset({"min", "max", "mean", "median", "quantile"})
_ROUNDED_STATISTICS = frozenset({"sum", "mean", "median", "std", "quantile"})


def between_bounds(condition: Condition) -> tuple[Expression, Expression, Expression] | None:
    """The expression and its two inclusive bounds when the condition is a range between literals, else None."""
    if not isinstance(condition, All) or len(condition.conditions) != 2:
        return None
    low, high = condition.conditions
    if not isinstance(low, Compare) or not isinstance(high, Compare) or low.left != high.left:
        return None
    literal = is_literal(low.right) and is_literal(high.right)
    plain = literal and not is_rounded(low) and low.within is None and high.within is None
    return (low.left, low.right, high.right) if plain and (low.relation, high.relation) == (">=", "<=") else None


def is_literal(expression: Expression) -> bool:
    """Whether the expression is a number, a text, a moment or a length of time that the rule names."""
    return isinstance(expression, (Moment, Span)) or (
        isinstance(expression, Value) and not isinstance(expression.value, bool)
    )


def is_time_of_day(expression: Expression) -> bool:
    """Whether the expression is a time of day, which is held as the length of time since midnight."""
    if isinstance(expression, (Lookup, Previous, Rollup, Group, Aggregate)) and expression.of is not None:
        return getattr(expression, "statistic", "min") in _OF_LIKE_VALUES and is_time_of_day(expression.of)
    return (isinstance(expression, ReadAs) and expression.type == "time") or (
        isinstance(expression, DatePart) and expression.part == "time"
    )


def clock_of(side: Expression, other: Expression) -> str | None:
    """The time of day, as 08:30 or 08:30:15, that a length of time is beside a time of day; None for all else."""
    if not isinstance(side, Span) or side.unit not in _PER_DAY or not is_time_of_day(other):
        return None
    if not (float(side.amount).is_integer() and 0 <= side.amount < _PER_DAY[side.unit]):
        return None
    minutes, seconds = (int(side.amount), None) if side.unit == "minutes" else divmod(int(side.amount), 60)
    return f"{minutes // 60:02}:{minutes % 60:02}" + ("" if seconds is None else f":{seconds:02}")


def is_rounded(compare: Compare) -> bool:
    """Whether a side is a computed number: compared up to rounding, unless both sides turn out to be whole numbers."""
    return compare.within is None and is_computed(compare.left, compare.right)


def is_computed(*expressions: Expression) -> bool:
    """Whether a number among them is computed, and none of them is a moment or a length of time."""
    if all(isinstance(expression, (Column, Value)) for expression in expressions):
        return False  # nearly always, and asked for each row
    parts = [part for expression in expressions for part in value_nodes(expression)]
    return not any(isinstance(part, (Span, Moment, Now)) for part in parts) and any(
        isinstance(part, (Arithmetic, Share))
        or (isinstance(part, (Rollup, Group, Aggregate)) and part.statistic in _ROUNDED_STATISTICS)
        for part in parts
    )


def cancelling_terms(compare: Compare) -> Expression | None:
    """How large the terms are that cancel in a computed number held against 0: the sum of their magnitudes.

    None where the right side is not 0, or where nothing is added up: then the noise is a share of the right side.
    """
    zero = isinstance(compare.right, Value) and compare.right.value == 0
    return _magnitude(compare.left) if zero and is_rounded(compare) and _adds_up(compare.left) else None


def _adds_up(expression: Expression) -> bool:
    return any(
        part.sign in "+-" if isinstance(part, Arithmetic) else _is_total(part) for part in value_nodes(expression)
    )


def _is_total(part: Record) -> TypeGuard[Rollup | Group | Aggregate]:
    return isinstance(part, (Rollup, Group, Aggregate)) and part.statistic in ("sum", "mean")


def _magnitude(expression: Expression) -> Expression:
    if isinstance(expression, Arithmetic):
        sign = "+" if expression.sign == "-" else expression.sign
        sides = {"left": _magnitude(expression.left), "right": _magnitude(expression.right)}
        return expression.model_copy(update={"sign": sign, **sides})
    if _is_total(expression) and expression.of is not None:
        return expression.model_copy(update={"of": _magnitude(expression.of)})
    if isinstance(expression, Value):
        return expression
    return expression if isinstance(expression, Absolute) else Absolute(of=expression)


def divided(expression: Expression) -> tuple[Expression, Value] | None:
    """What is divided by a number that the rule names, other than 0, and that number; None for everything else.

    Whether such a quotient is whole, the remainder decides where both are whole numbers.
    """
    if isinstance(expression, Arithmetic) and expression.sign == "/" and isinstance(expression.right, Value):
        return (expression.left, expression.right) if expression.right.value else None
    return None


def one_by_one(listed: OneOf) -> Condition:
    """The list as equations with its values: what a list says of a computed number, which is equal up to rounding."""
    equations = tuple(Compare(relation="==", left=listed.of, right=Value(value=value)) for value in listed.values)
    return equations[0] if len(equations) == 1 else Any_(conditions=equations)


def value_nodes(expression: Record) -> Iterator[Record]:
    """The expression and the expressions that its value is made of, not those that only choose rows."""
    yield expression
    if isinstance(expression, (Rollup, Group, Aggregate)):
        inner: Iterator[Record] = iter(() if expression.of is None else (expression.of,))
    elif isinstance(expression, (Share, HowMany)):
        inner = iter(())
    else:
        inner = children(expression)
    for child in inner:
        yield from value_nodes(child)
