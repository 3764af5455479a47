"""Turns of notes without a verb: "blocked -> left_on filled", "patrols per ranger: max 5"; and notes close to them."""

import pytest

from pandas_magic.catalog.table import Table
from pandas_magic.errors import RuleNotUnderstood
from tests.pandas_magic.planner.grammar.former import compile_rule

TABLES = {
    "rangers": Table(
        name="rangers",
        columns={
            "ranger_id": "int64",
            "badge_no": "str",
            "email": "str",
            "phone": "str",
            "rank": "str",
            "status": "str",
            "hired_on": "datetime64[us]",
            "left_on": "datetime64[us]",
            "max_hours": "int64",
        },
        values={"rank": ("junior", "senior", "chief"), "status": ("active", "blocked", "retired")},
        keys=("ranger_id",),
    ),
    "patrols": Table(
        name="patrols",
        columns={
            "patrol_id": "int64",
            "ranger_id": "int64",
            "zone": "str",
            "walked_on": "datetime64[us]",
            "log_no": "int64",
            "kind": "str",
            "km": "int64",
            "hours": "float64",
            "note": "str",
            "is_night": "bool",
        },
        values={"kind": ("foot", "horse", "boat"), "zone": ("N1", "N2")},
        keys=("patrol_id",),
    ),
}
BLOCKED = "rangers where status is 'blocked': left_on must be present"
FILLED = "rangers: email must be present and phone must be present"

UNDERSTOOD = [
    # The table's name before the note
    ("rangers", "rangers: email mandatory", "rangers: email must be present"),
    ("patrols", "In patrols: km <= 40", "patrols: km must be at most 40"),
    ("patrols", "patrols: no duplicate rows", None),
    # For which rows
    ("rangers", "status blocked -> left_on filled", BLOCKED),
    ("rangers", "status = blocked => left_on required", BLOCKED),
    ("rangers", "blocked rangers: left_on filled", None),
    ("rangers", "status blocked: left_on mandatory", BLOCKED),
    (
        "rangers",
        "senior + active: max_hours <= 40",
        "rangers where rank is 'senior' and status is 'active': max_hours must be at most 40",
    ),
    ("patrols", "is_night -> km <= 5", "patrols where is_night is true: km must be at most 5"),
    (
        "patrols",
        "retired ranger -> kind not boat",
        "patrols where ranger_id is among rangers.ranger_id (where status is 'retired'): kind must not be 'boat'",
    ),
    (
        "rangers",
        "left_on set <=> status = retired",
        "rangers: it must hold that (status is not 'retired' or left_on is present)"
        " and (status is 'retired' or left_on is missing)",
    ),
    # What is demanded of a column
    ("rangers", "badge_no unique", "rangers: badge_no must be unique"),
    ("rangers", "badge_no in capitals", "rangers: badge_no must match /[^a-z]*/"),
    ("patrols", "walked_on: no future dates", "patrols: walked_on must be no later than now"),
    ("rangers", "badge_no: unique, no nulls", "rangers: badge_no must be unique and badge_no must be present"),
    ("rangers", "badge_no: min length 3", "rangers: the length of badge_no must be at least 3"),
    ("rangers", "badge_no: length = 8", "rangers: the length of badge_no must equal 8"),
    ("rangers", "badge_no: numeric only", "rangers: badge_no must be readable as a number"),
    ("rangers", "status: active/blocked only", "rangers: status must be one of 'active', 'blocked'"),
    ("rangers", "rank: one of junior / senior / chief", "rangers: rank must be one of 'junior', 'senior', 'chief'"),
    ("patrols", "km: 1 to 40, both included", "patrols: km must be between 1 and 40"),
    ("patrols", "log_no: no gaps", None),
    # Several columns
    ("rangers", "email + phone both mandatory", FILLED),
    ("patrols", "patrols: zone + walked_on unique", "patrols: (zone, walked_on) must be unique"),
    (
        "rangers",
        "email / phone: exactly one filled",
        "rangers: the number of true ones among (email is present; phone is present) must equal 1",
    ),
    # Several rows
    (
        "rangers",
        "rangers: min. 1 patrol each",
        "rangers: ranger_id must be present and ranger_id must be among patrols.ranger_id",
    ),
    (
        "rangers",
        "active rangers: >= 2 patrols",
        "rangers where status is 'active': the number of rows in patrols by ranger_id must be at least 2",
    ),
    ("patrols", "patrols per ranger: max 5", "patrols: the number of rows per ranger_id must be at most 5"),
    ("rangers", "patrols per ranger: max 5", "rangers: the number of rows in patrols by ranger_id must be at most 5"),
    (
        "patrols",
        "patrols: max one per ranger + zone",
        "patrols: the number of rows per (ranger_id, zone) must be at most 1",
    ),
    (
        "patrols",
        "walked_on: max 4 patrols per day",
        "patrols: the number of rows per (the date of walked_on) must be at most 4",
    ),
    ("rangers", "rangers w/o phone: max 5", "rangers: phone must be present; at most 5 rows may break this"),
    (
        "rangers",
        "phone filled in >= 95 % of rangers",
        "rangers: phone must be present; at most 5 % of rows may break this",
    ),
]
REFUSED = [
    ("rangers", "phone missing"),  # what is wrong, or what is asked for
    ("rangers", "status blocked"),
    ("rangers", "rangers: status blocked"),
    ("rangers", "rangers: blocked"),
    ("rangers", "rangers: patrol"),
    ("patrols", "km > 20: note filled"),  # the limit said, or for which rows
    ("patrols", "km > 20 -> note"),
    ("patrols", "hours + km unique"),  # their sum, or both
    ("rangers", "badge_no: present only"),
    ("rangers", "senior, active: max_hours <= 40 unless sick"),
    ("patrols", "patrols per ranger: some"),
    ("rangers", "email / phone / fax: exactly one filled"),
    ("rangers", "status blocked <=> gone"),
]


@pytest.mark.parametrize(
    ("table", "rule", "echo"), UNDERSTOOD, ids=[f"{table}: {rule}" for table, rule, _ in UNDERSTOOD]
)
def test_a_note_is_read_as_it_is_meant(table: str, rule: str, echo: str | None) -> None:
    found = compile_rule(rule, TABLES, target=table)
    assert found.echo.startswith(table) if echo is None else found.echo == echo
    assert compile_rule(found.echo, TABLES).constraint == found.constraint


@pytest.mark.parametrize(("table", "rule"), REFUSED, ids=[rule for _, rule in REFUSED])
def test_a_note_that_leaves_something_open_is_refused(table: str, rule: str) -> None:
    with pytest.raises(RuleNotUnderstood):
        compile_rule(rule, TABLES, target=table)
