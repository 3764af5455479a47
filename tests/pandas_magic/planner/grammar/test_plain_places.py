"""Plain sentences about what takes place where, what is taken in, and which rows are not accepted."""

import pytest

from pandas_magic.catalog.table import Table
from pandas_magic.errors import RuleNotUnderstood
from tests.pandas_magic.planner.grammar.former import compile_rule

TABLES = {
    "pets": Table(
        name="pets",
        columns={
            "pet_id": "int64",
            "species": "str",
            "passport_no": "str",
            "weight_kg": "float64",
            "chip": "str",
            "stay_count": "int64",
        },
        values={"species": ("dog", "cat", "rabbit")},
        keys=("pet_id",),
    ),
    "stays": Table(
        name="stays",
        columns={
            "stay_id": "int64",
            "pet_id": "int64",
            "house": "str",
            "nightly_rate": "float64",
            "price_per_litre": "float64",
            "check_in": "datetime64[us]",
            "waiting_minutes": "float64",
            "car_park_id": "int64",
            "replaces_stay_id": "float64",
            "needs_medication": "bool",
        },
        values={"house": ("Graz", "Linz", "Wels")},
        keys=("stay_id",),
    ),
    "treatments": Table(
        name="treatments",
        columns={"treatment_id": "int64", "stay_id": "int64", "kind": "str", "minutes": "int64", "currency": "str"},
        values={"kind": ("bath", "medication"), "currency": ("EUR", "CHF")},
        keys=("treatment_id",),
    ),
}
_WEIGHT = "pets: weight_kg must be between 0.5 and 80"
_MINUTES = "treatments: `minutes` must be between 5 and 120"
_MANY_STAYS = "stays as a whole: the number of rows in stays must be at least 150"
_WHOLE_ROW = "(treatment_id, stay_id, kind, `minutes`, currency)"
_HAS_MEDICATION = "stay_id must be present and stay_id must be among treatments.stay_id (where kind is 'medication')"

UNDERSTOOD = [
    ("pets", "No pet lighter than 0.5 kg or heavier than 80 kg should be in pets.", _WEIGHT),
    ("pets", "There must be no pets lighter than 0.5 kg or heavier than 80 kg.", _WEIGHT),
    ("pets", "Flag pets lighter than 0.5 kg or heavier than 80 kg.", _WEIGHT),
    ("pets", "We only take in pets of the species dog or cat.", "pets: species must be one of 'dog', 'cat'"),
    ("pets", "Dogs without a chip are not accepted as pets.", "pets where species is 'dog': chip must be present"),
    (
        "pets",
        "pets.passport_no holds two capital letters followed by seven digits.",
        r"pets: passport_no must match /[A-Z]{2}\d{7}/",
    ),
    ("pets", "weight_kg must be above 0; pets without a value are allowed.", "pets: weight_kg must be greater than 0"),
    ("stays", "Every stay must take place in Graz or Linz.", "stays: house must be one of 'Graz', 'Linz'"),
    ("stays", "Stays must not take place in Graz.", "stays: house must not be 'Graz'"),
    ("stays", "Stays must take place in the future.", "stays: check_in must be after now"),
    ("stays", "The rate per night must be at least 20.", "stays: nightly_rate must be at least 20"),
    (
        "stays",
        "Each stay that needs medication must have at least one medication treatment.",
        f"stays where needs_medication is true: {_HAS_MEDICATION}",
    ),
    ("stays", "There are at least 150 rows in stays.", _MANY_STAYS),
    ("stays", "There are never fewer than 150 rows in stays.", _MANY_STAYS),
    ("stays", "The waiting time must be at most 30 minutes.", "stays: waiting_minutes must be at most 30"),
    (
        "stays",
        "replaces_stay_id, if given, must be the id of a stay.",
        "stays: replaces_stay_id must be among stays.stay_id",
    ),
    (
        "pets",
        "pets.stay_count must equal the number of stays of that pet.",
        "pets: stay_count must equal the number of rows in stays by pet_id",
    ),
    ("treatments", "A treatment has to last at least 5 and at most 120 minutes.", _MINUTES),
    (
        "treatments",
        "All treatments of a stay must be billed in the same currency.",
        "treatments: the distinct count of currency per stay_id must be at most 1",
    ),
    (
        "treatments",
        "treatments contains no two identical rows.",
        f"treatments: {_WHOLE_ROW} must be unique counting missing values as equal",
    ),
]


@pytest.mark.parametrize(("table", "rule", "echo"), UNDERSTOOD)
def test_a_plain_sentence_is_read_as_it_is_meant(table: str, rule: str, echo: str) -> None:
    assert compile_rule(rule, TABLES, target=table).echo == echo


@pytest.mark.parametrize(
    ("table", "rule"),
    [
        ("pets", "Dogs without a chip are not accepted as stays."),
        ("pets", "weight_kg must be above 0; pets without a chip are allowed."),
        ("pets", "weight_kg must be above 0; pets without a value are not allowed."),
        ("pets", "No pet should be in pets."),
        ("treatments", "A treatment must last at least 2 hours."),  # the column counts minutes
        ("treatments", "Treatments must be billed in the same currency."),  # as what?
        ("stays", "The litres must be at least 20."),  # a price per litre is no number of them
    ],
)
def test_what_says_something_else_is_refused(table: str, rule: str) -> None:
    with pytest.raises(RuleNotUnderstood):
        compile_rule(rule, TABLES, target=table)
