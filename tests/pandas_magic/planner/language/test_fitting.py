"""Nearly canonical words on given tables: keys, days, ages and dates are those of the tables, or else it asks.

A model's restatement is taken for what it says; a person who writes so is asked.
"""

import pytest

from pandas_magic.catalog.table import Table
from pandas_magic.constraints import describe
from pandas_magic.errors import RuleNotUnderstood
from pandas_magic.planner.language import compile_rule, restated_rule
from pandas_magic.planner.language.fitting import nearly_canonical
from pandas_magic.planner.language.guards import objections
from pandas_magic.planner.language.linking import link

VISITS = {"visit_id": "int64", "member_id": "int64", "day": "str", "left_on": "datetime64[us]", "kind": "str"}
TABLES = {
    "members": Table(
        name="members",
        columns={"id": "int64", "joined": "datetime64[us]", "born": "datetime64[us]", "mentor": "int64", "tier": "str"},
        values={"tier": ("gold", "basic")},
        keys=("id",),
    ),
    "visits": Table(
        name="visits",
        columns={**VISITS, "nights": "int64", "weight": "str", "today": "datetime64[us]"},
        values={"kind": ("swim", "gym")},
        keys=("visit_id",),
        read_as={"day": "date", "weight": "number"},
    ),
    "bills": Table(
        name="bills",
        columns={"id": "int64", "member_id": "int64", "paid_on": "datetime64[us]"},
        keys=("id",),
    ),
}
SAID = {
    # A reference and a key of another name, said by either of them; the bill's own "id" is not the member's.
    "visits: left_on must be >= the joined of members by member_id": (
        "visits: left_on must be >= the joined of members by member_id = id"
    ),
    "visits: left_on must be >= the joined of members by id": (
        "visits: left_on must be >= the joined of members by member_id = id"
    ),
    "bills: paid_on must be >= the joined of members by id": (
        "bills: paid_on must be >= the joined of members by member_id = id"
    ),
    "members: the number of rows in visits by member_id must be at most 3": (
        "members: the number of rows in visits by id = member_id must be at most 3"
    ),
    "members: the number of rows in bills where paid_on is missing by id must be at most 3": (
        "members: the number of rows in bills (where paid_on is missing) by id = member_id must be at most 3"
    ),
    # The row that a column refers to in its own table, not the first with the same reference.
    "members: joined must be >= the joined of members by mentor": (
        "members: joined must be >= the joined of members by mentor = id"
    ),
    "visits: the weekday of left_on must not be one of 'Saturday', 'Sunday'": (
        "visits: the weekday of left_on must be none of 6, 7"
    ),
    "visits where the month of left_on is 'December': kind must be 'gym'": (
        "visits where the month of left_on equals 12: kind must be 'gym'"
    ),
    "members: joined - born must be at least 18 years": "members: joined must be >= born + 18 years",
    "visits: nights must equal left_on - day + 1": (
        "visits: nights must equal (left_on - (`day` read as a date)) / 1 day + 1"
    ),
    "members: joined must be > '2024-01-01'": "members: joined must be after 2024-01-01",
    # Texts that are dates.
    "visits: day must be no earlier than now - 6 months": (
        "visits: `day` read as a date must be no earlier than now - 6 months"
    ),
}


@pytest.mark.parametrize("said", SAID)
def test_what_the_words_leave_to_the_tables_is_as_these_have_it(said: str) -> None:
    rule = restated_rule(said, TABLES)
    assert describe(rule) == SAID[said]
    assert compile_rule(SAID[said], TABLES).constraint == rule


@pytest.mark.parametrize("said", [*SAID][:2])
def test_a_person_is_asked_whether_nearly_canonical_words_are_meant(said: str) -> None:
    with pytest.raises(RuleNotUnderstood, match="nearly in canonical words") as caught:
        compile_rule(said, TABLES)
    assert caught.value.readings[0].constraint == restated_rule(said, TABLES)


@pytest.mark.parametrize(
    "said",
    [
        # What a number means beside a distance of two dates: days, years, hours.
        "members: now - born must be at least 18",
        "visits: member_id must equal left_on - day",
        # Texts that are numbers would be in the order of texts.
        "visits: weight must not be at least '5'",
        # The clock, or the column that is called so.
        "visits: today must not be before left_on",
        # No name of a reference, nor of its key.
        "visits: left_on must be >= the joined of members by visit_id",
        "visits: the tier of members by kind must be 'gold'",
        "bills: the tier of members by colour must be 'gold'",
        "bills: the tier of members by tier must be 'gold'",
        "visits: left_on must be >= the joined of persons by member_id",
        "visits: the ended of members by member_id must be present",
    ],
)
def test_what_words_leave_open_is_left_to_others(said: str) -> None:
    assert nearly_canonical(said, TABLES) is None


def test_a_value_held_against_itself_in_another_table_is_asked_about() -> None:
    with pytest.raises(RuleNotUnderstood, match="against itself"):
        restated_rule("members: the number of rows in visits where nights is > nights by id must be at most 0", TABLES)


def test_what_finds_no_row_in_another_table_is_objected_to() -> None:
    rule = restated_rule("members: the number of rows in visits where kind is 'row' by id must be at most 0", TABLES)
    linked = link("A member has no visit to the boats.", TABLES, target="members")
    assert "kind is 'row' in no row" in objections(rule, linked)
