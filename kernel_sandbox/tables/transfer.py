"""Frames across the line as open files: no path is passed, so there is no link to follow and no folder to grant.

Going in, the confined process maps the file privately: its frame is writable, and the file cannot be changed.
Coming out, it writes an Arrow stream into memory that we opened; we seal that memory before we look at it.
"""

import fcntl
import mmap
import os
import struct
import tempfile
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
import pandas as pd
import pyarrow as pa

from kernel_sandbox.policy import MIB
from kernel_sandbox.tables.frames import NotRepresentable, from_arrow, to_arrow

# Smaller tables go through memory; larger ones through a nameless file, which the system can page out.
_LARGEST_IN_MEMORY_BYTES = 64 * MIB
_FILE_MAGIC = b"ARROW1"
_SEALS = fcntl.F_SEAL_SEAL | fcntl.F_SEAL_WRITE | fcntl.F_SEAL_GROW | fcntl.F_SEAL_SHRINK
_EXTENSION_MARK = b"ARROW:extension:"
_PLAIN_TYPES = (
    *(pa.types.is_null, pa.types.is_boolean, pa.types.is_integer, pa.types.is_floating, pa.types.is_decimal),
    *(pa.types.is_string, pa.types.is_large_string, pa.types.is_binary, pa.types.is_large_binary),
    *(pa.types.is_timestamp, pa.types.is_date, pa.types.is_time, pa.types.is_duration),
)


@dataclass(frozen=True)
class StagedTable:
    """A table handed to a sandbox under `name`: `rows` and `columns` as the code will see them, and the bytes."""

    name: str
    rows: int
    columns: tuple[str, ...]
    file_bytes: int


def open_table(table: pd.DataFrame | pa.Table | Path) -> tuple[int, int, tuple[str, ...], int]:
    """An open file with the table, its rows, its column names and its bytes. The caller closes the file.

    Raises: NotRepresentable when the table cannot cross; OSError or pyarrow.ArrowInvalid when a path is no Arrow file.
    """
    if isinstance(table, Path):
        return _open_arrow_file(table)
    arrow = to_arrow(table, keep_index=False) if isinstance(table, pd.DataFrame) else table
    if any(not _is_plain(field.type) for field in arrow.schema):
        strange = next(field for field in arrow.schema if not _is_plain(field.type))
        raise NotRepresentable(f'column "{strange.name}" has the Arrow type {strange.type}, which cannot cross')
    descriptor = _written(arrow)
    labels = table.columns if isinstance(table, pd.DataFrame) else arrow.column_names
    return descriptor, len(table), tuple(map(str, labels)), os.fstat(descriptor).st_size


def mapped_frame(descriptor: int, *, keep_index: bool = True) -> pd.DataFrame:
    """The frame of an Arrow file: writable, and sharing its bytes with the file until they are written to.

    Columns of numbers and naive times without missing values, in a file of one batch, cost no memory.
    """
    mapping = _private_mapping(descriptor)
    table = pa.ipc.open_file(pa.py_buffer(mapping)).read_all()
    return from_arrow(table, as_numpy=_MappedColumns(mapping))


def write_frame(value: object, descriptor: int, *, max_rows: int | None) -> int:
    """Write a frame, series or index as an Arrow stream: the number of rows it has before `max_rows` cuts it.

    Raises: NotRepresentable when the value is no frame or cannot cross; OSError when it is too large.
    """
    frame = _as_frame(value)
    rows = len(frame)
    table = to_arrow(frame if max_rows is None else frame.head(max_rows), keep_index=True)
    with (
        os.fdopen(os.dup(descriptor), "wb") as file,
        pa.ipc.new_stream(pa.PythonFile(file, mode="w"), table.schema) as writer,
    ):
        _write_whole(writer, table)
    return rows


def reply_file() -> int:
    """Memory for a confined process to write its answer into. The caller closes it."""
    return os.memfd_create("kernel-sandbox-reply", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)


def content_file(content: bytes) -> int:
    """An open file with the content, for a confined process to read. The caller closes it."""
    descriptor = os.memfd_create("kernel-sandbox-value", os.MFD_CLOEXEC)
    with os.fdopen(os.dup(descriptor), "wb") as file:
        file.write(content)
    os.lseek(descriptor, 0, os.SEEK_SET)
    return descriptor


