"""Two rules of a table: excluded, implied, the same, or neither; with a row that shows it."""

from types import SimpleNamespace

import pandas as pd
import pytest

from pandas_magic.catalog import Catalog
from pandas_magic.checking.rule_pairs import RulePair, related_pairs
from pandas_magic.clock import Instant
from pandas_magic.planner.language.canonical import read_canonical
from pandas_magic.settings import Settings
from tests.pandas_magic.peers.compiled import compiled_check

ORDERS = pd.DataFrame(
    {
        "order_id": [1, 2, 3, 4],
        "amount": [5.0, 12.5, None, 40.0],
        "total": [6.0, 15.0, 3.0, 48.0],
        "status": ["open", "paid", "open", None],
    }
)
CATALOG = Catalog(given={"orders": ORDERS})


def pairs(*sentences: str) -> list[RulePair]:
    rules = [
        read_canonical(f"orders{sentence}" if sentence.startswith(" where") else f"orders: {sentence}")
        for sentence in sentences
    ]
    tables = CATALOG.schemas()
    checks = [compiled_check(f"R{number}", rule, tables) for number, rule in enumerate(rules, start=1) if rule]
    assert len(checks) == len(sentences)
    here = SimpleNamespace(catalog=CATALOG, settings=Settings())
    return list(related_pairs(checks, here, Instant.at("2026-11-20T08:00:00")))


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("amount must be greater than 10", "amount must be less than 5"),
        ("status must be one of 'open', 'paid'", "status must be one of 'lost', 'sent'"),
        ("amount must be at least total", "amount must be less than total"),
    ],
)
def test_rules_that_no_row_keeps_contradict_each_other(first: str, second: str) -> None:
    (pair,) = pairs(first, second)
    assert pair.relation == "contradict"
    assert pair.row
    assert "keeps R1 and R2" in pair.in_words()


@pytest.mark.parametrize(
    ("stronger", "weaker"),
    [
        ("amount must be greater than 10", "amount must be greater than 5"),
        ("status must be one of 'open', 'paid'", "status must be one of 'open', 'paid', 'lost'"),
        ("amount must be at least 0", " where status is 'paid': amount must be at least 0"),
    ],
)
def test_the_stronger_of_two_rules_is_named(stronger: str, weaker: str) -> None:
    (pair,) = pairs(weaker, stronger)
    assert (pair.relation, pair.first) == ("follows", "R2")
    assert pair.row
    assert "only R2 is broken by" in pair.in_words()


def test_the_same_rule_in_other_words_is_seen() -> None:
    (pair,) = pairs("amount must be greater than 10", "10 must be less than amount")
    assert (pair.relation, pair.row) == ("same", None)


def test_rules_that_have_nothing_to_do_with_each_other_are_no_pair() -> None:
    assert pairs("amount must be greater than 10", "order_id must be unique", "total must be at most 100") == []
    assert pairs("amount must be greater than 10", "amount must be less than 20") == []
    assert pairs("amount must be present", "amount must be greater than 10") == []
    # Of different rows, so that no row is asked for both.
    paid, open_ = (f" where status is '{status}': amount must be" for status in ("paid", "open"))
    assert pairs(f"{paid} greater than 10", f"{open_} less than 5") == []
