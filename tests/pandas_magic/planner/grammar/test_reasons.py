"""Reasons beside a rule, "it" for the column named before, and names whose last word is said once."""

import pytest

from pandas_magic.catalog.table import Table
from pandas_magic.errors import RuleNotUnderstood
from tests.pandas_magic.planner.grammar.former import compile_rule
from tests.pandas_magic.planner.grammar.test_turns_around import TABLES


@pytest.mark.parametrize(
    ("sentence", "echo"),
    [
        ("Because our bank charges us, the price must be positive.", "price_eur must be greater than 0"),
        ("Since nobody works for free, the price must be positive.", "price_eur must be greater than 0"),
        ("Nobody works for free, so the price must be positive.", "price_eur must be greater than 0"),
        (
            "Renting below cost ruins us, which is why the price must be at least the cost.",
            "price_eur must be >= cost_eur",
        ),
        ("The price must be positive, otherwise the export breaks.", "price_eur must be greater than 0"),
        ("The price must be positive, since the auditors look at it.", "price_eur must be greater than 0"),
        ("By law, the price must be positive.", "price_eur must be greater than 0"),
        ("The price must be positive, this is required by law.", "price_eur must be greater than 0"),
        (
            "The returned date must be after the pickup date, but not more than 30 days after it.",
            "returned_on must be > pickup_on and returned_on must be <= pickup_on + 30 days",
        ),
        ("The price is typed in by hand, so it must be positive.", "price_eur must be greater than 0"),
        ("Because the price is typed in by hand, it must be positive.", "price_eur must be greater than 0"),
        (
            "The price is required, it must be positive.",
            "price_eur must be present and price_eur must be greater than 0",
        ),
        (
            "If a rental has a damage note, it must be unique.",
            "where damage_note is present: damage_note must be unique",
        ),
        (
            "If the status is booked, the returned date must be missing, otherwise the tool refuses the file.",
            "where status is 'booked': returned_on must be missing",
        ),
    ],
)
def test_a_reason_is_left_aside_and_it_is_the_column_named_before(sentence: str, echo: str) -> None:
    found = compile_rule(sentence, TABLES, target="rentals")
    assert found.echo == (f"rentals {echo}" if echo.startswith("where") else f"rentals: {echo}")
    assert compile_rule(found.echo, TABLES).constraint == found.constraint


@pytest.mark.parametrize(
    "sentence",
    [
        # the reason says which rows are meant
        "Because cancelled rentals stay here, the returned date must be missing.",
        "The rental is cancelled, so the returned date must be missing.",
        "Foreign rentals are free, so the price must be 0.",
        "Some rentals are free, so the price must be 0.",
        "Rentals over 1000 euros are insured, so the damage note must be present.",
        "Damages have been reported, so the damage note must be present.",
        "The customer has written a damage note, so the price must be positive.",
        # the reason is a demand of its own, or a condition
        "The price should be known, so the cost must be positive.",
        "All prices are positive, so the cost must be at most the price.",
        "The damage note must be present, as damage was reported.",
        "Since 2026-01-01, the price must be positive.",
        "The damage note must be present if the status is booked, otherwise it is empty and the price 0.",
        # what "it" is stays open
        "The price and the cost are typed in by hand, so it must be positive.",
        "Every rental is typed in by hand, so it must be positive.",
        "The price must exceed the cost, and the renewals must not exceed it.",
        # a number is no subject
        "Four renewals look odd, so 3 is the limit.",
        # without one of them, or without both
        "No rental may lack a damage note or a payment method.",
        "Flag rentals without a damage note or a payment method.",
    ],
)
def test_what_may_narrow_the_rule_down_is_refused(sentence: str) -> None:
    with pytest.raises(RuleNotUnderstood):
        compile_rule(sentence, TABLES, target="rentals")


@pytest.mark.parametrize(
    "sentence",
    [
        "Because our bank charges us, it must be positive, since the auditors look at it, otherwise it breaks.",
        "Since the price is known, so the price must be positive; the same day is fine; five are too many.",
    ],
)
def test_an_unfinished_sentence_is_refused_and_not_more(sentence: str) -> None:
    for end in range(1, len(sentence)):
        try:
            compile_rule(sentence[:end], TABLES, target="rentals")
        except RuleNotUnderstood as refusal:
            assert str(refusal)


def test_words_of_a_reason_are_not_what_is_not_understood() -> None:
    with pytest.raises(RuleNotUnderstood) as refusal:
        compile_rule("Because the gateway chokes, the prize must be positive.", TABLES, target="rentals")
    assert refusal.value.unknown == ("prize",)


EXAMS = {
    "exams": Table(
        name="exams",
        columns={"exam_id": "int64", "first_examiner": "str", "second_examiner": "str", "issue_date": "datetime64[us]",
                 "due_date": "datetime64[us]", "payment_date": "datetime64[us]", "degree": "str"},
        values={"degree": ("master", "phd")},
    )
}  # fmt: skip


@pytest.mark.parametrize(
    ("sentence", "echo"),
    [
        ("First and second examiner must differ.", ": first_examiner must not equal second_examiner"),
        (
            "Issue, due and payment date must be given.",
            ": issue_date must be present and due_date must be present and payment_date must be present",
        ),
        (
            "Every exam needs a first or a second examiner.",
            ": it must hold that first_examiner is present or second_examiner is present",
        ),
        ("PhD exams need a first examiner.", " where degree is 'phd': first_examiner must be present"),
    ],
)
def test_a_last_word_said_once_belongs_to_each_name(sentence: str, echo: str) -> None:
    assert compile_rule(sentence, EXAMS).echo == f"exams{echo}"
