"""The failing rows of a check in a real JupyterLab: sorted, filtered, searched, copied and taken along by clicks."""

import pandas as pd
import pytest
from playwright.sync_api import Locator

from tests.browser.lab import Browser, LabServer, NotebookPage

ROWS = 6_000
HOSTILE = '<img src=x onerror="window.hurt = 1">'
RULE = "%%check CHK-001\norders: amount must be at most 1000"
SANDBOX = "%%sandbox --tables orders\norders[orders['amount'] < 30]"
CARD = 1


def _orders() -> pd.DataFrame:
    """Half of the rows break the rule; of those, two thirds are of one region."""
    number = pd.Series(range(ROWS))
    return pd.DataFrame(
        {
            "order": number + 100,
            "region": [HOSTILE if n == 1 else ("north" if n % 6 != 5 else "south") for n in number],
            "note": [None if n % 7 == 0 else f"note {n}" for n in number],
            "amount": [n % 900 if n % 2 == 0 else 2000 + n for n in number],
        }
    )


def _texts(page: NotebookPage, column: int) -> list[str]:
    rows = page.cell(CARD).locator(".pm-grid tbody tr:not([hidden])")
    return [str(row.locator("th, td").nth(column).inner_text()) for row in rows.all()[:3]]


def _await_rows(page: NotebookPage, column: int, texts: list[str]) -> None:
    page.wait_until(lambda: _texts(page, column) == texts, f"{texts} in column {column}")


def _look_at_columns(page: NotebookPage, grid: Locator) -> None:
    """How many are hidden, what each holds in the rows that are listed, and one drawn wider."""
    assert grid.locator("summary").inner_text() == "Columns (3 of 4)"
    grid.get_by_label("Filter amount").fill("< 2030")
    _status(page, "15 of 3,000 rows")
    grid.get_by_role("button", name="Summary").click()
    facts = grid.locator(".pm-facts td")
    page.wait_until(lambda: "2001 to 2029, mean 2015" in facts.nth(1).inner_text(), "the summary of amount")
    assert "15 different" in facts.nth(1).inner_text() and "2 missing (13.3 %)" in facts.nth(3).inner_text()
    edge = grid.locator("thead .pm-edge").nth(1)
    before, place = edge.locator("..").evaluate("cell => cell.offsetWidth"), edge.bounding_box()
    assert place is not None
    page.page.mouse.move(place["x"] + 3, place["y"] + 5)
    page.page.mouse.down()
    page.page.mouse.move(place["x"] + 83, place["y"] + 5)
    page.page.mouse.up()
    assert edge.locator("..").evaluate("cell => cell.offsetWidth") == before + 80
    page.keep_picture("grid_summary", of=page.cell(CARD))
    grid.get_by_role("button", name="Clear").click()
    page.wait_until(lambda: "2001 to 7999" in facts.nth(1).inner_text(), "the summary of all rows again")
    grid.get_by_role("button", name="Summary").click()
    assert facts.count() == 0


def _sort_by_two(page: NotebookPage, grid: Locator) -> None:
    """By region, which is shown again, and among its equals by amount; then by amount alone as before."""
    grid.locator("summary").click()
    grid.locator("label", has_text="region").locator("input").check()
    grid.locator("summary").click()
    grid.locator("thead button", has_text="region").click()
    grid.locator("thead button", has_text="amount").click(modifiers=["Shift"])
    names = grid.locator("thead button")
    page.wait_until(lambda: {"region ↑1", "amount ↑2"} <= set(names.all_inner_texts()), "both arrows")
    _await_rows(page, 1, ["2001", "2003", "2007"])
    page.keep_picture("grid_two_keys", of=page.cell(CARD))
    grid.locator("thead button", has_text="amount").click()
    _await_rows(page, 1, ["7999", "7997", "7995"])


def _status(page: NotebookPage, words: str) -> None:
    status = page.cell(CARD).locator(".pm-grid [role=status]")
    page.wait_until(lambda: status.inner_text() == words, words)


def _open(lab: LabServer, browser: Browser) -> NotebookPage:
    (lab.root / "grid").mkdir()
    _orders().to_csv(lab.root / "grid" / "orders.csv", index=False)
    page = browser.open(lab, "grid/grid.ipynb", ["%load_ext pandas_magic", RULE, SANDBOX])
    page.run_all()
    page.wait_idle()
    page.wait_until(lambda: page.cell(CARD).locator(".pm-grid tbody tr").count() > 0, "the grid")
    return page


