"""Turns about rows next to each other: alike, in order, counted, in another table; and sentences close to them."""

import pytest

from pandas_magic.catalog.table import Table
from pandas_magic.errors import RuleNotUnderstood
from tests.pandas_magic.planner.grammar.former import compile_rule

TABLES = {
    "pilots": Table(
        name="pilots",
        columns={
            "pilot_id": "int64",
            "licence_no": "str",
            "email": "str",
            "phone": "str",
            "base": "str",
            "grounded_on": "datetime64[us]",
            "retired_on": "datetime64[us]",
            "flight_count": "int64",
            "max_hours": "float64",
        },
        values={"base": ("Cork", "Lagos", "Lima")},
        keys=("pilot_id",),
    ),
    "planes": Table(
        name="planes",
        columns={"tail": "str", "model": "str", "maker": "str", "is_freighter": "bool", "seats": "int64"},
        values={"maker": ("Alba", "Bora")},
        keys=("tail",),
    ),
    "flights": Table(
        name="flights",
        columns={
            "flight_id": "int64",
            "pilot_id": "int64",
            "tail": "str",
            "flown_on": "datetime64[us]",
            "log_no": "int64",
            "kind": "str",
            "gate": "str",
            "total_hours_h": "float64",
            "amount": "float64",
            "delayed": "bool",
            "code": "str",
        },
        values={"kind": ("cargo", "charter", "training"), "gate": ("G1", "G2", "G3")},
        keys=("flight_id",),
    ),
    "meals": Table(
        name="meals",
        columns={"gate": "str", "weekday": "str", "dish": "str"},
        values={"gate": ("G1", "G2"), "dish": ("pasta", "soup")},
        keys=(),
    ),
}
WHOLE_ROWS = "meals: (gate, `weekday`, dish) must be unique counting missing values as equal"
BOTH = "pilots: it must hold that grounded_on is missing or retired_on is missing"
TOGETHER = (
    "pilots: it must hold that (grounded_on is present and retired_on is present)"
    " or (grounded_on is missing and retired_on is missing)"
)
FLOWN = "flights: tail must be present and tail must be among planes.tail"

