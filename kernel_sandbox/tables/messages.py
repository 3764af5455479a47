"""The messages of an Arrow stream, held against what our own writer writes before Arrow reads them.

One schema, the values of each category once, one batch of rows, the end: version 5, nothing compressed, no metadata but
our description, buffers that lie one after the other. So what is read later is as large as the file, and never larger.
Source: Arrow's format/{Message,Schema}.fbs, "Encapsulated message format".
"""

import re
import struct
from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import IntEnum
from functools import cache

from kernel_sandbox.tables.boundary import NotRepresentable
from kernel_sandbox.tables.flatbuffer import BYTE, LONG, SHORT, FlatTable, root_table

DESCRIPTION = b"kernel_sandbox"
_PREFIX = struct.Struct("<Ii")
_CONTINUATION = 0xFFFFFFFF
_VERSION_5 = 4
_LARGEST_METADATA_BYTES = 32 * 1024**2
# pandas takes about a kibibyte for each column, however short.
_MOST_FIELDS, _DEEPEST_FIELD = 50_000, 8
_OFFSET = re.compile(r"[+-](?:[01]\d|2[0-3]):[0-5]\d", re.ASCII)


class _Header(IntEnum):
    SCHEMA = 1
    DICTIONARY = 2
    ROWS = 3


class FieldKind(IntEnum):
    """The kinds of columns that cross, by their number in Schema.fbs."""

    NULL = 1
    INT = 2
    FLOAT = 3
    BINARY = 4
    TEXT = 5
    BOOL = 6
    DECIMAL = 7
    DATE = 8
    TIME = 9
    TIMESTAMP = 10
    LIST = 12
    STRUCT = 13
    DURATION = 18
    LARGE_BINARY = 19
    LARGE_TEXT = 20
    LARGE_LIST = 21


# What else a column of Arrow can be; named so that a refusal can say it.
_REFUSED_KINDS = {
    **{11: "interval", 14: "union", 15: "fixed_size_binary", 16: "fixed_size_list", 17: "map", 22: "run_end_encoded"},
    **{23: "binary_view", 24: "string_view", 25: "list_view", 26: "large_list_view"},
}
_PARENTS = {FieldKind.LIST, FieldKind.LARGE_LIST, FieldKind.STRUCT}
_BUFFERS = {
    **dict.fromkeys(FieldKind, 2),
    **dict.fromkeys((FieldKind.BINARY, FieldKind.TEXT, FieldKind.LARGE_BINARY, FieldKind.LARGE_TEXT), 3),
    **{FieldKind.NULL: 0, FieldKind.STRUCT: 1},
}


@dataclass(frozen=True)
class Field:
    """One field of the schema. `category` is the number of its dictionary, None for a field without one."""

    name: str
    kind: FieldKind
    children: tuple["Field", ...]
    category: int | None


@dataclass(frozen=True)
class FieldContent:
    """What a field holds, those below it included: values, and the bytes of them in the file."""

    cells: int
    stored_bytes: int


@dataclass(frozen=True)
class Stream:
    """A stream that passed: `rows`, our `description` as JSON, what each column holds.

    `categories` are the values of categories, by the number of their column.
    """

    rows: int
    description: bytes
    columns: tuple[FieldContent, ...]
    categories: dict[int, FieldContent]


