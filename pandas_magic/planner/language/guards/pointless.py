"""What a rule says in vain: demands that no row can break, or of which a part asks nothing."""

from collections.abc import Iterator

from pandas_magic.constraints import contradictions
from pandas_magic.constraints.algebra.conditions import All, Any_, Compare, Condition, Not, OneOf, Present
from pandas_magic.constraints.algebra.expressions import Arithmetic, Column, Expression, Group, Value
from pandas_magic.constraints.algebra.rules import ColumnsRule, Constraint
from pandas_magic.constraints.algebra.shapes import value_nodes
from pandas_magic.constraints.algebra.tree import conjuncts
from pandas_magic.constraints.algebra.words import condition_words, expression_words
from pandas_magic.planner.language.logic import unknown_without


def pointless_parts(constraint: Constraint) -> tuple[str, ...]:
    """Why the rule, or a part of it, asks for nothing; empty when all of it does."""
    idle = () if isinstance(constraint, ColumnsRule) else tuple(_idle(constraint.must))
    return (*contradictions(constraint), *idle)


def _idle(must: Condition) -> Iterator[str]:
    for demand in conjuncts(must):
        if isinstance(demand, Any_):
            yield from _idle_alternatives(demand.conditions)
        for part in demand.conditions if isinstance(demand, Any_) else (demand,):
            yield from _counted_within_itself(part)
            yield from _held_against_itself(part)
    yield from _said_twice(must.conditions if isinstance(must, All) else ())


def _idle_alternatives(parts: tuple[Condition, ...]) -> Iterator[str]:
    """Like "x is present or x is positive", which asks no more than that x is present."""
    for part in parts:
        if isinstance(part, Present) and Not(condition=part) in parts:
            yield f"{expression_words(part.of)} is always present or missing"
        elif isinstance(part, Present) and any(unknown_without(other, part.of) for other in parts):
            yield f"with or without the rest, {expression_words(part.of)} only has to be present"


def _counted_within_itself(part: Condition) -> Iterator[str]:
    group = part.left if isinstance(part, Compare) else None
    if isinstance(group, Group) and group.statistic == "distinct" and group.of is not None and group.of in group.by:
        words = expression_words(group.of)
        yield f"{words} is counted in groups that share it; say of which rows there may be how many"


def _held_against_itself(part: Condition) -> Iterator[str]:
    """Like "x <= 0.9 x", which says no more than which sign x has."""
    if isinstance(part, Compare) and part.within is None:
        left, right = _columns_alone(part.left), _columns_alone(part.right)
        if left == right and left is not None and len(left) == 1:
            yield f"{next(iter(left))} is held against itself"


def _columns_alone(side: Expression) -> frozenset[str] | None:
    """The columns that the expression computes with; None when it is made of more than columns and numbers."""
    parts = list(value_nodes(side))
    if not all(isinstance(part, (Column, Value, Arithmetic)) for part in parts):
        return None
    return frozenset(part.name for part in parts if isinstance(part, Column))


def _said_twice(parts: tuple[Condition, ...]) -> Iterator[str]:
    """Like "x is 0 and x is one of 0, 1", where for some rows only the one may have been meant."""
    for told, value in _fixed(parts):
        for part in parts:
            if isinstance(part, OneOf) and part.of == told.left and value in part.values:
                yield f"{condition_words(told)} says more than {condition_words(part)}; say of which rows each is meant"


def _fixed(parts: tuple[Condition, ...]) -> Iterator[tuple[Compare, object]]:
    for part in parts:
        if isinstance(part, Compare) and part.relation == "==" and isinstance(part.right, Value):
            yield part, part.right.value
