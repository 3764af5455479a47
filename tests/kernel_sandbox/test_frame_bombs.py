"""Answers that are small and would be large, or would reach past the frame: refused before anything is decoded."""

import json
import os
import struct
import tracemalloc
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from kernel_sandbox.policy import MIB
from kernel_sandbox.tables.boundary import NotRepresentable
from kernel_sandbox.tables.flatbuffer import FlatTable, root_table
from kernel_sandbox.tables.mapping import private_mapping
from kernel_sandbox.tables.plain_values import record_from_bytes
from kernel_sandbox.tables.reading import read_frame
from kernel_sandbox.tables.transfer import reply_file, write_frame

SCHEMA, DICTIONARY, ROWS = 1, 2, 3
OBJECT = "object"


def described(table: pa.Table, *dtypes: object, **changes: Any) -> pa.Table:
    columns = [{"label": name, "dtype": dtype} for name, dtype in zip(table.column_names, dtypes, strict=True)]
    content = {"columns": columns, "names": [None], "levels": 1, "rows": table.num_rows, "index": None} | changes
    return table.replace_schema_metadata({b"kernel_sandbox": json.dumps(content).encode()})


def stream(table: pa.Table, *, message: dict[str, str] | None = None, times: int = 1, **options: Any) -> bytes:
    """The table as one batch, or the same batch several times; `message` is metadata of each batch."""
    sink = pa.BufferOutputStream()
    arrays = [column.combine_chunks() for column in table.columns]
    batch = pa.RecordBatch.from_arrays(arrays, schema=table.schema)
    with pa.ipc.new_stream(sink, table.schema, options=pa.ipc.IpcWriteOptions(**options)) as writer:
        for _ in range(times):
            writer.write_batch(batch, custom_metadata=message)
    return bytes(sink.getvalue().to_pybytes())


def changed(content: bytes, kind: int, change: Callable[[bytearray, FlatTable, FlatTable], None]) -> bytes:
    """The stream with the metadata of its messages of that kind changed in place."""
    at, changed_content = 0, bytearray(content)
    while size := struct.unpack_from("<i", content, at + 4)[0]:
        metadata = bytearray(content[at + 8 : at + 8 + size])
        message = root_table(bytes(metadata))
        header = message.table(2)
        assert header is not None
        if message.number(1, struct.Struct("<b")) == kind:
            change(metadata, message, header)
            changed_content[at + 8 : at + 8 + size] = metadata
        at += 8 + size + message.number(3, struct.Struct("<q"))
    return bytes(changed_content)


def without_field(metadata: bytearray, table: FlatTable, field: int) -> None:
    (back,) = struct.unpack_from("<i", metadata, table.at)
    struct.pack_into("<H", metadata, table.at - back + 4 + 2 * field, 0)


def unfolding() -> bytes:
    """Compressed as Arrow did before version 5, which says so in metadata of the message only."""
    table = described(pa.table({"a": np.zeros(2_000_000, dtype="int64")}), None)
    version = pa.ipc.MetadataVersion.V4
    mark = {"ARROW:experimental_compression": "zstd"}
    content = stream(table, message=mark, compression="zstd", metadata_version=version)
    return changed(content, ROWS, lambda metadata, message, header: without_field(metadata, header, 3))


def shared_bytes() -> bytes:
    """Eight columns that are all the same bytes of the file."""

    def point_to_the_first(metadata: bytearray, message: FlatTable, header: FlatTable) -> None:
        start, count = header.vector(2, 16)
        for number in range(1, count, 2):
            metadata[start + 16 * number : start + 16 * number + 16] = metadata[start + 16 : start + 32]

    table = pa.table({f"c{number}": np.zeros(1000, dtype="int64") for number in range(8)})
    return changed(stream(described(table, *[None] * 8)), ROWS, point_to_the_first)


def without_columns(rows: object) -> bytes:
    return stream(described(pa.table({}), rows=rows))


def of_zone(name: str, dtype: str = "tz") -> bytes:
    return stream(described(pa.table({"a": pa.array([1, 2], pa.timestamp("ns", name))}), dtype))


def labelled(label: object, **changes: Any) -> bytes:
    return stream(described(pa.table({"a": [1]}), None, columns=[{"label": label, "dtype": None}], **changes))


def category(*values: str | None, tag: object = None) -> bytes:
    column = pa.DictionaryArray.from_arrays(pa.array([0, 1], pa.int8()), pa.array(values))
    return stream(described(pa.table({"a": column}), tag or {"categories": "str", "ordered": False}))


def repeated_text() -> pa.Array:
    return pa.DictionaryArray.from_arrays(pa.array(np.zeros(50_000, dtype="int8")), pa.array(["x" * 100_000]))


