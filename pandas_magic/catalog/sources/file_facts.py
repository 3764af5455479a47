"""What is known of each file of a table, kept, so that a table to which one file came is described by reading that one.

Counts add up, texts unite, and numbers that differ within each file differ in all where the files' ranges are apart.
A column of which the files do not tell enough is read whole: what comes of it is what `describe_arrow` says of all.
"""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
from pydantic import Field, ValidationError

from pandas_magic import __version__
from pandas_magic.catalog.arrow import (
    EXACT_IN_FLOAT,
    MAX_KEY_ROWS,
    MAX_VALUES,
    PROBE_ROWS,
    describe_arrow,
    dtype_for,
)
from pandas_magic.catalog.cache.columnar import READER_VERSION, key_of
from pandas_magic.catalog.cache.kept_json import KeptJson
from pandas_magic.catalog.sources.file_pieces import FilePiece, OpenFiles
from pandas_magic.catalog.table import Table
from pandas_magic.record import Record, digest

_FOLDER = "described"
# Bytes of the files whose columns are looked at together.
_DESCRIBED_BYTES = 32 * 1024**2


class FileFacts(Record):
    """What one file adds to the description of its table; columns by name, where there is something to say."""

    rows: int = 0
    nulls: dict[str, int] = Field(default_factory=dict)
    missing: dict[str, int] = Field(default_factory=dict)  # nulls, and what is not a number
    values: dict[str, tuple[str, ...]] = Field(default_factory=dict)
    keys: tuple[str, ...] = ()
    bounds: dict[str, tuple[int, int]] = Field(default_factory=dict)  # of whole numbers


def described_in_steps(name: str, dataset: Any, file_bytes: int) -> Table:  # noqa: ANN401 - Arrow carries no types
    """What is known of all rows; some columns are read at a time, so that memory holds a part of the files."""
    some = [describe_arrow(name, dataset.to_table(columns=names)) for names in _steps(dataset.schema.names, file_bytes)]
    return Table(
        name=name,
        columns={name: dtype for one in some for name, dtype in one.columns.items()},
        values={name: texts for one in some for name, texts in one.values.items()},
        keys=tuple(name for one in some for name in one.keys),
        missing={name: count for one in some for name, count in one.missing.items()},
        read_as={name: kind for one in some for name, kind in one.read_as.items()},
        moments=tuple(name for one in some for name in one.moments),
        row_count=dataset.count_rows(),
    )


def described_by_files(name: str, path: Path, files: OpenFiles, folder: Path) -> Table | None:
    """The same, from what is kept below `folder` of its files and the rows of those of which nothing is.

    None for a single file, other kinds than Parquet, and columns with dictionaries, which differ from file to file.
    """
    pieces, schema = files.pieces(), files.schema
    if len(pieces) < 2 or any(pa.types.is_dictionary(column.type) for column in schema):
        return None
    versions = [__version__, pd.__version__, pa.__version__, READER_VERSION]
    of = digest([versions, [(column.name, str(column.type)) for column in schema]])
    kept = KeptJson(folder / _FOLDER / f"{key_of(path.absolute())}.json", of)
    known = _read(kept)
    facts = [known.get(_key(piece)) or _facts_of(files, number, piece) for number, piece in enumerate(pieces)]
    settled = {_key(piece): fact.to_dict() for piece, fact in zip(pieces, facts, strict=True) if piece.is_settled}
    if settled.keys() != known.keys():
        kept.write(settled)
    return _joined(name, files, facts)


def _key(piece: FilePiece) -> str:
    return f"{piece.identity} {piece.path}"


def _read(kept: KeptJson) -> dict[str, FileFacts]:
    with suppress(ValidationError):
        return {key: FileFacts.model_validate(fact) for key, fact in (kept.read() or {}).items()}
    return {}


