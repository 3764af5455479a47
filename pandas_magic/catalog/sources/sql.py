"""Tables, views and queries of SQL databases, by SQLAlchemy addresses. Only reads, only the columns asked for."""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pandas as pd
import pyarrow as pa

from pandas_magic.catalog.arrow import describe_arrow, frame_from_arrow
from pandas_magic.catalog.cache.columnar import ColumnarCache, key_of, write_arrow
from pandas_magic.catalog.formats.opening import parts_of
from pandas_magic.catalog.sources.addresses import Location, Source
from pandas_magic.catalog.sources.database import (
    Database,
    batches_of,
    columns_at_once,
    first_row,
    named_table,
    primary_key,
    query_result,
    row_count,
    texts_in,
)
from pandas_magic.catalog.sources.file_table import BATCH_ROWS
from pandas_magic.catalog.sources.folder import file_source
from pandas_magic.catalog.sources.sql_versions import version_of
from pandas_magic.catalog.table import Table
from pandas_magic.errors import TableUnreadable

if TYPE_CHECKING:
    from sqlalchemy import Connection, FromClause

# A description is taken again when it is older: a table may have changed since, and nothing tells.
_FRESH_SECONDS = 5.0
# Tables with more rows are not counted, and which values occur in them is not looked up: both read every row.
_MOST_COUNTED_ROWS = 1_000_000
_SAMPLE_ROWS = 1_000
_KEYS_AT_ONCE = 500


def open_tables(name: str, location: Location, cache: ColumnarCache | None) -> Mapping[str, Source]:
    """The table or query that the location names as `name`; or every table and view, as `name_table`.

    Raises: TableUnreadable when the database cannot be reached; ImportError's pip line when its driver is missing.
    """
    if location.uri.startswith("duckdb:"):
        return _duckdb_tables(name, location, cache)
    database = Database(location.uri)
    if location.query:
        return {name: SqlTable(name, database, query_result(location.query))}
    if location.table:
        return {name: SqlTable(name, database, named_table(location.table), location.table, cache)}
    return {
        f"{name}_{table}": SqlTable(f"{name}_{table}", database, named_table(table), table, cache)
        for table in database.table_names()
    }


