"""Questions and what people say of themselves, read as the statement they stand for; and sentences close to them."""

import pytest

from pandas_magic.catalog.table import Table
from pandas_magic.errors import RuleNotUnderstood
from tests.pandas_magic.planner.grammar.former import compile_rule

TABLES = {
    "members": Table(
        name="members",
        columns={
            "member_id": "int64",
            "email": "str",
            "joined_on": "datetime64[us]",
            "last_visit": "datetime64[us]",
            "status": "str",
            "loan_count": "int64",
            "fee_limit": "float64",
        },
        values={"status": ("active", "expired", "blocked")},
        keys=("member_id",),
    ),
    "loans": Table(
        name="loans",
        columns={
            "loan_id": "int64",
            "member_id": "int64",
            "loan_date": "datetime64[us]",
            "return_date": "datetime64[us]",
            "status": "str",
            "fee": "float64",
            "fee_paid": "float64",
            "note": "str",
        },
        values={"status": ("open", "returned", "lost")},
        keys=("loan_id",),
    ),
}

UNDERSTOOD = [
    # questions: yes is hoped for
    (
        "members",
        "Is there at least one loan for each active member?",
        "members where status is 'active': member_id must be present and member_id must be among loans.member_id",
    ),
    (
        "members",
        "Is there a loan for every active member?",
        "members where status is 'active': member_id must be present and member_id must be among loans.member_id",
    ),
    (
        "members",
        "Are there at least 20 rows in members?",
        "members as a whole: the number of rows in members must be at least 20",
    ),
    (
        "members",
        "Does loan_count agree with the number of loans for every member?",
        "members: loan_count must equal the number of rows in loans by member_id",
    ),
    (
        "loans",
        "Is the fee above zero on every loan with a note?",
        "loans where note is present: fee must be greater than 0",
    ),
    (
        "members",
        "Has every active member visited in the last 365 days?",
        "members where status is 'active': last_visit must be present and last_visit must be",
    ),
    ("loans", "Is it true that every loan has a fee?", "loans: fee must be present"),
    (
        "loans",
        "If a loan is lost, is the return date always empty?",
        "loans where status is 'lost': return_date must be missing",
    ),
    # questions: no is hoped for
    (
        "loans",
        "Does any member have more than three loans?",
        "loans: the number of rows per member_id must be at most 3",
    ),
    ("loans", "Is the fee paid ever above the fee?", "loans: fee_paid must be <= fee"),
    ("loans", "Was any loan returned before it was lent?", "loans: return_date must be >= loan_date"),
    ("loans", "Does it ever happen that the fee paid is above the fee?", "loans: fee_paid must be <= fee"),
    (
        "loans",
        "Are more than 10 percent of all loans lost? That must not be the case.",
        "loans: status must not be 'lost'; at most 10 % of rows may break this",
    ),
    # the same rows from either side, and how far two numbers are apart
    ("loans", "Find lost loans where the note is missing.", "loans where status is 'lost': note must be present"),
    ("loans", "There must be no difference between the fee and the fee paid.", "loans: fee must equal fee_paid"),
    (
        "loans",
        "A difference of more than 0.5 between fee and fee_paid is forbidden.",
        "loans: the absolute value of (fee - fee_paid) must be at most 0.5",
    ),
    (
        "loans",
        "The fee paid must never be more than 0.5 away from the fee.",
        "loans: fee_paid must equal fee within 0.5",
    ),
    ("loans", "Flag loans that have a note but whose fee is 0.", "loans where note is present: fee must not equal 0"),
    ("loans", "Flag loans with a note but no return date.", "loans where note is present: return_date must be present"),
    (
        "loans",
        "The share of lost loans must not exceed 5 percent.",
        "loans as a whole: the share of rows in loans with (status is 'lost') must be at most 0.05",
    ),
    (
        "loans",
        "Is the percentage of lost loans 5 % or lower?",
        "loans as a whole: the share of rows in loans with (status is 'lost') must be at most 0.05",
    ),
    ("loans", "No loan may have a loan date that is still to come.", "loans: loan_date must be no later than now"),
    (
        "loans",
        "The return date must be equal to or later than its loan date.",
        "loans: return_date must be >= loan_date",
    ),
    # what people say of themselves
    ("loans", "We never accept loans without a fee.", "loans: fee must be present"),
    ("loans", "We should never have a loan with a fee below 0.", "loans where fee is present: fee must be at least 0"),
    ("loans", "We never return anything before it has been lent.", "loans: return_date must be >= loan_date"),
    (
        "loans",
        "Nobody should ever have more than 3 loans on one day.",
        "loans: the number of rows per (member_id, the date of loan_date) must be at most 3",
    ),
    (
        "members",
        "There must be at least one lost loan for every blocked member.",
        "members where status is 'blocked': member_id must be present and member_id must be among loans.member_id (",
    ),
    (
        "members",
        "At least one loan has to exist for each active member.",
        "members where status is 'active': member_id must be present and member_id must be among loans.member_id",
    ),
]

REFUSED = [
    ("loans", "Is the fee paid above the fee?"),
    ("loans", "Does the fee paid exceed the fee?"),
    ("loans", "Do all loans not have a note?"),
    ("loans", "Isn't every loan returned?"),
    ("loans", "Do most loans have a note?"),
    ("loans", "Do some loans have a note?"),
    ("loans", "Are there more than 100 loans?"),
    ("loans", "Are there no loans without a fee?"),
    ("loans", "Are more than 10 percent of all loans lost?"),
    ("loans", "May every loan have a note?"),
    ("loans", "Is there any loan that is not returned or not lost?"),
    ("loans", "We never lose lost loans."),
    ("loans", "We do not always have a fee for every loan."),
    ("loans", "We rarely accept loans without a fee."),
    ("members", "There must be at least one loan for some members."),
    ("loans", "There must be at least one lost loan type for every member."),
]


@pytest.mark.parametrize(("table", "sentence", "echo"), UNDERSTOOD)
def test_turn_is_understood_in_its_own_sense(table: str, sentence: str, echo: str) -> None:
    assert compile_rule(sentence, TABLES, target=table).echo.startswith(echo)


@pytest.mark.parametrize(("table", "sentence"), REFUSED)
def test_sentence_that_nearly_says_it_is_refused(table: str, sentence: str) -> None:
    with pytest.raises(RuleNotUnderstood):
        compile_rule(sentence, TABLES, target=table)
