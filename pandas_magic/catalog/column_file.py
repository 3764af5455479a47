"""Columns side by side in one file, written while their rows come in, and mapped.

Numbers lie in one run each, so that a frame shares their memory; texts and truth values lie as they came, many rows
at a time. The last line says in JSON where. A file of Arrow's own cannot be written so: there every column of a batch
has to be complete before the next begins, which takes the table's memory twice.
"""

import base64
import json
import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

# The first and the last bytes of every such file.
MAGIC = b"pandas_magic columns 1\n"
# Arrow wants buffers at multiples of it.
_ALIGNMENT = 64
_LENGTH_BYTES = 8

# Where a buffer lies: its first byte and how many. None: every value is there, or none.
_Place = tuple[int, int] | None


@dataclass
class _Run:
    """Numbers in one stretch of the file."""

    at: int
    capacity_rows: int
    rows: int = 0
    present: list[pa.Array | int] = field(default_factory=list)  # which values are there; a count: all of so many


@dataclass
class _Column:
    kind: pa.DataType = field(default_factory=pa.null)
    rows: int = 0
    chunks: list[tuple[int, int, int, Sequence[_Place]]] = field(default_factory=list)  # rows, missing, offset, buffers
    run: _Run | None = None


class ColumnWriter:
    """Writes tables one below the other into an open file; `expected_rows` is a guess, too small costs nothing much."""

    def __init__(self, descriptor: int, expected_rows: int) -> None:
        self._descriptor, self._expected_rows = descriptor, max(expected_rows, 1)
        self._columns: dict[str, _Column] = {}
        self._end = 0
        self._append(MAGIC)

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
            self._close_run(column)
        schema = pa.schema([(name, column.kind) for name, column in self._columns.items()])
        footer = json.dumps(
            {
                "schema": base64.b64encode(schema.serialize()).decode(),
                "columns": [column.chunks for column in self._columns.values()],
            }
        ).encode()
        self._append(footer + len(footer).to_bytes(_LENGTH_BYTES, "little") + MAGIC)

    def _settle(self, name: str, column: _Column, kind: pa.DataType) -> None:
        """Give a column that had no value yet its type."""
        if not pa.types.is_null(column.kind):
            raise TypeError(f'column "{name}" was {column.kind} and is {kind}')
        rows, column.kind = column.rows, kind
        column.rows, column.chunks = 0, []
        if rows:
            self._add(column, pa.nulls(rows, kind))

    def _add(self, column: _Column, chunk: pa.Array) -> None:
        column.rows += len(chunk)
        if not _is_number(chunk.type):
            places = [None if buffer is None else self._append(buffer) for buffer in chunk.buffers()]
            column.chunks.append((len(chunk), chunk.null_count, chunk.offset, places))
            return
        run = self._run_for(column, len(chunk))
        width = chunk.type.bit_width // 8
        values = memoryview(chunk.buffers()[1] or b"")[chunk.offset * width : (chunk.offset + len(chunk)) * width]
        self._put(values, run.at + run.rows * width)
        run.rows += len(chunk)
        run.present.append(pc.is_valid(chunk) if chunk.null_count else len(chunk))

    def _run_for(self, column: _Column, rows: int) -> _Run:
        """The stretch with room for so many more rows."""
        run = column.run
        if run is not None and run.rows + rows <= run.capacity_rows:
            return run
        self._close_run(column)
        capacity = max(self._expected_rows - column.rows + rows, self._expected_rows // 4, rows)
        column.run = _Run(self._reserve(capacity * column.kind.bit_width // 8), capacity)
        return column.run

    def _close_run(self, column: _Column) -> None:
        run, column.run = column.run, None
        if run is None:
            return
        gaps = [part for part in run.present if not isinstance(part, int)]
        missing = sum(len(part) - part.true_count for part in gaps)
        present = None
        if missing:
            flags = [pa.repeat(True, part) if isinstance(part, int) else part for part in run.present]
            present = self._append(pa.concat_arrays(flags).buffers()[1])
        column.chunks.append((run.rows, missing, 0, [present, (run.at, run.rows * column.kind.bit_width // 8)]))

    def _append(self, content: pa.Buffer | bytes) -> tuple[int, int]:
        at = self._reserve(len(content))
        self._put(memoryview(content), at)
        return at, len(content)

    def _reserve(self, count: int) -> int:
        at = -(-self._end // _ALIGNMENT) * _ALIGNMENT
        self._end = at + count
        return at

    def _put(self, content: memoryview, at: int) -> None:
        while content:
            written = os.pwrite(self._descriptor, content, at)
            content, at = content[written:], at + written


def is_column_file(path: Path) -> bool:
    """Whether a file begins as one of these. Raises: OSError."""
    with path.open("rb", buffering=0) as file:
        return file.read(len(MAGIC)) == MAGIC


def map_columns(path: Path) -> pa.Table:
    """The table in such a file, as a memory map.

    Raises: pa.ArrowInvalid when it is damaged; OSError.
    """
    whole = pa.memory_map(str(path)).read_buffer()
    try:
        said = _footer(whole)
        schema = pa.ipc.read_schema(pa.py_buffer(base64.b64decode(said["schema"])))
        columns = [
            pa.chunked_array([_mapped(whole, column.type, *chunk) for chunk in chunks], type=column.type)
            for column, chunks in zip(schema, said["columns"], strict=True)
        ]
        return pa.Table.from_arrays(columns, schema=schema)
    except (ValueError, KeyError, TypeError) as error:
        raise pa.ArrowInvalid(f"{path.name} is damaged: {error}") from error


def _footer(whole: pa.Buffer) -> dict[str, Any]:
    ending = len(whole) - len(MAGIC) - _LENGTH_BYTES
    if ending < 0 or whole.slice(len(whole) - len(MAGIC)).to_pybytes() != MAGIC:
        raise ValueError("its end is missing")
    length = int.from_bytes(whole.slice(ending, _LENGTH_BYTES).to_pybytes(), "little")
    if length > ending:
        raise ValueError("its end is too short")
    said: dict[str, Any] = json.loads(whole.slice(ending - length, length).to_pybytes())
    return said


def _mapped(
    whole: pa.Buffer, kind: pa.DataType, rows: int, missing: int, offset: int, places: Sequence[_Place]
) -> pa.Array:
    buffers = [None if place is None else whole.slice(*place) for place in places]
    return pa.Array.from_buffers(kind, rows, buffers, missing, offset)


def _is_number(kind: pa.DataType) -> bool:
    """Whether every value takes the same whole number of bytes: numbers, dates and times."""
    return bool(pa.types.is_primitive(kind) and not pa.types.is_boolean(kind))
