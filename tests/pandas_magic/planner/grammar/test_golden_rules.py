"""What the documented sentences are understood to say, word for word."""

import json
from pathlib import Path

from pandas_magic.constraints import render_code
from pandas_magic.planner.grammar.forms import EXAMPLE_TABLES, FORMS
from tests.pandas_magic.planner.grammar.former import compile_rule

GOLDEN = Path(__file__).parents[3] / "golden" / "rules" / "sentences.json"


def understood() -> dict[str, dict[str, object]]:
    found: dict[str, dict[str, object]] = {}
    for form in FORMS:
        for sentence in form.sentences:
            one = compile_rule(sentence, EXAMPLE_TABLES, target=form.table)
            code = render_code(one.constraint, EXAMPLE_TABLES).splitlines()
            found[sentence] = {"echo": one.echo, "code": code, "constraint": one.constraint.digest()}
    return found


def test_documented_sentences_mean_what_they_meant() -> None:
    assert understood() == json.loads(GOLDEN.read_text(encoding="utf-8"))