def read_frame(descriptor: int, *, most_bytes: int) -> pd.DataFrame:
    """The frame that a confined process wrote, believed only after every check.

    Raises: NotRepresentable naming the check that failed.
    """
    size = os.fstat(descriptor).st_size
    if not 0 < size <= most_bytes:
        raise NotRepresentable(f"its file has {size:,} bytes, and the limit is {most_bytes:,}")
    try:
        # From here on nobody can change what is checked; with a writable mapping left over, this is refused.
        fcntl.fcntl(descriptor, fcntl.F_ADD_SEALS, _SEALS)
    except OSError as error:
        raise NotRepresentable(f"the sandbox still holds its file open for writing: {error}") from error
    mapping = _private_mapping(descriptor)
    try:
        table = _checked_table(pa.py_buffer(mapping), size)
        return from_arrow(table, as_numpy=_MappedColumns(mapping))
    except (pa.ArrowException, OSError, UnicodeDecodeError, OverflowError, struct.error, IndexError) as error:
        raise NotRepresentable(f"it is no sound Arrow data: {error}") from error


def _checked_table(content: pa.Buffer, size: int) -> pa.Table:
    for message in pa.ipc.MessageReader.open_stream(content):
        _check_message(message)
    with pa.ipc.open_stream(content) as stream:
        for field in stream.schema:
            if not _is_plain(field.type):
                raise NotRepresentable(f'column "{field.name}" has the Arrow type {field.type}')
        table = stream.read_all()
    # Every row of any other type takes at least one bit; columns of nothing but nulls could claim any number.
    if table.num_rows > 8 * size:
        raise NotRepresentable(f"it claims {table.num_rows:,} rows in {size:,} bytes")
    table.validate(full=True)
    return table


def _check_message(message: pa.ipc.Message) -> None:
    if message.type not in ("schema", "record batch", "dictionary"):
        raise NotRepresentable(f"it holds a message of type {message.type}")
    metadata = message.metadata.to_pybytes()
    if message.type == "schema":
        # Arrow makes registered extension types while it reads a schema, by code of whoever registered them.
        if _EXTENSION_MARK in metadata:
            raise NotRepresentable("it holds an extension type")
        return
    header = _table_at(metadata, _field(metadata, _table_at(metadata, 0), 2))
    batch = _table_at(metadata, _field(metadata, header, 1)) if message.type == "dictionary" else header
    if _field(metadata, batch, 3):
        # Compressed buffers could unfold to any size before anybody can look.
        raise NotRepresentable("it holds compressed data")


def _table_at(metadata: bytes, offset: int) -> int:
    (relative,) = struct.unpack_from("<I", metadata, offset)
    return int(offset + relative)


def _field(metadata: bytes, table: int, number: int) -> int:
    """Where a field of a flatbuffers table lies; 0 when it is left out. Source: flatbuffers internals, "Tables"."""
    (back,) = struct.unpack_from("<i", metadata, table)
    vtable = table - back
    (length,) = struct.unpack_from("<H", metadata, vtable)
    slot = 4 + 2 * number
    if slot >= length:
        return 0
    (relative,) = struct.unpack_from("<H", metadata, vtable + slot)
    return int(table + relative) if relative else 0


def _is_plain(kind: pa.DataType) -> bool:
    if isinstance(kind, pa.BaseExtensionType):
        return False
    if pa.types.is_dictionary(kind):
        return not pa.types.is_dictionary(kind.value_type) and _is_plain(kind.value_type)
    if pa.types.is_list(kind) or pa.types.is_large_list(kind):
        return _is_plain(kind.value_type)
    if pa.types.is_struct(kind):
        return kind.num_fields > 0 and all(_is_plain(kind.field(number).type) for number in range(kind.num_fields))
    return any(test(kind) for test in _PLAIN_TYPES)


