"""Rules about the row before, on tables whose rows may stand in no order that means anything."""

import re
from pathlib import Path

from pandas_magic.catalog import Catalog, Source
from pandas_magic.catalog.sources.dataset_table import DatasetTable, files_of
from pandas_magic.catalog.sources.sql import SqlTable
from pandas_magic.constraints import Constraint, Previous
from pandas_magic.constraints.algebra.tree import nodes
from pandas_magic.errors import TableUnreadable

_NUMBER = re.compile(r"([0-9]+)")


def said_of_order(catalog: Catalog, constraint: Constraint | None) -> tuple[str, ...]:
    """In which order the rows were taken, where the rule names none and the table has more than its own.

    Raises: TableUnreadable, with the next step, where its rows come in no order.
    """
    if constraint is None or not any(isinstance(each, Previous) and each.order is None for each in nodes(constraint)):
        return ()
    order = _order_of(catalog.source(constraint.table))
    return (f"the rows of {constraint.table} were taken in the order of {order}",) if order else ()


def _order_of(source: Source) -> str:
    if isinstance(source, SqlTable):
        if key := source.primary_key():
            return f"its primary key, {', '.join(key)}"
        raise _without_order(source.name, "a database gives rows without a primary key in any order")
    files = (
        [path.relative_to(source.path) for path in files_of(source.path)] if isinstance(source, DatasetTable) else []
    )
    if len(files) < 2:
        return ""
    for one, other in zip(files, sorted(files, key=_by_numbers), strict=True):
        if one != other:
            raise _without_order(source.name, f"its files stand by the letters of their names, {one} before {other}")
    return f"its files, {files[0]} to {files[-1]}"


def _by_numbers(file: Path) -> list[list[str | int]]:
    """Names in which numbers and what stands between them take turns, so that like meets like."""
    return [[int(each) if at % 2 else each for at, each in enumerate(_NUMBER.split(part))] for part in file.parts]


def _without_order(table: str, why: str) -> TableUnreadable:
    return TableUnreadable(
        f"the rule is about the row before, and the rows of {table} have no order of their own: {why}; "
        'say by which column, such as "in order of created_at"'
    )
