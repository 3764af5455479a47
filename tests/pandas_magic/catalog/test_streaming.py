"""Large delimited files: parsed in parts, they are the same table as parsed whole."""

import random
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from pandas_magic.catalog import Catalog
from pandas_magic.catalog.cache.column_file import ColumnWriter, is_column_file, map_columns
from pandas_magic.catalog.cache.sealing import open_sealed
from pandas_magic.catalog.formats import windows
from pandas_magic.catalog.sources import streaming
from pandas_magic.errors import TableUnreadable

# Values of every type that Arrow finds in text, and such as force a wider one.
VALUES = {
    "integer": ["1", "-7", "0", "12"],
    "truth": ["true", "false", "0", "1"],
    "day": ["2026-01-31", "1999-12-01"],
    "hour": ["12:00:00", "07:30:00"],
    "moment": ["2026-01-31 10:00:00", "2026-01-31"],
    "zoned": ["2026-01-31 10:00:00Z", "2026-01-31 10:00:00+02:00"],
    "fine": ["2026-01-31 10:00:00.5", "2026-01-31 10:00:00"],
    "fine and zoned": ["2026-01-31 10:00:00.5Z", "2026-01-31 10:00:00Z"],
    "number": ["1.5", "2", "1e300", "-0.25", "inf"],
    "text": ["a", "Zürich", "it's", "1 kg"],
    "missing": ["", "NA"],
    "long": ["12345678901234567890", "99999999999999999999"],
    "written": ["1,234.50", "12,345.75"],
}


