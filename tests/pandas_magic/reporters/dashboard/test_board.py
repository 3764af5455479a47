"""The dashboard's lines: what they say of each check, and which are chosen."""

from datetime import date

import pytest

from pandas_magic.registry.approval import approve
from pandas_magic.registry.deciding import snooze
from pandas_magic.reporters.dashboard.board import DAMAGED, NOT_RUN, STATES, CheckFilter, board_of, counts_of
from pandas_magic.workspace import Workspace
from tests.doubles import unknown_users
from tests.pandas_magic.conftest import compiled_check


def test_each_check_has_a_line_with_what_its_files_say(three_checks: Workspace) -> None:
    one, two, three = board_of(three_checks).lines
    assert (one.check_id, one.verdict, one.violations, one.owner) == ("CHK-001", "FAIL", 12, "ada@example.com")
    assert one.trend == (0, 3, None, 12) and one.last_run_at == "2026-11-04T03:00:00Z" and one.remark == ""
    assert (two.verdict, two.tags, two.states) == ("PASS", ("nightly",), ("proposed",))
    assert three.verdict == NOT_RUN and 'column "vanished" of table "events" is gone' in three.remark


@pytest.mark.parametrize(
    ("choice", "ids"),
    [
        (CheckFilter(), ["CHK-001", "CHK-002", "CHK-003"]),
        (CheckFilter(tag="join"), ["CHK-001"]),
        (CheckFilter(table="users", severity="medium"), ["CHK-002", "CHK-003"]),
        (CheckFilter(owner="ada@example.com"), ["CHK-001"]),
        (CheckFilter(verdict="PASS"), ["CHK-002"]),
        (CheckFilter(verdict=NOT_RUN), ["CHK-003"]),
        (CheckFilter(state="stale"), ["CHK-003"]),
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
    assert board.options("state") == list(STATES), "all that there are, not only those that occur"


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


def test_a_check_has_every_state_that_it_is_in(three_checks: Workspace) -> None:
    registry = three_checks.registry
    off = compiled_check("CHK-004", enabled=False, code="violations = events").model_copy(update={"proof": None})
    registry.save(off.model_copy(update={"code": "violations = events.head(1)"}))
    snooze(registry, "CHK-002", until="2199-01-01", reason="moving", by="ada", today=date(2026, 11, 1))
    registry.save(unknown_users("CHK-005"))
    approve(registry, "CHK-005", "ada")
    _, two, three, four, five = board_of(three_checks, edited={"CHK-005"}).lines
    assert five.states == ("approved", "edited")
    assert two.states == ("proposed", "snoozed") and two.remark == "snoozed until 2199-01-01 by ada: moving"
    assert three.states == ("proposed", "stale")
    assert four.states == ("proposed", "edited", "unproved", "disabled")


@pytest.mark.parametrize(
    ("by", "upwards", "downwards"),
    [
        ("verdict", "123", "321"),
        ("failing", "213", "123"),  # the one that never ran has no count, and stands last both ways
        ("severity", "123", "231"),
        ("owner", "123", "123"),
        ("last run", "213", "123"),
        ("state", "123", "312"),
        ("", "123", "123"),
    ],
)
def test_lines_are_ordered_by_a_column_with_what_is_empty_last(
    three_checks: Workspace, by: str, upwards: str, downwards: str
) -> None:
    board = board_of(three_checks)
    found = ["".join(line.check_id[-1] for line in board.chosen(CheckFilter(), by=by, descending=d)) for d in (0, 1)]
    assert found == [upwards, downwards]
