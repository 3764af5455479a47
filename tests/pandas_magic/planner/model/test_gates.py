"""What the cheap questions about a restatement let through, and what not."""

from collections.abc import Mapping

import pytest

from pandas_magic.catalog.table import Table
from pandas_magic.planner.language import restated_rule
from pandas_magic.planner.model.gates import doubts
from pandas_magic.planner.model.rule_prompts import RestatedRule, WordUse

TABLES = {"teams": Table(name="teams", columns={"players": "int64", "team_captain": "str"})}


def doubted(
    rule: str, sentence: str, tables: Mapping[str, Table] = TABLES, words: Mapping[str, str] | None = None
) -> tuple[str, ...]:
    """What speaks against the sentence; without `words` each word of the rule is said to stand for all of it."""
    told = {rule: sentence} if words is None else words
    uses = tuple(WordUse(words=said, means=means) for said, means in told.items())
    restated = RestatedRule(sentence=sentence, words=uses, can_be_said=True)
    return doubts(rule, restated, restated_rule(sentence, tables, target=None), tables)


@pytest.mark.parametrize(
    ("rule", "tolerance", "is_said"),
    [
        ("A team has 5 players.", "at most 5 rows may break this", False),
        ("A team has 5 players.", "at most 1 row may break this", False),
        ("A team has 5 players.", "at most 1 % of rows may break this", False),
        ("A team has 5 players; 2 % may differ.", "at most 2 % of rows may break this", True),
        ("95 % of the teams have 5 players.", "at most 5 % of rows may break this", True),
        ("A team has 5 players, 5 teams may not.", "at most 5 rows may break this", True),
        ("Twenty teams may not have 5 players.", "at most 20 rows may break this", True),
        ("A team with 5 players must have a captain, others may have one.", "at most 1 row may break this", False),
        ("A team with 5 players must have a captain, 1 may have two.", "at most 1 % of rows may break this", False),
        ("A first team has 5 players.", "at most 1 row may break this", False),
    ],
)
def test_a_tolerance_needs_a_number_of_its_own_in_the_rule(rule: str, tolerance: str, is_said: bool) -> None:
    found = doubted(rule, f"teams: players must equal 5; {tolerance}")
    assert ("the rule lets no rows break it" in " ".join(found)) is not is_said


def test_the_words_of_a_columns_name_stand_in_the_sentence() -> None:
    sentence = "teams: team_captain must be present"
    assert doubted("The team captain must be present", sentence, words={}) == ()
    (other,) = doubted("The team doctor must be present", sentence, words={})
    assert '"doctor"' in other


@pytest.mark.parametrize(
    ("rule", "sentence", "is_said"),
    [
        ("Nobody has more than eighty players.", "teams: players must be at most 80", True),
        ("Three hundred is a perfect team.", "teams: players must be at most 300", True),
        ("At most half of 50 may play.", "teams: players must be at most 0.5 * 50", True),
        ("Not more than 5 % above 40.", "teams: players must be at most 105 / 100 * 40", False),
        ("Not more than 5 % of 40.", "teams: players must be at most 5 / 100 * 40", True),
        ("Not more than eighty players.", "teams: players must be at most 18", False),
        ("Not more than 5 of 40.", "teams: players must be at most 5 / 100 * 40", False),
    ],
)
def test_numbers_are_said_in_words_too(rule: str, sentence: str, is_said: bool) -> None:
    assert ("the rule does not say" not in " ".join(doubted(rule, sentence))) is is_said


KIT = {
    "kit": Table(
        name="kit",
        columns={"tare_kg": "int64", "capacity_kg": "int64", "length_m": "int64", "state": "str"},
        values={"state": ("R", "X", "OK")},
    )
}


