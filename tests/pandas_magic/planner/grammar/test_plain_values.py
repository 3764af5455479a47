"""Plain sentences about values: two limits on a number, what we do only, shapes of codes in words, what is left out."""

import pytest

from pandas_magic.catalog.table import Table
from pandas_magic.errors import RuleNotUnderstood
from tests.pandas_magic.planner.grammar.former import compile_rule

TABLES = {
    "trips": Table(
        name="trips",
        columns={
            "trip_id": "int64",
            "boat_code": "str",
            "seats": "int64",
            "crew_count": "int64",
            "cargo_kg": "float64",
            "hold_temp_c": "float64",
            "fuel": "str",
            "currency": "str",
            "origin": "str",
            "destination": "str",
            "status": "str",
            "sailed_on": "datetime64[us]",
            "returned_on": "datetime64[us]",
            "comfort": "float64",
            "wave_height": "str",
            "permit_no": "str",
            "radio_phone": "str",
            "eta_slack": "float64",
        },
        values={
            "fuel": ("diesel", "electric", "hybrid"),
            "currency": ("EUR", "NOK", "SEK"),
            "origin": ("OSL", "BGO", "SVG"),
            "destination": ("OSL", "AAL", "HIR"),
            "status": ("planned", "sailed", "cancelled"),
        },
        keys=("trip_id",),
    ),
    "claims": Table(
        name="claims",
        columns={"claim_id": "int64", "trip_id": "int64", "amount": "float64"},
        values={},
        keys=("claim_id",),
    ),
}
_SEATS = "trips: seats must be between 4 and 60"
_CREW = "trips: crew_count must be between 2 and 9"
_HOLD = "trips: hold_temp_c must be between -2 and 8"
_MONEY = "trips: currency must be one of 'EUR', 'NOK', 'SEK'"
_FUEL = "trips: fuel must be one of 'diesel', 'electric', 'hybrid'"

UNDERSTOOD = [
    ("A trip must have at least 4 and at most 60 seats.", _SEATS),
    ("A trip must have between 4 and 60 seats.", _SEATS),
    ("No trip has fewer than 4 or more than 60 seats.", _SEATS),
    ("Trips may have 4 to 60 seats.", _SEATS),
    ("A trip may have no more than 60 seats.", "trips: seats must be at most 60"),
    ("No trip carries fewer than 2 or more than 9 crew.", _CREW),
    ("No trip may have fewer than 2 or more than 9 crew.", _CREW),
    (
        "A trip must have at least 1 and at most 3 claims.",
        "trips: the number of rows in claims by trip_id must be between 1 and 3",
    ),
    ("No trip may be kept below -2 or above 8 degrees.", _HOLD),
    ("Trips have to be held between -2 and 8 degrees.", _HOLD),
    ("No trip has less than 5 or more than 900 kg.", "trips: cargo_kg must be between 5 and 900"),
    ("We only sell tickets in EUR, NOK and SEK.", _MONEY),
    ("Trips are only sold in EUR, NOK or SEK.", _MONEY),
    ("Trips are sold in EUR, NOK and SEK only.", _MONEY),
    ("We do not sell trips in any currency other than EUR, NOK and SEK.", _MONEY),
    ("We only operate diesel, electric and hybrid trips.", _FUEL),
    ("We only run diesel, electric and hybrid.", _FUEL),
    ("We only ship to OSL and AAL.", "trips: destination must be one of 'OSL', 'AAL'"),
    ("We only send trips from OSL and SVG.", "trips: origin must be one of 'OSL', 'SVG'"),
    ("Boat codes must be B, a dash and four digits.", r"trips: boat_code must match /B-\d{4}/"),
    ("Boat codes must be BT and four digits.", r"trips: boat_code must match /BT\d{4}/"),
    ("Boat codes are four digits followed by N or S.", r"trips: boat_code must match /\d{4}[NS]/"),
    ("Boat codes start with NO or SE, followed by three digits.", r"trips: boat_code must match /(NO|SE)\d{3}/"),
    ("Boat codes must be NO, SE or DK followed by one digit.", r"trips: boat_code must match /(NO|SE|DK)\d/"),
    ("A boat code is two digits followed by a letter from A to F.", r"trips: boat_code must match /\d{2}[A-F]/"),
    ("trips.boat_code contains a code of two to four capital letters.", "trips: boat_code must match /[A-Z]{2,4}/"),
    ("The origin is a three-letter harbour code in capitals.", "trips: origin must match /[A-Z]{3}/"),
    (
        "Boat codes must not contain the letters I, O or Q.",
        "trips: boat_code must not contain 'I' and boat_code must not contain 'O' and boat_code must not contain 'Q'",
    ),
    (
        "Boat codes must end in N or S.",
        "trips: it must hold that boat_code ends with 'N' or boat_code ends with 'S'",
    ),
    (
        "Boat codes must be 7 characters long and contain only capital letters and digits.",
        "trips: boat_code must match /[A-Z0-9]{7}/",
    ),
    ("A boat code may only contain capital letters, digits and dashes.", r"trips: boat_code must match /[A-Z0-9\-]+/"),
    ("The radio phone must start with + and have 8 to 12 digits.", r"trips: radio_phone must match /\+\d{8,12}/"),
    ("The radio phone starts with +47 and then has 8 digits.", r"trips: radio_phone must match /\+47\d{8}/"),
    (
        "The radio phone must start with + and contain only digits after that.",
        r"trips: radio_phone must match /\+[0-9]+/",
    ),
    (
        "The wave height must be a number; trips without a wave are ignored.",
        "trips: wave_height must be readable as a number",
    ),
    ("trips.wave_height contains only numbers.", "trips: wave_height must be readable as a number"),
    ("The wave height must be a number.", "trips: wave_height must be readable as a number"),
    ("trips.permit_no contains only numbers.", r"trips: permit_no must match /\d+/"),
    ("Comfort must be a score from 1 to 5; unrated trips are allowed.", "trips: comfort must be between 1 and 5"),
    ("A comfort score must be between 1 and 5.", "trips: comfort must be between 1 and 5"),
    ("Comfort is never below 1 or above 5.", "trips: comfort must be between 1 and 5"),
    ("Comfort is not negative or above 5.", "trips: comfort must be between 0 and 5"),
    ("The fuel is never missing or empty.", "trips: fuel must be present and fuel must not be ''"),
    ("The eta slack must not be negative nor above 30.", "trips: eta_slack must be between 0 and 30"),
    ("No trip has more than 9 crew.", "trips: crew_count must be at most 9"),
    ("Our trips run on diesel, electric or hybrid.", _FUEL),
    ("No trip may be anything but diesel, electric or hybrid.", _FUEL),
    ("Trips must have diesel, electric or hybrid fuel.", _FUEL),
    ("We do not ship to HIR.", "trips: destination must not be 'HIR'"),
    ("We no longer operate diesel and hybrid.", "trips: fuel must be none of 'diesel', 'hybrid'"),
    ("Boat codes must be three numbers separated by dots.", r"trips: boat_code must match /\d+(\.\d+){2}/"),
    (
        "Boat codes must contain an @ and a dot.",
        "trips: boat_code must contain '@' and boat_code must contain '.'",
    ),
    (
        "Boat codes must not be shorter than 3 or longer than 9 characters.",
        "trips: the length of boat_code must be between 3 and 9",
    ),
    (
        "Permit number and radio phone must not both be empty.",
        "trips: it must hold that permit_no is present or radio_phone is present",
    ),
    ("Boat codes must not contain spaces.", r"trips: boat_code must not match /(.|\n)*\s(.|\n)*/"),
    ("Boat codes must contain at least two digits.", r"trips: boat_code must match /(.*\d){2}.*/"),
    ("Boat codes must contain at least two letters.", "trips: boat_code must match /(.*[A-Za-z]){2}.*/"),
    ("Boat codes may contain only letters and digits.", "trips: boat_code must match /[A-Za-z0-9]+/"),
    ("A boat code is 978 or 979 followed by ten digits.", r"trips: boat_code must match /(978|979)\d{10}/"),
    ("We sell diesel, electric and hybrid only.", _FUEL),
    ("The hold temperature must not be colder than -2 degrees.", "trips: hold_temp_c must be at least -2"),
]

