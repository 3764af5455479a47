"""A columnar cache: a table is parsed once, and read by memory map until it changes.

One folder holds an Arrow file per table that was parsed, and `schemas.json` with every schema that was worked out. Both
are rebuilt from the sources whenever they are missing, damaged or of another version.
"""

import json
import os
import tempfile
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pyarrow as pa

from pandas_magic.catalog.arrow import as_frames_hold_it
from pandas_magic.catalog.cache.sealing import open_sealed, seal
from pandas_magic.catalog.table import Table
from pandas_magic.errors import StateUnreadable
from pandas_magic.record import digest
from pandas_magic.state import locked, write_whole

# Part of every identity: raised when a table would be read or described differently than before.
READER_VERSION = 13
_INDEX = "schemas.json"
_DEFAULT_MAX_BYTES = 20 * 1024**3
_HALF_FILE = ".parsing-"
# No file takes so long to parse; a process that was killed cannot take its half file with it.
_ABANDONED_SECONDS = 24 * 3600


class ColumnarCache:
    """What was parsed, below one folder; the least recently used files go when they exceed `max_bytes`."""

    def __init__(self, folder: Path, *, max_bytes: int = _DEFAULT_MAX_BYTES) -> None:
        self.folder, self.max_bytes = folder, max_bytes
        self._entries: dict[str, dict[str, Any]] | None = None
        self._new: dict[str, dict[str, Any]] = {}
        self._gathering = False
        # Of each file, by its name and inode, the columns that were found to hold what was written.
        self._whole: dict[tuple[str, int], set[str]] = {}

    def schema(self, key: str, identity: str) -> Table | None:
        """The schema kept for the table with this key, while its identity is the same."""
        entry = self._entry(key)
        if entry is None or entry.get("identity") != identity:
            return None
        with suppress(ValueError):
            return Table.model_validate(entry["table"])
        return None

    def keep_schema(self, key: str, identity: str, table: Table, content: str = "") -> None:
        """Keep a schema; `content` is a hash of what was read, by which the table is known again."""
        self._put(key, {"identity": identity, "table": table.to_dict(), "content": content})

    def known_by_content(self, key: str, identity: str, content: Callable[[], str]) -> Table | None:
        """The schema of a table whose file has another time or inode but the content that was read before.

        Its columns are then found under the new identity as well.
        """
        entry = self._entry(key)
        if entry is None or not entry.get("content") or entry["content"] != content():
            return None
        with suppress(OSError):  # it is gone, or the folder is read-only; then the columns are read from the file again
            self.path(key, entry["identity"]).rename(self.path(key, identity))
        with suppress(ValueError):
            table = Table.model_validate(entry["table"])
            self.keep_schema(key, identity, table, entry["content"])
            return table
        return None

    def parts(self, key: str, identity: str) -> list[str] | None:
        """The names of a file's tables as they were kept, while its identity is the same."""
        entry = self._entry(key)
        return [str(part) for part in entry["parts"]] if entry and entry.get("identity") == identity else None

    def keep_parts(self, key: str, identity: str, parts: list[str]) -> None:
        """Keep the names of a file's tables."""
        self._put(key, {"identity": identity, "parts": parts})

    @contextmanager
    def gathering(self) -> Iterator[None]:
        """Within the block schemas are kept in memory; at its end they are written together."""
        before, self._gathering = self._gathering, True
        try:
            yield
        finally:
            self._gathering = before
            if self._new and not before:
                self._write_index()

    def path(self, key: str, identity: str) -> Path:
        """Where the columns of that version of the table lie, or would."""
        return self.folder / f"{key}-{identity}.arrow"

    def columns(self, key: str, identity: str, names: Iterable[str] | None = None) -> pa.Table | None:
        """The columns as a memory map; None when they are not kept, or damaged.

        Those of `names` (None: all) hold what was written; that is looked at once for each column.
        """
        path = self.path(key, identity)
        try:
            sealed = open_sealed(path)
            if sealed is None:
                return None
            table = sealed.table()
            known = self._whole.setdefault((path.name, path.stat().st_ino), set())
        except (FileNotFoundError, pa.ArrowInvalid):
            return None
        unknown = set(table.column_names if names is None else names) - known
        if unknown and not sealed.is_whole(unknown):
            return None
        known |= unknown
        with suppress(OSError):
            os.utime(path)  # what is used stays; the folder may be read-only
        return table

    def keep(self, key: str, identity: str, write: Callable[[pa.OSFile], None]) -> None:
        """Put the columns there that `write` writes as an Arrow file, as `keep_file` does."""

        def written(path: Path) -> None:
            with pa.OSFile(str(path), "wb") as sink:
                write(sink)

        self.keep_file(key, identity, written)

    def keep_file(self, key: str, identity: str, write: Callable[[Path], None]) -> None:
        """Put the file of columns there that `write` writes to the path that it is given; older versions of it go.

        A crash leaves no part of a file; a folder that cannot be written leaves the table uncached.
        """
        path = self.path(key, identity)
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            handle, name = tempfile.mkstemp(prefix=_HALF_FILE, dir=self.folder)
        except OSError:
            return
        os.close(handle)
        try:
            write(Path(name))
            seal(Path(name))
            # Not flushed to disk: after a power cut a damaged file is parsed again.
            Path(name).replace(path)
        finally:
            Path(name).unlink(missing_ok=True)
        self._whole = {file: known for file, known in self._whole.items() if file[0] != path.name}
        for older in self.folder.glob(f"{key}-*.arrow"):
            if older != path:
                older.unlink(missing_ok=True)
        self._evict(keeping=path)

    def _evict(self, *, keeping: Path) -> None:
        for half in self.folder.glob(f"{_HALF_FILE}*"):
            with suppress(FileNotFoundError):
                if half.stat().st_mtime < keeping.stat().st_mtime - _ABANDONED_SECONDS:
                    half.unlink()
        files = []
        for path in self.folder.glob("*.arrow"):
            with suppress(FileNotFoundError):
                stat = path.stat()
                files.append((path == keeping, stat.st_mtime, stat.st_size, path))
        total = sum(size for _, _, size, _ in files)
        for is_new, _, size, path in sorted(files):
            if total <= self.max_bytes or is_new:
                return
            path.unlink(missing_ok=True)
            total -= size

    def _put(self, key: str, entry: dict[str, Any]) -> None:
        self._new[key] = entry
        if not self._gathering:
            self._write_index()

    def _entry(self, key: str) -> dict[str, Any] | None:
        if key in self._new:
            return self._new[key]
        if self._entries is None:
            self._entries = self._read_index()
        return self._entries.get(key)

    def _read_index(self) -> dict[str, dict[str, Any]]:
        try:
            content = json.loads((self.folder / _INDEX).read_bytes())
            is_whole = content["sum"] == _sum_of(content["entries"])
            return dict(content["entries"]) if content["version"] == READER_VERSION and is_whole else {}
        except (OSError, ValueError, KeyError, TypeError):
            return {}

    def _write_index(self) -> None:
        index = self.folder / _INDEX
        try:
            with locked(index):
                # Another process may have written since.
                entries = {**self._read_index(), **self._new}
                # Not canonical JSON, which sorts: a table's columns have an order.
                content = {"version": READER_VERSION, "sum": _sum_of(entries), "entries": entries}
                write_whole(index, json.dumps(content))
        except (OSError, StateUnreadable):
            return  # a folder that cannot be written costs time on the next run, and nothing else
        self._entries, self._new = entries, {}


def write_arrow(sink: pa.OSFile, table: pa.Table) -> None:
    """The table as an Arrow file of one batch, so that every column is one run of bytes that a frame can share."""
    table = as_frames_hold_it(table)
    with pa.ipc.new_file(sink, table.schema) as writer:
        writer.write_table(table.combine_chunks())


def _sum_of(entries: dict[str, Any]) -> int:
    return zlib.crc32(json.dumps(entries).encode())


def key_of(*parts: object) -> str:
    """A name for a table in the cache, from what says which table it is."""
    return digest([str(part) for part in parts])
