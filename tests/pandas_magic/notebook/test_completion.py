"""Completion of the magics' lines."""

from typing import Any

import pytest
from IPython.core.completer import provisionalcompleter


def _complete(notebook: Any, text: str) -> list[str]:
    with provisionalcompleter():
        return [completion.text for completion in notebook.shell.Completer.completions(text, len(text))]


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        ("%%check --sev", ["--severity"]),
        ("%%check CHK-009 --tables ev", ["events"]),
        ("%%check CHK-009 --tables events,us", ["users"]),
        ("%%check CHK-009 --tables=us", ["users"]),
        ("%%check --run CHK", ["CHK-002"]),
        ("%%check CH", ["CHK-002"]),
        ("%%check CHK-009 --severity h", ["high"]),
        ("%%sandbox --tab", ["--tables"]),
        ("%%sandbox --tables e", ["events"]),
        ("%checks r", ["run", "rows"]),
        ("%checks run C", ["CHK-002"]),
        ("%tables --info u", ["users"]),
    ],
)
def test_completion_offers_what_fits(notebook: Any, typed: str, offered: list[str]) -> None:
    assert _complete(notebook, typed) == offered


def test_completion_works_on_the_first_line_of_a_written_cell(notebook: Any) -> None:
    cell = "%%check --tables ev\nevents.user_id must not be null"
    with provisionalcompleter():
        found = notebook.shell.Completer.completions(cell, len("%%check --tables ev"))
        assert [completion.text for completion in found] == ["events"]


def test_rule_itself_is_left_to_other_completers(notebook: Any) -> None:
    notebook.shell.user_ns["events_by_day"] = 1

    assert "users" not in _complete(notebook, "%%check\nus")


def test_damaged_registry_does_not_disturb_typing(notebook: Any) -> None:
    from pandas_magic.errors import StateUnreadable

    def damaged() -> list[str]:
        raise StateUnreadable("registry.json is damaged")

    notebook.workspace.check_ids = damaged

    assert "CHK-002" not in _complete(notebook, "%%check --run C")
