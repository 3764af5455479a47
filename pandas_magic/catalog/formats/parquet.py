"""Parquet: one file, or a folder of them whose sub-folders may name values (`year=2026/`)."""

from pathlib import Path

import pyarrow.dataset

from pandas_magic.catalog.readers import LoadedRows, ReadOptions


def read(path: Path, options: ReadOptions, part: str = "") -> LoadedRows:
    """The whole table."""
    return LoadedRows(dataset(path).to_table())


def dataset(path: Path) -> pyarrow.dataset.Dataset:
    """The file or folder, of which single columns and row groups can be read."""
    # Read as needed: Arrow would fetch all row groups of a scan beforehand and hold them, as far-away stores need.
    options = pyarrow.dataset.ParquetFragmentScanOptions(pre_buffer=False)
    form = pyarrow.dataset.ParquetFileFormat(default_fragment_scan_options=options)
    return pyarrow.dataset.dataset(str(path), format=form, partitioning="hive")
