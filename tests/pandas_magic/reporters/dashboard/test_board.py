"""The dashboard's lines: what they say of each check, and which are chosen."""

import pytest

from pandas_magic.reporters.dashboard.board import DAMAGED, NOT_RUN, CheckFilter, board_of, counts_of
from pandas_magic.workspace import Workspace


def test_each_check_has_a_line_with_what_its_files_say(three_checks: Workspace) -> None:
    one, two, three = board_of(three_checks).lines
    assert (one.check_id, one.verdict, one.violations, one.owner) == ("CHK-001", "FAIL", 12, "ada@example.com")
    assert one.trend == (0, 3, None, 12) and one.last_run_at == "2026-11-04T03:00:00Z" and one.stale == ""
    assert (two.verdict, two.tags, two.review) == ("PASS", ("nightly",), "proposed")
    assert three.verdict == NOT_RUN and 'column "vanished" of table "events" is gone' in three.stale


@pytest.mark.parametrize(
    ("choice", "ids"),
    [
        (CheckFilter(), ["CHK-001", "CHK-002", "CHK-003"]),
        (CheckFilter(tag="join"), ["CHK-001"]),
        (CheckFilter(table="users", severity="medium"), ["CHK-002", "CHK-003"]),
        (CheckFilter(owner="ada@example.com"), ["CHK-001"]),
        (CheckFilter(verdict="PASS"), ["CHK-002"]),
        (CheckFilter(verdict=NOT_RUN), ["CHK-003"]),
        (CheckFilter(freshness="stale"), ["CHK-003"]),
        (CheckFilter(words="EVENTS nightly"), ["CHK-002"]),
        (CheckFilter(words="nowhere"), []),
    ],
)
def test_every_filter_narrows_by_its_field(three_checks: Workspace, choice: CheckFilter, ids: list[str]) -> None:
    assert [line.check_id for line in board_of(three_checks).chosen(choice)] == ids


def test_the_options_of_a_filter_are_the_values_that_occur(three_checks: Workspace) -> None:
    board = board_of(three_checks)
    assert board.options("table") == ["events", "users"]
    assert board.options("tag") == ["join", "nightly"]
    assert board.options("owner") == ["ada@example.com"]
    assert board.options("freshness") == ["fresh", "stale"]


def test_a_damaged_check_has_a_line_that_says_so_and_hides_no_other(three_checks: Workspace) -> None:
    damaged = three_checks.base_dir / "checks" / "registry" / "CHK-002.json"
    damaged.write_text(damaged.read_text()[:-20])
    lines = board_of(three_checks).lines
    assert [line.verdict for line in lines] == ["FAIL", DAMAGED, NOT_RUN]
    assert "CHK-002.json is damaged" in lines[1].title
    assert counts_of(lines) == {"FAIL": 1, DAMAGED: 1, NOT_RUN: 1}


def test_an_empty_workspace_has_no_lines(workspace: Workspace) -> None:
    board = board_of(workspace)
    assert board.lines == () and board.options("tag") == []
