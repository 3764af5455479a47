"""Stretches of a file that hold one column's values in one piece, filled while the values come in."""

import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
import pyarrow as pa

# Arrow wants buffers at multiples of it.
_ALIGNMENT = 64
# A text's place in its chunk, and in its stretch, where frames have 64 bits for it and share the memory.
_OFFSET, _WIDE_OFFSET = np.dtype(np.int32), np.dtype(np.int64)

# Where a buffer lies: its first byte and how many. None: there is none.
Extent = tuple[int, int] | None


@dataclass
class OpenFile:
    """A file that is written at several places."""

    descriptor: int
    end: int = 0

    def reserve(self, count: int) -> int:
        """Where so many bytes may be written; what is never written takes no room on the disk."""
        at = -(-self.end // _ALIGNMENT) * _ALIGNMENT
        self.end = at + count
        return at

    def append(self, content: pa.Buffer | bytes) -> tuple[int, int]:
        """Write behind all that is there, and say where."""
        at = self.reserve(len(content))
        self.put(memoryview(content), at)
        return at, len(content)

    def put(self, content: memoryview, at: int) -> None:
        """Write at a place. Raises: OSError."""
        while content:
            written = os.pwrite(self.descriptor, content, at)
            content, at = content[written:], at + written


class Stretch(Protocol):
    """One column's values in one piece."""

    def fits(self, chunk: pa.Array) -> bool:
        """Whether there is room for these values too."""

    def add(self, chunk: pa.Array) -> None:
        """Put these values, of the column's type, behind those that are there."""

    def places(self) -> Sequence[Extent]:
        """Where the buffers behind that of missing values are; nothing is added from then on."""


def stretch_for(file: OpenFile, chunk: pa.Array, capacity_rows: int) -> Stretch:
    """A stretch with room for so many rows, if they are like these."""
    if pa.types.is_boolean(chunk.type):
        return _Truths(file)
    if pa.types.is_string(chunk.type) or pa.types.is_binary(chunk.type):
        of_chunk = _text_bytes(chunk)
        capacity_bytes = max(of_chunk * capacity_rows // len(chunk), of_chunk)
        offsets_at = file.reserve((capacity_rows + 1) * _WIDE_OFFSET.itemsize)
        return _Texts(file, offsets_at, capacity_rows, file.reserve(capacity_bytes), capacity_bytes)
    return _Numbers(file, file.reserve(capacity_rows * _width(chunk)), capacity_rows)


@dataclass
class _Numbers:
    file: OpenFile
    at: int
    capacity_rows: int
    written_bytes: int = 0
    rows: int = 0

    def fits(self, chunk: pa.Array) -> bool:
        return self.rows + len(chunk) <= self.capacity_rows

    def add(self, chunk: pa.Array) -> None:
        width = _width(chunk)
        values = memoryview(chunk.buffers()[1])[chunk.offset * width : (chunk.offset + len(chunk)) * width]
        self.file.put(values, self.at + self.written_bytes)
        self.rows += len(chunk)
        self.written_bytes += len(values)

    def places(self) -> Sequence[Extent]:
        return [(self.at, self.written_bytes)]


@dataclass
class _Texts:
    file: OpenFile
    offsets_at: int
    capacity_rows: int
    at: int
    capacity_bytes: int
    rows: int = 0
    written_bytes: int = 0

    def fits(self, chunk: pa.Array) -> bool:
        has_room = self.rows + len(chunk) <= self.capacity_rows
        return has_room and self.written_bytes + _text_bytes(chunk) <= self.capacity_bytes

    def add(self, chunk: pa.Array) -> None:
        offsets = _offsets(chunk)
        # The first one again, as the end of the value before: it is 0 for the first.
        moved = offsets + np.int64(self.written_bytes - int(offsets[0]))
        self.file.put(moved.data.cast("B"), self.offsets_at + self.rows * _WIDE_OFFSET.itemsize)
        text = chunk.buffers()[2]
        if text is not None:
            self.file.put(memoryview(text)[offsets[0] : offsets[-1]], self.at + self.written_bytes)
        self.rows += len(chunk)
        self.written_bytes = int(moved[-1])

    def places(self) -> Sequence[Extent]:
        return [(self.offsets_at, (self.rows + 1) * _WIDE_OFFSET.itemsize), (self.at, self.written_bytes)]


@dataclass
class _Truths:
    """Truth values are bits, which only join in memory: an eighth of a byte for each row."""

    file: OpenFile
    chunks: list[pa.Array] = field(default_factory=list)

    def fits(self, chunk: pa.Array) -> bool:
        return True

    def add(self, chunk: pa.Array) -> None:
        self.chunks.append(chunk)

    def places(self) -> Sequence[Extent]:
        return [self.file.append(joined_bits(self.chunks))]


def kind_in_stretch(kind: pa.DataType) -> pa.DataType:
    """The type that values of this one have in their stretch."""
    return {pa.string(): pa.large_string(), pa.binary(): pa.large_binary()}.get(kind, kind)


def joined_bits(flags: Sequence[pa.Array]) -> pa.Buffer:
    """The bits of truth values one behind the other."""
    joined = pa.concat_arrays([*flags, pa.array([], pa.bool_())])
    assert joined.offset == 0
    return joined.buffers()[1]


def _width(chunk: pa.Array) -> int:
    return int(chunk.type.bit_width) // 8


def _offsets(chunk: pa.Array) -> "np.ndarray[tuple[int], np.dtype[np.int32]]":
    return np.frombuffer(chunk.buffers()[1], _OFFSET)[chunk.offset : chunk.offset + len(chunk) + 1]


def _text_bytes(chunk: pa.Array) -> int:
    offsets = _offsets(chunk)
    return int(offsets[-1]) - int(offsets[0])
