"""The dashboard of %checks in a real JupyterLab, by clicks and keys: look, order, open, decide, take back, run."""

from typing import Any

import pandas as pd
import pytest

from tests.browser.lab import Browser, LabServer, NotebookPage

CELLS = [
    "%load_ext pandas_magic",
    "%%check CHK-001 --tags keys --owner ada@example.com --severity high\npeople: id must be unique",
    "%%check CHK-002 --tags ages --owner bob@example.com\npeople: age must be >= 0",
    "%%check CHK-003 --tags ages\npeople: age must be present",
    "%checks",
]
BOARD = ".pm-board"


def _open(lab: LabServer, browser: Browser, folder: str) -> NotebookPage:
    (lab.root / folder).mkdir()
    people = pd.DataFrame({"id": [1, 2, 2, 4], "age": [30, -1, 40, 7]})
    people.to_csv(lab.root / folder / "people.csv", index=False)
    page = browser.open(lab, f"{folder}/checks.ipynb", CELLS)
    page.run_all()
    page.wait_idle()
    page.wait_until(lambda: _board(page).locator("[role=tablist]").count() == 1, "the list to come to life")
    return page


def _board(page: NotebookPage) -> Any:
    return page.notebook.locator(BOARD).first


def _await(page: NotebookPage, words: str) -> None:
    page.wait_until(lambda: words in _board(page).inner_text(), words)


def _ids(page: NotebookPage) -> list[str]:
    return list(_board(page).locator("tr[data-pm-line] th button").all_inner_texts())


def _press(page: NotebookPage, text: str, *, within: str = "") -> None:
    _board(page).locator(f"{within} button", has_text=text).first.click()


def _sort(page: NotebookPage, column: str, arrow: str, ids: str) -> None:
    _press(page, column, within=f'th[data-pm-sort="{column}"]')
    page.wait_until(lambda: f"{column} {arrow}" in _board(page).locator("thead").first.inner_text(), "the arrow")
    assert [check_id[-1] for check_id in _ids(page)] == list(ids)


def _assert_fits(page: NotebookPage) -> None:
    """Nothing of the list is cut in a narrow page, nor of what is open in it, which was opened in a wide one."""
    before = dict(page.page.viewport_size)
    for width in (1010, 1090):  # beside JupyterLab's side bar some 520 and 600 are left
        page.page.set_viewport_size({**before, "width": width})
        page.page.wait_for_timeout(500)  # the page is laid out anew
        shown = _board(page).locator(".pm-rows").first
        assert shown.evaluate("rows => rows.scrollWidth <= rows.clientWidth"), f"nothing is cut at {width} px"
        page.keep_picture(f"dashboard_{width}", of=_board(page))
    page.page.set_viewport_size(before)


@pytest.mark.feature("A22", "A23")
def test_checks_are_ordered_opened_decided_and_run_by_clicks_and_keys(lab: LabServer, browser: Browser) -> None:
    page = _open(lab, browser, "dashboard")
    board, keys = _board(page), page.page.keyboard
    assert "3 checks: 2 FAIL, 1 PASS" in board.inner_text()
    for column in ("severity", "tables", "owner", "last run"):
        shown = board.locator(f'th[data-pm-sort="{column}"]').bounding_box()
        around = board.locator(".pm-rows").first.bounding_box()
        assert shown["x"] + shown["width"] <= around["x"] + around["width"], f"{column} is in sight at 1,280 px"
    page.keep_picture("dashboard", of=board)
    _assert_fits(page)
    _sort(page, "failing", "↑", "321")
    _sort(page, "failing", "↓", "123")
    board.get_by_label("Tag").select_option(label="ages")
    _await(page, "2 of 3 checks: 1 FAIL, 1 PASS")
    assert board.get_by_label("State").locator("option").all_inner_texts()[:5] == [
        "any", "proposed", "approved", "stale", "edited",
    ]  # fmt: skip

    # By keys: to the second line, open it, look at its rows, close it.
    board.locator("tr[data-pm-line] th button").first.focus()
    keys.press("ArrowDown")
    keys.press("ArrowUp")
    keys.press("Enter")
    page.wait_until(lambda: board.locator(".pm-open .pm-grid tbody td").count() > 0, "the failing rows of CHK-002")
    assert "1 of 4 rows of people breaks the rule" in board.locator(".pm-open").inner_text()
    assert board.locator('[aria-expanded="true"]').inner_text() == "CHK-002"
    page.keep_picture("dashboard_open", of=board)
    _assert_fits(page)

    _press(page, "Snooze", within=".pm-open")
    board.locator(".pm-form input[name=reason]").fill("the source is moved")
    keys.press("Enter")
    _await(page, "CHK-002 snoozed until")
    page.wait_until(lambda: "snoozed" in board.locator("tr[data-pm-line=CHK-002]").inner_text(), "the state")
    _press(page, "Undo", within=".pm-told")
    _await(page, "CHK-002 as before")
    page.wait_until(lambda: "snoozed" not in board.locator("tr[data-pm-line=CHK-002]").inner_text(), "the old state")
    # Rows are excepted by the key of the one that a person stands on; here the check has none, and says what to write.
    page.wait_until(lambda: board.locator(".pm-open .pm-grid").count() == 1, "the check, open as before")
    _press(page, "Except", within=".pm-open")
    board.locator(".pm-form input[name=key]").fill("id=2")
    board.locator(".pm-form input[name=reason]").fill("agreed")
    keys.press("Enter")
    _await(page, "CHK-002 from now on without rows of id=2")
    _press(page, "Run", within=".pm-open")
    _await(page, "1 check run")
    _await(page, "2 of 3 checks: 2 PASS")
    page.wait_until(lambda: board.locator(".pm-open").count() == 1, "the check, still open")
    board.locator("tr[data-pm-line=CHK-002] th button").focus()
    keys.press("Escape")
    assert board.locator(".pm-open").count() == 0

    # What is listed, all at once: the filter says which.
    _press(page, "Approve 2")
    _await(page, "2 checks approved by")
    _press(page, "Delete")
    assert board.locator(".pm-form b").inner_text() == "Delete 2 checks"
    _press(page, "Delete", within=".pm-form")
    _await(page, "2 checks deleted")
    _press(page, "Undo", within=".pm-told")
    _await(page, "2 checks are back")
    pd.DataFrame({"id": [1], "age": [30]}).to_csv(lab.root / "dashboard" / "people.csv", index=False)
    board.get_by_label("Tag").select_option(label="any")
    page.wait_until(lambda: len(_ids(page)) == 3, "all checks")
    _press(page, "Run 3 checks")
    _await(page, "3 checks: 3 PASS")
    with page.page.expect_download() as taken:
        _press(page, "Share")
    shared = taken.value.path().read_text(encoding="utf-8")
    assert shared.count("<section") == 3 and "<script" not in shared
    board.locator("[role=tab]", has_text="Checks").focus()
    keys.press("ArrowRight")
    _await(page, "The last 7 of 7 runs")
    for theme in ("Dark", "Light"):
        page.choose_theme(theme)
        page.keep_picture(f"dashboard_runs_{theme}", of=board)
    # The file keeps the list, and none of what made it live.
    page.save()
    saved = (lab.root / "dashboard" / "checks.ipynb").read_text(encoding="utf-8")
    assert "3 checks: 2 FAIL, 1 PASS" in saved and "tablist" not in saved
    page.close()
    lab.end_kernels()