@pytest.fixture
def in_small_parts(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(streaming, "STREAMED_BYTES", 1)
    monkeypatch.setattr(windows, "WINDOW_BYTES", 200)
    yield


def write_rows(path: Path, columns: dict[str, list[str]]) -> None:
    lines = [";".join(row) for row in zip(*columns.values(), strict=True)]
    path.write_text("\n".join([";".join(columns), *lines, ""]), encoding="utf-8")


def random_column(seed: random.Random, rows: int) -> list[str]:
    """Values of one kind, then perhaps of another, with gaps in front or among them."""
    first, second = seed.choice(list(VALUES)), seed.choice(list(VALUES))
    turn = seed.choice([0, seed.randrange(rows), rows])
    values = [seed.choice(VALUES[first if row < turn else second]) for row in range(rows)]
    gaps = seed.choice([0, 0, seed.randrange(rows)])
    return [seed.choice(VALUES["missing"]) if row < gaps else value for row, value in enumerate(values)]


@pytest.mark.usefixtures("in_small_parts")
@pytest.mark.parametrize("number", range(60))
def test_a_file_in_parts_is_the_same_table_as_whole(tmp_path: Path, number: int) -> None:
    seed = random.Random(number)
    rows = seed.randrange(40, 120)
    columns = {"id": [str(row) for row in range(rows)]}
    columns |= {f"c{at}": random_column(seed, rows) for at in range(4)}
    write_rows(tmp_path / "t.csv", columns)
    whole = Catalog(tmp_path)
    parts = Catalog(tmp_path, cache=tmp_path / "kept")
    pd.testing.assert_frame_equal(parts.frame("t"), whole.frame("t"))
    assert parts.schema("t") == whole.schema("t")
    again = Catalog(tmp_path, cache=tmp_path / "kept")
    pd.testing.assert_frame_equal(again.frame("t", ["c3", "id"]), whole.frame("t", ["c3", "id"]))


@pytest.mark.usefixtures("in_small_parts")
@pytest.mark.parametrize(
    "text",
    [
        "a,b\r\n" + "1,x\r\n" * 100,
        "a,b\n" + "1,x\n" * 100 + "2,y",
        "a,b\n" + "1,x\n\n\n" * 100 + "\n" * 300 + "2,y\n",
        "\ufeffa,b\n" + "1,x\n" * 100,
        "a,b\n" + "1,x\n" * 49 + "\ufeff1,x\n" * 50,  # a window would begin with the mark
        "a,b\n" + "1,x\n" * 40 + "1," + "long " * 100 + "\n1,x\n",
        "a,b\n" + '1,"x, and\ny"\n' * 40,
        "a,b\r" + "1,x\r" * 100,
        "1,2\n" * 100,
        "a,b\n" + "1,x\n" * 30 + "1,\n" * 100,
    ],
    ids=["crlf", "no end", "blank lines", "mark", "mark inside", "long row", "quotes", "cr", "no header", "gaps"],
)
def test_rows_are_cut_where_they_end(tmp_path: Path, text: str) -> None:
    (tmp_path / "t.csv").write_bytes(text.encode())
    whole = Catalog(tmp_path)
    parts = Catalog(tmp_path, cache=tmp_path / "kept")
    pd.testing.assert_frame_equal(parts.frame("t"), whole.frame("t"))
    assert parts.schema("t") == whole.schema("t")


def quoted_rows(seed: random.Random) -> str:
    """Rows with quoted fields that hold breaks, quotes and delimiters, and in some files a stray quote."""
    parts = ["x", "\n", "\r\n", ",", '""', " ", "ä", "1"]
    stray = seed.choice(["", "", "", ' "', 'x"', '"x"y', '"x" "', 'x"",""'])

    def cell() -> str:
        inside = "".join(seed.choice(parts) for _ in range(seed.randrange(6)))
        return f'"{inside}"' if seed.random() < 0.5 else seed.choice(["1", "plain", ""])

    rows = [f"{row},{cell()},{cell()}" for row in range(seed.randrange(20, 80))]
    if stray:
        rows.insert(seed.randrange(len(rows)), f"0,{stray},x")
    return seed.choice(["", "\ufeff"]) + 'id,"a",b\n' + "\n".join(rows) + seed.choice(["", "\n"])


@pytest.mark.usefixtures("in_small_parts")
@pytest.mark.parametrize("number", range(80))
def test_quoted_rows_are_cut_where_they_end(tmp_path: Path, number: int) -> None:
    (tmp_path / "t.csv").write_bytes(quoted_rows(random.Random(number)).encode())
    whole, parts = Catalog(tmp_path), Catalog(tmp_path, cache=tmp_path / "kept")
    try:
        frame = whole.frame("t")
    except TableUnreadable as error:
        with pytest.raises(TableUnreadable) as said:
            parts.frame("t")
        assert str(said.value) == str(error)
    else:
        pd.testing.assert_frame_equal(parts.frame("t"), frame)
        assert parts.schema("t") == whole.schema("t")


@pytest.mark.usefixtures("in_small_parts")
def test_quoted_breaks_do_not_keep_a_file_from_being_cut(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("a,b\n" + '1,"x, and\ny"\n' * 400)
    catalog = Catalog(tmp_path, cache=tmp_path / "kept")
    assert set(catalog.frame("t")["b"]) == {"x, and\ny"}
    (kept,) = (tmp_path / "kept").glob("*.arrow")
    assert is_column_file(pa.py_buffer(kept.read_bytes()))


@pytest.mark.parametrize("option", ['comment = "#"', 'ragged = "fill"'])
def test_a_very_large_file_is_read_as_its_options_say(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, option: str
) -> None:
    (tmp_path / "t.csv").write_text("a,b\n" + "1,x\n2\n" * 50 if "fill" in option else "a,b\n" + "1,x\n#2\n" * 50)
    (tmp_path / "tables.toml").write_text(f"[t]\n{option}\n")
    whole = Catalog(tmp_path).frame("t")
    for bound in ("STREAMED_BYTES", "LARGE_BYTES"):
        monkeypatch.setattr(streaming, bound, 1)
    pd.testing.assert_frame_equal(Catalog(tmp_path, cache=tmp_path / "kept").frame("t"), whole)


def opened(kept: Path) -> pa.Table:
    sealed = open_sealed(kept)
    assert sealed is not None
    return sealed.table()


@pytest.mark.usefixtures("in_small_parts")
def test_numbers_of_a_file_in_parts_are_a_map_of_the_file(tmp_path: Path) -> None:
    write_rows(tmp_path / "t.csv", {"id": [str(row) for row in range(5000)], "name": ["x"] * 5000})
    catalog = Catalog(tmp_path, cache=tmp_path / "kept")
    catalog.frame("t")
    (kept,) = (tmp_path / "kept").glob("*.arrow")
    assert is_column_file(pa.py_buffer(kept.read_bytes()))
    assert opened(kept)["id"].num_chunks == 1
    before = pa.total_allocated_bytes()
    assert catalog.frame("t", ["id"])["id"].sum() == sum(range(5000))
    assert pa.total_allocated_bytes() - before < 1000


@pytest.mark.usefixtures("in_small_parts")
@pytest.mark.parametrize("above", ["", "made by a machine\n\n"])
def test_a_row_of_another_width_is_named_by_its_number_in_the_file(tmp_path: Path, above: str) -> None:
    path = tmp_path / "t.csv"
    options = '[t]\nragged = "refuse"\n' + ("skip_lines = 2\n" if above else "")
    (tmp_path / "tables.toml").write_text(options)
    path.write_text(above + "a,b\n" + "1,x\n" * 150 + "1\n" + "1,x\n" * 100)
    with pytest.raises(TableUnreadable) as whole:
        Catalog(tmp_path).frame("t")
    with pytest.raises(TableUnreadable) as parts:
        Catalog(tmp_path, cache=tmp_path / "kept").frame("t")
    assert str(parts.value) == str(whole.value)
    assert "Row #15" in str(parts.value)
    assert not list((tmp_path / "kept").glob(".*"))


@pytest.mark.parametrize("number", range(10))
def test_a_very_large_file_with_quotes_within_fields_is_cut_by_arrow(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    seed = random.Random(number)
    columns = {
        "id": [f'"{row}\n"' for row in range(90)],
        "sum": [""] * 60 + ["1.5"] * 30,
        "size": ['5" pipe'] * 90,
        "c": random_column(seed, 90),
    }
    write_rows(tmp_path / "t.csv", columns)
    whole = Catalog(tmp_path).frame("t")
    monkeypatch.setattr(streaming, "STREAMED_BYTES", 1)
    monkeypatch.setattr(streaming, "LARGE_BYTES", 1)
    monkeypatch.setattr(streaming, "_BLOCK_BYTES", 200)
    parts = Catalog(tmp_path, cache=tmp_path / "kept").frame("t")
    (kept,) = (tmp_path / "kept").glob("*.arrow")
    assert is_column_file(pa.py_buffer(kept.read_bytes()))
    assert [str(kind) for kind in parts.dtypes][:2] == ["str", "float64"]  # although the first block had no number
    if whole["c"].dtype == parts["c"].dtype:  # numbers written as 1,234.50 stay text in files of this size
        pd.testing.assert_frame_equal(parts, whole)


@pytest.mark.usefixtures("in_small_parts")
def test_a_full_disk_is_not_said_of_the_file_that_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_rows(tmp_path / "t.csv", {"id": [str(row) for row in range(500)]})

    def full(*given: object) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("pandas_magic.catalog.cache.stretches.os.pwrite", full)
    with pytest.raises(TableUnreadable, match=r"the columns of t\.csv cannot be kept: No space left on device; make"):
        Catalog(tmp_path, cache=tmp_path / "kept").frame("t")
    assert not list((tmp_path / "kept").glob(".parsing*"))


@pytest.mark.usefixtures("in_small_parts")
def test_a_file_that_changes_while_it_is_parsed_in_parts_is_not_believed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "t.csv"
    write_rows(path, {"id": [str(row) for row in range(500)], "b": ["x"] * 500})
    whole = ColumnWriter.add

    def add_and_cut_short(writer: ColumnWriter, table: pa.Table) -> None:
        whole(writer, table)
        path.write_text("id;b\n1;x\n2")

    monkeypatch.setattr(ColumnWriter, "add", add_and_cut_short)
    with pytest.raises(TableUnreadable, match=r"t\.csv changed while it was read; run it again"):
        Catalog(tmp_path, cache=tmp_path / "kept").frame("t")


def written(path: Path, tables: list[pa.Table], *, expected_rows: int) -> pa.Table:
    with path.open("wb") as file:
        writer = ColumnWriter(file.fileno(), expected_rows)
        for table in tables:
            writer.add(table)
        writer.finish()
    return map_columns(path)


@pytest.mark.parametrize("expected_rows", [0, 10, 1000])
def test_a_file_of_columns_holds_every_row(tmp_path: Path, expected_rows: int) -> None:
    part = pa.table(
        {
            "whole": pa.array([1, None, 3], pa.int32()),
            "part": [0.5, 1.5, None],
            "yes": [True, None, False],
            "text": ["a", None, "ccc"],
            "bytes": [b"a", b"", None],
            "moment": pa.array([0, None, 2], pa.timestamp("us", "UTC")),
            "nothing": pa.nulls(3),
            "late": pa.nulls(3),
        }
    )
    late = part.set_column(7, "late", pa.array([None, 2, 3]))
    tables = [part, part.slice(1, 2), late, part.slice(0, 0), late.slice(2), part]
    table = written(tmp_path / "t.columns", tables, expected_rows=expected_rows)
    table.validate(full=True)
    wide = {"text": pa.large_string(), "bytes": pa.large_binary()}  # as frames have them, which share the memory
    assert table.schema == pa.schema([field.with_type(wide.get(field.name, field.type)) for field in late.schema])
    assert table.to_pylist() == [row for part in tables for row in part.to_pylist()]
    if expected_rows == 1000:
        assert {column.num_chunks for column in table.columns} == {1}


def test_a_column_that_changes_its_type_is_not_written(tmp_path: Path) -> None:
    with pytest.raises(TypeError, match='column "a" was int64 and is string'):
        written(tmp_path / "t.columns", [pa.table({"a": [1]}), pa.table({"a": ["x"]})], expected_rows=2)


def test_a_damaged_file_of_columns_is_no_table(tmp_path: Path) -> None:
    path = tmp_path / "t.columns"
    written(path, [pa.table({"a": np.arange(100)})], expected_rows=100)
    content = path.read_bytes()
    for damaged in (content[:50], content[:-1], content[:-40], content[:-40] + b"{" * 9 + content[-31:]):
        path.write_bytes(damaged)
        with pytest.raises(pa.ArrowInvalid, match=r"t\.columns is damaged"):
            map_columns(path)
