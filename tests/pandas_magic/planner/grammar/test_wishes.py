"""What somebody wants: the rule behind it, read of every row, or of how many rows there are."""

import pytest

from pandas_magic.errors import RuleNotUnderstood
from tests.pandas_magic.planner.grammar.former import compile_rule
from tests.pandas_magic.planner.grammar.test_turns_around import TABLES


@pytest.mark.parametrize(
    ("sentence", "echo"),
    [
        ("The auditors expect at least 30 rentals.", " as a whole: the number of rows in rentals must be at least 30"),
        ("Finance requires a damage note for each rental.", ": damage_note must be present"),
        ("Finance wants every rental to have a damage note.", ": damage_note must be present"),
        ("The law demands that the price is positive.", ": price_eur must be greater than 0"),
        ("We expect the price to be positive.", ": price_eur must be greater than 0"),
        (
            "We need no more than 5 cancelled rentals.",
            " as a whole: the number of rows in rentals (where status is 'cancelled') must be at most 5",
        ),
        (
            "There may be at most 5 rentals without a damage note.",
            ": damage_note must be present; at most 5 rows may break this",
        ),
    ],
)
def test_a_wish_is_a_rule(sentence: str, echo: str) -> None:
    assert compile_rule(sentence, TABLES, target="rentals").echo == f"rentals{echo}"


@pytest.mark.parametrize(
    "sentence",
    [
        "We want some rentals to have a damage note.",
        "We do not need every rental to have a damage note.",
        "There may be at least 5 cancelled rentals.",
        "Finance wants the price to change.",
    ],
)
def test_a_wish_for_less_is_refused(sentence: str) -> None:
    with pytest.raises(RuleNotUnderstood):
        compile_rule(sentence, TABLES, target="rentals")


def test_a_row_has_no_different_values_of_one_column() -> None:
    with pytest.raises(RuleNotUnderstood):
        compile_rule("No rental may have different payment methods.", TABLES, target="rentals")
