"""Feather and Arrow IPC files and streams."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa

from pandas_magic.catalog.readers import LoadedRows, ReadOptions

if TYPE_CHECKING:
    import pyarrow.dataset

_STREAM = b"\xff\xff\xff\xff"
_FEATHER_1 = b"FEA1"


def read(path: Path, options: ReadOptions, part: str = "") -> LoadedRows:
    """The whole table, in memory: a map of a file that another program cuts short would end the process."""
    with path.open("rb") as file:
        begin = file.read(4)
    if begin == _STREAM:
        return LoadedRows(pa.ipc.open_stream(pa.OSFile(str(path))).read_all())
    if begin == _FEATHER_1:
        from pyarrow.feather import read_table

        return LoadedRows(read_table(path, memory_map=False))
    return LoadedRows(pa.ipc.open_file(pa.OSFile(str(path))).read_all())


def is_stream(path: Path) -> bool:
    """Whether the file can only be read whole: a stream, or a Feather file of the first version."""
    with path.open("rb") as file:
        return file.read(4) in (_STREAM, _FEATHER_1)


def dataset(path: Path) -> pyarrow.dataset.Dataset:
    """The file, of which single columns can be read."""
    import pyarrow.dataset

    return pyarrow.dataset.dataset(str(path), format="ipc")