def _steps(names: Sequence[str], file_bytes: int) -> Iterator[list[str]]:
    # One by one, ten thousand columns take minutes.
    step = max(1, len(names) * _DESCRIBED_BYTES // max(file_bytes, 1))
    return (list(names[start : start + step]) for start in range(0, len(names), step))


def _facts_of(files: OpenFiles, number: int, piece: FilePiece) -> FileFacts:
    facts = FileFacts(rows=piece.rows)
    for names in _steps(files.schema.names, Path(piece.path).stat().st_size):
        rows = files.rows_of(range(number, number + 1), names)
        said = describe_arrow("", rows)
        whole = [name for name in names if pa.types.is_integer(rows[name].type) and rows[name].null_count < len(rows)]
        bounds = {name: pc.min_max(rows[name]).as_py() for name in whole}
        facts = FileFacts(
            rows=facts.rows,
            nulls=facts.nulls | {name: count for name in names if (count := rows[name].null_count)},
            missing=facts.missing | said.missing,
            values=facts.values | said.values,
            keys=facts.keys + said.keys,
            bounds=facts.bounds | {name: (each["min"], each["max"]) for name, each in bounds.items()},
        )
    return facts


def _joined(name: str, files: OpenFiles, facts: Sequence[FileFacts]) -> Table:
    every, rows = _Every(files, tuple(each for each in facts if each.rows)), sum(each.rows for each in facts)
    first = describe_arrow(name, _first_rows(files, facts))
    told: dict[str, Table] = {}
    for column in files.schema:
        said = every.told_of(column, first)
        told[column.name] = said or describe_arrow(name, files.rows_of(range(len(facts)), [column.name]))
    return Table(
        name=name,
        columns={column: said.columns[column] for column, said in told.items()},
        values={column: said.values[column] for column, said in told.items() if column in said.values},
        keys=tuple(column for column, said in told.items() if said.keys),
        missing={column: said.missing[column] for column, said in told.items() if column in said.missing},
        read_as=first.read_as,
        moments=first.moments,
        row_count=rows,
    )


@dataclass(frozen=True)
class _Every:
    """The facts of all files that have rows."""

    files: OpenFiles
    facts: tuple[FileFacts, ...]

    def told_of(self, column: pa.Field, first: Table) -> Table | None:
        """What the files tell of a column; None where it has to be read. `first` describes the first rows."""
        name, rows = column.name, sum(each.rows for each in self.facts)
        nulls = sum(each.nulls.get(name, 0) for each in self.facts)
        missing = sum(each.missing.get(name, 0) for each in self.facts)
        if nulls and any(max(map(abs, bounds)) > EXACT_IN_FLOAT for bounds in self._bounds(name)):
            return None
        texts, is_key = self._texts(column, first), rows <= MAX_KEY_ROWS and self._is_key(name, first)
        if texts is None or is_key is None:
            return None
        return Table(
            name="",
            columns={name: dtype_for(column.type, has_missing=nulls > 0, has_values=nulls < rows)},
            values={name: texts} if texts else {},
            keys=(name,) if is_key else (),
            missing={name: missing} if missing else {},
        )

    def _bounds(self, name: str) -> list[tuple[int, int]]:
        return [each.bounds[name] for each in self.facts if name in each.bounds]

    def _texts(self, column: pa.Field, first: Table) -> tuple[str, ...] | None:
        name, is_text = column.name, pa.types.is_string(column.type) or pa.types.is_large_string(column.type)
        # With many different ones, or none at all, among the first rows; the latter tells nothing of the others.
        is_none = first.missing.get(name, 0) == first.row_count
        if not is_text or (name not in first.values and not is_none):
            return ()
        full = [each for each in self.facts if each.nulls.get(name, 0) < each.rows]
        if any(name not in each.values for each in full):
            return None
        texts = {text for each in full for text in each.values[name]}
        return tuple(sorted(texts)) if len(texts) <= MAX_VALUES else ()

    def _is_key(self, name: str, first: Table) -> bool | None:
        if name not in first.keys or not all(name in each.keys for each in self.facts):
            return False
        bounds = sorted(self._bounds(name))
        is_apart = len(bounds) == len(self.facts) and all(one[1] < other[0] for one, other in pairwise(bounds))
        return True if is_apart else None


def _first_rows(files: OpenFiles, facts: Sequence[FileFacts]) -> pa.Table:
    numbers, rows = 0, 0
    while numbers < len(facts) and rows < PROBE_ROWS:
        numbers, rows = numbers + 1, rows + facts[numbers].rows
    return files.rows_of(range(numbers), files.schema.names).slice(0, PROBE_ROWS)
