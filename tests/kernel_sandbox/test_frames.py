"""Frames across the line: every dtype people have comes back as it went, and what is not sound is refused."""

import datetime
import decimal
import io
import json
import mmap
import os
import struct
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kernel_sandbox.policy import MIB
from kernel_sandbox.tables import lending
from kernel_sandbox.tables.boundary import NotRepresentable
from kernel_sandbox.tables.columns import write_columns
from kernel_sandbox.tables.frames import from_arrow, to_arrays, to_arrow
from kernel_sandbox.tables.mapping import private_mapping
from kernel_sandbox.tables.reading import read_frame
from kernel_sandbox.tables.transfer import (
    lent_frame,
    mapped_frame,
    open_files,
    open_table,
    reply_file,
    write_frame,
)
from tests.grids import Examples

STAMP = pd.Timestamp("2024-03-31 01:30")
# Odd on purpose: extremes, gaps, zones with a change of the clock, empty text, mixed width of unicode.
VALUES: dict[str, list[Any]] = {
    "int8": [-128, 127],
    "uint64": [0, 2**64 - 1],
    "int64": [-(2**63), 2**63 - 1],
    "float32": [1.5, float("nan")],
    "float64": [float("inf"), -0.0, float("nan")],
    "bool": [True, False],
    "Int64": [2**53 + 1, pd.NA],
    "UInt8": [255, pd.NA],
    "Float64": [0.1, pd.NA],
    "boolean": [True, pd.NA],
    "str": ["", "é数🎉", None],
    "string": ["x", pd.NA],
    "datetime64[ns]": [STAMP, pd.NaT],
    "datetime64[s]": [STAMP, pd.NaT],
    "datetime64[us, UTC]": [STAMP.tz_localize("UTC"), pd.NaT],
    "datetime64[ns, Europe/Berlin]": [STAMP.tz_localize("UTC").tz_convert("Europe/Berlin"), pd.NaT],
    "timedelta64[ns]": [pd.Timedelta("1 day 3 ns"), pd.NaT],
    "category": ["low", "high", None],
    "object": ["text", None],
    "int64[pyarrow]": [1, None],
    "string[pyarrow]": ["x", None],
    "date32[day][pyarrow]": [datetime.date(2024, 2, 29), None],
    "decimal128(10, 2)[pyarrow]": [decimal.Decimal("1.25"), None],
    "list<item: int64>[pyarrow]": [[1, 2], None],
}
# Types with parameters have no name that pandas would read.
ARROW_ONLY = {
    "list<item: int64>[pyarrow]": pd.ArrowDtype(pa.list_(pa.int64())),
    "decimal128(10, 2)[pyarrow]": pd.ArrowDtype(pa.decimal128(10, 2)),
}
LABELS = st.one_of(
    st.text(st.characters(exclude_categories=["Cc", "Cf", "Cs"]), max_size=5),
    st.integers(-5, 5),
    st.floats(allow_nan=False),
    st.booleans(),
    st.just(("a", 1)),
    st.just(STAMP),
)


@st.composite
def frames(draw: st.DrawFn) -> pd.DataFrame:
    rows = draw(st.integers(0, 6))
    dtypes = draw(st.lists(st.sampled_from(sorted(VALUES)), max_size=5))
    columns = [pd.Series(draw_values(draw, dtype, rows), dtype=ARROW_ONLY.get(dtype, dtype)) for dtype in dtypes]
    frame = pd.concat(columns, axis=1) if columns else pd.DataFrame(index=range(rows))
    frame.columns = pd.Index(draw(st.lists(LABELS, min_size=len(dtypes), max_size=len(dtypes))), tupleize_cols=False)
    frame.index = draw(indexes(rows))
    return frame


def draw_values(draw: st.DrawFn, dtype: str, rows: int) -> list[Any]:
    return draw(st.lists(st.sampled_from(VALUES[dtype]), min_size=rows, max_size=rows))


def indexes(rows: int) -> "st.SearchStrategy[pd.Index[Any]]":
    return st.sampled_from(
        [
            pd.RangeIndex(rows),
            pd.RangeIndex(10, 10 + 3 * rows, 3, name="step"),
            pd.Index([f"k{n}" for n in range(rows)], name="key", dtype="str"),
            pd.Index([STAMP.tz_localize("UTC")] * rows, dtype="datetime64[ns, UTC]"),
            pd.MultiIndex.from_arrays([range(rows), ["x"] * rows], names=["n", None]),
            pd.CategoricalIndex(["b"] * rows, categories=["a", "b"]),
        ]
    )


