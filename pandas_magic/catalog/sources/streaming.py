"""Delimited files parsed in parts into the cache: their memory stays small, and is used again while it is warm."""

import os
import time
from collections.abc import Generator, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path

import pyarrow as pa
import pyarrow.csv

from pandas_magic.catalog.arrow import as_frames_hold_it, refuse_duplicate_names
from pandas_magic.catalog.cache.column_file import ColumnWriter, map_columns
from pandas_magic.catalog.cache.columnar import ColumnarCache, write_arrow
from pandas_magic.catalog.formats import as_written, delimited, windows
from pandas_magic.catalog.formats.codes import codes_in_windows, note_on_codes
from pandas_magic.catalog.formats.long_numbers import long_numbers
from pandas_magic.catalog.formats.opening import format_by_suffix, in_our_words
from pandas_magic.catalog.progress import pace, tell
from pandas_magic.catalog.readers import ReadOptions
from pandas_magic.catalog.sources.widening import wider
from pandas_magic.catalog.text.quotation import refuse_in_blocks
from pandas_magic.errors import TableUnreadable

# From here on a file is parsed in parts. Smaller ones are searched for codes such as 007 everywhere, in one piece.
STREAMED_BYTES = 32 * 1024**2
# From here on also files that only one thread can cut.
LARGE_BYTES = 2 * 1024**3
_BLOCK_BYTES = 64 * 1024**2
_MEGABYTE = 1024**2
_TIMES_IN_MEMORY = 2  # the size of a file that is parsed whole: its text and its columns
# Encodings in which a sign is more than one byte.
_WIDE = ("utf-16", "utf-32")
# Room that is left for rows that are shorter than the first ones.
_SPARE_SHARE = 0.1


def is_large(path: Path) -> bool:
    """Whether a delimited file is to be parsed in parts."""
    return path.suffix.lower() in (".csv", ".tsv") and path.stat().st_size > STREAMED_BYTES


def keep(path: Path, options: ReadOptions, cache: ColumnarCache, *, key: str, identity: str) -> tuple[str, ...] | None:
    """Parse the file into the cache with little memory, and say how it was read; None when that has to be done whole.

    Columns get the types that they have when the file is parsed whole: one whose values stop fitting begins again.

    Raises: TableUnreadable, also when the cache has no room.
    """
    with in_our_words(path, format_by_suffix(path)):
        file = delimited.open_delimited(path, options)
        if not windows.may_be_cut(file) and (file.content is not None or file.size() <= LARGE_BYTES):
            return None
        codes = {name: lost for name, lost in codes_in_windows(file).items() if name not in options.as_text}
        said = dict.fromkeys((*options.as_text, *codes), pa.string())
        parts = _Parts(file, said, in_windows=windows.may_be_cut(file))
        while True:
            try:
                cache.keep_file(key, identity, parts.write)
                break
            except windows.CutImpossible:
                if file.size() <= LARGE_BYTES:
                    return None
                parts.in_windows = False
            except _BeginAgain:
                continue
    noted = [note_on_codes(name, lost) for name, lost in codes.items()]
    return (*delimited.first_notes(file), *parts.long_notes(), *noted, *parts.notes)


def say_whole(path: Path, why: str) -> None:
    """Tell that a large file is parsed whole in memory, and why. Raises: TableUnreadable where that has no room."""
    needed, free = _TIMES_IN_MEMORY * path.stat().st_size, _free_bytes()
    said = f"some {needed / _MEGABYTE:,.0f} MB of memory, since {why}"
    if free is not None and needed > free:
        raise TableUnreadable(
            f"{path.name} would be parsed whole, which takes {said}, and {free / _MEGABYTE:,.0f} MB are free; make "
            "room where its columns can be kept, or write it as Parquet"
        )
    tell(f"reading {path.name} whole, which takes {said}")


def _free_bytes() -> int | None:
    """Memory that can be had without taking it from anybody; None where the system does not say."""
    with suppress(OSError, ValueError):
        lines = Path("/proc/meminfo").read_text(encoding="ascii").splitlines()
        said = next((line.split() for line in lines if line.startswith("MemAvailable:")), None)
        return int(said[1]) * 1024 if said else None
    return None


