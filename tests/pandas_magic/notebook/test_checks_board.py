"""The dashboard of %checks without a page: what each of its questions is answered, over the files of a workspace."""

import json
import time
from collections.abc import Callable, Iterator
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from IPython.core.interactiveshell import InteractiveShell

from pandas_magic.checking.bench import Bench
from pandas_magic.errors import PandasMagicError, UsageMistake
from pandas_magic.notebook.checks_board import KEY, ChecksBoard
from pandas_magic.notebook.notebook_session import NotebookSession
from pandas_magic.registry.check_request import CheckRequest
from pandas_magic.workspace import Workspace

TOMORROW = (date.today() + timedelta(days=2)).isoformat()


def eventually(happened: Callable[[], object], *, seconds: float = 60.0) -> None:
    end = time.monotonic() + seconds
    while not happened():
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.02)


class Asking:
    """A board, asked as a page would."""

    def __init__(self, session: NotebookSession) -> None:
        self.session, self.board = session, ChecksBoard(session)

    def __call__(self, ask: str, **said: Any) -> dict[str, Any]:
        return self.board.answer({"ask": ask, **said})[0]

    def listed(self, **choice: Any) -> list[str]:
        html = self("list", choice=choice)["html"]
        return [part.split('"')[0] for part in html.split('data-pm-line="')[1:]]

    def states(self, check_id: str) -> tuple[str, ...]:
        return next(line.states for line in self.board.board.lines if line.check_id == check_id)

    def run(self, **scope: Any) -> dict[str, Any]:
        self("run", **scope)
        eventually(lambda: not self("progress")["running"])
        return self("progress")


@pytest.fixture
def ask(shell: InteractiveShell, tmp_path: Path, bench: Bench, monkeypatch: pytest.MonkeyPatch) -> Iterator[Asking]:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LOGNAME", "ada")
    (tmp_path / "data").mkdir()
    pd.DataFrame({"id": [1, 2, 2], "age": [30, -1, 40]}).to_csv(tmp_path / "data" / "people.csv", index=False)
    session = NotebookSession(shell, lambda _: Workspace.open(tmp_path, bench=bench))
    check = session.workspace.check
    check(CheckRequest("people: id must be unique", id="CHK-001", tags=("keys",), owner="ada@example.com"))
    check(CheckRequest("people: age must be >= 0", id="CHK-002", severity="high"))
    yield Asking(session)


@pytest.mark.feature("A22", "A23")
def test_filters_narrow_the_list_and_what_run_would_run(ask: Asking) -> None:
    opened = ask("open")
    assert opened["said"] == "2 checks: 2 FAIL" and list(opened["filters"]) == [
        "table", "tag", "severity", "owner", "verdict", "state",
    ]  # fmt: skip
    assert "snoozed" in opened["filters"]["state"]
    assert ask.listed() == ["CHK-001", "CHK-002"]
    assert ask.listed(by="severity") == ["CHK-002", "CHK-001"]
    assert ask.listed(tag="keys") == ["CHK-001"] and ask.listed(owner="ada@example.com") == ["CHK-001"]
    assert ask.listed(words="AGE") == ["CHK-002"]
    nothing = ask("list", choice={"words": "nothing like it"})
    assert nothing["html"] == "" and "choose less narrowly" in nothing["said"]
    with pytest.raises(UsageMistake, match="no check is listed"):
        ask("run", choice={"words": "nothing like it"})

    pd.DataFrame({"id": [1, 2], "age": [30, 1]}).to_csv("data/people.csv", index=False)
    assert ask.run(choice={"severity": "high"})["told"] == "1 check run"
    assert ask("list")["said"] == "2 checks: 1 FAIL, 1 PASS"
    assert [result.run.verdict for result in ask.session.results.values()] == ["PASS"]


