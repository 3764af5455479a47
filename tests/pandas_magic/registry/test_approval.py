"""Approval: only code that a person has seen runs on a schedule, and any change of it takes the approval away."""

import dataclasses
import json
from pathlib import Path

import pandas as pd
import pytest

from pandas_magic.checking.bench import Bench
from pandas_magic.cli.main import main
from pandas_magic.errors import NotProved, UsageMistake
from pandas_magic.registry import Registry
from pandas_magic.registry import approval as module
from pandas_magic.registry.approval import approve, carried_over, standing, who, why_not_run
from pandas_magic.registry.check_request import CheckRequest
from pandas_magic.registry.compiled_check import CompiledCheck
from pandas_magic.workspace import Workspace
from tests.doubles import unknown_users


@pytest.fixture
def workspace(tmp_path: Path, bench: Bench) -> Workspace:
    (tmp_path / "data").mkdir()
    pd.DataFrame({"order_id": [1, 2, 2]}).to_csv(tmp_path / "data" / "orders.csv", index=False)
    workspace = dataclasses.replace(Workspace.open(tmp_path), bench=bench)
    workspace.check(CheckRequest("order_id must be unique", id="CHK-001", tables=("orders",)))
    return workspace


def approved(compiled: CompiledCheck, folder: Path) -> CompiledCheck:
    registry = Registry(folder / "registry")
    registry.save(compiled)
    return approve(registry, compiled.id, "ada@example.com")


def test_a_compiled_check_is_proposed_until_it_is_approved(tmp_path: Path) -> None:
    assert standing(unknown_users()) == "proposed"
    compiled = approved(unknown_users(), tmp_path)
    assert standing(compiled) == "approved"
    assert compiled.approval is not None
    assert compiled.approval.by == "ada@example.com"
    assert standing(Registry(tmp_path / "registry").get("CHK-002")) == "approved"


