"""Columns side by side in one file, written while their rows come in, and mapped.

Each column lies in one piece, or in few, so that a frame shares its memory. The last line says in JSON where. A file of
Arrow's own cannot be written so: there every column of a batch has to be complete before the next begins, which takes
the table's memory twice.
"""

import base64
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from pandas_magic.catalog.cache.stretches import Extent, OpenFile, Stretch, joined_bits, kind_in_stretch, stretch_for

# The first and the last bytes of every such file.
MAGIC = b"pandas_magic columns 1\n"
_LENGTH_BYTES = 8

# Rows, how many of them are missing, and where the buffers lie.
_Piece = tuple[int, int, Sequence[Extent]]


@dataclass
class _Column:
    kind: pa.DataType = field(default_factory=pa.null)
    rows: int = 0
    pieces: list[_Piece] = field(default_factory=list)
    stretch: Stretch | None = None
    present: list[pa.Array | int] = field(default_factory=list)  # which values of the stretch are there; a count: all


class ColumnWriter:
    """Writes tables one below the other into an open file; of more rows than expected, columns are in more pieces.

    Columns are of the types that delimited text has: numbers, truth values, dates, times, texts, bytes.
    """

    def __init__(self, descriptor: int, expected_rows: int) -> None:
        self._file, self._expected_rows = OpenFile(descriptor), max(expected_rows, 1)
        self._columns: dict[str, _Column] = {}
        self._file.append(MAGIC)

    def add(self, table: pa.Table) -> None:
        """Put the rows below those that are there. A column may be without a type until it has values.

        Raises: TypeError when a column has another type than above; OSError when there is no room.
        """
        for name, values in zip(table.column_names, table.columns, strict=True):
            column = self._columns.setdefault(name, _Column())
            if not pa.types.is_null(values.type) and column.kind != values.type:
                self._settle(name, column, values.type)
            for chunk in values.chunks:
                self._add(column, pa.nulls(len(chunk), column.kind) if pa.types.is_null(chunk.type) else chunk)

    def finish(self) -> None:
        """Write where everything is; the file can be mapped from then on."""
        for column in self._columns.values():
            self._close_stretch(column)
        schema = pa.schema([(name, kind_in_stretch(column.kind)) for name, column in self._columns.items()])
        pieces = [column.pieces for column in self._columns.values()]
        said = {"schema": base64.b64encode(schema.serialize()).decode(), "columns": pieces}
        footer = json.dumps(said).encode()
        self._file.append(footer + len(footer).to_bytes(_LENGTH_BYTES, "little") + MAGIC)

    def _settle(self, name: str, column: _Column, kind: pa.DataType) -> None:
        """Give a column that had no value yet its type."""
        if not pa.types.is_null(column.kind):
            raise TypeError(f'column "{name}" was {column.kind} and is {kind}')
        above, column.kind, column.rows = column.rows, kind, 0
        self._add(column, pa.nulls(above, kind))

    def _add(self, column: _Column, chunk: pa.Array) -> None:
        if len(chunk) and not pa.types.is_null(chunk.type):
            if column.stretch is None or not column.stretch.fits(chunk):
                self._close_stretch(column)
                left = self._expected_rows - column.rows
                column.stretch = stretch_for(self._file, chunk, max(left, self._expected_rows // 4, len(chunk)))
            column.stretch.add(chunk)
            column.present.append(pc.is_valid(chunk) if chunk.null_count else len(chunk))
        column.rows += len(chunk)

    def _close_stretch(self, column: _Column) -> None:
        if pa.types.is_null(column.kind):
            column.pieces = [(column.rows, column.rows, [None])]
        if column.stretch is None:
            return
        flags = [pa.repeat(True, part) if isinstance(part, int) else part for part in column.present]
        rows = sum(map(len, flags))
        missing = rows - sum(part.true_count for part in flags)
        present = self._file.append(joined_bits(flags)) if missing else None
        column.pieces.append((rows, missing, [present, *column.stretch.places()]))
        column.stretch, column.present = None, []


def is_column_file(whole: pa.Buffer) -> bool:
    """Whether a file begins as one of these."""
    return len(whole) >= len(MAGIC) and bool(whole.slice(0, len(MAGIC)).to_pybytes() == MAGIC)


def map_columns(path: Path) -> pa.Table:
    """The table in such a file, as a memory map. Raises: pa.ArrowInvalid when it is damaged; OSError."""
    return table_in(pa.memory_map(str(path)).read_buffer(), path.name)


def table_in(whole: pa.Buffer, file_name: str) -> pa.Table:
    """The table in such a file, in the memory of its content. Raises: pa.ArrowInvalid when it is damaged."""
    try:
        said = _footer(whole)
        schema = pa.ipc.read_schema(pa.py_buffer(base64.b64decode(said["schema"])))
        columns = [
            pa.chunked_array([_mapped(whole, column.type, piece) for piece in pieces], type=column.type)
            for column, pieces in zip(schema, said["columns"], strict=True)
        ]
        return pa.Table.from_arrays(columns, schema=schema)
    except (ValueError, KeyError, TypeError) as error:
        raise pa.ArrowInvalid(f"{file_name} is damaged: {error}") from error


def _footer(whole: pa.Buffer) -> dict[str, Any]:
    ending = len(whole) - len(MAGIC) - _LENGTH_BYTES
    if ending < 0 or whole.slice(len(whole) - len(MAGIC)).to_pybytes() != MAGIC:
        raise ValueError("its end is missing")
    length = int.from_bytes(whole.slice(ending, _LENGTH_BYTES).to_pybytes(), "little")
    if length > ending:
        raise ValueError("its end is too short")
    said: dict[str, Any] = json.loads(whole.slice(ending - length, length).to_pybytes())
    return said


def _mapped(whole: pa.Buffer, kind: pa.DataType, piece: _Piece) -> pa.Array:
    rows, missing, places = piece
    buffers = [None if place is None else whole.slice(*place) for place in places]
    return pa.Array.from_buffers(kind, rows, buffers, missing)
