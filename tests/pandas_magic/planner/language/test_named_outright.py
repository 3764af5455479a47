"""Names behind what they are called stand for it; what says more than the name is asked about."""

import pytest

from pandas_magic.catalog.table import Table
from pandas_magic.errors import RuleNotUnderstood
from pandas_magic.planner.language import compile_rule

RENTALS = {
    "rentals": Table(
        name="rentals",
        columns={
            "rental_id": "int64", "st": "str", "approved": "bool", "fee": "float64", "net": "float64", "tax": "float64",
            "ret_dt": "datetime64[us]", "out_dt": "datetime64[us]", "kind": "str", "note": "str",
        },
        values={"st": ("open", "closed", "void"), "kind": ("car", "van")},
        keys=("rental_id",),
    )
}  # fmt: skip


@pytest.mark.parametrize(
    ("rule", "echo"),
    [
        ("The return date of a rental (ret_dt) must not be before the day of handing out (out_dt).",
         "ret_dt must be >= out_dt"),
        ("The rental charge (fee) is required to be the sum of net and tax.",
         "fee must equal net + tax (up to rounding)"),
        ("Small rentals (kind = car) must have a note.", "where kind is 'car': note must be present"),
        ("The state of a rental shall be either open (new) or closed (done).", "st must be one of 'open', 'closed'"),
        ("The remark of the desk in column note must be filled.", "note must be present"),
        ("The agreed date ret_dt must not be before the collection date out_dt.", "ret_dt must be >= out_dt"),
        ("Every rental has to have a proper label in rental_id.", "rental_id must be present"),
    ],
)  # fmt: skip
def test_a_name_in_brackets_is_what_the_words_before_it_are(rule: str, echo: str) -> None:
    expected = f"rentals {echo}" if echo.startswith("where") else f"rentals: {echo}"
    assert compile_rule(rule, RENTALS).echo == expected


@pytest.mark.parametrize(
    "rule",
    [
        "Approved rentals (rental_id) must be unique",
        "Confirmed rentals (rental_id) must be unique",
        "Open rentals (kind = car) must have a note",
        "Every field but the return date (ret_dt) must be present",
        "The fee of void rentals (fee) must be 0",
        "Half the fee (fee) must be at most 100",
        "The double fee (fee) must be at most 100",
        "The difference of fees (fee) must be positive",
        "The old fee (fee) must be positive",
        "On approved bookings rental_id must be unique",
        "No rental except the cars (kind = car) may have a fee",
        "The state must be open (only cars) or closed",
    ],
)
def test_what_says_more_than_the_name_is_asked_about(rule: str) -> None:
    with pytest.raises(RuleNotUnderstood):
        compile_rule(rule, RENTALS)


@pytest.mark.parametrize(
    ("rule", "echo"),
    [
        ("every rental's got to have a note on it, no exceptions", "rentals: note must be present"),
        ("if somebody's approved then there has to be a note", "rentals where approved is true: note must be present"),
        ("anything in the van kind needs a note", "rentals where kind is 'van': note must be present"),
        ("the fee is never below nought", "rentals: fee must be at least 0"),
        ("the fee can't be a minus figure", "rentals: fee must be at least 0"),
    ],
)
def test_rules_as_people_say_them(rule: str, echo: str) -> None:
    assert compile_rule(rule, RENTALS).echo == echo


@pytest.mark.parametrize(
    ("rule", "doubt"),
    [
        ("Both fee and net must not be 0.", "only both together"),
        ("No rental without no note.", "without no"),
        ("kind must have 3 characters or be car", "says nothing beside"),
    ],
)
def test_what_may_be_meant_otherwise_is_asked_about(rule: str, doubt: str) -> None:
    with pytest.raises(RuleNotUnderstood, match=doubt):
        compile_rule(rule, RENTALS)


@pytest.mark.parametrize(
    ("rule", "echo"),
    [
        ("No two rentals of the syndicate shall bear the same rental_id.", "rentals: rental_id must be unique"),
        ("The fee within the stipulated bracket must be at most 100.", "rentals: fee must be at most 100"),
    ],
)
def test_words_that_name_nothing_make_a_question_of_what_the_others_say(rule: str, echo: str) -> None:
    with pytest.raises(RuleNotUnderstood, match="names nothing") as caught:
        compile_rule(rule, RENTALS)
    assert str(caught.value.readings[0]) == echo


def test_a_code_in_brackets_says_of_which_rows_the_words_before_it_speak() -> None:
    assert compile_rule("Each small rental (kind = car) must have a note.", RENTALS).echo == (
        "rentals where kind is 'car': note must be present"
    )
