"""Frames across the line as open files: no path is passed, so there is no link to follow and no folder to grant.

Going in, the confined process maps the file privately: its frame is writable, and the file cannot be changed.
Coming out, it writes its columns into memory that we opened; `reading` seals that memory before it looks at it.
"""

import fcntl
import mmap
import os
import tempfile
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Literal

import pandas as pd
import pyarrow as pa

from kernel_sandbox.policy import MIB
from kernel_sandbox.tables.boundary import NotRepresentable
from kernel_sandbox.tables.columns import read_columns, write_columns
from kernel_sandbox.tables.frames import described_frame, from_arrow, to_arrays, to_arrow
from kernel_sandbox.tables.lending import lend_file
from kernel_sandbox.tables.mapping import SEALS, MappedColumns, private_mapping

# Smaller tables go through memory; larger ones through a nameless file, which the system can page out. To write that
# takes up to four times as long, so that where memory is ample it holds more of them.
_ALWAYS_IN_MEMORY_BYTES, _LARGEST_IN_MEMORY_BYTES = 64 * MIB, 512 * MIB
_OF_FREE_MEMORY = 1 / 16
_FILE_MAGIC = b"ARROW1"
_PLAIN_TYPES = (
    *(pa.types.is_null, pa.types.is_boolean, pa.types.is_integer, pa.types.is_floating, pa.types.is_decimal),
    *(pa.types.is_string, pa.types.is_large_string, pa.types.is_binary, pa.types.is_large_binary),
    *(pa.types.is_timestamp, pa.types.is_date, pa.types.is_time, pa.types.is_duration),
)


@dataclass(frozen=True)
class StagedTable:
    """A table handed to a sandbox under `name`: `rows` and `columns` as the code will see them, and bytes copied."""

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
    arrow = to_arrow(table) if isinstance(table, pd.DataFrame) else table
    if any(not _is_plain(field.type) for field in arrow.schema):
        strange = next(field for field in arrow.schema if not _is_plain(field.type))
        raise NotRepresentable(f'column "{strange.name}" has the Arrow type {strange.type}, which cannot cross')
    descriptor = _written(arrow)
    labels = table.columns if isinstance(table, pd.DataFrame) else arrow.column_names
    return descriptor, len(table), tuple(map(str, labels)), os.fstat(descriptor).st_size


def open_files(
    name: str, table: pd.DataFrame | pa.Table | Path, *, lend: bool
) -> tuple[StagedTable, dict[Literal["lend", "stage"], int]]:
    """The table as it is handed over under that name, and the open files for it: one, or with `lend` perhaps two.

    The caller closes them. Raises: as `open_table`.
    """
    if lend and isinstance(table, pd.DataFrame) and (found := open_lent(table)) is not None:
        lent, copied = found
        staged = StagedTable(name, len(table), tuple(map(str, table.columns)), os.fstat(copied).st_size)
        return staged, {"lend": lent, "stage": copied}
    descriptor, rows, columns, file_bytes = open_table(table)
    return StagedTable(name, rows, columns, file_bytes), {"stage": descriptor}


def open_lent(frame: pd.DataFrame) -> tuple[int, int] | None:
    """Two open files: one in which columns of the frame lie, and one that says where, with what lies elsewhere.

    None when no file holds much of the frame. The caller closes them. Raises: NotRepresentable, OSError.
    """
    arrays, description = to_arrays(frame, keep_index=False)
    lent = lend_file(arrays) if all(_is_plain(array.type) for array in arrays) else None
    if lent is None:
        return None
    try:
        buffers = [one for array in arrays for one in array.buffers() if one is not None]
        with _nameless_file(sum(one.size for one in buffers if lent.place(one) is None)) as file:
            write_columns(file, arrays, description, lent=lent)
            file.flush()
            return lent.descriptor, _for_reading(file)
    except BaseException:
        os.close(lent.descriptor)
        raise


def lent_frame(lent: mmap.mmap, descriptor: int) -> pd.DataFrame:
    """The frame of two files as `open_lent` opens them, as writable as one of a single file."""
    mapping = private_mapping(descriptor)
    arrays, description = read_columns(pa.py_buffer(mapping), lent=pa.py_buffer(lent))
    table = pa.Table.from_arrays(arrays, names=[str(number) for number in range(len(arrays))])
    return described_frame(table, description, as_numpy=MappedColumns(mapping, lent))


def mapped_frame(descriptor: int) -> pd.DataFrame:
    """The frame of an Arrow file: writable, and sharing its bytes with the file until they are written to.

    Columns of numbers and naive times without missing values, in a file of one batch, cost no memory.
    """
    mapping = private_mapping(descriptor)
    table = pa.ipc.open_file(pa.py_buffer(mapping)).read_all()
    return from_arrow(table, as_numpy=MappedColumns(mapping))


def write_frame(value: object, descriptor: int, *, max_rows: int | None) -> int:
    """Write a frame, series or index with its index: the number of rows it has before `max_rows` cuts it.

    Raises: NotRepresentable when the value is no frame or cannot cross; OSError when it is too large.
    """
    frame = _as_frame(value)
    rows = len(frame)
    arrays, description = to_arrays(frame if max_rows is None else frame.head(max_rows), keep_index=True)
    with os.fdopen(os.dup(descriptor), "wb") as file:
        write_columns(file, arrays, description)
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


def _written(table: pa.Table) -> int:
    table = table.combine_chunks()
    with _nameless_file(table.nbytes) as file:
        with pa.ipc.new_file(pa.PythonFile(file, mode="w"), table.schema) as writer:
            # One batch, so that every column is one run of bytes that can be mapped; and one even for no rows, since
            # the values of categories travel with batches.
            arrays = [one.chunk(0) if one.num_chunks == 1 else one.combine_chunks() for one in table.columns]
            writer.write_batch(pa.RecordBatch.from_arrays(arrays, schema=table.schema))
        file.flush()
        return _for_reading(file)


def _for_reading(file: BinaryIO) -> int:
    with suppress(OSError):
        # Without this it could be opened for writing by its number in /proc; a nameless file on a disk cannot
        # be sealed, and there Landlock refuses.
        fcntl.fcntl(file.fileno(), fcntl.F_ADD_SEALS, SEALS)
    # Opened again for reading only: the confined process gets no right to write.
    return os.open(f"/proc/self/fd/{file.fileno()}", os.O_RDONLY | os.O_CLOEXEC)


def _nameless_file(expected_bytes: int) -> BinaryIO:
    if expected_bytes <= _ALWAYS_IN_MEMORY_BYTES or _is_ample(expected_bytes):
        return os.fdopen(os.memfd_create("kernel-sandbox-table", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING), "w+b")
    return tempfile.TemporaryFile(prefix="kernel-sandbox-table-")


def _is_ample(expected_bytes: int) -> bool:
    """Whether so many bytes are a small part of the memory that is free."""
    if expected_bytes > _LARGEST_IN_MEMORY_BYTES:
        return False
    try:
        said = Path("/proc/meminfo").read_text(encoding="ascii").partition("MemAvailable:")[2].split()
        return expected_bytes <= _OF_FREE_MEMORY * int(said[0]) * 1024
    except (OSError, ValueError, IndexError):
        return False


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