UNDERSTOOD = [
    # In the order in which rows stand, and in that of a column
    (
        "flights",
        "log_no must be strictly increasing from row to row",
        "flights where log_no is present: log_no must be > the previous log_no",
    ),
    (
        "flights",
        "amount must never go down row by row",
        "flights where amount is present: amount must be >= the previous amount",
    ),
    (
        "flights",
        "flown_on must never go back from one flight id to the next",
        "flights where flown_on is present and flight_id is present: "
        "flown_on must be >= the previous flown_on in order of flight_id",
    ),
    (
        "flights",
        "Per pilot, the log number must never go down from one date to the next.",
        "flights where log_no is present and flown_on is present: "
        "log_no must be >= the previous log_no in order of flown_on per pilot_id",
    ),
    (
        "flights",
        "Log numbers have to be consecutive, with no number missing in between.",
        "flights where log_no is > the minimum of log_no over all rows: log_no - 1 must be among flights.log_no",
    ),
    (
        "flights",
        "Are there any gaps in the log numbers?",
        "flights where log_no is > the minimum of log_no over all rows: log_no - 1 must be among flights.log_no",
    ),
    # Whole rows
    ("meals", "Each row may appear only once.", WHOLE_ROWS),
    ("meals", "No row of the meals should appear twice.", WHOLE_ROWS),
    ("meals", "The meals must not contain rows that are completely identical.", WHOLE_ROWS),
    ("meals", "No two rows may have the same values in all columns.", WHOLE_ROWS),
    ("meals", "The meals contain full duplicates. Each row may appear only once.", WHOLE_ROWS),
    (
        "meals",
        "There must be no duplicates in meals, i.e. no two rows with the same values in every column.",
        WHOLE_ROWS,
    ),
    (
        "meals",
        "There must be only one row per gate and weekday in the meals.",
        "meals: (gate, `weekday`) must be unique",
    ),
    # Alike in one thing
    (
        "pilots",
        "No two pilots may use the same email, no matter whether it is written in upper or lower case.",
        "pilots: email ignoring case must be unique",
    ),
    (
        "pilots",
        "Emails must be unique, upper and lower case count as the same.",
        "pilots: email ignoring case must be unique",
    ),
    ("pilots", "licence_no has duplicates, should be unique", "pilots: licence_no must be unique"),
    ("pilots", "Each licence number can only belong to one pilot.", "pilots: licence_no must be unique"),
    (
        "pilots",
        "Every pilot has its own licence number.",
        "pilots: licence_no must be present and licence_no must be unique",
    ),
    ("pilots", "Find all pilots with the same licence number", "pilots: licence_no must be unique"),
    ("pilots", "Licence numbers: no duplicates allowed", "pilots: licence_no must be unique"),
    # One value in a group
    (
        "planes",
        "Each model comes from exactly one maker.",
        "planes: the distinct count of maker per model must be at most 1",
    ),
    (
        "planes",
        "If two planes have the same model, they must have the same maker.",
        "planes: the distinct count of maker per model must be at most 1",
    ),
    ("planes", "The model determines the maker.", "planes: the distinct count of maker per model must be at most 1"),
    (
        "flights",
        "All flights of one pilot have to be handled at the same gate.",
        "flights: the distinct count of gate per pilot_id must be at most 1",
    ),
    # Both, one of both
    ("pilots", "A pilot can't be both grounded and retired.", BOTH),
    ("pilots", "Pilots must not have a grounding date and a retirement date at the same time.", BOTH),
    ("pilots", "grounded_on and retired_on belong together: either both are filled or both are empty.", TOGETHER),
    ("pilots", "grounded_on and retired_on: both are set or neither", TOGETHER),
    (
        "pilots",
        "Each pilot needs an email or a phone number, at least one of the two.",
        "pilots: it must hold that email is present or phone is present",
    ),
    (
        "pilots",
        "Either email or phone must be given, but not both.",
        "pilots: the number of true ones among (email is present; phone is present) must equal 1",
    ),
    # Counted in groups
    (
        "flights",
        "A pilot should not have more than one training on the same day.",
        "flights where kind is 'training': the number of rows per (pilot_id, the date of flown_on) must be at most 1",
    ),
    (
        "flights",
        "One pilot may fly at most 2 different planes per day.",
        "flights: the distinct count of tail per (pilot_id, the date of flown_on) must be at most 2",
    ),
    (
        "flights",
        "The flights of a single pilot should not go through more than two different gates.",
        "flights: the distinct count of gate per pilot_id must be at most 2",
    ),
    (
        "flights",
        "No more than four flights may take place per pilot within one calendar month.",
        "flights: the number of rows per (pilot_id, the year of flown_on, the month of flown_on) must be at most 4",
    ),
    (
        "flights",
        "At each gate there can only be one flight per day.",
        "flights: (gate, the date of flown_on) must be unique",
    ),
    (
        "flights",
        "Charters of the same pilot must not add up to more than 1,000 per day.",
        "flights where kind is 'charter': the sum of amount per (pilot_id, the date of flown_on) must be at most 1000",
    ),
    (
        "pilots",
        "A pilot can have no more than 5 flights.",
        "pilots: the number of rows in flights by pilot_id must be at most 5",
    ),
    (
        "flights",
        "A pilot can have no more than 5 flights.",
        "flights: the number of rows per pilot_id must be at most 5",
    ),
    (
        "pilots",
        "A pilot may have at most 3 trainings.",
        "pilots: the number of rows in flights (where kind is 'training') by pilot_id must be at most 3",
    ),
    (
        "pilots",
        "Each pilot must have flights from at least two different gates.",
        "pilots: the distinct count of gate in flights by pilot_id must be at least 2",
    ),
    (
        "pilots",
        "The flight count stored on the pilot must match the number of flights we actually have for it.",
        "pilots: flight_count must equal the number of rows in flights by pilot_id",
    ),
    (
        "pilots",
        "The hours of all cargo flights of a pilot may not add up to more than the max hours.",
        "pilots: the sum of total_hours_h in flights (where kind is 'cargo') by pilot_id must be <= max_hours",
    ),
    (
        "flights",
        "The same plane must not be flown by two different pilots on the same day.",
        "flights: the distinct count of pilot_id per (tail, the date of flown_on) must be less than 2",
    ),
    (
        "flights",
        "The log number and the amount must add up to total_hours_h.",
        "flights: log_no + amount must equal total_hours_h",
    ),
    (
        "meals",
        "Two meals at the same gate must not have the same dish.",
        "meals: (gate, dish) must be unique",
    ),
    # In another table
    ("flights", "The plane on every flight has to exist in our plane register.", FLOWN),
    (
        "flights",
        "No flights for planes that are not in our plane list.",
        "flights where tail is present: tail must be among planes.tail",
    ),
    (
        "flights",
        "Are there any flights of planes that we don't have in our plane list?",
        "flights where tail is present: tail must be among planes.tail",
    ),
    (
        "flights",
        "Flag flights whose plane is not in the plane list.",
        "flights where tail is present: tail must be among planes.tail",
    ),
    (
        "planes",
        "Flag planes that were never flown.",
        "planes: tail must be present and tail must be among flights.tail",
    ),
    (
        "planes",
        "Each plane needs at least one flight, except the ones that are freighters.",
        "planes where is_freighter is not true: tail must be present and tail must be among flights.tail",
    ),
    ("flights", "Flights need a gate, except cargo ones.", "flights where kind is not 'cargo': gate must be present"),
    # Tables as a whole
    (
        "flights",
        "Fewer than 5 % of all flights may be delayed.",
        "flights as a whole: the share of rows in flights with (delayed is true) must be less than 0.05",
    ),
    (
        "pilots",
        "We expect at least 12 pilots in the system.",
        "pilots as a whole: the number of rows in pilots must be at least 12",
    ),
    ("meals", "The meals table should have a price column.", "columns of meals: must have price"),
    ("meals", "The column price must exist in meals", "columns of meals: must have price"),
    ("meals", "meals must not have a 'day' column", "columns of meals: must not have `day`"),
    # Texts
    ("pilots", "Do all emails end with @acme.com?", "pilots: email must end with '@acme.com'"),
    (
        "pilots",
        "A licence number that starts with DE must be exactly 9 characters long.",
        "pilots where licence_no starts with 'DE': the length of licence_no must equal 9",
    ),
    (
        "flights",
        "Codes are one capital letter and two digits, optionally followed by a dot and one or two more digits.",
        r"flights: code must match /[A-Z]\d{2}(\.\d{1,2})?/",
    ),
    (
        "flights",
        "The code should always be written as YYYY-MM, for example 2026-09.",
        "flights: code must have the format year and month",
    ),
    # Questions
    ("flights", "Could you flag all flights without a gate?", "flights: gate must be present"),
    ("flights", "Could you check that no log number appears twice?", "flights: log_no must be unique"),
    ("flights", "Do any two flights share a log number?", "flights: log_no must be unique"),
    (
        "flights",
        "Is the kind always one of cargo, charter or training?",
        "flights: kind must be one of 'cargo', 'charter', 'training'",
    ),
    (
        "flights",
        "Do any flights have a kind other than cargo or charter?",
        "flights: kind must be one of 'cargo', 'charter'",
    ),
    ("flights", "Is any amount below 1?", "flights: amount must be at least 1"),
    (
        "pilots",
        "Has every pilot at least one flight?",
        "pilots: pilot_id must be present and pilot_id must be among flights.pilot_id",
    ),
]

