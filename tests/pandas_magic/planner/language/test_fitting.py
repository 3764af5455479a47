"""Nearly canonical words on given tables: keys, days, ages and dates are those of the tables, or else it asks."""

import pytest

from pandas_magic.catalog.table import Table
from pandas_magic.errors import RuleNotUnderstood
from pandas_magic.planner.language import compile_rule

TABLES = {
    "members": Table(
        name="members",
        columns={"id": "int64", "joined": "datetime64[us]", "born": "datetime64[us]", "mentor": "int64", "tier": "str"},
        values={"tier": ("gold", "basic")},
        keys=("id",),
    ),
    "visits": Table(
        name="visits",
        columns={
            "visit_id": "int64",
            "member_id": "int64",
            "day": "str",
            "left_on": "datetime64[us]",
            "kind": "str",
            "nights": "int64",
        },
        values={"kind": ("swim", "gym")},
        keys=("visit_id",),
        read_as={"day": "date"},
    ),
    "bills": Table(name="bills", columns={"member_id": "int64", "paid_on": "datetime64[us]"}),
}
SAID = {
    # A reference and a key of another name, said by either of them.
    "visits: left_on must be >= the joined of members by member_id": (
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
    "visits: left_on must be > '2024-01-01'": "visits: left_on must be after 2024-01-01",
    # Texts that are dates.
    "visits: day must be no earlier than now - 6 months": (
        "visits: `day` read as a date must be no earlier than now - 6 months"
    ),
}


@pytest.mark.parametrize("said", SAID)
def test_what_the_words_leave_to_the_tables_is_as_these_have_it(said: str) -> None:
    understood = compile_rule(said, TABLES)
    assert understood.echo == SAID[said]
    assert compile_rule(understood.echo, TABLES).constraint == understood.constraint


def test_canonical_words_stay_as_they_are() -> None:
    said = "members: the number of rows in visits by id = member_id must be at most 3"
    assert compile_rule(said, TABLES).explanation == ((said, "canonical words"),)


@pytest.mark.parametrize(
    "said",
    [
        "visits: left_on must be >= the joined of members by kind",
        "visits: left_on must be >= the joined of persons by member",
        "members: the kind of visits by tier must be 'gym'",
        "bills: the tier of members by colour must be 'gold'",
        "bills: the tier of members by tier must be 'gold'",
        "visits: the ended of members by member must be present",
    ],
)
def test_what_the_tables_do_not_have_is_not_guessed(said: str) -> None:
    with pytest.raises(RuleNotUnderstood):
        compile_rule(said, TABLES)
