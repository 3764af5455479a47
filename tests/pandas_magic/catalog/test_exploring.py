"""The panel of %eda over tables that are no files here: an object of a store, tables of databases, a DataFrame."""

import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from pandas_magic.explore.study import Study
from pandas_magic.notebook.eda_panel import Panel
from pandas_magic.workspace import Workspace

from .conftest import Store

ROWS = [(100 + n, "ab"[n % 2], None if n % 4 == 0 else n * 1.5, "yes" if n % 3 else "no") for n in range(60)]
FRAME = pd.DataFrame(ROWS, columns=["order_id", "kind", "amount", "paid"])
PATIENCE_SECONDS = 60.0


@pytest.fixture
def panel_of(tmp_path: Path) -> Iterator[Callable[..., Panel]]:
    studies: list[Study] = []

    def make(table: str, **given: pd.DataFrame) -> Panel:
        studies.append(Study(Workspace.open(tmp_path, namespace=given)))
        return Panel(studies[-1], table=table, inputs={"plot_limit": 2})

    yield make
    for study in studies:
        study.close()


def _press(panel: Panel, button: Any) -> None:
    button.click()
    end = time.monotonic() + PATIENCE_SECONDS
    while panel.run.disabled and time.monotonic() < end:
        time.sleep(0.01)
    assert not panel.run.disabled, panel.message.value


def _is_explored_and_checked(panel: Panel) -> None:
    assert list(panel.target.options) == ["(none)", "order_id", "kind", "amount", "paid"]
    assert "60 rows, 4 columns" in panel.preview.value
    panel.target.value = "paid"
    _press(panel, panel.run)
    assert "done in" in panel.message.value, panel.message.value
    report = panel.findings["Make checks"]
    found = panel._study.report
    assert found is not None and found.document.target is not None
    assert found.document.columns_profile["amount"].n_missing == 15
    assert found.document.target.class_counts == {"yes": 40, "no": 20}
    report.kinds.value = "unique"
    report.buttons[0].click()
    assert "order_id must be unique" in report.sentence.value
    _press(panel, report.make)
    assert "CHK-001: PASS" in panel.message.value, panel.message.value


@pytest.mark.feature("C01", "C02")
def test_an_object_of_a_store_is_explored_in_the_panel(
    store: Store, tmp_path: Path, panel_of: Callable[..., Panel]
) -> None:
    store.put("daily/orders.csv", FRAME.to_csv(index=False).encode())
    (tmp_path / "tables.toml").write_text('[orders]\nuri = "s3://tables/daily/orders.csv"\n')
    _is_explored_and_checked(panel_of("orders"))


@pytest.mark.feature("C01", "C02")
def test_a_table_of_postgresql_is_explored_in_the_panel(
    postgres: Any, postgres_address: str, tmp_path: Path, panel_of: Callable[..., Panel]
) -> None:
    postgres.execute(
        "CREATE TABLE orders (order_id integer PRIMARY KEY, kind text, amount double precision, paid text)"
    )
    with postgres.cursor() as cursor:
        cursor.executemany("INSERT INTO orders VALUES (%s, %s, %s, %s)", ROWS)
    (tmp_path / "tables.toml").write_text(f'[shop]\nuri = "{postgres_address}"\n')
    _is_explored_and_checked(panel_of("shop_orders"))


@pytest.mark.feature("C01", "C02")
def test_a_table_of_sqlite_is_explored_in_the_panel(tmp_path: Path, panel_of: Callable[..., Panel]) -> None:
    with closing(sqlite3.connect(tmp_path / "shop.sqlite")) as connection:
        connection.execute("CREATE TABLE orders (order_id integer, kind text, amount real, paid text)")
        connection.executemany("INSERT INTO orders VALUES (?, ?, ?, ?)", ROWS)
        connection.commit()
    (tmp_path / "tables.toml").write_text(f'[orders]\nuri = "sqlite:///{tmp_path / "shop.sqlite"}"\ntable = "orders"\n')
    _is_explored_and_checked(panel_of("orders"))


@pytest.mark.feature("C01", "C02")
def test_a_data_frame_of_the_notebook_is_explored_in_the_panel(panel_of: Callable[..., Panel]) -> None:
    _is_explored_and_checked(panel_of("orders", orders=FRAME))
