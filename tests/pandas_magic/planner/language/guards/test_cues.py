"""Each entry of cues.toml: its misreading is doubted, and no cue of it is left out of the file's examples."""

import pytest

from pandas_magic.catalog.table import Table
from pandas_magic.constraints import check_types
from pandas_magic.errors import RuleNotUnderstood
from pandas_magic.planner.language import compile_rule
from pandas_magic.planner.language.canonical import read_canonical
from pandas_magic.planner.language.guards import objections
from pandas_magic.planner.language.guards.nodes_needed import NEEDED
from pandas_magic.planner.language.guards.objecting import cue_entries
from pandas_magic.planner.language.linking import link
from tests.pandas_magic.planner.language.dictionary_tables import TABLES


def doubts_about(rule: str, reading: str) -> tuple[str, ...]:
    constraint = read_canonical(reading)
    assert constraint is not None, reading
    assert not check_types(constraint, TABLES)
    return objections(constraint, link(rule, TABLES, target=constraint.table))


@pytest.mark.parametrize("entry", cue_entries(), ids=[entry["rule"] for entry in cue_entries()])
def test_the_misreading_of_a_cue_is_doubted(entry: dict) -> None:
    assert any(entry["objection"] in doubt for doubt in doubts_about(entry["rule"], entry["misread"]))


def test_every_need_has_a_test() -> None:
    assert {need for entry in cue_entries() for need in entry["needs"]} <= set(NEEDED)


@pytest.mark.parametrize(
    ("rule", "reading", "other"),
    [
        ("no order may be older than 40", "orders: price must be at most 40", "orders: price must be at least 40"),
        ("orders must not be heavier than 40", "orders: price must be at most 40", "orders: price must be at least 40"),
        ("orders are taller than 40", "orders: price must be greater than 40", "orders: price must be less than 40"),
        ("no order is shorter than 40", "orders: price must be at least 40", "orders: price must be at most 40"),
        ("orders are no later than 40", "orders: price must be at most 40", "orders: price must be at least 40"),
    ],
)
def test_a_limit_that_is_turned_round_is_doubted_by_whatever_word_it_is_said(
    rule: str, reading: str, other: str
) -> None:
    turned = "it turns the limit of 40 round"
    assert turned not in doubts_about(rule, reading)
    assert turned in doubts_about(rule, other)


STATES = {
    "orders": Table(name="orders", columns={"state": "str", "note": "str"}, values={"state": (" ?", "LOST", "paid")})
}


@pytest.mark.parametrize(
    ("rule", "read"),
    [
        ("state must not be '?'", "orders: state must not be ' ?'"),
        ("lost orders must have a note", "orders where state is 'LOST': note must be present"),
        ("state must not be 'paid'", "orders: state must not be 'paid'"),
    ],
)
def test_a_value_is_found_as_the_column_holds_it(rule: str, read: str) -> None:
    assert compile_rule(rule, STATES).echo == read


@pytest.mark.parametrize(
    ("rule", "held"),
    [
        ("state <> '?'", " ?"),
        ("NOT (state = 'lost')", "LOST"),
        ("df.state != 'Paid'", "paid"),
        ("CHECK (state <> 'lost' OR note IS NOT NULL)", "LOST"),
    ],
)
def test_code_that_forbids_what_no_row_spells_so_is_asked_about(rule: str, held: str) -> None:
    with pytest.raises(
        RuleNotUnderstood, match=rf"state holds {held!r}, and .* in no row".replace("?", r"\?")
    ) as asked:
        compile_rule(rule, STATES)
    assert any(repr(held) in reading.sentence for reading in asked.value.readings)
