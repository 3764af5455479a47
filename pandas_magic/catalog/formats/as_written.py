"""Columns of a delimited file looked at as they are written: what their values were made of does not show in them."""

import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv

from pandas_magic.catalog.plain_types import is_text
from pandas_magic.catalog.text.missing_words import CODE, MISSING, are_codes, said_of_code, said_of_words
from pandas_magic.catalog.text.offsets import offsets_of, said_of_offsets, zone_of

if TYPE_CHECKING:
    from pandas_magic.catalog.formats.delimited import DelimitedFile

# A row must fit.
_BLOCK_BYTES = 64 * 1024**2
_WORDS = pa.array([word for word in MISSING if word])


def texts_in_blocks(file: "DelimitedFile", names: Sequence[str]) -> Iterator[pa.RecordBatch]:
    """These columns as texts, some rows at a time."""
    read, parse, convert = file.arrow_options(names, names)
    read.block_size = min(_BLOCK_BYTES, 2 * file.size() + 1)  # another encoding may take more bytes
    source = io.BytesIO(file.content) if file.content is not None else str(file.path)
    with pyarrow.csv.open_csv(source, read, parse, convert) as blocks:
        yield from blocks


@dataclass
class _Seen:
    """How the values of one column are written."""

    offsets: set[str] = field(default_factory=set)
    words: set[str] = field(default_factory=set)
    are_code: list[pa.Array] = field(default_factory=list)  # whether each is the code that is a word for missing, too

    def add(self, texts: pa.Array, *, is_moment: bool) -> None:
        if is_moment:
            self.offsets |= offsets_of(texts)
        else:
            self.words |= set(texts.filter(pc.is_in(texts, _WORDS)).unique().to_pylist())
            self.are_code.append(pc.equal(texts, CODE))


def with_second_look(file: "DelimitedFile", table: pa.Table) -> tuple[pa.Table, list[str]]:
    """The table with moments in the offset that they are written with, and codes that are no gaps; and what is said.

    Of columns of texts the words are told that were taken for gaps: NA is a country's code, too, and Null a surname.
    """
    zoned = [each.name for each in table.schema if pa.types.is_timestamp(each.type) and each.type.tz is not None]
    gaps = [name for name in table.column_names if _may_have_words(table[name])] if file.options.missing is None else []
    seen = {name: _Seen() for name in (*zoned, *gaps)}
    plain = replace(file, options=file.options.model_copy(update={"missing": ("",)}))
    for block in texts_in_blocks(plain, list(seen)) if seen else ():
        for name, column in seen.items():
            column.add(block[name], is_moment=name in zoned)
    notes = []
    for name, written in seen.items():
        column = table[name]
        changed, said = _in_zone(column, written) if name in zoned else _with_codes(column, written)
        if changed is not column:
            table = table.set_column(table.column_names.index(name), name, changed)
        notes += [f'column "{name}": {said}'] if said else []
    return table, notes


def _may_have_words(column: pa.ChunkedArray) -> bool:
    return bool(column.null_count) and (is_text(column.type) or pa.types.is_null(column.type))


def _in_zone(column: pa.ChunkedArray, seen: _Seen) -> tuple[pa.ChunkedArray, str]:
    """The moments in the one offset that they have; Arrow shows them in UTC."""
    offsets = seen.offsets - {""}  # of words for missing
    zone = zone_of(offsets)
    is_so = zone == column.type.tz
    return column if is_so else column.cast(pa.timestamp(column.type.unit, zone)), said_of_offsets(offsets)


def _with_codes(column: pa.ChunkedArray, seen: _Seen) -> tuple[pa.ChunkedArray, str]:
    if CODE in seen.words and are_codes(column):
        is_code = pa.chunked_array(seen.are_code).fill_null(False)
        return pc.if_else(is_code, pa.scalar(CODE, column.type), column), said_of_code()
    return column, said_of_words(seen.words)