@pytest.mark.feature("A22")
def test_a_check_is_shown_in_depth_and_so_are_runs_tables_and_models(ask: Asking) -> None:
    detail = ask("detail", check="CHK-002")
    assert "1 of 3 rows of people breaks the rule" in detail["html"] and "<td" in detail["html"]
    assert "people[people[&quot;age&quot;] &lt; 0]" in detail["html"]
    assert "FAIL in the last of 1 run" in detail["html"]
    assert detail["proposed"] and not detail["snoozed"]
    assert "CHK-009" in ask("detail", check="CHK-009")["html"]
    assert "The last 2 of 2 runs" in ask("view", view="Runs")["html"]
    assert "3 rows, 2 columns" in ask("view", view="Tables")["html"]
    assert "0 exchanges with models" in ask("view", view="Models")["html"]


def test_what_another_process_wrote_is_there_after_reload(ask: Asking, tmp_path: Path) -> None:
    ask.session.workspace.check(CheckRequest("people: age must be present", id="CHK-003"))
    assert ask.listed() == ["CHK-001", "CHK-002"]
    assert "CHK-003" in ask("list", anew=True)["html"]


@pytest.mark.feature("A23")
@pytest.mark.parametrize(
    ("action", "fields", "told", "state"),
    [
        ("approve", {}, "CHK-001 approved by", "approved"),
        ("snooze", {"until": TOMORROW, "reason": "moving"}, f"CHK-001 snoozed until {TOMORROW}", "snoozed"),
        ("except", {"key": "id=2", "reason": "agreed"}, "CHK-001 from now on without rows of id=2", "proposed"),
        ("delete", {}, "CHK-001 deleted", None),
    ],
)
def test_what_a_button_changes_is_taken_back_whole(
    ask: Asking, action: str, fields: dict[str, str], told: str, state: str | None
) -> None:
    file = Path("checks/registry/CHK-001.json")
    before = file.read_bytes()
    done = ask("do", action=action, check="CHK-001", fields=fields)
    assert done["told"].startswith(told) and done["undo"]
    assert (ask.listed() == ["CHK-002"]) if state is None else (state in ask.states("CHK-001"))
    assert ask("undo")["told"].startswith("CHK-001")
    assert file.read_bytes() == before
    with pytest.raises(UsageMistake, match="nothing to take back"):
        ask("undo")


def test_bulk_actions_take_what_is_listed_and_say_what_was_left(ask: Asking) -> None:
    snoozed = ask("do", action="snooze", choice={}, fields={"until": TOMORROW, "reason": "moving"})
    assert snoozed["told"] == f"2 checks snoozed until {TOMORROW}"
    assert ask.listed(state="snoozed") == ["CHK-001", "CHK-002"]
    ask("do", action="wake", choice={"tag": "keys"})
    assert ask.listed(state="snoozed") == ["CHK-002"]
    ask("do", action="approve", choice={"state": "snoozed"})
    assert ask.listed(state="approved") == ["CHK-002"]
    # What was changed since is not overwritten by the way back.
    ask.session.workspace.registry.change("CHK-002", lambda one: one.model_copy(update={"snooze": None}))
    assert "changed since" in ask("undo")["told"] and ask.listed(state="approved") == ["CHK-002"]


@pytest.mark.parametrize(
    ("action", "fields", "problem"),
    [
        ("snooze", {"until": TOMORROW}, "a reason is needed"),
        ("snooze", {"until": "", "reason": "x"}, "is no day"),
        ("except", {"key": "", "reason": "x"}, "needs the key"),
        ("quarantine", {"folder": " "}, "name a folder"),
        ("export", {"to": "nobody"}, "is no peer"),
    ],
)
def test_what_cannot_be_done_is_said_and_changes_nothing(
    ask: Asking, action: str, fields: dict[str, str], problem: str
) -> None:
    before = Path("checks/registry/CHK-001.json").read_bytes()
    with pytest.raises(PandasMagicError, match=problem):
        ask("do", action=action, check="CHK-001", fields=fields)
    assert Path("checks/registry/CHK-001.json").read_bytes() == before


