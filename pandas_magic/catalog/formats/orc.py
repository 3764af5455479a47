"""ORC files."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from pandas_magic.catalog.readers import LoadedRows, ReadOptions

if TYPE_CHECKING:
    import pyarrow.dataset


def read(path: Path, options: ReadOptions, part: str = "") -> LoadedRows:
    """The whole table."""
    return LoadedRows(dataset(path).to_table())


def dataset(path: Path) -> pyarrow.dataset.Dataset:
    """The file, of which single columns can be read."""
    import pyarrow.dataset

    return pyarrow.dataset.dataset(str(path), format="orc")
