"""The dashboard of %checks in a real JupyterLab, by clicks: look, narrow, run, reopen."""

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
PANEL = len(CELLS) - 1


def _open(lab: LabServer, browser: Browser, folder: str) -> NotebookPage:
    (lab.root / folder).mkdir()
    people = pd.DataFrame({"id": [1, 2, 2, 4], "age": [30, -1, 40, 7]})
    people.to_csv(lab.root / folder / "people.csv", index=False)
    page = browser.open(lab, f"{folder}/checks.ipynb", CELLS)
    page.run_all()
    page.wait_idle()
    page.wait_until(lambda: page.notebook.locator(".pm-checks-panel").count() == 1, "the panel")
    page.wait_until(lambda: "CHK-003" in _panel_text(page), "the checks")
    return page


def _panel_text(page: NotebookPage) -> str:
    return str(page.notebook.locator(".pm-checks-panel").inner_text())


def _choose(page: NotebookPage, label: str, value: str) -> None:
    labelled = page.notebook.locator(".pm-checks-panel .widget-dropdown", has_text=label).first
    labelled.locator("select").select_option(label=value)


@pytest.mark.feature("A22", "A23")
def test_checks_are_looked_over_narrowed_and_run_by_clicks(lab: LabServer, browser: Browser) -> None:
    page = _open(lab, browser, "dashboard")
    assert "3 checks: 2 FAIL, 1 PASS" in _panel_text(page)
    page.keep_picture("dashboard", of=page.notebook.locator(".pm-checks-panel"))
    page.save()
    saved = (lab.root / "dashboard" / "checks.ipynb").read_text(encoding="utf-8")
    assert "<summary>3 checks: 1 PASS, 2 FAIL</summary>" in saved
    _choose(page, "Tag", "ages")
    page.wait_until(lambda: "2 of 3 checks: 1 FAIL, 1 PASS" in _panel_text(page), "the narrowed list")
    pd.DataFrame({"id": [1], "age": [30]}).to_csv(lab.root / "dashboard" / "people.csv", index=False)
    page.notebook.locator(".pm-checks-panel button", has_text="Run 2 checks").click()
    page.wait_until(lambda: "2 of 3 checks: 2 PASS" in _panel_text(page), "the new verdicts")
    page.notebook.locator(".pm-checks-panel .lm-TabBar-tabLabel").get_by_text("Code", exact=True).click()
    page.wait_until(lambda: "violations = people[" in _panel_text(page), "the code")
    page.notebook.locator(".pm-checks-panel .lm-TabBar-tabLabel").get_by_text("Runs", exact=True).click()
    page.wait_until(lambda: "The last 5 of 5 runs" in _panel_text(page), "the runs")
    page.keep_picture("dashboard_runs", of=page.notebook.locator(".pm-checks-panel"))
    page.close()
