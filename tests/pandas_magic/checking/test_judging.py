"""Bands, exceptions and rests in runs: what is tolerated is never silent, in a terminal, a file and a notebook."""

import dataclasses
import json
from pathlib import Path

import pandas as pd
import pytest

from pandas_magic.checking.bench import Bench
from pandas_magic.checking.result import Result
from pandas_magic.cli.main import main
from pandas_magic.errors import StateUnreadable
from pandas_magic.registry.approval import approve
from pandas_magic.registry.check_request import CheckRequest
from pandas_magic.registry.checks_list import read_checks, write_checks
from pandas_magic.registry.deciding import bands_of
from pandas_magic.reporters.bundle import bundle
from pandas_magic.reporters.junit import junit
from pandas_magic.workspace import Workspace

RULE = "amount must be positive"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "data").mkdir()
    write(tmp_path, [5, -1, -2, 7])
    return tmp_path


@pytest.fixture
def workspace(folder: Path, bench: Bench) -> Workspace:
    workspace = dataclasses.replace(Workspace.open(folder), bench=bench)
    workspace.check(CheckRequest(RULE, id="CHK-001", tables=("orders",)))
    approve(workspace.registry, "CHK-001", "ada@example.com")
    return workspace


def write(folder: Path, amounts: list[int]) -> None:
    table = pd.DataFrame({"order_id": range(1, len(amounts) + 1), "amount": amounts})
    table.to_csv(folder / "data" / "orders.csv", index=False)


def shown(result: Result) -> str:
    return str(bundle([result])[0]["text/plain"])


def test_a_warning_passes_and_is_seen_everywhere(workspace: Workspace) -> None:
    result = workspace.check(CheckRequest(RULE, id="CHK-001", tables=("orders",), bands=bands_of(None, "3")))
    run = result.run
    assert (run.verdict, run.warned, run.violation_count) == ("PASS", True, 2)
    assert run.summary == "PASS: WARN: 2 of 4 rows of orders break the rule, and it fails from 3 on"
    assert not result.compiled_now
    assert run.review == "approved"
    text = shown(result)
    assert text.startswith("✓ PASS, WARN  CHK-001")
    assert "2 failing rows tolerated" in text
    assert "-2" in text
    assert "WARN: 2 of 4 rows" in junit([result])
    kept = pd.read_parquet(workspace.base_dir / run.artifact)
    assert kept["order_id"].tolist() == [2, 3]
    write(workspace.base_dir, [5, -1, -2, -7])
    failed = workspace.run_saved("CHK-001").run
    assert (failed.verdict, failed.warned) == ("FAIL", False)
    assert failed.changes is not None
    assert (failed.changes.new, failed.changes.still) == (1, 2)


