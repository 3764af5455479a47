"""A table in columnar files: single columns and row groups are read where they lie, nothing is copied."""

import hashlib
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.dataset

from pandas_magic.catalog.arrow import describe_arrow, dtype_for, frame_from_arrow, refuse_duplicate_names
from pandas_magic.catalog.cache.columnar import READER_VERSION, ColumnarCache, key_of
from pandas_magic.catalog.file_stamp import stamp_of
from pandas_magic.catalog.formats.opening import format_by_suffix, in_our_words, refuse_other_content, unreadable
from pandas_magic.catalog.sources.file_table import BATCH_ROWS
from pandas_magic.catalog.table import Table
from pandas_magic.errors import TableUnreadable
from pandas_magic.record import digest

# Above this the values that occur and the keys are not worked out: that would read every column once.
_FACTS_BYTES = 1024**3
# The last bytes of a Parquet file: how long the footer before them is, and four letters.
_TAIL_BYTES = 8
# Bytes of the files whose columns are looked at together.
_DESCRIBED_BYTES = 32 * 1024**2


class FilePiece(NamedTuple):
    """One Parquet file of a table."""

    path: str
    identity: str  # changes with its size, times of change, inode or footer, which tells about every row group
    rows: int
    changed_at: float  # seconds since 1970


class Pieces(NamedTuple):
    """The files of a table in the order of their rows, and the Arrow types of its columns, in words."""

    files: tuple[FilePiece, ...]
    types: Mapping[str, str]


