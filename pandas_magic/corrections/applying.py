"""Corrections against the tables as they are now: which of them fit, and copies in which they are made."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby

import pandas as pd

from pandas_magic.catalog import Catalog, Source
from pandas_magic.catalog.sources.memory import FrameTable
from pandas_magic.corrections.correction import Correction, plain, said, same, value_of
from pandas_magic.errors import NoSuchName, TableUnreadable

# What one value takes, roughly: the content of short texts, a number.
_VALUE_BYTES = 16


def standings(corrections: Sequence[Correction], catalog: Catalog) -> dict[tuple[str, int, str], str]:
    """By its cell why each correction does not fit the table as it is now, in a clause; "" when it does.

    A row that moved and a value that changed are told: nothing is looked for elsewhere.
    """
    found: dict[tuple[str, int, str], str] = {}
    for table, of_table in _by_table(corrections).items():
        try:
            found |= _standings_in(table, of_table, catalog)
        except (NoSuchName, TableUnreadable) as error:
            found |= {one.cell: str(error) for one in of_table}
    return found


def _standings_in(table: str, corrections: Sequence[Correction], catalog: Catalog) -> dict[tuple[str, int, str], str]:
    count = row_count(catalog, table)
    inside = [one for one in corrections if one.position < count]
    rows = catalog.rows(table, [one.position for one in inside])
    rows.columns = rows.columns.map(str)
    found = {one.cell: f"{table} has {count:,} rows now, and no row {one.position}" for one in corrections}
    return found | {one.cell: _why_not(one, rows.iloc[[at]]) for at, one in enumerate(inside)}


def _why_not(correction: Correction, row: pd.DataFrame) -> str:
    for column in (*correction.row, correction.column):
        if list(row.columns).count(column) != 1:
            return f'{correction.table} has no column "{column}" of its own any more'
    for column, was in correction.row.items():
        now = plain(row[column].iloc[0])
        if not same(now, was):
            return f"another row stands there now: {column} is {said(now)}, and was {said(was)}"
    now = plain(row[correction.column].iloc[0])
    if same(now, correction.new):
        return f"it is {said(now)} already"
    return "" if same(now, correction.old) else f"it is {said(now)} now, and was {said(correction.old)}"


def row_count(catalog: Catalog, table: str) -> int:
    """How many rows the table has now."""
    known = catalog.schema(table).row_count
    return len(catalog.frame(table)) if known is None else known


def corrected(frame: pd.DataFrame, corrections: Sequence[Correction]) -> pd.DataFrame:
    """A copy of a table, or of some of its columns, in which these corrections are made; each must fit it.

    A column of whole numbers or truth values that gets a missing value becomes one that may have them.
    """
    copy = frame.copy(deep=False)
    for column, of_column in groupby(sorted(corrections, key=lambda one: one.column), key=lambda one: one.column):
        values, changes = frame[column].copy(), list(of_column)
        if any(one.new is None for one in changes) and (wider := wider_dtype(values)):
            values = values.astype(wider)
        for one in changes:
            values.iloc[one.position] = value_of(one.new, one.kind)
        copy[column] = values
    return copy


def wider_dtype(values: pd.Series) -> str:
    """The dtype in which the column may have missing values; "" when its own is one."""
    numpy_kind = getattr(values.dtype, "kind", "") if not pd.api.types.is_extension_array_dtype(values.dtype) else ""
    return {"i": "Int64", "u": "UInt64", "b": "boolean"}.get(numpy_kind, "")


class CorrectedTables(Catalog):
    """The tables of `catalog`, some of them as corrected copies.

    Raises: TableUnreadable when the copy of one would take more than `most_bytes`.
    """

    def __init__(self, catalog: Catalog, corrections: Sequence[Correction], *, most_bytes: int) -> None:
        self._catalog = catalog
        by_table = _by_table(corrections).items()
        super().__init__(given={name: corrected(_whole(catalog, name, most_bytes), some) for name, some in by_table})
        self.cache = catalog.cache

    def names(self) -> list[str]:
        """Every table's name, sorted."""
        return self._catalog.names()

    def _found(self, name: str) -> Source:
        return self._given[name] if name in self._given else self._catalog.source(name)


def pandas_lines(corrections: Sequence[Correction]) -> str:
    """Lines of pandas that make these corrections in frames that are called like their tables, in the tables' order.

    A row that is not what it was when it was corrected raises, and nothing after it is done.
    """
    return "\n".join(["import datetime, decimal", "import pandas as pd", "", *_lines(corrections), ""])


def _lines(corrections: Sequence[Correction]) -> Iterator[str]:
    by_row: dict[tuple[str, int], list[Correction]] = {}
    for one in corrections:
        by_row.setdefault((one.table, one.position), []).append(one)
    for (table, position), of_row in by_row.items():
        name = table if table.isidentifier() else f"tables[{table!r}]"
        # All values are looked at before the first is set: without a key they are what the row is known by.
        known = {column: value for one in of_row for column, value in [*one.row.items(), (one.column, one.old)]}
        tests = " and ".join(_test(f"{name}[{column!r}].iloc[{position}]", value) for column, value in known.items())
        yield f"if not ({tests}):"
        yield f"    raise ValueError({f'{table}, row {position}: it moved or changed since it was corrected'!r})"
        for one in of_row:
            if one.new is None and one.kind in _NULLABLE:
                yield f"{name}[{one.column!r}] = {name}[{one.column!r}].astype({_NULLABLE[one.kind]!r})"
            yield f"{name}.iloc[{position}, {name}.columns.get_loc({one.column!r})] = {_literal(one)}"


_NULLABLE: Mapping[str, str] = {"integer": "Int64", "boolean": "boolean"}


def _test(place: str, value: object) -> str:
    if value is None:
        return f"pd.isna({place})"
    return f"str({place}) == {value!r}" if isinstance(value, str) else f"{place} == {value!r}"


def _literal(one: Correction) -> str:
    if one.new is None:
        return "None"
    written = {
        "datetime": f"pd.Timestamp({one.new!r})",
        "duration": f"pd.Timedelta({one.new!r})",
        "date": f"datetime.date.fromisoformat({one.new!r})",
        "decimal": f"decimal.Decimal({one.new!r})",
    }
    return written.get(one.kind, repr(one.new))


def _whole(catalog: Catalog, name: str, most_bytes: int) -> pd.DataFrame:
    """A table in memory, typed as the table itself says."""
    rows, columns = row_count(catalog, name), catalog.schema(name).columns
    if rows * len(columns) * _VALUE_BYTES > most_bytes:
        raise TableUnreadable(
            f'a copy of table "{name}" would not fit into {most_bytes:,} bytes (memory_bytes), so nothing is tried'
        )
    if not isinstance(catalog.source(name), FrameTable):
        return catalog.frame(name)
    # The notebook's own frame, whose types the checks were compiled for.
    frame = catalog.rows(name, range(rows)).reset_index(drop=True)
    return frame.set_axis(frame.columns.map(str), axis=1)


def _by_table(corrections: Sequence[Correction]) -> dict[str, list[Correction]]:
    found: dict[str, list[Correction]] = {}
    for one in corrections:
        found.setdefault(one.table, []).append(one)
    return found
