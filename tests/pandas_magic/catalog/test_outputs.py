"""What this software writes beside tables is no table; what somebody else writes in its place is one again."""

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from pandas_magic.catalog.outputs import note_outputs
from pandas_magic.cli.main import main
from pandas_magic.errors import TableUnreadable
from pandas_magic.workspace import Workspace

RULE = "amount must not be negative"


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A workspace of one table and one rule."""
    (tmp_path / ".pandas_magic").mkdir()
    (tmp_path / "checks").mkdir()
    (tmp_path / "checks" / "checks.json").write_text(json.dumps([{"id": "CHK-001", "rule": f"orders: {RULE}"}]))
    (tmp_path / "orders.csv").write_text("id,amount\n1,5\n2,-1\n3,-2\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*said: str) -> None:
    assert main(["compile"]) == 0
    assert main(["run", "--allow-proposed", *said]) == 1


def names(folder: Path) -> list[str]:
    return Workspace.open(folder).catalog.names()


def test_reports_and_rows_set_apart_become_no_tables(shop: Path) -> None:
    kinds = {"junit": "xml", "json": "json", "openlineage": "jsonl", "markdown": "md"}
    reports = [part for kind, end in kinds.items() for part in ("--report", f"{kind}=report_{kind}.{end}")]
    run("--quarantine", ".", *reports)
    assert (shop / "orders.bad.csv").read_text() == "id,amount\n2,-1\n3,-2\n"
    assert {path.name for path in shop.iterdir() if path.is_file()} > {"orders.flagged.csv", "report_junit.xml"}
    assert names(shop) == ["orders"]


def test_outputs_in_the_folder_of_tables_become_no_tables(shop: Path) -> None:
    (shop / "data").mkdir()
    (shop / "orders.csv").rename(shop / "data" / "orders.csv")
    run("--quarantine", "data/apart", "--report", "markdown=data/all.md")
    assert names(shop) == ["orders"]


@pytest.mark.parametrize(
    ("name", "write"),
    [
        ("failing.csv", lambda frame, path: frame.to_csv(path, index=False)),
        ("failing.parquet", lambda frame, path: frame.to_parquet(path, index=False)),
    ],
)
def test_somebody_elses_file_under_that_name_is_a_table_again(
    shop: Path, name: str, write: Callable[[pd.DataFrame, Path], None]
) -> None:
    catalog = Workspace.open(shop).catalog
    write(pd.DataFrame({"x": [1]}), shop / name)
    note_outputs([shop / name])
    assert catalog.names() == ["orders"]
    write(pd.DataFrame({"x": [1, 2, 3]}), shop / name)
    assert catalog.names() == ["failing", "orders"]
    assert len(catalog.frame("failing")) == 3


def test_an_output_stays_one_when_only_its_time_changes(shop: Path) -> None:
    (shop / "failing.csv").write_text("x\n1\n")
    note_outputs([shop / "failing.csv"])
    os.utime(shop / "failing.csv", (1, 1))
    assert names(shop) == ["orders"]
    (shop / "failing.csv").write_text("x\n2\n")
    assert names(shop) == ["failing", "orders"]


def test_an_output_that_is_asked_for_by_name_is_told_as_one(shop: Path) -> None:
    (shop / "failing.csv").write_text("x\n1\n")
    note_outputs([shop / "failing.csv"])
    catalog = Workspace.open(shop).catalog
    with pytest.raises(TableUnreadable, match=r'^"failing" is failing\.csv, an output of ours, not a table; copy it'):
        catalog.frame("failing")
    (shop / "copied.csv").write_bytes((shop / "failing.csv").read_bytes())
    assert catalog.names() == ["copied", "orders"]


def test_reports_that_came_without_a_record_are_known_by_how_they_begin(shop: Path) -> None:
    kinds = {"junit": "xml", "json": "json", "openlineage": "jsonl"}
    reports = [part for kind, end in kinds.items() for part in ("--report", f"{kind}=report_{kind}.{end}")]
    run("--quarantine", "apart", *reports)
    (shop / "apart" / "quarantine.json").rename(shop / "quarantine.json")
    (shop / ".pandas_magic" / "outputs.json").unlink()
    assert names(shop) == ["orders"]
    (shop / "mine.json").write_text('[{"version": 1, "checks": []}]')
    assert names(shop) == ["mine", "orders"]


@pytest.mark.parametrize("damage", ["", "{", "[]", '{"files": []}', '{"files": {"failing.csv": 3}}'])
def test_a_damaged_record_stops_nothing_and_is_made_anew(shop: Path, damage: str) -> None:
    (shop / "failing.csv").write_text("x\n1\n")
    (shop / ".pandas_magic" / "outputs.json").write_text(damage)
    assert names(shop) == ["failing", "orders"]
    note_outputs([shop / "failing.csv"])
    assert names(shop) == ["orders"]


def test_what_is_gone_leaves_the_record(shop: Path) -> None:
    for name in ("one.csv", "two.csv"):
        (shop / name).write_text("x\n1\n")
        note_outputs([shop / name])
        (shop / name).unlink()
    record: dict[str, Any] = json.loads((shop / ".pandas_magic" / "outputs.json").read_text())
    assert list(record["files"]) == ["two.csv"]


def test_saved_rows_beside_a_table_make_no_rule_ambiguous(shop: Path) -> None:
    run("--quarantine", ".")
    (shop / "checks" / "checks.json").write_text(json.dumps([{"id": "CHK-002", "rule": RULE}]))
    assert main(["compile", "CHK-002"]) == 0
