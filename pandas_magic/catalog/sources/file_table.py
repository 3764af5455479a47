"""One table of one file."""

import hashlib
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import pandas as pd
import pyarrow as pa

from pandas_magic.catalog.arrow import (
    describe_arrow,
    describe_frame,
    dtype_for,
    frame_from_arrow,
    rows_from_arrow,
)
from pandas_magic.catalog.cache.columnar import READER_VERSION, ColumnarCache, key_of, write_arrow
from pandas_magic.catalog.file_stamp import stamp_of
from pandas_magic.catalog.formats.opening import format_by_suffix, read_file, unreadable
from pandas_magic.catalog.plain_types import arrow_of_frame, is_of_one_kind, with_plain_types
from pandas_magic.catalog.readers import LoadedRows, ReadOptions
from pandas_magic.catalog.sources import streaming
from pandas_magic.catalog.sources.sql_versions import file_version
from pandas_magic.catalog.table import Table
from pandas_magic.errors import TableUnreadable

# Smaller files are read again in less time than a cached copy takes to write, so a look at their schema leaves none.
_CHEAP_BYTES = 1024**2
# Up to here a file whose time changed is compared by content before it is parsed again: 0.1 s.
_HASHED_BYTES = 64 * 1024**2
BATCH_ROWS = 1_000_000
# Where databases of these kinds write first.
_LOGS = {"SQLite": "-wal", "DuckDB": ".wal"}


