"""What a check found in files that it looked at, kept with the failing rows; believed only as it was written."""

import hashlib
import io
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import accumulate
from pathlib import Path

import pyarrow as pa
from pydantic import ValidationError

from pandas_magic.catalog.cache.kept_json import KeptJson
from pandas_magic.catalog.sources.file_pieces import OpenFiles, taken_rows
from pandas_magic.errors import StateUnreadable
from pandas_magic.record import Record
from pandas_magic.state import write_whole

# More failing rows of one stretch are looked for again, and so many bytes of them are read again.
_MOST_KEPT, _MOST_BYTES = 100_000, 64 * 1024**2
File = tuple[str, str, int]  # path, identity, rows


class FileStretch(Record):
    """Files that follow each other, looked at together; positions of failing rows are counted from its first row."""

    files: tuple[File, ...]
    positions: tuple[int, ...]
    left_open: int  # counted where a value is missing, or where the rule looks into other rows
    has_gaps: bool  # whether a value is missing in what the rule reads
    kept: int  # rows that keep the rule; counted where it is about some rows, or leaves any open

    @property
    def rows(self) -> int:
        """How many rows its files have."""
        return sum(rows for _, _, rows in self.files)


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


def positions_of(looked: Sequence[LookedAt]) -> Iterator[int]:
    """The positions of the failing rows of all, counted from the first row of the table."""
    start = 0
    for each in looked:
        yield from (start + position for position in each.stretch.positions)
        start += each.stretch.rows


def with_rows(looked: Sequence[LookedAt], files: OpenFiles) -> list[LookedAt]:
    """The same, with the failing rows of all; those that are not at hand are read."""
    starts = accumulate((each.stretch.rows for each in looked), initial=0)
    unread = [
        [start + position for position in each.stretch.positions]
        for each, start in zip(looked, starts, strict=False)
        if each.found is None
    ]
    read = taken_rows(files.dataset, [position for positions in unread for position in positions])
    read, begins = read.replace_schema_metadata(None), accumulate(map(len, unread), initial=0)
    return [
        replace(each, found=read.slice(next(begins), len(each.stretch.positions))) if each.found is None else each
        for each in looked
    ]
