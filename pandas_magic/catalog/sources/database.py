"""A database by its SQLAlchemy address, and what is asked of it: nothing but reads, only the columns wanted."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from pandas_magic.catalog.sources import adbc
from pandas_magic.catalog.sources.sql_cells import arrow_table
from pandas_magic.catalog.sources.sql_refusals import what_is_missing, what_is_wrong
from pandas_magic.errors import TableUnreadable

if TYPE_CHECKING:
    from sqlalchemy import Connection, Engine, FromClause, Select

_FETCHED_ROWS = 50_000
_MOST_DIGITS = 38  # of a decimal of Arrow
_MAX_VALUES = 50


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


def _engine(uri: str) -> "Engine":
    from sqlalchemy import create_engine, make_url
    from sqlalchemy.pool import NullPool

    url = make_url(uri)
    if url.drivername == "postgresql":
        url = url.set(drivername="postgresql+psycopg")
    readonly = {"options": "-c default_transaction_read_only=on"} if url.drivername.startswith("postgresql") else {}
    # No pool: a notebook stays open for days, and a connection that nobody uses is one that others lack.
    return create_engine(url, connect_args=readonly, poolclass=NullPool)


def named_table(table: str) -> "Callable[[Connection], FromClause]":
    """What selects a table or view, `schema.name` or `name`."""

    def reflected(connection: "Connection") -> "FromClause":
        from sqlalchemy import MetaData
        from sqlalchemy import Table as SqlAlchemyTable

        schema, _, name = table.rpartition(".")
        return SqlAlchemyTable(name, MetaData(), schema=schema or None, autoload_with=connection)

    return reflected


def query_result(query: str) -> "Callable[[Connection], FromClause]":
    """What selects the rows of a query."""

    def selected(connection: "Connection") -> "FromClause":
        from sqlalchemy import column, text

        plain = text(query.rstrip().rstrip(";"))
        names = connection.execute(plain).keys()
        return plain.columns(*(column(name) for name in names)).subquery("asked")

    return selected


def primary_key(connection: "Connection", table: str) -> tuple[str, ...]:
    """The columns of a table's primary key; none of a query, or where none is declared."""
    from sqlalchemy import inspect

    if not table:
        return ()
    schema, _, name = table.rpartition(".")
    return tuple(inspect(connection).get_pk_constraint(name, schema=schema or None)["constrained_columns"])


def batches_of(
    connection: "Connection",
    source: "FromClause",
    columns: Sequence[str] | None = None,
    *,
    key: Sequence[str] = (),
    among: Sequence[tuple[Any, ...]] = (),
    limit: int | None = None,
    most_rows: int = _FETCHED_ROWS,
) -> Iterator[pa.Table]:
    """The rows, some at a time, of a `key` only those `among` these; at least one batch, which may be empty."""
    from sqlalchemy import select, tuple_

    names = list(columns) if columns is not None else list(source.c.keys())
    asked: Select[Any] = select(*(source.c[name] for name in names)).select_from(source).limit(limit)
    if key:
        asked = asked.where(tuple_(*(source.c[name] for name in key)).in_(among))
    result = connection.execution_options(stream_results=True).execute(asked)
    rows, declared = result.fetchmany(most_rows), _declared_decimals(source)
    yield arrow_table(names, rows, declared)
    while rows := result.fetchmany(most_rows):
        yield arrow_table(names, rows, declared)


def _declared_decimals(source: "FromClause") -> dict[str, pa.DataType]:
    """The columns declared as decimals of so many digits: the values of a few rows would tell of fewer."""
    from sqlalchemy import Float, Numeric

    exact = {
        column.name: (column.type.precision, column.type.scale)
        for column in source.c
        if isinstance(column.type, Numeric) and not isinstance(column.type, Float)
    }
    return {
        name: pa.decimal128(digits, places)
        for name, (digits, places) in exact.items()
        if digits is not None and places is not None and digits <= _MOST_DIGITS
    }


def texts_in(connection: "Connection", source: "FromClause", name: str) -> tuple[str, ...]:
    """The values of a column as texts, sorted; none where they are many."""
    from sqlalchemy import select

    some = select(source.c[name]).distinct().limit(_MAX_VALUES + 2)
    seen = [value for (value,) in connection.execute(some) if value is not None]
    return tuple(sorted(map(str, seen))) if len(seen) <= _MAX_VALUES else ()


def first_row(connection: "Connection", statement: str, values: dict[str, str]) -> Sequence[Any] | None:
    """The first row that a statement finds; None when there is none, or it is refused or not known there."""
    from sqlalchemy import text
    from sqlalchemy.exc import SQLAlchemyError

    try:
        with connection.begin_nested():
            return connection.execute(text(statement), values).first()
    except SQLAlchemyError:
        return None


def columns_at_once(
    connection: "Connection", source: "FromClause", table: str, names: list[str] | None
) -> pa.Table | None:
    """The columns by the faster reader; None for what it does not read, or not alike."""
    from sqlalchemy import text

    if not table or connection.dialect.name != "postgresql":
        return None
    types = {name: type(source.c[name].type).__name__ for name in (source.c.keys() if names is None else names)}
    address = connection.engine.url.set(drivername="postgresql").render_as_string(hide_password=False)
    zone = str(connection.execute(text("SHOW TimeZone")).scalar_one())
    return adbc.columns_of(address, table, types, zone)


def row_count(connection: "Connection", source: "FromClause", *, at_most: int) -> int:
    """How many rows there are, counted no further than `at_most`."""
    from sqlalchemy import func, select

    some = select(source).limit(at_most).subquery()
    return int(connection.execute(select(func.count()).select_from(some)).scalar_one())
