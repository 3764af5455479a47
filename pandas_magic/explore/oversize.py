"""Tables larger than an exploration has room for: a person is asked whether a part of them will do."""

from __future__ import annotations

from dataclasses import replace
from importlib.util import find_spec
from typing import TYPE_CHECKING

from pandas_magic.catalog.readers import ReadOptions
from pandas_magic.catalog.sources.dataset_table import DatasetTable
from pandas_magic.catalog.sources.file_pieces import single_pieces
from pandas_magic.catalog.sources.file_table import FileTable
from pandas_magic.checking.partitions import estimated_bytes
from pandas_magic.explore.exploration_request import Constraints
from pandas_magic.explore.subject import Subject, subject_in

if TYPE_CHECKING:
    from pathlib import Path

    from pandas_magic.catalog import Catalog, Source
    from pandas_magic.explore.exploration_request import ExplorationRequest, Inputs
    from pandas_magic.settings import Settings

MANY_COLUMNS = 200  # more than anybody reads: a person is asked first
_OF_FRAMES = 0.75  # of the memory, for the table; the rest is for looking at one column after the other
_OF_FILES = 0.25  # since the text of a file stands in memory beside its table
_OF_PIECES = 0.2  # for a row group as its file counts it; as a frame it takes several times as much
_READ_AT_ONCE = 4 * 2**20  # of a row group: some 0.05 s
_DELIMITED = (".csv", ".tsv", ".txt")  # of which a part can be read
_SEED = 20_261_122
_COUNTED_BYTES = 2 * 2**20  # of a table, that even a busy machine counts in a second
_PACKED = (".gz", ".bz2", ".zst", ".lz4")  # what Arrow unpacks while it reads
_SKETCHED = (*_DELIMITED, ".parquet")  # of which all is counted in one pass


def sketches_are_installed() -> bool:
    """Whether files of any size can be counted in memory that does not grow with them."""
    return find_spec("datasketches") is not None