class _MappedColumns:
    """Writable NumPy views of the plain columns of a mapped file."""

    def __init__(self, mapping: mmap.mmap) -> None:
        self._bytes = np.frombuffer(mapping, dtype=np.uint8)
        self._start = self._bytes.ctypes.data

    def __call__(self, column: pa.ChunkedArray) -> np.ndarray[Any, Any] | None:
        dtype = _numpy_dtype(column.type)
        if dtype is None or column.num_chunks != 1 or column.null_count:
            return None
        chunk = column.chunk(0)
        buffer = chunk.buffers()[1]
        if buffer is None or not len(chunk):
            return np.empty(0, dtype)
        begin = buffer.address - self._start + chunk.offset * dtype.itemsize
        end = begin + len(chunk) * dtype.itemsize
        if not 0 <= begin <= end <= len(self._bytes) or begin % dtype.itemsize:
            return None
        view: np.ndarray[Any, Any] = self._bytes[begin:end].view(dtype)
        return view


def _numpy_dtype(kind: pa.DataType) -> np.dtype[Any] | None:
    if pa.types.is_integer(kind) or pa.types.is_floating(kind):
        number: np.dtype[Any] = np.dtype(kind.to_pandas_dtype())
        return number
    if pa.types.is_timestamp(kind) and kind.tz is None:
        return np.dtype(f"M8[{kind.unit}]")
    if pa.types.is_duration(kind):
        return np.dtype(f"m8[{kind.unit}]")
    return None


def _private_mapping(descriptor: int) -> mmap.mmap:
    return mmap.mmap(descriptor, 0, flags=mmap.MAP_PRIVATE, prot=mmap.PROT_READ | mmap.PROT_WRITE)


def _written(table: pa.Table) -> int:
    with _nameless_file(table.nbytes) as file:
        with pa.ipc.new_file(pa.PythonFile(file, mode="w"), table.schema) as writer:
            _write_whole(writer, table.combine_chunks())
        file.flush()
        with suppress(OSError):
            # Without this it could be opened for writing by its number in /proc; a nameless file on a disk cannot
            # be sealed, and there Landlock refuses.
            fcntl.fcntl(file.fileno(), fcntl.F_ADD_SEALS, _SEALS)
        # Opened again for reading only: the confined process gets no right to write.
        return os.open(f"/proc/self/fd/{file.fileno()}", os.O_RDONLY | os.O_CLOEXEC)


def _write_whole(writer: pa.RecordBatchStreamWriter | pa.RecordBatchFileWriter, table: pa.Table) -> None:
    # One batch, so that every column is one run of bytes that can be mapped; and one even for no rows, since the values
    # of categories travel with batches.
    arrays = [column.chunk(0) if column.num_chunks == 1 else column.combine_chunks() for column in table.columns]
    writer.write_batch(pa.RecordBatch.from_arrays(arrays, schema=table.schema))


def _nameless_file(expected_bytes: int) -> BinaryIO:
    if expected_bytes <= _LARGEST_IN_MEMORY_BYTES:
        return os.fdopen(os.memfd_create("kernel-sandbox-table", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING), "w+b")
    return tempfile.TemporaryFile(prefix="kernel-sandbox-table-")


def _open_arrow_file(path: Path) -> tuple[int, int, tuple[str, ...], int]:
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        with os.fdopen(os.dup(descriptor), "rb") as file:
            if file.read(len(_FILE_MAGIC)) != _FILE_MAGIC:
                raise NotRepresentable(f"{path} is no Arrow IPC file")
        with pa.memory_map(str(path)) as mapped, pa.ipc.open_file(mapped) as reader:
            rows = sum(reader.get_batch(number).num_rows for number in range(reader.num_record_batches))
            names = tuple(reader.schema.names)
    except BaseException:
        os.close(descriptor)
        raise
    return descriptor, rows, names, os.fstat(descriptor).st_size


def _as_frame(value: object) -> pd.DataFrame:
    if isinstance(value, pd.DataFrame):
        return value
    if isinstance(value, pd.Series):
        return value.to_frame() if value.name is not None else value.to_frame(name=0)
    if isinstance(value, pd.Index):
        return value.to_frame(index=False)
    raise NotRepresentable(f"it is a {type(value).__name__}, not a DataFrame or Series")
