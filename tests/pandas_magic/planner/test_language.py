from pathlib import Path

import pytest

from pandas_magic.planner.rules import language_page
from pandas_magic.planner.rules.forms import FORMS, Form
from pandas_magic.planner.rules.language import readings_of

PAGE = Path(__file__).parents[3] / "docs" / "language.md"


@pytest.mark.parametrize("form", FORMS, ids=[form.title for form in FORMS])
def test_every_documented_sentence_is_understood(form: Form) -> None:
    assert len(readings_of(form)) == len(form.sentences)


def test_the_page_in_docs_is_the_generated_one() -> None:
    assert PAGE.read_text(encoding="utf-8") == language_page(), (
        "run: python -m pandas_magic.planner.rules.language > docs/language.md"
    )
