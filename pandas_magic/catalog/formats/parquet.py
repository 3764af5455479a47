"""Parquet: one file, or a folder of them whose sub-folders may name values (`year=2026/`)."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa

from pandas_magic.catalog.readers import LoadedRows, ReadOptions

if TYPE_CHECKING:
    import pyarrow.dataset


def read(path: Path, options: ReadOptions, part: str = "") -> LoadedRows:
    """The whole table."""
    return LoadedRows(dataset(path).to_table())


def dataset(path: Path) -> pyarrow.dataset.Dataset:
    """The file or folder, of which single columns and row groups can be read."""
    import pyarrow.dataset

    # Read as needed: Arrow would fetch all row groups of a scan beforehand and hold them, as far-away stores need.
    options = pyarrow.dataset.ParquetFragmentScanOptions(pre_buffer=False)
    form = pyarrow.dataset.ParquetFileFormat(default_fragment_scan_options=options)
    found = pyarrow.dataset.dataset(str(path), format=form, partitioning="hive")
    schema = _with_types_of_others(found)
    return found if schema.equals(found.schema) else found.replace_schema(schema)


def _with_types_of_others(found: pyarrow.dataset.Dataset) -> pa.Schema:
    """The schema of the first file, a column without a value there having the type that it has in the next with one."""
    schema: pa.Schema = found.schema
    unknown = {name for name in schema.names if pa.types.is_null(schema.field(name).type)}
    for fragment in found.get_fragments() if unknown else ():
        held = fragment.physical_schema
        for name in sorted(unknown.intersection(held.names)):
            if not pa.types.is_null(held.field(name).type):
                schema = schema.set(schema.get_field_index(name), held.field(name))
                unknown.remove(name)
        if not unknown:
            break
    return schema
