"""What a check found in files that did not change since, so that a run looks at the others only.

For rules that see one row at a time, on tables of Parquet files, where the setting `only_new` asks for it. What was
found is kept in stretches: files that were looked at together. A stretch counts while the rule, its code and the types
of the columns are the same, and its files follow each other as they did, each of the same size, time of change, inode
and footer. All other files are looked at; all other rules and tables run in full, and the run says why.
"""

import json
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from textwrap import indent

import pandas as pd
import pyarrow as pa
from pydantic import ValidationError

from pandas_magic import __version__
from pandas_magic.catalog import Catalog, Table
from pandas_magic.catalog.arrow import as_described, frame_from_arrow, with_dtypes
from pandas_magic.catalog.cache.columnar import READER_VERSION, key_of
from pandas_magic.catalog.sources.dataset_table import DatasetTable, FilePiece
from pandas_magic.checking.abstentions import abstention_codes, may_abstain
from pandas_magic.checking.found import Found
from pandas_magic.checking.missed_values import unlisted_texts
from pandas_magic.checking.partitions import PART_SHARE, estimated_bytes, is_row_local
from pandas_magic.checking.text_readings import reads_texts
from pandas_magic.constraints.algebra.expressions import Arithmetic, Now
from pandas_magic.constraints.algebra.rules import RowRule
from pandas_magic.constraints.algebra.tree import nodes
from pandas_magic.errors import StateUnreadable, TableUnreadable
from pandas_magic.record import Record, digest
from pandas_magic.registry.compiled_check import CompiledCheck
from pandas_magic.settings import Settings
from pandas_magic.state import write_whole

_FOLDER = "looked_at"
# A file may be written again within one tick of the clock that its time of change is from.
_SETTLED_SECONDS = 2.0
# More failing rows of one stretch are looked for again.
_MOST_KEPT = 100_000
# What may come out otherwise for some rows of a column than for all of them.
_UNSURE_DTYPES = ("empty", "object")
_LOOK = "def _look_{number}():\n{code}\n    return violations\n"
_GATHERED = """_found = _look_0().index
violations = pd.DataFrame({{"position": np.append({decided}, _found)}})
"""
FindRows = Callable[[str, Mapping[str, pd.DataFrame]], Found]
File = tuple[str, str, int]  # path, identity, rows


class LookedAt(Record):
    """Files that follow each other, looked at together; positions of failing rows are counted from its first row."""

    files: tuple[File, ...]
    positions: tuple[int, ...]
    left_open: int

    @property
    def rows(self) -> int:
        """How many rows its files have."""
        return sum(rows for _, _, rows in self.files)


