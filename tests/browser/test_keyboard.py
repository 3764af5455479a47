"""Without a mouse: Tab goes to every control of grid, list and explorer, each with a name and a visible focus."""

import pandas as pd
import pytest
from playwright.sync_api import Locator

from tests.browser.lab import Browser, LabServer, NotebookPage

_CONTROLS = """root => [...root.querySelectorAll('button, input, select, summary, [role=tab], [tabindex="0"]')]
    .filter(each => each.checkVisibility() && !each.disabled && each.tabIndex >= 0)
    .map((each, number) => (each.dataset.walked = number, number)).length"""
_FOCUSED = """() => {
    const each = document.activeElement, seen = getComputedStyle(each);
    const label = each.labels?.[0]?.textContent || each.closest('.widget-inline-hbox')?.textContent;
    return {
        number: each.dataset.walked ?? null,
        said: (each.getAttribute('aria-label') || each.title || label || each.textContent || '').trim(),
        outlined: seen.outlineStyle !== 'none' && parseFloat(seen.outlineWidth) >= 1,
    };
}"""


def walk(page: NotebookPage, root: Locator) -> None:
    """Press Tab from the first control to the last one."""
    count = root.evaluate(_CONTROLS)
    first = root.locator("[data-walked='0']")
    first.focus()
    page.page.keyboard.press("Shift")  # what has the focus by a script is shown as by a key from now on
    reached = set()
    for _ in range(count + 5):
        here = page.page.evaluate(_FOCUSED)
        if here["number"] is None:
            break
        assert here["said"], f"control {here['number']} has no name"
        assert here["outlined"], f"nobody sees that {here['said']} has the focus"
        reached.add(int(here["number"]))
        page.page.keyboard.press("Tab")
    missed = [root.locator(f"[data-walked='{number}']").inner_text() for number in set(range(count)) - reached]
    assert not missed, f"Tab does not come to {missed}"


def assert_keys_stay(page: NotebookPage, part: Locator) -> None:
    """Letters that are commands of the page change no cell where a part of a card has the focus; arrows stay there."""
    before = page.sources()
    part.focus()
    for key in ("a", "x", "ArrowDown", "ArrowUp", "b"):
        page.page.keyboard.press(key)
    page.page.wait_for_timeout(500)
    assert page.sources() == before, "a key went past the card"
    assert page.page.evaluate("() => document.activeElement.closest('.pandas-magic') !== null"), "the focus left"


@pytest.mark.feature("E06")
def test_every_control_is_reached_by_tab_has_a_name_and_shows_its_focus(lab: LabServer, browser: Browser) -> None:
    (lab.root / "keys").mkdir()
    pd.DataFrame({"order": range(60), "amount": range(-30, 30)}).to_csv(lab.root / "keys" / "orders.csv", index=False)
    cells = ["%load_ext pandas_magic", "%%check CHK-001\norders: amount must be at least 0", "%checks", "%eda orders"]
    page = browser.open(lab, "keys/keys.ipynb", cells)
    page.run_all()
    page.wait_idle()
    panel = page.notebook.locator(".pm-eda-panel")
    page.wait_until(lambda: "done in" in panel.inner_text(), "the report")
    panel.locator(".pm-grid").first.wait_for()
    board = page.notebook.locator(".pm-board")
    for part in (page.cell(1).locator(".pm-grid"), board, panel):
        part.scroll_into_view_if_needed()
        walk(page, part)

    # By keys alone: another tab of the report, an order of rows, a check opened and closed again.
    panel.get_by_role("tab", name="Overview").focus()
    page.page.keyboard.press("ArrowRight")
    page.page.keyboard.press("Enter")
    page.wait_until(
        lambda: panel.get_by_role("tab", name="Columns").get_attribute("aria-selected") == "true", "the tab"
    )
    grid = page.cell(1).locator(".pm-grid")
    assert_keys_stay(page, grid.locator("thead button", has_text="amount"))
    assert_keys_stay(page, grid.locator("tbody td").first)
    assert_keys_stay(page, page.cell(1).locator("summary", has_text="How do we know?"))
    page.page.keyboard.press("Enter")
    assert page.cell(1).locator("details[open]", has_text="How do we know?").count() == 1
    grid.locator("thead button", has_text="amount").focus()
    page.page.keyboard.press("Enter")
    page.wait_until(lambda: "↑" in grid.locator("thead").inner_text(), "the order")
    board.locator("button", has_text="CHK-001").focus()
    page.page.keyboard.press("Enter")
    board.locator(".pm-detail .pm-grid tbody tr").first.wait_for()
    page.page.keyboard.press("Escape")
    board.locator(".pm-detail").wait_for(state="detached")
    page.close()
    lab.end_kernels()
