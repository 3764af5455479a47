"""How far two values are apart, what rows come to together, and groups of a size; and sentences close to them."""

import pytest

from pandas_magic.errors import RuleNotUnderstood
from tests.pandas_magic.planner.grammar.former import compile_rule
from tests.pandas_magic.planner.grammar.test_turns_asked import TABLES as LIBRARY

TABLES = dict(LIBRARY)
TABLES["loans"] = LIBRARY["loans"].model_copy(
    update={
        "columns": {
            **LIBRARY["loans"].columns,
            "weight_kg": "float64",
            "copy_checked_on": "datetime64[us]",
            "deposit_required": "bool",
        }
    }
)

UNDERSTOOD = [
    (
        "loans",
        "Flag loans of a member with over 3 loans on the same day.",
        "loans: the number of rows per (member_id, the date",
    ),
    (
        "loans",
        "A member with more than 20 loans is not allowed.",
        "loans: the number of rows per member_id must be at most 20",
    ),
    (
        "loans",
        "The fee paid may deviate from the fee by 0.5 at most.",
        "loans: the absolute value of (fee_paid - fee) must be at most",
    ),
    (
        "loans",
        "Flag loans over 30 kg without a note.",
        "loans where weight_kg is greater than 30: note must be present",
    ),
    ("loans", "Loans over 30 kg must have a note.", "loans where weight_kg is greater than 30: note must be present"),
    (
        "loans",
        "A deposit must be required for lost loans.",
        "loans where status is 'lost': deposit_required must be true",
    ),
    (
        "loans",
        "Flag loans whose copy was checked before 2026-01-01.",
        "loans: copy_checked_on must be no earlier than 2026-01-01",
    ),
    (
        "loans",
        "The copy must have been checked in the last 90 days.",
        "loans: copy_checked_on must be present and copy_checked_on",
    ),
    (
        "loans",
        "The fee must be above 0 for all loans except those with status lost.",
        "loans where status is missing or status is not 'lost': fee must be greater than 0",
    ),
    (
        "loans",
        "The return date must be on or after the loan date of the same loan.",
        "loans: return_date must be >= loan_date",
    ),
    (
        "loans",
        "A loan can only have a return date that is not before its loan date.",
        "loans: return_date must be >= loan_date",
    ),
    (
        "loans",
        "Flag loans that are lost or heavier than 30 kg but have no note.",
        "loans where status is 'lost' or weight_kg is greater than 30: note must be present",
    ),
    (
        "loans",
        "Verify that at most 10 % of all loans have status lost.",
        "loans: status must not be 'lost'; at most 10 %",
    ),
    ("loans", "Of all loans, at most 10 percent may be lost.", "loans: status must not be 'lost'; at most 10 %"),
    (
        "members",
        "The loans of a member together must not weigh more than 300 kg.",
        "members: the sum of weight_kg in loans by member_id must be at most 300",
    ),
    (
        "members",
        "No member may have loans with a combined weight above 300 kg.",
        "members: the sum of weight_kg in loans by member_id must be at most 300",
    ),
    (
        "members",
        "Flag members whose loans have a total fee of more than 50.",
        "members: the sum of fee in loans by member_id must be at most 50",
    ),
    (
        "members",
        "The fees of a member's loans, lost ones excluded, must not add up to more than the fee limit.",
        "members: the sum of fee in loans (where status is missing or status is not 'lost')",
    ),
    (
        "members",
        "Flag members who have not visited in the last 30 days.",
        "members: last_visit must be present and last_visit must be no earlier than now - 30 days",
    ),
]

REFUSED = [
    ("loans", "A member with fewer than 20 loans or lost ones is not allowed."),
    ("loans", "Loans over 30 lb must have a note."),
    ("loans", "The fee paid may deviate from the fee by 0.5 at least or so."),
    ("members", "The loans of a member must not weigh more than 300 kg each together."),
    ("loans", "Flag loans that are lost or have a note and have a fee but no return date."),
    ("loans", "Of some loans, at most 10 percent may be lost."),
]


@pytest.mark.parametrize(("table", "sentence", "echo"), UNDERSTOOD)
def test_turn_is_understood_in_its_own_sense(table: str, sentence: str, echo: str) -> None:
    assert compile_rule(sentence, TABLES, target=table).echo.startswith(echo)


@pytest.mark.parametrize(("table", "sentence"), REFUSED)
def test_sentence_that_nearly_says_it_is_refused(table: str, sentence: str) -> None:
    with pytest.raises(RuleNotUnderstood):
        compile_rule(sentence, TABLES, target=table)