def constraints_of(settings: Settings) -> Constraints:
    """What an exploration may use in a workspace with these settings."""
    return Constraints(memory_mb=max(1, settings.memory_bytes // 2**20))


def subject_within(catalog: Catalog, name: str, constraints: Constraints) -> Subject:
    """A table of the catalog, or a file by its path; the table's file where `file_without_room` is one.

    Raises: as `subject.subject_in`.
    """
    return file_without_room(catalog, name, constraints) or subject_in(catalog, name)


def file_without_room(catalog: Catalog, name: str, constraints: Constraints) -> Subject | None:
    """A table of the catalog by its file, all of which can be counted and whose rows have no room as a frame.

    None: it has room, or cannot be counted in one pass. Raises: TableUnreadable.
    """
    if not sketches_are_installed() or name not in catalog.names():
        return None
    source = catalog.source(name)
    file = _countable_file(source)
    if file is None:
        return None
    # Which values occur is not asked: of a whole Parquet file that is as long to find as to read it.
    table = source.outline() if isinstance(source, DatasetTable | FileTable) else catalog.schema(name)
    needed = max(table.file_bytes or 0, estimated_bytes(table, list(table.columns)) or 0)
    subject = Subject(name, file=file, frame_bytes=needed)
    return subject if needed > _room_bytes(subject, constraints) else None


def _countable_file(source: Source) -> Path | None:
    """The one file, or folder of Parquet files, that is the whole table as it stands there; else None."""
    if not isinstance(source, DatasetTable | FileTable) or not source.path.exists():
        return None
    is_plain = isinstance(source, DatasetTable) or (not source.part and source.options == ReadOptions())
    return source.path if is_plain and _is_countable(source.path) else None


def _is_countable(path: Path) -> bool:
    kind = path.with_suffix("") if path.suffix.lower() in _PACKED else path
    return path.is_dir() or (kind.suffix.lower() in _SKETCHED and (kind == path or kind.suffix.lower() != ".parquet"))


def has_small_pieces(source: DatasetTable, constraints: Constraints, *, at_once: bool = False) -> bool:
    """Whether a columnar file can be read in pieces, row groups of Parquet, of which two have room at once.

    With `at_once` a piece is read so fast that a person who scrolls does not wait for it.
    """
    with source.opened() as files:
        pieces = single_pieces(files.dataset)
        sizes = [sum(group.total_byte_size for group in getattr(piece, "row_groups", ())) for piece in pieces]
    most = _OF_PIECES * constraints.memory_mb * 2**20
    return bool(sizes) and 0 < max(sizes) <= (min(_READ_AT_ONCE, most) if at_once else most)


def with_time_for(subject: Subject, request: ExplorationRequest) -> ExplorationRequest:
    """The request with the time that counting all of a file takes, unless a person said how long it may take."""
    given = request.constraints
    if not subject.by_sketches or "timeout_seconds" in given.model_fields_set:
        return request
    seconds = max(given.timeout_seconds, _size_bytes(subject) / _COUNTED_BYTES)
    return request.model_copy(update={"constraints": given.model_copy(update={"timeout_seconds": seconds})})


def question_about(subject: Subject, constraints: Constraints) -> str:
    """What a person is asked about a table that is too large; "" for one that fits."""
    size, room = _size_bytes(subject), _room_bytes(subject, constraints)
    if size <= room or _is_sketched(subject):
        return ""
    part = "its first rows" if subject.frame is None else f"a sample of {_rows(subject, constraints):,} rows"
    told = f"{subject.name} has {size / 2**20:,.0f} MiB, too many for an exploration in {constraints.memory_mb:,} MiB"
    more = "" if subject.frame is not None else " (all of them with pip install 'pandas-magic[sketches]')"
    return f"{told}: {part} would be explored{more}."


def question_about_columns(subject: Subject, columns: int, inputs: Inputs) -> str:
    """What a person is asked about a table of so many columns; "" for one that somebody may read."""
    if columns <= MANY_COLUMNS:
        return ""
    told = f"{subject.name} has {columns} columns: all would be counted"
    return f"{told}, and the relations of {inputs.max_columns_to_explore} of them explored."


def _is_sketched(subject: Subject) -> bool:
    return subject.file is not None and _is_countable(subject.file) and sketches_are_installed()


def fitted(subject: Subject, constraints: Constraints, *, confirmed: bool = True) -> Subject:
    """The part of a table that fits, which says what it is a part of; all of one that fits, or that is sketched.

    A part that a person has not `confirmed` is not taken.
    """
    if _size_bytes(subject) <= _room_bytes(subject, constraints):
        return subject
    if _is_sketched(subject):
        return replace(subject, by_sketches=True)
    if not confirmed:
        return subject
    if subject.frame is None:
        return replace(subject, most_bytes=_room_bytes(subject, constraints))
    sample = subject.frame.sample(_rows(subject, constraints), random_state=_SEED).sort_index()
    return replace(subject, frame=sample, whole_rows=len(subject.frame))


def _rows(subject: Subject, constraints: Constraints) -> int:
    assert subject.frame is not None
    return max(1, len(subject.frame) * _room_bytes(subject, constraints) // _size_bytes(subject))


def _room_bytes(subject: Subject, constraints: Constraints) -> int:
    share = _OF_FILES if subject.frame is None and subject.frame_bytes is None else _OF_FRAMES
    return int(share * constraints.memory_mb * 2**20)


def _size_bytes(subject: Subject) -> int:
    """How much room the table takes; 0 for a file of which no part can be read: it is tried as it is."""
    if subject.frame is not None:
        return int(subject.frame.memory_usage(index=False).sum())
    if subject.frame_bytes is not None:
        return subject.frame_bytes
    file = subject.file
    if file is None or not file.is_file():
        return 0
    known = file.suffix.lower() in _DELIMITED or _is_sketched(subject)
    return file.stat().st_size if known else 0
