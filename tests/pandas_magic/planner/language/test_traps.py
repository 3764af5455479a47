"""Sentences made to be misread: asked about, or taken for what they say, row by row."""

from collections.abc import Iterator
from datetime import UTC, datetime
from functools import cache
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from pandas_magic.catalog.table import Table
from pandas_magic.constraints import Constraint, violating_rows
from pandas_magic.errors import RuleNotUnderstood
from pandas_magic.planner.language import compile_rule
from pandas_magic.planner.language.canonical import read_canonical
from tests.pandas_magic.planner.language.dictionary_tables import TABLES
from tests.pandas_magic.planner.language.theatre_tables import THEATRE

WORLDS = {"orders": (TABLES, "orders"), "theatre": (THEATRE, None)}


def families() -> Iterator[tuple[str, list[str]]]:
    """Each rule with its readings, behind the world that its family is about."""
    world = "orders"
    for line in (Path(__file__).parent / "traps.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            world = line.strip("[]").partition("@")[2] or "orders"
        elif line and not line.startswith("#"):
            yield world, line.split(" || ")


TRAPS = list(families())
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


@cache
def theatre_frames() -> dict[str, pd.DataFrame]:
    random = np.random.default_rng(7)

    def some(table: Table, name: str, dtype: str) -> pd.Series:
        numbers: list[object] = [0, 1, 2, 5, 10, 20, 100, 1000]
        pools = {"str": [*table.values.get(name, ()), "08:30", "24:00", "1:5", "a b"], "float64": [*numbers, 1.5, 0.4]}
        days = pd.date_range("2026-03-25", periods=60, freq="7h" if name in table.moments else "24h")
        pool = pools.get(dtype, list(days) if dtype.startswith("datetime") else numbers)
        made = pd.Series(random.choice(np.array(pool, dtype=object), ROWS))
        return pd.Series(made.to_numpy().astype(dtype if dtype != "str" else "object"))

    return {
        table.name: pd.DataFrame({name: some(table, name, dtype) for name, dtype in table.columns.items()})
        for table in THEATRE.values()
    }


def flagged(constraint: Constraint, world: str) -> tuple[str, list[int]]:
    rows = frames() if world == "orders" else theatre_frames()
    return constraint.table, violating_rows(constraint, rows, NOW, NOW.replace(tzinfo=UTC))


@pytest.mark.parametrize(("world", "rule", "readings"), [(world, rule, readings) for world, (rule, *readings) in TRAPS])
def test_a_trap_is_asked_about_or_taken_for_what_it_says(world: str, rule: str, readings: list[str]) -> None:
    tables, target = WORLDS[world]
    try:
        found = compile_rule(rule, tables, target=target)
    except RuleNotUnderstood as refusal:
        assert str(refusal)
        return
    assert readings, f"not refused: {found.echo}"
    meant = [constraint for one in readings if (constraint := read_canonical(one)) is not None]
    assert len(meant) == len(readings), "a reading of the list is not canonical"
    rows = [flagged(constraint, world) for constraint in meant]
    assert flagged(found.constraint, world) in rows, found.echo


def test_there_are_many_of_them() -> None:
    assert len(TRAPS) >= 150
