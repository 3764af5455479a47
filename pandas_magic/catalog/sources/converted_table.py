"""A text file's rows in pieces, of its columns as they were converted, which lie on disk where the cache has room."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import pyarrow as pa
import pyarrow.dataset

from pandas_magic.catalog.sources.file_pieces import OpenFiles
from pandas_magic.catalog.sources.file_table import FileTable
from pandas_magic.errors import TableUnreadable

_PIECE_ROWS = 100_000  # of which two are in memory while one of them is shown


@dataclass(frozen=True)
class ConvertedTable:
    """The rows of a file that is converted to columns."""

    source: FileTable

    @property
    def name(self) -> str:
        """The table's name."""
        return self.source.name

    @contextmanager
    def opened(self) -> Iterator[OpenFiles]:
        """Its rows, as the file has them now. Raises: TableUnreadable, also when they have no columns any more."""
        identity = self.source.identity()
        columns = self.source.converted(identity)
        if columns is None:
            raise TableUnreadable(
                f"{self.source.path.name} changed, and a column holds mixed values now; explore it again"
            )
        yield in_pieces(columns, identity)


def in_pieces(columns: pa.Table, identity: str) -> OpenFiles:
    """Mapped columns as files of which two pieces have room at once."""
    batches = columns.to_batches(max_chunksize=_PIECE_ROWS)
    return OpenFiles(pyarrow.dataset.dataset(batches, schema=columns.schema), identity, {}, {})