@dataclass
class DatasetTable:
    """Parquet, Feather or ORC files as one table. `open_dataset` is called anew after each change of the files."""

    name: str
    path: Path
    open_dataset: Callable[[Path], Any]
    cache: ColumnarCache | None = None
    group: str = ""
    _opened: tuple[str, Any] | None = None
    _seen: list[Path] = field(default_factory=list)  # the files when their identity was last asked for

    def identity(self) -> str:
        """Changes whenever a file does, or one comes or goes. Raises: TableUnreadable when there is none."""
        try:
            self._seen = files_of(self.path)
            stats = [(str(path), path.stat()) for path in self._seen]
        except OSError as error:
            raise unreadable(self.path, error) from error
        if not stats:
            raise unreadable(self.path, FileNotFoundError())
        return digest([[path, stamp_of(stat)] for path, stat in stats] + [[READER_VERSION]])

    def schema(self) -> Table:
        """The schema from the files' footers; values and keys from the columns, for tables that are not too large."""
        identity = self.identity()
        key = key_of(self.path.absolute())
        known = self.cache.schema(key, identity) if self.cache is not None else None
        if known is not None:
            return known.model_copy(update={"name": self.name, "group": self.group})
        with self._reading() as dataset:
            table = self._described(dataset)
        if self.cache is not None:
            self.cache.keep_schema(key, identity, table)
        return table

    def frame(self, columns: Sequence[str] | None = None) -> pd.DataFrame:
        """The rows, all columns or those named, on a RangeIndex."""
        with self._reading() as dataset:
            table = dataset.to_table(columns=None if columns is None else list(columns))
        return frame_from_arrow(table)

    def rows(self, positions: Sequence[int]) -> pd.DataFrame:
        """Whole rows by their position, counted through the files in order."""
        with self._reading() as dataset:
            if len(positions) and dataset.count_rows() <= BATCH_ROWS:
                return self.frame().iloc[list(positions)]
            taken = frame_from_arrow(_taken(dataset, np.asarray(positions, dtype=np.int64)))
        return taken.set_axis(pd.Index(list(positions), dtype="int64"), axis=0)

    def batches(self, columns: Sequence[str], *, rows: int = BATCH_ROWS) -> Iterator[pa.Table]:
        """The rows in order, at most so many at a time; at least one batch, which may be empty."""
        with self._reading() as dataset:
            identity = self.identity()
            for batch in _grouped(dataset, columns, rows):
                self._refuse_change(identity)
                yield batch

    def row_count(self) -> int:
        """How many rows its files have. Raises: TableUnreadable."""
        with self._reading() as dataset:
            return int(dataset.count_rows())

    def pieces(self) -> Pieces:
        """Its files in the order of their rows; none where they are not Parquet. Raises: TableUnreadable."""
        with self._reading() as dataset:
            types = {column.name: str(column.type) for column in dataset.schema}
            is_parquet = isinstance(dataset.format, pyarrow.dataset.ParquetFileFormat)
            return Pieces(tuple(map(_piece_of, dataset.get_fragments())) if is_parquet else (), types)

    def rows_of_pieces(self, numbers: range, columns: Sequence[str]) -> pa.Table:
        """The rows of some of `pieces` that follow each other. Raises: TableUnreadable."""
        with self._reading() as dataset:
            chosen = list(dataset.get_fragments())[numbers.start : numbers.stop]
            found = [piece.to_table(schema=dataset.schema, columns=list(columns)) for piece in chosen]
            return pa.concat_tables(found)

    @contextmanager
    def _reading(self) -> Iterator[Any]:
        """The dataset of the files as they are now. Raises: TableUnreadable, also when they change meanwhile."""
        identity = self.identity()
        try:
            with in_our_words(self.path, format_by_suffix(self._first())):
                yield self._dataset(identity)
        except TableUnreadable:
            self._refuse_change(identity)  # half of a new file does not parse, but that is not what is wrong
            raise
        self._refuse_change(identity)

    def _refuse_change(self, identity: str) -> None:
        if self.identity() != identity:
            raise TableUnreadable(f"{self.path.name} changed while it was read; run it again")

    def _dataset(self, identity: str) -> Any:  # noqa: ANN401 - Arrow carries no types
        if self._opened is None or self._opened[0] != identity:
            refuse_other_content(self._first(), format_by_suffix(self._first()))
            dataset = self.open_dataset(self.path)
            refuse_duplicate_names(dataset.schema.names, self.path.name)
            self._opened = (identity, dataset)
        return self._opened[1]

    def _described(self, dataset: Any) -> Table:  # noqa: ANN401 - Arrow carries no types
        file_bytes = sum(path.stat().st_size for path in files_of(self.path))
        facts = {"origin": str(self.path), "file_bytes": file_bytes, "group": self.group}
        if file_bytes > _FACTS_BYTES:
            return Table(
                name=self.name,
                columns={column.name: dtype_for(column.type) for column in dataset.schema},
                row_count=dataset.count_rows(),
                notes=("large: which values occur and which columns are keys was not looked up",),
                origin=str(self.path), file_bytes=file_bytes, group=self.group,
            )  # fmt: skip
        # Some columns at a time, so that memory holds a part of the file; one by one, ten thousand take minutes.
        names = dataset.schema.names
        step = max(1, len(names) * _DESCRIBED_BYTES // max(file_bytes, 1))
        some = [
            describe_arrow(self.name, dataset.to_table(columns=names[start : start + step]))
            for start in range(0, len(names), step)
        ]
        return Table(
            name=self.name,
            columns={name: dtype for one in some for name, dtype in one.columns.items()},
            values={name: texts for one in some for name, texts in one.values.items()},
            keys=tuple(name for one in some for name in one.keys),
            missing={name: count for one in some for name, count in one.missing.items()},
            read_as={name: kind for one in some for name, kind in one.read_as.items()},
            moments=tuple(name for one in some for name in one.moments),
            row_count=dataset.count_rows(),
        ).model_copy(update=facts)

    def _first(self) -> Path:
        return next(iter(self._seen or files_of(self.path)), self.path)


def _piece_of(fragment: Any) -> FilePiece:  # noqa: ANN401 - Arrow carries no types
    path = Path(fragment.path)
    with path.open("rb") as file:
        stat = os.fstat(file.fileno())
        file.seek(-_TAIL_BYTES, os.SEEK_END)
        footer_bytes = int.from_bytes(file.read(4), "little")
        file.seek(-min(_TAIL_BYTES + footer_bytes, stat.st_size), os.SEEK_END)
        footer = hashlib.sha256(file.read()).hexdigest()
    identity = digest([stamp_of(stat), footer])
    return FilePiece(str(path), identity, fragment.metadata.num_rows, stat.st_mtime)


def _taken(dataset: Any, positions: "np.ndarray[Any, np.dtype[np.int64]]") -> pa.Table:  # noqa: ANN401 - Arrow carries no types
    """The rows at these positions, in the order given. `dataset.take` would hold every column of every row at once."""
    order = np.argsort(positions, kind="stable")
    wanted, found, start = positions[order], [], 0
    for piece in _pieces(dataset):
        # Of one row group `count_rows` counts those of its file.
        groups = getattr(piece, "row_groups", None)
        end = start + (sum(group.num_rows for group in groups) if groups else piece.count_rows())
        first, last = np.searchsorted(wanted, [start, end])
        if last > first:
            here = piece.to_table(schema=dataset.schema)
            found.append(here.take(pa.array(wanted[first:last] - start)))
        start = end
    sorted_rows = pa.concat_tables(found) if found else dataset.schema.empty_table()
    return sorted_rows.take(pa.array(np.argsort(order, kind="stable")))


def _pieces(dataset: Any) -> Iterator[Any]:  # noqa: ANN401 - Arrow carries no types
    """What of the files can be read by itself, in order: row groups of Parquet, else whole files."""
    for fragment in dataset.get_fragments():
        yield from fragment.split_by_row_group() if hasattr(fragment, "split_by_row_group") else [fragment]


def _grouped(dataset: Any, columns: Sequence[str], rows: int) -> Iterator[pa.Table]:  # noqa: ANN401 - Arrow carries no types
    """The rows in order, in tables of about `rows`; at least one, which may be empty."""
    schema = pa.schema([dataset.schema.field(name) for name in columns])
    # Little read-ahead: the default keeps gigabytes of row groups in flight.
    found = dataset.to_batches(columns=list(columns), batch_size=rows, batch_readahead=1, fragment_readahead=1)
    pending: list[pa.RecordBatch] = []
    count = 0
    for batch in found:
        pending.append(batch)
        count += batch.num_rows
        if count >= rows:
            yield pa.Table.from_batches(pending, schema)
            pending, count = [], 0
    yield pa.Table.from_batches(pending, schema)


def files_of(path: Path) -> list[Path]:
    """The file itself, or every plain file below a folder, sorted; hidden ones and markers left out."""
    return sorted(_files_below(path)) if path.is_dir() else [path]


def _files_below(folder: Path | str) -> Iterator[Path]:
    with suppress(PermissionError), os.scandir(folder) as entries:
        for entry in entries:
            if entry.name.startswith((".", "_")):
                continue
            if entry.is_dir(follow_symlinks=False):
                yield from _files_below(entry.path)
            elif entry.is_file():
                yield Path(entry.path)


def is_partitioned(path: Path) -> bool:
    """Whether a folder is one table: nothing but Parquet files, below sub-folders that name values or directly."""
    if path.suffix.lower() in (".parquet", ".pq"):
        return True
    names = [child.name for child in path.iterdir() if not child.name.startswith((".", "_"))]
    return bool(names) and all("=" in name for name in names)


def refuse_empty(path: Path) -> None:
    """Refuse a folder without a file in it. Raises: TableUnreadable."""
    if not files_of(path):
        raise TableUnreadable(f"{path} holds no file; a table needs at least one")