@pytest.mark.parametrize(
    ("rule", "sentence", "doubt"),
    [
        ("What is ready must have a length above 2.", "kit where state is 'R': length_m must be greater than 2", "'R'"),
        (
            "In state R a length must be above 2.",
            "kit where state is 'R': length_m must be greater than 2",
            "",
        ),
        ("What is fine must have a length above 2.", "kit where state is 'OK': length_m must be greater than 2", ""),
        ("The weight must not be above 2000.", "kit: tare_kg must be at most 2000", "tare_kg or capacity_kg"),
        ("The tare must not be above 2000.", "kit: tare_kg must be at most 2000", ""),
        ("The reach must not be above 2000.", "kit: length_m must be at most 2000", ""),
    ],
)
def test_what_a_model_can_only_guess_is_doubted(rule: str, sentence: str, doubt: str) -> None:
    found = " ".join(doubted(rule, sentence, KIT))
    assert doubt in found
    assert bool(found) is bool(doubt)


TRIPS = {
    "trips": Table(
        name="trips",
        columns={
            "trip_id": "int64",
            "truck_id": "int64",
            "ordered_on": "datetime64[us]",
            "left_on": "datetime64[us]",
            "arrived_on": "datetime64[us]",
            "state": "str",
            "load": "float64",
            "toll": "float64",
        },
        values={"state": ("blocked", "open")},
        keys=("trip_id",),
    )
}


@pytest.mark.parametrize(
    ("rule", "words", "sentence", "doubt"),
    [
        (
            "Arrival must take place within three days.",
            {"Arrival": "arrived_on", "take place within three days": "arrived_on - left_on must be at most 3 days"},
            "trips: arrived_on - left_on must be at most 3 days",
            "no word of the rule stands for left_on",
        ),
        (
            "Arrival must take place within three days of the departure.",
            {"Arrival": "arrived_on", "departure": "left_on"},
            "trips: arrived_on - left_on must be at most 3 days",
            "",
        ),
        (
            "There may be at most two trips a day.",
            {"trips": "the number of rows", "a day": "the date of left_on"},
            "trips: the number of rows per (truck_id, the date of left_on) must be at most 2",
            "taken together by truck_id",
        ),
        (
            "What is blocked or has a load and a toll must be ordered.",
            {"blocked": "state is 'blocked'", "ordered": "ordered_on"},
            "trips where state is 'blocked' or (load is present and toll is present): ordered_on must be present",
            'what "and" and "or" bind together',
        ),
        (
            "A trip is blocked or open and has a load of 5.",
            {"trip": "trips", "load": "load"},
            "trips: it must hold that state is one of 'blocked', 'open' and load is 5",
            'what "and" and "or" bind together',
        ),
        (
            "What is blocked, or has both a load and a toll, must be ordered.",
            {"blocked": "state is 'blocked'", "ordered": "ordered_on"},
            "trips where state is 'blocked' or (load is present and toll is present): ordered_on must be present",
            "",
        ),
    ],
)
def test_what_no_word_of_the_rule_says_is_doubted(rule: str, words: dict[str, str], sentence: str, doubt: str) -> None:
    found = doubted(rule, sentence, TRIPS, words)
    told = "; ".join(one for one in found if "nothing in the sentence stands for" not in one)
    assert doubt in told
    assert bool(told) is bool(doubt)


SHORT = {"AUFK": Table(name="AUFK", columns={"AUFNR": "str", "MGBST": "int64", "MGGEL": "float64", "EPR": "float64"})}


@pytest.mark.parametrize(
    ("rule", "words", "column", "doubt"),
    [
        ("The quantity must be at least 100.", "quantity", "MGBST", "MGBST or MGGEL"),
        ("The quantity ordered must be at least 100.", "quantity ordered", "MGBST", ""),
        ("The rate must be at least 100.", "rate", "EPR", ""),
    ],
)
def test_one_word_does_not_tell_short_names_apart_that_begin_alike(
    rule: str, words: str, column: str, doubt: str
) -> None:
    sentence = f"AUFK: {column} must be at least 100"
    found = " ".join(doubted(rule, sentence, SHORT, {words: column}))
    assert doubt in found
    assert bool(found) is bool(doubt)
