"""The rows of Parquet files whose row groups are too large for a window: unpacked into mapped columns, once."""

from __future__ import annotations

import os
import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.dataset

from pandas_magic.catalog.arrow import as_frames_hold_it, frame_from_arrow
from pandas_magic.catalog.cache.column_file import ColumnWriter
from pandas_magic.catalog.cache.columnar import ColumnarCache, key_of
from pandas_magic.catalog.progress import tell
from pandas_magic.catalog.sources.converted_table import in_pieces
from pandas_magic.catalog.sources.file_pieces import OpenFiles, rows_in_steps
from pandas_magic.catalog.sources.streaming import room_for
from pandas_magic.errors import PandasMagicError, TableUnreadable

if TYPE_CHECKING:
    import pandas as pd

    from pandas_magic.catalog.sources.dataset_table import DatasetTable

_STEP_ROWS = 65_536
# Of what a cache may hold, and of what the disk has left; packed columns take up to some three times as much unpacked.
_OF_CACHE, _OF_DISK, _TIMES_UNPACKED = 0.25, 0.5, 3
_PLAIN = (pa.types.is_integer, pa.types.is_floating, pa.types.is_boolean, pa.types.is_temporal, pa.types.is_decimal)
_TEXTS = (pa.types.is_string, pa.types.is_large_string, pa.types.is_binary)


class UnpackedTable:
    """The same rows as those of `source`, from its cache; `begin` has them put there by a thread."""

    def __init__(self, source: DatasetTable, cache: ColumnarCache) -> None:
        self.source, self._cache = source, cache
        self._key = key_of(source.path.absolute(), "unpacked")
        self._thread: threading.Thread | None = None
        self._rows, self._all_rows = 0, 1
        self._problem = ""

    @property
    def name(self) -> str:
        """The table's name."""
        return self.source.name

    def begin(self) -> None:
        """Have the rows unpacked, unless they are, or are being."""
        if not self._is_kept() and (self._thread is None or not self._thread.is_alive()):
            self._problem = ""
            self._thread = threading.Thread(target=self._unpack, name="pandas-magic-unpack", daemon=True)
            self._thread.start()

    def wait(self, seconds: float) -> float:
        """How much is unpacked, from 0 to 1, after so many seconds at most. Raises: TableUnreadable."""
        if self._thread is not None:
            self._thread.join(seconds)
            if self._thread.is_alive():
                return min(self._rows / self._all_rows, 0.99)
        if self._problem:
            raise TableUnreadable(self._problem)
        return 1.0

    def frame(self) -> pd.DataFrame:
        """The rows as `source.frame` has them, mapped; unpacked first. Raises: TableUnreadable."""
        if not self._is_kept():
            self._problem = ""
            self._unpack()
        if self._problem:
            raise TableUnreadable(self._problem)
        with self._columns() as (columns, _):
            return frame_from_arrow(columns)

    @contextmanager
    def opened(self) -> Iterator[OpenFiles]:
        """Its rows, as the files have them now. Raises: TableUnreadable when they changed since they were unpacked."""
        with self._columns() as (columns, identity):
            yield in_pieces(columns, identity)

    @contextmanager
    def _columns(self) -> Iterator[tuple[pa.Table, str]]:
        identity = self.source.identity()
        columns = self._cache.columns(self._key, identity)
        if columns is None:
            raise TableUnreadable(f"{self.source.path.name} changed; explore it again")
        yield columns, identity

    def _is_kept(self) -> bool:
        return self._cache.path(self._key, self.source.identity()).exists()

    def _unpack(self) -> None:
        try:
            with self.source.opened() as files:
                self._rows, self._all_rows = 0, max(files.dataset.count_rows(), 1)
                self._cache.keep_file(self._key, files.identity, lambda path: self._write(path, files.dataset))
                if not self._cache.path(self._key, files.identity).exists():
                    name = self.source.path.name
                    self._problem = f"the columns of {name} cannot be kept: {self._cache.folder} cannot be written"
        except (OSError, PandasMagicError, pa.ArrowException, TypeError) as error:
            self._problem = str(error)

    def _write(self, path: Path, dataset: Any) -> None:  # noqa: ANN401 - Arrow carries no types
        descriptor = os.open(path, os.O_WRONLY)
        try:
            writer = ColumnWriter(descriptor, self._all_rows)
            for batch in rows_in_steps(dataset, _STEP_ROWS):
                table = _short_texts(as_frames_hold_it(pa.Table.from_batches([batch])))
                with room_for(self.source.path):
                    writer.add(table)
                self._rows += batch.num_rows
                tell(f"unpacking {self.source.path.name}: {self._rows / self._all_rows:.0%}".replace("%", " %"))
            with room_for(self.source.path):
                writer.finish()
        finally:
            os.close(descriptor)


def unpackable(source: DatasetTable, *, as_frames: bool = False) -> UnpackedTable | None:
    """The table to be unpacked; None where a column is of lists or the like, or the disk has no room for it.

    With `as_frames` None too where its frame would have other dtypes, since categories are unpacked as their texts.
    """
    if source.cache is None:
        return None
    with source.opened() as files:
        if as_frames and any(map(pa.types.is_dictionary, files.schema.types)):
            return None
        kinds = [_value_type(kind) for kind in files.schema.types]
        if not all(any(test(kind) for test in (*_PLAIN, *_TEXTS)) for kind in kinds):
            return None
        groups = [group for piece in files.dataset.get_fragments() for group in getattr(piece, "row_groups", ())]
    needed = _TIMES_UNPACKED * sum(group.total_byte_size for group in groups)
    folder = next(one for one in (source.cache.folder, *source.cache.folder.absolute().parents) if one.exists())
    room = min(_OF_CACHE * source.cache.max_bytes, _OF_DISK * shutil.disk_usage(folder).free)
    return UnpackedTable(source, source.cache) if 0 < needed <= room else None


def _value_type(kind: pa.DataType) -> pa.DataType:
    return kind.value_type if pa.types.is_dictionary(kind) else kind


def _short_texts(table: pa.Table) -> pa.Table:
    """The table with the types that a file of columns has; of so few rows no text is too long."""
    for at, field in enumerate(table.schema):
        kind = _value_type(field.type)
        kind = pa.string() if pa.types.is_large_string(kind) else kind
        if kind != field.type:
            table = table.set_column(at, field.with_type(kind), table.column(at).cast(kind))
    return table
