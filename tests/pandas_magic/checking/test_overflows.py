"""Sums and products of whole numbers that pandas would wrap around are an ERROR, and all others are judged."""

import dataclasses
from pathlib import Path

import pandas as pd
import pytest

from pandas_magic.checking.bench import Bench
from pandas_magic.history.run import Verdict
from pandas_magic.registry.check_request import CheckRequest
from pandas_magic.workspace import Workspace

SMALL = pd.DataFrame({"user_id": [1, 1, 2], "amount": [3, 4, 5], "quantity": [2, 3, 4], "limit": [100, 100, 100]})
RULES = {
    "amount * quantity must be at most limit": "amount * quantity may reach",
    "amount + quantity must be at most limit": "amount + quantity may reach",
    "the sum of amount per user_id must be at most 1000": "amount",
    "amount - quantity must be at most limit": "amount - quantity may reach",
}


@pytest.fixture
def orders() -> pd.DataFrame:
    return SMALL.copy()


@pytest.fixture
def workspace(tmp_path: Path, bench: Bench, orders: pd.DataFrame) -> Workspace:
    return dataclasses.replace(Workspace.open(tmp_path, tables={"orders": orders}), bench=bench)


@pytest.mark.parametrize("rule", RULES)
def test_what_would_wrap_around_is_an_error_that_names_it(
    workspace: Workspace, orders: pd.DataFrame, rule: str
) -> None:
    check_id = workspace.check(CheckRequest(rule, target="orders")).run.check_id
    assert workspace.run_saved(check_id).run.verdict == Verdict.PASS
    orders["amount"], orders["quantity"] = 2**62, -(2**62) if " - " in rule else 2**62
    run = workspace.run_saved(check_id).run
    assert run.verdict == Verdict.ERROR
    assert RULES[rule] in run.error
    assert "beyond what int64 holds" in run.error
    orders["amount"], orders["quantity"] = float(2**62), 2.0
    assert workspace.run_saved(check_id).run.verdict != Verdict.PASS


@pytest.mark.parametrize(
    ("dtype", "amount", "quantity", "rule", "wraps"),
    [
        ("int8", 100, 100, "amount + quantity must be at most limit", True),
        ("int8", 60, 60, "amount + quantity must be at most limit", False),
        ("uint8", 3, 5, "amount - quantity must be at most limit", True),
        ("uint8", 5, 3, "amount - quantity must be at most limit", False),
        ("int64", 2**40, 3, "the sum of amount per user_id must be at most 1000", False),
        ("Int64", 2**62, 3, "amount * quantity must be at most limit", True),
        ("int64[pyarrow]", 2**62, 3, "the sum of amount per user_id must be at most 1000", True),
    ],
)
def test_the_dtype_says_where_that_begins(
    workspace: Workspace, orders: pd.DataFrame, dtype: str, amount: int, quantity: int, rule: str, wraps: bool
) -> None:
    for name in ("amount", "quantity"):
        orders[name] = orders[name].astype(dtype)
    check_id = workspace.check(CheckRequest(rule, target="orders")).run.check_id
    orders["amount"] = pd.Series([amount] * 3, dtype=dtype)
    orders["quantity"] = pd.Series([quantity] * 3, dtype=dtype)
    assert (workspace.run_saved(check_id).run.verdict == Verdict.ERROR) is wraps
