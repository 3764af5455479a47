import json
import logging
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output

from pandas_magic.notebook import magics
from pandas_magic.notebook.plan_magics import PlanFailed
from pandas_magic.plans.answer_output import PLAN_MIMETYPE
from pandas_magic.workspace import Workspace
from tests.pandas_magic.planner.model.conftest import KEY
from tests.pandas_magic.planner.model.parts import fenced, parts

CODE = 'result = orders.groupby("month")["amount"].sum().rename("revenue").reset_index()'
GOOD: dict[str, Any] = {
    "plan": "Goal: Revenue by <b>month</b>\n1. sum\nNext: More?",
    "code": fenced(CODE),
    "review": json.dumps({"answers": True, "problem": ""}),
}
ORDERS = pd.DataFrame({"month": ["2023-01", "2023-01", "2023-02"], "amount": [10.0, 2.5, 30.0]})


class Shell:
    """A shell with the magics over a real workspace; what cells show is kept."""

    def __init__(self, shell: InteractiveShell) -> None:
        self.shell = shell
        self.shown: list[dict[str, Any]] = []

    def run(self, cell: str) -> Any:
        with capture_output(stdout=False, stderr=False) as captured:
            done = self.shell.run_cell(cell, store_history=False)
        self.shown = [output.data for output in captured.outputs]
        error = done.error_before_exec or done.error_in_exec
        if error is not None:
            raise error
        return done.result


@pytest.fixture
def cells(shell: InteractiveShell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[Any], Shell]]:
    def start(endpoint: Any) -> Shell:
        monkeypatch.chdir(tmp_path)
        for name, value in {"BASE_URL": endpoint.url, "API_KEY": KEY}.items():
            monkeypatch.setenv(f"OPENAI_{name}", value)
        monkeypatch.setenv("PANDAS_MAGIC_MODEL", "scripted")
        magics.load(shell, open_workspace=lambda space: Workspace.open(tmp_path, tables={"orders": ORDERS}))
        return Shell(shell)

    yield start
    magics.unload(shell)


@pytest.mark.feature("A01")
def test_a_plan_is_shown_in_every_form_and_bound_to_a_name(cells: Any, serve: Any) -> None:
    notebook = cells(serve(always=parts(**GOOD)))
    notebook.run("%%plan -o monthly\nRevenue by month")
    shown = next(data for data in notebook.shown if PLAN_MIMETYPE in data)
    assert set(shown) == {PLAN_MIMETYPE, "text/html", "text/markdown", "text/plain"}
    assert shown[PLAN_MIMETYPE]["instructions"] == ["sum"]
    assert "<b>month</b>" not in shown["text/html"]
    assert "&lt;b&gt;month" in shown["text/html"]
    assert notebook.shell.user_ns["monthly"]["revenue"].tolist() == [12.5, 30.0]
    told = notebook.run("%plan --log")
    assert [row[2] for row in told.rows] == ["plan", "write", "review"]
    assert "3 requests (0 failed)" in notebook.run("%checks cost").summary
    assert "1 session;" in notebook.run("%plan --list").summary
    assert "0 earlier requests" in notebook.run("%plan --new").summary


def test_a_plan_that_is_not_run_shows_its_code_where_no_cell_can_be_inserted(cells: Any, serve: Any) -> None:
    notebook = cells(serve(always=parts(**GOOD)))
    notebook.run("%%plan --no-run\nRevenue by month")
    assert CODE in notebook.shown[-1]["text/plain"]


@pytest.mark.feature("E07")
def test_a_plan_that_fails_shows_what_was_tried_and_raises_one_line(cells: Any, serve: Any) -> None:
    notebook = cells(serve(always=parts(**{**GOOD, "code": fenced("result = orders['amuont'].sum()")})))
    with pytest.raises(
        PlanFailed, match='code that had failed before: table "orders" has no column "amuont"'
    ) as caught:
        notebook.run("%%plan\nRevenue by month")
    assert len(caught.value._render_traceback_()) == 1
    assert str(caught.value).endswith("; say it in other words, or ask anew with --fresh")
    shown = notebook.shown[-1]
    assert shown["text/plain"].startswith("Not answered: Revenue by <b>month</b>\n")
    assert "Not answered: Revenue by &lt;b&gt;month" in shown["text/html"]
    assert "Tried" in shown["text/plain"]


@pytest.mark.parametrize(
    ("cell", "words"),
    [
        ("%%plan\n", "the request is empty"),
        ("%%plan --files nowhere\nx", 'no table "nowhere"'),
        ("%%plan --budget much\nx", "a budget cannot be"),
        ("%%plan -o 3x\nx", "takes a name"),
        ("%%plan --modle m\nx", "Did you mean --model"),
        ("%plan --resume nothing", 'no session "nothing"'),
    ],
)
def test_a_wrong_call_is_answered_in_one_line(cells: Any, serve: Any, cell: str, words: str) -> None:
    endpoint = serve()
    with pytest.raises(Exception, match=words):
        cells(endpoint).run(cell)
    assert endpoint.requests == []


@pytest.mark.feature("B26")
def test_a_logger_tells_of_requests_but_not_what_was_in_them(
    cells: Any, serve: Any, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG, "pandas_magic")
    cells(serve(always=parts(**GOOD))).run("%%plan\nRevenue by month")
    assert "plan answered by scripted" in caplog.text
    assert "Revenue" not in caplog.text
