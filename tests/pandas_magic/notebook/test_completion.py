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
        ("%eda us", ["users"]),
        ("%eda users --target c", ["country"]),
    ],
)
def test_completion_offers_what_fits(notebook: Any, typed: str, offered: list[str]) -> None:
    assert _complete(notebook, typed) == offered


def test_completion_works_on_the_first_line_of_a_written_cell(notebook: Any) -> None:
    cell = "%%check --tables ev\nevents.user_id must not be null"
    with provisionalcompleter():
        found = notebook.shell.Completer.completions(cell, len("%%check --tables ev"))
        assert [completion.text for completion in found] == ["events"]


def test_rule_goes_on_with_names_of_tables_and_columns(notebook: Any) -> None:
    assert _complete(notebook, "%%check\nus")[:2] == ["user_id", "users"]


def test_rule_goes_on_with_the_words_that_can_follow(notebook: Any) -> None:
    assert "unique" in _complete(notebook, "%%check\nuser_id must be un")
    assert "unique" not in _complete(notebook, "%%check\nFlag un")


def test_behind_must_be_the_usual_words_come_first(notebook: Any) -> None:
    behind = {words: _complete(notebook, f"%%check\nuser_id {words} ") for words in ("must", "must be", "must not be")}
    assert behind["must"][:2] == ["be", "not"]
    assert behind["must be"][:5] == ["present", "between", "unique", "one of", "at least"]
    assert behind["must not be"][:2] == ["missing", "before"]
    assert _complete(notebook, "%%check\nuser_id must be a")[:2] == ["at least", "at most"]
    assert _complete(notebook, "%%check\nuser_id must be at ")[:2] == ["least", "most"]
    assert _complete(notebook, "%%check\nevery user_id ")[0] == "must"


def test_rule_goes_on_with_the_values_that_occur(notebook: Any) -> None:
    assert "'de'" in _complete(notebook, "%%check\ncountry must be ")


def test_of_a_list_of_rules_the_last_goes_on(notebook: Any) -> None:
    assert "unique" in _complete(notebook, "%%check\n- country must be 'de'\n- user_id must be un")


def test_options_that_are_wrong_do_not_disturb_a_rule(notebook: Any) -> None:
    assert "unique" not in _complete(notebook, "%%check --nonsense\nuser_id must be un")


def test_damaged_registry_does_not_disturb_typing(notebook: Any) -> None:
    from pandas_magic.errors import StateUnreadable

    def damaged() -> list[str]:
        raise StateUnreadable("registry.json is damaged")

    notebook.workspace.check_ids = damaged

    assert "CHK-002" not in _complete(notebook, "%%check --run C")
