import re
from pathlib import Path

import pandas as pd
import pytest

import pandas_magic
from pandas_magic.errors import RuleNotUnderstood
from pandas_magic.planner.grammar import language_page
from pandas_magic.planner.grammar.forms import EXAMPLE_TABLES, FORMS, Form
from pandas_magic.planner.grammar.language import anchor, readings_of
from pandas_magic.planner.grammar.unsaid import UNSAID, Unsaid
from pandas_magic.planner.grammar.word_tables import words_of
from tests.pandas_magic.planner.grammar.former import compile_rule

PAGE = Path(__file__).parents[4] / "docs" / "language.md"


@pytest.mark.parametrize("form", FORMS, ids=[form.title for form in FORMS])
def test_every_documented_sentence_is_understood(form: Form) -> None:
    assert len(readings_of(form)) == len(form.sentences)


def test_the_page_in_docs_is_the_generated_one() -> None:
    assert PAGE.read_text(encoding="utf-8") == language_page(), (
        "run: python -m pandas_magic.planner.grammar.language > docs/language.md"
    )


@pytest.mark.parametrize("unsaid", UNSAID, ids=[unsaid.subject for unsaid in UNSAID])
def test_what_the_page_says_is_refused_is_refused(unsaid: Unsaid) -> None:
    with pytest.raises(RuleNotUnderstood):
        compile_rule(unsaid.sentence, EXAMPLE_TABLES, target=unsaid.table)


@pytest.mark.parametrize("unsaid", [unsaid for unsaid in UNSAID if unsaid.instead], ids=lambda unsaid: unsaid.subject)
def test_what_the_page_offers_instead_is_understood(unsaid: Unsaid) -> None:
    assert compile_rule(unsaid.instead, EXAMPLE_TABLES, target=unsaid.table).constraint.table == unsaid.table


def test_every_link_of_the_contents_has_one_heading() -> None:
    page = language_page()
    links = re.findall(r"^ *- \[.*\]\(#(.+)\)$", page, re.MULTILINE)
    outside_code = re.sub(r"```.*?```", "", page, flags=re.DOTALL)
    headings = [anchor(title) for title in re.findall(r"^###? (.+)$", outside_code, re.MULTILINE)]
    assert links == headings
    assert len(set(headings)) == len(headings)


def test_an_anchor_is_what_github_makes_of_a_heading() -> None:
    assert anchor("A text's beginning, end or content") == "a-texts-beginning-end-or-content"


def test_words_are_shown_as_people_type_them() -> None:
    shown = words_of("min .|be_in_breach|[strictly] above|n / a|>=|above/over all", first="n/a")
    assert shown == ("n/a", "min.", "above", "strictly above", ">=", "above all", "over all", "be in breach")


def test_the_opening_example_gives_the_result_that_it_shows() -> None:
    orders = pd.DataFrame({"order_id": [1, 2, 3], "amount": [20.0, -5.0, None]})
    run = pandas_magic.check("amount must be positive", tables={"orders": orders})
    assert (run.verdict, run.not_judged, list(run.violations.index)) == ("FAIL", 1, [1])
    assert run.code in language_page()


def test_a_value_is_named_in_any_case() -> None:
    orders = pd.DataFrame({"status": ["Paid", "open", "Paid"]})
    run = pandas_magic.check("status must be paid", tables={"orders": orders})
    assert list(run.violations.index) == [1]


def test_a_value_is_compared_exactly() -> None:
    orders = pd.DataFrame({"status": ["Paid", "PAID", "Paid "]})
    run = pandas_magic.check("status must be Paid", tables={"orders": orders})
    assert list(run.violations.index) == [1, 2]
