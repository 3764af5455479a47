"""Dates, ages, terms and counted things as stewards plainly write them, beside what must not be read so."""

import pytest

from pandas_magic.catalog.table import Table
from pandas_magic.errors import RuleNotUnderstood
from pandas_magic.planner.grammar.forms import EXAMPLE_TABLES
from tests.pandas_magic.planner.grammar.former import compile_rule

_DATE = "datetime64[us]"
TABLES = {
    "members": Table(
        name="members",
        columns={
            "member_id": "int64",
            "birth_date": _DATE,
            "joined_on": _DATE,
            "licence_expires_on": _DATE,
            "last_activity_on": _DATE,
            "reregistered_on": _DATE,
            "matriculated_on": _DATE,
            "credits_earned": "int64",
            "tuition_due_eur": "float64",
            "tuition_paid_eur": "float64",
            "travels_alone": "bool",
            "level": "str",
            "nickname": "str",
        },
        values={"level": ("junior", "senior")},
        keys=("member_id",),
    ),
    "owners": Table(
        name="owners", columns={"owner_id": "int64", "customer_since": _DATE, "email": "str"}, keys=("owner_id",)
    ),
    "trips": Table(
        name="trips",
        columns={"trip_id": "int64", "departure_date": _DATE, "passengers_on_board": "int64", "status": "str"},
        values={"status": ("planned", "sailed", "cancelled")},
        keys=("trip_id",),
    ),
    "bookings": Table(
        name="bookings",
        columns={
            "booking_id": "int64",
            "trip_id": "int64",
            "member_id": "int64",
            "booked_on": _DATE,
            "confirmed_on": _DATE,
            "confirmed_by": "str",
            "paid_on": _DATE,
            "payment_method": "str",
            "cabin": "str",
            "voucher_code": "str",
            "cancel_reason": "str",
            "status": "str",
            "bags": "int64",
            "children": "int64",
            "severity": "str",
            "bag_count": "int64",
        },
        values={
            "cabin": ("economy", "business"),
            "status": ("open", "confirmed", "cancelled"),
            "payment_method": ("card", "cash"),
            "severity": ("high", "low"),
        },
        keys=("booking_id",),
    ),
    "shifts": Table(
        name="shifts",
        columns={
            "shift_id": "int64",
            "permit_granted_on": _DATE,
            "permit_valid_until": _DATE,
            "starts_at": _DATE,
            "ends_at": _DATE,
            "hours_worked": "float64",
            "hours_planned": "float64",
            "defects_found": "int64",
            "kind": "str",
        },
        values={"kind": ("day", "night", "weekend")},
        keys=("shift_id",),
    ),
}
_EXPIRY = "the licence_expires_on of members by member_id"
_DEPARTURE = "the departure_date of trips by trip_id"


def _echo(sentence: str, table: str) -> str:
    return compile_rule(sentence, TABLES, target=table).echo.removeprefix(f"{table}: ")