def test_rows_are_set_aside_checks_exported_and_the_page_is_shared(ask: Asking) -> None:
    # One ran here, the other in an earlier session: both on the tables of today.
    ask.run(check="CHK-001")
    told = ask("do", action="quarantine", choice={}, fields={"folder": "aside"})["told"]
    assert "2 bad rows" in told and "; CHK-002 as it ran on 20" in told
    assert Path("aside/people.flagged.csv").read_text() == "position,checks\n1,CHK-001 CHK-002\n2,CHK-001\n"
    exported, buffers = ask.board.answer({"ask": "do", "action": "export", "choice": {}, "fields": {"to": "soda"}})
    assert exported["file"] == "soda_checks.yml" and b"duplicate_count(id)" in buffers[0]
    shared, buffers = ask.board.answer({"ask": "do", "action": "share", "choice": {}})
    assert shared["file"] == "checks.html" and buffers[0].startswith(b"<!DOCTYPE html>")


def test_checks_that_fail_on_the_same_rows_are_named_also_where_they_ran_elsewhere(
    ask: Asking, monkeypatch: pytest.MonkeyPatch
) -> None:
    offered: dict[str, Any] = {}
    monkeypatch.setattr(ask.session.parts, "put", offered.__setitem__)
    ask("detail", check="CHK-001")
    (view,) = offered.values()
    assert view.answer({"ask": "open"})[0]["beside"] == ["CHK-002 (1)"]

    pd.DataFrame({"id": [2, 2, 1], "age": [30, -1, 40]}).to_csv("data/people.csv", index=False)
    assert view.answer({"ask": "open"})[0]["beside"] == []
    with pytest.raises(UsageMistake, match="people may have changed since CHK-001 ran; run it first"):
        ask("do", action="quarantine", check="CHK-001", fields={"folder": "q"})
    assert not Path("q").exists()


def test_a_listed_check_leaves_the_list_too_and_comes_back_to_it(ask: Asking) -> None:
    listed = Path("checks/checks.json")
    listed.write_text(json.dumps([{"id": "CHK-002", "rule": "people: age must be >= 0"}, {"id": "X", "rule": "y"}]))
    before = listed.read_bytes()
    ask("list", anew=True)
    assert "was never compiled" in ask("detail", check="X")["html"]
    assert ask("do", action="delete", check="CHK-002")["undo"]
    assert [entry["id"] for entry in json.loads(listed.read_text())] == ["X"]
    ask("undo")
    assert listed.read_bytes() == before and "CHK-002" in ask.listed()
    listed.rename("checks/list.json")
    Path("checks/checks.yaml").write_text("- id: CHK-002\n  rule: 'people: age must be >= 0'\n")
    with pytest.raises(UsageMistake, match="line 1; take it out there first"):
        ask("do", action="delete", check="CHK-002")
    assert Path("checks/registry/CHK-002.json").exists()


def test_a_list_of_one_folder_decides_nothing_in_another(ask: Asking, monkeypatch: pytest.MonkeyPatch) -> None:
    before = Path("checks/registry/CHK-001.json").read_bytes()
    monkeypatch.setenv("PANDAS_MAGIC_KEEP_DAYS", "7")
    with pytest.raises(UsageMistake, match="changed; press Reload"):
        ask("do", action="approve", check="CHK-001")
    assert Path("checks/registry/CHK-001.json").read_bytes() == before
    assert ask("do", action="approve", check="CHK-001")["undo"]


def test_a_problem_while_running_is_said_where_the_person_looks(ask: Asking, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, **__: object) -> None:
        raise OSError("no room left")

    monkeypatch.setattr(Workspace, "run_batch", broken)
    assert "OSError: no room left" in ask.run(choice={})["told"]


def test_the_notebooks_file_keeps_the_list_in_every_form(ask: Asking) -> None:
    data, _ = ask.board.bundle()
    assert f'data-pm-part="{KEY}"' in data["text/html"] and "CHK-002" in data["text/plain"]
    assert "✗ FAIL" in data["text/markdown"]
