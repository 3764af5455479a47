"""What a rule says in vain: demands that no row can break, or of which a part asks nothing."""

from collections.abc import Iterator

from pandas_magic.constraints import contradictions
from pandas_magic.constraints.algebra.conditions import All, Any_, Compare, Condition, Not, Present
from pandas_magic.constraints.algebra.expressions import Group
from pandas_magic.constraints.algebra.rules import ColumnsRule, Constraint
from pandas_magic.constraints.algebra.words import expression_words
from pandas_magic.planner.language.logic import unknown_without


def pointless_parts(constraint: Constraint) -> tuple[str, ...]:
    """Why the rule, or a part of it, asks for nothing; empty when all of it does."""
    idle = () if isinstance(constraint, ColumnsRule) else tuple(_idle(constraint.must))
    return (*contradictions(constraint), *idle)


def _idle(must: Condition) -> Iterator[str]:
    for demand in must.conditions if isinstance(must, All) else (must,):
        if isinstance(demand, Any_):
            yield from _idle_alternatives(demand.conditions)
        for part in demand.conditions if isinstance(demand, Any_) else (demand,):
            yield from _counted_within_itself(part)


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
