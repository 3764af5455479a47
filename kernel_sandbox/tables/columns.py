"""Columns as bytes in a file: one description in JSON, then the buffers of each column, one after the other.

No format of Arrow's comes from a process that nobody trusts: here nothing can be compressed, shared, of an extension
type or of another version, for there are no words for it. What is read is as large as the file, and never larger.

Each array is described as [type, length, bytes of each buffer or null], behind which stand, for "category", the type of
its codes, whether it is ordered and its values; for a list its values; for a struct its names and children. On the way
in, a buffer may be [first byte, bytes] of a file that was lent.
"""

import json
import re
import struct
from collections.abc import Callable
from functools import cache
from itertools import product
from typing import Any, BinaryIO

import pyarrow as pa

from kernel_sandbox.tables.boundary import NotRepresentable
from kernel_sandbox.tables.lending import LentFile

Json = dict[str, Any]
Described = list[Any]
_Place = Callable[[pa.Buffer], int | list[int]]

# Number of columns, bytes of the description.
_HEAD = struct.Struct("<QQ")
_ALIGNMENT = 64
_LABEL_BYTES, _LEAST_DESCRIPTION_BYTES, _MOST_DESCRIPTION_BYTES = 1024, 64 * 1024, 4 * 1024**2
# pandas takes about a kibibyte for each column, however short.
_MOST_ARRAYS, _DEEPEST_ARRAY = 50_000, 8
_UNITS = ("s", "ms", "us", "ns")
_NAMED = {
    str(kind): kind
    for kind in (
        *(pa.null(), pa.bool_(), pa.float16(), pa.float32(), pa.float64(), pa.date32(), pa.date64()),
        *(pa.int8(), pa.int16(), pa.int32(), pa.int64(), pa.uint8(), pa.uint16(), pa.uint32(), pa.uint64()),
        *(pa.string(), pa.large_string(), pa.binary(), pa.large_binary()),
        *(pa.time32("s"), pa.time32("ms"), pa.time64("us"), pa.time64("ns")),
        *(make(unit) for make, unit in product((pa.timestamp, pa.duration), _UNITS)),
    )
}
_OFFSET_BYTES = {"string": 4, "binary": 4, "large_string": 8, "large_binary": 8}
_LISTS = {"list": pa.list_, "large_list": pa.large_list}
_ZONED = re.compile(r"timestamp\[(s|ms|us|ns), tz=([^\]]{1,80})\]")
_DECIMAL = re.compile(r"decimal(32|64|128|256)\((\d{1,2}), (-?\d{1,2})\)", re.ASCII)
_OFFSET = re.compile(r"[+-](?:[01]\d|2[0-3]):[0-5]\d", re.ASCII)


def write_columns(file: BinaryIO, arrays: list[pa.Array], description: Json, *, lent: LentFile | None = None) -> None:
    """Write the arrays behind the description, to which they are added as "arrays"; what lies in `lent` stays there."""
    buffers: list[pa.Buffer] = []

    def place(buffer: pa.Buffer) -> int | list[int]:
        found = None if lent is None else lent.place(buffer)
        if found is None:
            buffers.append(buffer)
        return found or int(buffer.size)

    described = [_describe(array, place) for array in arrays]
    content = json.dumps(description | {"arrays": described}, separators=(",", ":")).encode()
    file.write(_HEAD.pack(len(arrays), len(content)) + content + _padding(_HEAD.size + len(content)))
    for buffer in buffers:
        file.write(buffer)
        file.write(_padding(buffer.size))


def read_columns(content: pa.Buffer, *, lent: pa.Buffer | None = None) -> tuple[list[pa.Array], Json]:
    """The arrays, which share the memory of the content and of `lent` and were not looked into, and the description.

    Raises: NotRepresentable naming what is not as `write_columns` writes it.
    """
    view = memoryview(content)
    count, size = _HEAD.unpack_from(view) if len(view) >= _HEAD.size else (0, len(view))
    if _HEAD.size + size > len(view):
        raise NotRepresentable("it is no sound frame: it ends within its description")
    if size > min(_LEAST_DESCRIPTION_BYTES + _LABEL_BYTES * count, _MOST_DESCRIPTION_BYTES):
        raise NotRepresentable(f"its {count:,} columns are described in {size:,} bytes, which is too much")
    description = json.loads(bytes(view[_HEAD.size : _HEAD.size + size]))
    described = description.get("arrays") if isinstance(description, dict) else None
    if not isinstance(described, list) or len(described) != count:
        raise NotRepresentable(f"its description does not fit: it does not describe {count:,} columns")
    reader = _Reader(content, _HEAD.size + size, lent)
    arrays = [reader.array(one) for one in described]
    if reader.at != len(view):
        raise NotRepresentable("it is no sound frame: something follows its end")
    return arrays, description


