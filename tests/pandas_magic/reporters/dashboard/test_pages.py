"""The dashboard's pages: what they show, and that nothing from files becomes markup."""

from xml.etree import ElementTree

import pytest

from pandas_magic.checking.result import Result
from pandas_magic.errors import NoSuchName
from pandas_magic.history.run import Verdict
from pandas_magic.planner.model.exchanges import Exchange, ExchangeLog
from pandas_magic.reporters.dashboard.board import CheckFilter, board_of
from pandas_magic.reporters.dashboard.detail import detail_of
from pandas_magic.reporters.dashboard.pages import STATIC_LINES, runs_page, static_board, summed_up, tables_page
from pandas_magic.reporters.dashboard.trend import trend_in_words, trend_picture
from pandas_magic.workspace import Workspace
from tests.pandas_magic.conftest import compiled_check
from tests.pandas_magic.reporters.dashboard.conftest import past


def test_the_list_of_checks_counts_what_is_chosen_and_escapes_what_people_wrote(three_checks: Workspace) -> None:
    board = board_of(three_checks)
    page = static_board(board.lines, part="board")
    assert "3 checks: 1 FAIL, 1 PASS, 1 not run yet" in page
    assert "Passing &lt;b&gt;check&lt;/b&gt;" in page and "<b>check</b>" not in page
    assert "proposed, stale: column &quot;vanished&quot;" in page
    assert summed_up(board.chosen(CheckFilter(tag="join")), 3) == "1 of 3 checks: 1 FAIL"
    assert "choose less narrowly" in summed_up((), 3) and "write one with %%check" in summed_up((), 0)


def test_a_long_list_is_cut_in_the_notebooks_file_and_says_so(workspace: Workspace) -> None:
    for number in range(STATIC_LINES + 7):
        workspace.registry.save(compiled_check(f"CHK-{number:03d}"))
    lines = board_of(workspace).lines
    page = static_board(lines, part="board")
    assert page.count("<tr data-pm-line=") == STATIC_LINES and "… and 7 more: %checks list" in page


def test_the_runs_page_has_the_latest_first(three_checks: Workspace) -> None:
    page = runs_page(three_checks.journal.history.every_run())
    assert "The last 5 of 5 runs" in page
    assert page.index("2026-11-04 03:00") < page.index("2026-11-02 03:00") < page.index("2026-11-01 03:00")


def test_a_trend_breaks_where_a_run_gave_no_count() -> None:
    picture = trend_picture([0, 3, None, 12, 12])
    drawn = ElementTree.fromstring(picture)
    assert len(drawn.findall("polyline")) == 2
    assert [each.attrib["class"] for each in drawn.findall("path")] == ["pm-zero", "pm-gap"]
    first = [tuple(map(float, place.split(","))) for place in drawn.findall("polyline")[0].attrib["points"].split()]
    assert first[0][1] > first[1][1], "more failing rows stand higher"
    assert drawn.attrib["aria-label"] == "failing rows in the last 5 runs: 0 to 12, now 12"
    assert trend_picture([4]) == ""
    assert trend_in_words([None, None]) == "no count in the last 2 runs"


def test_a_checks_detail_has_its_card_code_past_and_exchanges(three_checks: Workspace) -> None:
    log = ExchangeLog(three_checks.journal.folder)
    asked = {"messages": [{"role": "user", "content": "restate <script>"}]}
    facts = {"at": "2026-11-02T08:00:00Z", "sha256": "0" * 64, "model": "small", "host": "loopback"}
    said = {"disclosure": "schema", "outcome": "answered", "request": asked, "answer": "events: …"}
    log.append(Exchange.model_validate({**facts, **said, "purpose": "restate", "about": "CHK-001"}))
    log.append(Exchange.model_validate({**facts, **said, "purpose": "restate", "about": "CHK-002", "answer": "other"}))
    detail = detail_of(three_checks, "CHK-001")
    assert "✗ FAIL" in detail.outcome and "12 of 1,000 rows" in detail.outcome
    assert "flags 4 of 4 planted violations" in detail.code and "proposed" in detail.code and "isin" in detail.code
    assert "failing since 2026-11-02" in detail.past and "<svg" in detail.past
    assert "restate &lt;script&gt;" in detail.models and "other" not in detail.models
    assert detail.page().index("✗ FAIL") < detail.page().index("<summary>History") < detail.page().index("isin")
    with pytest.raises(NoSuchName, match="CHK-009"):
        detail_of(three_checks, "CHK-009")


def test_a_check_that_never_ran_says_so(three_checks: Workspace) -> None:
    detail = detail_of(three_checks, "CHK-003")
    assert "It never ran here" in detail.outcome and "It never ran here" in detail.past


def test_code_that_was_edited_here_is_shown_as_a_difference(three_checks: Workspace) -> None:
    compiled = three_checks.registry.get("CHK-001")
    edited = past("CHK-001", Verdict.FAIL, 2, day=9).model_copy(update={"code": "violations = events.head(2)"})
    detail = detail_of(three_checks, "CHK-001", Result(edited, compiled))
    assert "What ran in this notebook differs" in detail.code and "+violations = events.head(2)" in detail.code


def test_the_tables_page_has_columns_and_what_was_written_about_them(three_checks: Workspace) -> None:
    page = tables_page(three_checks.tables(), {"users": "users holds <people>."})
    assert "users holds &lt;people&gt;." in page and "event_id" in page and "2 rows, 2 columns" in page
