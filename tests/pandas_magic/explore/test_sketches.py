"""Sketches against exact figures, with the bounds that they state."""

import errno
import json
import re
from decimal import Decimal
from functools import cache, partial
from html import unescape
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from pandas_magic import profile
from pandas_magic.catalog.sources import unpacked_table
from pandas_magic.catalog.sources.unpacked_table import UnpackedTable
from pandas_magic.cli.profile import in_words
from pandas_magic.errors import TableUnreadable, UsageMistake
from pandas_magic.explore import oversize, sections, study
from pandas_magic.explore.column_sections import columns
from pandas_magic.explore.confined import sketched_file
from pandas_magic.explore.confined.file_frame import Unreadable
from pandas_magic.explore.confined.sketches import ColumnSketch
from pandas_magic.explore.picture_sections import live_pictures
from pandas_magic.explore.relation_sections import missing
from pandas_magic.explore.report import Report
from pandas_magic.explore.row_selection import rows_where
from pandas_magic.explore.study import Study
from pandas_magic.explore.unfinished import ExplorationFailed
from pandas_magic.notebook.page.file_rows import FileRows
from pandas_magic.notebook.page.rows_view import LABEL, RowsView
from pandas_magic.notebook.page.unpacking_rows import rows_of_files
from pandas_magic.workspace import Workspace

pytest.importorskip("datasketches", reason="pip install 'pandas-magic[sketches]' counts files larger than memory")

ROWS = 400_000


@cache
def _table(rows: int = ROWS) -> pd.DataFrame:
    random = np.random.default_rng(11)
    at = np.arange(rows)
    return pd.DataFrame(
        {
            "key": at + 10**12,
            "price": np.where(at % 10 == 0, np.nan, random.lognormal(3, 1, rows)),
            "stars": random.integers(0, 6, rows),
            "user": [f"user {n}" for n in random.zipf(1.3, rows) % 100_000],
            "city": np.where(at % 8 == 0, "?", random.choice(["Rome ", "Rome", "Oslo"], rows)),
            "late": np.where(at < rows - 3, 1, 2),
            "at": pd.Timestamp("2024-01-01") + pd.to_timedelta(at, unit="s"),
        }
    )


def _sketch(kind: str, values: pd.Series, parts: int = 7) -> ColumnSketch:
    """The sketch of a column that came in parts, in two sketches that were merged."""
    both = [ColumnSketch(kind), ColumnSketch(kind)]  # type: ignore[arg-type]
    for number, part in enumerate(np.array_split(np.arange(len(values)), parts)):
        both[number % 2].add(pa.array(values.iloc[part], from_pandas=True))
    both[0].merge(both[1])
    return both[0]


@pytest.mark.parametrize("name", ["key", "price", "stars", "late", "at"])
def test_numbers_and_times_lie_within_the_stated_bounds(name: str) -> None:
    values = _table()[name]
    present = values.dropna()
    sketch = _sketch("time" if name == "at" else "number", values)
    bounds, summary, exact = sketch.bounds(), sketch.summary(), present.nunique()
    assert (sketch.rows, sketch.missing) == (len(values), int(values.isna().sum()))
    assert bounds["unique_low"] <= exact <= bounds["unique_high"] <= 1.05 * exact
    assert exact > 5_000 or bounds["unique_low"] == bounds["unique_high"] == sketch.unique[0]
    if name == "at":
        assert (summary["min"], summary["max"]) == (values.min().isoformat(), values.max().isoformat())
        return
    assert (summary["min"], summary["max"]) == (present.min(), present.max())
    assert summary["mean"] == pytest.approx(present.mean(), rel=1e-12)
    assert summary["std"] == pytest.approx(present.std(), rel=1e-9)
    reach = bounds["rank_pct"] / 100
    assert reach < 0.002
    for key, share in (("q1", 0.25), ("median", 0.5), ("q3", 0.75)):
        below, up_to = (present < summary[key]).mean(), (present <= summary[key]).mean()
        assert below - reach <= share <= up_to + reach, key
    known = sketch.histogram()
    assert known is not None and abs(sum(known["counts"]) - len(present)) <= 20
    counted = np.histogram(present, known["edges"])[0]
    assert np.abs(counted - known["counts"]).max() <= 2 * reach * len(present) + 2


