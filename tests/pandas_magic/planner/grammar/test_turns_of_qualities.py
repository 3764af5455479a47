"""Turns of what values are and have: days, multiples, distances, groups, ages; and sentences close to them."""

import pytest

from pandas_magic.catalog.table import Table
from pandas_magic.errors import RuleNotUnderstood
from tests.pandas_magic.planner.grammar.former import compile_rule

TABLES = {
    "keepers": Table(
        name="keepers",
        columns={
            "keeper_id": "int64",
            "badge": "str",
            "birth_date": "datetime64[us]",
            "hired_on": "datetime64[us]",
            "left_on": "datetime64[us]",
            "status": "str",
            "animal_count": "int64",
            "phone": "str",
            "email": "str",
        },
        values={"status": ("active", "left")},
        keys=("keeper_id",),
    ),
    "animals": Table(
        name="animals",
        columns={
            "animal_id": "int64",
            "keeper_id": "int64",
            "species": "str",
            "diet": "str",
            "house_code": "str",
            "born_on": "datetime64[us]",
            "weight_kg": "float64",
            "meals": "int64",
            "care_interval_days": "int64",
            "entry_no": "int64",
            "checked_by": "str",
            "entered_by": "str",
        },
        values={"diet": ("grass", "meat", "fish"), "house_code": ("A1", "B2", "C3")},
        keys=("animal_id",),
    ),
}
ADULT = "keepers: hired_on must be >= birth_date + 18 years"
WEEKDAYS = "animals: the weekday of born_on must be one of 1, 2, 3, 4, 5"
EVEN = "animals: care_interval_days / 2 must be readable as an integer"
DIET = "animals: the distinct count of diet per species must be at most 1"
HOUSES = "keepers: the distinct count of house_code in animals by keeper_id must be at most 2"
NEAR = (
    "animals: the absolute value of (weight_kg - (the mean of weight_kg over all rows)) must be <= "
    "(the standard deviation of weight_kg over all rows) * 2 (up to rounding)"
)
MEALS = "animals: meals must be greater than 0"
CHECKED = "animals: checked_by must not equal entered_by"
LEFT = (
    "keepers: it must hold that (status is not 'left' or left_on is present)"
    " and (status is 'left' or left_on is missing)"
)

UNDERSTOOD = [
    # Days of the week
    ("animals", "born_on must be a weekday (Monday to Friday)", WEEKDAYS),
    ("animals", "born_on: Mon-Fri only", WEEKDAYS),
    ("animals", "The date of birth must be a day from Monday to Friday", None),
    ("animals", "born_on must never fall on a Saturday or Sunday", None),
    # Multiples
    ("animals", "The care interval must be a multiple of two days", EVEN),
    ("animals", "Verify that care_interval_days is divisible by 2", EVEN),
    ("animals", "Find animals with an odd number of care interval days", EVEN),
    ("animals", "The care interval in days must be an even number in every animal", EVEN),
    # Numbers that a row has
    ("animals", "Every animal must have a positive number of meals", MEALS),
    ("animals", "No animal may have zero or negative meals", MEALS),
    ("animals", "Every animal must have 2 meals or more", "animals: meals must be at least 2"),
    ("animals", "Flag animals with zero meals", "animals: meals must not equal 0"),
    # Distances from the mean
    ("animals", "Weights must lie within 2 standard deviations of the mean of all weights", NEAR),
    ("animals", "weight_kg: no outliers beyond 2 sd from mean", NEAR),
    ("animals", "Flag animals whose weight lies more than two sigma from the average weight", NEAR),
    # What goes together
    ("animals", "Each species goes with exactly one diet", DIET),
    ("animals", "Report animals whose species appears with more than one diet", DIET),
    ("animals", "It shall not occur that the same species is recorded with different diets", DIET),
    ("animals", "The diet must be identical for all animals of one species", DIET),
    ("animals", "diet identical per species", DIET),
    ("animals", "If two animals have the same species, their diet has to be identical", DIET),
    ("keepers", "The animals of a keeper must be in at most 2 different house codes", HOUSES),
    ("keepers", "List the keepers whose animals are in more than 2 house codes", HOUSES),
    # Ages at a date
    ("keepers", "The age of a keeper at the hire date must not be under 18", ADULT),
    ("keepers", "Find keepers who were younger than 18 when hired", ADULT),
    ("keepers", "age at hired_on >= 18", ADULT),
    # Who did what
    ("animals", "The checker must differ from the person who entered the animal", CHECKED),
    ("animals", "No animal may be checked by the same person who entered it", CHECKED),
    # Some rows, and all others
    ("keepers", "left_on is filled for keepers with status left and empty for all others", LEFT),
    ("keepers", "left_on must be given for keepers with status left, and only for them", LEFT),
    # Several columns
    (
        "keepers",
        "No keeper may have values in phone and email at the same time",
        "keepers: it must hold that phone is missing or email is missing",
    ),
    ("keepers", "Flag keepers that have both a phone and an email, or neither of them", None),
    ("animals", "Flag animals with an empty species", "animals: species must be present and species must not be ''"),
    # Other rows
    (
        "keepers",
        "The average animal weight of a keeper must be at most 50 kg",
        "keepers: the mean of weight_kg in animals by keeper_id must be at most 50 (up to rounding)",
    ),
    (
        "animals",
        "No left keeper may have meat animals",
        "animals where diet is 'meat': keeper_id must not be among keepers.keeper_id (where status is 'left')",
    ),
    ("animals", "Gaps in the entry numbers are not allowed", None),
    (
        "animals",
        "Lower-case letters must not be used in the house code",
        "animals: house_code must not match /.*[a-z].*/",
    ),
    ("animals", "animals: column chip_no required", "columns of animals: must have chip_no"),
    ("animals", "Report it if the animals table has no column chip_no", "columns of animals: must have chip_no"),
]
REFUSED = [
    ("animals", "born_on must be a weekday (Monday to Saturday)"),  # which of both
    ("animals", "born_on: Mon-5"),
    ("animals", "weight_kg must be a multiple of 2.5"),  # cannot be told exactly
    ("animals", "A species appears with different diets"),  # a complaint
    ("animals", "Each species goes with a diet"),
    ("keepers", "The animals of a keeper may be in more than 2 different house codes"),  # forbids nothing
    ("keepers", "The age at the hire date may be over 18"),
    ("animals", "Every animal must have 2 meals"),  # at least, or exactly
    ("animals", "animals must be checked by the person"),
    ("keepers", "left_on is filled for keepers with status left and empty for some others"),
    ("keepers", "No keeper may have values in phone or email at the same time"),
    ("animals", "Flag animals whose weight lies within about two sigma from the average weight"),
]


@pytest.mark.parametrize(
    ("table", "rule", "echo"), UNDERSTOOD, ids=[f"{table}: {rule}" for table, rule, _ in UNDERSTOOD]
)
def test_a_quality_is_read_wherever_it_stands(table: str, rule: str, echo: str | None) -> None:
    found = compile_rule(rule, TABLES, target=table)
    assert found.echo.startswith(table) if echo is None else found.echo == echo
    assert compile_rule(found.echo, TABLES).constraint == found.constraint


@pytest.mark.parametrize(("table", "rule"), REFUSED, ids=[rule for _, rule in REFUSED])
def test_a_sentence_close_to_them_is_refused(table: str, rule: str) -> None:
    with pytest.raises(RuleNotUnderstood):
        compile_rule(rule, TABLES, target=table)
