"""Staleness: only what the code depends on makes a check stale."""

import pytest

from pandas_magic.catalog import Table
from pandas_magic.catalog.glossary import Glossary
from pandas_magic.registry.check import Check
from pandas_magic.registry.staleness import staleness
from tests.doubles import unknown_users

TABLES = {
    "events": Table(name="events", columns={"event_id": "int64", "user_id": "int64"}),
    "users": Table(name="users", columns={"user_id": "int64", "email": "str"}),
}


@pytest.mark.feature("A17")
def test_the_same_rule_on_the_same_columns_is_fresh() -> None:
    assert staleness(unknown_users(), unknown_users().check, TABLES) == ""


@pytest.mark.feature("A15")
def test_another_rule_is_stale_and_other_spacing_is_not() -> None:
    compiled = unknown_users()
    asked = compiled.check.model_copy(update={"rule": "user_id  must exist\nin users", "owner": "x@example.com"})
    assert staleness(compiled, asked, TABLES) == ""
    another = asked.model_copy(update={"rule": "another"})
    assert staleness(compiled, another, TABLES).startswith("its rule changed; it was ")
    assert staleness(compiled, asked.model_copy(update={"target": "users"}), TABLES) == "its rule changed"


@pytest.mark.feature("A16")
@pytest.mark.parametrize(
    ("columns", "said"),
    [
        ({"user_id": "int64"}, ""),
        ({"event_id": "str", "user_id": "int64", "note": "str"}, ""),
        ({"user_id": "float64"}, ""),
        ({"user_id": "empty"}, ""),
        ({"user_id": "str"}, 'column "user_id" of table "events" was int64 and is now str'),
        ({"user": "int64"}, 'column "user_id" of table "events" is gone (did you mean "user"?)'),
        ({}, 'column "user_id" of table "events" is gone'),
    ],
)
def test_only_a_column_that_is_read_makes_a_check_stale(columns: dict[str, str], said: str) -> None:
    tables = {**TABLES, "events": Table(name="events", columns=columns)}
    assert staleness(unknown_users(), None, tables) == said


def test_a_column_that_gains_a_time_zone_is_retyped() -> None:
    compiled = unknown_users(schemas={"events": {"at": "datetime64[us]"}})
    zoned = {"events": Table(name="events", columns={"at": "datetime64[us, UTC]"})}
    finer = {"events": Table(name="events", columns={"at": "datetime64[ns]"})}
    assert staleness(compiled, None, zoned)
    assert staleness(compiled, None, finer) == ""


@pytest.mark.parametrize(
    ("code", "said"),
    [
        (
            'violations = events[events["at"] >= pd.Timestamp("2026-05-01", tz="UTC+02:00")]',
            "was datetime64[us, UTC+02:00]",
        ),
        ('violations = events[events["at"].dt.month != 3]', ""),
    ],
)
def test_another_offset_makes_only_code_stale_that_names_the_old_one(code: str, said: str) -> None:
    compiled = unknown_users(schemas={"events": {"at": "datetime64[us, UTC+02:00]"}}, code=code)
    winter = {"events": Table(name="events", columns={"at": "datetime64[us, UTC+01:00]"})}
    stale = staleness(compiled, None, winter)
    assert said in stale
    assert bool(said) == bool(stale)


def test_the_day_in_utc_is_not_that_of_another_offset() -> None:
    code = 'violations = events[events["at"] >= utc_now.normalize()]'
    compiled = unknown_users(schemas={"events": {"at": "datetime64[us, UTC]"}}, code=code)
    assert staleness(compiled, None, {"events": Table(name="events", columns={"at": "datetime64[us, UTC+01:00]"})})


def test_a_missing_table_is_named() -> None:
    assert staleness(unknown_users(), None, {"events": TABLES["events"]}) == 'table "users" is gone'


@pytest.mark.feature("A06")
def test_tables_may_be_a_list_or_a_text_with_commas() -> None:
    assert Check(id="1", rule="r", tables="events, users") == Check(id="1", rule="r", tables=["events", "users"])


def test_a_term_of_the_glossary_that_the_rule_says_makes_it_stale_and_no_other() -> None:
    written = Glossary(tables={"visitor": "users"})
    compiled = unknown_users(rule="the visitor must exist", glossary=written.version, terms={"visitor": "users"})

    def reason(glossary: Glossary) -> str:
        tables = {name: table.model_copy(update={"glossary": glossary}) for name, table in TABLES.items()}
        return staleness(compiled, None, tables)

    assert reason(written) == ""
    assert reason(Glossary(tables={"visitor": "users", "happening": "events"})) == ""
    assert reason(Glossary(tables={"visitor": "guests"})) == (
        '"visitor" was "users" in glossary.toml and is now "guests"'
    )
    assert reason(Glossary()) == '"visitor", which its rule says, is gone from glossary.toml'
    plain = unknown_users(rule="the visitor must exist")
    told = {name: table.model_copy(update={"glossary": written}) for name, table in TABLES.items()}
    assert staleness(plain, None, told) == 'glossary.toml says now what "visitor" is'
    assert staleness(unknown_users(), None, told) == ""
