"""How long ago: amounts of time before the run, whatever the sentence's polarity."""

import pytest

from pandas_magic.catalog import Table
from tests.pandas_magic.planner.grammar.former import compile_rule

USERS = {"users": Table(name="users", columns={"user_id": "int64", "last_login": "datetime64[us]"}, keys=("user_id",))}


@pytest.mark.parametrize(
    ("sentence", "echo"),
    [
        ("Report users whose last login is more than 400 days ago.", "no earlier than now - 400 days"),
        ("last_login must not be more than 90 days ago", "no earlier than now - 90 days"),
        ("last_login must be less than 30 days ago", "after now - 30 days"),
        ("last_login must be at least 2 days ago", "no later than now - 2 days"),
        ("last_login must be after 400 days ago", "after now - 400 days"),
    ],
)
def test_more_than_so_long_ago_is_further_back(sentence: str, echo: str) -> None:
    assert compile_rule(sentence, USERS).echo == f"users: last_login must be {echo}"


@pytest.mark.parametrize(
    "sentence",
    [
        "Flag users who have not logged in within the last 365 days.",
        "A user who has not logged in during the last 365 days is not permitted.",
    ],
)
def test_who_never_did_it_has_not_done_it_lately(sentence: str) -> None:
    echo = "users: last_login must be present and last_login must be no earlier than now - 365 days"
    assert compile_rule(sentence, USERS).echo == echo
