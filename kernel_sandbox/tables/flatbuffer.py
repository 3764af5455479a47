"""Tables of flatbuffers, read field by field, and never outside their bytes. Standard library only.

Source: flatbuffers internals, "Tables", "Vectors" and "Unions".
"""

import struct
from collections.abc import Iterator
from dataclasses import dataclass

from kernel_sandbox.tables.boundary import NotRepresentable

_UOFFSET, _SOFFSET, _VOFFSET = struct.Struct("<I"), struct.Struct("<i"), struct.Struct("<H")
BYTE, SHORT, LONG = struct.Struct("<b"), struct.Struct("<h"), struct.Struct("<q")


@dataclass(frozen=True)
class FlatTable:
    """The table that lies at `at` in `content`. Fields have numbers; one that is left out has its default.

    Raises: NotRepresentable from every method when something points outside the content.
    """

    content: bytes
    at: int

    def number(self, field: int, form: struct.Struct, default: int = 0) -> int:
        """The number in a field."""
        at = self._place(field)
        return default if at is None else _unpack(self.content, at, form)

    def table(self, field: int) -> "FlatTable | None":
        """The table that a field points to, or None."""
        at = self._target(field)
        return None if at is None else FlatTable(self.content, at)

    def text(self, field: int) -> bytes:
        """The bytes of a field of text; none when it is left out."""
        start, count = self.vector(field, 1)
        return self.content[start : start + count]

    def tables(self, field: int) -> "Iterator[FlatTable]":
        """The tables of a vector of them."""
        start, count = self.vector(field, _UOFFSET.size)
        for at in range(start, start + count * _UOFFSET.size, _UOFFSET.size):
            yield FlatTable(self.content, at + _unpack(self.content, at, _UOFFSET))

    def pairs(self, field: int) -> "tuple[tuple[int, int], ...]":
        """The members of a vector of structures that hold two long numbers each."""
        start, count = self.vector(field, 2 * LONG.size)
        numbers = struct.unpack_from(f"<{2 * count}q", self.content, start)
        return tuple(zip(numbers[::2], numbers[1::2], strict=True))

    def vector(self, field: int, item_bytes: int) -> tuple[int, int]:
        """Where the first item of a vector lies, and how many items it has."""
        at = self._target(field)
        if at is None:
            return 0, 0
        count = _unpack(self.content, at, _UOFFSET)
        if at + _UOFFSET.size + count * item_bytes > len(self.content):
            raise NotRepresentable("it is no sound Arrow data: a list goes beyond its message")
        return at + _UOFFSET.size, count

    def _target(self, field: int) -> int | None:
        at = self._place(field)
        return None if at is None else at + _unpack(self.content, at, _UOFFSET)

    def _place(self, field: int) -> int | None:
        layout = self.at - _unpack(self.content, self.at, _SOFFSET)
        slot = 4 + 2 * field
        if slot >= _unpack(self.content, layout, _VOFFSET):
            return None
        relative = _unpack(self.content, layout + slot, _VOFFSET)
        return self.at + relative if relative else None


def root_table(content: bytes) -> FlatTable:
    """The outermost table.

    Raises: NotRepresentable when it points outside the content.
    """
    return FlatTable(content, _unpack(content, 0, _UOFFSET))


def _unpack(content: bytes, at: int, form: struct.Struct) -> int:
    if not 0 <= at <= len(content) - form.size:
        raise NotRepresentable("it is no sound Arrow data: its metadata points outside itself")
    (number,) = form.unpack_from(content, at)
    return int(number)