@pytest.mark.feature("E06")
def test_failing_rows_are_sorted_filtered_and_taken_along_by_clicks(lab: LabServer, browser: Browser) -> None:
    page = _open(lab, browser)
    grid = page.cell(CARD).locator(".pm-grid")
    _status(page, "3,000 rows")
    # The column that the rule reads stands first, behind the label of the row.
    assert grid.locator("thead tr:first-child th").all_inner_texts()[:2] == ["row", "amount"]
    assert "1,999 of 3,000: region north" in grid.inner_text() and "amount from 2001 to 7999" in grid.inner_text()
    page.keep_picture("grid", of=page.cell(CARD))
    assert HOSTILE in _texts(page, 3)[0] and page.page.evaluate("window.hurt === undefined")

    for arrow, first in (("↑", "2001"), ("↓", "7999")):
        grid.locator("thead button", has_text="amount").click()
        page.wait_until(lambda a=arrow: a in grid.locator("thead").inner_text(), "the arrow")
        page.wait_until(lambda f=first: _texts(page, 1)[0] == f, f"{first} on top")
    grid.get_by_label("Filter region").fill("SOUTH")
    _status(page, "1,000 of 3,000 rows")
    _await_rows(page, 1, ["7999", "7993", "7987"])
    grid.get_by_label("Filter amount").fill("< 2030")
    _status(page, "5 of 3,000 rows")
    _await_rows(page, 1, ["2029", "2023", "2017"])
    grid.get_by_role("button", name="Code").click()
    south = 'rows["region"].str.contains("SOUTH", case=False, regex=False, na=False)'
    order = '.sort_values("amount", ascending=False, kind="stable")'
    _status(page, f'copied: rows[({south}) & (rows["amount"] < 2030)]{order}')
    grid.get_by_label("Filter amount").fill("")
    grid.get_by_label("Filter region").fill("")
    grid.get_by_label("Search all columns").fill("note 59")
    _status(page, "47 of 3,000 rows")
    page.keep_picture("grid_searched", of=page.cell(CARD))

    with page.page.expect_download() as taken:
        grid.locator("button", has_text="CSV").click()
    found = pd.read_csv(taken.value.path(), index_col=0)
    expected = _orders()[lambda orders: (orders["amount"] > 1000) & orders["note"].str.contains("note 59", na=False)]
    pd.testing.assert_frame_equal(found.sort_index(), expected, check_dtype=False)
    grid.locator("summary").click()
    grid.locator("label", has_text="region").locator("input").uncheck()
    page.wait_until(lambda: "region" not in grid.locator("thead").inner_text(), "the column to be hidden")
    grid.locator("summary").click()
    grid.get_by_label("Search all columns").fill("")
    _status(page, "3,000 rows")
    grid.get_by_role("button", name="Clear").click()
    page.wait_until(lambda: _texts(page, 1)[0] == "2001", "the rows as they came")
    assert grid.get_by_role("button", name="Clear").is_hidden()
    _look_at_columns(page, grid)
    grid.locator("thead button", has_text="amount").click()
    grid.locator("thead button", has_text="amount").click()
    _await_rows(page, 1, ["7999", "7997", "7995"])
    _sort_by_two(page, grid)
    # By keys alone: to the last row of all, of which only a window was fetched.
    grid.locator("tbody tr:first-child td").first.click()
    page.page.keyboard.press("End")
    page.wait_until(lambda: "2001" in grid.locator("tbody").inner_text(), "the last row, sorted downwards")

    page.keep_picture("grid_of_sandbox", of=page.cell(len(page.sources()) - 1))
    of_sandbox = page.cell(len(page.sources()) - 1).locator(".pm-grid")
    assert of_sandbox.get_by_role("status").inner_text() == "105 rows", "the frame that confined code ended with"

    # Without its kernel the page shows what the file holds.
    page.save()
    saved = (lab.root / "grid" / "grid.ipynb").read_text(encoding="utf-8")
    assert "the first 20 of 3,000 rows" in saved and "pm-grid" not in saved
    page.close()
    lab.end_kernels()
