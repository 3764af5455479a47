"""The main way through a notebook by clicks and keys in Notebook 7: grid, question, plan, list of checks."""

import pytest

from tests.browser.lab import Browser, LabServer
from tests.browser.test_keyboard import assert_keys_stay, walk


@pytest.mark.thorough  # the same scripts as in JupyterLab
def test_grid_question_and_list_of_checks_are_clicked_in_notebook_7(lab: LabServer, browser: Browser) -> None:
    (lab.root / "seven").mkdir()
    (lab.root / "seven" / "orders.csv").write_text("order,amount\n1,5\n2,-1\n3,-3\n")
    cells = ("%load_ext pandas_magic", "%%check CHK-001\namount must not be negative", "%%check CHK-002\namuont > 1")
    plan = "%%plan\naverage amount by order"
    page = browser.open_in_notebook7(lab, "seven/seven.ipynb", [*cells, plan, "%checks"])
    page.run_all()
    page.wait_idle()

    page.wait_until(lambda: len(page.sources()) == 7, "the saved cell below its rule, and the plan's")
    assert page.sources()[2].startswith("%%check --run CHK-001")
    grid = page.cell(1).locator(".pm-grid")
    grid.locator("thead button", has_text="amount").click()
    page.wait_until(lambda: "-3" in grid.locator("tbody tr").first.inner_text(), "the rows in their order")
    grid.locator("tbody tr").first.locator("td").first.dblclick()
    grid.locator("input.pm-correcting").fill("3")
    page.page.keyboard.press("Enter")
    grid.locator(".pm-corrections li").wait_for()

    # By keys alone, each part with a role and a name, in both themes.
    for theme in ("Dark", "Light"):
        page.choose_theme(theme)
        page.keep_picture(f"seven_{theme}")
    answer = page.notebook.get_by_role("group", name="Average amount of orders by order")
    walk(page, answer)
    question = page.notebook.get_by_role("group", name="? ASKED CHK-002")
    walk(page, question)
    choices = question.get_by_role("button")
    assert_keys_stay(page, grid.locator("tbody td").first)
    assert_keys_stay(page, choices.first)
    page.page.keyboard.press("ArrowDown")
    page.page.keyboard.press("ArrowUp")
    page.page.keyboard.press("Enter")
    page.wait_until(lambda: "%%check CHK-002 --name" in page.sources()[3], "the reading in its cell")
    page.wait_until(lambda: len(page.sources()) == 8, "its saved cell")
    board = page.notebook.locator(".pm-board")
    board.locator("tr[data-pm-line]").first.click()
    board.locator(".pm-detail .pm-grid tbody tr").first.wait_for()
    # Notebook 7.6.5 writes both on a page without us, too. Its shortcuts read their own plugin's schema when another
    # plugin's settings have come before theirs; and it restores the file browser before that has its commands.
    errors = {line for line in page.console if line.startswith("pageerror")}
    assert errors <= {
        "pageerror: Cannot read properties of undefined (reading 'schema')",
        "pageerror: Command 'filebrowser:open-path' not registered.",
    }
    page.page.close()
    lab.end_kernels()
