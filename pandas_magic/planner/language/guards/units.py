"""Units: columns whose names end in different units of the same kind are neither compared nor added."""

from collections.abc import Iterator

from pandas_magic.constraints.algebra.conditions import Compare
from pandas_magic.constraints.algebra.expressions import (
    Absolute,
    Aggregate,
    Arithmetic,
    Column,
    Expression,
    Group,
    Lookup,
    Previous,
    ReadAs,
    Rollup,
)
from pandas_magic.constraints.algebra.rules import Constraint
from pandas_magic.planner.language.guards.nodes_needed import every_node
from pandas_magic.planner.language.linking.unit_scales import UNITS
from pandas_magic.planner.language.linking.words import name_parts

# A column of this name alone may be a minimum or anything else.
_SHORTEST_ALONE = 4
_TIMES = frozenset(("hours", "hour", "hrs", "minutes", "minute", "mins", "days", "weeks"))
_MONEY = frozenset(("cost", "costs", "price", "fee", "fees", "amount", "total", "salary", "pay", "eur", "usd", "gbp"))


def units_mixed(constraint: Constraint) -> Iterator[str]:
    """Like "the weight must not exceed the max weight" of grams and kilograms."""
    for node in every_node(constraint):
        if isinstance(node, Compare) or (isinstance(node, Arithmetic) and node.sign in "+-"):
            one, other = _measured(node.left), _measured(node.right)
            if isinstance(node, Arithmetic):
                yield from _time_and_money(one, other)
            for group in UNITS if one and other else ():
                units = [_unit(name, group) for name in (one, other)]
                if None not in units and group[str(units[0])] != group[str(units[1])]:
                    yield f"{one} holds {units[0]} and {other} holds {units[1]}: say how one becomes the other"


def _time_and_money(one: str, other: str) -> Iterator[str]:
    """Like the cost of material plus the hours of labour, whose rate the rule does not say."""
    for time, money in ((one, other), (other, one)):
        of_time, of_money = ({*name_parts(name)} for name in (time, money))
        if of_time & _TIMES and of_money & _MONEY and not of_time & _MONEY:
            yield f"{time} is time and {money} is money: say what an hour of it costs"


def _measured(side: Expression | None) -> str:
    """The column in whose unit the expression is; "" where that cannot be told."""
    match side:
        case Column(name=name):
            return name
        case (
            Aggregate(statistic=statistic, of=of)
            | Group(statistic=statistic, of=of)
            | Rollup(statistic=statistic, of=of)
        ):
            return "" if statistic in ("count", "distinct") else _measured(of)
        case Lookup(of=of) | Absolute(of=of) | Previous(of=of) | ReadAs(of=of):
            return _measured(of)
        case Arithmetic(sign="+" | "-", left=left, right=right):
            return _measured(left) or _measured(right)
    return ""


def _unit(name: str, group: dict[str, float]) -> str | None:
    words = name_parts(name)
    if words[-1] == "min" and len(words) > 1 and words[-2] in group:
        return words[-2]  # the least of the hours
    is_unit = words[-1] in group and (len(words) > 1 or len(name) >= _SHORTEST_ALONE)
    return words[-1] if is_unit else None
