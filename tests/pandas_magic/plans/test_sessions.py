"""What a request is told of those before it in the same notebook."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from pandas_magic.errors import NoSuchName, StateUnreadable, UsageMistake
from pandas_magic.plans.plan_records import PlanRequest, PlanResult
from pandas_magic.plans.planning import sessions_of, work_out
from pandas_magic.plans.sessions import Sessions
from pandas_magic.workspace import Workspace
from tests.pandas_magic.planner.model.parts import data_blocks, fenced, parts
from tests.pandas_magic.planner.model.scripted import ScriptedEndpoint

pytestmark = pytest.mark.usefixtures("keepers_know_figures")

ORDERS = pd.DataFrame({"month": ["2023-01", "2023-01", "2023-02"], "amount": [10.0, 25.5, 30.0]})
REQUEST = "Show the monthly revenue trend for 2023"
CODE = 'result = orders.groupby("month")["amount"].sum().rename("revenue").reset_index()'
GOOD: dict[str, Any] = {
    "plan": "Goal: Monthly revenue\n1. sum amount by month\nResult: a month",
    "code": fenced(CODE),
    "review": json.dumps({"answers": True, "problem": ""}),
}


@pytest.fixture
def shop(workspace_with: Any) -> Callable[[ScriptedEndpoint], Workspace]:
    return lambda endpoint: workspace_with(endpoint, {"orders": ORDERS})


def ask(workspace: Workspace, sessions: Sessions, *cells: str) -> list[PlanResult]:
    """Each cell is the name of one and its request: "a: Show revenue"."""
    asked = [PlanRequest(request, cell=cell) for cell, _, request in (cell.partition(": ") for cell in cells)]
    return [work_out(workspace, sessions, one) for one in asked]


def earlier_of(endpoint: ScriptedEndpoint) -> list[str]:
    """The earlier requests that the last plan was told of."""
    told = next(r.body["messages"][-1]["content"] for r in reversed(endpoint.requests) if "You plan" in r.text)
    return [turn["request"] for block in data_blocks(told) for turn in block.get("turns", ())]


@pytest.mark.feature("E03")
def test_later_requests_know_the_earlier_ones_but_not_their_data(serve: Any, shop: Any) -> None:
    chart = 'chart = {"kind": "line", "x": "month", "y": "revenue", "color": "", "title": "Revenue"}'
    endpoint = serve(always=parts(**{**GOOD, "code": fenced(f"{CODE}\n{chart}")}))
    workspace = shop(endpoint)
    sessions = sessions_of(workspace)
    ask(workspace, sessions, f"a: {REQUEST}", "b: And by country?")
    told = endpoint.requests[-1].text + endpoint.requests[-2].text
    assert "monthly revenue trend" in told
    assert '"revenue": "float64"' in told
    assert "35.5" not in told
    sessions.close()
    (kept,) = sessions_of(workspace).listed()
    assert [turn.request for turn in kept.turns] == [REQUEST, "And by country?"]
    assert kept.turns[0].artifacts


def test_a_session_that_is_open_elsewhere_is_not_resumed(serve: Any, shop: Any) -> None:
    workspace = shop(serve(always=parts(**GOOD)))
    here, there = sessions_of(workspace), sessions_of(workspace)
    ask(workspace, here, f"a: {REQUEST}")
    name = here.current.id
    with pytest.raises(UsageMistake, match="open in another notebook"):
        there.resume(name)
    here.close()
    assert there.resume(name).turns[0].request == REQUEST
    with pytest.raises(NoSuchName):
        there.resume("nothing")
    there.close()


def test_a_damaged_session_is_named(serve: Any, shop: Any, tmp_path: Path) -> None:
    workspace = shop(serve())
    folder = tmp_path / ".pandas_magic" / "sessions"
    folder.mkdir(parents=True)
    (folder / "a.json").write_text("{")
    with pytest.raises(StateUnreadable, match=r"a\.json is damaged"):
        sessions_of(workspace).listed()


@pytest.mark.feature("D22")
def test_cells_that_run_again_in_their_notebook_ask_nothing(serve: Any, shop: Any) -> None:
    endpoint = serve(always=parts(**GOOD))
    workspace = shop(endpoint)
    sessions = sessions_of(workspace)
    cells = (f"a: {REQUEST}", "b: And by country?")
    ask(workspace, sessions, *cells)
    asked = len(endpoint.requests)
    again = ask(workspace, sessions, *cells)
    assert len(endpoint.requests) == asked
    assert all(result.success for result in again)
    assert [turn.request for turn in sessions.current.turns] == [REQUEST, "And by country?"]
    sessions.close()


def test_the_same_words_in_another_cell_are_said_of_what_stands_before_them(serve: Any, shop: Any) -> None:
    endpoint = serve(always=parts(**GOOD))
    workspace = shop(endpoint)
    sessions = sessions_of(workspace)
    ask(workspace, sessions, "a: Show revenue", "b: The same by country", "c: Show orders", "d: The same by country")
    assert earlier_of(endpoint) == ["Show revenue", "The same by country", "Show orders"]
    sessions.close()


def test_an_edited_cell_goes_on_from_what_it_was_and_later_cells_are_asked_anew(serve: Any, shop: Any) -> None:
    endpoint = serve(always=parts(**GOOD))
    workspace = shop(endpoint)
    sessions = sessions_of(workspace)
    ask(workspace, sessions, "a: Show revenue", "b: As shares", "a: The same for 2023")
    assert earlier_of(endpoint) == ["Show revenue"]
    ask(workspace, sessions, "b: As shares")
    assert earlier_of(endpoint) == ["Show revenue", "The same for 2023"]
    sessions.close()


def test_a_request_that_came_to_nothing_is_known_to_the_next(serve: Any, shop: Any) -> None:
    endpoint = serve(always=parts(**{**GOOD, "code": [fenced("result = orders['amuont'].sum()")] * 2 + [GOOD["code"]]}))
    workspace = shop(endpoint)
    sessions = sessions_of(workspace)
    failed, answered = ask(workspace, sessions, f"a: {REQUEST}", "b: The same for each currency")
    assert (failed.success, answered.success) == (False, True)
    assert earlier_of(endpoint) == [REQUEST]
    assert '"failed": true' in endpoint.requests[-1].text + endpoint.requests[-2].text
    sessions.close()
