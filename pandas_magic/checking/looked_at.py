"""What a check found in files that it looked at, kept with the failing rows; believed only as it was written."""

import hashlib
import io
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import accumulate
from pathlib import Path

import numpy as np
import pyarrow as pa
from pydantic import ValidationError

from pandas_magic.catalog.cache.kept_json import KeptJson
from pandas_magic.catalog.sources.file_pieces import FilePiece, OpenFiles
from pandas_magic.checking.key_spans import Span
from pandas_magic.checking.looking import InFull, Seen
from pandas_magic.errors import StateUnreadable
from pandas_magic.record import Record
from pandas_magic.state import write_whole

# More failing rows of one stretch are looked for again, and so many bytes of them are read again.
_MOST_KEPT, _MOST_BYTES = 100_000, 64 * 1024**2
File = tuple[str, str, int]  # path, identity, rows
Places = np.ndarray[tuple[int], np.dtype[np.int64]]


class FileStretch(Record):
    """Files that follow each other, looked at together; positions of failing rows are counted from its first row."""

    files: tuple[File, ...]
    positions: tuple[int, ...]
    left_open: int  # counted where a value is missing, or where the rule looks into other rows
    has_gaps: bool  # whether a value is missing in what the rule reads
    kept: int  # rows that keep the rule; counted where it is about some rows, or leaves any open
    spans: tuple[tuple[Span, ...], ...] = ()  # of the keys by which rows meet, for each file; (): none meet

    @property
    def rows(self) -> int:
        """How many rows its files have."""
        return sum(rows for _, _, rows in self.files)

    def places(self) -> list[Places]:
        """The positions in each of its files, counted from the first row of that."""
        return split(self.positions, [rows for _, _, rows in self.files])


class _Kept(Record):
    stretches: tuple[FileStretch, ...]
    found: str  # SHA-256 of the file with the failing rows of all, one below the other; "": there is none


@dataclass(frozen=True)
class LookedAt:
    """A stretch, and its failing rows with every column, where they are at hand."""

    stretch: FileStretch
    found: pa.Table | None = None


@dataclass(frozen=True)
class KeptStretches:
    """Where one check's stretches are kept, for the code and types that the digest `of` stands for."""

    path: Path
    of: str

    def read(self, schema: pa.Schema) -> list[LookedAt]:
        """What was kept; without failing rows where these are gone, or are no rows of this schema."""
        try:
            kept = _Kept.model_validate(self._json().read())
        except ValidationError:
            return []
        found = self._found(kept, schema)
        starts = accumulate((len(each.positions) for each in kept.stretches), initial=0)
        return [
            LookedAt(each, None if found is None else found.slice(start, len(each.positions)))
            for each, start in zip(kept.stretches, starts, strict=False)
        ]

    def write(self, looked: Sequence[LookedAt], *, settled: set[str]) -> None:
        """Keep those of which every file is settled."""
        kept = [
            each
            for each in looked
            if len(each.stretch.positions) <= _MOST_KEPT
            and settled.issuperset(path for path, _, _ in each.stretch.files)
        ]
        found = self._write_found([each.found for each in kept if each.found is not None])
        whole = _Kept(stretches=tuple(each.stretch for each in kept), found=found)
        self._json().write(whole.to_dict())

    def _json(self) -> KeptJson:
        return KeptJson(self.path.with_suffix(".json"), self.of)

    def _found(self, kept: _Kept, schema: pa.Schema) -> pa.Table | None:
        with suppress(OSError, pa.ArrowInvalid):
            content = self.path.with_suffix(".arrow").read_bytes()
            if hashlib.sha256(content).hexdigest() == kept.found:
                found = pa.ipc.open_file(content).read_all()
                return found if found.schema.equals(schema) else None
        return None

    def _write_found(self, found: Sequence[pa.Table]) -> str:
        # Dictionaries differ from file to file.
        if not found or any(pa.types.is_dictionary(column.type) for column in found[0].schema):
            return ""
        rows, sink = pa.concat_tables(found), io.BytesIO()
        if rows.nbytes > _MOST_BYTES:
            return ""
        with pa.ipc.new_file(sink, rows.schema) as writer:
            writer.write_table(rows)
        content = sink.getvalue()
        with suppress(StateUnreadable):
            write_whole(self.path.with_suffix(".arrow"), lambda beside: beside.write_bytes(content), durable=False)
            return hashlib.sha256(content).hexdigest()
        return ""


def stretch_of(
    files: tuple[File, ...],
    seen: Sequence[Seen | FileStretch],
    positions: Iterable[int],
    spans: Iterable[tuple[Span, ...]] = (),
) -> FileStretch:
    """What was seen of these files, in one look or several."""
    return FileStretch(
        files=files,
        positions=tuple(positions),
        left_open=sum(each.left_open for each in seen),
        has_gaps=any(each.has_gaps for each in seen),
        kept=sum(each.kept for each in seen),
        spans=tuple(spans),
    )


def known_by(pieces: Sequence[FilePiece]) -> tuple[File, ...]:
    """What is kept of the files themselves."""
    return tuple((piece.path, piece.identity, piece.rows) for piece in pieces)


def positions_of(looked: Sequence[LookedAt]) -> Iterator[int]:
    """The positions of the failing rows of all, counted from the first row of the table."""
    start = 0
    for each in looked:
        yield from (start + position for position in each.stretch.positions)
        start += each.stretch.rows


def with_rows(looked: Sequence[LookedAt], files: OpenFiles) -> list[LookedAt]:
    """The same, with the failing rows of all; those that are not at hand are read. Raises: InFull."""
    starts = accumulate((len(each.stretch.files) for each in looked), initial=0)
    return [
        replace(each, found=files.taken(dict(enumerate(each.stretch.places(), start)))) if each.found is None else each
        for each, start in zip(looked, starts, strict=False)
    ]


def split(positions: Sequence[int], sizes: Sequence[int]) -> list[Places]:
    """The positions in each of so many rows that follow each other, counted from the first of these. Raises: InFull."""
    every, starts = np.asarray(positions, dtype=np.int64), np.cumsum([0, *sizes])
    if np.any(np.diff(every) <= 0):
        raise InFull("its code does not give rows in the order of the table")
    bounds = np.searchsorted(every, starts)
    return [every[bounds[at] : bounds[at + 1]] - starts[at] for at in range(len(sizes))]
