"""%%plan in a real JupyterLab, against the scripted endpoint over a real socket."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from tests.browser.lab import Browser, LabServer, NotebookPage
from tests.pandas_magic.model.parts import fenced, parts
from tests.pandas_magic.model.scripted import ScriptedEndpoint, Step

CODE = """result = orders.groupby("month")["amount"].sum().rename("revenue").reset_index()
findings = [f"{result['month'].iloc[-1]} had {result['revenue'].iloc[-1]:.2f}."]
chart = {"kind": "line", "x": "month", "y": "revenue", "color": "", "title": "Revenue by month"}"""
PLAN = "Goal: Revenue by month\n" + "".join(f"{n}. step number {n} of a plan told slowly\n" for n in range(1, 9))
SETUP = """import os
os.environ |= {{"OPENAI_BASE_URL": "{url}", "PANDAS_MAGIC_MODEL": "scripted", "OPENAI_API_KEY": "sk-test-0123456789"}}
import pandas as pd
%load_ext pandas_magic
orders = pd.DataFrame({{"month": ["2023-01", "2023-01", "2023-02"], "amount": [10.0, 2.5, 30.0]}})"""


def _play(body: dict[str, Any]) -> Step:
    """The plan comes slowly, so that a page can be seen to show it; a request to hang does."""
    if "hang" in body["messages"][-1]["content"] and body["messages"][0]["content"].startswith("You plan"):
        return Step("never", hang_seconds=60)
    told = parts(
        plan=PLAN,
        code=fenced(CODE),
        review=json.dumps({"answers": True, "problem": ""}),
    )(body)
    if body["messages"][0]["content"].startswith("You plan") and "take" not in body["messages"][-1]["content"]:
        return Step(told.text, piece=6, piece_seconds=0.05)
    return told


@pytest.fixture(scope="module")
def endpoint() -> Iterator[ScriptedEndpoint]:
    with ScriptedEndpoint(always=_play) as endpoint:
        yield endpoint


@pytest.fixture
def page(lab: LabServer, browser: Browser, endpoint: ScriptedEndpoint) -> Iterator[NotebookPage]:
    plan = "%%plan --files orders\nShow revenue by month"
    more = [f"%%plan --files orders\nShow revenue by month, take {n}" for n in range(2, 7)]
    rules = [f"%%check CHK-10{n} --tables orders\norders.amount must be at most {n}00" for n in range(1, 6)]
    hang = "%%plan --files orders\nPlease hang"
    page = browser.open(lab, "plan.ipynb", [SETUP.format(url=endpoint.url), plan, hang, *more, *rules])
    yield page
    page.close()
    lab.end_kernels()


def saved(page: NotebookPage, start: str) -> int:
    """How many cells begin with these words."""
    return len([source for source in page.sources() if source.startswith(start)])


@pytest.mark.feature("E04")
@pytest.mark.feature("E05")
@pytest.mark.feature("E06")
@pytest.mark.feature("B19")
def test_a_plan_streams_answers_inserts_its_cell_and_can_be_stopped(page: NotebookPage) -> None:
    page.run_cell(0)
    page.wait_idle()
    page.run_cell(1)
    # The words are seen while the plan is still being told.
    page.wait_until(lambda: "step number 2" in page.output_text(1), "the plan's first steps to show")
    assert "step number 8" not in page.output_text(1)
    page.wait_idle()
    page.wait_until(lambda: any("-o result" in source for source in page.sources()), "the cell to be inserted")
    assert page.sources()[2].startswith("%%sandbox --tables orders -o result\n# Show revenue by month")
    shown = page.output_text(1)
    assert "2023-02 had 30.00." in shown
    assert "12.5" in shown
    assert page.cell(1).locator("img, canvas, svg.marks, .vega-embed").count() >= 1
    page.run_cell(2)
    page.wait_idle()
    assert page.cell(2).locator("img").count() == 1
    page.run_cell(3)
    page.wait_until(lambda: "Planning" in page.output_text(3), "the stage to show")
    page.interrupt()
    page.wait_until(lambda: "Interrupted" in page.output_text(3), "the interrupt to be answered")
    page.wait_idle()


@pytest.mark.feature("E05")
def test_a_dozen_plans_and_checks_run_in_one_go(page: NotebookPage, endpoint: ScriptedEndpoint) -> None:
    page.write(2, "'nothing hangs here'")
    page.run_all()
    for count in range(1, 7):
        page.wait_until(lambda count=count: saved(page, "%%sandbox") >= count, f"{count} cells of plans")
    for count in range(1, 6):
        page.wait_until(lambda count=count: saved(page, "%%check --run") >= count, f"{count} saved checks")
    page.wait_idle()
    assert (saved(page, "%%sandbox"), saved(page, "%%check --run")) == (6, 5)
    answered = [n for n, source in enumerate(page.sources()) if source.startswith("%%plan")]
    assert all("2023-02 had 30.00." in page.output_text(n) for n in answered)
