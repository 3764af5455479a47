"""Words, plan and code of every kind, held in one file that reads like a page of documentation."""

import os
from pathlib import Path

import pytest

from pandas_magic.constraints import describe, kind, plan, render_code, scale
from tests.pandas_magic.constraints.gallery import GALLERY, SHOP

PAGE = Path(__file__).parents[2] / "golden" / "constraints" / "rules.md"


def page() -> str:
    parts = ["# Every kind of rule: its words, its plan, its code\n"]
    for name, rule in GALLERY.items():
        made = plan(rule, SHOP)
        steps = "\n".join(f"{number}. {step}" for number, step in enumerate(made.steps, 1))
        reads = "; ".join(f"{table}: {', '.join(columns)}" for table, columns in made.reads.items())
        parts.append(
            f"## {name}\n{kind(rule)}, {scale(rule)}\n\n> {describe(rule)}\n\n{steps}\n\n"
            f"Reads {reads}. A violation is {made.violation_means}.\n\n```python\n{render_code(rule, SHOP)}\n```\n"
        )
    return "\n".join(parts)


@pytest.mark.feature("A18")
def test_words_plans_and_code_are_those_of_the_golden_page() -> None:
    # To accept a change: UPDATE_GOLDEN=1 pytest tests/pandas_magic/constraints/test_golden.py, then read the diff.
    if os.environ.get("UPDATE_GOLDEN"):
        PAGE.parent.mkdir(parents=True, exist_ok=True)
        PAGE.write_text(page())
    assert page() == PAGE.read_text()


def test_no_two_rules_are_said_in_the_same_words() -> None:
    words = [describe(rule) for rule in GALLERY.values()]
    assert len(set(words)) == len(words)


def test_no_line_of_code_ends_in_white_space() -> None:
    for rule in GALLERY.values():
        code = render_code(rule, SHOP)
        assert code == "\n".join(line.rstrip() for line in code.splitlines())
        compile(code, "<check>", "exec")