@pytest.mark.parametrize(
    ("sentence", "echo"),
    [
        # a term of a row referred to, and of the row itself
        ("A booking must not be made after the member's licence has expired.", f"booked_on must be <= {_EXPIRY}"),
        ("Bookings must be confirmed before the member's licence runs out.", f"confirmed_on must be < {_EXPIRY}"),
        # where a row begins
        # what only the row referred to has
        ("Bookings must be made at least one day before departure.", f"booked_on must be <= ({_DEPARTURE}) - 1 day"),
        ("Bookings must be made no later than the day of departure.", f"booked_on must be <= {_DEPARTURE}"),
        # lengths
        ("Bookings must be paid no later than 9 days after they were booked.", "paid_on must be <= booked_on + 9 days"),
        (
            "The payment date must lie between 2 and 9 days after the booking date.",
            "paid_on must be >= booked_on + 2 days and paid_on must be <= booked_on + 9 days",
        ),
        # an only at the end
        ("Vouchers may be used for economy bookings only.", "voucher_code is present: cabin must be 'economy'"),
        # what a row tells
        ("Confirmed bookings must say who confirmed them.", "status is 'confirmed': confirmed_by must be present"),
        ("Cancelled bookings must say why they were cancelled.", "'cancelled': cancel_reason must be present"),
        ("Bookings must show how they were paid.", "payment_method must be present"),
        ("It must be known who confirmed a booking.", "confirmed_by must be present"),
        ("Confirmed bookings must have a confirmer.", "status is 'confirmed': confirmed_by must be present"),
        ("Business bookings must not use a voucher.", "cabin is 'business': voucher_code must be missing"),
        # things that are counted
        ("Cancelled bookings must not have any bags.", "status is 'cancelled': bags must equal 0"),
        ("Bookings without bags must be open.", "where bags equals 0: status must be 'open'"),
        ("Bookings with bags must be open.", "where bags is greater than 0: status must be 'open'"),
        ("Cancelled bookings must not have a bag count.", "status is 'cancelled': bag_count must be missing"),
        ("bags must be present", "bags must be present"),
        ("Bookings with children must be open.", "where children is greater than 0: status must be 'open'"),
        ("High severity bookings must be open.", "where severity is 'high': status must be 'open'"),
        ("Unpaid bookings must be open.", "where paid_on is missing: status must be 'open'"),
        # of the member, whose dates of birth and membership a booking has not
        ("No booking may be made before the member turned 18.", "the birth_date of members by member_id) + 18 years"),
        (
            "Members must be at least 18 on the day of the booking.",
            "the birth_date of members by member_id) + 18 years",
        ),
        ("Nobody may book a trip before joining.", "booked_on must be >= the joined_on of members by member_id"),
        ("The member's licence must be valid on the payment date.", f"{_EXPIRY} must be >= paid_on"),
        ("The member's licence must not expire before the payment.", f"{_EXPIRY} must be >= paid_on"),
        # neither, nor
        (
            "Bookings which are neither open nor cancelled must have a voucher code.",
            "status is none of 'open', 'cancelled': voucher_code must be present",
        ),
    ],
)
def test_a_booking_is_read_as_it_is_plainly_said(sentence: str, echo: str) -> None:
    assert echo in _echo(sentence, "bookings")


@pytest.mark.parametrize(
    ("sentence", "echo"),
    [
        ("The matriculation date must be later than the joining date.", "matriculated_on must be > joined_on"),
        ("Nobody may be younger than 16 on the day of matriculation.", "matriculated_on must be >= birth_date + 16 y"),
        (
            "Senior members must have re-registered within the last 200 days.",
            "reregistered_on must be present and reregistered_on must be no earlier than now - 200 days",
        ),
        (
            "Senior members must have shown activity within the last 90 days.",
            "last_activity_on must be present and last_activity_on must be no earlier than now - 90 days",
        ),
        ("Members who travel alone must be at least 12 years old.", "travels_alone is true: birth_date must be no l"),
        ("Members travelling alone must be at least 12 years old.", "travels_alone is true: birth_date must be no l"),
        ("A member must be at least 12 to travel alone.", "travels_alone is true: birth_date must be no later than"),
        ("Senior members must have earned at least 180 credits.", "'senior': credits_earned must be at least 180"),
        ("Nobody has paid more tuition than is due.", "tuition_paid_eur must be <= tuition_due_eur"),
        ("Nobody over 110 should be in members.", "birth_date must be no earlier than now - 110 years"),
        ("The licence must expire at least a year after the member joined.", "licence_expires_on must be >= joined_on"),
        (
            "The licence must run at least 2 years from the joining date.",
            "licence_expires_on must be >= joined_on + 2 ",
        ),
        (
            "Members must have a valid licence.",
            "licence_expires_on must be present and licence_expires_on must be no e",
        ),
        (
            "Members must be between 18 and 70 years old.",
            "birth_date must be no later than now - 18 years and birth_date must be no earlier than now - 70 years",
        ),
        ("Members who joined must have a nickname.", "joined_on is present: nickname must be present"),
        ("Members of the level senior must have a nickname.", "level is 'senior': nickname must be present"),
    ],
)
def test_a_member_is_read_as_it_is_plainly_said(sentence: str, echo: str) -> None:
    assert echo in _echo(sentence, "members")


@pytest.mark.parametrize(
    ("sentence", "echo"),
    [
        ("Cancelled trips must not have passengers on board.", "passengers_on_board must equal 0"),
        (
            "Sailed trips must have passengers on board.",
            "passengers_on_board must be present and passengers_on_board must be greater than 0",
        ),
        ("Unless a trip was cancelled, it must have a departure date.", "status is not 'cancelled': departure_date mu"),
    ],
)
def test_a_trip_is_read_as_it_is_plainly_said(sentence: str, echo: str) -> None:
    assert echo in _echo(sentence, "trips")