NULLS = pa.table({f"c{number}": pa.nulls(1_000_000) for number in range(200)})
LISTED_NULLS = pa.table({"a": pa.ListArray.from_arrays(pa.array([0, 10**7], pa.int32()), pa.nulls(10**7))})
BOOLEANS = pa.table({f"c{number}": np.zeros(900_000, dtype=bool) for number in range(8)})
WITH_FIELD_METADATA = pa.table([pa.array([1])], schema=pa.schema([pa.field("a", pa.int64(), metadata={"k": "v"})]))
BOMBS: dict[str, tuple[Callable[[], bytes], str]] = {
    "compression of version 4": (unfolding, "metadata of version 4"),
    "compression of version 5": (
        lambda: stream(described(pa.table({"a": np.zeros(10**6)}), None), compression="lz4"),
        "compressed data",
    ),
    "version 4": (
        lambda: stream(described(pa.table({"a": [1]}), None), metadata_version=pa.ipc.MetadataVersion.V4),
        "metadata of version 4",
    ),
    "metadata of a message": (lambda: stream(described(pa.table({"a": [1]}), None), message={"k": "v"}), "of its own"),
    "metadata of a column": (lambda: stream(described(WITH_FIELD_METADATA, None)), "of its own"),
    "a thousand million million rows of nothing": (lambda: without_columns(10**15), "rows without a column"),
    "an infinity of rows of nothing": (lambda: without_columns(float("inf")), "rows without a column"),
    "a negative number of rows": (lambda: without_columns(-1), "rows without a column"),
    "200 columns of a million nulls": (lambda: stream(described(NULLS, *[OBJECT] * 200)), "bytes of memory"),
    "a list of nulls": (lambda: stream(described(LISTED_NULLS, OBJECT)), "bytes of memory"),
    "bits that become bytes": (lambda: stream(described(BOOLEANS, *[None] * 8)), "bytes of memory"),
    "a category called objects": (
        lambda: stream(described(pa.table({"a": repeated_text()}), OBJECT)),
        "bytes of memory",
    ),
    "a short category called objects": (lambda: category("x", "y", tag=OBJECT), "dtype object holds dictionary"),
    "a category called text": (lambda: category("x", "y", tag="str"), "dtype str holds dictionary"),
    "a category called arrow": (lambda: category("x", "y", tag="arrow"), "dtype arrow holds dictionary"),
    "a category called a number": (lambda: stream(described(pa.table({"a": repeated_text()}), None)), "numeric"),
    "columns on the same bytes": (shared_bytes, "buffers overlap"),
    "two batches": (lambda: stream(described(pa.table({"a": [1]}), None), times=2), "more than one batch"),
    "something after the end": (lambda: stream(described(pa.table({"a": [1]}), None)) + b"\0" * 8, "follows its end"),
    "a zone of no list": (lambda: of_zone("Mars/Phobos"), "time zone Mars/Phobos"),
    "a zone that is a path": (lambda: of_zone("dateutil//etc/passwd"), "time zone dateutil//etc/passwd"),
    "a zone that is a path below ours": (lambda: of_zone("../../../../etc/passwd"), "time zone ../.."),
    "a zone of a column of arrow": (lambda: of_zone("dateutil//etc/passwd", "arrow"), "time zone dateutil"),
    "a moment that pandas cannot show": (
        lambda: stream(described(pa.table({"a": pa.array([2**60], pa.timestamp("ms", "Europe/Berlin"))}), "tz")),
        "outside the years 1 to 9999",
    ),
    "an offset beyond a day": (lambda: of_zone("+24:00"), "time zone +24:00"),
    "categories that are twice there": (lambda: category("x", "x"), "unique"),
    "a category that is missing": (lambda: category("x", None), "null"),
    "a label that renames the terminal": (lambda: labelled("\x1b]0;x\x07"), r"character '\x1b'"),
    "a label that is read backwards": (lambda: labelled("a\u202eb"), r"character '\u202e'"),
    "a label within a label": (lambda: labelled({"tuple": ["a", "\x9b31m"]}), r"character '\x9b'"),
    "half a character": (lambda: labelled("\ud800"), r"character '\ud800'"),
    "the name of an index": (
        lambda: labelled("a", index={"range": [0, 1, 1], "names": ["\x1b[2J"]}),
        r"character '\x1b'",
    ),
    "a label that is parsed": (lambda: labelled({"time": "now"}), "no known kind"),
    "a label beyond all numbers": (lambda: labelled({"float": "0x1p+99999"}), "does not fit"),
    "an index that is larger than the frame": (
        lambda: stream(described(pa.table({}), index={"range": [0, 10**15, 1], "names": [None]})),
        "an index of 1,000,000,000,000,000 for 0 rows",
    ),
    "a novel for a description": (lambda: labelled("x" * 10**5), "described in"),
}


