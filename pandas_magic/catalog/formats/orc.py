"""ORC files."""

from pathlib import Path

import pyarrow.dataset

from pandas_magic.catalog.readers import LoadedRows, ReadOptions


def read(path: Path, options: ReadOptions, part: str = "") -> LoadedRows:
    """The whole table."""
    return LoadedRows(dataset(path).to_table())


def dataset(path: Path) -> pyarrow.dataset.Dataset:
    """The file, of which single columns can be read."""
    return pyarrow.dataset.dataset(str(path), format="orc")
