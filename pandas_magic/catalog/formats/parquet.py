"""Parquet: one file, or a folder of them whose sub-folders may name values (`year=2026/`)."""

from pathlib import Path

import pyarrow.dataset

from pandas_magic.catalog.reading import Reading, ReadOptions


def read(path: Path, options: ReadOptions, part: str = "") -> Reading:
    """The whole table."""
    return Reading(dataset(path).to_table())


def dataset(path: Path) -> pyarrow.dataset.Dataset:
    """The file or folder, of which single columns and row groups can be read."""
    return pyarrow.dataset.dataset(str(path), format="parquet", partitioning="hive")
