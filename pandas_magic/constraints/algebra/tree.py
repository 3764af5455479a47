"""What a rule reads, and walks over its tree."""

from collections.abc import Iterator
from functools import cache

from pandas_magic.constraints.algebra.conditions import All, Condition, Exists, Unique
from pandas_magic.constraints.algebra.expressions import (
    Aggregate,
    Column,
    Expression,
    Group,
    Join,
    Lookup,
    Previous,
    Rollup,
    Share,
)
from pandas_magic.constraints.algebra.rules import ColumnsRule, Constraint
from pandas_magic.record import Record

Node = Expression | Condition
# Expressions that take their value from other rows, of this table or of another one.
REACHING = (Lookup, Rollup, Group, Previous, Aggregate, Share)
WINDOWS = (Unique, Group, Previous)
# Most of what stands in a node, of which pydantic takes long to say that it is no record.
_PLAIN = (str, int, float, type(None))


def reads(constraint: Constraint) -> dict[str, tuple[str, ...]]:
    """The columns that the rule's code reads, by table; tables and columns in alphabetical order.

    A table with no column is one whose rows are only counted; for a `ColumnsRule` it is one whose columns themselves
    are judged, so that all that it has must be there (`judges_columns`).
    """
    if isinstance(constraint, ColumnsRule):
        return {constraint.table: ()}
    found: dict[str, set[str]] = {constraint.table: set()}
    for part in (getattr(constraint, "where", None), constraint.must):
        if part is not None:
            for table, column in columns_read(part, constraint.table):
                found.setdefault(table, set()).update(() if column is None else (column,))
    return {table: tuple(sorted(found[table])) for table in sorted(found)}


def judges_columns(constraint: Constraint) -> bool:
    """Whether the rule is about which columns there are: every one must be staged and none of them makes it stale."""
    return isinstance(constraint, ColumnsRule)


def conjuncts(condition: Condition) -> tuple[Condition, ...]:
    """What must all hold for the condition to hold: its parts, or itself."""
    return condition.conditions if isinstance(condition, All) else (condition,)


def columns_read(node: Record, table: str) -> Iterator[tuple[str, str | None]]:
    """Each table and column that the node reads when it is computed in `table`; no column for rows only counted."""
    match node:
        case Column(name=name):
            yield table, name
        case Lookup(join=join, of=of):
            yield from _join_columns(join, table)
            yield from columns_read(of, join.table)
        case Rollup(join=join):
            yield from _join_columns(join, table)
            yield from _children_columns(node, join.table)
        case Exists(of=of, table=other, keys=keys, where=where):
            for part in of:
                yield from columns_read(part, table)
            yield from ((other, key) for key in keys)
            if where is not None:
                yield from columns_read(where, other)
        case Aggregate(table=other) | Share(table=other):
            yield other, None
            yield from _children_columns(node, other)
        case _:
            yield from _children_columns(node, table)


def children(node: Record) -> Iterator[Record]:
    """The conditions and expressions directly inside the node."""
    for field in _fields(type(node)):
        content = getattr(node, field)
        for child in content if isinstance(content, tuple) else (content,):
            if not isinstance(child, _PLAIN) and isinstance(child, Record) and not isinstance(child, Join):
                yield child


@cache
def _fields(kind: type[Record]) -> tuple[str, ...]:
    return tuple(kind.model_fields)


def nodes(node: Record) -> Iterator[Record]:
    """The node and everything inside it."""
    yield node
    for child in children(node):
        yield from nodes(child)


def local_nodes(node: Record) -> Iterator[Record]:
    """The node and everything inside it that is computed in the same table."""
    yield node
    if isinstance(node, Exists):
        for part in node.of:
            yield from local_nodes(part)
    elif not isinstance(node, (Lookup, Rollup, Aggregate, Share)):
        for child in children(node):
            yield from local_nodes(child)


def own_nodes(constraint: Constraint) -> Iterator[Record]:
    """Everything in the rule that is computed in its own table, of what is demanded and of which rows."""
    for part in (getattr(constraint, "must", None), getattr(constraint, "where", None)):
        if isinstance(part, Record):
            yield from local_nodes(part)


def placed_nodes(node: Record, table: str) -> Iterator[tuple[Record, str]]:
    """The node and everything inside it, each with the table in which it is computed."""
    yield node, table
    there = table
    match node:
        case Lookup(join=join) | Rollup(join=join):
            there = join.table
        case Aggregate(table=other) | Share(table=other):
            there = other
        case Exists(of=of, table=other, where=where):
            for part in of:
                yield from placed_nodes(part, table)
            if where is not None:
                yield from placed_nodes(where, other)
            return
    for child in children(node):
        yield from placed_nodes(child, there)


def has_window(node: Record) -> bool:
    """Whether the node looks at other rows of its own table."""
    return any(isinstance(part, WINDOWS) for part in local_nodes(node))


def _children_columns(node: Record, table: str) -> Iterator[tuple[str, str | None]]:
    for child in children(node):
        yield from columns_read(child, table)


def _join_columns(join: Join, table: str) -> Iterator[tuple[str, str]]:
    yield from ((table, column) for column in join.columns)
    yield from ((join.table, key) for key in join.keys)