class InFull(Exception):
    """A run has to look at all rows, and why."""


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
        target, began = self.compiled.target, time.time()
        identity, source, table = self.catalog.identity(target), self._source(), self.catalog.schema(target)
        pieces, types = source.pieces()
        if not pieces:
            raise InFull(f"{target} is no table of Parquet files")
        kept = self._kept(source.path, types, table)
        known, stretches, new = kept.read(), list[LookedAt](), 0
        for numbers, stretch in _covered(_files(pieces), known, most_rows=self._most_rows(table)):
            new += 0 if stretch else len(numbers)
            stretches.append(stretch or self._look_at(source, table, pieces, numbers))
        positions = tuple(_through(stretches))
        rows = as_described(source.rows(positions), table)
        if source.identity() != identity:
            raise TableUnreadable(f'table "{target}" changed while it was looked at; run it again')
        kept.write(stretches, settled={piece.path for piece in pieces if piece.changed_at < began - _SETTLED_SECONDS})
        left_open = sum(stretch.left_open for stretch in stretches)
        said = f"looked at {new:,} of the {len(pieces):,} files of {target}; what it finds in the others is known"
        return Found(None, rows, positions=positions, left_open=left_open), said

    def _source(self) -> DatasetTable:
        """The table's files. Raises: InFull."""
        rule = self.compiled.constraint
        if not isinstance(rule, RowRule) or not is_row_local(rule) or set(self.compiled.plan.reads) != {rule.table}:
            raise InFull("its rule sees more than one row at a time")
        every = [node for side in (rule.where, rule.must) if side is not None for node in nodes(side)]
        if reads_texts(rule) or any(isinstance(node, (Arithmetic, Now)) for node in every):
            raise InFull("its rule reckons, reads texts as other values, or reads the clock")
        if any(unlisted_texts(rule, self.catalog.schema(rule.table))):
            raise InFull("its rule names a text that no row is known to have")
        if (self.settings.engine, self.settings.executor) != ("pandas", "confined"):
            raise InFull("an engine or executor is set that may find the rows")
        source = self.catalog.source(rule.table)
        if self.catalog.cache is None or not isinstance(source, DatasetTable):
            raise InFull(f"{rule.table} is no table of Parquet files")
        if any(dtype in _UNSURE_DTYPES for dtype in self.catalog.schema(rule.table).columns.values()):
            raise InFull(f"{rule.table} has a column without a type of its own")
        return source

    def _columns(self) -> Sequence[str]:
        return self.compiled.plan.reads[self.compiled.target]

    def _most_rows(self, table: Table) -> int:
        row_bytes = estimated_bytes(table.model_copy(update={"row_count": 1}), self._columns()) or 1
        return max(1, self.settings.memory_bytes // PART_SHARE // row_bytes)

    def _kept(self, path: Path, arrow_types: Mapping[str, str], table: Table) -> "_Kept":
        compiled, columns = self.compiled, self._columns()
        assert compiled.constraint is not None
        assert self.catalog.cache is not None
        versions = [__version__, pd.__version__, pa.__version__, READER_VERSION]
        types = [(arrow_types[name], table.columns[name]) for name in columns]
        of = digest([versions, types, compiled.schemas, compiled.code, compiled.constraint.to_dict()])
        key = key_of(compiled.id, path.absolute())
        return _Kept(self.catalog.cache.folder / _FOLDER / f"{key}.json", of)

    def _look_at(self, source: DatasetTable, table: Table, pieces: Sequence[FilePiece], numbers: range) -> LookedAt:
        """What the check finds in these files. Raises: InFull when the code does not get to its end."""
        target = self.compiled.target
        frame = as_described(frame_from_arrow(source.rows_of_pieces(numbers, self._columns())), table)
        frames = {target: with_dtypes(frame, self.compiled.schemas.get(target, {}))}
        others = abstention_codes(self.compiled.constraint, {target: table}) if may_abstain(frames) else ()
        found = self.find_rows(_program([self.compiled.code, *others]), frames)
        files = _files(pieces[numbers.start : numbers.stop])
        if found.rows is None or len(frame) != sum(rows for _, _, rows in files):
            raise InFull(f"its code did not get to its end on some files: {found.error}")
        decided, *positions = (int(position) for position in found.rows["position"])
        return LookedAt(files=files, positions=tuple(positions), left_open=len(frame) - decided if others else 0)


@dataclass(frozen=True)
class _Kept:
    """The file in which one check's stretches are kept, for code and types of the digest `of`."""

    path: Path
    of: str

    def read(self) -> list[LookedAt]:
        """What was kept; nothing where it is of other code or types, or is not as it was written."""
        with suppress(OSError, ValueError, KeyError, TypeError, ValidationError):
            content = json.loads(self.path.read_bytes())
            if content["of"] == self.of and content["sum"] == digest(content["stretches"]):
                return [LookedAt.model_validate(stretch) for stretch in content["stretches"]]
        return []

    def write(self, stretches: Sequence[LookedAt], *, settled: set[str]) -> None:
        """Keep those of which every file is settled; a folder that cannot be written costs time on the next run."""
        kept = [
            stretch.to_dict()
            for stretch in stretches
            if len(stretch.positions) <= _MOST_KEPT and settled.issuperset(path for path, _, _ in stretch.files)
        ]
        with suppress(StateUnreadable):
            write_whole(self.path, json.dumps({"of": self.of, "sum": digest(kept), "stretches": kept}), durable=False)


def _files(pieces: Sequence[FilePiece]) -> tuple[File, ...]:
    return tuple((piece.path, piece.identity, piece.rows) for piece in pieces)


def _covered(
    files: Sequence[File], known: Iterable[LookedAt], *, most_rows: int
) -> Iterator[tuple[range, LookedAt | None]]:
    """All files in their order, in ranges: those of a known stretch, or some that have to be looked at."""
    by_first = {stretch.files[0]: stretch for stretch in known if stretch.files}
    start = at = rows = 0
    while at < len(files):
        stretch = by_first.get(files[at])
        is_known = stretch is not None and tuple(files[at : at + len(stretch.files)]) == stretch.files
        if at > start and (is_known or rows + files[at][2] > most_rows):
            yield range(start, at), None
            start, rows = at, 0
        if is_known:
            assert stretch is not None
            yield range(at, at + len(stretch.files)), stretch
            start = at = at + len(stretch.files)
        else:
            rows, at = rows + files[at][2], at + 1
    if at > start:
        yield range(start, at), None


def _through(stretches: Iterable[LookedAt]) -> Iterator[int]:
    """The positions of all, counted from the first row of the table."""
    start = 0
    for stretch in stretches:
        yield from (start + position for position in stretch.positions)
        start += stretch.rows


def _program(codes: Sequence[str]) -> str:
    """Code that binds to `violations` how many rows the codes find together and, below, the positions of the first."""
    looks = "".join(_LOOK.format(number=number, code=indent(code, "    ")) for number, code in enumerate(codes))
    others = "".join(f" + len(_look_{number}())" for number in range(1, len(codes)))
    return looks + _GATHERED.format(decided=f"len(_found){others}")
