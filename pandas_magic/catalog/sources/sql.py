"""Tables, views and queries of SQL databases, by SQLAlchemy addresses. Only reads, only the columns asked for."""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pandas as pd
import pyarrow as pa

from pandas_magic.catalog.arrow import describe_arrow, frame_from_arrow
from pandas_magic.catalog.cache.columnar import ColumnarCache, key_of, write_arrow
from pandas_magic.catalog.formats.opening import parts_of
from pandas_magic.catalog.sources import adbc
from pandas_magic.catalog.sources.addresses import Location, Source
from pandas_magic.catalog.sources.file_table import BATCH_ROWS
from pandas_magic.catalog.sources.folder import file_source
from pandas_magic.catalog.sources.sql_cells import arrow_table
from pandas_magic.catalog.sources.sql_refusals import what_is_missing, what_is_wrong
from pandas_magic.catalog.sources.sql_versions import version_of
from pandas_magic.catalog.table import Table
from pandas_magic.errors import TableUnreadable

if TYPE_CHECKING:
    from sqlalchemy import Connection, Engine, FromClause, Select

_FETCHED_ROWS = 50_000
# A description is taken again when it is older: a table may have changed since, and nothing tells.
_FRESH_SECONDS = 5.0
# Tables with more rows are not counted, and which values occur in them is not looked up: both read every row.
_MOST_COUNTED_ROWS = 1_000_000
_SAMPLE_ROWS = 1_000
_MAX_VALUES = 50
_KEYS_AT_ONCE = 500


def open_tables(name: str, location: Location, cache: ColumnarCache | None) -> Mapping[str, Source]:
    """The table or query that the location names as `name`; or every table and view, as `name_table`.

    Raises: TableUnreadable when the database cannot be reached; ImportError's pip line when its driver is missing.
    """
    if location.uri.startswith("duckdb:"):
        return _duckdb_tables(name, location, cache)
    database = Database(location.uri)
    if location.query:
        return {name: SqlTable(name, database, _query(location.query))}
    if location.table:
        return {name: SqlTable(name, database, _named(database, location.table), location.table, cache)}
    return {
        f"{name}_{table}": SqlTable(f"{name}_{table}", database, _named(database, table), table, cache)
        for table in database.table_names()
    }


class Database:
    """A database, connected to on first use, in transactions that may only read."""

    def __init__(self, uri: str) -> None:
        self._uri = uri
        self._engine: Engine | None = None

    @property
    def address(self) -> str:
        """Where it is, without the password."""
        return str(self._connectable().url.render_as_string(hide_password=True))

    def table_names(self) -> list[str]:
        """Its tables and views, sorted."""
        from sqlalchemy import inspect

        with self.connected() as connection:
            inspector = inspect(connection)
            return sorted({*inspector.get_table_names(), *inspector.get_view_names()})

    @contextmanager
    def connected(self) -> "Iterator[Connection]":
        """A connection; whatever the database refuses is said in one line, without credentials."""
        from sqlalchemy.exc import NoSuchTableError, SQLAlchemyError

        engine = self._connectable()
        try:
            with engine.connect() as connection:
                yield connection
        except NoSuchTableError as error:
            raise TableUnreadable(f'{self.address} has no table "{error}"; it may have been dropped') from error
        except SQLAlchemyError as error:
            raise TableUnreadable(f"{self.address} cannot be read: {self._said(error)}") from error

    def _connectable(self) -> "Engine":
        if self._engine is None:
            try:
                from sqlalchemy.exc import SQLAlchemyError

                self._engine = _engine(self._uri)
            except ImportError as error:
                raise TableUnreadable(what_is_missing(self._uri, str(error.name))) from error
            except (ValueError, TypeError, SQLAlchemyError) as error:
                # Whatever SQLAlchemy finds in an address; its words may hold a part of the password.
                raise TableUnreadable(what_is_wrong(self._uri, error)) from None
        return self._engine

    def _said(self, error: Exception) -> str:
        text = str(getattr(error, "orig", None) or error).strip()
        first = text.splitlines()[0] if text else type(error).__name__
        password = self._connectable().url.password
        return first.replace(str(password), "***") if password else first


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
        """The rows, all columns or those named, on a RangeIndex, in no particular order."""
        with self.database.connected() as connection:
            key = _primary_key(connection, self.table)
            wanted = None if columns is None or not key else [*columns, *(name for name in key if name not in columns)]
            whole = frame_from_arrow(self._columns(connection, wanted))
        if key:
            self._keys, self._held = (key, list(whole[list(key)].itertuples(index=False, name=None))), None
        else:
            self._held, self._keys = whole, None
        return whole if columns is None else whole[list(columns)]

    def _columns(self, connection: "Connection", wanted: list[str] | None) -> pa.Table:
        """The columns, from the cache where the database tells that the table has not changed since they were read."""
        version = version_of(connection, self.table, partial(_first_row, connection)) if self.cache is not None else ""
        place = key_of("sql", self.database.address, self.table, wanted)
        kept = self.cache.columns(place, version) if self.cache is not None and version else None
        if kept is not None:
            return kept
        source = self.select_from(connection)
        table = _at_once(connection, source, self.table, wanted)
        if table is None:
            table = pa.concat_tables(_batches(connection, source, wanted), promote_options="permissive")
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
        wanted = [values[position] for position in positions]
        with self.database.connected() as connection:
            source = self.select_from(connection)
            found = [batch for some in _chunks(wanted) for batch in _batches(connection, source, None, key, some)]
        frame = (
            frame_from_arrow(pa.concat_tables(found, promote_options="permissive")) if found else self.frame().head(0)
        )
        at = {row: number for number, row in enumerate(frame[list(key)].itertuples(index=False, name=None))}
        gone = [row for row in wanted if row not in at]
        if gone:
            raise TableUnreadable(f"{self.name} changed while it was checked: row {gone[0]} is gone; run it again")
        return frame.iloc[[at[row] for row in wanted]].set_axis(pd.Index(list(positions)), axis=0)

    def batches(self, columns: Sequence[str], *, rows: int = BATCH_ROWS) -> Iterator[pa.Table]:
        """The rows, some at a time, as the database sends them; at least one batch, which may be empty."""
        with self.database.connected() as connection:
            yield from _batches(connection, self.select_from(connection), list(columns), most_rows=rows)

    def _describe(self, connection: "Connection") -> Table:
        from sqlalchemy import func, select

        source = self.select_from(connection)
        sample = pa.concat_tables(_batches(connection, source, None, limit=_SAMPLE_ROWS), promote_options="permissive")
        some = select(source).limit(_MOST_COUNTED_ROWS + 1).subquery()
        count = int(connection.execute(select(func.count()).select_from(some)).scalar_one())
        described = describe_arrow(self.name, sample)
        is_small = count <= _MOST_COUNTED_ROWS
        texts = [name for name, dtype in described.columns.items() if dtype in ("str", "string")]
        key = _primary_key(connection, self.table)
        notes = () if is_small else ("large: rows were not counted, values were not looked up",)
        return described.model_copy(
            update={
                "values": {name: seen for name in texts if (seen := _values(connection, source, name))}
                if is_small
                else {},
                "keys": key if len(key) == 1 else (),
                "missing": {},
                "row_count": count if is_small else None,
                "notes": notes,
                "origin": f"{self.database.address} {self.table}".strip(),
            }
        )


