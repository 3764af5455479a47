"""DuckDB files: tables and views of every schema, opened read-only."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from pandas_magic.catalog.readers import LoadedRows, ReadOptions

if TYPE_CHECKING:
    import duckdb


def parts(path: Path) -> list[str]:
    """The tables and views, in alphabetical order; those outside `main` with their schema before a dot."""
    with _opened(path) as database:
        rows = database.execute("SELECT table_schema, table_name FROM information_schema.tables ORDER BY 1, 2")
        return [name if schema == "main" else f"{schema}.{name}" for schema, name in rows.fetchall()]


def read(path: Path, options: ReadOptions, part: str = "") -> LoadedRows:
    """One table or view; without a name, the first."""
    with _opened(path) as database:
        name = part or next(iter(parts(path)), "")
        quoted = ".".join(f'"{step}"' for step in (name.split(".", 1) if "." in name else ["main", name]))
        return LoadedRows(database.sql(f"SELECT * FROM {quoted}").to_arrow_table())


@contextmanager
def _opened(path: Path) -> "Iterator[duckdb.DuckDBPyConnection]":
    import duckdb

    try:
        # A database file could otherwise make the reader fetch other files.
        with duckdb.connect(str(path), read_only=True, config={"enable_external_access": "false"}) as database:
            yield database
    except duckdb.Error as error:
        raise ValueError(str(error).split("\n", 1)[0]) from error
