"""The files of the planner-executor system: the shapes that its programs read, and what they conclude from them."""

import csv
import hashlib
import io
import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from pandas_magic.checking.bench import Bench
from pandas_magic.cli.main import main
from pandas_magic.compat.workflows import stable_csv
from pandas_magic.planner.model.exchanges import Exchange, ExchangeLog
from pandas_magic.workspace import Workspace

# As a person writes it for that system: one target as a text with commas, one as a list, and a field of their own.
RULES: list[dict[str, Any]] = [
    {
        "check_id": "CHK-010",
        "check_name": "Orders without users",
        "target_table": ["orders", "users"],
        "calculation_hint": "orders.user_id must exist in users.user_id",
        "severity": "high",
        "enabled": True,
        "owner": "data-quality@example.com",
        "tags": ["integrity", "join"],
    },
    {
        "check_id": "CHK-002",
        "check_name": "Emails are there",
        "target_table": "users",
        "calculation_hint": "users.email must be present",
        "severity": "medium",
        "enabled": True,
        "owner": "data-quality@example.com",
        "tags": [],
    },
]
UTC = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")


@pytest.fixture
def workspace(tmp_path: Path, bench: Bench) -> Workspace:
    (tmp_path / "data").mkdir()
    (tmp_path / "checks").mkdir()
    pd.DataFrame({"user_id": [1, 2], "email": ["a@x.com", None]}).to_csv(tmp_path / "data" / "users.csv", index=False)
    pd.DataFrame({"order_id": [1, 2], "user_id": [1, 2]}).to_csv(tmp_path / "data" / "orders.csv", index=False)
    (tmp_path / "checks" / "checks.json").write_text(json.dumps(RULES))
    workspace = replace(Workspace.open(tmp_path), bench=bench)
    workspace.compile()
    return workspace


def exported(workspace: Workspace) -> Path:
    assert main(["export", "-C", str(workspace.base_dir), "--workflows"]) == 0
    return workspace.base_dir / "cached_mem"


def content(path: Path) -> Any:
    return json.loads(path.read_text())


@pytest.mark.feature("A12", "A13")
def test_workflows_are_keyed_by_id_and_name_and_hold_a_plan_and_an_execution(workspace: Workspace) -> None:
    workspace.run()
    workflows = content(exported(workspace) / "workflows.json")
    assert list(workflows) == ["CHK-002::Emails are there", "CHK-010::Orders without users"]
    for entries in workflows.values():
        assert [entry["type"] for entry in entries] == ["plan", "execution"]
        for entry in entries:
            assert set(entry) == {"type", "artifact", "compiled_at", "compiled_against"}
            assert set(entry["compiled_against"]) == {"checks_hash", "schema_cols"}
            assert UTC.fullmatch(entry["compiled_at"])
    plan, _ = workflows["CHK-010::Orders without users"]
    assert plan["compiled_against"]["schema_cols"] == {"orders": ["user_id"], "users": ["user_id"]}
    assert plan["artifact"]["steps"]


@pytest.mark.feature("A03")
@pytest.mark.feature("A04")
def test_an_execution_is_code_output_exit_code_and_result(workspace: Workspace) -> None:
    workspace.run()
    workflows = content(exported(workspace) / "workflows.json")
    artifacts = {key: entries[1]["artifact"] for key, entries in workflows.items()}
    for artifact in artifacts.values():
        assert set(artifact) == {"python_repls", "result"}
        (executed,) = artifact["python_repls"]
        assert set(executed) == {"python_repl", "stdout", "exit_code"}
        assert executed["exit_code"] == 0
        assert set(artifact["result"]) == {"status", "summary"}
    emails = artifacts["CHK-002::Emails are there"]
    assert emails["python_repls"][0]["python_repl"] == workspace.registry.get("CHK-002").code
    assert emails["result"] == {"status": "FAIL", "summary": "FAIL: 1 of 2 rows of users breaks the rule"}
    assert artifacts["CHK-010::Orders without users"]["result"]["status"] == "PASS"


def test_code_that_did_not_run_claims_no_result(workspace: Workspace) -> None:
    workspace.run_saved("CHK-002", code="violations = users.head(0)")
    workflows = content(exported(workspace) / "workflows.json")
    artifact = workflows["CHK-002::Emails are there"][1]["artifact"]
    assert artifact["python_repls"] == []
    assert artifact["result"] == {"status": "SKIPPED", "summary": "SKIPPED: this code has not run yet"}