def _describe(array: pa.Array, place: _Place) -> Described:
    # Of texts `nbytes` counts one offset less than there are.
    is_part = array.get_total_buffer_size() - array.nbytes > _OFFSET_BYTES.get(str(array.type), 0)
    if array.offset or is_part:
        array = _cut_out(array)
    kind, rest = array.type, []
    if isinstance(array, pa.DictionaryArray):
        own = _sizes(array.indices.buffers(), place)
        rest = [str(kind.index_type), kind.ordered, _describe(array.dictionary, place)]
        return ["category", len(array), own, *rest]
    if pa.types.is_list(kind) or pa.types.is_large_list(kind):
        own = _sizes(array.buffers()[:2], place)
        return [str(kind).partition("<")[0], len(array), own, _describe(array.values, place)]
    if pa.types.is_struct(kind):
        own = _sizes(array.buffers()[:1], place)
        children = [_describe(array.field(number), place) for number in range(kind.num_fields)]
        return ["struct", len(array), own, [field.name for field in kind], children]
    return [str(kind), len(array), _sizes(array.buffers(), place)]


def _cut_out(array: pa.Array) -> pa.Array:
    """The array without the larger one that it is a part of."""
    if pa.types.is_primitive(array.type) and array.type.bit_width % 8 == 0 and not array.null_count:
        item_bytes = array.type.bit_width // 8
        data = array.buffers()[1].slice(array.offset * item_bytes, len(array) * item_bytes)
        return pa.Array.from_buffers(array.type, len(array), [None, data])
    return pa.concat_arrays([array[:0], array])


def _sizes(own: list[pa.Buffer | None], place: _Place) -> list[int | list[int] | None]:
    return [None if one is None else place(one) for one in own]


def _padding(size: int) -> bytes:
    return bytes(-size % _ALIGNMENT)


class _Reader:
    """Arrays over the bytes of a file, made in the order in which they lie there. `at` is where the next one begins."""

    def __init__(self, content: pa.Buffer, at: int, lent: pa.Buffer | None) -> None:
        self._content, self.at, self._lent = content, at + len(_padding(at)), lent
        self._count = 0

    def array(self, described: Any, depth: int = 0) -> pa.Array:  # noqa: ANN401 - JSON
        """The array of that description, of a type that is known here."""
        self._count += 1
        if self._count > _MOST_ARRAYS or depth >= _DEEPEST_ARRAY:
            raise NotRepresentable(f"it has more than {_MOST_ARRAYS:,} columns, or they are nested as none of ours is")
        match described:
            # Below a list or a struct each value of a category would be made anew as often as it is meant.
            case ["category", int(length), [*sizes], str(codes), bool(ordered), values] if length >= 0 == depth:
                if not pa.types.is_integer(kind := _flat_kind(codes)):
                    raise NotRepresentable(f"a category has codes of type {kind}")
                indices = pa.Array.from_buffers(kind, length, self._buffers(sizes))
                return pa.DictionaryArray.from_arrays(
                    indices, self._flat(values, depth + 1), ordered=ordered, safe=False
                )
            case [("list" | "large_list") as name, int(length), [*sizes], values] if length >= 0:
                own, below = self._buffers(sizes), self.array(values, depth + 1)
                return pa.Array.from_buffers(_LISTS[name](below.type), length, own, children=[below])
            case ["struct", int(length), [*sizes], [*names], [*children]] if length >= 0:
                own = self._buffers(sizes)
                fields = [self.array(child, depth + 1) for child in children]
                kind = pa.struct([pa.field(name, one.type) for name, one in zip(names, fields, strict=True)])
                return pa.Array.from_buffers(kind, length, own, children=fields)
        return self._flat(described, depth)

    def _flat(self, described: Any, depth: int) -> pa.Array:  # noqa: ANN401 - JSON
        match described:
            case [str(name), int(length), [*sizes]] if length >= 0:
                return pa.Array.from_buffers(_flat_kind(name), length, self._buffers(sizes))
        raise NotRepresentable(f"it holds a column described as {ascii(described)[:100]}")

    def _buffers(self, sizes: list[Any]) -> list[pa.Buffer | None]:
        return [None if size is None else self._buffer(size) for size in sizes]

    def _buffer(self, size: Any) -> pa.Buffer:  # noqa: ANN401 - JSON
        if self._lent is not None and isinstance(size, list):
            at, count = size
            return self._lent[at : at + count]
        # By their order alone buffers cannot overlap, so none counts twice.
        if not isinstance(size, int) or not 0 <= size <= self._content.size - self.at:
            raise NotRepresentable("it is no sound frame: a column is longer than the file")
        buffer = self._content.slice(self.at, size)
        self.at += size + len(_padding(size))
        return buffer


def _flat_kind(name: str) -> pa.DataType:
    if name in _NAMED:
        return _NAMED[name]
    if decimal := _DECIMAL.fullmatch(name):
        return getattr(pa, f"decimal{decimal[1]}")(int(decimal[2]), int(decimal[3]))
    if zoned := _ZONED.fullmatch(name):
        if not _is_zone(zoned[2]):
            raise NotRepresentable(f"it has the time zone {ascii(zoned[2])[1:-1]}, which is on no list of zones")
        return pa.timestamp(zoned[1], zoned[2])
    raise NotRepresentable(f"a column has the Arrow type {ascii(name)[1:-1][:80]}, which cannot cross")


def _is_zone(name: str) -> bool:
    # Other libraries take "dateutil/" with a path behind it, and open that file.
    return name == "UTC" or bool(_OFFSET.fullmatch(name)) or name in _zones()


@cache
def _zones() -> frozenset[str]:
    import zoneinfo

    return frozenset(zoneinfo.available_timezones())
