"""Turns of where rows stand: in a place, in the row above, between the first and the last; and what is near to them."""

import pytest

from pandas_magic.catalog.table import Table
from pandas_magic.errors import RuleNotUnderstood
from tests.pandas_magic.planner.grammar.former import compile_rule

TABLES = {
    "trays": Table(name="trays", columns={"tray_id": "int64", "hall": "str", "level": "int64"}, keys=("tray_id",)),
    "crates": Table(
        name="crates",
        columns={
            "crate_id": "int64",
            "tray_id": "int64",
            "slot_on_tray": "int64",
            "label": "str",
            "load_t": "float64",
            "tare_t": "float64",
            "in_use": "bool",
            "opens_at": "int64",
            "sealed": "bool",
            "sold_on": "datetime64[us]",
            "lost_on": "datetime64[us]",
            "kind": "str",
            "stamp": "str",
        },
        values={"kind": ("wood", "self-made", "steel")},
        keys=("crate_id",),
    ),
}
SLOT = "crates: (tray_id, slot_on_tray) must be unique"
WHOLE_ROWS = (
    "crates: (crate_id, tray_id, slot_on_tray, label, load_t, tare_t, in_use, opens_at, sealed, sold_on, lost_on, "
    "kind, stamp) must be unique counting missing values as equal"
)
KINDS = "crates: kind must be one of 'wood', 'self-made', 'steel'"
GAPLESS = "crates where crate_id is > the minimum of crate_id over all rows: crate_id - 1 must be among crates.crate_id"
STAMPS = "crates: the distinct count of stamp per label must be at most 1"
NOT_BOTH = "crates: it must hold that sold_on is missing or lost_on is missing"
UNDERSTOOD = [
    ("The slot must be above 0.", "crates: slot_on_tray must be greater than 0"),
    ("The slot must be unique per tray.", SLOT),
    ("Within one tray, no two crates can be at the same slot.", SLOT),
    ("No two crates of one tray may lie in the same slot.", SLOT),
    ("Crates in use must have a load above 5.", "crates where in_use is true: load_t must be present and load_t must"),
    ("The load of crates not in use must be 0.", "crates where in_use is false: load_t must equal 0"),
    ("No crate in use may have a load below 5.", "crates where in_use is true: load_t must be at least 5"),
    ("The load must equal the tare, give or take 3 tonnes.", "crates: load_t must equal tare_t within 3"),
    ("The load must be below 3 tons.", "crates: load_t must be less than 3"),
    ("Labels have to be whole numbers, no letters.", "crates: label must be readable as an integer"),
    ("The label must be a number - no units, no 'n/a'.", "crates: label must be readable as a number"),
    ("Labels must be numeric (no text).", "crates: label must be readable as a number"),
    ("There must be no gaps in the crate ids between the lowest and the highest one.", GAPLESS),
    ("Crate ids must have no gaps from the first to the last.", GAPLESS),
    ("The load must never be lower than in the row above.", "crates where load_t is present: load_t must be >= the"),
    ("The crate id must be exactly one higher than in the row above.", "crates where crate_id is present: crate_id"),
    ("The same label must always come with the same stamp.", STAMPS),
    ("The same label may never go with two stamps.", STAMPS),
    ("The only kinds we have are wood, self-made and steel.", KINDS),
    ("The only kinds that exist are wood, self-made and steel.", KINDS),
    ("The opening crates table (crates) should not contain the exact same row more than once.", WHOLE_ROWS),
    ("Are there identical rows in the crates table? There shouldn't be.", WHOLE_ROWS),
    ("A sale date in the future can't be right.", "crates: sold_on must be no later than now"),
    ("The sale date and lost_on must never be filled at the same time.", NOT_BOTH),
]
REFUSED = [
    "The load must be below 3 kilograms.",
    "Labels must be text, no letters.",
    "Labels must be numbers, no '12'.",
    "Labels must be numbers, no decimals.",
    "There must be no gaps in the crate ids between 5 and 10.",
    "The load per tray must never be lower than in the row above.",
    "The crate id must be at least one higher than in the row above.",
    "The crate id must not be one higher than in the row above.",
    "The same label must not always come with the same stamp.",
    "The same label must not come with the same stamp.",
    "The same label need not come with the same stamp.",
    "The only kind we have is wood.",
    "The only kinds not allowed are wood and steel.",
    "The sealed crates table (crates) must have at least 5 rows.",
    "The sold crates table (crates) must have at least 5 rows.",
    "The steel crates table (crates) must have at least 5 rows.",
    "Are there identical rows in the crates table? There should be.",
    "sold_on and lost_on must be filled at the same time.",
    "sold_on, lost_on and label must never be filled at the same time.",
    "Two crates can be at the same slot.",
]


@pytest.mark.parametrize(("sentence", "echo"), UNDERSTOOD)
def test_turn_about_a_place_is_understood(sentence: str, echo: str) -> None:
    assert compile_rule(sentence, TABLES, target="crates").echo.startswith(echo)


@pytest.mark.parametrize("sentence", REFUSED)
def test_sentence_close_to_it_is_refused(sentence: str) -> None:
    with pytest.raises(RuleNotUnderstood):
        compile_rule(sentence, TABLES, target="crates")


def test_steps_are_not_counted_along_a_date_that_nobody_named() -> None:
    table = Table(name="readings", columns={"page_no": "int64", "read_on": "datetime64[us]"}, keys=())
    sentence = "Each page number must be exactly one higher than the one before"
    with pytest.raises(RuleNotUnderstood, match="in which order"):
        compile_rule(f"{sentence}.", {"readings": table})
    assert "in order of read_on" in compile_rule(f"{sentence}, ordered by read_on.", {"readings": table}).echo
