"""Plain sentences about rows that refer to each other: understood in their sense, what could mislead refused."""

import pytest

from pandas_magic.catalog.table import Table
from pandas_magic.errors import RuleNotUnderstood
from tests.pandas_magic.planner.grammar.former import compile_rule

DATE = "datetime64[us]"
TABLES = {
    "aircraft": Table(
        name="aircraft",
        columns={"aircraft_id": "int64", "seats": "int64", "status": "str"},
        values={"status": ("in_service", "retired")},
        keys=("aircraft_id",),
    ),
    "passengers": Table(
        name="passengers",
        columns={"passenger_id": "int64", "guardian_id": "float64", "no_fly": "bool"},
        keys=("passenger_id",),
    ),
    "flights": Table(
        name="flights",
        columns={
            "flight_id": "int64",
            "aircraft_id": "float64",
            "departure_date": DATE,
            "arrival_date": DATE,
            "landed_on": DATE,
            "status": "str",
            "passengers_on_board": "float64",
            "booked_seats": "int64",
            "bag_count": "int64",
            "bag_limit": "int64",
            "gate": "str",
            "dispatcher_email": "str",
        },
        values={"status": ("scheduled", "landed", "cancelled")},
        keys=("flight_id",),
    ),
    "payments": Table(
        name="payments",
        columns={
            "payment_id": "int64",
            "flight_id": "int64",
            "amount_eur": "float64",
            "fee_eur": "float64",
            "paid_on": DATE,
            "approved_by": "str",
        },
        keys=("payment_id",),
    ),
    "bookings": Table(
        name="bookings",
        columns={
            "booking_id": "int64",
            "flight_id": "int64",
            "passenger_id": "int64",
            "seat": "str",
            "bags": "int64",
            "booked_on": DATE,
            "checked_on": DATE,
            "status": "str",
            "paid": "bool",
            "leader": "bool",
            "sponsor_id": "float64",
            "checked_by": "float64",
            "gate": "str",
        },
        values={"status": ("confirmed", "flown", "cancelled")},
        keys=("booking_id",),
    ),
}
_AIRCRAFT = "flights: aircraft_id must be present and aircraft_id must be among aircraft.aircraft_id"
_WHERE_NAMED = "flights where aircraft_id is present: aircraft_id must be among aircraft.aircraft_id"
_GUARDIAN = "passengers: guardian_id must be among passengers.passenger_id"
_NOT_CANCELLED = (
    "flights: booked_seats must equal the number of rows in bookings (where status is not 'cancelled') by flight_id"
)
_NO_FLY = (
    "bookings where status is 'confirmed': passenger_id must not be among passengers.passenger_id "
    "(where no_fly is true)"
)
_CHILDREN = "flights: booked_seats must equal the number of rows in bookings by flight_id"
_PER_DAY = "flights: the number of rows per (aircraft_id, the date of {0}) must be at most {1}"

