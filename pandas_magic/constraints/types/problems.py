"""What makes a rule impossible on the tables at hand: unknown columns, texts compared with numbers, bad patterns."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from pandas_magic.constraints.algebra.conditions import (
    All,
    Any_,
    Compare,
    Exists,
    HasText,
    Matches,
    OneOf,
    Parses,
    Unique,
)
from pandas_magic.constraints.algebra.expressions import (
    Absolute,
    Aggregate,
    Arithmetic,
    Column,
    DatePart,
    Folded,
    Group,
    HowMany,
    Join,
    Lookup,
    Moment,
    Previous,
    ReadAs,
    Rollup,
    Span,
    TextLength,
)
from pandas_magic.constraints.algebra.patterns import pattern_problem
from pandas_magic.constraints.algebra.rules import ColumnsRule, Constraint, RowRule, TableRule, Tolerance
from pandas_magic.constraints.algebra.tree import REACHING, columns_read, has_window, nodes, placed_nodes
from pandas_magic.constraints.algebra.words import condition_words, expression_words
from pandas_magic.constraints.types.fits import (
    arithmetic_misfit,
    compare_misfit,
    key_misfit,
    list_misfit,
    moment_misfit,
    order_misfit,
    statistic_misfit,
)
from pandas_magic.constraints.types.value_types import ValueType, column_type, kind_words, table_named, type_of
from pandas_magic.errors import NoSuchName
from pandas_magic.record import Record

if TYPE_CHECKING:
    from pandas_magic.catalog.table import Table

_TRIVIAL = {
    "integer": ("integer",),
    "number": ("integer", "number"),
    "date": ("datetime",),
    "boolean": ("boolean",),
    "text": ("integer", "number", "datetime", "boolean", "text", "duration", "mixed"),
}


def check_types(constraint: Constraint, tables: Mapping[str, Table]) -> tuple[str, ...]:
    """What does not fit between the rule and the tables' columns, in words; empty when all fits."""
    try:
        table_named(tables, constraint.table)
    except NoSuchName as error:
        return (str(error),)
    if isinstance(constraint, ColumnsRule):
        return ()
    parts = [part for part in (getattr(constraint, "where", None), constraint.must) if part is not None]
    uneven = [problem for part in parts for problem in _uneven_keys(part)]
    if uneven:
        return tuple(uneven)
    names = [problem for part in parts for problem in _name_problems(part, constraint.table, tables)]
    if names:
        return tuple(dict.fromkeys(names))
    problems = [
        problem
        for part in parts
        for node, table in placed_nodes(part, constraint.table)
        for problem in _problems(node, tables[table], tables)
    ]
    problems += list(_tolerance_problems(constraint.tolerance) if isinstance(constraint, RowRule) else [])
    problems += list(_bare_columns(constraint) if isinstance(constraint, TableRule) else [])
    return tuple(dict.fromkeys(problems))


def _uneven_keys(part: Record) -> Iterator[str]:
    for node in nodes(part):
        if isinstance(node, Exists):
            mine, keys, there = len(node.of), len(node.keys), node.table
        elif isinstance(node, (Lookup, Rollup)):
            mine, keys, there = len(node.join.columns), len(node.join.keys), node.join.table
        else:
            continue
        if mine != keys or not keys:
            yield f"{mine} values are matched with {keys} keys of {there}"


def _name_problems(node: Record, table: str, tables: Mapping[str, Table]) -> Iterator[str]:
    for name, column in columns_read(node, table):
        try:
            found = table_named(tables, name)
            if column is not None:
                column_type(found, column)
        except NoSuchName as error:
            yield str(error)


def _tolerance_problems(tolerance: Tolerance | None) -> Iterator[str]:
    if tolerance is not None and tolerance.max_share is not None and not 0 <= tolerance.max_share <= 1:
        yield f"a share of {tolerance.max_share} is tolerated; it must lie between 0 and 1"
    if tolerance is not None and tolerance.max_rows is not None and tolerance.max_rows < 0:
        yield f"{tolerance.max_rows} violations are tolerated; it must be 0 or more"


def _bare_columns(rule: TableRule) -> Iterator[str]:
    for node, table in placed_nodes(rule.must, ""):
        if isinstance(node, Column) and not table:
            yield f"{expression_words(node)} stands alone in a rule about a whole table; say of which statistic"


