"""What the field calls a rule, and how far its code has to see."""

from typing import Literal

from pandas_magic.constraints.algebra.conditions import (
    All,
    Any_,
    Compare,
    Condition,
    Exists,
    HasText,
    Matches,
    Not,
    OneOf,
    Parses,
    Present,
    Unique,
)
from pandas_magic.constraints.algebra.expressions import (
    Absolute,
    Aggregate,
    Column,
    Expression,
    Group,
    HowMany,
    Lookup,
    Moment,
    Now,
    Previous,
    Rollup,
    Share,
    Span,
    TextLength,
    Value,
)
from pandas_magic.constraints.algebra.rules import ColumnsRule, Constraint, RowRule, TableRule
from pandas_magic.constraints.algebra.shapes import between_bounds, is_literal, value_nodes
from pandas_magic.constraints.algebra.tree import local_nodes, nodes
from pandas_magic.record import Record

Scale = Literal["row", "key", "global"]

# A rule of one of these kinds that is about some rows only is a conditional one.
_PLAIN = frozenset(
    {"not_null", "null", "allowed_values", "forbidden_values", "in_range", "matches", "length", "compare", "parses"}
)
_LEAVES: tuple[tuple[type, str, str], ...] = (
    (Present, "not_null", "null"),
    (OneOf, "allowed_values", "forbidden_values"),
    (Unique, "unique", "duplicated"),
    (Matches, "matches", "matches"),
    (HasText, "matches", "matches"),
    (Parses, "parses", "parses"),
)


def kind(constraint: Constraint) -> str:
    """The field's name for the rule, such as "not_null", "unique", "foreign_key", "per_group" or "row_count"."""
    if isinstance(constraint, ColumnsRule):
        return "columns"
    if isinstance(constraint, TableRule):
        return _table_kind(constraint)
    found = _condition_kind(constraint.must)
    return "conditional" if constraint.where is not None and found in _PLAIN else found


def scale(constraint: Constraint) -> Scale:
    """How far the code has to see: one row at a time, all rows that share a key, or the whole table."""
    if not isinstance(constraint, RowRule):
        return "global"
    parts = [part for side in (constraint.where, constraint.must) if side is not None for part in nodes(side)]
    if any(_sees_all(part) for part in parts):
        return "global"
    keyed = any(isinstance(part, (Unique, Exists, Lookup, Rollup, Group, Previous)) for part in parts)
    return "key" if keyed else "row"


def _sees_all(part: Record) -> bool:
    return isinstance(part, (Aggregate, Share)) or (isinstance(part, (Group, Previous)) and not part.by)


def _table_kind(rule: TableRule) -> str:
    statistics = [part for part in nodes(rule.must) if isinstance(part, (Aggregate, Share))]
    if len({part.table for part in statistics}) > 1:
        return "reconcile"
    counts = all(isinstance(part, Aggregate) and part.of is None for part in statistics)
    return "row_count" if counts else "aggregate"


def _condition_kind(condition: Condition) -> str:
    if between_bounds(condition) is not None and isinstance(condition, All):
        return _condition_kind(condition.conditions[0])
    match condition:
        case Not(condition=part):
            return _leaf_kind(part, negative=True)
        case All(conditions=(Present(), part)):
            return _condition_kind(part)
        case Any_(conditions=parts) if all(isinstance(part, Present) for part in parts):
            return "one_of_several_present"
        case All() | Any_():
            return "condition"
        case Compare():
            return _compare_kind(condition)
        case _:
            return _leaf_kind(condition, negative=False)


def _leaf_kind(condition: Condition, *, negative: bool) -> str:
    if isinstance(condition, Exists):
        if negative:
            return "excluded"
        return "foreign_key" if condition.where is None else "has_child"
    for leaf, positive_kind, negative_kind in _LEAVES:
        if isinstance(condition, leaf):
            return negative_kind if negative else positive_kind
    return "condition"


def _compare_kind(compare: Compare) -> str:
    parts = [part for side in (compare.left, compare.right) for part in value_nodes(side)]
    for node, name in ((Previous, "monotonic"), (Rollup, "reconcile"), (Lookup, "lookup"), (HowMany, "how_many")):
        if any(isinstance(part, node) for part in parts):
            return name
    groups = [part for part in parts if isinstance(part, Group)]
    if groups:
        return _group_kind(compare, groups[0])
    if any(isinstance(part, Now) for part in parts):
        return "fresh"
    if isinstance(compare.left, TextLength) and is_literal(compare.right):
        return "length"
    return _literal_kind(compare)


def _group_kind(compare: Compare, group: Group) -> str:
    if not group.by:
        return "outlier"
    one = isinstance(compare.right, Value) and compare.right.value == 1
    if group.statistic == "distinct" and one and compare.relation in ("==", "<="):
        return "functional_dependency"
    return "per_group"


def _literal_kind(compare: Compare) -> str:
    if not is_literal(compare.right) or not _is_simple(compare.left):
        return "compare"
    if compare.relation in ("==", "!="):
        return "allowed_values" if compare.relation == "==" else "forbidden_values"
    return "in_range"


def _is_simple(expression: Expression) -> bool:
    return all(isinstance(part, (Column, Absolute, Moment, Span)) for part in local_nodes(expression))
