"""A rule about the row before runs where rows stand in an order, and says in which."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing

import pandas as pd
import pytest

from pandas_magic.registry.check_request import CheckRequest
from pandas_magic.workspace import Workspace

FILES = {
    "daily": ("day=1/a.parquet", "day=2/a.parquet", "day=9/a.parquet"),
    "tens": ("day=9/a.parquet", "day=10/a.parquet"),
    "lone": ("day=10/a.parquet",),
}
TABLES = {"keyed": "PRIMARY KEY", "heap": ""}


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workspace]:
    folder = tmp_path_factory.mktemp("ordered")
    for table, names in FILES.items():
        for number, name in enumerate(names):
            path = folder / "data" / table / name
            path.parent.mkdir(parents=True)
            pd.DataFrame({"reading": [10 * number, 10 * number + 5]}).to_parquet(path)
    with closing(sqlite3.connect(folder / "far.bin")) as database:
        for table, declared in TABLES.items():
            database.execute(f"CREATE TABLE {table} (id INTEGER {declared}, reading INTEGER)")
            database.executemany(f"INSERT INTO {table} VALUES (?, ?)", [(2, 15), (1, 5)])
        database.commit()
    sections = [f'[{table}]\nuri = "sqlite:///{folder}/far.bin"\ntable = "{table}"\n' for table in TABLES]
    (folder / "tables.toml").write_text("".join(sections))
    opened = Workspace.open(folder)
    yield opened
    opened.close()


@pytest.mark.parametrize(
    ("rule", "verdict", "said"),
    [
        ("daily: reading must be >= the previous reading", "PASS", "its files, day=1/a.parquet to day=9/a.parquet"),
        ("tens: reading must be >= the previous reading", "ERROR", "day=10/a.parquet before day=9/a.parquet; say by"),
        ("lone: reading must be >= the previous reading", "PASS", ""),
        ("keyed: reading must be >= the previous reading", "PASS", "in the order of its primary key, id"),
        ("heap: reading must be >= the previous reading", "ERROR", "without a primary key in any order; say by which"),
        ("heap: reading must be >= the previous reading in order of id", "PASS", ""),
    ],
)
def test_rows_in_no_order_are_an_error_and_any_other_order_is_said(
    workspace: Workspace, rule: str, verdict: str, said: str
) -> None:
    run = workspace.check(CheckRequest(rule=rule)).run
    assert (run.verdict, said in " ".join((run.error, *run.notes))) == (verdict, True)
    assert bool(said) or not any("order" in note for note in run.notes)