def look_through(content: memoryview) -> Stream:
    """What the stream holds; nothing of it was decoded.

    Raises: NotRepresentable naming what is not as our own writer writes it.
    """
    headers = _headers(content)
    kind, schema, _ = next(headers, (0, None, 0))
    if kind != _Header.SCHEMA or schema is None:
        raise NotRepresentable("it is no sound Arrow data: it does not begin with a schema")
    description, fields = _read_schema(schema)
    awaited = {field.category: number for number, field in enumerate(fields) if field.category is not None}
    categories: dict[int, FieldContent] = {}
    for kind, header, body_bytes in headers:
        if kind == _Header.ROWS:
            if awaited:
                raise NotRepresentable("it is no sound Arrow data: a category came without its values")
            rows, columns = _read_batch(header, fields, body_bytes)
            if next(headers, None) is not None:
                raise NotRepresentable("it holds more than one batch of rows")
            return Stream(rows, description, tuple(columns), categories)
        column = awaited.pop(header.number(0, LONG), None) if kind == _Header.DICTIONARY else None
        if column is None:
            raise NotRepresentable("it is no sound Arrow data: the values of a category belong to no column")
        categories[column] = _read_values(header, fields[column], body_bytes)
    raise NotRepresentable("it is no sound Arrow data: it holds no rows")


def _headers(content: memoryview) -> Iterator[tuple[int, FlatTable, int]]:
    """The kind, the header and the bytes of the body of each message; the stream ends where the file does."""
    at = 0
    while True:
        if at + _PREFIX.size > len(content):
            raise NotRepresentable("it is no sound Arrow data: it ends within a message")
        mark, metadata_bytes = _PREFIX.unpack_from(content, at)
        at += _PREFIX.size
        if mark != _CONTINUATION or not 0 <= metadata_bytes <= min(len(content) - at, _LARGEST_METADATA_BYTES):
            raise NotRepresentable("it is no sound Arrow data: a message has no beginning")
        if metadata_bytes == 0:
            if at != len(content):
                raise NotRepresentable("it is no sound Arrow data: something follows its end")
            return
        message = root_table(bytes(content[at : at + metadata_bytes]))
        at += metadata_bytes
        body_bytes = message.number(3, LONG)
        if not 0 <= body_bytes <= len(content) - at:
            raise NotRepresentable("it is no sound Arrow data: a body is longer than the file")
        at += body_bytes
        yield *_checked_message(message), body_bytes


def _checked_message(message: FlatTable) -> tuple[int, FlatTable]:
    version, kind, header = message.number(0, SHORT), message.number(1, BYTE), message.table(2)
    if version != _VERSION_5:
        raise NotRepresentable(f"it is Arrow metadata of version {version + 1}, not 5")
    if message.vector(4, 4)[1]:
        raise NotRepresentable("a message of it holds metadata of its own")
    if header is None or kind not in tuple(_Header):
        raise NotRepresentable(f"it holds a message of type {kind}")
    return kind, header


def _read_schema(schema: FlatTable) -> tuple[bytes, list[Field]]:
    if schema.number(0, SHORT):
        raise NotRepresentable("its numbers are big-endian")
    if schema.vector(3, LONG.size)[1]:
        raise NotRepresentable("it asks for features of Arrow beyond version 5")
    if schema.vector(1, 4)[1] > _MOST_FIELDS:
        raise NotRepresentable(f"it has {schema.vector(1, 4)[1]:,} columns, and the limit is {_MOST_FIELDS:,}")
    fields = [_read_field(table, 0) for table in schema.tables(1)]
    numbers = [field.category for field in fields if field.category is not None]
    if len(set(numbers)) != len(numbers):
        raise NotRepresentable("two columns of it share one list of categories")
    metadata = [(pair.text(0), pair.text(1)) for pair in schema.tables(2)]
    if [key for key, _ in metadata] != [DESCRIPTION]:
        raise NotRepresentable("it is not described as our own writer describes a frame")
    return metadata[0][1], fields


