"""Sums and products of whole numbers that pandas would wrap around are an ERROR, and all others are judged."""

import dataclasses
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from pandas_magic.checking.bench import Bench
from pandas_magic.checking.overflows import overflow_of
from pandas_magic.constraints import Arithmetic, Column, Compare, RowRule
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


NEAR = [2**53 + 1, 2**53 + 3, 5]  # as floats the first two are 2**53 and 2**53 + 4


@pytest.mark.parametrize(
    ("rule", "mine", "theirs", "verdict"),
    [
        ("orders where user_id is present: user_id must be among users.user_id", "Int64", "Int64", Verdict.FAIL),
        ("orders where user_id is present: user_id must be among users.user_id", "int64", "Int64", Verdict.FAIL),
        (
            "orders where user_id is present: user_id must be among users.user_id",
            "int64",
            "int64[pyarrow]",
            Verdict.FAIL,
        ),
        ("orders: user_id must be unique", "int64[pyarrow]", "int64", Verdict.PASS),
        ("orders: (user_id, amount) must be among (users.user_id, users.amount)", "int64", "int64", Verdict.FAIL),
    ],
)
def test_keys_beyond_2_53_are_matched_to_the_last_digit(
    tmp_path: Path, bench: Bench, rule: str, mine: str, theirs: str, verdict: Verdict
) -> None:
    gap = [] if theirs in ("int64", "uint64") else [None]
    users = pd.DataFrame({"user_id": pd.Series([2**53, *NEAR[1:], *gap], dtype=theirs), "amount": 1})
    orders = pd.DataFrame({"user_id": pd.Series([*NEAR, *([None] if "[" in mine else [])], dtype=mine), "amount": 1})
    space = dataclasses.replace(Workspace.open(tmp_path, tables={"users": users, "orders": orders}), bench=bench)
    run = space.check(CheckRequest(rule)).run
    assert (run.verdict, run.violation_count) == (verdict, int(verdict == Verdict.FAIL)), run.error


@pytest.mark.parametrize(
    ("rule", "theirs"),
    [
        ("orders where user_id is present: user_id must be among users.user_id", "Int64"),
        ("orders: amount must equal the amount of users by user_id", "float64"),
        ("orders: (user_id, amount) must be among (users.user_id, users.amount)", "uint64"),
    ],
)
def test_a_check_that_would_round_keys_of_today_says_so(tmp_path: Path, bench: Bench, rule: str, theirs: str) -> None:
    tables = {
        "users": pd.DataFrame({"user_id": [1, 3, 5], "amount": 1}),
        "orders": pd.DataFrame({"user_id": [1, 3, 5], "amount": 1}),
    }
    space = dataclasses.replace(Workspace.open(tmp_path, tables=tables), bench=bench)
    check_id = space.check(CheckRequest(rule)).run.check_id
    gap = [] if theirs == "uint64" else [None]
    tables["users"] = pd.DataFrame({"user_id": pd.Series([2**53, *NEAR[1:], *gap], dtype=theirs), "amount": 1})
    tables["orders"] = pd.DataFrame({"user_id": pd.Series(NEAR, dtype="int64"), "amount": 1})
    run = dataclasses.replace(Workspace.open(tmp_path, tables=tables), bench=bench).run_saved(check_id).run
    assert (run.verdict, "would match them rounded" in run.error) == (Verdict.ERROR, True)


@pytest.mark.parametrize("dtype", ["int8", "int64", "Int16", "int64[pyarrow]"])
def test_the_size_of_the_least_number_is_an_error(workspace: Workspace, orders: pd.DataFrame, dtype: str) -> None:
    orders["amount"] = orders["amount"].astype(dtype)
    rule = "orders: the absolute value of `amount` must be at most 100"
    check_id = workspace.check(CheckRequest(rule, target="orders")).run.check_id
    assert workspace.run_saved(check_id).run.verdict == Verdict.PASS
    least = np.iinfo(dtype.lower().removesuffix("[pyarrow]")).min
    orders["amount"] = pd.Series([least, 4, 5]).astype(dtype)
    run = workspace.run_saved(check_id).run
    assert run.verdict == Verdict.ERROR
    assert "the absolute value of amount may reach" in run.error


@pytest.mark.parametrize(
    ("left", "right", "sign", "said"),
    [
        (np.array([2**53 + 1], "int64"), np.array([2.0**53]), "", "left holds whole numbers beyond 2**53"),
        (np.array([2**53 - 1], "int64"), np.array([2.0**53]), "", ""),
        (np.array([2**63 + 1], "uint64"), np.array([5], "int64"), "-", "left - right may reach"),
        (np.array([7], "uint64"), np.array([9], "int64"), "-", ""),
        (np.array([2, 2**40], "object"), np.array([2**62, 1], "int64"), "*", "left * right may reach"),
    ],
)
def test_whole_numbers_that_pandas_would_round_are_named(
    left: "np.ndarray[Any, Any]", right: "np.ndarray[Any, Any]", sign: Any, said: str
) -> None:
    mine, other = Column(name="left"), Column(name="right")
    side = Arithmetic(sign=sign, left=mine, right=other) if sign else mine
    rule = RowRule(table="t", must=Compare(relation="<=", left=side, right=other))
    found = overflow_of(rule, {"t": pd.DataFrame({"left": left, "right": right})}, "")
    assert said in found and bool(said) is bool(found)
