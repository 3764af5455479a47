"""Sentences about texts that are dates or numbers: read as such, and only where a value counts."""

import pytest

from pandas_magic.catalog.glossary import Glossary
from pandas_magic.catalog.table import Table
from pandas_magic.errors import RuleNotUnderstood
from pandas_magic.planner.language import compile_rule

TABLES = {
    "verhuur": Table(
        name="verhuur",
        columns={"verh_nr": "int64", "fiets_nr": "int64", "begin_dt": "str", "eind_dt": "str", "bedrag": "str"},
        keys=("verh_nr",),
        read_as={"begin_dt": "date", "eind_dt": "date", "bedrag": "number"},
        glossary=Glossary(columns={"start date": "verhuur.begin_dt", "rental amount": "verhuur.bedrag"}),
    ),
    "fietsen": Table(
        name="fietsen",
        columns={"fiets_nr": "int64", "gekocht_dt": "str"},
        keys=("fiets_nr",),
        read_as={"gekocht_dt": "date"},
    ),
}


@pytest.mark.parametrize(
    ("rule", "echo"),
    [
        ("The eind_dt must not be before the begin_dt.", "eind_dt read as a date must be >= begin_dt read as a date"),
        (
            "The end date must not be before the start date.",
            "eind_dt read as a date must be >= begin_dt read as a date",
        ),
        ("eind_dt must not be in the future", "eind_dt read as a date must be no later than now"),
        ("begin_dt must not be before 2024-01-01", "begin_dt read as a date must be no earlier than 2024-01-01"),
        ("bedrag must be greater than 0", "bedrag read as a number must be greater than 0"),
        ("The amount of the rental must be positive.", "bedrag read as a number must be greater than 0"),
        ("eind_dt must be present", "eind_dt must be present"),
        ("begin_dt must be unique", "begin_dt must be unique"),
    ],
)
def test_texts_are_read_as_what_they_are_where_their_values_count(rule: str, echo: str) -> None:
    assert compile_rule(rule, TABLES, target="verhuur").echo == f"verhuur: {echo}"


def test_texts_of_which_nothing_is_known_are_no_dates() -> None:
    plain = {"verhuur": TABLES["verhuur"].model_copy(update={"read_as": {}})}
    with pytest.raises(RuleNotUnderstood):
        compile_rule("The eind_dt must not be before the begin_dt.", plain, target="verhuur")
