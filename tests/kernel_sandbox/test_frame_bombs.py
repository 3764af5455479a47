"""Answers that are small and would be large, or would reach past the frame: refused before anything is decoded."""

import io
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
from kernel_sandbox.tables.columns import write_columns
from kernel_sandbox.tables.plain_values import record_from_bytes
from kernel_sandbox.tables.reading import read_frame
from kernel_sandbox.tables.transfer import reply_file, write_frame

OBJECT = "object"
Change = Callable[[dict[str, Any]], None]


def described(*arrays: pa.Array, dtypes: object = None, **changes: Any) -> bytes:
    """The columns as our own writer writes them, all of one dtype, but for these changes of the description."""
    columns = [{"label": f"c{number}", "dtype": dtypes} for number in range(len(arrays))]
    rows = len(arrays[0]) if arrays else 0
    file = io.BytesIO()
    write_columns(
        file, list(arrays), {"columns": columns, "names": [None], "levels": 1, "rows": rows, "index": None} | changes
    )
    return file.getvalue()


def forged(content: bytes, change: Change, *, columns: int | None = None) -> bytes:
    """The content with something changed in its description, the bytes of the columns as they were."""
    count, size = struct.unpack_from("<QQ", content)
    description = json.loads(content[16 : 16 + size])
    change(description)
    head = json.dumps(description).encode()
    return (
        struct.pack("<QQ", count if columns is None else columns, len(head))
        + head
        + bytes(-(16 + len(head)) % 64)
        + content[16 + size + -(16 + size) % 64 :]
    )


def array(number: int, place: int, value: object) -> Change:
    """Changes one part of what is said of one column: its type, its length or the sizes of its buffers."""

    def change(description: dict[str, Any]) -> None:
        description["arrays"][number][place] = value

    return change


def of_zone(name: str, dtype: str = "tz") -> bytes:
    return described(pa.array([1, 2], pa.timestamp("ns", name)), dtypes=dtype)


def labelled(label: object, **changes: Any) -> bytes:
    return described(pa.array([1]), columns=[{"label": label, "dtype": None}], **changes)


def category(*values: str | None, tag: object = None) -> bytes:
    column = pa.DictionaryArray.from_arrays(pa.array([0, 1], pa.int8()), pa.array(values))
    return described(column, dtypes=tag or {"categories": "str", "ordered": False})


def nested(depth: int) -> bytes:
    kind = pa.int64()
    for _ in range(depth):
        kind = pa.list_(kind)
    return described(pa.array([None], kind), dtypes=OBJECT)


def repeated_text(rows: int = 50_000) -> pa.Array:
    return pa.DictionaryArray.from_arrays(pa.array(np.zeros(rows, dtype="int8")), pa.array(["x" * 100_000]))


def with_a_gap(kind: str) -> pa.Array:
    return pa.array(np.zeros(1_000_000, dtype=kind), mask=np.arange(1_000_000) == 1)


