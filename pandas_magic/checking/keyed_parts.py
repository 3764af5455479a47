"""Tables divided by the values of a key, so that rows that share one meet in the same part, and memory holds one.

Each table is read once: the rows of every part go into a file of its own without a name, which ends with the process.
Where there is no room for that, each part is filtered out of the tables by itself, which takes as many passes.
"""

import shutil
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from typing import IO, Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from pandas_magic.catalog import Catalog, Table
from pandas_magic.catalog.arrow import frame_from_arrow
from pandas_magic.catalog.described_dtypes import as_described
from pandas_magic.catalog.plain_types import plain_type

BATCH_ROWS = 1_000_000
# Beside the rows of a part, where they stand in their table: no column is called so.
_POSITION = "\0position"
# Each part of each table is an open file.
_MOST_FILES = 256
# So many times what the tables are estimated to take has to be free.
_ROOM = 2
Keys = dict[str, tuple[str, ...]]  # table -> the columns by whose values its rows are put into parts


@dataclass(frozen=True)
class Part:
    """Some rows of the rule's table, and of other tables all rows that these can meet.

    `positions` are the places in the rule's table of the rows that stand in its frame.
    """

    frames: dict[str, pd.DataFrame]
    positions: "np.ndarray[tuple[int], np.dtype[np.int64]]"


@dataclass(frozen=True)
class Undivided:
    """What is looked at in parts: the tables that a rule reads, and the one whose rows it judges."""

    target: str
    catalog: Catalog
    reads: Mapping[str, Sequence[str]]
    schemas: Mapping[str, Table]


def key_parts(whole: Undivided, keys: Keys, count: int, *, need_bytes: int) -> Iterator[Part]:
    """The tables, which take about so many bytes, in so many parts by the values of these columns of each."""
    if count == 1:
        yield _filtered(whole, keys, 0, 1)
        return
    telling = _telling(whole, keys)
    with ExitStack() as files:
        divided = _divided(whole, telling, files, count=count, need_bytes=need_bytes)
        for number in range(count):
            yield _filtered(whole, telling, number, count) if divided is None else _read(whole, divided, number)


def _telling(whole: Undivided, keys: Keys) -> Keys:
    """The keys, or one of their columns where half of the rows that come first differ in it.

    Rows that share a key share each of its columns, so that one is enough to keep them together, and others, texts
    above all, take longer to hash.
    """
    names = keys[whole.target]
    if len(names) > 1:
        head = next(iter(whole.catalog.batches(whole.target, list(names), rows=BATCH_ROWS)))
        for number, name in enumerate(names):
            kind = head[name].type
            is_cheap = pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_timestamp(kind)
            if is_cheap and 2 * pc.count_distinct(head[name]).as_py() > len(head):
                return {table: (columns[number],) for table, columns in keys.items()}
    return keys


class _Unlike(Exception):
    """Rows that are of other types than those above them."""


def _divided(
    whole: Undivided, keys: Keys, files: ExitStack, *, count: int, need_bytes: int
) -> dict[str, list[IO[bytes]]] | None:
    """For each table the files of its parts; None where there is no room for them, or rows do not fit together."""
    cache = whole.catalog.cache
    if cache is None or count * len(whole.reads) > _MOST_FILES:
        return None
    try:
        cache.folder.mkdir(parents=True, exist_ok=True)
        if shutil.disk_usage(cache.folder).free < _ROOM * need_bytes:
            return None
        made: dict[str, list[IO[bytes]]] = {name: [] for name in whole.reads}
        for name, parts in made.items():
            parts += [files.enter_context(tempfile.TemporaryFile(dir=cache.folder)) for _ in range(count)]  # noqa: SIM115
            _divide(whole, name, keys[name], parts)
    except (OSError, _Unlike):
        files.close()
        return None
    return made


