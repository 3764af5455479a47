"""The main way through a notebook by clicks in Notebook 7: grid, question, list of checks."""

import pytest

from tests.browser.lab import Browser, LabServer


@pytest.mark.thorough  # the same scripts as in JupyterLab
def test_grid_question_and_list_of_checks_are_clicked_in_notebook_7(lab: LabServer, browser: Browser) -> None:
    (lab.root / "seven").mkdir()
    (lab.root / "seven" / "orders.csv").write_text("order,amount\n1,5\n2,-1\n3,-3\n")
    cells = ("%load_ext pandas_magic", "%%check CHK-001\namount must not be negative", "%%check CHK-002\namuont > 1")
    page = browser.open_in_notebook7(lab, "seven/seven.ipynb", [*cells, "%checks"])
    page.run_all()
    page.wait_idle()

    page.wait_until(lambda: len(page.sources()) == 5, "the saved cell below its rule")
    assert page.sources()[2].startswith("%%check --run CHK-001")
    grid = page.cell(1).locator(".pm-grid")
    grid.locator("thead button", has_text="amount").click()
    page.wait_until(lambda: "-3" in grid.locator("tbody tr").first.inner_text(), "the rows in their order")
    grid.locator("tbody tr").first.locator("td").first.dblclick()
    grid.locator("input.pm-correcting").fill("3")
    page.page.keyboard.press("Enter")
    grid.locator(".pm-corrections li").wait_for()

    page.notebook.locator("button.pm-choice").first.click()
    page.wait_until(lambda: "%%check CHK-002 --name" in page.sources()[3], "the reading in its cell")
    page.wait_until(lambda: len(page.sources()) == 6, "its saved cell")
    board = page.notebook.locator(".pm-board")
    board.locator("tr[data-pm-line]").first.click()
    board.locator(".pm-detail .pm-grid tbody tr").first.wait_for()
    # Notebook 7.6.5 writes the first on a page without us, too: its shortcuts ask for a plugin's schema too soon. The
    # second asks for a command of the file browser, which is its own, before that is there; it comes now and then.
    errors = {line for line in page.console if line.startswith("pageerror")}
    assert errors <= {
        "pageerror: Cannot read properties of undefined (reading 'schema')",
        "pageerror: Command 'filebrowser:open-path' not registered.",
    }
    page.page.close()
    lab.end_kernels()
