"""Plain sentences about shares, sums and statistics of a table, its newest row and its columns."""

import pytest

from pandas_magic.catalog.table import Table
from pandas_magic.errors import RuleNotUnderstood
from tests.pandas_magic.planner.grammar.former import compile_rule

TABLES = {
    "lines": Table(
        name="lines",
        columns={"line_id": "int64", "line_name": "str", "max_crew": "int64", "trip_count": "int64"},
        values={},
        keys=("line_id",),
    ),
    "trips": Table(
        name="trips",
        columns={
            "trip_id": "int64",
            "line_id": "int64",
            "started_on": "datetime64[us]",
            "kind": "str",
            "status": "str",
            "phone": "str",
            "seats": "int64",
            "fare": "float64",
            "overtime_pay": "float64",
            "balance": "float64",
            "fee": "float64",
        },
        values={"kind": ("charter", "tour"), "status": ("done", "cancelled", "open")},
        keys=("trip_id",),
    ),
    "staff": Table(
        name="staff",
        columns={"staff_id": "int64", "manager_id": "int64", "department": "str", "weekly_hours": "str"},
        values={},
        keys=("staff_id",),
    ),
    "bookings": Table(
        name="bookings",
        columns={
            "booking_id": "int64",
            "line_id": "int64",
            "seat": "str",
            "booked_on": "datetime64[us]",
            "reserved_for": "datetime64[us]",
        },
        values={},
        keys=("booking_id",),
    ),
    "invoices": Table(
        name="invoices",
        columns={
            "invoice_id": "int64",
            "status": "str",
            "issued_on": "datetime64[us]",
            "due_on": "datetime64[us]",
            "net_amount": "float64",
            "discount_pct": "int64",
            "total": "float64",
        },
        values={"status": ("open", "overdue")},
        keys=("invoice_id",),
    ),
    "slips": Table(
        name="slips",
        columns={"slip_id": "int64", "crew_no": "int64", "month": "int64", "year": "int64"},
        values={},
        keys=("slip_id",),
    ),
}
_PHONE = "trips: phone must be present; at most 10 % of rows may break this"
_DONE = "the share of rows in trips with (status is 'done') must be "
_FARES = "trips as a whole: the sum of fare in trips must be at most 1000"
_SEVEN_DAYS = "(where started_on is no earlier than now - 7 days) must be at least 1"

UNDERSTOOD = [
    ("trips", "At least 9 out of 10 trips must have a phone.", _PHONE),
    ("trips", "90 % or more of the trips must have a phone.", _PHONE),
    ("trips", "For at least 90 % of the trips, a phone must be given.", _PHONE),
    ("trips", "The phone may be missing for at most 10 % of the trips.", _PHONE),
    ("trips", "The phone is missing in no more than 10 % of the rows.", _PHONE),
    (
        "trips",
        "The fare must be below 60 in 95 % of the trips.",
        "trips: fare must be less than 60; at most 5 % of rows may break this",
    ),
    ("trips", "More than half of the trips must be done.", f"{_DONE}greater than 0.5"),
    ("trips", "Done trips must make up at least 20 % of all trips.", f"{_DONE}at least 0.2"),
    ("trips", "Between 5 % and 20 % of the trips must be done.", f"{_DONE}at least 0.05"),
    (
        "trips",
        "At least three quarters of the trips must be done.",
        "trips: status must be 'done'; at most 25 % of rows may break this",
    ),
    ("trips", "The fares of all trips must add up to at most 1000.", _FARES),
    ("trips", "All fares together must not exceed 1000.", _FARES),
    (
        "trips",
        "The total fare of tours must not exceed the total fare of charters.",
        "the sum of fare in trips (where kind is 'tour') must be <= the sum of fare in trips (where kind is 'charter')",
    ),
    (
        "trips",
        "The average fare of tours must be higher than the average fare of charters.",
        "the mean of fare in trips (where kind is 'tour') must be > the mean of fare in trips (where",
    ),
    ("trips", "The mean fare of a tour must be below 9.", "the mean of fare in trips (where kind is 'tour') must be "),
    ("trips", "The 95th percentile of the fare must be below 60.", "the 0.95 quantile of fare in trips must be less"),
    ("trips", "The third quartile of fare must be at most 60.", "the 0.75 quantile of fare in trips must be at most"),
    ("trips", "In every kind, the median fare must be above 5.", "the median of fare per kind must be greater than 5"),
    ("slips", "Each crew number has exactly one slip per month.", "rows per (crew_no, `year`, `month`) must equal 1"),
    ("lines", "The number of trips must be at least the number of lines.", "must be >= the number of rows in lines"),
    ("trips", "The newest row must be at most 2 days old.", "the maximum of started_on in trips must be no earlier"),
    ("lines", "The newest row of the trips table is at most 2 days old.", "the maximum of started_on in trips must be"),
    ("trips", "At least one trip must be from the last 7 days.", f"the number of rows in trips {_SEVEN_DAYS}"),
    ("trips", "At least 10 trips must be done.", "rows in trips (where status is 'done') must be at least 10"),
    ("lines", "There must be a column crew_size in trips.", "columns of trips: must have crew_size"),
    ("trips", "There must be a column named seats.", "columns of trips: must have seats"),
    ("lines", "The columns seats and fare must exist in the trips table.", "columns of trips: must have seats, fare"),
    ("trips", "The column trips.fare must exist.", "columns of trips: must have fare"),
    ("staff", "weekly_hours contains only numbers.", "staff: weekly_hours must be readable as a number"),
    ("trips", "The fare column must exist.", "columns of trips: must have fare"),
    ("lines", "There must be no column named password in lines.", "columns of lines: must not have password"),
    ("lines", "A column called password must not exist in trips.", "columns of trips: must not have password"),
]

REFUSED = [
    ("trips", "At least two trips must be made by each line.", "would not be seen"),
    ("trips", "Cancelled trips must have no balance.", "zero, or missing"),
    ("trips", "The fares must add up to 1000.", "how they go together"),
    ("trips", "The number of lines must not exceed the maximum crew of the line.", "how they go together"),
    ("trips", "Nobody may earn less than 0.", "how they go together"),
    ("lines", "trip_count must match the trips.", "must equal the number of"),
    ("trips", "The fee of all trips must be below 5000.", "each, or all together"),
    ("bookings", "A line may only be reserved once per seat and day.", "the day of which date"),
    ("invoices", "Overdue invoices must be past their due date.", "past when"),
    ("invoices", "The total must be the net amount minus the discount.", "is a percentage"),
    ("staff", "The manager must work in the same department.", "the same as what"),
    ("staff", "weekly_hours must consist of numbers only.", "must be numeric"),
]


@pytest.mark.parametrize(("table", "sentence", "echo"), UNDERSTOOD, ids=[sentence for _, sentence, _ in UNDERSTOOD])
def test_plain_sentences_about_numbers_are_understood(table: str, sentence: str, echo: str) -> None:
    understood = compile_rule(sentence, TABLES, target=table)
    assert echo in understood.echo
    assert compile_rule(understood.echo, TABLES).constraint == understood.constraint


@pytest.mark.parametrize(("table", "sentence", "why"), REFUSED, ids=[sentence for _, sentence, _ in REFUSED])
def test_sentences_that_nobody_means_so_are_refused(table: str, sentence: str, why: str) -> None:
    with pytest.raises(RuleNotUnderstood, match=why):
        compile_rule(sentence, TABLES, target=table)