def _engine(uri: str) -> "Engine":
    from sqlalchemy import create_engine, make_url
    from sqlalchemy.pool import NullPool

    url = make_url(uri)
    if url.drivername == "postgresql":
        url = url.set(drivername="postgresql+psycopg")
    readonly = {"options": "-c default_transaction_read_only=on"} if url.drivername.startswith("postgresql") else {}
    # No pool: a notebook stays open for days, and a connection that nobody uses is one that others lack.
    return create_engine(url, connect_args=readonly, poolclass=NullPool)


def _named(database: Database, table: str) -> "Callable[[Connection], FromClause]":
    def reflected(connection: "Connection") -> "FromClause":
        from sqlalchemy import MetaData
        from sqlalchemy import Table as SqlAlchemyTable

        schema, _, name = table.rpartition(".")
        return SqlAlchemyTable(name, MetaData(), schema=schema or None, autoload_with=connection)

    return reflected


def _query(query: str) -> "Callable[[Connection], FromClause]":
    def selected(connection: "Connection") -> "FromClause":
        from sqlalchemy import column, text

        plain = text(query.rstrip().rstrip(";"))
        names = connection.execute(plain).keys()
        return plain.columns(*(column(name) for name in names)).subquery("asked")

    return selected


def _primary_key(connection: "Connection", table: str) -> tuple[str, ...]:
    from sqlalchemy import inspect

    if not table:
        return ()
    schema, _, name = table.rpartition(".")
    return tuple(inspect(connection).get_pk_constraint(name, schema=schema or None)["constrained_columns"])


def _at_once(connection: "Connection", source: "FromClause", table: str, names: list[str] | None) -> pa.Table | None:
    """The columns by the faster reader; None for what it does not read, or not alike."""
    from sqlalchemy import text

    if not table or connection.dialect.name != "postgresql":
        return None
    types = {name: type(source.c[name].type).__name__ for name in (source.c.keys() if names is None else names)}
    address = connection.engine.url.set(drivername="postgresql").render_as_string(hide_password=False)
    zone = str(connection.execute(text("SHOW TimeZone")).scalar_one())
    return adbc.columns_of(address, table, types, zone)


def _batches(
    connection: "Connection",
    source: "FromClause",
    columns: Sequence[str] | None,
    key: Sequence[str] = (),
    among: Sequence[tuple[Any, ...]] = (),
    *,
    limit: int | None = None,
    most_rows: int = _FETCHED_ROWS,
) -> Iterator[pa.Table]:
    from sqlalchemy import select, tuple_

    names = list(columns) if columns is not None else list(source.c.keys())
    asked: Select[Any] = select(*(source.c[name] for name in names)).select_from(source).limit(limit)
    if key:
        asked = asked.where(tuple_(*(source.c[name] for name in key)).in_(among))
    result = connection.execution_options(stream_results=True).execute(asked)
    rows = result.fetchmany(most_rows)
    yield arrow_table(names, rows)
    while rows := result.fetchmany(most_rows):
        yield arrow_table(names, rows)


def _values(connection: "Connection", source: "FromClause", name: str) -> tuple[str, ...]:
    from sqlalchemy import select

    some = select(source.c[name]).distinct().limit(_MAX_VALUES + 2)
    seen = [value for (value,) in connection.execute(some) if value is not None]
    return tuple(sorted(map(str, seen))) if len(seen) <= _MAX_VALUES else ()


def _first_row(connection: "Connection", statement: str, values: dict[str, str]) -> Sequence[Any] | None:
    """The first row that a statement finds; None when there is none, or it is refused or not known there."""
    from sqlalchemy import text
    from sqlalchemy.exc import SQLAlchemyError

    try:
        with connection.begin_nested():
            return connection.execute(text(statement), values).first()
    except SQLAlchemyError:
        return None


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
