"""What a check found in files that did not change since, so that a run looks at the others only.

For rules in which rows of their table do not meet, on tables of Parquet files, where the setting `only_new` asks for
it. What was found is kept in stretches: files that were looked at together. A stretch counts while the rule, its code,
the types of the columns and every other table are the same, and its files follow each other as they did, each of the
same size, time of change, inode and footer. All other files are looked at; all other rules and tables run in full, and
the run says why.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pandas as pd
import pyarrow as pa

from pandas_magic import __version__
from pandas_magic.catalog import Catalog, Table
from pandas_magic.catalog.arrow import frame_from_arrow
from pandas_magic.catalog.cache.columnar import READER_VERSION, key_of
from pandas_magic.catalog.described_dtypes import as_described, with_dtypes
from pandas_magic.catalog.sources.dataset_table import DatasetTable
from pandas_magic.catalog.sources.file_pieces import FilePiece, OpenFiles
from pandas_magic.catalog.sources.lasting import lasting_identity
from pandas_magic.checking.abstentions import is_scoped
from pandas_magic.checking.executors import CONFINED
from pandas_magic.checking.found import Found
from pandas_magic.checking.looked_at import (
    File,
    FileStretch,
    KeptStretches,
    LookedAt,
    known_by,
    positions_of,
    stretch_of,
    with_rows,
)
from pandas_magic.checking.looking import FindRows, InFull, Look
from pandas_magic.checking.meetings import met_by
from pandas_magic.checking.missed_values import unlisted_texts
from pandas_magic.checking.partitions import PART_SHARE, estimated_bytes
from pandas_magic.checking.text_readings import reads_texts
from pandas_magic.checking.touched_keys import TouchedKeys
from pandas_magic.constraints.algebra.expressions import Arithmetic, Now
from pandas_magic.constraints.algebra.rules import RowRule
from pandas_magic.constraints.algebra.tree import nodes, own_nodes
from pandas_magic.errors import TableUnreadable
from pandas_magic.record import digest
from pandas_magic.registry.compiled_check import CompiledCheck
from pandas_magic.settings import Settings

_FOLDER = "looked_at"
# What may come out otherwise for some rows of a column than for all of them.
_UNSURE_DTYPES = ("empty", "object")


@dataclass(frozen=True)
class _Others:
    """The other tables that a rule reads: what each is known by as long as it stays, and the columns read."""

    identities: Sequence[str]
    frames: Mapping[str, pd.DataFrame]


@dataclass(frozen=True)
class OnlyNew:
    """Finds a check's rows by looking at files that it did not look at yet; its code is the compiler's own."""

    compiled: CompiledCheck
    catalog: Catalog
    settings: Settings
    find_rows: FindRows  # of code, in frames

    def find(self) -> tuple[Found, str]:
        """What the check finds, as whole rows with their positions, and which part of the table was looked at.

        Raises: InFull; TableUnreadable, also when a file changes meanwhile; kernel_sandbox.SandboxUnavailable.
        """
        target = self.compiled.target
        identity, source, table = self.catalog.identity(target), self._source(), self.catalog.schema(target)
        others, keys = self._others(), self._keys()
        look = self._look(others.frames)
        with source.opened() as files:
            if files.identity != identity:
                raise TableUnreadable(f'table "{target}" changed while it was looked at; run it again')
            if not (pieces := files.pieces()):
                raise InFull(f"{target} is no table of Parquet files")
            kept, most_rows = (
                self._kept(source.path, files.schema, others.identities),
                _most_rows(table, self._columns(), self.settings),
            )
            known = kept.read(files.schema)
            if keys:
                looked, said = _by_keys(TouchedKeys(look, self.catalog, files, pieces, keys, most_rows), known)
            else:
                looked, said = _by_files(look, files, pieces, known, most_rows=most_rows)
            looked = with_rows(looked, files)
            rows = frame_from_arrow(pa.concat_tables([each.found for each in looked]))
        settled = {piece.path for piece in pieces if piece.is_settled}
        if not keys or len(settled) == len(pieces):
            kept.write(looked, settled=settled)
        positions = tuple(positions_of(looked))
        index = pd.RangeIndex(sum(each.stretch.rows for each in looked)).take(positions)
        rows = as_described(rows, table).set_axis(index, axis=0)
        said = f"looked at {said.format(target)}; what it finds in the others is known"
        return self._found([each.stretch for each in looked], rows, positions), said

    def _found(self, stretches: Sequence[FileStretch], rows: pd.DataFrame, positions: tuple[int, ...]) -> Found:
        # As in a run in full, where nothing is counted as left open when no value is missing in any row.
        has_gaps = any(each.has_gaps for each in stretches)
        left_open = sum(each.left_open for each in stretches) if has_gaps else 0
        none_kept = is_scoped(self.compiled.constraint) and not any(each.kept for each in stretches)
        return Found(None, rows, positions=positions, left_open=left_open, none_kept=none_kept)

    def _source(self) -> DatasetTable:
        """The table's files. Raises: InFull."""
        rule = self.compiled.constraint
        if not isinstance(rule, RowRule) or rule.tolerance is not None or met_by(rule) is None:
            raise InFull("its rule sees more than one row at a time")
        every = [node for side in (rule.where, rule.must) if side is not None for node in nodes(side)]
        if reads_texts(rule) or any(isinstance(node, (Arithmetic, Now)) for node in every):
            raise InFull("its rule reckons, reads texts as other values, or reads the clock")
        if any(unlisted_texts(rule, self.catalog.schema(rule.table))):
            raise InFull("its rule names a text that no row is known to have")
        if self.settings.engine == "duckdb" or self.settings.executor != CONFINED:
            raise InFull("an engine or executor is set that may find the rows")
        source = self.catalog.source(rule.table)
        if self.catalog.cache is None or not isinstance(source, DatasetTable):
            raise InFull(f"{rule.table} is no table of Parquet files")
        dtypes = self.catalog.schema(rule.table).columns
        is_unsure = any(dtype in _UNSURE_DTYPES for dtype in dtypes.values())
        # Which categories there are differs from file to file, and they are matched with others.
        if is_unsure or (self._sees_others() and any("category" in dtypes[name] for name in self._columns())):
            raise InFull(f"{rule.table} has a column without a type of its own")
        return source

    def _keys(self) -> tuple[str, ...]:
        """The columns that rows of the table share which meet in the rule; () where none meet. Raises: InFull."""
        rule, table = self.compiled.constraint, self.catalog.schema(self.compiled.target)
        assert isinstance(rule, RowRule)
        keys = met_by(rule) or ()
        if any(table.kind(name) in ("mixed", "duration") for name in keys):
            raise InFull("its rule compares rows by values of which equal ones are not always told to be so")
        # Whether a sum of whole numbers may overflow is judged by all of them.
        if keys and any(getattr(node, "statistic", "") == "sum" for node in own_nodes(rule)):
            raise InFull("its rule sums rows of one key")
        return keys

    def _sees_others(self) -> bool:
        return bool(self._names_beside() or self._keys())

    def _look(self, others: Mapping[str, pd.DataFrame]) -> Look:
        tables = self.catalog.schemas(tuple(self.compiled.plan.reads))
        return Look(self.compiled, tables, others, self.find_rows, sees_others=self._sees_others())

    def _names_beside(self) -> list[str]:
        return [name for name in self.compiled.plan.reads if name != self.compiled.target]

    def _others(self) -> _Others:
        """The other tables that the rule reads. Raises: InFull, TableUnreadable."""
        identities, frames, reads = list[str](), dict[str, pd.DataFrame](), self.compiled.plan.reads
        sizes = [estimated_bytes(self.catalog.schema(name), reads[name]) for name in self._names_beside()]
        if any(size is None or size > self.settings.memory_bytes // PART_SHARE for size in sizes):
            raise InFull("another table that it reads is too large to be at hand each time")
        for name in self._names_beside():
            source, identity = self.catalog.source(name), self.catalog.identity(name)
            # First what it is, then its rows: read from where it lies, for what is held may be of a moment before.
            identities.append(lasting_identity(source))
            if not identities[-1]:
                raise InFull(f"nothing tells whether {name} will have changed since, or it changed a moment ago")
            frame = with_dtypes(source.frame(reads[name]), self.compiled.schemas.get(name, {}))
            if source.identity() != identity:
                raise TableUnreadable(f'table "{name}" changed while it was looked at; run it again')
            frames[name] = frame
        return _Others(identities, frames)

    def _columns(self) -> Sequence[str]:
        return self.compiled.plan.reads[self.compiled.target]

    def _kept(self, path: Path, schema: pa.Schema, others: Sequence[str]) -> KeptStretches:
        compiled, columns = self.compiled, self._columns()
        assert compiled.constraint is not None
        assert self.catalog.cache is not None
        versions = [__version__, pd.__version__, pa.__version__, READER_VERSION]
        dtypes = {name: self.catalog.schema(name).columns for name in compiled.plan.reads}
        types = [(str(schema.field(name).type), dtypes[compiled.target][name]) for name in columns]
        beside = [[dtypes[name][column] for column in compiled.plan.reads[name]] for name in self._names_beside()]
        of = digest([
            versions, types, [*others], beside, compiled.schemas, compiled.code, compiled.constraint.to_dict()
        ])  # fmt: skip
        return KeptStretches(self.catalog.cache.folder / _FOLDER / key_of(compiled.id, path.absolute()), of)


def _most_rows(table: Table, columns: Sequence[str], settings: Settings) -> int:
    """How many rows are looked at at once."""
    row_bytes = estimated_bytes(table.model_copy(update={"row_count": 1}), columns) or 1
    return max(1, settings.memory_bytes // PART_SHARE // row_bytes)


def _by_files(
    look: Look, files: OpenFiles, pieces: Sequence[FilePiece], known: Sequence[LookedAt], *, most_rows: int
) -> tuple[list[LookedAt], str]:
    """What is found in each stretch of the files, known or looked at now; and in words at which files, of "{}"."""
    looked, new, columns = list[LookedAt](), 0, look.compiled.plan.reads[look.compiled.target]
    for numbers, known_one in _covered(known_by(pieces), known, most_rows=most_rows):
        new += 0 if known_one else len(numbers)
        if known_one is None:
            here = pieces[numbers.start : numbers.stop]
            seen = look.at(files.rows_of(numbers, columns), sum(piece.rows for piece in here))
            known_one = LookedAt(stretch_of(known_by(here), [seen], seen.positions))
        looked.append(known_one)
    return looked, f"{new:,} of the {len(pieces):,} files of {{}}"


def _by_keys(touched: TouchedKeys, known: Sequence[LookedAt]) -> tuple[list[LookedAt], str]:
    """The same of rows that meet by a key, for all files in one stretch."""
    looked, new, rows = touched.looked_at(known)
    sharing = f" and at {rows:,} rows of others that share a key with theirs" if rows else ""
    return [looked], f"{new:,} of the {len(touched.pieces):,} files of {{}}{sharing}"


def _covered(
    files: Sequence[File], known: Iterable[LookedAt], *, most_rows: int
) -> Iterator[tuple[range, LookedAt | None]]:
    """All files in their order, in ranges: those of a known stretch, or some that have to be looked at."""
    by_first = {each.stretch.files[0]: each for each in known if each.stretch.files}
    start = at = rows = 0
    while at < len(files):
        looked = by_first.get(files[at])
        end = at + len(looked.stretch.files) if looked else at
        is_known = looked is not None and tuple(files[at:end]) == looked.stretch.files
        if at > start and (is_known or rows + files[at][2] > most_rows):
            yield range(start, at), None
            start, rows = at, 0
        if is_known:
            yield range(at, end), looked
            start = at = end
        else:
            rows, at = rows + files[at][2], at + 1
    if at > start:
        yield range(start, at), None