@dataclass
class FileTable:
    """A file, or one part of it, as a table. With a cache its columns are kept there as Arrow; else in memory."""

    name: str
    path: Path
    cache: ColumnarCache | None = None
    options: ReadOptions = field(default_factory=ReadOptions)
    part: str = ""
    group: str = ""
    _held: tuple[str, LoadedRows] | None = None
    _is_mapped: bool = False  # whether what is held lies in the cache's file

    def identity(self) -> str:
        """Changes whenever the file does, by its size, times of change and inode.

        Raises: TableUnreadable when the file is gone.
        """
        try:
            stat = self.path.stat()
        except OSError as error:
            raise unreadable(self.path, error) from error
        # What a database writes waits in a log beside its file, which stays as it was.
        log = _LOGS.get(format_by_suffix(self.path).word, "")
        logged = (
            f"-{file_version(self.path, log)}" if log and self.path.with_name(self.path.name + log).exists() else ""
        )
        return f"{stamp_of(stat)}-{READER_VERSION}{logged}"

    def schema(self) -> Table:
        """The table's schema, from the cache where the file has not changed."""
        identity = self.identity()
        known = self._known(identity)
        if known is not None:
            is_ours = (known.name, known.group) == (self.name, self.group)
            return known if is_ours else known.model_copy(update={"name": self.name, "group": self.group})
        table = self._described(identity)
        if self.cache is not None:
            content = self._content()
            self._refuse_change(identity)  # else what was read would be known by the content of another file
            self.cache.keep_schema(self._key, identity, table, content)
        return table

    def outline(self) -> Table:
        """The schema as far as the types of the columns tell it; all of it where that is known, or as quickly found."""
        identity = self.identity()
        content = None
        if self._known(identity) is None and self.cache is not None and self.path.stat().st_size > _CHEAP_BYTES:
            content = self._columns(identity)
        if not isinstance(content, pa.Table):
            return self.schema()
        columns = {field.name: dtype_for(field.type) for field in content.schema}
        facts = {"origin": str(self.path), "file_bytes": self.path.stat().st_size, "group": self.group}
        return Table(name=self.name, columns=columns, row_count=content.num_rows, **facts)

    def frame(self, columns: Sequence[str] | None = None) -> pd.DataFrame:
        """The rows, all columns or those named, on a RangeIndex. Not to be written to: it may be a memory map."""
        content = self._columns(self.identity(), columns)
        if isinstance(content, pd.DataFrame):
            return with_plain_types(content if columns is None else content[list(columns)])
        return frame_from_arrow(content if columns is None else content.select(list(columns)))

    def rows(self, positions: Sequence[int]) -> pd.DataFrame:
        """Whole rows by their position in the file."""
        content = self._columns(self.identity())
        if isinstance(content, pd.DataFrame):
            return content.iloc[list(positions)]
        return rows_from_arrow(content, positions)

    def converted(self, identity: str) -> pa.Table | None:
        """Every column of the file of this identity as Arrow; None where a column of mixed values has no such form.

        It is mapped from the cache, where that has room for it.
        """
        content = self._columns(identity)
        return None if isinstance(content, pd.DataFrame) else content

    def batches(self, columns: Sequence[str], *, rows: int = BATCH_ROWS) -> Iterator[pa.Table]:
        """The rows in order, some at a time; at least one batch, which may be empty."""
        content = self._columns(self.identity(), columns)
        table = arrow_of_frame(content) if isinstance(content, pd.DataFrame) else content
        chosen = table.select(list(columns))
        for start in range(0, max(len(chosen), 1), rows):
            yield chosen.slice(start, rows)

    def _known(self, identity: str) -> Table | None:
        if self.cache is None:
            return None
        found = self.cache.schema(self._key, identity)
        return found or self.cache.known_by_content(self._key, identity, self._content)

    def _described(self, identity: str) -> Table:
        keeping = self.cache is not None and self.path.stat().st_size > _CHEAP_BYTES
        content = self._columns(identity) if keeping else self._parsed(identity).content
        table = (
            describe_frame(self.name, content)
            if isinstance(content, pd.DataFrame)
            else describe_arrow(self.name, content)
        )
        facts = {
            "notes": self._notes(identity),
            "origin": str(self.path),
            "file_bytes": self.path.stat().st_size,
            "group": self.group,
        }
        return table.model_copy(update=facts)

    def _columns(self, identity: str, wanted: Sequence[str] | None = None) -> pa.Table | pd.DataFrame:
        """Every column: mapped from the cache, or as parsed where there is none or a column has no Arrow form.

        Only of those wanted (None: all) it is known that the cache holds what was written.
        """
        if self.cache is None:
            return self._parsed(identity).content
        kept = self.cache.columns(self._key, identity, wanted)
        if kept is not None:
            return kept
        if self._is_mapped:
            self._held, self._is_mapped = None, False  # the file that it lies in is damaged, or gone
        is_new = self._held is None or self._held[0] != identity
        if is_new and streaming.is_large(self.path):
            notes = self._streamed(identity)
            kept = self.cache.columns(self._key, identity) if notes is not None else None
            if notes is not None and kept is not None:
                self._held, self._is_mapped = (identity, LoadedRows(kept, notes)), True
                return kept
            cut = "its lines cannot be told apart from its middle" if notes is None else ""
            streaming.say_whole(self.path, cut or f"{self.cache.folder} cannot be written")
        reading = self._parsed(identity)
        if isinstance(reading.content, pd.DataFrame):
            return reading.content
        # A folder that has no room costs every process the time to parse, and no check its verdict.
        with suppress(OSError):
            self._keep(identity, reading.content)
        # The notes are held on; the rows are mapped from now on.
        kept = self.cache.columns(self._key, identity)
        content = reading.content if kept is None else kept
        self._held, self._is_mapped = (identity, LoadedRows(content, reading.notes)), kept is not None
        return content

    def _streamed(self, identity: str) -> tuple[str, ...] | None:
        if self.cache is None:
            return None
        try:
            notes = streaming.keep(self.path, self.options, self.cache, key=self._key, identity=identity)
        except TableUnreadable:
            self._refuse_change(identity)  # half of a new file does not parse, but that is not what is wrong
            raise
        self._refuse_change(identity)
        return notes

    def _keep(self, identity: str, table: pa.Table) -> None:
        assert self.cache is not None
        self.cache.keep(self._key, identity, lambda sink: write_arrow(sink, table))

    def _parsed(self, identity: str) -> LoadedRows:
        if self._held is None or self._held[0] != identity:
            try:
                reading = read_file(self.path, self.options, self.part)
            except TableUnreadable:
                self._refuse_change(identity)  # half of a new file does not parse, but that is not what is wrong
                raise
            self._refuse_change(identity)
            self._held, self._is_mapped = (identity, _as_arrow(reading)), False
        return self._held[1]

    def _refuse_change(self, identity: str) -> None:
        if self.identity() != identity:
            raise TableUnreadable(f"{self.path.name} changed while it was read; run it again")

    def _notes(self, identity: str) -> tuple[str, ...]:
        if self._held is not None and self._held[0] == identity:
            return self._held[1].notes
        # The columns were kept by an earlier process that did not get to keep the schema.
        notes = self._streamed(identity) if streaming.is_large(self.path) else None
        return notes if notes is not None else read_file(self.path, self.options, self.part).notes

    @cached_property
    def _key(self) -> str:
        return key_of(self.path.absolute(), self.part, self.options.digest())

    def _content(self) -> str:
        if self.path.stat().st_size > _HASHED_BYTES:
            return ""
        return hashlib.sha256(self.path.read_bytes()).hexdigest()


def format_word(path: Path) -> str:
    """What people call the format of a file: "CSV", "Parquet"."""
    return format_by_suffix(path).word


def keeps_a_log(path: Path) -> bool:
    """Whether what is written to a file of this format waits in another one beside it at first."""
    return format_word(path) in _LOGS


def _as_arrow(reading: LoadedRows) -> LoadedRows:
    """The reading with its rows as an Arrow table, unless a column of mixed types has no such form."""
    if not isinstance(reading.content, pd.DataFrame):
        return reading
    try:
        table = arrow_of_frame(reading.content)
    except (pa.ArrowException, OverflowError):
        mixed = [
            f'column "{name}": values of different types'
            for name in reading.content
            if pd.api.types.infer_dtype(reading.content[name], skipna=True).startswith("mixed")
            or not is_of_one_kind(reading.content[name])
        ]
        return LoadedRows(reading.content, (*reading.notes, *mixed))
    return LoadedRows(table.replace_schema_metadata(None), reading.notes)