REFUSED = [
    ("pilots", "Retire pilots must have a base."),
    ("flights", "The same pilot must not fly to three different gates on the same day."),
    ("pilots", "email and phone must not add up to 10"),
    ("flights", "log_no and amount must not add up to total_hours_h"),
    ("pilots", "Licence numbers are unique per pilot."),
    ("flights", "Open flights must have a gate."),
    ("flights", "log_no must not always go down from row to row"),
    ("flights", "log_no may go down from row to row"),
    ("flights", "log_no must increase from row to row"),
    ("flights", "amount must never go down from one flight to the next"),
    ("meals", "No row must appear only once."),
    ("meals", "Not every row may appear only once."),
    ("meals", "The meals may contain rows that are completely identical."),
    ("meals", "The meals contain full duplicates."),
    ("pilots", "Emails must be unique, ignoring lower case letters."),
    ("pilots", "licence_no has duplicates, should not be missing"),
    ("pilots", "licence_no has duplicates, may be unique"),
    ("pilots", "A licence number can belong to one pilot."),
    ("planes", "The model does not determine the maker."),
    ("planes", "If two planes have the same model, they may have the same maker."),
    ("planes", "If two planes have the same model, they must not have the same maker."),
    ("flights", "All flights of one pilot need not be handled at the same gate."),
    ("flights", "Not all flights of one pilot have to be handled at the same gate."),
    ("flights", "Some flights of one pilot have to be handled at the same gate."),
    ("flights", "Flights must be handled at the same gate."),
    ("pilots", "A pilot must not be grounded and retired."),
    ("pilots", "A pilot must not always be both grounded and retired."),
    ("pilots", "A pilot must not only be both grounded and retired."),
    ("pilots", "A pilot may be both grounded and retired."),
    ("pilots", "A pilot need not have both an email and a phone."),
    ("pilots", "grounded_on and retired_on must not both be filled or both be empty"),
    ("pilots", "grounded_on or retired_on must both be filled or both be empty"),
    ("pilots", "grounded_on and retired_on need not belong together"),
    ("pilots", "Either email or phone must not be given, but not both."),
    ("flights", "A pilot may have more than one training on the same day."),
    ("flights", "A pilot must not have only one training per day."),
    ("flights", "One pilot may fly more than 2 different planes per day."),
    ("flights", "Each pilot must fly at least 2 different planes per day."),
    ("flights", "More than four flights may take place per pilot and day."),
    ("flights", "At each gate there can be one flight per day."),
    ("flights", "Charters of the same pilot may add up to more than 1,000 per day."),
    ("flights", "Charters of some pilot must not add up to more than 1,000 per day."),
    ("flights", "Flights need a gate, except some."),
    ("flights", "Fewer than 5 % of all flights must not be delayed."),
    ("flights", "More than 5 % of all flights may be delayed."),
    ("meals", "The meals table may have a price column."),
    ("meals", "The meals table must have a missing column."),
    ("pilots", "pilots must have a hours column"),
    ("flights", "Codes may be one capital letter, optionally followed by two digits."),
    ("flights", "The code should be written as YYYY-MM, for example 09-2026."),
    ("flights", "Could you not flag flights without a gate?"),
    ("flights", "Could you flag flights?"),
    ("flights", "Do any flights not have a gate?"),
    ("flights", "Do some flights have a gate?"),
    ("flights", "Is the kind never cargo?"),
    ("flights", "Are there gaps in the log numbers."),
]