@pytest.mark.parametrize("name", ["user", "city"])
def test_frequent_texts_lie_within_the_stated_bounds(name: str) -> None:
    values = _table()[name].str.strip()
    exact = values[values != "?"].value_counts()
    sketch = _sketch("text", _table()[name])
    bounds, top = sketch.bounds(), sketch.summary()["top"]
    assert sketch.missing == (values == "?").sum() == sketch.placeholders["?"]
    assert bounds["unique_low"] <= len(exact) <= bounds["unique_high"]
    assert {each["value"] for each in top[:5]} == set(exact.index[:5])
    for each in top:
        assert abs(each["count"] - exact[each["value"]]) <= bounds["count_within"]
    assert bounds["count_within"] == 0 or len(exact) > 5_000, "what fits is exact"


def test_a_late_text_among_numbers_is_counted_and_stops_nothing() -> None:
    sketch = _sketch("number", pd.Series(["1", "2.5", None, "4", "n.v.", "7"]), parts=3)
    assert (sketch.misfits, sketch.missing, sketch.count, sketch.summary()["max"]) == (1, 2, 4, 7.0)


@pytest.mark.parametrize("end", ["", " 10:00:00", "T10:00:00.5Z"])
def test_texts_of_times_are_counted_as_times(end: str) -> None:
    sketch = _sketch("time", pd.Series([f"2024-01-0{day}{end}" for day in range(1, 8)] + [None, "soon"]), parts=2)
    assert (sketch.count, sketch.missing, sketch.misfits, sketch.unique[0]) == (7, 2, 1, 7)
    assert sketch.summary()["max"].startswith("2024-01-07") and sketch.summary()["range_days"] == 6


@pytest.mark.feature("C12", "C34")
@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
def test_a_file_larger_than_its_room_is_counted_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, suffix: str
) -> None:
    path, table = tmp_path / f"long{suffix}", _table(150_000)
    table.to_csv(path, index=False) if suffix == ".csv" else table.to_parquet(path)
    monkeypatch.setattr(oversize, "_OF_FILES", 100_000 / 2**31)
    report = profile(path, inputs={"plot_limit": 1}, max_follow_ups=0)
    profiles, details = report.document.columns_profile, report.details
    assert report.document.dataset.n_rows == 150_000 and details.sampled.rows == 50_000
    assert profiles["price"].n_missing == 15_000 and profiles["city"].n_missing == (table["city"] == "?").sum()
    assert profiles["price"].summary.model_extra is not None
    assert profiles["price"].summary.model_extra["max"] == pytest.approx(table["price"].max())
    assert profiles["late"].unique == 2 and profiles["late"].summary.kind != "constant", "3 rows of 150,000 differ"
    bounds = details.columns["key"].bounds
    assert bounds is not None and bounds.unique_low <= 150_000 == bounds.unique_high
    assert report.summary.confidence == "low"
    assert any("of a sample of 50,000 rows" in note for note in report.document.noted())
    shown = report.to_html()
    assert re.search(r"<dt>Median</dt><dd>[^<]+ \(± 0\.1\d % of the ranks\)", shown)
    assert "(estimated: " in shown and "duplicate rows in the sample" in shown


def test_a_file_that_takes_longer_than_it_may_is_read_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "long.csv"
    _table(150_000).to_csv(path, index=False)
    monkeypatch.setattr(oversize, "_OF_FILES", 100_000 / 2**31)
    with pytest.raises(ExplorationFailed, match="timeout_seconds") as failed:
        profile(path, constraints={"timeout_seconds": 0.2})
    assert [attempt.on for attempt in failed.value.attempts] == ["everything"]


