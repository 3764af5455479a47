"""The widgets of the dashboard without a page: what each does over the files of a workspace."""

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pandas as pd
import pytest

from pandas_magic.checking.result import Result
from pandas_magic.notebook.checks_panel import ChecksPanel
from pandas_magic.registry.check_request import CheckRequest
from pandas_magic.workspace import Workspace


def eventually(happened: Callable[[], object], *, seconds: float = 60.0) -> None:
    end = time.monotonic() + seconds
    while not happened():
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.02)


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Workspace]:
    (tmp_path / "data").mkdir()
    pd.DataFrame({"id": [1, 2, 2], "age": [30, -1, 40]}).to_csv(tmp_path / "data" / "people.csv", index=False)
    opened = Workspace.open(tmp_path)
    opened.check(CheckRequest("people: id must be unique", id="CHK-001", tags=("keys",), owner="ada@example.com"))
    opened.check(CheckRequest("people: age must be >= 0", id="CHK-002", severity="high"))
    yield opened
    opened.close()


@pytest.mark.feature("A22", "A23")
def test_filters_narrow_the_list_and_what_run_would_run(workspace: Workspace) -> None:
    panel = ChecksPanel(workspace)
    assert panel.run.description == "Run 2 checks" and "CHK-001" in panel.checks.value
    assert list(panel.filters) == ["table", "tag", "severity", "owner", "verdict", "freshness"]
    panel.filters["tag"].value = "keys"
    assert panel.run.description == "Run 1 check" and "CHK-002" not in panel.checks.value
    panel.words.value = "nothing like it"
    assert panel.run.disabled and panel.chosen.options == () and panel.detail.layout.display == "none"
    panel.filters["tag"].value, panel.words.value = "any", "AGE"
    assert [value for _, value in panel.chosen.options] == ["CHK-002"] and not panel.run.disabled


@pytest.mark.feature("A22")
def test_the_chosen_check_is_shown_in_depth(workspace: Workspace) -> None:
    panel = ChecksPanel(workspace)
    assert panel.chosen.value == "CHK-001" and "2 of 3 rows of people break" in panel.parts["outcome"].value
    panel.chosen.value = "CHK-002"
    assert "1 of 3 rows of people breaks the rule" in panel.parts["outcome"].value
    assert "people[people[&quot;age&quot;] &lt; 0]" in panel.parts["code"].value
    assert "FAIL in the last of 1 run" in panel.parts["past"].value
    assert "No model was asked" in panel.parts["models"].value


@pytest.mark.feature("A23")
def test_run_runs_what_is_listed_and_shows_what_came_of_it(workspace: Workspace) -> None:
    heard: list[Result] = []
    panel = ChecksPanel(workspace, on_results=heard.extend)
    panel.filters["severity"].value = "high"
    pd.DataFrame({"id": [1, 2], "age": [30, 1]}).to_csv(workspace.base_dir / "data" / "people.csv", index=False)
    panel.run.click()
    eventually(lambda: heard)
    eventually(lambda: "1 check run" in panel.message.value and panel.stop.disabled)
    assert [result.run.verdict for result in heard] == ["PASS"]
    panel.filters["severity"].value = "any"
    assert "1 FAIL, 1 PASS" in panel.checks.value


@pytest.mark.feature("A22")
def test_runs_tables_and_models_are_read_when_they_are_looked_at(workspace: Workspace) -> None:
    panel = ChecksPanel(workspace)
    assert panel.runs.value == panel.tables.value == panel.models.value == ""
    panel.tabs.selected_index = 1
    assert "The last 2 of 2 runs" in panel.runs.value
    panel.tabs.selected_index = 2
    assert "3 rows, 2 columns" in panel.tables.value
    panel.tabs.selected_index = 3
    assert "0 exchanges with models" in panel.models.value


def test_what_another_process_wrote_is_there_after_reload(workspace: Workspace) -> None:
    panel = ChecksPanel(workspace)
    other = Workspace.open(workspace.base_dir)
    other.check(CheckRequest("people: age must be present", id="CHK-003"))
    other.close()
    panel.chosen.value = "CHK-002"
    panel.reload.click()
    assert panel.run.description == "Run 3 checks" and panel.chosen.value == "CHK-002"


def test_a_problem_while_running_is_said_in_the_panel(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    panel = ChecksPanel(workspace)

    def broken(*_: object, **__: object) -> list[Result]:
        raise OSError("no room left")

    monkeypatch.setattr(workspace, "run_batch", broken)
    panel.run.click()
    eventually(lambda: "OSError: no room left" in panel.message.value and panel.stop.disabled)
    eventually(lambda: not panel.run.disabled)