@pytest.mark.parametrize(("table", "sentence", "echo"), UNDERSTOOD)
def test_turn_is_understood_in_its_own_sense(table: str, sentence: str, echo: str) -> None:
    assert compile_rule(sentence, TABLES, target=table).echo.startswith(echo)


@pytest.mark.parametrize(("table", "sentence"), REFUSED)
def test_sentence_that_nearly_says_it_is_refused(table: str, sentence: str) -> None:
    with pytest.raises(RuleNotUnderstood):
        compile_rule(sentence, TABLES, target=table)


def test_the_order_in_which_rows_stand_is_not_that_of_a_date() -> None:
    standing = compile_rule("log_no must never go down from row to row", TABLES, target="flights")
    dated = compile_rule("log_no must never go down over time", TABLES, target="flights")
    assert "in order of" not in standing.echo
    assert dated.echo.endswith("in order of flown_on")


def test_a_column_of_a_common_name_in_two_tables_is_no_reference() -> None:
    things = Table(name="things", columns={"label": "str", "n": "int64"}, values={}, keys=("label",))
    notes = Table(name="notes", columns={"note_id": "int64", "label": "str"}, values={}, keys=("note_id",))
    with pytest.raises(RuleNotUnderstood):
        compile_rule("Flag things without notes.", {"things": things, "notes": notes}, target="things")
