"""A table of which only some partitions are there: those at or after a value."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa

from pandas_magic.catalog.described_dtypes import as_described
from pandas_magic.catalog.partition_names import Partitions, partitions_since
from pandas_magic.catalog.sources.dataset_table import DatasetTable, files_of
from pandas_magic.catalog.sources.file_table import BATCH_ROWS
from pandas_magic.catalog.table import Table
from pandas_magic.errors import TableUnreadable
from pandas_magic.record import digest


@dataclass
class PartTable:
    """The partitions of `whole` at or after `since`; columns have the types that they have in the whole table."""

    whole: DatasetTable
    since: str
    name: str = field(init=False)

    def __post_init__(self) -> None:
        self.name = self.whole.name

    def partitions(self) -> Partitions:
        """Which of its partitions these are, as its files are now. Raises: TableUnreadable."""
        return partitions_since(self.name, self.whole.path, files_of(self.whole.path), self.since)

    def identity(self) -> str:
        """What changes whenever the whole table does, and is not its own."""
        return digest([self.whole.identity(), self.since])

    def schema(self) -> Table:
        """The whole table's, with the number of rows of this part."""
        return self.whole.schema().model_copy(update={"row_count": self._part.row_count()})

    def frame(self, columns: Sequence[str] | None = None) -> pd.DataFrame:
        """The rows of this part on a RangeIndex."""
        return as_described(self._part.frame(columns), self.whole.schema())

    def rows(self, positions: Sequence[int]) -> pd.DataFrame:
        """Whole rows by their position in this part."""
        return as_described(self._part.rows(positions), self.whole.schema())

    def batches(self, columns: Sequence[str], *, rows: int = BATCH_ROWS) -> Iterator[pa.Table]:
        """The rows of this part in order, at most so many at a time; at least one batch, which may be empty."""
        return self._part.batches(columns, rows=rows)

    @cached_property
    def _part(self) -> DatasetTable:
        return replace(self.whole, open_dataset=self._opened, cache=None, _opened=None, _stamps={})

    def _opened(self, path: Path) -> Any:  # noqa: ANN401 - Arrow carries no types
        import pyarrow.dataset

        whole, files = self.whole.open_dataset(path), {file.absolute() for file in self.partitions().files}
        chosen = [piece for piece in whole.get_fragments() if Path(piece.path).absolute() in files]
        if len(chosen) != len(files):
            raise TableUnreadable(f"{self.name} has other files than its folder lists; run it again")
        return pyarrow.dataset.FileSystemDataset(chosen, whole.schema, whole.format, whole.filesystem)