def _problems(node: Record, table: Table, tables: Mapping[str, Table]) -> Iterator[str]:
    match node:
        case Compare():
            left, right = type_of(node.left, table, tables), type_of(node.right, table, tables)
            yield from compare_misfit(node, left, right)
            if not any(isinstance(part, (Column, *REACHING)) for part in nodes(node)):
                yield f'"{condition_words(node)}" compares nothing of {table.name}'
        case Arithmetic(sign=sign, left=left_side, right=right_side):
            sides = type_of(left_side, table, tables), type_of(right_side, table, tables)
            yield from arithmetic_misfit(node, sign, *sides)
        case OneOf():
            yield from list_misfit(node, type_of(node.of, table, tables))
        case All(conditions=()) | Any_(conditions=()) | HowMany(conditions=()) | Unique(by=()):
            yield f"a condition ({node.node}) holds nothing"
        case Exists() | Lookup() | Rollup():
            yield from _reach_problems(node, table, tables)
        case Group() | Aggregate():
            yield from _statistic_problems(node, table, tables)
        case Previous(order=Record() as order):
            yield from order_misfit(order, type_of(order, table, tables))
        case _:
            yield from _leaf_problems(node, table, tables)


def _leaf_problems(node: Record, table: Table, tables: Mapping[str, Table]) -> Iterator[str]:
    match node:
        case Matches() | HasText() | TextLength() | Folded() | ReadAs():
            yield from _wants(("text", "mixed"), node, type_of(node.of, table, tables), "text")
            if isinstance(node, ReadAs) and not any(isinstance(part, (Column, *REACHING)) for part in nodes(node)):
                yield f"{_words(node)} reads nothing of the table; write the value itself"
            if isinstance(node, Matches):
                yield from filter(None, [pattern_problem(node.pattern)])
        case DatePart(of=of):
            yield from _wants(("datetime", "mixed"), node, type_of(of, table, tables), "a date")
        case Absolute(of=of):
            yield from _wants(("integer", "number", "duration", "mixed"), node, type_of(of, table, tables), "a number")
        case Parses(type=kind):
            found = type_of(node.of, table, tables)
            if found.kind in _TRIVIAL[kind]:
                yield f"{condition_words(node)}: it is {kind_words(found)} already, so that no row can break this"
        case Moment():
            yield from moment_misfit(node)
        case Span(unit=unit, amount=amount) if unit in ("months", "years") and amount != int(amount):
            yield f"{amount} {unit} is not a whole number of {unit}; say it in days"


def _wants(kinds: tuple[str, ...], node: Record, found: ValueType, wanted: str) -> Iterator[str]:
    if found.kind not in kinds:
        words = _words(node)
        yield f"{words} needs {wanted}, but {expression_words(node.of)} is {kind_words(found)}"  # type: ignore[attr-defined] # all that want a kind have "of"


def _words(node: Record) -> str:
    is_condition = isinstance(node, (Matches, HasText))
    return f'"{condition_words(node) if is_condition else expression_words(node)}"'  # type: ignore[arg-type] # what is no condition is an expression


def _reach_problems(node: Exists | Lookup | Rollup, table: Table, tables: Mapping[str, Table]) -> Iterator[str]:
    if isinstance(node, Exists):
        there = tables[node.table]
        mine = [(expression_words(part), type_of(part, table, tables)) for part in node.of]
        keys = node.keys
    else:
        join: Join = node.join
        there = tables[join.table]
        mine = [(column, column_type(table, column)) for column in join.columns]
        keys = join.keys
    for (words, found), key in zip(mine, keys, strict=True):
        yield from key_misfit(words, found, f"{there.name}.{key}", column_type(there, key))
    if not isinstance(node, Exists) and node.of is not None and has_window(node.of):
        yield f'"{expression_words(node)}" looks at other rows within {there.name}, which is not supported'
    if isinstance(node, Rollup):
        yield from _statistic_problems(node, there, tables)


def _statistic_problems(node: Rollup | Group | Aggregate, table: Table, tables: Mapping[str, Table]) -> Iterator[str]:
    place = tables[node.table] if isinstance(node, Aggregate) else table
    if node.of is None:
        if node.statistic != "count":
            yield f"a {node.statistic} of rows; say of which column"
        return
    if isinstance(node, Aggregate) and has_window(node.of):
        yield f'"{expression_words(node)}" looks at other rows within {place.name}, which is not supported'
    if node.statistic == "quantile" and (node.quantile is None or not 0 <= node.quantile <= 1):
        yield f"a quantile of {node.quantile}; it must lie between 0 and 1"
        return
    yield from statistic_misfit(node, type_of(node.of, place, tables))
