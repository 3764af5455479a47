"""`%check --take N`: a person chooses what a refused rule means."""

from typing import Any

import pytest

from pandas_magic.errors import CheckFailed, NotProved, Reading, RuleNotUnderstood, UsageMistake
from pandas_magic.notebook.questions import rewritten
from pandas_magic.registry.check_request import CheckRequest
from pandas_magic.reporters.question import choices

RULE = "status must be OPEN or PAID"
_ROWS: Any = {"breaks": {"row": 2, "status": "x"}, "keeps": {"row": 4, "order_id": 17031.0, "note": float("nan")}}
FOLDED = Reading("orders: status must be one of 'open', 'paid'", count=1, rows_seen=5, **_ROWS)
LITERAL = Reading("orders: status must be one of 'OPEN', 'PAID'", leaves_out=("<or>",))


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
    assert f"1. {FOLDED.sentence}  [1 row of 5 would fail]\n     fails: row 2, status x\n" in out
    assert "     passes: row 4, order_id 17031, note missing\n" in out
    assert f"2. {LITERAL.sentence}\n     leaves out: <or>\nNone of these" in out
    assert "Each line can also be pasted as the rule." in out


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


def test_a_choice_is_of_the_rule_that_was_asked_about(notebook: Any) -> None:
    refuse(notebook)
    with pytest.raises(UsageMistake, match="not this; run the cell without --take"):
        notebook.run("%%check --take 1\norders.qty must be at least 100")
    notebook.run(f"%%check --take 1\n{RULE}")
    assert notebook.workspace.requests[-1].rule == FOLDED.sentence


def test_nothing_can_be_taken_before_something_was_asked(notebook: Any) -> None:
    with pytest.raises(UsageMistake, match="no rule was asked about"):
        notebook.run("%check --take 1")


def refuse_on_page(notebook: Any, cell: str, refusal: Exception) -> list[Any]:
    """What the page shows of a cell in which every rule is refused."""
    shown: list[Any] = []

    def refused(_: Any) -> Any:
        raise refusal

    notebook.on_page("vscode-notebook-cell:/x.ipynb#one")
    notebook.workspace.answer = refused
    notebook.shell.display_pub.publish = lambda data, *_, **__: shown.append(data)
    notebook.run(cell)
    return [data["text/html"] for data in shown if data["text/html"].startswith('<div class="pandas-magic')]


def test_in_a_page_a_question_is_a_card_and_the_gate_refuses_what_nobody_answered(notebook: Any) -> None:
    hostile = Reading("<img src=x>", breaks={"row": 0, "status": "<b>"})
    refusal = RuleNotUnderstood(
        RULE, "I read it <i>otherwise</i>.", unknown=("OPEN",), readings=(FOLDED, hostile, LITERAL)
    )
    (card,) = refuse_on_page(notebook, f"%%check CHK-009\n{RULE}", refusal)
    assert "status must be <u>OPEN</u> or PAID" in card and "1 row of 5 would fail" in card
    assert "<dt>leaves out</dt><dd>&lt;or&gt;</dd>" in card
    assert "&lt;img src=x&gt;" in card and "&lt;b&gt;" in card and "<i>" not in card
    notebook.run("%check --run CHK-002")
    with pytest.raises(CheckFailed, match=r"1 question without a verdict.*status must be OPEN or PAID"):
        notebook.run("%checks gate")


def test_in_a_page_a_word_without_readings_leads_to_the_glossary(notebook: Any) -> None:
    (card,) = refuse_on_page(notebook, f"%%check CHK-009\n{RULE}", RuleNotUnderstood(RULE, "?", unknown=("<OPEN>",)))
    assert "? NOT UNDERSTOOD" in card and "None of these" not in card
    assert "If &quot;&lt;OPEN&gt;&quot; is what you call rows or a column, say so once in glossary.toml." in card


def test_in_a_page_an_unproved_check_shows_the_row_that_it_stumbles_over(notebook: Any) -> None:
    (card,) = refuse_on_page(
        notebook, f"%%check CHK-009\n{RULE}", NotProved("CHK-009", ["it misses a row"], row="age -1, status '<b>'")
    )
    assert (
        "NOT PROVED" in card
        and "be OPEN or PAID" in card
        and "<li>it misses a row</li>" in card
        and "age -1, status &#x27;&lt;b&gt;&#x27;" in card
    )


@pytest.mark.parametrize(
    ("source", "rule", "after"),
    [
        ("%%check CHK-1\nit's odd", "it's odd", "%%check CHK-1 --name 'it'\"'\"'s odd'\nCLEAR"),
        ("%%check\n  a rule of\ntwo lines\n", "a rule of two lines", "%%check --name 'a rule of two lines'\nCLEAR"),
        ("%%check\ncosts ${x}", "costs ${x}", "%%check\nCLEAR"),
        ("%%check A\n- one\n- two\n  goes on\n- two", "two goes on", "%%check A\n- one\n- CLEAR\n- two"),
        ("%%check A\n1. one\n2. two", "two", "%%check A\n1. one\n2. CLEAR"),
        ("get_ipython().run_cell_magic('check', '', 'one')", "one", None),
        ("%%check A\n- other", "one", None),
    ],
)
def test_a_chosen_reading_takes_the_place_of_the_rule_in_its_cell(source: str, rule: str, after: str | None) -> None:
    assert rewritten(source, CheckRequest(rule=rule), ["CLEAR"]) == (() if after is None else (after,))


def test_a_mended_word_is_offered_before_the_readings() -> None:
    refusal = RuleNotUnderstood("age must be postive", "?", suggest=lambda: ["age must be positive", '"a form"'])
    assert [one.sentence for one in choices(refusal)] == ["age must be positive"]