@pytest.mark.feature("A13")
@pytest.mark.feature("A14")
def test_the_baseline_is_of_the_list_of_rules_and_its_hash_is_everywhere(workspace: Workspace) -> None:
    folder = exported(workspace)
    text = (folder / "checks_last.csv").read_text()
    rows = list(csv.DictReader(io.StringIO(text)))
    assert text.split("\n")[0] == ",".join(sorted(RULES[0]))
    # By calculation_hint, the first of the columns.
    assert [row["check_id"] for row in rows] == ["CHK-010", "CHK-002"]
    assert json.loads(rows[0]["target_table"]) == ["orders", "users"]
    assert rows[1]["target_table"] == "users"
    assert json.loads(rows[0]["tags"]) == ["integrity", "join"]
    assert rows[0]["enabled"] == "True"
    workflows = content(folder / "workflows.json")
    hashes = {entry["compiled_against"]["checks_hash"] for entries in workflows.values() for entry in entries}
    assert hashes == {hashlib.sha256(text.encode()).hexdigest()}


@pytest.mark.feature("A18")
def test_the_baseline_knows_no_order_and_sees_every_change() -> None:
    text = stable_csv(RULES)
    assert stable_csv([dict(reversed(rule.items())) for rule in reversed(RULES)]) == text
    for field, value in {"severity": "low", "tags": ["join", "integrity"], "enabled": False, "note": "new"}.items():
        assert stable_csv([{**RULES[0], field: value}, RULES[1]]) != text
    assert stable_csv([]) == "check_id\n"
    assert json.loads(
        next(csv.DictReader(io.StringIO(stable_csv([{"a": 'x,"y"\nz', "b": {"d": 1, "c": 2}}]))))["b"]
    ) == {
        "c": 2,
        "d": 1,
    }


@pytest.mark.feature("A08")
def test_schemas_are_the_columns_of_every_table_that_a_rule_is_about(workspace: Workspace) -> None:
    assert content(exported(workspace) / "schema_cols.json") == {
        "orders": ["order_id", "user_id"],
        "users": ["user_id", "email"],
    }


@pytest.mark.feature("A19")
def test_the_prompt_log_has_one_line_for_each_exchange_about_a_check(workspace: Workspace) -> None:
    said = {"purpose": "restate", "about": "CHK-010", "model": "small", "host": "127.0.0.1", "disclosure": "schema"}
    messages = [{"role": "user", "content": "restate this"}]
    log = ExchangeLog(workspace.journal.folder)
    log.append(
        Exchange.model_validate(
            {
                **said,
                "at": "2026-01-01T00:00:00Z",
                "sha256": "0" * 64,
                "outcome": "answered",
                "answer": "restated",
                "request": {"messages": messages},
            }
        )
    )
    log.append(
        Exchange.model_validate(
            {**said, "at": "2026-01-02T00:00:00Z", "sha256": "0" * 64, "outcome": "recorded", "answer": "restated"}
        )
    )
    lines = (exported(workspace) / "plan_prompt_log.jsonl").read_text().splitlines()
    entries = [json.loads(line) for line in lines]
    for entry in entries:
        assert set(entry) == {"ts", "check_id", "model", "prompt_msgs", "response_text", "inputs"}
        assert UTC.fullmatch(entry["ts"])
    assert [entry["prompt_msgs"] for entry in entries[:2]] == [messages, messages]
    assert [entry["response_text"] for entry in entries[:2]] == ["restated", "restated"]
    by_rules = [entry for entry in entries if entry["model"] == "rules"]
    assert {entry["check_id"] for entry in by_rules} == {"CHK-002", "CHK-010"}
    hints = {rule["check_id"]: rule["calculation_hint"] for rule in RULES}
    assert all(entry["prompt_msgs"] == [{"role": "user", "content": hints[entry["check_id"]]}] for entry in by_rules)


def test_without_a_list_of_rules_one_is_written_beside_the_others(workspace: Workspace) -> None:
    (workspace.base_dir / "checks" / "checks.json").unlink()
    folder = exported(workspace)
    rules = content(folder / "checks.json")
    assert [rule["check_id"] for rule in rules] == ["CHK-002", "CHK-010"]
    assert (folder / "checks_last.csv").read_text() == stable_csv(rules)


def test_without_a_check_there_is_nothing_to_export(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["export", "-C", str(tmp_path), "--workflows"]) == 2
    assert "there is no check to export" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []
