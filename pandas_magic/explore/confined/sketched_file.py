"""A file of any size in one pass, in memory that stays small: a sketch of each column, and an even sample of rows."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet

from pandas_magic.explore.confined.associations import SEED
from pandas_magic.explore.confined.file_frame import Unreadable, frame_of, head_of, opened, reading_options
from pandas_magic.explore.confined.sketches import ColumnSketch, Kind
from pandas_magic.explore.confined.unique_names import with_unique_names

Facts = dict[str, Any]

SAMPLE_ROWS = 50_000
_BATCH_ROWS = 1 << 17
_BUFFER_BYTES = 1 << 20  # of a column, read at once
_HEAD_BYTES = 1 << 23  # from which delimiter, encoding and kinds of columns are known


def sketch_file(path: str, name: str) -> tuple[pd.DataFrame, dict[str, ColumnSketch], Facts]:
    """The sample, a sketch of each column of all rows, and how the file was read.

    Raises: Unreadable.
    """
    place = Path(path)
    before = _stamps(place)
    try:
        reading, batches, names, kinds = _batches(place, name)
        sample, sketches = _Sample(), [ColumnSketch(kind) for kind in kinds]
        for batch in batches:
            plain = pa.RecordBatch.from_arrays([_as_values(column) for column in batch.columns], names)
            for column, sketch in zip(plain.columns, sketches, strict=True):
                sketch.add(column)
            sample.add(plain)
    except (pa.ArrowException, OSError, ValueError) as error:
        if isinstance(error, Unreadable):
            raise
        raise Unreadable(f"{name} does not parse: {str(error).strip().splitlines()[0]}") from error
    if before != _stamps(place):
        raise Unreadable(f"{name} changed while it was read; run it again")
    unique = with_unique_names(pd.DataFrame(columns=names)).columns
    facts = reading | {"bytes": sum(stamp[-1] for stamp in before)}
    return _as_read(sample.table(), kinds), dict(zip(map(str, unique), sketches, strict=True)), facts


def _batches(place: Path, name: str) -> tuple[Facts, Iterator[Any], list[str], list[Kind]]:
    """How the file is read, its rows, and the names and kinds of its columns."""
    if place.is_dir() or place.suffix.lower() == ".parquet":
        schema, batches, rows = _folder(place) if place.is_dir() else _parquet_file(place)
        kinds = [_kind_of(_plain_type(field.type).to_pandas_dtype()) for field in schema]
        return {}, _counted(batches, rows), schema.names, kinds
    head, reading = head_of(place, name, _HEAD_BYTES)
    texts: dict[str, Any] = {str(column): pa.string() for column in head.columns}
    options = reading_options(
        reading["delimiter"], texts, encoding=reading["encoding"], on_ragged=partial(_skip, reading)
    )
    kinds = [_kind_of(dtype) for dtype in head.dtypes]
    reading |= {"ragged_lines": 0, "read_bytes": None}  # of the head
    return reading, _counted(pyarrow.csv.open_csv(opened(place), **options), None), list(texts), kinds


def _parquet_file(place: Path) -> tuple[Any, Iterator[Any], int]:
    # Without a buffer each column of a row group, which may be the whole file, is held as it is compressed.
    file = pyarrow.parquet.ParquetFile(place, pre_buffer=False, buffer_size=_BUFFER_BYTES)
    return file.schema_arrow, file.iter_batches(_BATCH_ROWS), file.metadata.num_rows


def _folder(place: Path) -> tuple[Any, Iterator[Any], int]:
    """Parquet files of one table, whose sub-folders may name values (`year=2026/`)."""
    import pyarrow.dataset

    options = {"pre_buffer": False, "use_buffered_stream": True, "buffer_size": _BUFFER_BYTES}
    scan = pyarrow.dataset.ParquetFragmentScanOptions(**options)
    form = pyarrow.dataset.ParquetFileFormat(default_fragment_scan_options=scan)
    dataset = pyarrow.dataset.dataset(str(place), format=form, partitioning="hive")
    batches = dataset.to_batches(batch_size=_BATCH_ROWS, batch_readahead=1, fragment_readahead=1)
    return dataset.schema, batches, dataset.count_rows()


def _stamps(place: Path) -> list[tuple[str, int, int, int]]:
    """What tells a file, or each file of a folder, from what it was, and its size."""
    files = sorted(file for file in place.rglob("*") if file.is_file()) if place.is_dir() else [place]
    stats = [(str(file), file.stat()) for file in files]
    return [(name, stat.st_mtime_ns, stat.st_ino, stat.st_size) for name, stat in stats]


def _as_values(column: Any) -> Any:  # noqa: ANN401 - a pyarrow array
    """Values that can be counted: what has parts, or is bytes, as the text that Python writes for it."""
    kind = _plain_type(column.type)
    if kind != column.type:
        column = column.cast(kind)
    if pa.types.is_nested(kind) or pa.types.is_binary(kind) or pa.types.is_large_binary(kind):
        return pa.array([None if value is None else str(value) for value in column.to_pylist()], pa.large_string())
    return column


def _plain_type(kind: Any) -> Any:  # noqa: ANN401 - of pyarrow
    return kind.value_type if pa.types.is_dictionary(kind) else kind


def _skip(reading: Facts, _: Any) -> str:  # noqa: ANN401 - pyarrow's InvalidRow
    reading["ragged_lines"] += 1
    return "skip"


def _counted(batches: Any, rows: int | None) -> Iterator[Any]:  # noqa: ANN401 - of pyarrow
    seen = 0
    for batch in batches:
        yield batch
        seen += batch.num_rows
        of = f" of {rows:,}" if rows is not None else ""
        print(f"progress: reading, {seen:,}{of} rows", file=sys.stderr, flush=True)


def _kind_of(dtype: Any) -> Kind:  # noqa: ANN401 - of NumPy or pandas
    known = np.dtype(dtype) if isinstance(dtype, type) else dtype
    kind = getattr(known, "kind", "O")
    return "number" if kind in "iuf" else "time" if kind == "M" else "text"


def _as_read(table: Any, kinds: list[Kind]) -> pd.DataFrame:  # noqa: ANN401 - of pyarrow
    """The sample with the numbers of a text file as numbers."""
    frame = frame_of(table)
    columns = [
        pd.to_numeric(column, errors="coerce") if kind == "number" and column.dtype.kind not in "iuf" else column
        for kind, (_, column) in zip(kinds, frame.items(), strict=True)
    ]
    read = pd.DataFrame(dict(enumerate(columns)))
    read.columns = frame.columns
    return read


class _Sample:
    """Rows of which each has the same chance: those of the smallest random numbers, in the order of the file."""

    def __init__(self) -> None:
        self._random, self._highest, self._seen = np.random.default_rng(SEED), 1.0, 0
        self._kept: list[tuple[Any, Any, Any]] = []  # drawn numbers, positions, rows

    def add(self, batch: Any) -> None:  # noqa: ANN401 - of pyarrow
        drawn = self._random.random(batch.num_rows)
        taken = np.flatnonzero(drawn < self._highest)
        self._kept.append((drawn[taken], taken + self._seen, pa.Table.from_batches([batch.take(pa.array(taken))])))
        self._seen += batch.num_rows
        if sum(len(each[0]) for each in self._kept) > 2 * SAMPLE_ROWS:
            self._prune()

    def _prune(self) -> None:
        drawn, at = (np.concatenate([each[part] for each in self._kept]) for part in (0, 1))
        rows = pa.concat_tables([each[2] for each in self._kept])
        first = np.sort(np.argsort(drawn)[:SAMPLE_ROWS])
        self._highest = float(drawn[first].max()) if len(first) == SAMPLE_ROWS else 1.0
        self._kept = [(drawn[first], at[first], rows.take(pa.array(first)).combine_chunks())]

    def table(self) -> Any:  # noqa: ANN401 - of pyarrow
        if not self._kept:
            raise Unreadable("it has no rows")
        self._prune()
        return self._kept[0][2]
