"""Turns about several rows, roles and other cases: understood in their own sense, and refused when nearly so."""

import pytest

from pandas_magic.catalog.table import Table
from pandas_magic.errors import RuleNotUnderstood
from tests.pandas_magic.planner.grammar.former import compile_rule

TABLES = {
    "teams": Table(name="teams", columns={"team_id": "int64", "city": "str", "capacity": "int64"}, keys=("team_id",)),
    "players": Table(
        name="players",
        columns={
            "player_id": "int64",
            "team_id": "int64",
            "mentor_id": "float64",
            "shirt_no": "int64",
            "born_on": "datetime64[us]",
            "contract_until": "datetime64[us]",
            "captain": "bool",
            "grade": "str",
            "wage": "float64",
            "badge": "str",
        },
        values={"grade": ("junior", "senior")},
        keys=("player_id",),
    ),
    "matches": Table(
        name="matches",
        columns={
            "match_no": "int64",
            "home_team_id": "int64",
            "away_team_id": "int64",
            "match_date": "datetime64[us]",
            "status": "str",
            "attendance": "int64",
            "seats": "int64",
            "report": "str",
            "protest": "str",
        },
        values={"status": ("planned", "played")},
        keys=("match_no",),
    ),
    "trainings": Table(
        name="trainings",
        columns={
            "player_id": "int64",
            "trained_on": "datetime64[us]",
            "laps": "int64",
            "total_km": "float64",
            "seal": "str",
        },
    ),
}

UNDERSTOOD = [
    (
        "total_km must never decrease per player.",
        "trainings where total_km is present and trained_on is present: "
        "total_km must be >= the previous total_km in order of trained_on per player_id",
    ),
    (
        "For each player, total_km must strictly increase from one training to the next.",
        "trainings where total_km is present and trained_on is present: "
        "total_km must be > the previous total_km in order of trained_on per player_id",
    ),
    (
        "Match numbers must be consecutive, without gaps.",
        "`matches` where match_no is > the minimum of match_no over all rows: "
        "match_no - 1 must be among `matches`.match_no",
    ),
    ("Nobody can be their own mentor.", "players: mentor_id must not equal player_id"),
    ("A player may not mentor himself.", "players: mentor_id must not equal player_id"),
    ("A team cannot play against itself.", "`matches`: away_team_id must not equal home_team_id"),
    (
        "Attendance must not exceed the capacity of the home team.",
        "`matches`: attendance must be <= the capacity of teams by home_team_id = team_id",
    ),
    ("No player may train twice on the same day.", "trainings: (player_id, the date of trained_on) must be unique"),
    (
        "A player may train at most 3 times a day.",
        "trainings: the number of rows per (player_id, the date of trained_on) must be at most 3",
    ),
    ("A shirt number can be worn by only one player per team.", "players: (team_id, shirt_no) must be unique"),
    (
        "No player may run more than 40 laps per day.",
        "trainings: the sum of laps per (player_id, the date of trained_on) must be at most 40 (up to rounding)",
    ),
    (
        "Each team has exactly one captain.",
        "teams: the number of rows in players (where captain is true) by team_id must equal 1",
    ),
    ("There must not be more attendance than seats.", "`matches`: attendance must be <= seats"),
    (
        "report must be present if status is played, otherwise it must be missing",
        "`matches`: it must hold that (status is not 'played' or report is present) "
        "and (status is 'played' or report is missing)",
    ),
    (
        "Juniors earn at most 4500, seniors at most 7000.",
        "players: it must hold that (grade is not 'junior' or wage is at most 4500) "
        "and (grade is not 'senior' or wage is at most 7000)",
    ),
    (
        "A match can have a report or a protest, but not both.",
        "`matches`: it must hold that report is missing or protest is missing",
    ),
    ("Contracts may not have expired.", "players: contract_until must be no earlier than now"),
    ("Players must be at least 16 years old.", "players: born_on must be no later than now - 16 years"),
    ("Badges must look like AA-999.", "players: badge must match /[A-Z]{2}\\-[0-9]{3}/"),
    ("seal must be a capital B, a dash and two digits, e.g. B-12", "trainings: seal must match /B-\\d{2}/"),
    ("Seniors who never trained are suspicious.", "players where grade is 'senior': "),
]

REFUSED = [
    "total_km must increase per player.",
    "total_km must not always increase per player.",
    "total_km may decrease per player.",
    "total_km must never decrease.",
    "Match numbers must not be consecutive.",
    "Match numbers need not be consecutive.",
    "Match numbers may have gaps.",
    "Everybody must be their own mentor.",
    "Not every player may be his own mentor.",
    "A player need not be his own mentor.",
    "A player may be his own mentor.",
    "A team cannot play against someone.",
    "A player may train twice on the same day.",
    "A player must train twice on the same day.",
    "No player may train less than 3 times.",
    "A shirt number can be worn by some player per team.",
    "Players may run at least 40 laps per day.",
    "Some teams have exactly one captain.",
    "There need not be more attendance than seats.",
    "Matches may have more attendance than seats.",
    "report must be present if status is played, otherwise it may be missing",
    "report need not be present if status is played, otherwise it must be missing",
    "report must be present, otherwise protest must be present",
    "Juniors earn at most 4500, seniors not.",
    "A match may not have a report or a protest, but not both.",
    "A match can have a report or a protest.",
    "The contract expires.",
    "Badges must look like A-9.",
    "seal must be a capital B, a dash and two digits, e.g. B-123",
    "Only some players of teams may be captain.",
    "At least one training per player and day.",
]


@pytest.mark.parametrize(("sentence", "echo"), UNDERSTOOD)
def test_turn_is_understood_in_its_own_sense(sentence: str, echo: str) -> None:
    found = compile_rule(sentence, TABLES).echo
    assert found.startswith(echo) if echo.endswith(": ") else found == echo


@pytest.mark.parametrize("sentence", REFUSED)
def test_sentence_that_nearly_says_it_is_refused(sentence: str) -> None:
    with pytest.raises(RuleNotUnderstood):
        compile_rule(sentence, TABLES)


def test_a_sentence_about_users_is_read_of_the_users_when_no_table_is_named() -> None:
    sentence = "No team may have more than 30 players."
    assert compile_rule(sentence, TABLES).constraint.table == "teams"
    assert compile_rule(sentence, TABLES, target="players").constraint.table == "players"


def test_refusal_asks_for_the_group_whose_values_follow_each_other() -> None:
    with pytest.raises(RuleNotUnderstood, match="per player"):
        compile_rule("total_km must never decrease.", TABLES)
