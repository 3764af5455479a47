"""Columns without any value: they have the type that the rule takes them to be of."""

from collections.abc import Iterable, Iterator, Mapping

import pandas as pd

from pandas_magic.catalog.plain_types import dtype_named
from pandas_magic.checking.column_values import sort_of, sort_of_value
from pandas_magic.constraints.algebra.conditions import Compare, Exists, HasText, Matches, OneOf, Parses
from pandas_magic.constraints.algebra.expressions import (
    Absolute,
    Aggregate,
    Column,
    DatePart,
    Expression,
    Folded,
    Group,
    Lookup,
    Moment,
    Now,
    Rollup,
    Span,
    TextLength,
    Value,
)
from pandas_magic.constraints.algebra.rules import RowRule, TableRule
from pandas_magic.constraints.algebra.tree import local_nodes, nodes, placed_nodes
from pandas_magic.record import Record

Frames = Mapping[str, pd.DataFrame]
Place = tuple[str, str]  # a table and a column of it

_DTYPES = {
    "integer": "float64",  # what whole numbers with a gap are in pandas
    "number": "float64",
    "truth": "boolean",
    "moment": "datetime64[us]",
    "duration": "timedelta64[us]",
}
_TEXT = "str"
_NUMERIC = ("sum", "mean", "median", "std", "quantile")


def with_types_of_rule(rule: RowRule | TableRule, frames: Frames) -> dict[str, pd.DataFrame]:
    """The frames with a type for each column of objects without any value; texts where the rule says none.

    Such a column tells nothing of what it will hold, and code that is right for it must be right for its first values.
    """
    untyped = {
        (name, str(label))
        for name, frame in frames.items()
        for label in frame.columns
        if frame[label].dtype.kind == "O" and sort_of(frame[label]) == "unknown" and frame[label].isna().all()
    }
    if not untyped:
        return dict(frames)
    told: dict[Place, str] = {}
    parts = [part for part in (getattr(rule, "where", None), rule.must) if part is not None]
    for part in parts:
        for node, table in placed_nodes(part, rule.table):
            for place, dtype in _told(node, table, frames):
                told.setdefault(place, dtype)
    return {
        name: frame.astype(
            {
                label: dtype_named(told.get((name, str(label)), _TEXT))
                for label in frame
                if (name, str(label)) in untyped
            }
        )
        for name, frame in frames.items()
    }


def _told(node: Record, table: str, frames: Frames) -> Iterator[tuple[Place, str]]:
    """What the node tells about the columns that it reads directly."""
    match node:
        case Compare(left=left, right=right):
            for side, other in ((left, right), (right, left)):
                dtype = _dtype_of(other, table, frames)
                yield from (((table, name), dtype) for name in _names(side) if dtype)
        case OneOf(of=of, values=values):
            yield from (((table, name), _DTYPES.get(sort_of_value(values[0]), _TEXT)) for name in _names(of) if values)
        case DatePart(of=of):
            yield from (((table, name), "datetime64[us]") for name in _names(of))
        case Absolute(of=of):
            yield from (((table, name), "float64") for name in _names(of))
        case Matches() | HasText() | Parses() | TextLength() | Folded():
            yield from (((table, name), _TEXT) for name in _names(node.of))
        case _:
            yield from _told_of_other_rows(node, table, frames)


def _told_of_other_rows(node: Record, table: str, frames: Frames) -> Iterator[tuple[Place, str]]:
    if isinstance(node, (Group, Aggregate, Rollup)) and node.of is not None and node.statistic in _NUMERIC:
        there = node.table if isinstance(node, Aggregate) else node.join.table if isinstance(node, Rollup) else table
        yield from (((there, name), "float64") for name in _names(node.of))
    if isinstance(node, Exists):
        pairs = [(name, key) for mine, key in zip(node.of, node.keys, strict=True) for name in _names(mine)]
        yield from _alike(table, pairs, node.table, frames)
    elif isinstance(node, (Lookup, Rollup)):
        yield from _alike(table, zip(node.join.columns, node.join.keys, strict=True), node.join.table, frames)


def _alike(table: str, pairs: Iterable[tuple[str, str]], other: str, frames: Frames) -> Iterator[tuple[Place, str]]:
    """Columns that are matched with each other have one type: that of the one that has values."""
    for name, key in pairs:
        for here, there in (((table, name), (other, key)), ((other, key), (table, name))):
            dtype = _dtype_of(Column(name=there[1]), there[0], frames)
            if dtype:
                yield here, dtype


def _names(expression: Expression) -> list[str]:
    return [node.name for node in local_nodes(expression) if isinstance(node, Column)]


def _dtype_of(expression: Expression, table: str, frames: Frames) -> str:
    """The dtype of a column with values like those of the expression; "" when nothing tells."""
    for node in nodes(expression):
        match node:
            case Value(value=named):
                return _DTYPES.get(sort_of_value(named), _TEXT)
            case Moment() | Now() | Span():
                return "datetime64[us]"
            case Column(name=name) if name in frames.get(table, {}) and sort_of(frames[table][name]) != "unknown":
                return _DTYPES.get(sort_of(frames[table][name]), _TEXT)
    return ""
