"""What a change of a table touches is said before anything is compiled again, and until it is."""

from pathlib import Path

import pandas as pd

from pandas_magic.cli.main import main
from pandas_magic.registry.check_request import CheckRequest
from pandas_magic.workspace import Workspace

RULES = {"A": "orders.usr_id must be present", "B": "orders.amount must be at least 0"}


def workspace_with_checks(tmp_path: Path) -> Workspace:
    (tmp_path / "data").mkdir()
    frame = pd.DataFrame({"usr_id": [1, 2], "amount": [3, 4], "note": ["x", "y"]})
    frame.to_csv(tmp_path / "data" / "orders.csv", index=False)
    workspace = Workspace.open(tmp_path)
    for check_id, rule in RULES.items():
        workspace.check(CheckRequest(rule=rule, id=check_id, tables=("orders",)))
    return workspace


def said(workspace: Workspace) -> list[str]:
    return [change.in_words() for change in workspace.changes(workspace.entries())]


def test_a_change_is_told_with_the_checks_that_it_touches(tmp_path: Path, capsys: object) -> None:
    workspace = workspace_with_checks(tmp_path)
    try:
        assert said(workspace) == []
        changed = pd.DataFrame({"user_id": [1, 2], "amount": [3, 4], "note": ["x", "y"], "extra": [1.5, 2]})
        changed.to_csv(tmp_path / "data" / "orders.csv", index=False)
        line = 'orders: "usr_id" is probably "user_id" now; "extra" was added. Touches A; leaves B alone'
        assert said(workspace) == [line]
        assert main(["stale", "-C", str(tmp_path)]) == 1
        assert f"changed: {line}" in capsys.readouterr().out
        workspace.check(CheckRequest(rule="orders.user_id must be present", id="A", tables=("orders",)))
        assert said(workspace) == []
    finally:
        workspace.close()


def test_a_change_that_no_check_reads_touches_none(tmp_path: Path) -> None:
    workspace = workspace_with_checks(tmp_path)
    try:
        changed = pd.DataFrame({"usr_id": [1, 2], "amount": [3.5, 4], "more": ["x", "y"]})
        changed.to_csv(tmp_path / "data" / "orders.csv", index=False)
        assert said(workspace) == [
            'orders: "note" is probably "more" now; "amount" was int64 and is now float64. '
            "Touches no check; leaves A, B alone"
        ]
    finally:
        workspace.close()
