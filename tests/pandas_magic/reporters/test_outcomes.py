"""A pass that is less than one says so wherever it is listed, and not only beside the run."""

import io
from pathlib import Path

import pytest

from pandas_magic.checking.result import Result
from pandas_magic.cli.look_back import run_lines
from pandas_magic.history.run import Run, Verdict
from pandas_magic.reporters.bundle import bundle
from pandas_magic.reporters.dashboard.board import CheckFilter, board_of
from pandas_magic.reporters.dashboard.pages import checks_listing, checks_table, runs_page
from pandas_magic.reporters.run_table import run_table
from pandas_magic.reporters.terminal import Terminal
from pandas_magic.workspace import Workspace
from tests.pandas_magic.conftest import compiled_check
from tests.pandas_magic.reporters.dashboard.conftest import past

NOTHING, WARNS = "PASS, nothing judged", "PASS, WARN"
LESS = pytest.mark.parametrize(("facts", "told"), [({"nothing_judged": True}, NOTHING), ({"warned": True}, WARNS)])


def ran_once(folder: Path, **facts: object) -> tuple[Workspace, Run]:
    workspace, run = Workspace.open(folder), past("CHK-002", Verdict.PASS, 0, **facts)
    workspace.registry.save(compiled_check("CHK-002"))
    workspace.journal.record(run)
    return workspace, run


@LESS
def test_it_says_so_in_the_lists_of_a_notebook(tmp_path: Path, facts: dict[str, bool], told: str) -> None:
    workspace, _ = ran_once(tmp_path, **facts)
    board = board_of(workspace)

    assert f"✓ {told}" in checks_listing(board.lines).plain()
    assert f"✓ {told}</b>" in checks_table(board.lines)
    assert f"✓ {told}</b>" in runs_page(workspace.journal.history.every_run())
    assert len(board.chosen(CheckFilter(verdict="PASS"))) == 1


@LESS
def test_it_says_so_in_the_history(tmp_path: Path, facts: dict[str, bool], told: str) -> None:
    workspace, _ = ran_once(tmp_path, **facts)

    summary, _, row = run_lines(workspace.journal.history, "CHK-002", 1)
    assert f"{told} in the last of 1 run" in summary
    assert told in row


@LESS
def test_it_says_so_in_the_terminal(tmp_path: Path, facts: dict[str, bool], told: str) -> None:
    workspace, run = ran_once(tmp_path, **facts)
    out = io.StringIO()
    terminal = Terminal(out, out)

    terminal.entries(workspace.entries())
    terminal.results([Result(run, None)])
    assert out.getvalue().count(told) == 2


@LESS
def test_it_says_so_in_cards_and_reports(tmp_path: Path, facts: dict[str, bool], told: str) -> None:
    _, run = ran_once(tmp_path, **facts)

    assert f"✓ {told}  CHK-002" in bundle([Result(run, None)])[0]["text/plain"]
    assert f"✓ {told} |" in run_table([Result(run, None)])
