"""Small tables into an engine, a SELECT, what it found: DuckDB, SQLite, PostgreSQL, Spark."""

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from typing import Any, Protocol

import pandas as pd
import pyarrow as pa

from pandas_magic.checking.engines.confined_duckdb import TablesInDuckDb, arrow_column
from pandas_magic.checking.engines.dialect import EngineDialect
from pandas_magic.checking.engines.dialects import DUCKDB, POSTGRES, SPARK, SQLITE
from pandas_magic.checking.engines.writing import POSITION

Frames = Mapping[str, pd.DataFrame]
Columns = Mapping[str, Sequence[str]]


class EngineAtHand(Protocol):
    """An engine that runs a SELECT on frames."""

    dialect: EngineDialect
    raises: tuple[type[Exception], ...]  # what says that it will not answer

    def found(self, select: str, frames: Frames, columns: Columns) -> tuple[list[int], int]:
        """The positions found, ascending, and how many rows were left open."""
        ...


class DuckDbAtHand:
    """DuckDB as it runs in the kernel."""

    def __init__(self) -> None:
        import duckdb

        self.dialect, self.raises = DUCKDB, (duckdb.Error, ValueError)
        self._tables = TablesInDuckDb(POSITION, memory_bytes=10**9, threads=1, spill="")

    def found(self, select: str, frames: Frames, columns: Columns) -> tuple[list[int], int]:
        positions, left_open = self._tables.found(select, frames, columns)
        return positions.tolist(), left_open


class SqliteAtHand:
    """SQLite in memory."""

    dialect, raises = SQLITE, (sqlite3.Error, ValueError)

    def found(self, select: str, frames: Frames, columns: Columns) -> tuple[list[int], int]:
        with closing(sqlite3.connect(":memory:")) as database:
            for name, table in _tables(frames, columns):
                kinds = ", ".join(f"{SQLITE.quote(field.name)} {_sqlite_type(field.type)}" for field in table.schema)
                database.execute(f"CREATE TABLE {SQLITE.quote(name)} ({kinds})")
                places = ", ".join("?" * table.num_columns)
                rows = zip(*(column.to_pylist() for column in table.columns), strict=True)
                database.executemany(f"INSERT INTO {SQLITE.quote(name)} VALUES ({places})", rows)
            return sorted_out(database.execute(select).fetchall())


class PostgresAtHand:
    """A PostgreSQL server, in tables that last as long as the connection."""

    def __init__(self, connection: Any, *, collation: str = "") -> None:
        import psycopg

        self.dialect, self.raises = POSTGRES, (psycopg.Error, ValueError)
        self._connection, self._text = connection, f"text COLLATE {collation}" if collation else "text"
        connection.execute("SET TimeZone = 'UTC'")

    def found(self, select: str, frames: Frames, columns: Columns) -> tuple[list[int], int]:
        for name, table in _tables(frames, columns):
            quoted = POSTGRES.quote(name)
            kinds = ", ".join(f"{POSTGRES.quote(field.name)} {self._type(field.type)}" for field in table.schema)
            self._connection.execute(f"DROP TABLE IF EXISTS {quoted}; CREATE TEMP TABLE {quoted} ({kinds})")
            with self._connection.cursor() as cursor, cursor.copy(f"COPY {quoted} FROM STDIN") as copy:
                for row in zip(*(column.to_pylist() for column in table.columns), strict=True):
                    copy.write_row(row)
        return sorted_out(self._connection.execute(select).fetchall())

    def _type(self, kind: pa.DataType) -> str:
        if pa.types.is_timestamp(kind):
            return "timestamptz" if kind.tz else "timestamp"
        known = [(pa.types.is_boolean, "boolean"), (pa.types.is_integer, "bigint"), (pa.types.is_floating, "float8")]
        return next((name for is_kind, name in known if is_kind(kind)), self._text)


class SparkAtHand:
    """Spark in a Java of this process, its tables as views of values: rows of Python would cost a job each."""

    def __init__(self, session: Any) -> None:
        from py4j.protocol import Py4JJavaError
        from pyspark.errors import PySparkException

        # What a row raises comes wrapped or not, by the stage that it is raised in.
        self.dialect, self.raises = SPARK, (PySparkException, Py4JJavaError, ValueError)
        self._session = session

    def found(self, select: str, frames: Frames, columns: Columns) -> tuple[list[int], int]:
        for name, table in _tables(frames, columns):
            kinds = {field.name: _spark_type(field.type) for field in table.schema}
            rows = zip(*(column.to_pylist() for column in table.columns), strict=True)
            values = [", ".join(map(_spark_value, row, kinds.values())) for row in rows]
            named = ", ".join(map(SPARK.quote, kinds))
            nothing = ", ".join(f"CAST(NULL AS {kind})" for kind in kinds.values())
            told = f"VALUES {', '.join(f'({row})' for row in values or [nothing])} AS q({named})"
            view = f"CREATE OR REPLACE TEMP VIEW {SPARK.quote(name)} AS SELECT * FROM {told}"
            self._session.sql(view if values else f"{view} WHERE false")
        return sorted_out(self._session.sql(select).collect())


def _spark_type(kind: pa.DataType) -> str:
    if pa.types.is_timestamp(kind):
        return "TIMESTAMP" if kind.tz else "TIMESTAMP_NTZ"
    known = [(pa.types.is_boolean, "BOOLEAN"), (pa.types.is_integer, "BIGINT"), (pa.types.is_floating, "DOUBLE")]
    return next((name for is_kind, name in known if is_kind(kind)), "STRING")


def _spark_value(value: Any, kind: str) -> str:
    if value is None:
        return f"CAST(NULL AS {kind})"
    if kind.startswith("TIMESTAMP"):
        return f"{kind} '{value.isoformat(sep=' ')}'"
    return SPARK.text(value) if kind == "STRING" else f"CAST('{value}' AS {kind})"


def _tables(frames: Frames, columns: Columns) -> Iterator[tuple[str, pa.Table]]:
    for name, frame in frames.items():
        held = {column: arrow_column(frame[column]) for column in columns[name]}
        yield name, pa.table({**held, POSITION: pa.array(range(len(frame)), pa.int64())})


def _sqlite_type(kind: pa.DataType) -> str:
    if pa.types.is_integer(kind) or pa.types.is_boolean(kind):
        return "INTEGER"
    return "REAL" if pa.types.is_floating(kind) else "TEXT"


def sorted_out(rows: Sequence[Sequence[Any]]) -> tuple[list[int], int]:
    """What the rows of a SELECT say: positions, ascending, and how many rows were left open."""
    return sorted(int(row[0]) for row in rows if row[0] is not None), sum(int(row[1]) for row in rows)