class _BeginAgain(Exception):
    """A column needs another type than it had so far."""


@dataclass
class _Parts:
    """How one file is parsed in parts."""

    file: delimited.DelimitedFile
    said: windows.Kinds  # the types that columns must have
    long: tuple[str, ...] = ()  # columns of numbers with more digits than a float holds
    notes: tuple[str, ...] = ()
    names: list[str] = field(default_factory=list)
    in_windows: bool = True

    def write(self, path: Path) -> None:
        """Parse every part into a file of columns. Raises: _BeginAgain when a column needs another type."""
        kinds = dict(self.said)
        tables = windows.tables_in_order(self.file, kinds) if self.in_windows else self._blocks(kinds)
        try:
            with closing(tables):
                first = next(tables)
                self.names = first.column_names
                refuse_duplicate_names(self.names, self.file.path.name)
                self._write(path, chain([first], tables), len(first))
        except pa.ArrowInvalid as error:
            found = wider(error, self.names)
            if found is None:
                raise
            self.said[found[0]] = found[1]
            raise _BeginAgain from error
        self._finish(path)

    def long_notes(self) -> list[str]:
        """What is said of columns with long numbers."""
        return [f'column "{name}": numbers of more than 15 digits stay text' for name in self.long]

    def _write(self, path: Path, tables: Iterator[pa.Table], first_rows: int) -> None:
        total, began = self.file.size(), time.monotonic()
        part_bytes = min(windows.WINDOW_BYTES if self.in_windows else _BLOCK_BYTES, total)
        descriptor = os.open(path, os.O_WRONLY)
        try:
            with room_for(self.file.path):
                writer = ColumnWriter(descriptor, int(first_rows * total / part_bytes * (1 + _SPARE_SHARE)))
            for number, table in enumerate(tables, 1):
                with room_for(self.file.path):
                    writer.add(table)
                done, seconds = min(number * part_bytes, total) / _MEGABYTE, time.monotonic() - began
                what = f"reading {self.file.path.name}"
                tell(pace(what, done, total / _MEGABYTE, seconds=seconds, unit="MB"))
            with room_for(self.file.path):
                writer.finish()
        finally:
            os.close(descriptor)

    def _blocks(self, kinds: windows.Kinds) -> Generator[pa.Table]:
        """The rows as one thread of Arrow cuts them, which knows where a quoted text ends."""
        if self.file.has_quotes and not self.file.encoding.name.startswith(_WIDE):
            content = (self.file.bytes_at(at, _BLOCK_BYTES) for at in range(0, self.file.size(), _BLOCK_BYTES))
            refuse_in_blocks(content, self.file.dialect, self.file.path.name)
        read, parse, convert = self.file.arrow_options((), ())
        read.block_size = _BLOCK_BYTES
        convert.column_types = kinds
        with pyarrow.csv.open_csv(str(self.file.path), read, parse, convert) as blocks:
            for block in blocks:
                yield as_frames_hold_it(pa.Table.from_batches([block]))

    def _finish(self, path: Path) -> None:
        """Look at whole columns: what is kept as text after all, and which texts are numbers."""
        table = map_columns(path)
        long = long_numbers(self.file, table)
        if long:
            self.long = (*self.long, *long)
            self.said.update(dict.fromkeys(long, pa.string()))
            raise _BeginAgain
        look = as_written.with_second_look if self.file.size() > LARGE_BYTES else delimited.with_written_values
        changed, notes = look(self.file, table)
        self.notes = tuple(notes)
        if changed is not table:
            path.unlink()  # what is mapped stays until nothing refers to it
            with room_for(self.file.path), pa.OSFile(str(path), "wb") as sink:
                write_arrow(sink, changed)


@contextmanager
def room_for(path: Path) -> Iterator[None]:
    """Whatever goes wrong in writing, in our words."""
    try:
        yield
    except OSError as error:
        raise TableUnreadable(
            f"the columns of {path.name} cannot be kept: {error.strerror or error}; make room in .pandas_magic/staged"
        ) from error
