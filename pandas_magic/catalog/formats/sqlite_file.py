"""SQLite files: tables and views, opened read-only."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pandas as pd

from pandas_magic.catalog.formats.exact_numbers import with_exact_numbers
from pandas_magic.catalog.readers import LoadedRows, ReadOptions
from pandas_magic.catalog.text.offsets import moments_of
from pandas_magic.errors import TableUnreadable

# Where in the header these stand: bytes in a page, the change counter, pages, and the change for which those hold.
_HEADER_FIELDS = ((16, 2), (24, 4), (28, 4), (92, 4))


def parts(path: Path) -> list[str]:
    """The tables and views, in alphabetical order."""
    with _opened(path) as database:
        kinds = "SELECT name FROM sqlite_master WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite_%' ORDER BY 1"
        return [name for (name,) in database.execute(kinds)]


def read(path: Path, options: ReadOptions, part: str = "") -> LoadedRows:
    """One table or view; without a name, the first."""
    with _opened(path) as database:
        name = part or next(iter(parts(path)), "")
        quoted = name.replace('"', '""')
        cursor = database.execute(f'SELECT * FROM "{quoted}"')
        columns = [column for column, *_ in cursor.description]
        kinds = {row[1]: str(row[2]).upper() for row in database.execute(f'PRAGMA table_info("{quoted}")')}
        rows = cursor.fetchall()
    frame, notes = with_exact_numbers(
        pd.DataFrame.from_records(rows, columns=columns),
        lambda names: pd.DataFrame(rows, columns=columns, dtype=object)[names],
    )
    dates = [column for column in columns if kinds.get(column, "").startswith(("DATE", "TIMESTAMP"))]
    # SQLite has no dates; a column that is declared as one holds texts, which stay when they are not all dates.
    said = []
    for column in dates:
        moments, note = moments_of(frame[column])
        if moments is not None:
            frame[column] = moments
            said += [f'column "{column}": {note}'] if note else []
    return LoadedRows(frame, (*notes, *said))


def _refuse_cut(path: Path) -> None:
    """Refuse a file that is shorter than its header says: SQLite reads missing pages as rows of missing values."""
    with path.open("rb") as file:
        header = file.read(100)
    page_bytes, changes, pages, counted_at = (int.from_bytes(header[at : at + n]) for at, n in _HEADER_FIELDS)
    page_bytes = 65_536 if page_bytes == 1 else page_bytes
    size = path.stat().st_size
    if changes == counted_at and size < page_bytes * pages:
        raise TableUnreadable(f"{path.name} is cut short: {size:,} of {page_bytes * pages:,} bytes; copy it again")


@contextmanager
def _opened(path: Path) -> Iterator[sqlite3.Connection]:
    _refuse_cut(path)
    try:
        with closing(sqlite3.connect(f"file:{path.resolve()}?mode=ro", uri=True)) as database:
            yield database
    except sqlite3.Error as error:
        raise ValueError(str(error)) from error
