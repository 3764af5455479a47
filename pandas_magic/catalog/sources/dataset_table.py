"""A table in columnar files: single columns and row groups are read where they lie, nothing is copied."""

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa

from pandas_magic.catalog.arrow import dtype_for, frame_from_arrow, refuse_duplicate_names
from pandas_magic.catalog.cache.columnar import READER_VERSION, ColumnarCache, key_of
from pandas_magic.catalog.file_stamp import stamp_of
from pandas_magic.catalog.formats.opening import format_by_suffix, in_our_words, refuse_other_content, unreadable
from pandas_magic.catalog.frame_limits import refuse_unknown_zones
from pandas_magic.catalog.sources.file_facts import described_by_files, described_in_steps
from pandas_magic.catalog.sources.file_pieces import (
    KnownPieces,
    OpenFiles,
    is_parquet,
    refuse_contradiction,
    taken_rows,
)
from pandas_magic.catalog.sources.file_table import BATCH_ROWS
from pandas_magic.catalog.table import Table
from pandas_magic.errors import TableUnreadable
from pandas_magic.record import digest

# Above this the values that occur and the keys are not worked out: that would read every column once.
_FACTS_BYTES = 1024**3


@dataclass
class DatasetTable:
    """Parquet, Feather or ORC files as one table. `open_dataset` is called anew after each change of the files."""

    name: str
    path: Path
    open_dataset: Callable[[Path], Any]
    cache: ColumnarCache | None = None
    group: str = ""
    _opened: tuple[str, Any] | None = None
    _stamps: dict[str, str] = field(default_factory=dict)  # of each file, when their identity was last asked for
    _pieces: KnownPieces = field(default_factory=dict)

    def identity(self) -> str:
        """Changes whenever a file does, or one comes or goes. Raises: TableUnreadable when there is none."""
        try:
            stats = _stats_of(self.path)
        except OSError as error:
            raise unreadable(self.path, error) from error
        if not stats:
            raise unreadable(self.path, FileNotFoundError())
        self._stamps = {path: stamp_of(stat) for path, stat in stats}
        return digest([*map(list, self._stamps.items()), [READER_VERSION]])

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

    def outline(self) -> Table:
        """The schema as far as the files' footers tell it: columns, their dtypes, and how many rows there are."""
        with self._reading() as dataset:
            return self._outlined(dataset, sum(path.stat().st_size for path in files_of(self.path)))

    def frame(self, columns: Sequence[str] | None = None) -> pd.DataFrame:
        """The rows, all columns or those named, on a RangeIndex."""
        with self._reading() as dataset:
            return frame_from_arrow(dataset.to_table(columns=None if columns is None else list(columns)))

    def rows(self, positions: Sequence[int]) -> pd.DataFrame:
        """Whole rows by their position, counted through the files in order."""
        with self._reading() as dataset:
            if len(positions) and dataset.count_rows() <= BATCH_ROWS:
                return self.frame().iloc[list(positions)]
            taken = frame_from_arrow(taken_rows(dataset, positions))
            # As `iloc` has it of the whole: a range where the positions are one.
            return taken.set_axis(pd.RangeIndex(dataset.count_rows()).take(list(positions)), axis=0)

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

    @contextmanager
    def opened(self) -> Iterator[OpenFiles]:
        """Its files, which are the same at the end of the block. Raises: TableUnreadable, also where they are not."""
        with self._reading() as dataset:
            yield self._files(dataset)

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
        is_large = file_bytes > _FACTS_BYTES
        if not is_large and self.cache is not None:
            by_files = described_by_files(self.name, self.path, self._files(dataset), self.cache.folder)
            if by_files is not None:
                return by_files.model_copy(update=facts)
        outlined = self._outlined(dataset, file_bytes)
        if is_large:
            note = "large: which values occur and which columns are keys was not looked up"
            return outlined.model_copy(update={"notes": (note,)})
        return described_in_steps(self.name, dataset, file_bytes).model_copy(update=facts)

    def _outlined(self, dataset: Any, file_bytes: int) -> Table:  # noqa: ANN401 - Arrow carries no types
        refuse_unknown_zones(dataset.schema)
        for fragment in dataset.get_fragments() if is_parquet(dataset) else ():
            refuse_contradiction(fragment)
        return Table(
            name=self.name,
            columns={column.name: dtype_for(column.type) for column in dataset.schema},
            row_count=dataset.count_rows(),
            origin=str(self.path), file_bytes=file_bytes, group=self.group,
        )  # fmt: skip

    def _files(self, dataset: Any) -> OpenFiles:  # noqa: ANN401 - Arrow carries no types
        assert self._opened is not None
        return OpenFiles(dataset, self._opened[0], self._stamps, self._pieces)

    def _first(self) -> Path:
        return Path(next(iter(self._stamps))) if self._stamps else next(iter(files_of(self.path)), self.path)


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
    return [Path(file) for file, _ in _stats_of(path)] if path.is_dir() else [path]


def _stats_of(path: Path) -> list[tuple[str, os.stat_result]]:
    if not path.is_dir():
        return [(str(path), path.stat())]
    found = _files_below(str(path))
    # As paths are sorted, without making any.
    return sorted(found, key=lambda file: file[0].split("/"))


def _files_below(folder: str) -> list[tuple[str, os.stat_result]]:
    found, folders = list[tuple[str, os.stat_result]](), [folder]
    while folders:
        entries: list[os.DirEntry[str]] = []
        with suppress(PermissionError), os.scandir(folders.pop()) as listed:
            entries = list(listed)
        for entry in entries:
            if entry.name.startswith((".", "_")):
                continue
            if entry.is_dir(follow_symlinks=False):
                folders.append(entry.path)
            elif entry.is_file():
                found.append((entry.path, entry.stat()))
    return found


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
