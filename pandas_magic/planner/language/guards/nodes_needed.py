"""The parts of a rule; and tests of it by name: whether it holds a node that discharges a cue."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import permutations
from typing import TypeVar

from pandas_magic.catalog.table import Table
from pandas_magic.constraints import check_types, reads
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
    Aggregate,
    Arithmetic,
    DatePart,
    Expression,
    Folded,
    Group,
    HowMany,
    Moment,
    Now,
    Previous,
    Rollup,
    Share,
    Span,
    Value,
)
from pandas_magic.constraints.algebra.polarity import Leaf, leaves_of
from pandas_magic.constraints.algebra.rules import Constraint, RowRule, TableRule
from pandas_magic.constraints.algebra.shapes import is_rounded
from pandas_magic.constraints.algebra.tree import nodes
from pandas_magic.planner.language.doors.names import spelt
from pandas_magic.planner.language.logic import opposite, replaced
from pandas_magic.record import Record

_Node = TypeVar("_Node", bound=Record)
Test = Callable[[Constraint, str], bool]
_LITERALS = (Value, Moment, Span, Now)


def every_node(constraint: Constraint) -> Iterator[Record]:
    """Everything that the rule is made of."""
    for part in (getattr(constraint, "where", None), getattr(constraint, "must", None)):
        if isinstance(part, Record):
            yield from nodes(part)


def leaves_elsewhere(constraint: Constraint) -> Iterator[tuple[str, Leaf]]:
    """The leaves of which rows it counts, adds up or looks for, each with the table of these rows."""
    for node in every_node(constraint):
        if isinstance(node, (Exists, Rollup, Group, Aggregate, Share)) and node.where is not None:
            there = getattr(node.join if isinstance(node, Rollup) else node, "table", constraint.table)
            yield from ((there, leaf) for leaf in leaves_of(node.where, is_scope=True))


def each(constraint: Constraint, *kinds: type[_Node]) -> Iterator[_Node]:
    """The parts of these kinds."""
    return (node for node in every_node(constraint) if isinstance(node, kinds))


def holds(constraint: Constraint, *kinds: type[Record]) -> bool:
    """Whether a part is of one of these kinds."""
    return any(each(constraint, *kinds))


def turned(
    constraint: Constraint, parts: Iterable[tuple[Record, Record]], tables: Mapping[str, Table]
) -> Constraint | None:
    """The rule with the second of each pair in every place of the first; None where it is the same or does not fit."""
    changed = constraint
    for old, new in parts:
        changed = replaced(changed, old, new)
    changed = type(constraint).model_validate(changed.model_dump())
    return changed if changed != constraint and not check_types(changed, tables) else None


def denied_like(leaf: Leaf, told: Condition) -> Condition:
    """What is said in place of the leaf, denied as it is."""
    return opposite(told) if leaf.negated == leaf.is_positive else told


def values_told(constraint: Constraint, *relations: str) -> Iterator[tuple[Expression, bool | int | float | str]]:
    """What is held against a value anywhere in the rule, and the value; in these relations, or in any."""
    return (told for node in every_node(constraint) for told in equalled(node, *relations))


def equalled(node: object, *relations: str) -> Iterator[tuple[Expression, bool | int | float | str]]:
    """What is held against a value, or has to be one of several, and each of these; of these relations, or of any."""
    if isinstance(node, OneOf):
        yield from ((node.of, value) for value in node.values)
    elif (
        isinstance(node, Compare) and isinstance(node.right, Value) and node.relation in (relations or (node.relation,))
    ):
        yield node.left, node.right.value


def _some(*kinds: type[Record]) -> Test:
    return lambda constraint, said: holds(constraint, *kinds)


def _any(kind: type[_Node], so: Callable[[_Node], bool]) -> Test:
    return lambda constraint, said: any(so(node) for node in each(constraint, kind))


def _none(kind: type[_Node], so: Callable[[_Node], bool]) -> Test:
    return lambda constraint, said: not any(so(node) for node in each(constraint, kind))


def _is_of_two(compare: Compare) -> bool:
    return not isinstance(compare.right, _LITERALS)


def _is_statistic(constraint: Constraint, *statistics: str) -> bool:
    return any(getattr(node, "statistic", "") in statistics for node in every_node(constraint))


def _tolerates(constraint: Constraint, said: str) -> bool:
    tolerant = isinstance(constraint, RowRule) and constraint.tolerance is not None
    return tolerant or isinstance(constraint, TableRule) or holds(constraint, Share)


def _is_same(constraint: Constraint, said: str) -> bool:
    coupled = any(_is_of_two(node) and node.relation in ("==", "!=") for node in each(constraint, Compare))
    return coupled or _is_statistic(constraint, "distinct", "count") or holds(constraint, Unique, Exists)


def _is_different(constraint: Constraint, said: str) -> bool:
    unequal = any(node.relation in ("!=", "==") for node in each(constraint, Compare))
    return unequal or _is_same(constraint, said) or holds(constraint, OneOf)


def _is_unique(constraint: Constraint, said: str) -> bool:
    return holds(constraint, Unique) or _is_statistic(constraint, "count", "distinct")


def _column_says_it(constraint: Constraint, said: str) -> bool:
    words = {word for word in said.split() if len(word) > 2}
    return any(
        words & set(column.lower().replace("_", " ").split())
        for columns in reads(constraint).values()
        for column in columns
    )


def _value_says_it(constraint: Constraint, said: str) -> bool:
    values = [node.value for node in each(constraint, Value)]
    values += [value for node in each(constraint, OneOf) for value in node.values]
    return any(isinstance(value, str) and said in value.lower() for value in values)


def _several(constraint: Constraint, said: str) -> bool:
    elsewhere = len([*each(constraint, Exists, Rollup)])
    joined = holds(constraint, All, Any_) and not elsewhere
    return _is_statistic(constraint, "distinct") or elsewhere > 1 or joined


def _is_absence(denied: Not) -> bool:
    return isinstance(denied.condition, Present)


def _demands_absence(constraint: Constraint, said: str) -> bool:
    return any(map(_is_absence, each(constraint, Not))) or any(value == "" for _, value in values_told(constraint))


def _has_scope(constraint: Constraint) -> bool:
    return isinstance(constraint, RowRule) and constraint.where is not None


def _is_equivalence(constraint: Constraint, said: str) -> bool:
    joined = (node.conditions for node in every_node(constraint) if isinstance(node, (Any_, All)))
    return any(len(parts) > 1 for parts in joined) and not _has_scope(constraint)


def _takes_off(constraint: Constraint, said: str) -> bool:
    """What is below zero may be said by a minus."""
    below = any(str(node.value).startswith("-") for node in each(constraint, Value))
    return below or any(node.sign == "-" for node in each(constraint, Arithmetic))


def _is_chain(constraint: Constraint, said: str) -> bool:
    return any(one.right == other.left for one, other in permutations(each(constraint, Compare), 2))


def _is_distance(compare: Compare) -> bool:
    """Whether something is to be just so long before or after something else."""
    moved = compare.right if compare.relation == "==" else None
    return isinstance(moved, Arithmetic) and isinstance(moved.right, Span)


def _is_wanted(constraint: Constraint, said: str) -> bool:
    """Whether it asks for nothing that people look for as a fault: that something is missing, repeated or negative."""
    for node in every_node(constraint):
        if isinstance(node, Compare) and isinstance(node.right, Now) and node.relation in ("<", "<="):
            continue  # in the past
        if isinstance(node, Not) or (isinstance(node, Compare) and node.relation in ("!=", "<")):
            return False
        if isinstance(node, Compare) and node.relation != "==" and not isinstance(node.right, (Value, Moment, Span)):
            return False
    return True


def _reckons_percent(constraint: Constraint, said: str) -> bool:
    """Whether the number before "percent" is a share, or what a column of percent holds is divided by a hundred."""
    values = [node.value for node in each(constraint, Value)]
    number = re.search(r"\d+(?:\.\d+)?", said)
    return float(number[0]) not in values if number else not {100, 0.01}.isdisjoint(values)


def _lets_missing_pass(constraint: Constraint, said: str) -> bool:
    must = getattr(constraint, "must", None)
    return not any(isinstance(part, Present) for part in (must, *(must.conditions if isinstance(must, All) else ())))


NEEDED: dict[str, Test] = {
    "now": _some(Now),
    "tolerance": _tolerates,
    "closeness": _any(Compare, lambda one: one.within is not None or one.relation not in ("==", "!=")),
    "sameness": _is_same,
    "difference": _is_different,
    "uniqueness": _is_unique,
    "grouped": _some(Group, Rollup, Unique, Previous, Exists, Share),
    "groups": _some(Group, Rollup, Unique, Previous, Exists, Aggregate, Share),
    "statistic": _some(Group, Rollup, Aggregate, Share, HowMany, Unique),
    "arithmetic": _some(Arithmetic),
    "addition": _any(Arithmetic, lambda one: one.sign == "+"),
    "subtraction": _takes_off,
    "multiplication": _any(Arithmetic, lambda one: one.sign == "*"),
    "chain": _is_chain,
    "order": _some(Previous, Now, Group, Rollup),
    "row before": _some(Previous),
    "text": _some(HasText, Matches),
    "folding": lambda constraint, said: (
        holds(constraint, Folded) or any(node.ignore_case for node in each(constraint, HasText))
    ),
    "several": _several,
    "equivalence": _is_equivalence,
    "alternatives": _some(Any_, All, HowMany),
    "weekday": _any(DatePart, lambda one: one.part == "weekday"),
    "column of that name": _column_says_it,
    "value of that name": _value_says_it,
    "rounding": _any(Compare, is_rounded),
    "columns compared": _any(Compare, _is_of_two),
    "own rows": lambda constraint, said: spelt(constraint.table).rstrip("s") == said.split()[-1].rstrip("s"),
    "reading": _some(Parses),
    "presence": _some(Present),
    "absence": _demands_absence,
    "no absence": _none(Not, _is_absence),
    "closed limits": _none(Compare, lambda one: one.relation in ("<", ">")),
    "nothing bad": _is_wanted,
    "no exact distance": _none(Compare, _is_distance),
    "no long run": _none(Matches, lambda one: ",}" in one.pattern),
    "no repetition": _none(Not, lambda one: isinstance(one.condition, (Unique, Exists))),
    "all rows": lambda constraint, said: not _has_scope(constraint),
    "keyed": lambda constraint, said: holds(constraint, Rollup) or any(one.by for one in each(constraint, Group)),
    "share": _reckons_percent,
    "missing may pass": _lets_missing_pass,
    "condition": lambda constraint, said: _has_scope(constraint) or holds(constraint, Any_),
    "nothing could": lambda constraint, said: False,
}
