"""The rows that a reader of a rule judges: some break it, some keep it, and none of them can be taken two ways."""

from datetime import UTC, datetime

import pytest

from pandas_magic.catalog.table import Table
from pandas_magic.checking.by_model.telling_cases import telling_cases
from pandas_magic.clock import Instant
from pandas_magic.constraints import violating_rows
from pandas_magic.constraints.algebra.rules import RowRule
from pandas_magic.planner.language.canonical import read_canonical

TABLES = {
    "tanks": Table(name="tanks", columns={"tank": "str", "kind": "str", "most_kg": "float64", "from_day": "str"}),
    "lots": Table(
        name="lots",
        columns={"lot": "str", "tank": "str", "state": "str", "kg": "float64", "hatched": "datetime64[us]"},
    ),
}
RULES = (
    "lots where state is 'reared': tank must be unique",
    "lots: the number of rows per (tank, state) must be at most 3",
    "lots where state is 'incubating': hatched must be missing",
    "lots: (lot, tank) must be unique",
    "lots: the kind of tanks by tank must not be 'closed'",
    "lots where the kind of tanks by tank is 'round': state must be 'reared'",
    "lots: kg must be <= the most_kg of tanks by tank (up to rounding)",
    "tanks: the sum of kg in lots (where state is 'reared') by tank must be <= most_kg (up to rounding)",
    "lots where state is one of 'reared', 'Reared': kg must be present",
)
NOW = datetime(2026, 11, 28)
INSTANT = Instant(NOW, NOW.replace(tzinfo=UTC))


@pytest.mark.parametrize("words", RULES)
def test_a_reader_finds_rows_of_both_kinds_and_none_that_may_be_either(words: str) -> None:
    rule = read_canonical(words)
    assert isinstance(rule, RowRule)
    cases = telling_cases(rule, words, TABLES, INSTANT)

    assert any(case.flagged for case in cases)
    assert any(len(case.flagged) < case.rows for case in cases)
    for case in cases:
        assert list(case.flagged) == violating_rows(rule, case.frames, NOW, INSTANT.utc)
        assert case.rows <= 24
        states = set(case.frames["lots"]["state"].dropna())
        assert not {text.strip().lower() for text in states - {"reared", "Reared", "incubating"}} & {
            "reared",
            "incubating",
        }
        if "of tanks by tank" in words:
            assert case.frames["tanks"]["tank"].is_unique
            assert "closed" not in {
                text.strip().lower() for text in set(case.frames["tanks"]["kind"].dropna()) - {"closed"}
            }