@dataclass
class SqlTable:
    """A table, view or query as a table. It is read anew each time, but where its database tells that nothing changed.

    After `frame`, `rows` gives rows of that very read: they are found again by the primary key, or were all read.
    """

    name: str
    database: Database
    select_from: "Callable[[Connection], FromClause]"
    table: str = ""  # "": a query
    cache: ColumnarCache | None = None
    _described: tuple[float, Table] | None = None
    _keys: tuple[tuple[str, ...], list[tuple[Any, ...]]] | None = None  # the primary key's columns, and each row's key
    _held: pd.DataFrame | None = None

    def identity(self) -> str:
        """Nothing tells what a table held: where a version is known, it is that of the whole database."""
        return ""

    def schema(self) -> Table:
        """Names and types as they come back; keys as declared; values and count for tables that are not too large."""
        if self._described is None or time.monotonic() - self._described[0] > _FRESH_SECONDS:
            with self.database.connected() as connection:
                self._described = (time.monotonic(), self._describe(connection))
        return self._described[1]

    def frame(self, columns: Sequence[str] | None = None) -> pd.DataFrame:
        """The rows, all columns or those named, on a RangeIndex: by the primary key, else in no particular order."""
        with self.database.connected() as connection:
            key = primary_key(connection, self.table)
            wanted = None if columns is None or not key else [*columns, *(name for name in key if name not in columns)]
            whole = frame_from_arrow(self._columns(connection, wanted, key))
        if key:
            self._keys, self._held = (key, list(whole[list(key)].itertuples(index=False, name=None))), None
        else:
            self._held, self._keys = whole, None
        return whole if columns is None else whole[list(columns)]

    def _columns(self, connection: "Connection", wanted: list[str] | None, order: tuple[str, ...]) -> pa.Table:
        """The columns, from the cache where the database tells that the table has not changed since they were read."""
        version = version_of(connection, self.table, partial(first_row, connection)) if self.cache is not None else ""
        place = key_of("sql", self.database.address, self.table, [wanted, order])
        kept = self.cache.columns(place, version) if self.cache is not None and version else None
        if kept is not None:
            return kept
        source = self.select_from(connection)
        table = columns_at_once(connection, source, self.table, wanted, order=order)
        if table is None:
            table = pa.concat_tables(batches_of(connection, source, wanted, order=order), promote_options="permissive")
        if self.cache is not None and version:
            self.cache.keep(place, version, lambda sink: write_arrow(sink, table))
        return table

    def rows(self, positions: Sequence[int]) -> pd.DataFrame:
        """Whole rows by their position in the last read.

        Raises: TableUnreadable when a row is no longer there.
        """
        if self._held is None and self._keys is None:
            self.frame()
        if self._held is not None:
            return self._held.iloc[list(positions)]
        assert self._keys is not None
        key, values = self._keys
        with self.database.connected() as connection:
            frame = self._rows_of_keys(connection, key, [values[position] for position in positions])
        return frame.set_axis(pd.Index(list(positions)), axis=0)

    def primary_key(self) -> tuple[str, ...]:
        """The columns by which its rows are ordered; none where it has no primary key. Raises: TableUnreadable."""
        with self.database.connected() as connection:
            return primary_key(connection, self.table)

    def rows_of_keys(self, connection: "Connection", key: str, values: Sequence[Any]) -> pd.DataFrame:
        """Whole rows by the values of a primary key of one column, in their order. Raises: TableUnreadable."""
        return self._rows_of_keys(connection, (key,), [(value,) for value in values])

    def _rows_of_keys(
        self, connection: "Connection", key: tuple[str, ...], wanted: Sequence[tuple[Any, ...]]
    ) -> pd.DataFrame:
        source = self.select_from(connection)
        found = [batch for some in _chunks(wanted) for batch in batches_of(connection, source, key=key, among=some)]
        found = found or list(batches_of(connection, source, limit=0))
        frame = frame_from_arrow(pa.concat_tables(found, promote_options="permissive"))
        at = {row: number for number, row in enumerate(frame[list(key)].itertuples(index=False, name=None))}
        gone = [row for row in wanted if row not in at]
        if gone:
            raise TableUnreadable(f"{self.name} changed while it was checked: row {gone[0]} is gone; run it again")
        return frame.iloc[[at[row] for row in wanted]]

    def batches(self, columns: Sequence[str], *, rows: int = BATCH_ROWS) -> Iterator[pa.Table]:
        """The rows in the order of `frame`, some at a time; at least one batch, which may be empty."""
        with self.database.connected() as connection:
            source, order = self.select_from(connection), primary_key(connection, self.table)
            yield from batches_of(connection, source, list(columns), order=order, most_rows=rows)

    def _describe(self, connection: "Connection") -> Table:
        source = self.select_from(connection)
        sample = pa.concat_tables(batches_of(connection, source, limit=_SAMPLE_ROWS), promote_options="permissive")
        count = row_count(connection, source, at_most=_MOST_COUNTED_ROWS + 1)
        described = describe_arrow(self.name, sample)
        is_small = count <= _MOST_COUNTED_ROWS
        texts = [name for name, dtype in described.columns.items() if dtype in ("str", "string")]
        key = primary_key(connection, self.table)
        notes = () if is_small else ("large: rows were not counted, values were not looked up",)
        return described.model_copy(
            update={
                "values": {name: seen for name in texts if (seen := texts_in(connection, source, name))}
                if is_small
                else {},
                "keys": key if len(key) == 1 else (),
                "missing": {},
                "row_count": count if is_small else None,
                "notes": notes,
                "origin": f"{self.database.address} {self.table}".strip(),
            }
        )


def _chunks(rows: Sequence[tuple[Any, ...]]) -> Iterator[Sequence[tuple[Any, ...]]]:
    for start in range(0, len(rows), _KEYS_AT_ONCE):
        yield rows[start : start + _KEYS_AT_ONCE]


def _duckdb_tables(name: str, location: Location, cache: ColumnarCache | None) -> Mapping[str, Source]:
    path = Path(location.uri.partition("://")[2].removeprefix("/"))
    if location.table:
        return {name: file_source(name, path, cache, location.read, part=location.table)}
    return {
        f"{name}_{part}": file_source(f"{name}_{part}", path, cache, location.read, part=part)
        for part in parts_of(path)
    }
