"""One catalog for checks that run side by side: a table is read by one of them, and found read by the others."""

import threading
from collections.abc import Iterator, Mapping, Sequence

import pandas as pd
import pyarrow as pa

from pandas_magic.catalog import Catalog, Source, Table


class SharedCatalog(Catalog):
    """The same tables as `catalog`, asked for one at a time."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog, self._asking = catalog, threading.RLock()
        self.cache = catalog.cache

    def names(self) -> list[str]:
        """Every table's name, sorted."""
        with self._asking:
            return self._catalog.names()

    def schema(self, name: str) -> Table:
        """The schema of a table. Raises: NoSuchName, TableUnreadable."""
        with self._asking:
            return self._catalog.schema(name)

    def schemas(self, names: Sequence[str] = ()) -> dict[str, Table]:
        """The schemas of the tables named, or of all that can be read when none is."""
        with self._asking:
            return self._catalog.schemas(names)

    def shared_names(self) -> Mapping[str, Sequence[str]]:
        """Bare names of files that several tables would have, each with the names that these have instead."""
        with self._asking:
            return self._catalog.shared_names()

    def unreadable(self) -> dict[str, str]:
        """Why each table that cannot be read cannot, in one line."""
        with self._asking:
            return self._catalog.unreadable()

    def frame(self, name: str, columns: Sequence[str] | None = None) -> pd.DataFrame:
        """The rows of a table on a RangeIndex. Raises: NoSuchName, TableUnreadable."""
        with self._asking:
            return self._catalog.frame(name, columns)

    def rows(self, name: str, positions: Sequence[int]) -> pd.DataFrame:
        """Whole rows of a table by position, with their owner's index."""
        with self._asking:
            return self._catalog.rows(name, positions)

    def batches(self, name: str, columns: Sequence[str], *, rows: int) -> Iterator[pa.Table]:
        """The rows of a table in order, about `rows` at a time."""
        with self._asking:
            pieces = self._catalog.batches(name, columns, rows=rows)
        while True:
            with self._asking:
                piece = next(pieces, None)
            if piece is None:
                return
            yield piece

    def source(self, name: str) -> Source:
        """The table as it is read. Raises: NoSuchName, TableUnreadable."""
        with self._asking:
            return self._catalog.source(name)

    def identity(self, name: str) -> str:
        """What changes whenever the table does; "" when that cannot be told."""
        with self._asking:
            return self._catalog.identity(name)
