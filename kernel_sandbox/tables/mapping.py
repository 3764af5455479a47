"""Files of tables as memory: mapped privately, so that what is written to a frame changes no file."""

import fcntl
import mmap
from typing import Any

import numpy as np
import pyarrow as pa

# With these nobody can change a file in memory any more, through whatever name it was opened.
SEALS = fcntl.F_SEAL_SEAL | fcntl.F_SEAL_WRITE | fcntl.F_SEAL_GROW | fcntl.F_SEAL_SHRINK


def private_mapping(descriptor: int) -> mmap.mmap:
    """The bytes of an open file; writing to them changes a copy."""
    return mmap.mmap(descriptor, 0, flags=mmap.MAP_PRIVATE, prot=mmap.PROT_READ | mmap.PROT_WRITE)


class MappedColumns:
    """Writable NumPy views of the plain columns of a mapped file."""

    def __init__(self, mapping: mmap.mmap) -> None:
        self._bytes = np.frombuffer(mapping, dtype=np.uint8)
        self._start = self._bytes.ctypes.data

    def __call__(self, column: pa.ChunkedArray) -> np.ndarray[Any, Any] | None:
        """The column without a copy, or None when it has no such form."""
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
