"""A database by its SQLAlchemy address, and what is asked of it: nothing but reads, only the columns wanted."""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from pandas_magic.catalog.sources import adbc
from pandas_magic.catalog.sources.sql_cells import arrow_table
from pandas_magic.catalog.sources.sql_refusals import is_gone, what_is_missing, what_is_wrong
from pandas_magic.errors import TableUnreadable

if TYPE_CHECKING:
    from sqlalchemy import Connection, Engine, ExceptionContext, FromClause, Select

_FETCHED_ROWS = 50_000
_MOST_DIGITS = 38  # of a decimal of Arrow
_MAX_VALUES = 50
_SNAPSHOT = {
    "postgresql": (
        "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY",
        "SET LOCAL statement_timeout = {milliseconds}",
        "SET LOCAL TimeZone = 'UTC'",
        "SET LOCAL standard_conforming_strings = on",
    ),
    "sqlite": ("PRAGMA query_only = ON", "BEGIN"),
}
_STEPS_BETWEEN_LOOKS = 10_000  # of SQLite's machine: a few milliseconds
_ENDED = "57014"  # what PostgreSQL calls a statement that was ended


class StatementRefused(Exception):
    """What a database said to a statement that it did not answer, while it can still be asked others."""


class StatementTooLong(Exception):
    """The time for a statement was over."""


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
        if is_gone(engine.url):
            raise TableUnreadable(f"{self.address} cannot be read: there is no such file")
        try:
            with engine.connect() as connection:
                yield connection
        except NoSuchTableError as error:
            raise TableUnreadable(f'{self.address} has no table "{error}"; it may have been dropped') from error
        except SQLAlchemyError as error:
            raise TableUnreadable(f"{self.address} cannot be read: {self._said(error)}") from error

    @contextmanager
    def snapshot(self, *, most_seconds: float) -> "Iterator[Connection]":
        """A connection that cannot write, on which every statement sees the same rows, in PostgreSQL or SQLite.

        A statement that takes longer is ended, as `rows_found` says. Raises: TableUnreadable.
        """
        with self.connected() as connection:
            if connection.dialect.name == "sqlite":
                _keep_time(connection, most_seconds)
            for statement in _SNAPSHOT.get(connection.dialect.name, ()):
                connection.exec_driver_sql(statement.format(milliseconds=max(1, round(most_seconds * 1000))))
            yield connection

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
    from sqlalchemy import create_engine, event, make_url
    from sqlalchemy.pool import NullPool

    url = make_url(uri)
    if url.drivername == "postgresql":
        url = url.set(drivername="postgresql+psycopg")
    readonly = {"options": "-c default_transaction_read_only=on"} if url.drivername.startswith("postgresql") else {}
    # No pool: a notebook stays open for days, and a connection that nobody uses is one that others lack.
    engine = create_engine(url, connect_args=readonly, poolclass=NullPool)
    event.listen(engine, "handle_error", _close_what_is_cut_off)
    return engine


def _close_what_is_cut_off(failed: "ExceptionContext") -> None:
    """Closes the cursor of a lost connection, which SQLAlchemy leaves open; the connection first, or it is asked."""
    if failed.is_disconnect and failed.connection is not None and failed.execution_context is not None:
        driver: Any = failed.connection.connection.driver_connection
        driver.close()
        failed.execution_context.cursor.close()


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
    order: Sequence[str] = (),
    limit: int | None = None,
    most_rows: int = _FETCHED_ROWS,
) -> Iterator[pa.Table]:
    """The rows, some at a time; at least one batch, which may be empty.

    In the `order` of these columns; of a `key` only those `among` these.
    """
    from sqlalchemy import select, tuple_

    names = list(columns) if columns is not None else list(source.c.keys())
    asked: Select[Any] = select(*(source.c[name] for name in names)).select_from(source).limit(limit)
    asked = asked.order_by(*(source.c[name] for name in order))
    if key:
        asked = asked.where(tuple_(*(source.c[name] for name in key)).in_(among))
    # Whoever wants no more rows closes what the driver still holds.
    with closing(connection.execution_options(stream_results=True).execute(asked)) as result:
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
    connection: "Connection", source: "FromClause", table: str, names: list[str] | None, *, order: Sequence[str] = ()
) -> pa.Table | None:
    """The columns by the faster reader, in the `order` of some; None for what it does not read, or not alike."""
    from sqlalchemy import text

    if not table or connection.dialect.name != "postgresql":
        return None
    types = {name: type(source.c[name].type).__name__ for name in (source.c.keys() if names is None else names)}
    address = connection.engine.url.set(drivername="postgresql").render_as_string(hide_password=False)
    zone = str(connection.execute(text("SHOW TimeZone")).scalar_one())
    return adbc.columns_of(address, table, types, zone, order=order)


def row_count(connection: "Connection", source: "FromClause", *, at_most: int) -> int:
    """How many rows there are, counted no further than `at_most`."""
    from sqlalchemy import func, select

    some = select(source).limit(at_most).subquery()
    return int(connection.execute(select(func.count()).select_from(some)).scalar_one())


def _keep_time(connection: "Connection", most_seconds: float) -> None:
    until = time.monotonic() + most_seconds
    driver: Any = connection.connection.driver_connection
    driver.set_progress_handler(lambda: int(time.monotonic() > until), _STEPS_BETWEEN_LOOKS)


def rows_found(connection: "Connection", statement: str) -> Sequence[Sequence[Any]]:
    """What a statement finds, taken as it stands.

    Raises: StatementRefused; StatementTooLong; and what SQLAlchemy raises where the database is gone.
    """
    from sqlalchemy.exc import DBAPIError

    try:
        return connection.execution_options(no_parameters=True).exec_driver_sql(statement).fetchall()
    except DBAPIError as error:
        if error.connection_invalidated:
            raise
        said = str(error.orig).splitlines()[0]
        is_ended = getattr(error.orig, "sqlstate", None) == _ENDED or said == "interrupted"
        raise StatementTooLong(said) if is_ended else StatementRefused(said) from error


def declared_types(connection: "Connection", table: str) -> dict[str, str]:
    """The types of a table's columns as the database writes them: "NUMERIC(10, 2)"; "" for one that is not known."""
    from sqlalchemy.exc import CompileError

    def written(column: Any) -> str:  # noqa: ANN401 - a column of SQLAlchemy
        try:
            return str(column.type.compile(connection.dialect)).upper()
        except CompileError:
            return ""

    return {column.name: written(column) for column in named_table(table)(connection).c}


def schema_of(connection: "Connection", table: str) -> tuple[str, str]:
    """The schema and the name of a table, `schema.name` or `name`."""
    from sqlalchemy import inspect

    schema, _, name = table.rpartition(".")
    return schema or str(inspect(connection).default_schema_name), name