CHANGES = {
    "code": {"code": "violations = events.head(0)"},
    "code with its digest forged": {
        "code": "violations = events.head(0)",
        "code_digest": unknown_users(code="violations = events.head(0)").code_digest,
    },
    "rule": {"check": unknown_users(rule="another rule").check},
    "schemas": {"schemas": {"events": {"user_id": "float64"}, "users": {"user_id": "int64"}}},
    "typed rule": {"constraint": None},
    "what is read": {"plan": unknown_users().plan.model_copy(update={"reads": {"events": ("user_id",)}})},
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_a_change_of_what_was_read_takes_the_approval_away(tmp_path: Path, change: dict[str, object]) -> None:
    compiled = approved(unknown_users(), tmp_path)
    changed = compiled.model_copy(update=change)
    assert standing(changed) == "proposed"
    assert "changed after ada@example.com approved it" in why_not_run(changed)
    assert carried_over(changed, compiled).approval is None


def test_owner_severity_and_spacing_leave_the_approval(tmp_path: Path) -> None:
    compiled = approved(unknown_users(), tmp_path)
    check = compiled.check.model_copy(
        update={"owner": "b@example.com", "severity": "low", "rule": "user_id  must exist in users"}
    )
    assert standing(compiled.model_copy(update={"check": check})) == "approved"
    assert carried_over(unknown_users(compiled_at="2027-01-01T00:00:00Z"), compiled).approval == compiled.approval


def test_what_does_not_belong_together_is_not_approved(tmp_path: Path) -> None:
    registry = Registry(tmp_path / "registry")
    registry.save(unknown_users().model_copy(update={"code": "violations = events.head(0)"}))
    with pytest.raises(NotProved, match="its code was edited in its file"):
        approve(registry, "CHK-002", "ada@example.com")
    assert registry.get("CHK-002").approval is None


def test_approving_again_changes_nothing(tmp_path: Path) -> None:
    first = approved(unknown_users(), tmp_path)
    assert approve(Registry(tmp_path / "registry"), "CHK-002", "bob@example.com") == first


def test_who_approves_is_gits_user_else_the_login_else_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOGNAME", "grace")
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    assert who(tmp_path) == "grace"
    (Path.home() / ".gitconfig").write_text("[user]\n\temail = ada@example.com\n")
    assert who(tmp_path) == "ada@example.com"
    monkeypatch.setenv("PATH", "")

    def nobody() -> str:
        raise KeyError("uid not found")

    monkeypatch.setattr(module, "getuser", nobody)
    with pytest.raises(UsageMistake, match="--by NAME"):
        who(tmp_path)


def test_a_scheduled_run_executes_no_proposed_code(workspace: Workspace) -> None:
    (refused,) = workspace.run(approved_only=True)
    assert refused.run.verdict == "ERROR"
    assert "not approved" in refused.run.error
    assert "pandas-magic approve CHK-001" in refused.run.error
    assert refused.run.violation_count is None
    approve(workspace.registry, "CHK-001", "ada@example.com")
    (ran,) = workspace.run(approved_only=True)
    assert (ran.run.verdict, ran.run.review) == ("FAIL", "approved")


def test_a_notebook_runs_proposed_code_and_says_so(workspace: Workspace) -> None:
    assert workspace.run_saved("CHK-001").run.review == "proposed"
    approve(workspace.registry, "CHK-001", "ada@example.com")
    assert workspace.run_saved("CHK-001").run.review == "approved"
    edited = workspace.run_saved("CHK-001", code="violations = orders.head(0)")
    assert edited.run.review == "proposed"


def test_accepted_code_waits_for_approval_again(workspace: Workspace) -> None:
    approve(workspace.registry, "CHK-001", "ada@example.com")
    workspace.accept("CHK-001", 'violations = orders[orders.duplicated(["order_id"], keep=False)]')
    (refused,) = workspace.run(approved_only=True)
    assert refused.run.verdict == "ERROR"
    assert "changed after ada@example.com approved it" in refused.run.error


def test_the_same_code_compiled_again_stays_approved(workspace: Workspace) -> None:
    approve(workspace.registry, "CHK-001", "ada@example.com")
    workspace.compile(["CHK-001"])
    assert standing(workspace.registry.get("CHK-001")) == "approved"
    workspace.check(CheckRequest("order_id must not be null", id="CHK-001", tables=("orders",)))
    assert standing(workspace.registry.get("CHK-001")) == "proposed"


def test_code_edited_in_its_file_is_not_run_on_a_schedule(workspace: Workspace) -> None:
    approve(workspace.registry, "CHK-001", "ada@example.com")
    path = workspace.registry.folder / "CHK-001.json"
    content = json.loads(path.read_text())
    path.write_text(json.dumps({**content, "code": ["violations = orders.head(0)"]}))
    (refused,) = workspace.run(approved_only=True)
    assert (refused.run.verdict, refused.run.violation_count) == ("ERROR", None)


def test_the_command_line_runs_what_it_approved(workspace: Workspace, capsys: pytest.CaptureFixture[str]) -> None:
    folder = str(workspace.base_dir)
    assert main(["run", "-C", folder]) == 3
    assert "pandas-magic approve CHK-001" in capsys.readouterr().out
    assert main(["run", "-C", folder, "--allow-proposed"]) == 1
    capsys.readouterr()
    assert main(["approve", "-C", folder]) == 0
    shown = capsys.readouterr().out
    assert "CHK-001  order_id must be unique" in shown
    assert "    violations = orders[" in shown
    assert main(["approve", "-C", folder, "--all", "--by", "ada@example.com"]) == 0
    assert capsys.readouterr().out == "CHK-001  approved by ada@example.com: order_id must be unique\n"
    assert main(["run", "-C", folder]) == 1
    capsys.readouterr()
    assert main(["list", "-C", folder]) == 0
    assert "approved" in capsys.readouterr().out
    assert main(["list", "-C", folder, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["checks"][0]["review"] == "approved"
    assert main(["approve", "-C", folder]) == 0
    assert capsys.readouterr().out == "no check waits for approval\n"
    assert main(["approve", "-C", folder, "CHK-001", "--all"]) == 2
    assert main(["approve", "-C", folder, "CHK-009", "--by", "x"]) == 2


def test_a_setting_lets_proposed_code_run(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PANDAS_MAGIC_ALLOW_PROPOSED", "1")
    assert main(["run", "-C", str(workspace.base_dir)]) == 1
