"""Where saved cells are put, and by which way."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from pandas_magic.notebook import magics
from pandas_magic.notebook.page import bridge
from pandas_magic.notebook.saved_cell import cell_text

Make = Callable[..., Any]
RULE = "orders.user_id must exist in users.user_id"


class _Page:
    """The page's side of the hidden widget, as far as the kernel sees it."""

    def __init__(self) -> None:
        self.received: list[dict[str, Any]] = []
        self.answer: Callable[[object, dict[str, Any], object], None] = lambda *_: None
        self.closed = False

    def on_msg(self, answer: Callable[[object, dict[str, Any], object], None]) -> None:
        self.answer = answer

    def send(self, message: dict[str, Any]) -> None:
        self.received.append(message)

    def close(self) -> None:
        self.closed = True


@pytest.fixture
def page(monkeypatch: pytest.MonkeyPatch) -> _Page:
    page = _Page()
    monkeypatch.setattr(bridge, "hidden_widget", lambda: page)
    return page


def test_compiled_check_is_sent_to_the_page_below_its_cell(notebook: Any, page: _Page) -> None:
    notebook.on_page("a1b2c3d4")

    result = notebook.run(f"%%check CHK-007\n{RULE}")

    (message,) = page.received
    assert message["after"] == "a1b2c3d4"
    assert [cell["source"] for cell in message["cells"]] == [cell_text(result.compiled)]
    assert message["cells"][0]["metadata"]["pandas_magic"]["check"] == "CHK-007"
    assert notebook.next_inputs == []


def test_every_bullet_has_a_cell_of_its_own(notebook: Any, page: _Page) -> None:
    notebook.on_page("a1b2c3d4")

    notebook.run("%%check CHK-007\n- a.x must not be null\n- a.y must be unique")

    assert [cell["check"] for cell in page.received[0]["cells"]] == ["CHK-007-1", "CHK-007-2"]


def test_saved_cell_inserts_nothing(notebook: Any, page: _Page) -> None:
    notebook.on_page("a1b2c3d4")

    notebook.run("%check --run CHK-002")

    assert page.received == []


def test_run_without_a_page_inserts_nothing(notebook: Any, page: _Page) -> None:
    notebook.run(f"%%check CHK-007\n{RULE}")

    assert (page.received, notebook.next_inputs) == ([], [])


def test_front_end_with_other_cell_ids_gets_the_next_input(notebook: Any, page: _Page) -> None:
    notebook.on_page("vscode-notebook-cell:/notebooks/x.ipynb#W0sZmlsZQ")

    result = notebook.run(f"%%check CHK-007\n{RULE}")

    assert notebook.next_inputs == [cell_text(result.compiled)]
    assert page.received == []


def test_several_checks_share_the_one_next_input_and_it_is_said(notebook: Any, capsys: Any) -> None:
    notebook.on_page("vscode-notebook-cell:/notebooks/x.ipynb#W0sZmlsZQ")

    notebook.run("%%check CHK-007\n- a.x must not be null\n- a.y must be unique")

    assert notebook.next_inputs == ["%check --run CHK-007-1,CHK-007-2"]
    assert "takes one new cell at a time: it runs all 2 checks" in capsys.readouterr().out


def test_request_is_sent_again_until_the_page_confirms_it(notebook: Any, page: _Page) -> None:
    notebook.on_page("a1b2c3d4")
    notebook.run(f"%%check CHK-007\n{RULE}")

    page.answer(None, {"kind": "ready", "can_insert": True}, None)
    (first, again) = page.received
    page.answer(None, {"kind": "done", "request": first["request"], "inserted": 1}, None)
    page.answer(None, {"kind": "ready", "can_insert": True}, None)

    assert again == first
    assert len(page.received) == 2


def test_page_that_cannot_insert_is_not_asked_again(notebook: Any, page: _Page) -> None:
    notebook.on_page("a1b2c3d4")
    notebook.run(f"%%check CHK-007\n{RULE}")
    page.answer(None, {"kind": "ready", "can_insert": False}, None)
    sent = len(page.received)

    notebook.run(f"%%check CHK-008\n{RULE}")

    assert len(page.received) == sent
    assert notebook.next_inputs[0].startswith("%%check --run CHK-008")


def test_silent_page_is_given_up_when_the_person_asks_again(notebook: Any, page: _Page) -> None:
    notebook.on_page("a1b2c3d4", date=datetime.now(UTC))
    notebook.run(f"%%check CHK-007\n{RULE}")

    notebook.on_page("e5f6a7b8", date=datetime.now(UTC) + timedelta(minutes=1))
    notebook.run(f"%%check CHK-008\n{RULE}")

    assert notebook.next_inputs[0].startswith("%%check --run CHK-008")


def test_run_all_does_not_take_the_page_for_silent(notebook: Any, page: _Page) -> None:
    pressed = datetime.now(UTC)
    for check_id, cell in (("CHK-007", "a1b2c3d4"), ("CHK-008", "e5f6a7b8")):
        notebook.on_page(cell, date=pressed)
        notebook.run(f"%%check {check_id}\n{RULE}")

    assert [message["after"] for message in page.received] == ["a1b2c3d4", "e5f6a7b8"]
    assert notebook.next_inputs == []


def test_unloading_takes_the_hidden_widget_away(notebook: Any, page: _Page) -> None:
    notebook.on_page("a1b2c3d4")
    notebook.run(f"%%check CHK-007\n{RULE}")

    magics.unload(notebook.shell)

    assert page.closed
