"""How auditors forbid and offenders are asked for: the same conditions in every frame, and what is close to them."""

import pytest

from pandas_magic.catalog.table import Table
from pandas_magic.errors import RuleNotUnderstood
from tests.pandas_magic.planner.grammar.former import compile_rule

TABLES = {
    "guests": Table(
        name="guests",
        columns={"guest_id": "int64", "email": "str", "phone": "str", "badge_code": "str", "points": "int64"},
        values={},
        keys=("guest_id",),
    ),
    "stays": Table(
        name="stays",
        columns={
            "stay_id": "int64",
            "guest_id": "int64",
            "price": "float64",
            "status": "str",
            "arrived_on": "datetime64[us]",
            "left_on": "datetime64[us]",
        },
        values={"status": ("booked", "cancelled", "paid")},
        keys=("stay_id",),
    ),
}

GUESTS = [
    ("It is not permitted to keep a guest without a phone.", "phone must be present"),
    ("It shall be prohibited that a guest has no phone.", "phone must be present"),
    ("It shall not be accepted that a guest has no phone.", "phone must be present"),
    ("It is not acceptable for a phone to be missing.", "phone must be present"),
    ("It is a finding if a guest has no phone.", "phone must be present"),
    ("It is inadmissible to store guests without a phone.", "phone must be present"),
    ("The absence of a phone is a finding.", "phone must be present"),
    ("The lack of a phone or an email is not permitted.", "phone must be present and email must be present"),
    ("The guests table shall contain no guest without a phone.", "phone must be present"),
    ("No guest is permitted without a phone.", "phone must be present"),
    ("A missing phone is inadmissible.", "phone must be present"),
    ("Guests lacking a phone constitute a finding.", "phone must be present"),
    ("I want to see all guests without a phone.", "phone must be present"),
    ("Give me a list of all guests without a phone.", "phone must be present"),
    ("Pull all guests without a phone.", "phone must be present"),
    ("List the guest ids of guests without a phone.", "phone must be present"),
    ("List guests that lack a phone, an email or both.", "phone must be present and email must be present"),
    ("Flag guests with a missing phone or email.", "phone must be present and email must be present"),
    ("An empty phone is not acceptable.", "phone must be present and phone must not be ''"),
    ("Badge codes that deviate from two capital letters and four digits are prohibited.", r"match /[A-Z]{2}\d{4}/"),
    ("Badge codes must follow the format of two capital letters and four digits.", r"match /[A-Z]{2}\d{4}/"),
    ("Badge codes in any other format than two capital letters and four digits are invalid.", r"match /[A-Z]{2}\d{4}/"),
    ("badge_code has the format AA9999, i.e. two capital letters and then four digits.", r"match /[A-Z]{2}\d{4}/"),
    ("Badge codes start with two capital letters and end with four digits, nothing in between.", r"/[A-Z]{2}\d{4}/"),
]
WHOLE = [
    ("Report if the stays table has fewer than 20 or more than 40 rows.", "the number of rows in stays"),
    ("Are there between 20 and 40 stays in the table?", "the number of rows in stays"),
    ("The stays table shall hold no fewer than 20 and no more than 40 records.", "the number of rows in stays"),
    ("It is not permitted that there are fewer than 20 or more than 40 stays.", "the number of rows in stays"),
]
MEANS = [
    "Check that the average price of all stays is at least 20 and at most 40.",
    "Report it if the mean of price is below 20 or above 40.",
    "An average price under 20 or over 40 is not acceptable.",
    "Is the average price of all stays from 20 to 40?",
]
STAYS = [
    ("There must be at most 9 days between arrived_on and left_on.", "left_on - arrived_on must be at most 9 days"),
    ("The period from arrived_on to left_on shall not exceed 9 days.", "left_on - arrived_on must be at most 9 days"),
    ("Check that at most 9 days lie between arrived_on and left_on.", "left_on - arrived_on must be at most 9 days"),
    ("No more than 9 days may pass between arrived_on and left_on.", "left_on - arrived_on must be at most 9 days"),
    (
        "Report stays with more than 9 days between arrived_on and left_on.",
        "left_on - arrived_on must be at most 9 days",
    ),
    (
        "No stay may have more than 9 days between arrived_on and left_on.",
        "left_on - arrived_on must be at most 9 days",
    ),
    (
        "There must not be more than 4 stays with the same guest_id.",
        "the number of rows per guest_id must be at most 4",
    ),
    ("It is not permitted that there are more than 4 stays for one guest.", "rows per guest_id must be at most 4"),
    ("Find stays whose guest_id occurs more than 4 times.", "the number of rows per guest_id must be at most 4"),
    ("For each guest, the sum of price has to be 900 or less.", "the sum of price per guest_id must be at most 900"),
    (
        "The total price of a guest must not exceed 900 in a month of arrived_on.",
        "the sum of price per (guest_id, the year of arrived_on, the month of arrived_on) must be at most 900",
    ),
    (
        "Monthly totals of price per guest, by arrived_on, above 900 are not permitted.",
        "the sum of price per (guest_id, the year of arrived_on, the month of arrived_on) must be at most 900",
    ),
    (
        "The price of a guest summed up over each month of arrived_on is at most 900.",
        "the sum of price per (guest_id, the year of arrived_on, the month of arrived_on) must be at most 900",
    ),
]
SUMS = [
    "The gross of each bill must equal the sum of net and tax.",
    "Check that net plus tax gives gross.",
    "Any difference between gross and the sum of net and tax is not permitted.",
    "Report bills where net and tax do not add up to gross.",
    "Report bills where the sum of net and tax is not gross.",
    "There shall be no difference between gross and net plus tax.",
    "Net and tax together must equal gross.",
]
BILLS = {
    "bills": Table(
        name="bills",
        columns={"bill_id": "int64", "net": "int64", "tax": "int64", "gross": "int64", "due_on": "datetime64[us]"},
        values={},
        keys=("bill_id",),
    )
}
REFUSED = [
    ("guests", "No guest may lack a phone or an email."),
    ("stays", "More than 9 days may pass between arrived_on and left_on."),
    ("stays", "At most 9 days must not lie between arrived_on and left_on."),
    ("stays", "It is an error if there are fewer than 4 stays per guest."),
    ("stays", "There must not be fewer than 2 stays per guest."),
    ("stays", "A guest_id may occur more than four times."),
    ("stays", "A guest_id must be used at least 3 times."),
    ("stays", "Monthly totals of price above 900 per guest are permitted."),
    ("stays", "The total price of a guest may exceed 900 in a month of arrived_on."),
    ("guests", "It is permitted to keep a guest without a phone."),
    ("guests", "It is not prohibited that a guest has no phone."),
    ("guests", "It is not required to have a phone."),
    ("guests", "It is not permitted to keep only guests without a phone."),
    ("guests", "The absence of a phone is no finding."),
    ("guests", "The absence of a phone is not a finding."),
    ("guests", "badge_code has the format AA999, i.e. two capital letters and then four digits."),
    ("stays", "Are there more than 40 stays?"),
    ("stays", "Is the average price below 40?"),
    ("stays", "Report it if the mean of price is above 20 or below 40."),
]


