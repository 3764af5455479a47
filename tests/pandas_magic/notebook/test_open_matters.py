"""What a notebook asked and nobody judged keeps its gate shut, with and without a page."""

from collections.abc import Callable
from typing import Any

import pytest

from pandas_magic.errors import CheckFailed, NoSuchName, RuleNotUnderstood
from pandas_magic.notebook.notebook_session import Interrupted
from pandas_magic.notebook.questions import RulesNotChecked

Make = Callable[..., Any]
UNCLEAR, CLEAR = "orders should be nice", "orders.id must be unique"


class Cells:
    """The cells of one notebook, run one after the other; one named "" by a front end that gives no ids."""

    def __init__(self, notebook: Any) -> None:
        self.notebook, self.requests = notebook, 0

    def run(self, source: str, cell_id: str = "") -> Any:
        self.requests += 1
        self.notebook.on_page(cell_id, msg_id=str(self.requests))
        return self.notebook.run(source)

    def gate(self) -> str:
        """What the gate says; "" when it is open."""
        try:
            self.run("%checks gate", "the last")
        except CheckFailed as failed:
            return str(failed)
        return ""


@pytest.fixture
def cells(notebook: Any, make_result: Make, make_compiled: Make) -> Cells:
    def answered(request: Any) -> Any:
        if request.rule == UNCLEAR:
            raise RuleNotUnderstood(UNCLEAR, "I don't understand it.")
        return make_result("PASS", compiled=make_compiled(request.id or "CHK-001"))

    notebook.workspace.answer = answered
    notebook.workspace.saved = {"CHK-002": make_result("PASS")}
    found = Cells(notebook)
    found.run("%checks run")
    assert not found.gate()
    return found


def test_a_rule_that_nobody_understood_keeps_the_gate_shut_without_a_page(cells: Cells) -> None:
    with pytest.raises(RuleNotUnderstood):
        cells.run(f"%%check\n{UNCLEAR}")
    cells.run(f"%%check\n{CLEAR}")

    assert UNCLEAR in cells.gate()


def test_a_refusal_that_the_cell_caught_keeps_the_gate_shut(cells: Cells) -> None:
    asked = f"get_ipython().run_cell_magic('check', '', {UNCLEAR!r})"
    cells.run(f"try:\n    {asked}\nexcept Exception:\n    pass\nget_ipython().run_cell_magic('check', '', {CLEAR!r})")

    assert UNCLEAR in cells.gate()


def test_every_rule_of_a_list_that_was_not_checked_is_named(cells: Cells) -> None:
    with pytest.raises(RulesNotChecked):
        cells.run(f"%%check\n- {UNCLEAR}\n- {CLEAR}\n- {UNCLEAR}")

    assert cells.gate().count(UNCLEAR) == 2


def test_a_rule_under_the_same_id_in_other_words_answers_it(cells: Cells) -> None:
    with pytest.raises(RuleNotUnderstood):
        cells.run(f"%%check CHK-009\n{UNCLEAR}")
    cells.run(f"%%check CHK-009\n{CLEAR}")

    assert not cells.gate()


def test_the_same_rule_on_another_table_does_not_answer_it(cells: Cells) -> None:
    answer = cells.notebook.workspace.answer
    cells.notebook.workspace.answer = lambda request: answer(
        request if request.target != "orders" else type(request)(UNCLEAR)
    )
    with pytest.raises(RuleNotUnderstood):
        cells.run(f"%%check --target orders\n{CLEAR}")
    cells.run(f"%%check --target users\n{CLEAR}")

    assert CLEAR in cells.gate()


def stopped(*_: object, **__: object) -> Any:
    raise KeyboardInterrupt


@pytest.mark.parametrize("cell", ["%checks run", "%check --run CHK-002", f"%%check\n{CLEAR}"])
def test_what_was_stopped_keeps_the_gate_shut_until_it_runs_to_its_end(cells: Cells, cell: str) -> None:
    workspace = cells.notebook.workspace
    kept = {name: getattr(workspace, name) for name in ("run", "run_saved", "check")}
    for name in kept:
        setattr(workspace, name, stopped)
    with pytest.raises(Interrupted):
        cells.run(cell)
    assert "did not come to its end" in cells.gate()

    for name, method in kept.items():
        setattr(workspace, name, method)
    cells.run(cell)
    assert not cells.gate()


def test_a_saved_cell_whose_check_is_gone_keeps_the_gate_shut(cells: Cells) -> None:
    with pytest.raises(NoSuchName):
        cells.run("%check --run CHK-099")

    assert "%check --run CHK-099" in cells.gate()


@pytest.mark.parametrize("cell_id", ["", "one"])
def test_a_loop_that_passes_in_its_last_turn_alone_keeps_the_gate_shut(
    cells: Cells, make_result: Make, cell_id: str
) -> None:
    verdicts = iter(["ERROR", "FAIL", "PASS", "PASS"])
    cells.notebook.workspace.run = lambda *_, **__: [make_result(next(verdicts))]
    cells.run("for _ in range(3):\n    get_ipython().run_line_magic('checks', 'run')", cell_id)
    assert "1 of 1 check did not pass: CHK-002 ERROR earlier in its cell" in cells.gate()

    cells.run("%checks run", cell_id)
    assert not cells.gate()


def test_in_a_page_a_cell_that_runs_again_asks_anew(cells: Cells) -> None:
    cells.run(f"%%check\n{UNCLEAR}", "one")
    cells.run(f"%%check\n{UNCLEAR}", "two")
    cells.run("x = 1", "one")

    assert cells.gate().startswith("1 question ")


def test_a_later_turn_of_a_loop_answers_for_no_earlier_one(cells: Cells) -> None:
    answer = cells.notebook.workspace.answer
    refused = iter([True, False])
    cells.notebook.workspace.answer = lambda request: answer(type(request)(UNCLEAR) if next(refused) else request)
    asked = f"get_ipython().run_cell({f'%%check{chr(10)}{CLEAR}'!r})"
    cells.run(f"for _ in range(2):\n    {asked}", "one")

    assert CLEAR in cells.gate()
