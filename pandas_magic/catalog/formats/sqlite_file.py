"""SQLite files: tables and views, opened read-only."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pandas as pd

from pandas_magic.catalog.reading import Reading, ReadOptions


def parts(path: Path) -> list[str]:
    """The tables and views, in alphabetical order."""
    with _opened(path) as database:
        kinds = "SELECT name FROM sqlite_master WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite_%' ORDER BY 1"
        return [name for (name,) in database.execute(kinds)]


def read(path: Path, options: ReadOptions, part: str = "") -> Reading:
    """One table or view; without a name, the first."""
    with _opened(path) as database:
        name = part or next(iter(parts(path)), "")
        quoted = name.replace('"', '""')
        cursor = database.execute(f'SELECT * FROM "{quoted}"')
        columns = [column for column, *_ in cursor.description]
        kinds = {row[1]: str(row[2]).upper() for row in database.execute(f'PRAGMA table_info("{quoted}")')}
        frame = pd.DataFrame.from_records(cursor.fetchall(), columns=columns)
    dates = [column for column in columns if kinds.get(column, "").startswith(("DATE", "TIMESTAMP"))]
    # SQLite has no dates; a column that is declared as one holds texts, which stay when they are not all dates.
    for column in dates:
        parsed = pd.to_datetime(frame[column], format="ISO8601", errors="coerce")
        if not (parsed.isna() & frame[column].notna()).any():
            frame[column] = parsed
    return Reading(frame)


@contextmanager
def _opened(path: Path) -> Iterator[sqlite3.Connection]:
    try:
        with closing(sqlite3.connect(f"file:{path.resolve()}?mode=ro", uri=True)) as database:
            yield database
    except sqlite3.Error as error:
        raise ValueError(str(error)) from error
