"""What is said once more behind a rule has to fit it, or settles whether equal values pass."""

import pytest

from pandas_magic.errors import RuleNotUnderstood
from tests.pandas_magic.planner.grammar.former import compile_rule
from tests.pandas_magic.planner.grammar.test_turns_around import TABLES


@pytest.mark.parametrize(
    ("sentence", "echo"),
    [
        ("The price must be positive, i.e. neither zero nor negative.", "price_eur must be greater than 0"),
        ("Renewals must be at most 5; six are already too many.", "renewals must be at most 5"),
        ("Renewals must be between 1 and 5, so 0 or 6 are not possible.", "renewals must be between 1 and 5"),
        (
            "A damage note has at most 50 characters, longer texts are wrong.",
            "the length of damage_note must be at most 50",
        ),
        ("The payment method must be card, any other value is an error.", "payment_method must be 'card'"),
        ("The returned date must be after the pickup date; equal is fine.", "returned_on must be >= pickup_on"),
        (
            "The returned date must be after the pickup date, the same day is fine.",
            "the date of returned_on must be >= the date of pickup_on",
        ),
        (
            "The returned date must not be before the pickup date; the same day is not allowed.",
            "the date of returned_on must be > the date of pickup_on",
        ),
        ("Renewals lie between 0 and 5, nothing above.", "renewals must be between 0 and 5"),
        ("The price equals the cost; a difference of one cent is OK.", "price_eur must equal cost_eur within 0.01"),
        ("The price must be above the cost, both may also be equal.", "price_eur must be >= cost_eur"),
    ],
)
def test_an_afterthought_that_fits_is_understood(sentence: str, echo: str) -> None:
    found = compile_rule(sentence, TABLES, target="rentals")
    assert found.echo == f"rentals: {echo}"
    assert compile_rule(found.echo, TABLES).constraint == found.constraint


@pytest.mark.parametrize(
    "sentence",
    [
        "Renewals must be at most 5; 4 are too many.",
        "Renewals must be between 1 and 5, so 0 or 3 are not possible.",
        "Renewals must be between 1 and 5, so 6 is fine.",
        "Renewals must be at most 5, fewer are wrong.",
        "The price must be positive, i.e. not negative.",
        "A damage note has at most 50 characters, shorter texts are wrong.",
        "The price must be above the cost, cancelled ones may be equal.",
        "Renewals must be at least 1, nothing above.",
        "The price must exceed the cost; a difference of one cent is OK.",
    ],
)
def test_an_afterthought_that_does_not_fit_is_refused(sentence: str) -> None:
    with pytest.raises(RuleNotUnderstood):
        compile_rule(sentence, TABLES, target="rentals")
