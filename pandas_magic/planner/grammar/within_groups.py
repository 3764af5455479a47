"""A group said first: "Within a batch each sample number may occur only once", "per branch no two tables share …"."""

from collections.abc import Iterator

from pandas_magic.constraints.algebra.conditions import Compare, Condition, Unique
from pandas_magic.constraints.algebra.expressions import Column, Expression, Group
from pandas_magic.planner.grammar import agreements, claims, counting, limits, phrases, uniqueness
from pandas_magic.planner.grammar.chart import Parse, Position, rule
from pandas_magic.planner.grammar.meaning import Claim

Found = Iterator[tuple[Position, Claim]]
Keys = tuple[Expression, ...]


@rule
def within_group(p: Parse, i: Position, table: str) -> Found:
    """Claims that no two rows agree, or that all have the same, for the rows of each group alone."""
    for start in p.phrase(i, phrases.WITHIN_A_GROUP):
        for middle, keys in counting.group_keys(p, start, table):
            if Column(name=p.schema.key(table) or "") in keys:
                continue  # a group of one row
            for begin in (middle, *p.phrase(middle, ",")):
                for end, found in _about_groups(p, begin, table):
                    must = _regrouped(found.must, keys)
                    if must is not None:
                        yield p.note(i, end, "in each group"), Claim(table, must, found.where, found.tolerance)


def _about_groups(p: Parse, i: Position, table: str) -> Found:
    yield from limits.limit(p, i, table)
    yield from agreements.same_values(p, i, table)
    yield from uniqueness.combination(p, i, table)
    for start in (i, *p.phrase(i, "the same|one and the same|the very same")):
        yield from claims.of_values(p, start, table)
    for start in p.phrase(i, "no|no two"):
        yield from uniqueness.shared_by_two(p, start, table)


def _regrouped(must: Condition, keys: Keys) -> Condition | None:
    """The same within groups; None where it does not speak of other rows, or of such a group already."""
    if isinstance(must, Unique) and not must.missing_equal and set(keys).isdisjoint(must.by):
        return must.model_copy(update={"by": (*keys, *must.by)})
    group = must.left if isinstance(must, Compare) else None
    if isinstance(group, Group) and isinstance(must, Compare) and set(keys).isdisjoint(group.by):
        return must.model_copy(update={"left": group.model_copy(update={"by": (*keys, *group.by)})})
    return None
