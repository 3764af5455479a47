"""A delimited file in parts that fit in memory, cut at the ends of rows and parsed side by side."""

import re
from collections import deque
from collections.abc import Generator, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.csv

from pandas_magic.catalog.arrow import as_frames_hold_it
from pandas_magic.catalog.formats.delimited import DelimitedFile
from pandas_magic.catalog.text.dialect import Dialect
from pandas_magic.catalog.text.quotation import are_in_pairs

# Large enough for Arrow to be at its full speed, and small enough for the memory to be used again while it is warm.
WINDOW_BYTES = 4 * 1024**2
# More would wait for the one that writes.
_MOST_THREADS = 8
_BOM = b"\xef\xbb\xbf"
_ROW_IN_MESSAGE = re.compile(r"Row #(\d+)")
Kinds = dict[str, pa.DataType]


class CutImpossible(Exception):
    """A part of a file has no place at which it could be cut, or would be read otherwise than within the file."""


@dataclass(frozen=True)
class _Window:
    content: bytearray
    length: int
    is_first: bool

    def source(self) -> pa.BufferReader:
        return pa.BufferReader(pa.py_buffer(memoryview(self.content)[: self.length]))


def may_be_cut(file: DelimitedFile) -> bool:
    """Whether the file's bytes are what is parsed, and signs are single bytes; quotes are looked at where it is cut."""
    signs = file.dialect.delimiter + file.dialect.quote
    is_plain = file.content is None and file.encoding.name.startswith("utf-8") and signs.isascii() and len(signs) == 2
    # Nothing is known of the quotes in lines that are left out.
    return is_plain and not (file.has_quotes and file.dialect.skip_lines)


def tables_in_order(file: DelimitedFile, kinds: Kinds) -> Generator[pa.Table]:
    """The rows of a file that may be cut, as `as_frames_hold_it` has them, some at a time.

    `kinds` has the types that columns must have, and gets those of columns that have their first values.

    Raises: pa.ArrowInvalid when a value does not fit or a row is of another width; CutImpossible; OSError.
    """
    parsing = _Parsing(file, kinds)
    threads = min(pa.cpu_count(), _MOST_THREADS)
    waiting: deque[tuple[_Window, Future[pa.Table]]] = deque()
    with ThreadPoolExecutor(threads) as pool:
        spare = [bytearray(WINDOW_BYTES) for _ in range(threads + 2)]
        for window in _cut(file, spare):
            waiting.append((window, pool.submit(parsing.table, window)))
            # The others need the names and types of the first.
            while waiting and (window.is_first or not spare):
                yield parsing.settled(*waiting.popleft(), spare)
        while waiting:
            yield parsing.settled(*waiting.popleft(), spare)


def _cut(delimited: DelimitedFile, spare: list[bytearray]) -> Iterator[_Window]:
    """The file in windows that end with a row, each in one of the `spare` buffers, of which there is always one."""
    rest, is_first = b"", True
    with delimited.path.open("rb", buffering=0) as file:
        while True:
            content = spare.pop()
            content[: len(rest)] = rest
            read = file.readinto(memoryview(content)[len(rest) :])
            filled = len(rest) + read
            if not filled:
                return
            is_last = not read or (is_first and filled < len(content))
            end = filled if is_last else content.rfind(b"\n", 0, filled) + 1
            if delimited.has_quotes:
                end = _end_outside_quotes(content, end, delimited.dialect, is_last=is_last)
            if not end or (not is_first and content.startswith(_BOM)):
                raise CutImpossible
            rest = bytes(memoryview(content)[end:filled])
            yield _Window(content, end, is_first)
            is_first = False


def _end_outside_quotes(content: bytearray, end: int, dialect: Dialect, *, is_last: bool) -> int:
    """Where the last row ends at or before `end`; 0 when none does.

    Arrow takes a quote for one where a field begins, and within quotes two for one. Where every quote that opens stands
    at such a place, or behind the one that it doubles, a line break behind an even number of quotes ends a row.

    Raises: CutImpossible when a quote stands elsewhere, or the last one stays open.
    """
    letters = np.frombuffer(content, np.uint8, end)
    first = len(_BOM) if content.startswith(_BOM) else 0
    if not are_in_pairs(letters, dialect, first=first, is_whole=is_last):
        raise CutImpossible
    quotes = np.flatnonzero(letters == ord(dialect.quote))
    while not is_last and end and (above := int(np.searchsorted(quotes, end))) % 2:
        # Within quotes: the row ends somewhere before they open.
        end = content.rfind(b"\n", 0, int(quotes[above - 1])) + 1
    return end


class _Parsing:
    """How the windows of one file are parsed, and how many rows there were."""

    def __init__(self, file: DelimitedFile, kinds: Kinds) -> None:
        self.file, self.kinds = file, kinds
        self.names: list[str] = []
        self.rows_above = 0

    def table(self, window: _Window) -> pa.Table:
        read, parse, convert = self.file.arrow_options((), (), use_threads=False)
        read.block_size = len(window.content) + 1
        if not window.is_first:
            read.skip_rows, read.column_names = 0, self.names
        convert.column_types = dict(self.kinds)
        return pyarrow.csv.read_csv(window.source(), read, parse, convert)

    def settled(self, window: _Window, coming: "Future[pa.Table]", spare: list[bytearray]) -> pa.Table:
        """The window's table with the types of the columns above it; its buffer is free again."""
        try:
            table = coming.result()
            if any(self.kinds.get(field.name, field.type) != field.type for field in table.schema if _has_type(field)):
                table = self.table(window)  # it was begun before a column above it had its first value
        except pa.ArrowInvalid as error:
            raise pa.ArrowInvalid(self._with_row_of_file(str(error), window)) from error
        spare.append(window.content)
        self.names = table.column_names
        self.kinds.update((field.name, field.type) for field in table.schema if _has_type(field))
        self.rows_above += len(table)
        return as_frames_hold_it(table)

    def _with_row_of_file(self, message: str, window: _Window) -> str:
        above = 0 if window.is_first else self.rows_above + self.file.dialect.skip_lines + self.file.dialect.has_header
        return _ROW_IN_MESSAGE.sub(lambda found: f"Row #{int(found[1]) + above}", message, count=1)


def _has_type(field: pa.Field) -> bool:
    return not pa.types.is_null(field.type)