@settings(max_examples=Examples.of(150), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(frames())
def test_any_frame_comes_back_equal(frame: pd.DataFrame) -> None:
    file = reply_file()
    try:
        write_frame(frame, file, max_rows=None)
        back = read_frame(file, most_bytes=MIB)
    finally:
        os.close(file)

    pd.testing.assert_frame_equal(back, frame, check_column_type=False, check_index_type=False)
    assert list(map(type, back.columns)) == list(map(type, frame.columns))


@settings(max_examples=Examples.of(60), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(frames())
def test_any_frame_goes_in_equal_but_for_its_index(frame: pd.DataFrame) -> None:
    file, rows, _, _ = open_table(frame)
    try:
        inside = mapped_frame(file)
    finally:
        os.close(file)

    assert rows == len(frame)
    assert isinstance(inside.index, pd.RangeIndex)
    pd.testing.assert_frame_equal(inside, frame.reset_index(drop=True), check_column_type=False)


def test_columns_of_two_levels_with_names_come_back() -> None:
    columns = pd.MultiIndex.from_tuples([("a", 1), ("a", 2)], names=["letter", None])
    frame = pd.DataFrame([[1, 2], [3, 4]], columns=columns)

    pd.testing.assert_frame_equal(from_arrow(to_arrow(frame)), frame)


def test_duplicate_labels_come_back() -> None:
    frame = pd.DataFrame([[1, "x"]], columns=["a", "a"])

    pd.testing.assert_frame_equal(from_arrow(to_arrow(frame)), frame)


def test_a_large_integer_beside_a_gap_is_not_rounded() -> None:
    table = pa.table({"id": [2**53 + 1, None]})

    assert from_arrow(table)["id"].to_list()[0] == 2**53 + 1


def test_a_small_integer_beside_a_gap_is_as_pandas_reads_it() -> None:
    assert from_arrow(pa.table({"id": [1, None]}))["id"].dtype == "float64"


def test_a_frame_that_went_in_may_be_written_everywhere() -> None:
    file, *_ = open_table(pd.DataFrame({"i": [1, 2], "f": [0.5, 1.5], "t": [STAMP, STAMP], "b": [True, False]}))
    frame = mapped_frame(file)
    os.close(file)

    for column, value in {"i": 9, "f": 9.5, "t": pd.Timestamp("2000-01-01"), "b": False}.items():
        frame.loc[frame.index == 0, column] = value

    assert frame.iloc[0].to_list() == [9, 9.5, pd.Timestamp("2000-01-01"), False]


@pytest.mark.parametrize(
    ("values", "words"),
    [
        (pd.Series([1, "a", object()]), 'column "x" has dtype object'),
        (pd.Series([True, 1.5, "a"]), 'column "x" has dtype object'),
        (pd.Series(pd.period_range("2024", periods=1, freq="D")), 'column "x" has dtype period[D]'),
        (pd.Series(pd.interval_range(0, 1)), 'column "x" has dtype interval'),
        (pd.Series([1j]), 'column "x" has dtype complex128'),
        (pd.Series([2**70]), 'column "x" has dtype object'),
        # Arrow would read the number as microseconds since 1970, the moment as its day, and the second as one of UTC.
        (pd.Series([STAMP, 1.5], dtype=object), "moments are followed by float"),
        (pd.Series([None, datetime.datetime(2024, 1, 1), 45_000], dtype=object), "moments are followed by int"),
        (pd.Series([np.datetime64("2024-01-01"), np.int64(3)], dtype=object), "moments are followed by int64"),
        (pd.Series([STAMP.date(), STAMP], dtype=object), "days are followed by Timestamp"),
        (pd.Series([STAMP.tz_localize("UTC"), STAMP], dtype=object), "moments with a zone are followed by Timestamp"),
        (pd.Series([STAMP.time(), 3], dtype=object), "times are followed by int"),
        (pd.Series([STAMP - STAMP, decimal.Decimal("1.5")], dtype=object), "durations are followed by Decimal"),
        (pd.Series([b"x", "x"]), "bytes are followed by str"),
    ],
)
def test_a_column_that_cannot_cross_is_named_with_its_dtype(values: "pd.Series[Any]", words: str) -> None:
    with pytest.raises(NotRepresentable) as caught:
        to_arrow(values.to_frame(name="x"))

    assert words in str(caught.value)


def read_bytes(content: bytes) -> pd.DataFrame:
    file = reply_file()
    try:
        os.write(file, content)
        return read_frame(file, most_bytes=MIB)
    finally:
        os.close(file)


def written(frame: pd.DataFrame) -> bytes:
    file = reply_file()
    try:
        write_frame(frame, file, max_rows=None)
        return os.pread(file, MIB, 0)
    finally:
        os.close(file)


def forged(change: Callable[[dict[str, Any]], None]) -> bytes:
    """A sound frame with something changed in its description."""
    arrays, description = to_arrays(pd.DataFrame({"a": [1, 2, 3]}), keep_index=True)
    change(description)
    file = io.BytesIO()
    write_columns(file, arrays, description)
    return file.getvalue()


def column(**changes: object) -> Callable[[dict[str, Any]], None]:
    return lambda description: description["columns"][0].update(changes)


class Unchecked(pa.ExtensionType):
    def __init__(self) -> None:
        super().__init__(pa.int64(), "evil")

    def __arrow_ext_serialize__(self) -> bytes:
        return b""

    @classmethod
    def __arrow_ext_deserialize__(cls, storage: Any, serialized: bytes) -> "Unchecked":
        raise AssertionError("an extension type of the sandbox was made")


SOUND = written(pd.DataFrame({"a": [1, 2, 3]}))
HOSTILE: dict[str, tuple[bytes, str]] = {
    "nothing": (b"", "its file has 0 bytes"),
    "noise": (os.urandom(200), "ends within its description"),
    "half a file": (SOUND[:150], "ends within its description"),
    "all but its end": (SOUND[:-64], "longer than the file"),
    "a pickle": (b"\x80\x04\x95\x10\0\0\0\0\0\0\0cos\nsystem\n(S'true'\ntR.", "ends within its description"),
    "an unknown dtype": (forged(column(dtype="os.system")), "not known here"),
    "an evaluated label": (forged(column(label={"eval": "1"})), "no known kind"),
    "too many labels": (
        forged(lambda one: one.update(columns=[{"label": "a", "dtype": None}] * 9)),
        "does not fit",
    ),
    "an index beyond the rows": (
        forged(lambda one: one.update(index={"range": [0, 10**12, 1], "names": [None]})),
        "does not fit",
    ),
    "a category without values": (
        forged(column(dtype={"categories": None, "ordered": False})),
        "has no dictionary",
    ),
    "no description": (struct.pack("<QQ", 0, 2) + b"[]", "does not describe 0 columns"),
    "nested JSON for a description": (struct.pack("<QQ", 0, 50_000) + b"[" * 50_000, "RecursionError"),
    "a description of many labels": (struct.pack("<QQ", 0, 100_000) + b"[" * 100_000, "described in 100,000 bytes"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_what_is_not_sound_is_refused_with_the_reason(name: str) -> None:
    content, words = HOSTILE[name]

    with pytest.raises(NotRepresentable) as caught:
        read_bytes(content)

    assert words in str(caught.value)


def test_an_extension_type_is_refused_and_never_made() -> None:
    pa.register_extension_type(Unchecked())
    try:
        with pytest.raises((NotRepresentable, AssertionError)) as caught:
            extension = pa.ExtensionArray.from_storage(Unchecked(), pa.array([1]))
            read_bytes(written(pd.DataFrame({"a": pd.Series(extension, dtype=pd.ArrowDtype(Unchecked()))})))
    finally:
        pa.unregister_extension_type("evil")

    assert isinstance(caught.value, NotRepresentable)


def test_a_file_that_is_still_mapped_for_writing_is_refused() -> None:
    import mmap

    file = reply_file()
    os.write(file, SOUND)
    held = mmap.mmap(file, 0)
    try:
        with pytest.raises(NotRepresentable, match="still holds its file open for writing"):
            read_frame(file, most_bytes=MIB)
    finally:
        held.close()
        os.close(file)


def test_a_file_over_the_limit_is_refused_before_it_is_read() -> None:
    file = reply_file()
    os.truncate(file, 2 * MIB)
    try:
        with pytest.raises(NotRepresentable, match="2,097,152 bytes, and the limit is 1,048,576"):
            read_frame(file, most_bytes=MIB)
    finally:
        os.close(file)


@settings(max_examples=Examples.of(300), deadline=None)
@given(st.data())
def test_no_damage_to_a_file_does_more_than_be_refused(data: st.DataObject) -> None:
    frame = pd.DataFrame({"i": [1, 2, 3], "s": ["a", None, "ccc"], "c": pd.Categorical(["x", "y", "x"])})
    content = bytearray(written(frame))
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(content) - 5))
        struct.pack_into("<I", content, at, data.draw(st.integers(0, 2**32 - 1)))

    try:
        read = read_bytes(bytes(content))
    except NotRepresentable:
        return

    assert len(read) <= 8 * len(content)
    assert np.isfinite(len(read.to_string()))


@settings(max_examples=Examples.of(300), deadline=None)
@given(st.data())
def test_no_other_word_in_a_description_does_more_than_be_refused(data: st.DataObject) -> None:
    frame = pd.DataFrame({"i": [1, 2, 3], "s": ["a", None, "ccc"], "c": pd.Categorical(["x", "y", "x"])})
    frame["l"] = pd.Series([[1], None, [2, 3]], dtype=pd.ArrowDtype(pa.list_(pa.int64())))
    content = written(frame)
    count, size = struct.unpack_from("<QQ", content)
    description = json.loads(content[16 : 16 + size])
    at: Any = description
    while True:
        key = data.draw(st.sampled_from(range(len(at)) if isinstance(at, list) else sorted(at)))
        if not (isinstance(at[key], dict | list) and at[key]) or data.draw(st.integers(0, 9)) == 0:
            break
        at = at[key]
    at[key] = data.draw(st.sampled_from([None, True, -1, 2**62, "int8", "string", "struct", [], {}, 3, 64, 1e300]))
    head = json.dumps(description).encode()
    body = content[16 + size + -(16 + size) % 64 :]

    try:
        read = read_bytes(struct.pack("<QQ", count, len(head)) + head + bytes(-(16 + len(head)) % 64) + body)
    except NotRepresentable:
        return

    assert len(read) <= len(content)
    assert np.isfinite(len(read.to_string()))


def frame_in_file(path: Path) -> pd.DataFrame:
    """A frame whose columns lie in a file that is mapped, but for one that has gaps."""
    table = pa.table(
        {
            "number": pa.array(range(1000), pa.int64()),
            "moment": pa.array(range(1000), pa.timestamp("us")),
            "text": pa.array([f"é{row}" if row % 7 else None for row in range(1000)], pa.large_string()),
            "gaps": pa.array([None, *range(999)], pa.int64()),
        }
    )
    with pa.ipc.new_file(str(path), table.schema) as writer:
        writer.write_table(table)
    with path.open("rb") as file:
        content = mmap.mmap(file.fileno(), 0, flags=mmap.MAP_SHARED, prot=mmap.PROT_READ)
    return pa.ipc.open_file(pa.py_buffer(content)).read_all().to_pandas(split_blocks=True)


@pytest.fixture
def lent_from_the_first_byte(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lending, "_LEAST_BYTES", 1)


@pytest.mark.usefixtures("lent_from_the_first_byte")
def test_columns_that_lie_in_a_file_are_lent_and_not_copied(tmp_path: Path) -> None:
    path = tmp_path / "columns.arrow"
    frame = frame_in_file(path)
    before = path.read_bytes()
    staged, files = open_files("t", frame, lend=True)
    assert os.fstat(files["lend"]).st_ino == path.stat().st_ino
    with pytest.raises(OSError, match="Bad file descriptor"):
        os.write(files["lend"], b"x")
    with mapped(files) as inside:
        pd.testing.assert_frame_equal(inside, frame)
        inside.loc[inside.index == 0, "number"] = 7
        assert inside.loc[0, "number"] == 7
    assert path.read_bytes() == before
    assert staged.file_bytes < len(before) / 2


@pytest.mark.usefixtures("lent_from_the_first_byte")
@pytest.mark.parametrize("change", [Path.unlink, lambda path: path.with_suffix(".new").replace(path)])
def test_a_file_that_was_replaced_is_not_lent(tmp_path: Path, change: Callable[[Path], object]) -> None:
    path = tmp_path / "columns.arrow"
    frame = frame_in_file(path)
    path.with_suffix(".new").write_bytes(bytes(path.stat().st_size))
    change(path)
    _, files = open_files("t", frame, lend=True)
    assert files.keys() == {"stage"}
    os.close(files["stage"])


@pytest.mark.usefixtures("lent_from_the_first_byte")
def test_a_file_that_may_have_been_written_to_is_not_lent(tmp_path: Path) -> None:
    path = tmp_path / "numbers"
    path.write_bytes(np.arange(1000).tobytes())
    with path.open("rb") as file:
        content = mmap.mmap(file.fileno(), 0, flags=mmap.MAP_PRIVATE, prot=mmap.PROT_READ | mmap.PROT_WRITE)
    frame = pd.DataFrame({"number": np.frombuffer(content, np.int64)}, copy=False)
    _, files = open_files("t", frame, lend=True)
    assert files.keys() == {"stage"}
    os.close(files["stage"])


@settings(max_examples=Examples.of(30), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(frames())
def test_any_frame_beside_one_in_a_file_goes_in_equal(
    tmp_path_factory: pytest.TempPathFactory, frame: pd.DataFrame
) -> None:
    beside = frame_in_file(tmp_path_factory.mktemp("lent") / "columns.arrow").head(len(frame))
    beside = pd.concat([frame.reset_index(drop=True).set_axis(range(frame.shape[1]), axis=1), beside], axis=1)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lending, "_LEAST_BYTES", 1)
        _, files = open_files("t", beside, lend=True)
    with mapped(files) as inside:
        pd.testing.assert_frame_equal(inside, beside, check_column_type=False)


@contextmanager
def mapped(files: Mapping[str, int]) -> Iterator[pd.DataFrame]:
    """The frame as the confined process maps it."""
    if "lend" in files:
        yield lent_frame(private_mapping(files["lend"]), files["stage"])
    else:
        yield mapped_frame(files["stage"])
    for file in files.values():
        os.close(file)
