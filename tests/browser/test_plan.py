"""%%plan and %%check with a model in a real JupyterLab, against the scripted endpoint over a real socket."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from tests.browser.lab import Browser, LabServer, NotebookPage
from tests.pandas_magic.planner.model.parts import FREIGHT, FREIGHT_RULE, fenced, parts
from tests.pandas_magic.planner.model.scripted import ScriptedEndpoint, Step

CODE = """result = orders.groupby("month")["amount"].sum().rename("revenue").reset_index()
findings = [f"{result['month'].iloc[-1]} had {result['revenue'].iloc[-1]:.2f}."]
chart = {"kind": "line", "x": "month", "y": "revenue", "color": "", "title": "Revenue by month"}"""
ENDLESS = "while True:\n    pass\nresult = orders"
PLAN = "Goal: Revenue by month\n" + "".join(f"{n}. step number {n} of a plan told slowly\n" for n in range(1, 9))
SETUP = """import os
os.environ |= {{"OPENAI_BASE_URL": "{url}", "PANDAS_MAGIC_MODEL": "scripted", "OPENAI_API_KEY": "sk-test-0123456789"}}
import pandas as pd
%load_ext pandas_magic
orders = pd.DataFrame({{"month": ["2023-01", "2023-01", "2023-02"], "amount": [10.0, 2.5, 30.0]}})"""

PLAYS: dict[str, Any] = {
    **FREIGHT,
    "plan": PLAN,
    "review": json.dumps({"answers": True, "problem": ""}),
    "code": lambda asked: fenced(ENDLESS if "spin" in asked else CODE),
}


def _play(body: dict[str, Any]) -> Step:
    """The first plan comes slowly, so that a page can be seen to show it; a request to hang does."""
    asked = body["messages"][-1]["content"]
    told = parts(**PLAYS)(body)
    if not body["messages"][0]["content"].startswith("You plan"):
        return told
    if "hang" in asked:
        return Step("never", hang_seconds=60)
    return told if "take" in asked or "spin" in asked else Step(told.text, piece=6, piece_seconds=0.05)


@pytest.fixture(scope="module")
def endpoint() -> Iterator[ScriptedEndpoint]:
    with ScriptedEndpoint(always=_play) as endpoint:
        yield endpoint


@pytest.fixture(scope="module")
def page(lab: LabServer, browser: Browser, endpoint: ScriptedEndpoint) -> Iterator[NotebookPage]:
    plan = "%%plan --files orders\nShow revenue by month"
    stopped = ["%%plan --files orders\nPlease hang", "%%plan --files orders\nPlease spin"]
    more = [f"%%plan --files orders\nShow revenue by month, take {n}" for n in range(2, 7)]
    rules = [f"%%check CHK-10{n} --tables orders\norders.amount must be at most {n}00" for n in range(1, 6)]
    strange = f"%%check CHK-106 --tables orders\n{FREIGHT_RULE}"
    page = browser.open(lab, "plan.ipynb", [SETUP.format(url=endpoint.url), plan, *stopped, *more, *rules, strange])
    page.run_cell(0)
    page.wait_idle()
    yield page
    page.close()
    lab.end_kernels()


def place(page: NotebookPage, text: str) -> int:
    """Where the first cell with these words is."""
    return next(number for number, source in enumerate(page.sources()) if text in source)


def saved(page: NotebookPage, start: str) -> int:
    """How many cells begin with these words."""
    return len([source for source in page.sources() if source.startswith(start)])


@pytest.mark.feature("E04")
@pytest.mark.feature("E05")
@pytest.mark.feature("E06")
@pytest.mark.feature("B19")
def test_a_plan_streams_answers_and_inserts_a_cell_that_runs_without_a_model(
    page: NotebookPage, endpoint: ScriptedEndpoint
) -> None:
    page.run_cell(1)
    # The words are seen while the plan is still being told.
    page.wait_until(lambda: "step number 2" in page.output_text(1), "the plan's first steps to show")
    assert "step number 8" not in page.output_text(1)
    heard = page.page.locator('.jp-NotebookPanel:visible > [role="status"]')  # what a screen reader listens to
    page.wait_until(
        lambda: str(heard.text_content()).startswith("Planning"), "the stage to be announced, without words"
    )
    page.wait_idle()
    page.wait_until(lambda: any("-o result" in source for source in page.sources()), "the cell to be inserted")
    assert page.sources()[2].startswith("%%sandbox --tables orders -o result\n# Show revenue by month")
    assert "2023-02 had 30.00." in page.output_text(1)
    assert page.cell(1).locator("table td", has_text="12.5").count() == 1
    assert page.cell(1).locator("img, canvas, svg.marks, .vega-embed").count() >= 1
    asked = len(endpoint.requests)
    page.run_cell(2)
    page.wait_idle()
    assert page.cell(2).locator("img").count() == 1
    page.choose_theme("Dark")
    label = page.cell(1).locator("svg.marks text").first
    assert label.evaluate("text => getComputedStyle(text).fill") == label.evaluate(
        "text => getComputedStyle(document.body).color"
    )
    page.choose_theme("Light")
    assert len(endpoint.requests) == asked


@pytest.mark.parametrize(
    ("request_of", "stage"),
    [("hang", "Planning"), ("spin", "Running")],
    ids=["while a model thinks", "while code runs"],
)
def test_a_plan_can_be_stopped(page: NotebookPage, request_of: str, stage: str) -> None:
    cell = place(page, f"Please {request_of}")
    page.run_cell(cell)
    page.wait_until(lambda: stage in page.output_text(cell), "the stage to show")
    page.interrupt()
    page.wait_until(lambda: "Interrupted" in page.output_text(cell), "the interrupt to be answered")
    page.wait_idle()


@pytest.mark.thorough  # the plan and the checks of other tests, many times over
@pytest.mark.feature("E05")
def test_a_dozen_plans_and_checks_run_in_one_go(page: NotebookPage, endpoint: ScriptedEndpoint) -> None:
    for words in ("hang", "spin"):
        page.write(place(page, f"Please {words}"), f"'nothing {words}s here'")
    page.run_all()
    for count in range(1, 7):
        page.wait_until(lambda count=count: saved(page, "%%sandbox") >= count, f"{count} cells of plans")
    for count in range(1, 7):
        page.wait_until(lambda count=count: saved(page, "%%check --run") >= count, f"{count} saved checks")
    page.wait_idle()
    assert (saved(page, "%%sandbox"), saved(page, "%%check --run")) == (6, 6)
    sources = page.sources()
    answered = [number for number, source in enumerate(sources) if source.startswith("%%plan")]
    assert all("2023-02 had 30.00." in page.output_text(number) for number in answered)
    assert "amount must be at least 0" in page.output_text(place(page, FREIGHT_RULE))
    assert any("You restate" in request.text for request in endpoint.requests)