def _divide(whole: Undivided, name: str, keys: Sequence[str], parts: Sequence[IO[bytes]]) -> None:
    writers: list[pa.RecordBatchStreamWriter] = []
    schema, start = None, 0
    with ExitStack() as open_writers:
        for batch in whole.catalog.batches(name, list(whole.reads[name]), rows=BATCH_ROWS):
            rows = batch.append_column(_POSITION, pa.array(np.arange(start, start + len(batch))))
            if not writers:
                schema = rows.schema
                writers = [open_writers.enter_context(pa.ipc.new_stream(part, schema)) for part in parts]
            if not rows.schema.equals(schema):
                raise _Unlike
            bucket = _bucket(batch, keys, len(parts)).astype(np.uint16)
            order = np.argsort(bucket, kind="stable")  # which numbers of 16 bits are counted for, not compared
            ends = np.cumsum(np.bincount(bucket, minlength=len(parts)))
            for writer, first, end in zip(writers, [0, *ends[:-1]], ends, strict=True):
                writer.write_table(rows.take(pa.array(order[first:end])))
            start += len(batch)


def _read(whole: Undivided, divided: Mapping[str, Sequence[IO[bytes]]], number: int) -> Part:
    frames, positions = {}, np.empty(0, np.int64)
    for name, parts in divided.items():
        parts[number].seek(0)
        rows = pa.ipc.open_stream(parts[number]).read_all()
        frames[name] = described(rows.drop_columns([_POSITION]), whole.schemas[name])
        if name == whole.target:
            positions = rows[_POSITION].to_numpy()
    return Part(frames, positions)


def _filtered(whole: Undivided, keys: Keys, number: int, count: int) -> Part:
    frames, positions = {}, np.empty(0, np.int64)
    for name, columns in whole.reads.items():
        batches, places, start = [], [], 0
        for batch in whole.catalog.batches(name, list(columns), rows=BATCH_ROWS):
            kept = np.flatnonzero(_bucket(batch, keys[name], count) == number)
            batches.append(batch.take(pa.array(kept)))
            places.append(kept + start)
            start += len(batch)
        frames[name] = described(pa.concat_tables(batches, promote_options="permissive"), whole.schemas[name])
        if name == whole.target:
            positions = np.concatenate(places).astype(np.int64)
    return Part(frames, positions)


def described(batch: pa.Table, table: Table) -> pd.DataFrame:
    """The frame of a part of the table."""
    return as_described(frame_from_arrow(batch), table)


def _bucket(batch: pa.Table, columns: Sequence[str], count: int) -> "np.ndarray[Any, np.dtype[np.uint64]]":
    """For each row the number of its part."""
    return key_hashes(batch, columns) % np.uint64(count)


def key_hashes(batch: pa.Table, columns: Sequence[str]) -> "np.ndarray[Any, np.dtype[np.uint64]]":
    """For each row a number, the same for equal keys, also where one is an integer and one a float."""
    mixed = np.zeros(len(batch), dtype=np.uint64)
    for name in columns:
        mixed = mixed * np.uint64(6364136223846793005) + _hashes(batch[name])
    return mixed


def _hashes(column: pa.ChunkedArray) -> "np.ndarray[Any, np.dtype[np.uint64]]":
    values = frame_from_arrow(pa.table({"key": column}))["key"]
    if pd.api.types.is_datetime64_any_dtype(values.dtype):
        whole = values.dt.as_unit("ns").astype("int64").to_numpy(dtype="float64")
        return pd.util.hash_array(np.where(values.isna(), np.nan, whole))
    kind = plain_type(column.type)
    if (
        pa.types.is_integer(kind)
        or pa.types.is_floating(kind)
        or pa.types.is_decimal(kind)
        or pa.types.is_boolean(kind)
    ):
        # Adding zero makes one zero of both; integers that share a float share a part, which does no harm.
        return pd.util.hash_array(values.astype("Float64").to_numpy(dtype="float64", na_value=np.nan) + 0.0)
    return pd.util.hash_array(values.astype(object).where(values.notna(), None).to_numpy(), categorize=True)