@pytest.mark.feature("C34")
def test_a_table_of_the_catalog_without_room_is_counted_where_it_lies(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kinds, lists = pd.Categorical(["a", "b", "c"] * 20_000), pd.Series([[n % 3] for n in range(60_000)])
    table = _table(60_000).assign(kind=kinds, parts=lists)
    table.to_parquet(tmp_path / "orders.parquet", row_group_size=7_000)
    table.head(50).to_parquet(tmp_path / "small.parquet")
    monkeypatch.setattr(oversize, "_OF_FRAMES", 1_000_000 / 2**31)
    workspace = Workspace.open(tmp_path)
    monkeypatch.setattr(workspace.catalog, "frame", lambda name: pytest.fail(f"{name} was read whole"))
    study = Study(workspace)
    assert not study.has_room("orders") and study.has_room("small")
    assert study.preview("orders").startswith("<p>60,000 rows, 9 columns</p>")
    report = study.explore("orders", None, inputs={"plot_limit": 4})
    study.close()
    _assert_parts_choose_their_rows(study, report, table)
    counted = {name: (one.unique, one.n_missing) for name, one in report.document.columns_profile.items()}
    assert report.document.dataset.n_rows == 60_000 and report.details.sampled.rows == 50_000
    assert (counted["kind"], counted["parts"], counted["price"][1]) == ((3, 0), (3, 0), 6_000)
    assert any("all 60,000 rows, with bounds" in note for note in report.document.noted())
    assert "rows of the sample of 50,000 with missing values" in report.summary.text
    lines = {line.split()[0]: line for line in in_words(report).splitlines() if line}
    assert "~" in lines["key"] and "~" not in lines["kind"]
    assert "key: about " in sections.flags(report)


@pytest.mark.feature("C34")
@pytest.mark.parametrize("kind", ["folder", "packed"])
def test_folders_and_packed_files_without_room_are_counted_where_they_lie(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    table = _table(20_000)[["key", "price", "city"]].assign(day=[f"2026-01-0{1 + n % 3}" for n in range(20_000)])
    if kind == "folder":
        table.to_parquet(tmp_path / "orders", partition_cols=["day"])
    else:
        table.to_csv(tmp_path / "orders.csv.gz", index=False)
    monkeypatch.setattr(oversize, "_OF_FRAMES", 100_000 / 2**31)
    workspace = Workspace.open(tmp_path)
    monkeypatch.setattr(workspace.catalog, "frame", lambda name: pytest.fail(f"{name} was read whole"))
    study = Study(workspace)
    report = study.explore("orders", None, inputs={"plot_limit": 0})
    study.close()
    profiles = report.document.columns_profile
    assert (report.document.dataset.n_rows, profiles["price"].n_missing, profiles["day"].unique) == (20_000, 2_000, 3)
    assert profiles["city"].n_missing == 2_500 and report.details.is_estimated
    rows = study.files_of("orders")
    assert rows is not None and "Only its first rows" not in study.preview("orders")
    whole = table if kind == "packed" else pd.read_parquet(tmp_path / "orders")
    places = np.flatnonzero(whole["city"].str.strip() == "Rome")
    asked = {"ask": "window", "start": 0, "count": 3, "columns": [LABEL], "within": '["value", "city", "Rome"]'}
    shown = FileRows(rows, partial(study.filter_where, "orders")).answer(asked)[0]
    assert (shown["found"], [row[0] for row in shown["rows"]]) == (len(places), [str(at) for at in places[:3]])


def test_of_row_groups_without_room_the_first_rows_are_shown_and_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _table(20_000).to_parquet(tmp_path / "orders.parquet")
    monkeypatch.setattr(oversize, "_OF_FRAMES", 100_000 / 2**31)
    monkeypatch.setattr(oversize, "_OF_PIECES", 100_000 / 2**31)
    monkeypatch.setattr(unpacked_table, "_OF_DISK", 0.0)
    study = Study(Workspace.open(tmp_path))
    assert study.files_of("orders") is None
    assert "Only its first rows are shown: a row group of its files takes too much" in study.preview("orders")
    assert "row_group_size=100_000" in study.preview("orders")


@pytest.mark.parametrize("kind", ["one file", "folder"])
def test_large_row_groups_are_unpacked_once_and_the_first_rows_shown_meanwhile(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    table = _table(20_000).assign(day=pd.Categorical([f"2026-01-0{1 + n % 3}" for n in range(20_000)]))
    if kind == "folder":
        table.to_parquet(tmp_path / "orders", partition_cols=["day"])
    else:
        table.to_parquet(tmp_path / "orders.parquet")
    monkeypatch.setattr(oversize, "_OF_FRAMES", 100_000 / 2**31)
    monkeypatch.setattr(oversize, "_READ_AT_ONCE", 1000)
    workspace = Workspace.open(tmp_path)
    study = Study(workspace)
    files = study.files_of("orders")
    assert isinstance(files, UnpackedTable)
    rows = rows_of_files(files, partial(study.filter_where, "orders"))
    opened, _ = rows.answer({"ask": "open"})
    whole = RowsView(workspace.catalog.frame("orders"))
    assert opened["found"] == 20_000
    assert [one["name"] for one in opened["columns"]] == [
        one["name"] for one in whole.answer({"ask": "open"})[0]["columns"]
    ]
    places = [LABEL, *range(table.shape[1])]
    while (first := rows.answer({"ask": "window", "start": 0, "count": 30, "columns": places})[0]).get("looked", 1) < 1:
        assert first["rows"] == whole.answer({"ask": "window", "start": 0, "count": 40, "columns": places})[0]["rows"]
    for start, filters in ((0, {}), (19_990, {}), (5, {"1": "missing"}), (0, {"1": "> 100"})):
        asked = {"ask": "window", "start": start, "count": 30, "columns": places, "filters": filters}
        assert rows.answer(asked)[0]["rows"] == whole.answer(asked)[0]["rows"]
    kept = list((tmp_path / ".pandas_magic" / "staged").glob("*.arrow"))
    assert len(kept) == 1
    rows_of_files(study.files_of("orders"), partial(study.filter_where, "orders")).answer({"ask": "open"})
    assert list((tmp_path / ".pandas_magic" / "staged").glob("*.arrow")) == kept


def test_an_unpacked_table_has_the_frame_of_its_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = _table(3_000).assign(
        whole=pd.array([None if n % 7 == 0 else n for n in range(3_000)], dtype="Int64"),
        huge=pd.array([None if n % 7 == 0 else 2**60 + n for n in range(3_000)], dtype="Int64"),
        small=np.float32(0.1),
        day=pd.Series(pd.date_range("2026-01-01", periods=3_000)).dt.date,
        zoned=pd.date_range("2026-01-01", periods=3_000, tz="Europe/Berlin"),
        said=pd.array([None if n % 5 == 0 else n % 2 == 0 for n in range(3_000)], dtype="boolean"),
        exact=[Decimal(n) / 100 for n in range(3_000)],
    )
    made.to_parquet(tmp_path / "orders.parquet", row_group_size=1_000)
    workspace = Workspace.open(tmp_path)
    source = workspace.catalog.source("orders")
    unpacked = unpacked_table.unpackable(source, as_frames=True)
    assert unpacked is not None
    for _ in range(2):
        pd.testing.assert_frame_equal(unpacked.frame(), source.frame())
    monkeypatch.setattr(study, "_LENT_BYTES", 1)
    monkeypatch.setattr(source, "frame", lambda columns=None: pytest.fail("read whole"))
    pd.testing.assert_frame_equal(Study(workspace).frame("orders"), unpacked.frame())
    monkeypatch.undo()
    made.iloc[:10].to_parquet(tmp_path / "orders.parquet")
    pd.testing.assert_frame_equal(unpacked.frame(), source.frame())
    made.assign(kind=pd.Categorical(["a"] * 3_000)).to_parquet(tmp_path / "kinds.parquet")
    assert unpacked_table.unpackable(workspace.catalog.source("kinds"), as_frames=True) is None


def test_rows_that_cannot_be_unpacked_say_why(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _table(2_000).to_parquet(tmp_path / "orders.parquet")
    monkeypatch.setattr(oversize, "_OF_FRAMES", 10_000 / 2**31)
    monkeypatch.setattr(oversize, "_READ_AT_ONCE", 1000)
    study = Study(Workspace.open(tmp_path))
    files = study.files_of("orders")
    assert isinstance(files, UnpackedTable)

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(unpacked_table.ColumnWriter, "add", full)
    rows = rows_of_files(files, partial(study.filter_where, "orders"))
    rows.answer({"ask": "open"})
    with pytest.raises(TableUnreadable, match="cannot be kept: No space left on device"):
        while rows.answer({"ask": "window", "start": 0, "count": 3, "columns": [LABEL]}):
            pass


def _assert_parts_choose_their_rows(study: Study, report: Report, table: pd.DataFrame) -> None:
    """Each part that can be clicked lists, from the file, the rows that the same part chooses of the whole table."""
    files = study.files_of("orders")
    assert files is not None
    rows = FileRows(files, partial(study.filter_where, "orders"))
    assert rows.answer({"ask": "open"})[0]["found"] == len(table)
    shown = columns(report) + live_pictures(report) + missing(report)
    wheres = {unescape(where) for where in re.findall(r'data-pm-where="([^"]*)"', shown)}
    assert {json.loads(where)[0] for where in wheres} >= {"bin", "between", "value", "missing", "only"}
    for where in wheres:
        asked = {"ask": "window", "start": 0, "count": 80, "columns": [LABEL], "within": where}
        kind, name, *_ = *json.loads(where), ""
        if kind == "bar" or (kind, name) == ("value", "parts"):
            with pytest.raises(UsageMistake, match=r"is of a sample|are not looked for"):
                rows.answer(asked)
            continue
        expected = np.flatnonzero(rows_where(table, report, where))
        while (found := rows.answer(asked)[0])["looked"] < 1:
            pass
        assert found["found"] == len(expected), where
        assert [row[0] for row in found["rows"]] == [str(at) for at in expected[:80]], where
    price = list(table.columns).index("price")
    chosen = {"within": '["value", "city", "Rome"]', "filters": {str(price): "> 100"}, "columns": [LABEL, price]}
    some = table[(table["city"].str.strip() == "Rome") & (table["price"] > 100)]["price"]
    last = rows.answer({"ask": "window", "start": len(some) - 1, "count": 5, **chosen})[0]
    assert last["found"] == len(some) and [row[0] for row in last["rows"]] == [str(some.index[-1])]
    by_price = rows.answer({"ask": "window", "start": 0, "count": 1, "sort": [[price, True]], **chosen})[0]
    assert by_price["rows"][0][0] == str(some.idxmax())
    copied = rows.answer({"ask": "csv", **chosen})
    assert copied[0] == {"file": "orders_rows.csv", "saved": len(some)}


def test_a_file_that_changes_while_it_is_counted_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "orders.parquet"
    _table(1_000).to_parquet(path)
    as_values = sketched_file._as_values

    def changing(column: object) -> object:
        with path.open("ab") as file:
            file.write(b" ")
        return as_values(column)

    monkeypatch.setattr(sketched_file, "_as_values", changing)
    with pytest.raises(Unreadable, match="changed while it was read"):
        sketched_file.sketch_file(str(path), path.name)
