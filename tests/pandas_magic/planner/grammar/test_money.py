"""Sums of money behind a difference or tolerance: in the column's own currency, a cent a hundredth of it."""

import pytest

from pandas_magic.catalog.table import Table
from pandas_magic.errors import RuleNotUnderstood
from tests.pandas_magic.planner.grammar.former import compile_rule

SALES = {
    "sales": Table(
        name="sales",
        columns={
            "sale_id": "int64",
            "price_usd": "float64",
            "cost_usd": "float64",
            "total": "float64",
            "paid": "float64",
            "fee_ct": "int64",
            "charge_ct": "int64",
        },
        keys=("sale_id",),
    )
}


@pytest.mark.parametrize(
    ("sentence", "limit"),
    [
        ("price must not differ from cost by more than 2 dollars", "2"),
        ("price must not differ from cost by more than 5 cents", "0.05"),
        ("total must not differ from paid by more than 2 euros", "2"),
        ("total must not differ by more than 50 cents from paid", "0.5"),
        ("fee_ct must not differ from charge_ct by more than 2 cents", "2"),
    ],
)
def test_a_difference_in_money_is_read_in_the_columns_unit(sentence: str, limit: str) -> None:
    assert compile_rule(sentence, SALES).echo.endswith(f"must be at most {limit} (up to rounding)")


def test_a_tolerance_of_a_cent_is_a_hundredth() -> None:
    assert "within 0.01" in compile_rule("total = paid, within 1 cent", SALES).echo
    assert "within 1" in compile_rule("fee_ct = charge_ct, within 1 cent", SALES).echo


@pytest.mark.parametrize(
    "sentence",
    [
        "price must not differ from cost by more than 2 euros",
        "price must not differ by more than 2 euros from cost",
        "price = cost, within 2 euros",
        "fee_ct must not differ from charge_ct by more than 2 euros",
        "fee_ct = charge_ct, within 2 euros",
    ],
)
def test_money_of_another_unit_than_the_columns_is_refused(sentence: str) -> None:
    with pytest.raises(RuleNotUnderstood):
        compile_rule(sentence, SALES)
