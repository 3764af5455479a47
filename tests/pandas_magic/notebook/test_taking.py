"""`%check --take N`: a person chooses what a refused rule means."""

from typing import Any

import pytest

from pandas_magic.errors import Reading, RuleNotUnderstood, UsageMistake

RULE = "status must be OPEN or PAID"
FOLDED = Reading("orders: status must be one of 'open', 'paid'", count=1, rows_seen=5, breaks={"row": 2, "status": "x"})
LITERAL = Reading("orders: status must be one of 'OPEN', 'PAID'")


def refuse(notebook: Any) -> None:
    answer = notebook.workspace.answer

    def refused_once(request: Any) -> Any:
        if request.rule == RULE:
            raise RuleNotUnderstood(RULE, "I read it otherwise.", readings=(FOLDED, LITERAL))
        return answer(request)

    notebook.workspace.answer = refused_once
    with pytest.raises(RuleNotUnderstood):
        notebook.run(f"%%check CHK-009 --severity high\n{RULE}")


def test_the_readings_are_shown_with_what_they_find(notebook: Any, capsys: pytest.CaptureFixture[str]) -> None:
    refuse(notebook)
    out = capsys.readouterr().out
    assert "Which of these is meant? Take one: %check --take N" in out
    assert f"1. {FOLDED.sentence}  [1 row of 5 would fail]\n     fails: row 2, status x" in out
    assert f"2. {LITERAL.sentence}\nNone of these" in out


def test_the_chosen_words_become_the_rule_and_the_written_ones_its_name(notebook: Any) -> None:
    refuse(notebook)
    notebook.run("%check --take 2")
    request = notebook.workspace.requests[-1]
    assert (request.rule, request.name) == (LITERAL.sentence, RULE)
    assert (request.id, request.severity) == ("CHK-009", "high")


@pytest.mark.parametrize("number", ["3", "-1"])
def test_a_number_that_was_not_shown_takes_nothing(notebook: Any, number: str) -> None:
    refuse(notebook)
    with pytest.raises(UsageMistake, match="choose from 1 to 2"):
        notebook.run(f"%check --take={number}")


def test_nothing_can_be_taken_before_something_was_asked(notebook: Any) -> None:
    with pytest.raises(UsageMistake, match="no rule was asked about"):
        notebook.run("%check --take 1")
