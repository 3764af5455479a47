"""The tables of a batch: described once, and the same for every check of it."""

import os
from pathlib import Path

import pandas as pd
import pytest

from pandas_magic.catalog import Catalog
from pandas_magic.catalog.snapshot import Snapshot
from pandas_magic.catalog.sources import memory
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
