"""The page of the language: every sentence on it is read, and what it says no rule can say is refused."""

import re
from pathlib import Path

import pandas as pd
import pytest

import pandas_magic
from pandas_magic.errors import RuleNotUnderstood
from pandas_magic.planner.language import compile_rule
from pandas_magic.planner.language.page import EXAMPLE_TABLES, SAMPLES, UNSAID, Unsaid, language_page
from pandas_magic.planner.language.page.writing import anchor
from pandas_magic.planner.language.strict import the_grammar

PAGE = Path(__file__).parents[4] / "docs" / "language.md"


@pytest.fixture(scope="module")
def page() -> str:
    return language_page()


def test_the_page_in_docs_is_the_generated_one(page: str) -> None:
    assert PAGE.read_text(encoding="utf-8") == page, (
        "run: python -m pandas_magic.planner.language.page > docs/language.md"
    )


@pytest.mark.parametrize("unsaid", UNSAID, ids=[unsaid.subject for unsaid in UNSAID])
def test_what_the_page_says_is_refused_is_refused_and_what_it_offers_instead_is_understood(unsaid: Unsaid) -> None:
    with pytest.raises(RuleNotUnderstood):
        compile_rule(unsaid.sentence, EXAMPLE_TABLES, target=unsaid.table)
    if unsaid.instead:
        assert compile_rule(unsaid.instead, EXAMPLE_TABLES, target=unsaid.table).constraint.table == unsaid.table


def test_what_the_page_shows_as_asked_about_is_asked_about_and_each_reading_can_be_pasted() -> None:
    (asked,) = (sample for sample in SAMPLES if sample.name == "asked")
    for sentence in asked.sentences:
        with pytest.raises(RuleNotUnderstood) as refused:
            compile_rule(sentence, EXAMPLE_TABLES, target=asked.table)
        for reading in refused.value.readings:
            assert compile_rule(reading.sentence, EXAMPLE_TABLES).constraint == reading.constraint


def test_what_cannot_be_said_stands_before_the_lines_of_the_grammar(page: str) -> None:
    assert page.index("## What a rule cannot say") < page.index("## Every turn of phrase")


def test_every_link_of_the_contents_has_one_heading(page: str) -> None:
    links = re.findall(r"^ *- \[.*\]\(#(.+)\)$", page, re.MULTILINE)
    outside_code = re.sub(r"```.*?```", "", page, flags=re.DOTALL)
    headings = [anchor(title) for title in re.findall(r"^###? (.+)$", outside_code, re.MULTILINE)]
    assert links == headings
    assert len(set(headings)) == len(headings)


def test_the_opening_example_gives_the_result_that_it_shows(page: str) -> None:
    orders = pd.DataFrame({"order_id": [1, 2, 3], "amount": [20.0, -5.0, None]})
    run = pandas_magic.check("amount must be positive", tables={"orders": orders})
    assert (run.verdict, run.not_judged, list(run.violations.index)) == ("FAIL", 1, [1])
    assert run.code in page


def test_each_line_of_the_grammar_stands_on_the_page(page: str) -> None:
    said = page.replace("\\|", "|")
    assert [line.say for line in the_grammar().productions if f"| `{line.say}` |" not in said] == []
