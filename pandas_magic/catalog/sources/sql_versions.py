"""What tells that a table of a database is still what it was when it was read; "" where nothing tells for certain.

PostgreSQL: the position in its write-ahead log. Whatever changes a permanent table is written there first, so while the
position stands, so does every such table; it also moves when other tables change, which costs a read and nothing else.
Counters of rows (`pg_stat_user_tables`) arrive late, and `xmin` does not see deletions, so neither is asked.
SQLite: its file and its log, by size, time of change and inode.
"""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pandas_magic.record import digest

if TYPE_CHECKING:
    from sqlalchemy import Connection

# Gives the first row that a statement finds; None when there is none, or it is refused.
Ask = Callable[[str, dict[str, str]], Sequence[Any] | None]

# "p": permanent. Tables that are unlogged, temporary, foreign or parts of others, and views, may change unseen.
_POSTGRESQL = """
SELECT system_identifier, pg_current_wal_insert_lsn()::text
FROM pg_control_system()
WHERE NOT pg_is_in_recovery()
  AND EXISTS (SELECT FROM pg_class
              WHERE oid = to_regclass(:name) AND relkind IN ('r', 'm') AND relpersistence = 'p' AND NOT relhassubclass)
"""


def version_of(connection: "Connection", table: str, ask: Ask) -> str:
    """What changes at the latest when the table does; "" for a query, and wherever nothing tells."""
    kind = connection.dialect.name
    if not table:
        return ""
    if kind == "postgresql":
        quote = connection.dialect.identifier_preparer.quote
        row = ask(_POSTGRESQL, {"name": ".".join(quote(step) for step in table.rsplit(".", 1))})
        return digest([str(part) for part in row]) if row is not None else ""
    if kind == "sqlite" and connection.engine.url.database not in (None, "", ":memory:"):
        return file_version(Path(str(connection.engine.url.database)), "-wal")
    return ""


def file_version(path: Path, log: str) -> str:
    """The size, time of change and inode of a database's file, and of the log beside it, where changes wait."""
    seen = []
    for file in (path, path.with_name(path.name + log)):
        if file.exists():
            stat = file.stat()
            seen.append(f"{stat.st_size:x}-{stat.st_mtime_ns:x}-{stat.st_ino:x}")
    return digest(seen)
