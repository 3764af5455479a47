"""The Parquet files of one table as pieces of it: what tells each from what it was, and its rows."""

import hashlib
import os
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

from pandas_magic.catalog.file_stamp import stamp_of
from pandas_magic.errors import TableUnreadable
from pandas_magic.record import digest

# The last bytes of a Parquet file: how long the footer before them is, and four letters.
_TAIL_BYTES = 8
# A file may be written again within one tick of the clock that its times of change are from.
_SETTLED_SECONDS = 2.0
_BUFFER_BYTES = 1 << 18  # of each column of a Parquet file that is read in steps


class FilePiece(NamedTuple):
    """One Parquet file of a table."""

    path: str
    identity: str  # changes with its size, times of change, inode or footer, which tells about every row group
    rows: int
    is_settled: bool  # what is written to it from now on changes its identity


# Of files that had not changed for a while when they were looked at, by path: the stamp that they had then.
KnownPieces = dict[str, tuple[str, FilePiece]]


@dataclass(frozen=True)
class OpenFiles:
    """The files of a table, in the order of their rows, while they are what they were when they had this `identity`.

    `stamps` has the stamp that each had then, by its path.
    """

    dataset: Any
    identity: str
    stamps: Mapping[str, str]
    known: KnownPieces

    @property
    def schema(self) -> pa.Schema:
        """The columns of all."""
        return self.dataset.schema

    def pieces(self) -> tuple[FilePiece, ...]:
        """Each file; none where they are not Parquet. Raises: OSError, TableUnreadable."""
        return tuple(map(self._piece, self._fragments)) if is_parquet(self.dataset) else ()

    def rows_of(self, numbers: Sequence[int], columns: Sequence[str]) -> pa.Table:
        """The rows of some of `pieces`, of which there is at least one."""
        chosen = [self._fragments[number] for number in numbers]
        return pa.concat_tables([piece.to_table(schema=self.schema, columns=list(columns)) for piece in chosen])

    def taken(self, places: Mapping[int, "np.ndarray[tuple[int], np.dtype[np.int64]]"]) -> pa.Table:
        """Whole rows of some of `pieces`, by the number of each: at these places in it, in rising order."""
        found = [self.schema.empty_table()]
        for number, here in places.items():
            found += [taken_rows(_Alone(self.schema, self._fragments[number]), here)] if len(here) else []
        return pa.concat_tables(found).replace_schema_metadata(None)

    @cached_property
    def _fragments(self) -> Sequence[Any]:
        return list(self.dataset.get_fragments())

    def _piece(self, fragment: Any) -> FilePiece:  # noqa: ANN401 - Arrow carries no types
        known = self.known.get(fragment.path)
        if known is not None and known[0] == self.stamps.get(fragment.path):
            return known[1]
        refuse_contradiction(fragment)
        path, now = Path(fragment.path), time.time()
        with path.open("rb") as file:
            stat = os.fstat(file.fileno())
            file.seek(-_TAIL_BYTES, os.SEEK_END)
            footer_bytes = int.from_bytes(file.read(4), "little")
            file.seek(-min(_TAIL_BYTES + footer_bytes, stat.st_size), os.SEEK_END)
            footer = hashlib.sha256(file.read()).hexdigest()
        piece = FilePiece(
            str(path), digest([stamp_of(stat), footer]), fragment.metadata.num_rows, is_settled(stat, now)
        )
        if piece.is_settled:
            self.known[fragment.path] = stamp_of(stat), piece
        return piece


class _Alone(NamedTuple):
    """One file of a dataset, as a dataset."""

    schema: pa.Schema
    fragment: Any

    def get_fragments(self) -> list[Any]:
        return [self.fragment]


def is_settled(stat: os.stat_result, now: float | None = None) -> bool:
    """Whether what is written to a file from `now` on (None: the present) changes its stamp."""
    # The time of its content can be set, and is when it is copied; that of anything of it cannot.
    return max(stat.st_mtime, stat.st_ctime) < (time.time() if now is None else now) - _SETTLED_SECONDS


def is_parquet(dataset: Any) -> bool:  # noqa: ANN401 - Arrow carries no types
    """Whether the files of a dataset are Parquet."""
    import pyarrow.dataset

    return isinstance(dataset.format, pyarrow.dataset.ParquetFileFormat)


def refuse_contradiction(fragment: Any) -> None:  # noqa: ANN401 - Arrow carries no types
    """Refuse a Parquet file whose rows are counted twice, and otherwise. Raises: TableUnreadable."""
    told = fragment.metadata
    held = sum(told.row_group(number).num_rows for number in range(told.num_row_groups))
    if held != told.num_rows:
        raise TableUnreadable(
            f"{Path(fragment.path).name} contradicts itself: it says that it has {told.num_rows:,} rows, and its row "
            f"groups hold {held:,}; write it anew"
        )


def taken_rows(dataset: Any, positions: Sequence[int] | np.ndarray[Any, Any]) -> pa.Table:  # noqa: ANN401 - Arrow carries no types
    """The rows at these positions, in the order given. `dataset.take` would hold every column of every row at once."""
    places = np.asarray(positions, dtype=np.int64)
    order = np.argsort(places, kind="stable")
    wanted, found, start = places[order], [], 0
    for piece in single_pieces(dataset):
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


def single_pieces(dataset: Any) -> Iterator[Any]:  # noqa: ANN401 - Arrow carries no types
    """What of the files can be read by itself, in order: row groups of Parquet, else whole files."""
    for fragment in dataset.get_fragments():
        yield from fragment.split_by_row_group() if hasattr(fragment, "split_by_row_group") else [fragment]


def rows_in_steps(dataset: Any, rows: int) -> Iterator[pa.RecordBatch]:  # noqa: ANN401 - Arrow carries no types
    """The rows in order, at most so many at a time. Of Parquet no row group is read whole, as Arrow's datasets do."""
    import pyarrow.parquet

    for fragment in dataset.get_fragments():
        if is_parquet(dataset) and fragment.physical_schema.equals(dataset.schema):
            with pyarrow.parquet.ParquetFile(fragment.path, pre_buffer=False, buffer_size=_BUFFER_BYTES) as file:
                yield from file.iter_batches(rows)
        else:
            yield from fragment.to_batches(schema=dataset.schema, batch_size=rows)


def first_rows(dataset: Any, rows: int) -> pa.Table:  # noqa: ANN401 - Arrow carries no types
    """At most so many of the first rows."""
    batch = next(rows_in_steps(dataset, rows), None)
    return pa.Table.from_batches([batch.slice(0, rows)] if batch else [], dataset.schema)
