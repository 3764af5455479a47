"""Answers of real small models to rules of strangers: none becomes a wrong rule behind the gates that ask nobody."""

from collections import Counter
from pathlib import Path

import pytest

from benchmarks.models.grading import answers
from benchmarks.models.restatements import HERE, figures, measured_rules

README = Path(HERE) / "README.md"
Figures = dict[tuple[str, bool], Counter[str]]


@pytest.fixture(scope="module")
def found() -> Figures:
    """Every recorded answer graded, once for all that is asked of the grades."""
    return figures()


def test_no_recorded_restatement_is_wrong_behind_the_gates(found: Figures) -> None:
    assert {model for model, _ in found} >= {"qwen2.5-coder-0.5b", "qwen2.5-coder-1.5b"}
    assert {by: counted["doubted wrong"] for by, counted in found.items() if counted["doubted wrong"]} == {}


def test_the_published_figures_are_those_of_the_recorded_answers(found: Figures) -> None:
    text = README.read_text(encoding="utf-8")
    for (model, grammar), counted in found.items():
        how = "a grammar" if grammar else "a JSON schema"
        before, after = (
            " ".join(f"{counted[f'{stage} {grade}']}," for grade in ("right", "refused", "wrong")).rstrip(",")
            for stage in ("believed", "doubted")
        )
        cells = (model, how, counted["asked"], counted["said back"], before, after)
        assert f"| {' | '.join(map(str, cells))} |" in text


def test_some_recorded_restatements_would_be_wrong_without_the_gates(found: Figures) -> None:
    assert sum(counted["believed wrong"] for counted in found.values()) > 50


def test_the_sample_is_one_of_sixty_rules_that_their_writers_marked() -> None:
    rules = measured_rules()
    assert len({rule.rule.text for rule in rules}) == 60
    assert all(breaking for rule in rules for _, breaking in rule.worlds)


@pytest.mark.parametrize(
    ("result", "expected", "is_right"),
    [(3, 3, True), (3.0, 4, False), ({"n": 3}, 3, True), ([3], 3, False), (0.587, 58.7, True)],
)
def test_a_number_is_graded_as_a_person_would(result: object, expected: float, is_right: bool) -> None:
    assert answers(result, expected) is is_right