REFUSED = [
    "A trip must have at least 60 and at most 4 seats.",
    "A trip may have at least 4 seats.",
    "A trip must have less than 4 and more than 60 seats.",
    "No trip may be returned below -2 or above 8 degrees.",
    "No trip may be kept below -2 or above 8 litres.",
    "We only return trips in EUR and NOK.",
    "We only cancel diesel and electric trips.",
    "We only sell claims in EUR and NOK.",
    "We only sell seats in EUR and NOK.",
    "We only sail in EUR and gold.",
    "We only run diesel, peat and coal.",
    "We only send trips from AAL and HIR.",
    "Trips are only returned in EUR and NOK.",
    "Boat codes must be EUR, NOK and two letters.",
    "A boat code is two digits followed by a letter from F to A.",
    "trips.origin contains only numbers.",
    "The wave height must be a number; trips without a permit are ignored.",
    "Comfort is not above 5 or missing.",
    "We do not return to HIR.",
    "We only run coal.",
    "Boat codes are three letters followed by a number.",
    "Boat codes start with two letters and two digits.",
    "Boat codes contain only digits, then a plus sign.",
    "No trip may be anything but coal.",
    "Comfort must be a score from 1 to 5; unreturned trips are allowed.",
]


@pytest.mark.parametrize(("sentence", "echo"), UNDERSTOOD)
def test_plain_sentence_about_values_is_understood_in_its_own_sense(sentence: str, echo: str) -> None:
    assert compile_rule(sentence, TABLES, target="trips").echo == echo


@pytest.mark.parametrize("sentence", REFUSED)
def test_sentence_that_nearly_says_it_is_refused(sentence: str) -> None:
    with pytest.raises(RuleNotUnderstood):
        compile_rule(sentence, TABLES, target="trips")


STAYS = {
    "stays": Table(
        name="stays",
        columns={"stay_id": "int64", "start_date": "datetime64[us]", "end_date": "datetime64[us]"},
        values={},
        keys=("stay_id",),
    )
}


@pytest.mark.parametrize(
    "sentence",
    [
        "Stays must last between 2 and 20 days.",
        "Stays must last at least 2 and at most 20 days.",
        "A stay must last at least 2 days and at most 20 days.",
        "No stay lasts less than 2 or more than 20 days.",
    ],
)
def test_two_limits_of_a_length_of_time_share_a_unit(sentence: str) -> None:
    echo = "stays: end_date - start_date must be between 2 days and 20 days"
    assert compile_rule(sentence, STAYS, target="stays").echo == echo


@pytest.mark.parametrize("sentence", ["Stays must last between 20 and 2 days.", "Stays must last between 2 and days."])
def test_two_limits_that_are_no_range_are_refused(sentence: str) -> None:
    with pytest.raises(RuleNotUnderstood):
        compile_rule(sentence, STAYS, target="stays")