NUMBERS = pa.array(np.zeros(1000, dtype="int64"))
SMALL = pa.array(np.zeros(1_500_000, dtype="int8"))
LISTED_NULLS = pa.ListArray.from_arrays(pa.array([0, 10**7], pa.int32()), pa.nulls(10**7))
TEXTS = described(pa.array(["a", "b"]), dtypes="str")
BOMBS: dict[str, tuple[Callable[[], bytes], str]] = {
    "a thousand million million rows of nothing": (lambda: described(rows=10**15), "rows without a column"),
    "an infinity of rows of nothing": (lambda: described(rows=float("inf")), "rows without a column"),
    "a negative number of rows": (lambda: described(rows=-1), "rows without a column"),
    "200 columns of a million nulls": (
        lambda: described(*[pa.nulls(1_000_000)] * 200, dtypes=OBJECT),
        "bytes of memory",
    ),
    "a list of nulls": (lambda: described(LISTED_NULLS, dtypes=OBJECT), "bytes of memory"),
    "bits that become bytes": (lambda: described(*[pa.array(np.zeros(900_000, dtype=bool))] * 8), "bytes of memory"),
    "a category called objects": (lambda: described(repeated_text(), dtypes=OBJECT), "bytes of memory"),
    "a short category called objects": (lambda: category("x", "y", tag=OBJECT), "dtype object holds dictionary"),
    "a category in a list called objects": (
        lambda: described(
            pa.ListArray.from_arrays(pa.array([0, 1000], pa.int32()), repeated_text(1000)), dtypes=OBJECT
        ),
        "described as",
    ),
    "a category in a struct of arrow": (
        lambda: described(pa.StructArray.from_arrays([repeated_text()], ["a"]), dtypes="arrow"),
        "described as",
    ),
    "small numbers with a gap, which floats would hold": (lambda: described(with_a_gap("int8")), "numeric has a gap"),
    "bits with a gap, which objects would hold": (lambda: described(with_a_gap("bool")), "numeric has a gap"),
    "small numbers to be looked up by": (
        lambda: described(SMALL, columns=[], index={"dtypes": [None], "names": [None], "multi": True}),
        "bytes of memory",
    ),
    "small numbers as categories": (
        lambda: described(
            pa.DictionaryArray.from_arrays(pa.array([0], pa.int8()), pa.array(range(400_000), pa.int32())),
            dtypes={"categories": None, "ordered": False},
        ),
        "bytes of memory",
    ),
    "a category called text": (lambda: category("x", "y", tag="str"), "dtype str holds dictionary"),
    "a category called arrow": (lambda: category("x", "y", tag="arrow"), "dtype arrow holds dictionary"),
    "a category called a number": (lambda: described(repeated_text()), "numeric"),
    "codes beyond the categories": (
        lambda: forged(category("x", "y"), lambda description: description["arrays"][0][5].__setitem__(1, 1)),
        "no sound frame",
    ),
    "codes that are text": (lambda: forged(category("x", "y"), array(0, 3, "string")), "codes of type string"),
    "a category of categories": (
        lambda: forged(category("x", "y"), lambda one: one["arrays"][0].__setitem__(5, one["arrays"][0][:])),
        "described as",
    ),
    "a column that is longer than its bytes": (lambda: forged(described(NUMBERS), array(0, 1, 10**5)), "no sound"),
    "a column of endless length": (lambda: forged(described(NUMBERS), array(0, 1, 2**62)), "no sound"),
    "a column of no number of values": (lambda: forged(described(NUMBERS), array(0, 1, 2**70)), "no sound"),
    "a column of less than nothing": (lambda: forged(described(NUMBERS), array(0, 1, -1)), "described as"),
    "a column of a different length": (
        lambda: forged(described(NUMBERS, NUMBERS), array(1, 1, 999)),
        "no sound",
    ),
    "a buffer beyond the file": (lambda: forged(described(NUMBERS), array(0, 2, [None, 10**9])), "than the file"),
    "a buffer of negative size": (lambda: forged(described(NUMBERS), array(0, 2, [None, -64])), "than the file"),
    "a buffer too few": (lambda: forged(described(NUMBERS), array(0, 2, [None])), "no sound"),
    "a buffer too many": (lambda: forged(described(NUMBERS), array(0, 2, [None, 8000, 0])), "no sound"),
    "no buffer where there are values": (lambda: forged(described(NUMBERS), array(0, 2, [None, None])), "no sound"),
    "text whose offsets lead outside": (lambda: TEXTS.replace(b"\x01\0\0\0\x02", b"\x01\0\0\x70\x02"), "no sound"),
    "numbers called text": (lambda: forged(described(NUMBERS), array(0, 0, "string")), "no sound"),
    "a type of no list": (lambda: forged(described(NUMBERS), array(0, 0, "extension<evil>")), "type extension<evil>"),
    "runs of a value": (
        lambda: forged(described(NUMBERS), array(0, 0, "run_end_encoded<run_ends: int32, values: int64>")),
        "type run_end_encoded",
    ),
    "views": (lambda: described(pa.array(["x"], pa.string_view()), dtypes="str"), "type string_view"),
    "a decimal beyond all digits": (lambda: forged(described(NUMBERS), array(0, 0, "decimal128(99, 2)")), "no sound"),
    "lists within lists": (lambda: nested(9), "nested as none of ours is"),
    "something after the end": (lambda: described(pa.array([1])) + b"\0" * 64, "follows its end"),
    "more columns than are described": (
        lambda: forged(described(NUMBERS), lambda description: None, columns=2),
        "does not describe 2 columns",
    ),
    "a zone of no list": (lambda: of_zone("Mars/Phobos"), "time zone Mars/Phobos"),
    "a zone that is a path": (lambda: of_zone("dateutil//etc/passwd"), "time zone dateutil//etc/passwd"),
    "a zone that is a path below ours": (lambda: of_zone("../../../../etc/passwd"), "time zone ../.."),
    "a zone of a column of arrow": (lambda: of_zone("dateutil//etc/passwd", "arrow"), "time zone dateutil"),
    "a moment that pandas cannot show": (
        lambda: described(pa.array([2**60], pa.timestamp("ms", "Europe/Berlin")), dtypes="tz"),
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
        lambda: described(index={"range": [0, 10**15, 1], "names": [None]}),
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


def test_more_columns_than_any_frame_has_cost_no_more_than_their_description() -> None:
    columns = [["null", 0, [None]]] * 60_000
    content = forged(described(), lambda description: description.update(arrays=columns), columns=len(columns))

    error, cost_bytes = refused(content, most_bytes=2 * MIB)

    assert "more than 50,000 columns" in error
    assert cost_bytes < 32 * MIB


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


@pytest.mark.parametrize("content", [b'"a\\ud800"', b'{"\\udfff": 1}', b'[["\\uD83D"]]'])
def test_a_record_with_half_a_character_is_refused(content: bytes) -> None:
    """Whoever wrote it to a file or a terminal would meet an error there, far from its cause."""
    with pytest.raises(ValueError, match="half a character"):
        record_from_bytes(content)
    assert record_from_bytes(b'"\\ud83d\\ude00 \\\\ud800"') == "\U0001f600 \\ud800"