@pytest.mark.parametrize(
    ("sentence", "echo"),
    [
        ("A shift must not start before its permit was granted.", "starts_at must be >= permit_granted_on"),
        ("The permit must be valid when the shift starts.", "permit_valid_until must be >= starts_at"),
        ("Shifts must not be longer than 12 hours.", "ends_at - starts_at must be at most 12 hours"),
        ("No shift may be held after the permit has expired.", "starts_at must be <= permit_valid_until"),
        ("Nobody may work more hours than planned.", "hours_worked must be <= hours_planned"),
        ("Night shifts must have found no defects.", "kind is 'night': defects_found must equal 0"),
    ],
)
def test_a_shift_is_read_as_it_is_plainly_said(sentence: str, echo: str) -> None:
    assert echo in _echo(sentence, "shifts")


def test_who_must_have_done_it_lately_has_one_so_recent() -> None:
    """The older bookings of a trip need not be recent."""
    recent = "trip_id must be among bookings.trip_id (where booked_on is no earlier than now - 30 days)"
    assert recent in _echo("Sailed trips must have been booked within the last 30 days.", "trips")


@pytest.mark.parametrize(
    ("sentence", "table"),
    [
        # Nobody is as old as their account.
        ("Owners must be older than 18 years.", "owners"),
        ("Owners older than 18 years must have an email.", "owners"),
        # A verb that says nothing of the row, or something that no column tells.
        ("Members must have shown interest within the last 90 days.", "members"),
        ("Bookings must say who cancelled them.", "bookings"),
        ("Bookings must say why they were confirmed.", "bookings"),
        ("Members must have lost at least 180 credits.", "members"),
        ("Nobody has paid more tuition than is usual.", "members"),
        ("Members who travel often must be at least 12 years old.", "members"),
        # What has not begun was not made on that day either.
        ("Bookings that have not started must be open.", "bookings"),
        # Whose departure?
        ("Trips must be booked before arrival.", "trips"),
        ("Vouchers may be used if the cabin is economy only.", "bookings"),
        # Reserved is not begun, and what is said of hours is no number of things.
        ("A booking must not start after the member's licence has expired.", "bookings"),
        ("Night shifts must not have hours worked.", "shifts"),
        ("Fees may only be waived for economy bookings.", "bookings"),
        ("Bookings which are neither open nor nice must have a voucher code.", "bookings"),
    ],
)
def test_what_is_left_open_is_refused(sentence: str, table: str) -> None:
    with pytest.raises(RuleNotUnderstood):
        compile_rule(sentence, TABLES, target=table)


@pytest.mark.parametrize(
    ("sentence", "echo"),
    [
        (
            "The order date must lie between 2020 and 2026.",
            "orders: the year of order_date must be between 2020 and 2026",
        ),
        ("Order dates must be from 2020 to 2026.", "orders: the year of order_date must be between 2020 and 2026"),
        ("amount must be between 2020 and 2026", "orders: amount must be between 2020 and 2026"),
        ("The table must not be empty.", "orders as a whole: the number of rows in orders must be at least 1"),
    ],
)
def test_years_limit_dates_and_the_table_is_the_one_asked_about(sentence: str, echo: str) -> None:
    assert compile_rule(sentence, EXAMPLE_TABLES, target="orders").echo == echo


def test_nobody_knows_which_table_the_table_is() -> None:
    with pytest.raises(RuleNotUnderstood):
        compile_rule("The table must not be empty.", EXAMPLE_TABLES)


VISITS = {
    "members": Table(
        name="members",
        columns={"member_id": "int64", "cancelled_on": "datetime64[us]"},
        values={},
        keys=("member_id",),
    ),
    "visits": Table(
        name="visits",
        columns={
            "visit_id": "int64",
            "member_id": "int64",
            "checkin_at": "datetime64[us]",
            "left_at": "datetime64[us]",
        },
        values={},
        keys=("visit_id",),
    ),
}
_CANCELLED = "the cancelled_on of members by member_id"


@pytest.mark.parametrize(
    ("sentence", "echo"),
    [
        (
            "A member must not check in after the day the member was cancelled.",
            f"visits: the date of checkin_at must be <= the date of ({_CANCELLED})",
        ),
        (
            "checkin_at must not be after the day of the member's cancelled_on.",
            f"visits: the date of checkin_at must be <= the date of ({_CANCELLED})",
        ),
        ("checkin_at must not be after the member's cancelled_on.", f"visits: checkin_at must be <= {_CANCELLED}"),
        ("left_at must not be before checkin_at", "visits: left_at must be >= checkin_at"),
    ],
)
def test_after_the_day_is_after_all_of_that_day(sentence: str, echo: str) -> None:
    assert compile_rule(sentence, VISITS, target="visits").echo == echo
