"""The tables of a batch of checks: each described and identified once, and the same for every check of it."""

import threading
from collections.abc import Collection, Iterator, Mapping, Sequence

import pandas as pd
import pyarrow as pa

from pandas_magic.catalog import Catalog, Source, Table
from pandas_magic.catalog.sources.file_sizes import file_bytes_of
from pandas_magic.errors import TableUnreadable

# What one value takes, roughly: the content of short texts, a number.
_VALUE_BYTES = 16


class Snapshot(Catalog):
    """The tables of `catalog` as they were when first asked for; any thread may ask.

    A table that changes later is told as that when its rows are read, so that no two checks judge different ones.
    `reads` has the columns that the checks read of each table: a file's are read once for all of them, or where they do
    not fit each when it is first asked for, and kept while all that is kept takes at most `kept_bytes`.
    """

    holds_still = True

    def __init__(
        self, catalog: Catalog, *, reads: Mapping[str, Collection[str]] | None = None, kept_bytes: int = 0
    ) -> None:
        self._catalog, self._asking = catalog, threading.RLock()
        self._reads, self._kept_bytes = reads or {}, kept_bytes
        self._kept: dict[str, pd.DataFrame] = {}
        self.cache, self.since = catalog.cache, catalog.since
        self._known_names: list[str] | None = None
        self._schemas: dict[str, Table] = {}
        self._identities: dict[str, str] = {}

    def names(self) -> list[str]:
        """Every table's name, sorted."""
        with self._asking:
            if self._known_names is None:
                self._known_names = self._catalog.names()
            return list(self._known_names)

    def schema(self, name: str) -> Table:
        """The schema of a table. Raises: NoSuchName, TableUnreadable."""
        with self._asking:
            if name not in self._schemas:
                # First what it is, then how it is: a change in between shows when its rows are read.
                self.identity(name)
                self._schemas[name] = self._catalog.schema(name)
            return self._schemas[name]

    def identity(self, name: str) -> str:
        """What changes whenever the table does; "" when that cannot be told."""
        with self._asking:
            if name not in self._identities:
                self._identities[name] = self._catalog.identity(name)
            return self._identities[name]

    def shared_names(self) -> Mapping[str, Sequence[str]]:
        """Bare names of files that several tables would have, each with the names that these have instead."""
        with self._asking:
            return self._catalog.shared_names()

    def passed_over(self) -> Mapping[str, str]:
        """Files in the folder of tables that are no tables, by their place in it, with the reason."""
        with self._asking:
            return self._catalog.passed_over()

    def stands_before(self, name: str) -> str:
        """What is read in place of a file or address of that name, and which; "" where nothing stands before it."""
        with self._asking:
            return self._catalog.stands_before(name)

    def given_place(self, name: str) -> str:
        """The file or address that was given as that table, without credentials; "" where none was, or its own file."""
        return self._catalog.given_place(name)

    def frame(self, name: str, columns: Sequence[str] | None = None) -> pd.DataFrame:
        """The rows of a table on a RangeIndex.

        Raises: NoSuchName; TableUnreadable, also when the table has changed since.
        """
        with self._asking:
            kept = self._with_columns(name, {*columns, *self._reads.get(name, ())}) if columns else None
            if kept is None and columns:
                kept = self._with_columns(name, columns)  # of a table that is too large, those that other checks share
            is_there = kept is not None and set(columns or ()) <= set(kept.columns)
            frame = kept[list(columns or ())] if kept is not None and is_there else self._catalog.frame(name, columns)
            self._refuse_changed(name)
            return frame

    def rows(self, name: str, positions: Sequence[int]) -> pd.DataFrame:
        """Whole rows of a table by position, with their owner's index. Raises: as `frame`."""
        with self._asking:
            kept = self._with_columns(name, self.schema(name).columns) if len(positions) else None
            rows = self._catalog.rows(name, positions) if kept is None else kept.iloc[list(positions)]
            self._refuse_changed(name)
            return rows

    def batches(self, name: str, columns: Sequence[str], *, rows: int) -> Iterator[pa.Table]:
        """The rows of a table in order, about `rows` at a time. Raises: as `frame`."""
        with self._asking:
            self._refuse_changed(name)
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

    def _with_columns(self, name: str, columns: Collection[str]) -> pd.DataFrame | None:
        """A file's columns, in its order, of which those that were not kept are read; None where they do not fit."""
        known = self.schema(name)
        if not self._kept_bytes or not self.identity(name) or file_bytes_of(self._catalog.source(name)) is None:
            return None
        kept = self._kept.get(name)
        there = kept.columns if kept is not None else ()
        if missing := [column for column in known.columns if column in columns and column not in there]:
            if not self._has_room(known, len(missing)):
                return None
            try:
                read = self._catalog.frame(name, missing)
            except KeyError:  # labels that are no texts
                return None
            kept = read if kept is None else pd.concat([kept, read], axis=1)
            self._kept[name] = kept[[column for column in known.columns if column in kept]]
        return self._kept.get(name)

    def _has_room(self, table: Table, columns: int) -> bool:
        held = sum(int(frame.memory_usage(index=False).sum()) for frame in self._kept.values())
        return table.row_count is not None and held + table.row_count * columns * _VALUE_BYTES <= self._kept_bytes

    def _refuse_changed(self, name: str) -> None:
        if self._catalog.identity(name) != self.identity(name):
            raise TableUnreadable(
                f'table "{name}" changed while the checks ran, and not all of them would judge the same rows; '
                "run them again"
            )
