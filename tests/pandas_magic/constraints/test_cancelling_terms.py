"""What is held against 0 is equal to it up to the rounding of the terms that cancel, and a cent more is seen."""

from decimal import Decimal
from typing import Any

import numpy as np
import pandas as pd
import pytest

from pandas_magic.catalog.arrow import describe_frame
from pandas_magic.constraints import (
    Aggregate,
    Arithmetic,
    Column,
    Compare,
    Group,
    RowRule,
    TableRule,
    Value,
    render_code,
    violating_rows,
)
from pandas_magic.constraints.algebra.rules import Constraint

AMOUNT, NOTHING = Column(name="amount"), Value(value=0)
# Payments of three shares each, and what they add up to: none of the sums is 0 in binary fractions.
SHARES = (33_333_333.33, 33_333_333.33, 33_333_333.34, -100_000_000.0, 4_700_000.1, 0.2, -4_700_000.3)
LEDGER = pd.DataFrame({"journal": [1, 1, 1, 1, 2, 2, 2], "amount": SHARES})


def per_journal(relation: Any) -> RowRule:
    total = Group(statistic="sum", of=AMOUNT, by=(Column(name="journal"),))
    return RowRule(table="ledger", must=Compare(relation=relation, left=total, right=NOTHING))


def whole(relation: Any) -> TableRule:
    total = Aggregate(statistic="sum", table="ledger", of=AMOUNT)
    return TableRule(table="ledger", must=Compare(relation=relation, left=total, right=NOTHING))


def difference(relation: Any) -> RowRule:
    halved = Arithmetic(sign="*", left=AMOUNT, right=Value(value=0.1))
    tenfold = Arithmetic(sign="*", left=halved, right=Value(value=10))
    apart = Arithmetic(sign="-", left=AMOUNT, right=tenfold)
    return RowRule(table="ledger", must=Compare(relation=relation, left=apart, right=NOTHING))


def meant(rule: Constraint, frame: pd.DataFrame) -> list[int]:
    now = pd.Timestamp("2026-01-01")
    return list(violating_rows(rule, {"ledger": frame}, now, now))


def found_by_code(rule: Constraint, frame: pd.DataFrame) -> list[int]:
    space: dict[str, Any] = {"pd": pd, "np": np, "ledger": frame}
    exec(render_code(rule, {"ledger": describe_frame("ledger", frame)}), space)
    return [int(row) for row in space["violations"].index]


@pytest.mark.parametrize("rule_of", [per_journal, whole, difference])
def test_payments_that_cancel_are_balanced_and_none_is_below_nothing(rule_of: Any) -> None:
    for relation, broken in (("==", False), (">=", False), ("<=", False), ("!=", True), ("<", True), (">", True)):
        rule = rule_of(relation)
        found = found_by_code(rule, LEDGER)
        assert bool(found) is broken, relation
        assert found == meant(rule, LEDGER)


@pytest.mark.parametrize("cents", [0.01, -0.01])
def test_a_cent_in_a_hundred_millions_is_seen(cents: float) -> None:
    frame = LEDGER.assign(amount=[SHARES[0] + cents, *SHARES[1:]])
    for rule, rows in ((per_journal("=="), [0, 1, 2, 3]), (whole("=="), [0])):
        assert found_by_code(rule, frame) == meant(rule, frame) == rows


@pytest.mark.parametrize(
    "values",
    [
        [Decimal("1.5"), None, Decimal("-1.5")],
        [True, None, False],
        [1e300, np.inf, -5.0],
        [np.inf, -np.inf, 0.0],
        [None, None],
        [],
        [1, 2**62, -3],
        pd.array([1, None, -1], dtype="Int64"),
        pd.array([1.5, None, -1.5], dtype="Float64"),
        np.array([1.5, 2, -3.5], dtype="float32"),
    ],
    ids=str,
)
@pytest.mark.filterwarnings("ignore:invalid value encountered in reduce")  # infinities of both signs
def test_code_and_meaning_agree_on_columns_of_every_make(values: Any) -> None:
    frame = pd.DataFrame({"journal": ["a", "a", None][: len(values)], "amount": pd.Series(values)})
    for relation in ("==", ">=", "<"):
        for rule in (per_journal(relation), whole(relation)):
            assert found_by_code(rule, frame) == meant(rule, frame), rule


def test_a_sum_is_rounded_once_whatever_the_order() -> None:
    lost = pd.DataFrame({"amount": [1e12, 0.1, -1e12]})
    total = Aggregate(statistic="sum", table="ledger", of=AMOUNT)
    rule = TableRule(table="ledger", must=Compare(relation="==", left=total, right=Value(value=0.1)))
    assert meant(rule, lost) == meant(rule, lost[::-1]) == []