UNDERSTOOD = [
    # Any verb, where the row is said to be there.
    ("flights", "Each flight must be flown by an existing aircraft.", _AIRCRAFT),
    ("flights", "Every flight must go out with an aircraft that exists.", _AIRCRAFT),
    ("flights", "Flights must be operated with an aircraft that is in the aircraft table.", _AIRCRAFT),
    ("flights", "Each flight must use an aircraft we have on record.", _AIRCRAFT),
    (
        "flights",
        "Flights may only use aircraft that are in service.",
        "flights: aircraft_id must be among aircraft.aircraft_id (where status is 'in_service')",
    ),
    ("flights", "Flights must not use unknown aircraft.", "flights: aircraft_id must be among aircraft.aircraft_id"),
    (
        "flights",
        "Scheduled flights must not be assigned to retired aircraft.",
        "flights where status is 'scheduled': aircraft_id must not be among aircraft.aircraft_id "
        "(where status is 'retired')",
    ),
    (
        "flights",
        "Flights should not go out with retired aircraft.",
        "flights: aircraft_id must not be among aircraft.aircraft_id (where status is 'retired')",
    ),
    # One of them, and not the number 1.
    ("flights", "The aircraft of a flight must be one from the aircraft table.", _AIRCRAFT),
    ("flights", "If a flight has an aircraft assigned, it must be one from the aircraft table.", _WHERE_NAMED),
    ("flights", "If a flight has an aircraft, that aircraft must exist.", _WHERE_NAMED),
    ("passengers", "Guardians must themselves be listed as passengers.", _GUARDIAN),
    ("passengers", "A guardian, where given, is always one from the passengers table.", _GUARDIAN),
    ("passengers", "A guardian, if given, must be one of our passengers.", _GUARDIAN),
    ("passengers", "A passenger's guardian must also be in the passengers table.", _GUARDIAN),
    # The day of what happens.
    (
        "flights",
        "An aircraft may not have more than 2 flights departing on the same day.",
        _PER_DAY.format("departure_date", 2),
    ),
    (
        "flights",
        "No aircraft may have more than 2 flights arriving on the same day.",
        _PER_DAY.format("arrival_date", 2),
    ),
    (
        "flights",
        "No more than two flights per aircraft may arrive on the same day.",
        _PER_DAY.format("arrival_date", 2),
    ),
    ("flights", "At most two departures per aircraft per day.", _PER_DAY.format("departure_date", 2)),
    ("flights", "At most one arrival per aircraft per day.", _PER_DAY.format("arrival_date", 1)),
    (
        "flights",
        "No dispatcher gets more than three flights departing on the same day.",
        "flights: the number of rows per (dispatcher_email, the date of departure_date) must be at most 3",
    ),
    (
        "bookings",
        "A passenger may not check more than 3 bookings on the same day.",
        "bookings: the number of rows per (passenger_id, the date of checked_on) must be at most 3",
    ),
    (
        "bookings",
        "The same seat must not be given away twice on one flight.",
        "bookings: (seat, flight_id) must be unique",
    ),
    (
        "bookings",
        "A passenger may book on the same flight only once.",
        "bookings: (passenger_id, flight_id) must be unique",
    ),
    # How many, and how many of which.
    (
        "flights",
        "booked_seats must equal the number of bookings on that flight which are not cancelled.",
        _NOT_CANCELLED,
    ),
    ("flights", "booked_seats must match how many bookings were made for it.", _CHILDREN),
    ("flights", "booked_seats must match how many bookings there are for the flight.", _CHILDREN),
    ("flights", "booked_seats must equal the number of bookings booked for that flight.", _CHILDREN),
    ("flights", "booked_seats must equal the number of times the flight was booked.", _CHILDREN),
    (
        "flights",
        "booked_seats must match how many of its bookings are confirmed.",
        "flights: booked_seats must equal the number of rows in bookings (where status is 'confirmed') by flight_id",
    ),
    (
        "flights",
        "No flight may carry more passengers than its aircraft has seats.",
        "flights: passengers_on_board must be <= the seats of aircraft by aircraft_id",
    ),
    (
        "flights",
        "A flight cannot have more bookings than its aircraft has seats.",
        "flights: the number of rows in bookings by flight_id must be <= the seats of aircraft by aircraft_id",
    ),
    ("bookings", "Nobody may take more than 5 bags on one booking.", "bookings: bags must be at most 5"),
    ("passengers", "A guardian must be a known one.", _GUARDIAN),
    (
        "bookings",
        "A flight may not be checked more than once a day.",
        "bookings: (flight_id, the date of checked_on) must be unique",
    ),
    (
        "bookings",
        "A passenger may not book more than 3 flights on the same day.",
        "bookings: the number of rows per (passenger_id, the date of booked_on) must be at most 3",
    ),
    (
        "bookings",
        "No one may check more than 20 bookings on the same day.",
        "bookings: the number of rows per (checked_by, the date of checked_on) must be at most 20",
    ),
    (
        "bookings",
        "A passenger may not have two confirmed bookings.",
        "bookings where status is 'confirmed': the number of rows per passenger_id must be at most 1",
    ),
    (
        "flights",
        "booked_seats must match how many bookings belong to the flight.",
        "flights: booked_seats must equal the number of rows in bookings by flight_id",
    ),
    (
        "flights",
        "booked_seats must match how many bookings the flight has not cancelled.",
        _NOT_CANCELLED,
    ),
    (
        "bookings",
        "Each booking must be checked by an existing passenger.",
        "bookings: checked_by must be present and checked_by must be among passengers.passenger_id",
    ),
    (
        "bookings",
        "A seat may not be ordered twice on one flight.",
        "bookings: (seat, flight_id) must be unique",
    ),
    (
        "bookings",
        "A booking cannot have more bags than its flight allows.",
        "bookings: bags must be <= the bag_limit of flights by flight_id",
    ),
    (
        "bookings",
        "The bags of a passenger's bookings may not add up to more than 9 on one day.",
        "bookings: the sum of bags per (passenger_id, the date of booked_on) must be at most 9 (up to rounding)",
    ),
    (
        "bookings",
        "A booking must have the same gate as its flight.",
        "bookings: gate must equal the gate of flights by flight_id",
    ),
    (
        "flights",
        "The payments of a flight may not add up to more than 100.",
        "flights: the sum of amount_eur in payments by flight_id must be at most 100 (up to rounding)",
    ),
    (
        "flights",
        "The amounts of a flight's payments may not add up to more than 100.",
        "flights: the sum of amount_eur in payments by flight_id must be at most 100 (up to rounding)",
    ),
    (
        "bookings",
        "A seat may be put on a flight only once.",
        "bookings: (seat, flight_id) must be unique",
    ),
    (
        "bookings",
        "Only one leader per flight.",
        "bookings where leader is true: the number of rows per flight_id must be at most 1",
    ),
    (
        "bookings",
        "A flight may have only one leader.",
        "bookings where leader is true: the number of rows per flight_id must be at most 1",
    ),
    (
        "bookings",
        "A sponsor must be a passenger we know.",
        "bookings: sponsor_id must be present and sponsor_id must be among passengers.passenger_id",
    ),
    (
        "bookings",
        "A sponsor, if given, must be one from the passengers table.",
        "bookings: sponsor_id must be among passengers.passenger_id",
    ),
    ("bookings", "No two bookings on one flight may share a seat.", "bookings: (flight_id, seat) must be unique"),
    (
        "bookings",
        "No flight may list a passenger more than once.",
        "bookings: (flight_id, passenger_id) must be unique",
    ),
    (
        "flights",
        "The bags of a flight's bookings must not exceed its bag count in total.",
        "flights: the sum of bags in bookings by flight_id must be <= bag_count (up to rounding)",
    ),
    ("bookings", "There should be no confirmed bookings from passengers on the no-fly list.", _NO_FLY),
    ("bookings", "Passengers who are on the no-fly list must not have any confirmed bookings.", _NO_FLY),
]
REFUSED = [
    # The verb could say which rows are meant, or is a step or a value.
    ("flights", "Each flight must replace an existing aircraft."),
    ("bookings", "Each booking must be confirmed by an existing passenger."),
    ("flights", "No flight may use an existing aircraft."),
    ("bookings", "A passenger may not book more than 3 flights."),
    ("flights", "A passenger may not have three confirmed bookings."),
    ("bookings", "Every scheduled flight must contain at least one passenger."),
    ("flights", "Flights must not be painted with retired aircraft."),
    # That there is one is not said.
    ("flights", "Each flight must be flown by an aircraft."),
    ("flights", "An aircraft may not cancel more than 3 flights on the same day."),
    # Which day?
    ("flights", "No aircraft may have more than 2 landed flights on the same day."),
    ("bookings", "flight_id must be one."),
    ("bookings", "A seat may not be ordered twice."),
    # Two flights of theirs, or two of them?
    ("bookings", "A passenger may not see two flights on the same day."),
    # When it was approved is not known.
    ("payments", "No one may approve more than 20 payments on the same day."),
    ("bookings", "The same seat may not be cancelled twice on one flight."),
    ("bookings", "A booking may have the same gate as its flight."),
    ("bookings", "At most three bookings per passenger on the same weekday."),
    ("flights", "At most two arrivals per aircraft."),
    # "Which is" could be the flight.
    ("flights", "booked_seats must equal the number of bookings on that flight which is not cancelled."),
    ("flights", "booked_seats must match how many bookings were repeated for it."),
    ("flights", "booked_seats must match how many bookings were checked for it."),
    ("bookings", "There should be no confirmed bookings from passengers on the waiting list."),
    ("flights", "the distinct count of departure_date per (aircraft_id, the date of departure_date) must be at most 1"),
]


@pytest.mark.parametrize(("table", "text", "echo"), UNDERSTOOD, ids=[text for _, text, _ in UNDERSTOOD])
def test_a_turn_is_understood(table: str, text: str, echo: str) -> None:
    found = compile_rule(text, TABLES, target=table)
    assert found.echo == echo
    assert compile_rule(found.echo, TABLES).constraint == found.constraint


@pytest.mark.parametrize(("table", "text"), REFUSED, ids=[text for _, text in REFUSED])
def test_a_near_miss_is_refused(table: str, text: str) -> None:
    with pytest.raises(RuleNotUnderstood):
        compile_rule(text, TABLES, target=table)