@pytest.mark.parametrize(("rule", "echo"), GUESTS, ids=[rule for rule, _ in GUESTS])
def test_guests_are_judged_as_said(rule: str, echo: str) -> None:
    found = compile_rule(rule, TABLES, target="guests").echo
    assert found.startswith("guests: ")
    assert found.endswith(echo)


@pytest.mark.parametrize(("rule", "echo"), WHOLE, ids=[rule for rule, _ in WHOLE])
def test_a_whole_table_is_judged_in_every_frame(rule: str, echo: str) -> None:
    assert compile_rule(rule, TABLES, target="stays").echo == f"stays as a whole: {echo} must be between 20 and 40"


@pytest.mark.parametrize(("rule", "echo"), STAYS, ids=[rule for rule, _ in STAYS])
def test_stays_are_judged_as_said(rule: str, echo: str) -> None:
    found = compile_rule(rule, TABLES, target="stays").echo
    assert found.startswith("stays: ")
    assert echo in found


@pytest.mark.parametrize("rule", SUMS)
def test_a_sum_of_columns_stands_everywhere(rule: str) -> None:
    echo = compile_rule(rule, BILLS).echo.removesuffix(" (up to rounding)")
    assert echo in ("bills: gross must equal net + tax", "bills: net + tax must equal gross")


@pytest.mark.parametrize("rule", MEANS)
def test_a_statistic_is_judged_in_every_frame(rule: str) -> None:
    echo = compile_rule(rule, TABLES, target="stays").echo
    assert "the mean of price in stays must be at least 20" in echo
    assert "the mean of price in stays must be at most 40" in echo


@pytest.mark.parametrize(("table", "rule"), REFUSED, ids=[rule for _, rule in REFUSED])
def test_what_is_close_is_refused(table: str, rule: str) -> None:
    with pytest.raises(RuleNotUnderstood):
        compile_rule(rule, TABLES, target=table)


def test_the_ids_asked_for_are_not_what_is_judged() -> None:
    echo = compile_rule("Show the stay_id of stays with a price above 60.", TABLES, target="stays").echo
    assert echo == "stays where price is present: price must be at most 60"
