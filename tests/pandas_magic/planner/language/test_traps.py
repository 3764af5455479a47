"""Sentences made to be misread: asked about, or taken for what they say, row by row."""

from datetime import UTC, datetime
from functools import cache
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from pandas_magic.constraints import Constraint, violating_rows
from pandas_magic.errors import RuleNotUnderstood
from pandas_magic.planner.language import compile_rule
from pandas_magic.planner.language.canonical import read_canonical
from tests.pandas_magic.planner.language.dictionary_tables import TABLES

LINES = (Path(__file__).parent / "traps.txt").read_text(encoding="utf-8").splitlines()
TRAPS = [line.split(" || ") for line in LINES if line and not line.startswith(("#", "["))]
NOW = datetime(2026, 11, 1)
ROWS = 400


@cache
def frames() -> dict[str, pd.DataFrame]:
    random = np.random.default_rng(5)

    def some(values: list[object]) -> pd.Series:
        return pd.Series(random.choice(np.array(values, dtype=object), ROWS))

    numbers = [None, -5.0, 0.0, 0.2, 0.25, 0.5, 1.0, 2.0, 4.5, 5.0, 5.5, 10.0, 20.0, 50.0, 50.5, 100.0]
    texts = [None, "", "null", "gift", "a gift", "note", "it's", "ab", "b", "xa", "A-1", "INV-2026-0001", "ABC"]
    days = [None, *pd.date_range("2026-10-20", periods=12)]
    orders = {
        "order_id": pd.Series(range(ROWS)),
        **{name: some([1, 2, 3, 4]).astype("int64") for name in ("order_no", "line_no")},
        "customer_id": some([None, 1, 2, 3, 9]).astype("float64"),
        **{name: some(texts).astype("str") for name in ("sku", "code", "email", "note")},
        "status": some([None, "open", "paid", "void", "OPEN", "open, paid", "lost"]).astype("str"),
        "currency": some([None, "EUR", "USD", "eur", "CHF"]).astype("str"),
        **{name: some([None, "DE", "FR", "US"]).astype("str") for name in ("ship_country", "bill_country")},
        **{name: some(numbers).astype("float64") for name in ("price", "tax", "total", "paid")},
        **{name: some(numbers).astype("float64") for name in ("discount_pct", "tax_rate")},
        "weight_g": some([1, 2, 400, 500, 1999, 2000, 2001]).astype("int64"),
        "active": some([True, False]).astype("bool"),
        **{name: pd.to_datetime(some(days)).astype("datetime64[us]") for name in ("ordered_on", "shipped_on")},
    }
    customers = pd.DataFrame(
        {
            "customer_id": [1, 2, 3],
            "name": ["a", "b", "c"],
            "country": ["DE", "FR", "DE"],
            "status": ["active", "closed", "active"],
            "credit_limit": [5.0, 50.0, None],
        }
    )
    lines = pd.DataFrame({"line_id": [1, 2], "order_id": [1.0, 2.0], "line_no": [1, 1], "price": [1.0, 2.0]})
    return {"orders": pd.DataFrame(orders), "customers": customers, "lines": lines}


def flagged(constraint: Constraint) -> tuple[str, list[int]]:
    return constraint.table, violating_rows(constraint, frames(), NOW, NOW.replace(tzinfo=UTC))


@pytest.mark.parametrize(
    ("rule", "readings"), [(rule, readings) for rule, *readings in TRAPS], ids=[t[0] for t in TRAPS]
)
def test_a_trap_is_asked_about_or_taken_for_what_it_says(rule: str, readings: list[str]) -> None:
    try:
        found = compile_rule(rule, TABLES, target="orders")
    except RuleNotUnderstood as refusal:
        assert str(refusal)
        return
    assert readings, f"not refused: {found.echo}"
    meant = [constraint for one in readings if (constraint := read_canonical(one)) is not None]
    assert len(meant) == len(readings), "a reading of the list is not canonical"
    assert flagged(found.constraint) in [flagged(constraint) for constraint in meant], found.echo


def test_there_are_many_of_them() -> None:
    assert len(TRAPS) >= 150
