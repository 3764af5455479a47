"""A rule taken apart the way peers state rules: one demand on one column, for some of the rows."""

from collections.abc import Iterator
from dataclasses import dataclass

from pandas_magic.constraints import (
    Absolute,
    All,
    Arithmetic,
    Column,
    Compare,
    Condition,
    Exists,
    Expression,
    Moment,
    Present,
    RowRule,
    Tolerance,
    Value,
)
from pandas_magic.constraints.algebra.conditions import Relation
from pandas_magic.constraints.algebra.shapes import (
    ROUNDING,
    ROUNDING_SHARE,
    TERMS_SHARE,
    between_bounds,
    cancelling_terms,
    is_rounded,
)
from pandas_magic.constraints.algebra.tree import REACHING, WINDOWS, nodes
from pandas_magic.peers.transfers import CannotSay
from pandas_magic.record import Record


@dataclass(frozen=True)
class Demand:
    """What one part of a rule asks of each row in its scope. `must` is no conjunction unless it is a range."""

    table: str
    where: Condition | None
    must: Condition
    tolerance: Tolerance | None


@dataclass(frozen=True)
class Bounds:
    """The literals between which an expression has to lie; None where one side is open."""

    of: Expression
    low: Value | Moment | None
    high: Value | Moment | None
    low_open: bool = False  # True: the limit itself is not allowed
    high_open: bool = False


def demands(rule: RowRule) -> tuple[Demand, ...]:
    """The parts of a conjunction, each a demand of its own; a rule with a tolerance is one demand, or none can say it.

    Raises: CannotSay for a tolerance over several demands, whose violations would be counted apart.
    """
    parts = tuple(_conjuncts(rule.must))
    if len(parts) > 1 and rule.tolerance is not None:
        raise CannotSay("its tolerance covers several demands at once, which are counted apart there")
    return tuple(Demand(rule.table, rule.where, part, rule.tolerance) for part in parts)


def _conjuncts(condition: Condition) -> Iterator[Condition]:
    if isinstance(condition, All) and between_bounds(condition) is None:
        for part in condition.conditions:
            yield from _conjuncts(part)
    else:
        yield condition


def bounds(condition: Condition) -> Bounds | None:
    """The range that the condition demands, or None when it demands something else."""
    between = between_bounds(condition)
    if between is not None:
        of, low, high = between
        return Bounds(of, _limit(low), _limit(high)) if _limit(low) and _limit(high) else None
    if not isinstance(condition, Compare) or condition.within is not None or _limit(condition.right) is None:
        return None
    limit, open_ = _limit(condition.right), condition.relation in ("<", ">")
    if condition.relation in (">", ">="):
        return Bounds(condition.left, limit, None, low_open=open_)
    return Bounds(condition.left, None, limit, high_open=open_) if condition.relation in ("<", "<=") else None


def _limit(expression: Expression) -> Value | Moment | None:
    if isinstance(expression, Value) and isinstance(expression.value, (bool, str)):
        return None
    return expression if isinstance(expression, (Value, Moment)) else None


def column_of(expression: Expression) -> str | None:
    """The column's name when the expression is a bare column, else None."""
    return expression.name if isinstance(expression, Column) else None


def is_present_in(where: Condition | None, column: str) -> bool:
    """Whether only rows in which the column has a value are in the scope."""
    return where is not None and any(part == Present(of=Column(name=column)) for part in _conjuncts(where))


def refuse_other_rows(node: Record) -> None:
    """Nothing when the node looks at one row only.

    Raises: CannotSay naming what it looks at.
    """
    for part in nodes(node):
        if isinstance(part, (*REACHING, Exists)):
            raise CannotSay("it looks at rows of other tables or at groups of rows")
        if isinstance(part, WINDOWS):
            raise CannotSay("it compares a row with other rows inside a longer condition")


def exact(compare: Compare, *, whole: bool) -> Compare:
    """The comparison as one that needs no tolerance, since peers compare numbers to the last digit.

    `whole` says that both sides are whole numbers, which rounding never concerns.
    """
    within = compare.within or 0.0
    if (whole and not within) or not (compare.within is not None or is_rounded(compare)):
        return compare.model_copy(update={"within": None})
    slack = Value(value=within) if whole else _slack(within, compare)
    apart = Arithmetic(sign="-", left=compare.left, right=compare.right)
    if compare.relation in ("==", "!="):
        relation: Relation = "<=" if compare.relation == "==" else ">"
        return Compare(relation=relation, left=Absolute(of=apart), right=slack)
    # Greater by no more than rounding is still "at most", and smaller by no more than rounding is not yet "less".
    allowed = compare.relation in ("<=", "<")
    left = apart if allowed else Arithmetic(sign="-", left=compare.right, right=compare.left)
    if compare.relation in ("<", ">"):
        return Compare(relation="<", left=Arithmetic(sign="+", left=left, right=slack), right=Value(value=0))
    return Compare(relation="<=", left=left, right=slack)


def _slack(within: float, compare: Compare) -> Expression:
    right, terms = compare.right, cancelling_terms(compare)
    if terms is not None:
        share = Arithmetic(sign="*", left=Value(value=TERMS_SHARE), right=terms)
        return Arithmetic(sign="+", left=Value(value=ROUNDING), right=share)
    if isinstance(right, Value) and not isinstance(right.value, (bool, str)):
        return Value(value=within + ROUNDING + ROUNDING_SHARE * abs(right.value))
    share = Arithmetic(sign="*", left=Value(value=ROUNDING_SHARE), right=Absolute(of=right))
    return Arithmetic(sign="+", left=Value(value=within + ROUNDING), right=share)


def widened(limit: float, *, upper: bool, open_: bool) -> float:
    """A limit of a computed statistic, moved by what counts as rounding, for peers that compare to the last digit.

    An open limit moves inwards: what is equal up to rounding is not less.
    """
    return limit + (1 if upper is not open_ else -1) * (ROUNDING + ROUNDING_SHARE * abs(limit))
