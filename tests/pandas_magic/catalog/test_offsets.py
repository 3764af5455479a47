"""Moments that are written with an offset: their days and hours are the written ones, or it is told."""

import datetime as dt
import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

import pandas_magic
from pandas_magic.catalog import Catalog
from pandas_magic.catalog.sources import streaming
from pandas_magic.catalog.sources.sql_cells import arrow_table

FIRST, SECOND = "2026-03-01T00:30:00+02:00", "2026-03-31T23:30:00+02:00"
SUMMER = "2026-03-31T23:30:00+03:00"


def write_csv(path: Path, texts: list[str]) -> None:
    path.write_text("\n".join(["id,at", *(f"{at},{text}" for at, text in enumerate(texts))]))


def write_json(path: Path, texts: list[str]) -> None:
    path.write_text(json.dumps([{"id": at, "at": text or None} for at, text in enumerate(texts)]))


def write_yaml(path: Path, texts: list[str]) -> None:
    path.write_text("".join(f"- {{id: {at}, at: {text or 'null'}}}\n" for at, text in enumerate(texts)))


def write_xml(path: Path, texts: list[str]) -> None:
    path.write_text("<r>" + "".join(f"<o id='{at}'><at>{text}</at></o>" for at, text in enumerate(texts)) + "</r>")


def write_sqlite(path: Path, texts: list[str]) -> None:
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("CREATE TABLE t (id INTEGER, at TIMESTAMP)")
        database.executemany("INSERT INTO t VALUES (?, ?)", [(at, text or None) for at, text in enumerate(texts)])


WRITERS: dict[str, Callable[[Path, list[str]], None]] = {
    "csv": write_csv,
    "json": write_json,
    "yaml": write_yaml,
    "xml": write_xml,
    "sqlite": write_sqlite,
}


@pytest.fixture(params=WRITERS)
def kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def written(tmp_path: Path, kind: str, *texts: str) -> Path:
    path = tmp_path / f"t.{kind}"
    WRITERS[kind](path, list(texts))
    return path


def told(notes: tuple[str, ...]) -> list[str]:
    return [note.removeprefix("t, ") for note in notes if "UTC" in note]


@pytest.mark.parametrize("gap", [(), ("",)])
def test_moments_of_one_offset_keep_it(tmp_path: Path, kind: str, gap: tuple[str, ...]) -> None:
    path = written(tmp_path, kind, FIRST, *gap, SECOND)
    catalog = Catalog(given={"t": path})
    assert catalog.schema("t").columns["at"] == "datetime64[us, UTC+02:00]"
    assert [each.isoformat() for each in catalog.frame("t")["at"].dropna()] == [FIRST, SECOND]
    run = pandas_magic.check("at must be in March", tables={"t": path})
    assert (run.verdict, told(run.notes)) == ("PASS", [])


def test_moments_of_several_offsets_are_in_utc_and_it_is_told_with_the_run(tmp_path: Path, kind: str) -> None:
    path = written(tmp_path, kind, FIRST, SUMMER)
    note = 'column "at": its offsets differ (+02:00, +03:00), so its days and hours are those of UTC'
    run = pandas_magic.check("at must be in March", tables={"t": path})
    assert (run.verdict, run.violation_count, told(run.notes)) == ("FAIL", 1, [note])
    assert pandas_magic.check("id must be at least 0", tables={"t": path}).notes == ()
    assert [str(each) for each in Catalog(given={"t": path}).frame("t")["at"]] == [
        "2026-02-28 22:30:00+00:00",
        "2026-03-31 20:30:00+00:00",
    ]


@pytest.mark.parametrize("texts", [("2026-03-01T00:30:00Z", "2026-03-02T00:30:00+00:00"), ("2026-03-01T00:30:00Z",)])
def test_moments_in_utc_are_so_without_a_word(tmp_path: Path, kind: str, texts: tuple[str, ...]) -> None:
    described = Catalog(given={"t": written(tmp_path, kind, *texts)}).schema("t")
    assert (described.columns["at"], told(described.notes)) == ("datetime64[us, UTC]", [])


@pytest.mark.parametrize("kind", ["csv", "json", "xml", "sqlite"])
def test_moments_of_which_some_lack_an_offset_stay_text(tmp_path: Path, kind: str) -> None:
    path = written(tmp_path, kind, FIRST, "2026-03-02T00:30:00")
    assert Catalog(given={"t": path}).frame("t")["at"].to_list() == [FIRST, "2026-03-02T00:30:00"]


@pytest.mark.parametrize("text", ["2026-03-01 00:30:00+02", "2026-03-01 00:30+0200", "2026-03-01T00:30:00.5+02:00"])
def test_offsets_are_known_however_they_are_written(tmp_path: Path, text: str) -> None:
    frame = Catalog(given={"t": written(tmp_path, "csv", text)}).frame("t")
    assert frame["at"].iloc[0].utcoffset() == dt.timedelta(hours=2)


@pytest.mark.parametrize("large_bytes", [1, 2**31])
def test_a_file_that_is_parsed_in_parts_keeps_offsets(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, large_bytes: int
) -> None:
    monkeypatch.setattr(streaming, "STREAMED_BYTES", 1)
    monkeypatch.setattr(streaming, "LARGE_BYTES", large_bytes)
    written(tmp_path, "csv", FIRST, "NA", SECOND)
    catalog = Catalog(tmp_path, cache=tmp_path / "kept")
    assert catalog.schema("t").columns["at"] == "datetime64[us, UTC+02:00]"
    assert catalog.frame("t")["at"].dt.month.dropna().to_list() == [3, 3]


def test_an_empty_text_among_dates_of_sqlite_is_no_gap(tmp_path: Path) -> None:
    path = tmp_path / "t.sqlite"
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("CREATE TABLE t (at DATE)")
        database.executemany("INSERT INTO t VALUES (?)", [("2026-03-01",), ("",)])
    assert Catalog(given={"t": path}).frame("t")["at"].to_list() == ["2026-03-01", ""]


def test_moments_of_several_offsets_of_a_driver_are_texts() -> None:
    moments = [dt.datetime.fromisoformat(text) for text in (FIRST, SUMMER)]
    found = arrow_table(["at"], [(each,) for each in moments])
    assert found["at"].to_pylist() == ["2026-03-01 00:30:00+02:00", "2026-03-31 23:30:00+03:00"]


def test_a_date_beside_a_moment_is_midnight_in_its_offset(tmp_path: Path) -> None:
    path = written(tmp_path, "csv", SECOND)
    assert pandas_magic.check("at must be before 2026-04-01", tables={"t": path}).verdict == "PASS"
