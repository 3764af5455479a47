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
    """Writable NumPy views of the plain columns of mapped files."""

    def __init__(self, *mappings: mmap.mmap) -> None:
        self._bytes = [np.frombuffer(mapping, dtype=np.uint8) for mapping in mappings]

    def __call__(self, column: pa.ChunkedArray) -> np.ndarray[Any, Any] | None:
        """The column without a copy, or None when it has no such form."""
        dtype = _numpy_dtype(column.type)
        if dtype is None or column.num_chunks != 1 or column.null_count:
            return None
        chunk = column.chunk(0)
        buffer = chunk.buffers()[1]
        if buffer is None or not len(chunk):
            return np.empty(0, dtype)
        for mapped in self._bytes:
            begin = buffer.address - mapped.ctypes.data + chunk.offset * dtype.itemsize
            end = begin + len(chunk) * dtype.itemsize
            if 0 <= begin <= end <= len(mapped) and not begin % dtype.itemsize:
                view: np.ndarray[Any, Any] = mapped[begin:end].view(dtype)
                return view
        return None


def _numpy_dtype(kind: pa.DataType) -> np.dtype[Any] | None:
    if pa.types.is_integer(kind) or pa.types.is_floating(kind):
        number: np.dtype[Any] = np.dtype(kind.to_pandas_dtype())
        return number
    if pa.types.is_timestamp(kind) and kind.tz is None:
        return np.dtype(f"M8[{kind.unit}]")
    if pa.types.is_duration(kind):
        return np.dtype(f"m8[{kind.unit}]")
    return None