@pytest.mark.parametrize("name", BOMBS)
def test_a_bomb_is_refused_before_it_costs_a_mebibyte(name: str) -> None:
    make, words = BOMBS[name]
    content = make()

    error, cost_bytes = refused(content, most_bytes=2 * MIB)

    assert words in error
    assert cost_bytes < MIB


def refused(content: bytes, *, most_bytes: int) -> tuple[str, int]:
    """Why the answer was refused, and the bytes that it took at most until then."""
    file = reply_file()
    os.write(file, content)
    pool = pa.default_memory_pool()
    before = pool.bytes_allocated()
    tracemalloc.start()
    try:
        with pytest.raises(NotRepresentable) as caught:
            read_frame(file, most_bytes=most_bytes)
        return str(caught.value), tracemalloc.get_traced_memory()[1] + pool.bytes_allocated() - before
    finally:
        tracemalloc.stop()
        os.close(file)


def crossed(value: object, *, sent: int | None = None, asked: int | None = None) -> pd.DataFrame:
    file = reply_file()
    try:
        write_frame(value, file, max_rows=sent)
        return read_frame(file, most_bytes=64 * MIB, max_rows=asked)
    finally:
        os.close(file)


def test_more_rows_than_were_asked_for_are_refused() -> None:
    frame = pd.DataFrame({"a": range(100)})

    assert len(crossed(frame, sent=5, asked=5)) == 5
    with pytest.raises(NotRepresentable, match="it has 100 rows, and at most 5 were asked for"):
        crossed(frame, asked=5)
    with pytest.raises(NotRepresentable, match="it has 100 rows, and at most 5 were asked for"):
        crossed(frame[[]], asked=5)


def test_rows_without_a_column_are_still_rows() -> None:
    """A check's violations may have no column left; none of them may be lost."""
    assert len(crossed(pd.DataFrame({"a": range(7)})[[]])) == 7


def test_honest_labels_of_many_scripts_come_back() -> None:
    labels = ["\ufeffid", "שם\u200f", "a\tb", "line\nend", "क्\u200dष", "數", "é", ("a", "b\r\n")]
    frame = pd.DataFrame([range(len(labels))])
    frame.columns = pd.Index(labels, tupleize_cols=False)

    assert list(crossed(frame).columns) == labels


@pytest.mark.parametrize("moment", ["0001-01-02 12:00", "9999-12-30 12:00", None])
def test_the_first_and_last_moments_that_can_be_shown_come_back(moment: str | None) -> None:
    frame = pd.DataFrame({"t": pd.Series([moment], dtype=pd.DatetimeTZDtype("us", "Europe/Berlin"))})

    assert crossed(frame).to_string() == frame.to_string()


@pytest.mark.parametrize("zone", ["UTC", "Europe/Berlin", "+05:30", "-11:00", "Etc/GMT+12"])
def test_zones_of_the_list_and_offsets_come_back(zone: str) -> None:
    frame = pd.DataFrame({"t": pd.to_datetime(["2024-02-29 12:00"]).tz_localize(zone)})

    assert crossed(frame)["t"].iloc[0] == frame["t"].iloc[0]


def test_a_large_honest_frame_is_read_where_it_lies() -> None:
    """The columns of numbers are the file's own bytes, so the frame costs next to nothing besides it."""
    frame = pd.DataFrame({"a": np.arange(10**6), "b": np.arange(10**6) / 3})
    file = reply_file()
    write_frame(frame, file, max_rows=None)
    tracemalloc.start()
    before = pa.default_memory_pool().bytes_allocated()

    back = read_frame(file, most_bytes=64 * MIB)

    cost_bytes = tracemalloc.get_traced_memory()[1] + pa.default_memory_pool().bytes_allocated() - before
    tracemalloc.stop()
    os.close(file)
    assert back["b"].iloc[-1] == frame["b"].iloc[-1]
    assert cost_bytes < MIB


@pytest.mark.parametrize("content", [b"1e999", b"[-1e999]", b"NaN", b'{"a": 1e99999}'])
def test_a_record_beyond_all_numbers_is_refused(content: bytes) -> None:
    with pytest.raises(ValueError, match="its JSON holds"):
        record_from_bytes(content)


def test_a_table_of_flatbuffers_never_reaches_outside_its_bytes() -> None:
    file = reply_file()
    write_frame(pd.DataFrame({"a": [1]}), file, max_rows=None)
    metadata = bytes(private_mapping(file)[8:200])
    os.close(file)

    for at in range(0, len(metadata) - 4):
        damaged = bytearray(metadata)
        struct.pack_into("<I", damaged, at, 0xFFFFFFF0)
        try:
            table = root_table(bytes(damaged))
            [one.text(0) for one in (table.table(2) or table).tables(1)]
        except NotRepresentable:
            continue