def test_a_known_exception_is_not_counted_and_is_told_until_it_is_obsolete(
    workspace: Workspace, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = str(workspace.base_dir)
    because = ["--reason", "a refund", "--by", "ada@example.com"]
    assert main(["except", "-C", folder, "CHK-001", "--key", "order_id=2", *because]) == 0
    assert capsys.readouterr().out == "CHK-001 does not count rows of order_id=2: a refund\n"
    run = workspace.run_saved("CHK-001").run
    assert (run.verdict, run.violation_count, run.excepted, run.review) == ("FAIL", 1, 1, "approved")
    assert run.summary == "FAIL: 1 of 4 rows of orders breaks the rule; 1 known exception not counted"
    assert run.positions == (2,)
    # The row is not fixed, only no longer counted.
    assert run.changes is not None
    assert run.changes.incomparable == "other known exceptions were left out"
    again = workspace.run_saved("CHK-001").run.changes
    assert again is not None
    assert (again.new, again.still, again.fixed) == (0, 1, 0)
    write(workspace.base_dir, [5, -1, 2, 7])
    assert main(["run", "-C", folder]) == 0
    out = capsys.readouterr().out
    assert "0 of 4 rows of orders break the rule; 1 known exception not counted" in out
    assert "CHK-001  known exceptions: 1 row of order_id=2 (a refund)" in out
    write(workspace.base_dir, [5, 1, 2, 7])
    assert "is obsolete, since it matches no failing row" in shown(workspace.run_saved("CHK-001"))
    assert main(["except", "-C", folder, "CHK-001", "--key", "order_id=2", "--remove"]) == 0
    assert workspace.run_saved("CHK-001").run.notes == ()


def test_an_exception_of_another_rule_is_not_applied(workspace: Workspace) -> None:
    folder = str(workspace.base_dir)
    main(["except", "-C", folder, "CHK-001", "--key", "order_id=2", "--reason", "a refund", "--by", "ada"])
    changed = workspace.check(CheckRequest("amount must be at least 6", id="CHK-001", tables=("orders",))).run
    assert (changed.violation_count, changed.excepted) == (3, 0)
    assert "known exception order_id=2 not applied: the rule changed" in changed.notes[-1]


def test_a_snoozed_check_is_skipped_until_its_day_even_when_it_is_stale(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = str(workspace.base_dir)
    monkeypatch.setenv("PANDAS_MAGIC_NOW", "2026-11-22")
    said = ["--until", "2026-12-01", "--reason", "migration", "--by", "ada"]
    assert main(["snooze", "-C", folder, "CHK-001", *said]) == 0
    (workspace.base_dir / "data" / "orders.csv").write_text("order\n1\n")
    assert main(["run", "-C", folder]) == 0
    assert "– SKIPPED" in capsys.readouterr().out
    write(workspace.base_dir, [5, 1])
    monkeypatch.setenv("PANDAS_MAGIC_NOW", "2026-12-01")
    assert main(["run", "-C", folder]) == 0
    assert "CHK-001  its snooze ended on 2026-12-01 (migration)" in capsys.readouterr().out
    assert main(["snooze", "-C", folder, "CHK-001", "--end"]) == 0
    assert workspace.registry.get("CHK-001").snooze is None
    assert main(["snooze", "-C", folder, "CHK-001"]) == 2


def test_decisions_survive_a_compilation(workspace: Workspace) -> None:
    folder = str(workspace.base_dir)
    main(["except", "-C", folder, "CHK-001", "--key", "order_id=2", "--reason", "a refund", "--by", "ada"])
    workspace.compile(["CHK-001"])
    assert workspace.registry.get("CHK-001").exceptions[0].key == {"order_id": "2"}


def test_bands_are_read_from_the_list_of_rules_and_written_there(tmp_path: Path) -> None:
    path = tmp_path / "checks.json"
    entry = {"check_id": "CHK-001", "calculation_hint": RULE, "target_table": "orders", "warn": 1, "fail": "1%"}
    path.write_text(json.dumps([entry]))
    (check,) = read_checks(path)
    assert check.bands is not None
    assert (check.bands.warn, check.bands.fail) == ("1", "1%")
    write_checks(tmp_path / "again.json", [check])
    assert read_checks(tmp_path / "again.json") == [check]
    for wrong in ({"fail": "many"}, {"warn": 5}):
        path.write_text(json.dumps([{**entry, "warn": None, "fail": None, **wrong}]))
        with pytest.raises(StateUnreadable, match=r'CHK-001: "(fail|warn)" does not fit'):
            read_checks(path)


@pytest.mark.parametrize(
    ("rule", "now", "why"),
    [
        (
            "orders where status is 'open': amount must be at least 1",
            {"status": ["OPEN", "PAID"]},
            "none is among those",
        ),
        ("orders where status is 'open': amount must be at least 1", {"amount": [None, 2.0]}, "1 left open"),
        (
            "orders as a whole: the mean of amount in orders must be at least 1",
            {"amount": [None, None]},
            "leaves the rule",
        ),
        ("orders where status is 'open': amount must be at least 1", {"amount": [5.0, None]}, ""),
        (
            "orders where status is 'open': amount must be at least 1; at most 1 row may break this",
            {"amount": [0, 1]},
            "",
        ),
    ],
)
def test_a_check_that_judged_nothing_says_so(tmp_path: Path, bench: Bench, rule: str, now: dict, why: str) -> None:
    orders = pd.DataFrame({"status": ["open", "paid"], "amount": [5.0, 6.0]})
    workspace = dataclasses.replace(Workspace.open(tmp_path, tables={"orders": orders}), bench=bench)
    check_id = workspace.check(CheckRequest(rule)).run.check_id
    for name, values in now.items():
        orders[name] = values
    run = workspace.run_saved(check_id).run
    assert (run.verdict, run.nothing_judged) == ("PASS", bool(why))
    assert why in run.summary
