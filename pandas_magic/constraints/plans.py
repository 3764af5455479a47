"""What a rule's check will do, in words, before it does it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from pandas_magic.constraints.algebra.conditions import Condition, Present, Unique
from pandas_magic.constraints.algebra.describing import describe, percent
from pandas_magic.constraints.algebra.expressions import (
    Aggregate,
    Column,
    Group,
    HowMany,
    Lookup,
    Previous,
    ReadAs,
    Rollup,
    Share,
)
from pandas_magic.constraints.algebra.rules import ColumnsRule, Constraint, RowRule, TableRule, Tolerance
from pandas_magic.constraints.algebra.spelling import name_words
from pandas_magic.constraints.algebra.tree import REACHING, children, local_nodes, nodes, reads
from pandas_magic.constraints.algebra.words import condition_words, expression_words
from pandas_magic.constraints.types.value_types import table_named
from pandas_magic.record import Record

if TYPE_CHECKING:
    from pandas_magic.catalog.table import Table


class Plan(Record):
    """What the check will do, before it does it."""

    goal: str  # the rule in canonical words
    steps: tuple[str, ...]  # what the code does, in words
    reads: dict[str, tuple[str, ...]]  # table -> the columns that the code reads
    violation_means: str  # what one violating row is


def plan(constraint: Constraint, tables: Mapping[str, Table]) -> Plan:
    """The goal in canonical words, the steps, the columns read and what one violating row is.

    A table whose rows are only counted is read by its first column; for a `ColumnsRule` every column is read.

    Raises: NoSuchName for a table that is not there.
    """
    return Plan(
        goal=describe(constraint),
        steps=tuple(_steps(constraint)),
        reads={
            name: columns or _columns(constraint, table_named(tables, name))
            for name, columns in reads(constraint).items()
        },
        violation_means=_violation_words(constraint),
    )


def _columns(constraint: Constraint, table: Table) -> tuple[str, ...]:
    return tuple(table.columns) if isinstance(constraint, ColumnsRule) else tuple(table.columns)[:1]


def _violation_words(constraint: Constraint) -> str:
    match constraint:
        case RowRule(table=table, where=where, must=must):
            scope = f" where {condition_words(where)}" if where is not None else ""
            return f"one row of {name_words(table)}{scope} for which this is false: {condition_words(must)}"
        case TableRule():
            return "one row that shows the statistics found, when they break the rule"
        case ColumnsRule():
            return "one row for each column at fault, with what is wrong"


def _steps(constraint: Constraint) -> Iterator[str]:
    table = name_words(constraint.table)
    match constraint:
        case ColumnsRule():
            yield f"Look at the names, the order and the dtypes of the columns of {table}."
            yield "Flag each column that is not as the rule says."
        case TableRule(must=must):
            for words in _reached_words(must):
                yield f"Work out {words}."
            yield f"Flag them when this is false: {condition_words(must)}."
            yield "A statistic of no rows is missing, and then nothing is judged; counts and sums of no rows are 0."
        case RowRule(where=where, must=must):
            yield f"Take all rows of {table}." if where is None else f"Take the rows where {condition_words(where)}."
            for words in _reached_words(must):
                yield f"For each of them, find {words}."
            yield f"Flag each for which this is false: {condition_words(must)}."
            yield from _missing_words(must)
            yield from _tolerance_steps(constraint.tolerance)


def _reached_words(condition: Condition) -> list[str]:
    return list(dict.fromkeys(expression_words(part) for part in nodes(condition) if isinstance(part, REACHING)))


def _missing_words(must: Condition) -> Iterator[str]:
    judged = list(dict.fromkeys(words for words in _judged_words(must)))
    if judged:
        yield f"Rows in which {' or '.join(judged)} is missing are not judged."
    if any(isinstance(part, Unique) and part.missing_equal for part in local_nodes(must)):
        yield "Missing values count as equal to each other."


def _judged_words(must: Condition) -> list[str]:
    """The values whose absence leaves the rule undecided, in words."""
    demanded = {expression_words(part.of) for part in nodes(must) if isinstance(part, Present)}
    return [words for words in _used_words(must) if words not in demanded]


def _used_words(node: Record) -> Iterator[str]:
    match node:
        case Present() | HowMany():
            return
        case Unique(missing_equal=True):
            return
        case Column(name=name):
            yield name_words(name)
        case Lookup() | Previous() | ReadAs():
            yield expression_words(node)
        case Rollup() | Aggregate() | Share():
            return
        case Group(by=by):
            for part in by:
                yield from _used_words(part)
        case _:
            for child in _own_children(node):
                yield from _used_words(child)


def _own_children(node: Record) -> tuple[Record, ...]:
    own: tuple[Record, ...] | None = getattr(node, "of", None) if getattr(node, "node", "") == "exists" else None
    return own if own is not None else tuple(children(node))


def _tolerance_steps(tolerance: Tolerance | None) -> Iterator[str]:
    if tolerance is None:
        return
    if tolerance.max_rows is not None:
        yield f"Accept up to {tolerance.max_rows} such rows; with more, show all of them."
    if tolerance.max_share is not None:
        yield f"Accept up to {percent(tolerance.max_share)} of the rows taken; with more, show all that are flagged."
