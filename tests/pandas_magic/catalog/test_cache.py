"""The columnar cache: what is kept is used, what changed is not; crashes and other processes do no harm."""

import os
import sqlite3
import time
from contextlib import closing
from pathlib import Path

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from pandas_magic.catalog import Catalog
from pandas_magic.catalog.arrow import as_frames_hold_it
from pandas_magic.catalog.cache.columnar import ColumnarCache, write_arrow
from pandas_magic.catalog.cache.sealing import open_sealed
from pandas_magic.catalog.formats import windows
from pandas_magic.catalog.progress import watched_by
from pandas_magic.catalog.sources import file_table, streaming
from pandas_magic.errors import TableUnreadable
from tests.grids import Examples


@pytest.fixture
def parsed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the files that were parsed."""
    names: list[str] = []
    whole = file_table.read_file

    def counted(path: Path, *how: object) -> object:
        names.append(path.name)
        return whole(path, *how)

    monkeypatch.setattr(file_table, "read_file", counted)
    return names


def big_csv(path: Path, rows: int = 60_000) -> pd.DataFrame:
    frame = pd.DataFrame({"id": range(rows), "text": [f"text number {n % 1000}" for n in range(rows)]})
    frame.to_csv(path, index=False)
    return frame


def test_a_schema_is_known_without_parsing_again(tmp_path: Path, parsed: list[str]) -> None:
    (tmp_path / "a.csv").write_text("x\n1\n")
    first = Catalog(tmp_path, cache=tmp_path / "kept").schema("a")
    assert Catalog(tmp_path, cache=tmp_path / "kept").schema("a") == first
    assert parsed == ["a.csv"]


def test_a_file_that_was_touched_but_not_changed_is_not_parsed_again(tmp_path: Path, parsed: list[str]) -> None:
    (tmp_path / "a.csv").write_text("x\n1\n")
    catalog = Catalog(tmp_path, cache=tmp_path / "kept")
    catalog.schema("a")
    assert catalog.frame("a")["x"].tolist() == [1]
    os.utime(tmp_path / "a.csv", ns=(1, 1))
    again = Catalog(tmp_path, cache=tmp_path / "kept")
    again.schema("a")
    assert again.frame("a")["x"].tolist() == [1]
    assert parsed == ["a.csv"]


def test_a_change_of_the_same_size_is_seen(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("x\n1\n")
    catalog = Catalog(tmp_path, cache=tmp_path / "kept")
    catalog.frame("a")
    time.sleep(0.02)
    (tmp_path / "a.csv").write_text("x\n2\n")
    assert catalog.frame("a")["x"].tolist() == [2]


@pytest.mark.parametrize("name", ["a.csv", "a.parquet", "a.sqlite"])
def test_a_change_that_keeps_size_and_time_is_seen(tmp_path: Path, name: str) -> None:
    at = tmp_path / name

    def write(value: int) -> None:
        frame = pd.DataFrame({"x": [value, 3]})
        if at.suffix == ".sqlite":
            with closing(sqlite3.connect(at)) as database:
                frame.to_sql("a", database, index=False, if_exists="replace")
        else:
            {".csv": frame.to_csv, ".parquet": frame.to_parquet}[at.suffix](at, index=False)
        os.utime(at, ns=(10**18, 10**18))

    write(1)
    catalog = Catalog(tmp_path, cache=tmp_path / "kept")
    assert catalog.frame("a")["x"].tolist() == [1, 3]
    size = at.stat().st_size
    time.sleep(0.02)
    write(2)
    assert at.stat().st_size == size
    assert catalog.frame("a")["x"].tolist() == [2, 3]
    assert Catalog(tmp_path, cache=tmp_path / "kept").frame("a")["x"].tolist() == [2, 3]


def test_what_was_read_is_never_known_by_the_content_of_a_later_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.csv"
    path.write_text("x\n1\n")
    content = file_table.FileTable._content

    def replaced_before(table: file_table.FileTable) -> str:
        path.write_text("x\n2\n")
        return content(table)

    with monkeypatch.context() as patch:
        patch.setattr(file_table.FileTable, "_content", replaced_before)
        with pytest.raises(TableUnreadable, match="changed while it was read"):
            catalog = Catalog(tmp_path, cache=tmp_path / "kept")
            catalog.frame("a")
            catalog.schema("a")
    again = Catalog(tmp_path, cache=tmp_path / "kept")
    again.schema("a")
    assert again.frame("a")["x"].tolist() == [2]


@pytest.mark.feature("B17")
def test_only_the_columns_asked_for_are_read(tmp_path: Path) -> None:
    frame = big_csv(tmp_path / "big.csv")
    catalog = Catalog(tmp_path, cache=tmp_path / "kept")
    catalog.frame("big")
    before = pa.total_allocated_bytes()
    ids = catalog.frame("big", ["id"])
    assert pa.total_allocated_bytes() - before < 1000  # the column is a map of the file
    assert ids["id"].tolist() == frame["id"].tolist()


@pytest.mark.parametrize("streamed_bytes", [1000, 10**9])
def test_dates_are_kept_as_frames_hold_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, streamed_bytes: int
) -> None:
    monkeypatch.setattr(streaming, "STREAMED_BYTES", streamed_bytes)
    (tmp_path / "a.csv").write_text("day,at\n" + "2026-01-31,2026-01-31 10:00:00\n,\n" * 100)
    whole = Catalog(tmp_path).frame("a")
    kept = Catalog(tmp_path, cache=tmp_path / "kept")
    pd.testing.assert_frame_equal(kept.frame("a"), whole)
    assert kept.schema("a").columns == dict.fromkeys(("day", "at"), "datetime64[us]")
    (arrow,) = (tmp_path / "kept").glob("*.arrow")
    sealed = open_sealed(arrow)
    assert sealed is not None
    assert sealed.table().schema.types == [pa.timestamp("us")] * 2


def test_a_year_beyond_microseconds_is_kept_as_it_is() -> None:
    far = pa.table({"day": pa.chunked_array([pa.array([200_000_000], pa.date32())])})
    assert as_frames_hold_it(far) == far


def test_a_damaged_cache_is_rebuilt(tmp_path: Path) -> None:
    big_csv(tmp_path / "big.csv")
    kept = tmp_path / "kept"
    Catalog(tmp_path, cache=kept).schema("big")
    (arrow,) = kept.glob("*.arrow")
    arrow.write_bytes(arrow.read_bytes()[:1000])
    (kept / "schemas.json").write_text("{half")
    catalog = Catalog(tmp_path, cache=kept)
    assert len(catalog.frame("big")) == catalog.schema("big").row_count == 60_000
    assert arrow.stat().st_size > 1000


MANY_TYPES = "id,text,day,yes,share\n" + "".join(
    f"{n},{'' if n % 7 == 0 else f'text {n}'},2026-01-{n % 28 + 1:02d},{n % 2 == 0},{n / 8}\n" for n in range(60)
)


@pytest.mark.parametrize("streamed_bytes", [1000, 10**9], ids=["columns", "arrow"])
def test_a_byte_that_changed_in_the_cache_is_noticed_wherever_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, streamed_bytes: int
) -> None:
    monkeypatch.setattr(streaming, "STREAMED_BYTES", streamed_bytes)
    (tmp_path / "a.csv").write_text(MANY_TYPES)
    right, kept = Catalog(tmp_path).frame("a"), tmp_path / "kept"
    Catalog(tmp_path, cache=kept).frame("a")
    (arrow,) = kept.glob("*.arrow")
    whole = arrow.read_bytes()
    for at in range(0, len(whole), 29 if Examples.are_all_wanted else 3 * 29):
        changed = bytearray(whole)
        changed[at] ^= 1 << at % 8
        arrow.write_bytes(changed)
        found = Catalog(tmp_path, cache=kept)
        pd.testing.assert_frame_equal(found.frame("a", ["id", "text"]), right[["id", "text"]])
        pd.testing.assert_frame_equal(found.frame("a"), right)
        pd.testing.assert_frame_equal(found.rows("a", [5, 9]), right.iloc[[5, 9]])


def test_a_column_is_compared_with_its_sum_when_it_is_read(tmp_path: Path, parsed: list[str]) -> None:
    big_csv(tmp_path / "big.csv")
    kept = tmp_path / "kept"
    Catalog(tmp_path, cache=kept).frame("big")
    (arrow,) = kept.glob("*.arrow")
    content = bytearray(arrow.read_bytes())
    content[content.index(b"text number 500")] ^= 1
    arrow.write_bytes(content)
    catalog = Catalog(tmp_path, cache=kept)
    assert catalog.frame("big", ["id"])["id"].iloc[-1] == 59_999
    assert parsed == ["big.csv"]
    assert catalog.frame("big", ["text"])["text"].iloc[500] == "text number 500"
    assert parsed == ["big.csv"] * 2


@pytest.mark.parametrize("spoil", ["whole lines in another order", "zeros"])
def test_what_a_disk_does_to_a_block_is_noticed(tmp_path: Path, parsed: list[str], spoil: str) -> None:
    pd.DataFrame({"id": range(700_000)}).to_csv(tmp_path / "big.csv", index=False)
    kept = tmp_path / "kept"
    Catalog(tmp_path, cache=kept).frame("big")
    (arrow,) = kept.glob("*.arrow")
    content, at, size = bytearray(arrow.read_bytes()), 1024**2, 4096
    first, second = content[at : at + size], content[at + 2 * 1024**2 : at + 2 * 1024**2 + size]
    content[at : at + size] = bytes(size) if spoil == "zeros" else second
    if spoil != "zeros":
        content[at + 2 * 1024**2 : at + 2 * 1024**2 + size] = first
    arrow.write_bytes(content)
    assert Catalog(tmp_path, cache=kept).frame("big")["id"].tolist() == list(range(700_000))
    assert len(parsed) == 2


def test_a_byte_that_changed_in_the_kept_schemas_is_noticed(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text(MANY_TYPES)
    kept = tmp_path / "kept"
    right = Catalog(tmp_path, cache=kept).schema("a")
    index = kept / "schemas.json"
    whole = index.read_bytes()
    for at in range(0, len(whole), 11):
        changed = bytearray(whole)
        changed[at] ^= 1 << at % 8
        index.write_bytes(changed)
        assert Catalog(tmp_path, cache=kept).schema("a") == right


def test_the_least_recently_used_files_go_when_the_cache_is_full(tmp_path: Path) -> None:
    cache = ColumnarCache(tmp_path / "kept", max_bytes=25_000)
    for number in range(3):
        cache.keep(f"t{number}", "v", lambda sink: write_arrow(sink, pa.table({"id": range(1200)})))
        os.utime(cache.path(f"t{number}", "v"), ns=(number, number))
    assert sorted(path.name for path in cache.folder.glob("*.arrow")) == ["t1-v.arrow", "t2-v.arrow"]


def test_half_files_of_killed_processes_go_after_a_day(tmp_path: Path) -> None:
    cache = ColumnarCache(tmp_path)
    now = time.time()
    for name, days in (("left", 2), ("growing", 0)):
        (tmp_path / f".parsing-{name}").write_bytes(b"x")
        os.utime(tmp_path / f".parsing-{name}", (now, now - days * 86_400))
    cache.keep("t", "v", lambda sink: write_arrow(sink, pa.table({"id": [1]})))
    assert {path.name for path in tmp_path.iterdir()} == {".parsing-growing", "t-v.arrow"}


def test_an_interrupt_while_parsing_leaves_no_half_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    big_csv(tmp_path / "big.csv")

    def interrupted(sink: pa.OSFile, table: pa.Table) -> None:
        sink.write(b"ARROW1 half")
        raise KeyboardInterrupt

    monkeypatch.setattr(file_table, "write_arrow", interrupted)
    with pytest.raises(KeyboardInterrupt):
        Catalog(tmp_path, cache=tmp_path / "kept").frame("big")
    assert [path for path in (tmp_path / "kept").iterdir() if path.suffix != ".json"] == []


def test_a_cache_that_cannot_be_written_is_done_without(as_ordinary_user: Path) -> None:
    (as_ordinary_user / "a.csv").write_text("x\n1\n")
    (as_ordinary_user / "kept").mkdir(mode=0o500)
    catalog = Catalog(as_ordinary_user, cache=as_ordinary_user / "kept")
    assert catalog.frame("a")["x"].tolist() == [1]
    assert catalog.schema("a").row_count == 1


def test_a_large_file_whose_columns_cannot_be_kept_is_parsed_whole_only_where_there_is_room_and_it_says_so(
    as_ordinary_user: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    big_csv(as_ordinary_user / "big.csv")
    monkeypatch.setattr(streaming, "STREAMED_BYTES", 1000)
    (as_ordinary_user / "kept").mkdir(mode=0o500)
    told: list[str] = []
    with watched_by(told.append):
        assert len(Catalog(as_ordinary_user, cache=as_ordinary_user / "kept").frame("big"))
    assert any("reading big.csv whole, which takes some" in line and "cannot be written" in line for line in told)
    monkeypatch.setattr(streaming, "_free_bytes", lambda: 1000)
    with pytest.raises(TableUnreadable, match="make room where its columns can be kept"):
        Catalog(as_ordinary_user, cache=as_ordinary_user / "kept").schema("big")


def test_two_catalogs_keep_each_others_schemas(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / f"{name}.csv").write_text("x\n1\n")
    one, other = (Catalog(tmp_path, cache=tmp_path / "kept") for _ in range(2))
    one.schema("a")
    other.schema("b")
    cache = ColumnarCache(tmp_path / "kept")
    assert len(cache._read_index()) == 2


@pytest.mark.parametrize("kind", ["polars", "arrow", "capsule"])
def test_frames_of_other_libraries_are_tables(kind: str) -> None:
    class Capsule:
        columns = ("x", "t")

        def __arrow_c_stream__(self, requested_schema: object = None) -> object:
            return pa.table({"x": [1, 2], "t": ["a", None]}).__arrow_c_stream__(requested_schema)

    made = {
        "polars": pl.DataFrame({"x": [1, 2], "t": ["a", None]}),
        "arrow": pa.table({"x": [1, 2], "t": ["a", None]}),
        "capsule": Capsule(),
    }
    catalog = Catalog(namespace={"given": made[kind], "polars_series": pl.Series([1])})
    assert catalog.names() == ["given"]
    assert catalog.frame("given", ["x"])["x"].tolist() == [1, 2]
    assert catalog.schema("given").columns == {"x": "int64", "t": "str"}


def test_an_interrupt_in_the_middle_of_a_large_file_leaves_no_half_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    big_csv(tmp_path / "big.csv")
    monkeypatch.setattr(streaming, "STREAMED_BYTES", 1000)
    monkeypatch.setattr(windows, "WINDOW_BYTES", 100_000)
    told: list[str] = []

    def interrupted(text: str) -> None:
        told.append(text)
        if len(told) == 3:
            raise KeyboardInterrupt

    catalog = Catalog(tmp_path, cache=tmp_path / "kept")
    with watched_by(interrupted), pytest.raises(KeyboardInterrupt):
        catalog.frame("big")
    assert len(told) == 3
    assert all(text.startswith("reading big.csv: ") for text in told)
    assert [path for path in (tmp_path / "kept").iterdir() if path.suffix != ".json"] == []
    assert len(catalog.frame("big")) == 60_000


def test_a_full_disk_keeps_no_table_from_being_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*given: object) -> None:
        raise OSError(28, "No space left on device")

    (tmp_path / "t.csv").write_text("id\n1\n2\n")
    monkeypatch.setattr(file_table, "write_arrow", full)
    assert Catalog(tmp_path, cache=tmp_path / "kept").frame("t")["id"].tolist() == [1, 2]
    assert not list((tmp_path / "kept").iterdir())