def _read_field(table: FlatTable, depth: int) -> Field:
    name = ascii(table.text(0).decode("utf-8", "replace"))[1:-1][:60]
    number, kind_table = table.number(2, BYTE), table.table(3)
    if table.vector(6, 4)[1]:
        # Arrow makes registered extension types while it reads a schema, by code of whoever registered them.
        raise NotRepresentable(f'column "{name}" has metadata of its own, perhaps an extension type')
    if number not in tuple(FieldKind) or kind_table is None:
        raise NotRepresentable(f'column "{name}" has the Arrow type {_REFUSED_KINDS.get(number, number)}')
    kind = FieldKind(number)
    if kind == FieldKind.TIMESTAMP and (zone := kind_table.text(1)) and not _is_zone(zone.decode("utf-8", "replace")):
        raise NotRepresentable(
            f'column "{name}" has the time zone {ascii(zone)[2:-1][:80]}, which is on no list of zones'
        )
    count = table.vector(5, 4)[1]
    if depth >= _DEEPEST_FIELD or count > _MOST_FIELDS or (count > 0) != (kind in _PARENTS):
        raise NotRepresentable(f'column "{name}" is nested as none of ours is')
    children = tuple(_read_field(child, depth + 1) for child in table.tables(5))
    encoding = table.table(4)
    if encoding is not None and (depth or encoding.number(3, SHORT)):
        raise NotRepresentable(f'column "{name}" has categories within its values')
    return Field(name, kind, children, None if encoding is None else encoding.number(0, LONG))


def _read_values(header: FlatTable, field: Field, body_bytes: int) -> FieldContent:
    batch = header.table(1)
    if batch is None or header.number(2, BYTE):
        raise NotRepresentable("it is no sound Arrow data: the values of a category come in parts")
    _, (content,) = _read_batch(batch, [replace(field, category=None)], body_bytes)
    return content


def _read_batch(batch: FlatTable, fields: list[Field], body_bytes: int) -> tuple[int, list[FieldContent]]:
    if batch.table(3) is not None:
        # Compressed buffers could unfold to any size before anybody can look.
        raise NotRepresentable("it holds compressed data")
    if batch.vector(4, LONG.size)[1]:
        raise NotRepresentable("it holds views")
    rows, nodes, buffers = batch.number(0, LONG), iter(batch.pairs(1)), _ordered(batch.pairs(2), body_bytes)
    if rows < 0 or (rows and not fields):
        raise NotRepresentable(f"it claims {rows:,} rows without a column")
    contents = [_content(field, nodes, buffers, rows) for field in fields]
    if next(nodes, None) is not None or next(buffers, None) is not None:
        raise NotRepresentable("it is no sound Arrow data: more values came than columns")
    return rows, contents


def _ordered(buffers: tuple[tuple[int, int], ...], body_bytes: int) -> Iterator[int]:
    """The bytes of each buffer; they lie one after the other, so that none counts twice."""
    end = 0
    for offset, length in buffers:
        if length < 0 or not end <= offset <= body_bytes - length:
            raise NotRepresentable("it is no sound Arrow data: its buffers overlap or lie outside")
        end = offset + length
        yield length


def _content(field: Field, nodes: Iterator[tuple[int, int]], buffers: Iterator[int], rows: int | None) -> FieldContent:
    length, nulls = next(nodes, (-1, 0))
    # The entries of a list are as many as they are; all else has a value for each row.
    if length < 0 or (rows is not None and length != rows) or not 0 <= nulls <= length:
        raise NotRepresentable(f'it is no sound Arrow data: column "{field.name}" does not have {rows} values')
    count = 2 if field.category is not None else _BUFFERS[field.kind]
    sizes = [next(buffers, -1) for _ in range(count)]
    if -1 in sizes:
        raise NotRepresentable(f'it is no sound Arrow data: column "{field.name}" has too few buffers')
    children = () if field.category is not None else field.children
    below = length if field.kind == FieldKind.STRUCT else None
    inner = [_content(child, nodes, buffers, below) for child in children]
    return FieldContent(length + sum(one.cells for one in inner), sum(sizes) + sum(one.stored_bytes for one in inner))


def _is_zone(name: str) -> bool:
    # Other libraries take "dateutil/" with a path behind it, and open that file.
    return name == "UTC" or bool(_OFFSET.fullmatch(name)) or name in _zones()


@cache
def _zones() -> frozenset[str]:
    import zoneinfo

    return frozenset(zoneinfo.available_timezones())
