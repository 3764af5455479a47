"""Tests of a rule by name: whether it holds a node that discharges a cue."""

import re
from collections.abc import Callable, Iterator

from pandas_magic.constraints import reads
from pandas_magic.constraints.algebra.conditions import (
    All,
    Any_,
    Compare,
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
from pandas_magic.record import Record

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


def exchanged(node: object, old: object, new: object) -> object:
    """The dumped node with another part in every place of the old one."""
    if node == old:
        return new
    if isinstance(node, dict):
        return {name: exchanged(part, old, new) for name, part in node.items()}
    return [exchanged(part, old, new) for part in node] if isinstance(node, (list, tuple)) else node


def equalled(node: object, *relations: str) -> Iterator[tuple[Expression, bool | int | float | str]]:
    """What is held against a value, or has to be one of several, and each of these; of these relations, or of any."""
    if isinstance(node, OneOf):
        yield from ((node.of, value) for value in node.values)
    elif (
        isinstance(node, Compare) and isinstance(node.right, Value) and node.relation in (relations or (node.relation,))
    ):
        yield node.left, node.right.value


def _holds(*kinds: type) -> Callable[[Constraint, str], bool]:
    return lambda constraint, said: any(isinstance(node, kinds) for node in every_node(constraint))


def _compared(relations: tuple[str, ...]) -> Callable[[Constraint], bool]:
    def test(constraint: Constraint) -> bool:
        return any(
            isinstance(node, Compare) and node.relation in relations and not isinstance(node.right, _LITERALS)
            for node in every_node(constraint)
        )

    return test


def _is_statistic(constraint: Constraint, *statistics: str) -> bool:
    return any(
        isinstance(node, (Group, Rollup, Aggregate)) and node.statistic in statistics for node in every_node(constraint)
    )


def _tolerates(constraint: Constraint, said: str) -> bool:
    tolerant = isinstance(constraint, RowRule) and constraint.tolerance is not None
    return tolerant or isinstance(constraint, TableRule) or _holds(Share)(constraint, said)


def _is_close(constraint: Constraint, said: str) -> bool:
    return any(
        isinstance(node, Compare) and (node.within is not None or node.relation not in ("==", "!="))
        for node in every_node(constraint)
    )


def _is_same(constraint: Constraint, said: str) -> bool:
    coupled = _compared(("==", "!="))(constraint) or _is_statistic(constraint, "distinct", "count")
    return coupled or _holds(Unique, Exists)(constraint, said)


def _is_different(constraint: Constraint, said: str) -> bool:
    unequal = any(isinstance(node, Compare) and node.relation in ("!=", "==") for node in every_node(constraint))
    return unequal or _is_same(constraint, said) or _holds(OneOf)(constraint, said)


def _is_unique(constraint: Constraint, said: str) -> bool:
    return _holds(Unique)(constraint, said) or _is_statistic(constraint, "count", "distinct")


def _column_says_it(constraint: Constraint, said: str) -> bool:
    words = {word for word in said.split() if len(word) > 2}
    return any(
        words & set(column.lower().replace("_", " ").split())
        for columns in reads(constraint).values()
        for column in columns
    )


def _value_says_it(constraint: Constraint, said: str) -> bool:
    values: set[object] = set()
    for node in every_node(constraint):
        values |= set(node.values) if isinstance(node, OneOf) else {node.value} if isinstance(node, Value) else set()
    return any(isinstance(value, str) and said in value.lower() for value in values)


def _several(constraint: Constraint, said: str) -> bool:
    counted = _is_statistic(constraint, "distinct")
    return (
        counted
        or sum(isinstance(node, (Exists, Rollup)) for node in every_node(constraint)) > 1
        or (_holds(All, Any_)(constraint, said) and not _holds(Exists, Rollup)(constraint, said))
    )


def _demands_absence(constraint: Constraint) -> bool:
    return any(isinstance(node, Not) and isinstance(node.condition, Present) for node in every_node(constraint))


def _has_scope(constraint: Constraint) -> bool:
    return isinstance(constraint, RowRule) and constraint.where is not None


def _is_equivalence(constraint: Constraint, said: str) -> bool:
    joined = any(isinstance(node, (Any_, All)) and len(node.conditions) > 1 for node in every_node(constraint))
    return joined and not _has_scope(constraint)


def _calculates(sign: str) -> Callable[[Constraint, str], bool]:
    """Whether it adds, takes off, multiplies or divides; what is below zero may be said by a minus."""

    def test(constraint: Constraint, said: str) -> bool:
        signs = {node.sign for node in every_node(constraint) if isinstance(node, Arithmetic)}
        below = any(isinstance(node, Value) and str(node.value).startswith("-") for node in every_node(constraint))
        return sign in signs or (sign == "-" and below)

    return test


def _is_chain(constraint: Constraint, said: str) -> bool:
    compared = [node for node in every_node(constraint) if isinstance(node, Compare)]
    return any(one.right == other.left for one in compared for other in compared if one is not other)


def _keeps_no_distance(constraint: Constraint, said: str) -> bool:
    """Whether nothing in it is to be just so long before or after something else."""
    for node in every_node(constraint):
        moved = node.right if isinstance(node, Compare) and node.relation == "==" else None
        if isinstance(moved, Arithmetic) and isinstance(moved.right, Span):
            return False
    return True


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
    values = [node.value for node in every_node(constraint) if isinstance(node, Value)]
    number = re.search(r"\d+(?:\.\d+)?", said)
    return float(number[0]) not in values if number else not {100, 0.01}.isdisjoint(values)


def _lets_missing_pass(constraint: Constraint, said: str) -> bool:
    must = getattr(constraint, "must", None)
    return not any(isinstance(part, Present) for part in (must, *(must.conditions if isinstance(must, All) else ())))


NEEDED: dict[str, Callable[[Constraint, str], bool]] = {
    "now": _holds(Now),
    "tolerance": _tolerates,
    "closeness": _is_close,
    "sameness": _is_same,
    "difference": _is_different,
    "uniqueness": _is_unique,
    "grouped": _holds(Group, Rollup, Unique, Previous, Exists, Share),
    "groups": _holds(Group, Rollup, Unique, Previous, Exists, Aggregate, Share),
    "statistic": _holds(Group, Rollup, Aggregate, Share, HowMany, Unique),
    "arithmetic": _holds(Arithmetic),
    "addition": _calculates("+"),
    "subtraction": _calculates("-"),
    "multiplication": _calculates("*"),
    "chain": _is_chain,
    "order": _holds(Previous, Now, Group, Rollup),
    "row before": _holds(Previous),
    "text": _holds(HasText, Matches),
    "folding": lambda constraint, said: any(
        isinstance(node, Folded) or (isinstance(node, HasText) and node.ignore_case) for node in every_node(constraint)
    ),
    "several": _several,
    "equivalence": _is_equivalence,
    "alternatives": _holds(Any_, All, HowMany),
    "weekday": lambda constraint, said: any(
        isinstance(node, DatePart) and node.part == "weekday" for node in every_node(constraint)
    ),
    "column of that name": _column_says_it,
    "value of that name": _value_says_it,
    "rounding": lambda constraint, said: any(
        isinstance(node, Compare) and is_rounded(node) for node in every_node(constraint)
    ),
    "columns compared": lambda constraint, said: _compared(("<", "<=", ">", ">=", "==", "!="))(constraint),
    "own rows": lambda constraint, said: spelt(constraint.table).rstrip("s") == said.split()[-1].rstrip("s"),
    "reading": _holds(Parses),
    "presence": _holds(Present),
    "absence": lambda constraint, said: (
        _demands_absence(constraint)
        or any(value == "" for node in every_node(constraint) for _, value in equalled(node))
    ),
    "no absence": lambda constraint, said: not _demands_absence(constraint),
    "closed limits": lambda constraint, said: (
        not any(isinstance(node, Compare) and node.relation in ("<", ">") for node in every_node(constraint))
    ),
    "nothing bad": _is_wanted,
    "no exact distance": _keeps_no_distance,
    "no long run": lambda constraint, said: (
        not any(isinstance(node, Matches) and ",}" in node.pattern for node in every_node(constraint))
    ),
    "no repetition": lambda constraint, said: (
        not any(
            isinstance(node, Not) and isinstance(node.condition, (Unique, Exists)) for node in every_node(constraint)
        )
    ),
    "all rows": lambda constraint, said: not _has_scope(constraint),
    "keyed": lambda constraint, said: any(
        isinstance(node, Rollup) or (isinstance(node, Group) and bool(node.by)) for node in every_node(constraint)
    ),
    "share": _reckons_percent,
    "missing may pass": _lets_missing_pass,
    "condition": lambda constraint, said: _has_scope(constraint) or _holds(Any_)(constraint, said),
    "nothing could": lambda constraint, said: False,
}
