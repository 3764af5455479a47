"""What rows must be, have and tell, and on which day, as stewards plainly write it; beside what must not be read so."""

import pytest

from pandas_magic.catalog.table import Table
from pandas_magic.errors import RuleNotUnderstood
from tests.pandas_magic.planner.grammar.former import compile_rule

_DATE = "datetime64[us]"
TABLES = {
    "pupils": Table(
        name="pupils",
        columns={
            "pupil_id": "int64",
            "birth_date": _DATE,
            "enrolled_since": _DATE,
            "takes_bus": "bool",
            "newsletter": "bool",
            "bus_stop": "str",
            "status": "str",
        },
        values={"status": ("active", "suspended")},
        keys=("pupil_id",),
    ),
    "trips": Table(
        name="trips",
        columns={
            "trip_id": "int64",
            "pupil_id": "int64",
            "starts_on": _DATE,
            "ends_on": _DATE,
            "approved_on": _DATE,
            "approved_by": "str",
            "checked_by": "str",
            "driver_birth_date": _DATE,
            "payment_method": "str",
            "seats_sold": "int64",
            "seats_offered": "int64",
            "guests_present": "int64",
            "sales_price": "float64",
            "refund_eur": "float64",
            "parent_email": "str",
            "cancel_reason": "str",
            "status": "str",
        },
        values={"status": ("running", "draft", "cancelled"), "payment_method": ("card", "invoice")},
        keys=("trip_id",),
    ),
    "calls": Table(
        name="calls",
        columns={"call_id": "int64", "ship_id": "int64", "arrived_on": _DATE, "departed_on": _DATE},
        keys=("call_id",),
    ),
    "ships": Table(
        name="ships", columns={"ship_id": "int64", "built_on": _DATE, "last_surveyed_on": _DATE}, keys=("ship_id",)
    ),
    "cargo": Table(
        name="cargo", columns={"cargo_id": "int64", "call_id": "int64", "loaded_on": _DATE}, keys=("cargo_id",)
    ),
    "performances": Table(
        name="performances",
        columns={"performance_id": "int64", "performed_on": _DATE, "doors_open_at": _DATE, "kind": "str"},
        values={"kind": ("opera", "ballet")},
        keys=("performance_id",),
    ),
    "tickets": Table(
        name="tickets",
        columns={"ticket_id": "int64", "performance_id": "int64", "sold_on": _DATE, "fee": "float64"},
        keys=("ticket_id",),
    ),
}
_SHOW = "the performed_on of performances by performance_id"


@pytest.mark.parametrize(
    ("table", "sentence", "echo"),
    [
        # what has begun on its planned day
        (
            "trips",
            "Running trips must have started.",
            "starts_on must be present and starts_on must be no later than now",
        ),
        ("trips", "Draft trips must not have started.", "status is 'draft': starts_on must be after now"),
        ("trips", "Running trips must not have ended.", "status is 'running': ends_on must be no earlier than now"),
        ("trips", "Trips must be at most 10 days long.", "ends_on - starts_on must be at most 10 days"),
        (
            "trips",
            "Trips must be approved 9 days before they start at the latest.",
            "approved_on must be <= starts_on - 9",
        ),
        # of whom the birth date is
        ("trips", "The driver must be at least 21 years old on the day of approval.", "driver_birth_date + 21 years"),
        # what a row tells
        (
            "trips",
            "Running trips must say who approved them and when.",
            "approved_by must be present and approved_on must be present",
        ),
        ("trips", "Running trips must have been checked.", "status is 'running': checked_by must be present"),
        ("trips", "Cancelled trips must give a cancel reason.", "status is 'cancelled': cancel_reason must be present"),
        ("trips", "Running trips must have a parent email.", "status is 'running': parent_email must be present"),
        ("trips", "Cancelled trips must have a refund amount above 0.", "refund_eur must be greater than 0"),
        # a value that only some may have
        ("trips", "Payment by invoice is only possible for running trips.", "'invoice': status must be 'running'"),
        # counted things
        (
            "trips",
            "Cancelled trips must not have sold any seats.",
            "status is 'cancelled': seats_sold must be at most 0",
        ),
        ("trips", "No trip may sell more seats than it offers.", "seats_sold must be <= seats_offered"),
        (
            "trips",
            "Cancelled trips must not have guests present.",
            "status is 'cancelled': guests_present must equal 0",
        ),
        ("trips", "Cancelled trips must not have a sales price.", "status is 'cancelled': sales_price must be missing"),
        # verbs in the names of columns of true and false
        ("pupils", "Pupils who take the bus must have a bus stop.", "takes_bus is true: bus_stop must be present"),
        ("pupils", "A bus stop may be given for pupils who take the bus only.", "is present: takes_bus must be true"),
        ("pupils", "Suspended pupils must not receive the newsletter.", "newsletter must not be true"),
        # rows by what they are called
        (
            "performances",
            "Ballet performances must be in the future.",
            "kind is 'ballet': performed_on must be after now",
        ),
        ("tickets", "Tickets must not be sold after the performance.", f"sold_on must be <= {_SHOW}"),
        # what happened to the row between
        ("cargo", "Cargo must not be loaded before the ship arrived.", "loaded_on must be >= the arrived_on of calls"),
        ("cargo", "Cargo must not be loaded after departure.", "loaded_on must be <= the departed_on of calls"),
        ("ships", "No ship may be older than 40 years.", "built_on must be no earlier than now - 40 years"),
    ],
)
def test_it_is_read_as_it_is_plainly_said(table: str, sentence: str, echo: str) -> None:
    assert echo in compile_rule(sentence, TABLES, target=table).echo


@pytest.mark.parametrize(
    ("table", "sentence"),
    [
        # A ship departs from a berth after it has arrived there; a flight arrives after it departed.
        ("calls", "Calls must not be longer than 30 days."),
        ("calls", "Calls must not last longer than 30 days."),
        # A fee of 0 has not been charged, and may be there all the same.
        ("tickets", "A fee may be charged for opera tickets only."),
        ("trips", "A fee may only be waived for running trips."),
        ("pupils", "Pupils who take the tram must have a bus stop."),
        ("trips", "Running trips must say who approved them and why."),
        ("trips", "Running trips must have been painted."),
        ("cargo", "Cargo must not be loaded before the captain arrived."),
        ("cargo", "Cargo must not be loaded after dinner."),
    ],
)
def test_what_no_column_tells_is_refused(table: str, sentence: str) -> None:
    with pytest.raises(RuleNotUnderstood):
        compile_rule(sentence, TABLES, target=table)
