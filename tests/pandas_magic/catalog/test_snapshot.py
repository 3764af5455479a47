"""The tables of a batch: described once, and the same for every check of it."""

import os
from collections.abc import Sequence
from pathlib import Path

import pandas as pd
import pytest

from pandas_magic.catalog import Catalog
from pandas_magic.catalog.snapshot import Snapshot
from pandas_magic.catalog.sources import memory
from pandas_magic.catalog.sources.dataset_table import DatasetTable
from pandas_magic.catalog.sources.file_table import FileTable
from pandas_magic.errors import NoSuchName, TableUnreadable

ORDERS = pd.DataFrame({"order_id": [1, 2, 3], "total": [5.0, 7.0, 9.0]})


def write(path: Path, frame: pd.DataFrame, *, second: int) -> None:
    frame.to_csv(path, index=False)
    os.utime(path, (second, second))


def test_a_frame_is_described_once(monkeypatch: pytest.MonkeyPatch) -> None:
    described: list[str] = []
    describe = memory.describe_frame
    monkeypatch.setattr(memory, "describe_frame", lambda name, frame: described.append(name) or describe(name, frame))
    snapshot = Snapshot(Catalog(given={"orders": ORDERS}))
    assert snapshot.schema("orders") == snapshot.schemas(["orders"])["orders"]
    assert snapshot.schema("orders").row_count == 3
    assert described == ["orders"]


@pytest.mark.parametrize("ask", [lambda tables: tables.frame("orders"), lambda tables: tables.rows("orders", [0])])
def test_rows_of_a_file_that_changed_since_are_not_given(tmp_path: Path, ask: object) -> None:
    path = tmp_path / "orders.csv"
    write(path, ORDERS, second=1)
    snapshot = Snapshot(Catalog(tmp_path))
    assert len(snapshot.frame("orders")) == snapshot.schema("orders").row_count == 3
    write(path, ORDERS.head(2), second=2)
    with pytest.raises(TableUnreadable, match='"orders" changed while the checks ran'):
        ask(snapshot)  # type: ignore[operator] # one of the two above
    assert len(Snapshot(Catalog(tmp_path)).frame("orders")) == 2


def test_a_table_that_is_not_there_is_named_each_time() -> None:
    snapshot = Snapshot(Catalog(given={"orders": ORDERS}))
    for _ in range(2):
        with pytest.raises(NoSuchName, match="order"):
            snapshot.schema("oders")


def reading_of(source: type, monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, ...]]:
    """The columns that each later reading of a table of this kind asks for."""
    asked: list[tuple[str, ...]] = []
    frame = source.frame

    def noted(self: object, columns: Sequence[str] | None = None) -> pd.DataFrame:
        asked.append(tuple(columns or ()))
        read: pd.DataFrame = frame(self, columns)
        return read

    monkeypatch.setattr(source, "frame", noted)
    return asked


@pytest.mark.parametrize("form", ["parquet", "csv"])
def test_a_file_is_read_once_for_all_checks_and_only_what_they_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, form: str
) -> None:
    wide = ORDERS.assign(note=["a", None, "c"], paid=[True, None, False])
    getattr(wide, f"to_{form}")(tmp_path / f"orders.{form}", index=False)
    catalog = Catalog(tmp_path, cache=tmp_path / "cache")
    whole, rows = catalog.frame("orders"), catalog.rows("orders", [2, 0])
    asked = reading_of(DatasetTable if form == "parquet" else FileTable, monkeypatch)
    snapshot = Snapshot(catalog, reads={"orders": {"total", "order_id", "gone"}}, kept_bytes=1_000_000)
    assert snapshot.frame("orders", ["total"]).equals(whole[["total"]])
    assert snapshot.frame("orders", ["order_id", "total"]).equals(whole[["order_id", "total"]])
    assert len(snapshot.rows("orders", ())) == 0
    assert asked == [("order_id", "total")]
    pd.testing.assert_frame_equal(snapshot.rows("orders", [2, 0]), rows)
    assert snapshot.frame("orders", ["note"]).equals(whole[["note"]])
    assert asked[1:] == [("note", "paid")]


@pytest.mark.parametrize(("kept_bytes", "times"), [(40, 2), (64, 1)])
def test_what_does_not_fit_is_not_kept_and_of_a_large_table_single_columns_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kept_bytes: int, times: int
) -> None:
    ORDERS.to_parquet(tmp_path / "orders.parquet", index=False)
    asked = reading_of(DatasetTable, monkeypatch)
    snapshot = Snapshot(Catalog(tmp_path), reads={"orders": {"order_id", "total"}}, kept_bytes=kept_bytes)
    for _ in range(2):
        assert list(snapshot.frame("orders", ["total"])) == ["total"]
    assert asked == [("total",)] * times
