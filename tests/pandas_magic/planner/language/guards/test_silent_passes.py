"""Readings that every row would keep, or that no row could, are asked about instead of taken."""

import pandas as pd
import pytest

from pandas_magic.catalog.arrow import describe_frame
from pandas_magic.errors import RuleNotUnderstood
from pandas_magic.planner.language import compile_rule

BOOKED = ["2024-01-03", "2024-12-01", "2024-07-01"]
ZEROS = pd.DataFrame({"line_id": [1, 2, 3], "debit": [10.0, 0, 7], "credit": [0.0, 10, 0], "booked": BOOKED})
GAPS = ZEROS.assign(debit=ZEROS.debit.where(ZEROS.debit > 0), credit=ZEROS.credit.where(ZEROS.credit > 0))
EITHER = ["A line shall carry either a debit or a credit, never both.", "A line must have either a debit or a credit"]


@pytest.mark.parametrize("rule", EITHER)
def test_either_of_two_numbers_is_asked_about_where_no_row_lacks_one(rule: str) -> None:
    with pytest.raises(RuleNotUnderstood, match="say whether it must be missing, or 0"):
        compile_rule(rule, {"lines": describe_frame("lines", ZEROS)})


def test_either_of_two_is_there_or_both_are_asked_about_where_that_is_not_said() -> None:
    gaps = {"lines": describe_frame("lines", GAPS)}
    assert "must equal 1" in compile_rule(EITHER[0], gaps).echo
    with pytest.raises(RuleNotUnderstood, match="whether both may be there is not said") as refused:
        compile_rule(EITHER[1], gaps)
    assert any("debit is missing or credit is missing" in one.sentence for one in refused.value.readings)


def test_a_total_beside_the_price_of_a_product_asks_whether_the_quantity_counts() -> None:
    lines = pd.DataFrame({"line_id": [1, 2], "sku": ["a", "b"], "line_total": [10.0, 4], "quantity": [2, 1]})
    products = pd.DataFrame({"sku": ["a", "b"], "list_price": [5.0, 4]})
    tables = {"lines": describe_frame("lines", lines), "products": describe_frame("products", products)}
    with pytest.raises(RuleNotUnderstood, match="of one or of the whole quantity is not said"):
        compile_rule("The line total must be at least the list price.", tables, target="lines")
    assert "quantity" in compile_rule("line_total must be at least quantity times the list price", tables).echo


@pytest.mark.parametrize(
    ("rule", "meant"),
    [
        (
            "booked must not be in December or January",
            "lines: the month of (booked read as a date) must be none of 1, 12",
        ),
        ("booked must be in January or July", "lines: the month of (booked read as a date) must be one of 1, 7"),
        ("booked must not be 'Sunday'", "lines: the weekday of (booked read as a date) must be none of 7"),
        ("booked must be 'Monday'", "lines: the weekday of (booked read as a date) must be one of 1"),
    ],
)
def test_a_month_of_texts_that_are_dates_is_no_text_among_them(rule: str, meant: str) -> None:
    with pytest.raises(RuleNotUnderstood, match="booked holds dates") as refused:
        compile_rule(rule, {"lines": describe_frame("lines", ZEROS)})
    assert [one.sentence for one in refused.value.readings][1] == meant


@pytest.mark.parametrize(
    "rule",
    [
        "Lines under warranty are free of charge, so their debit must be 0.",
        "Free lines are gifts, so their debit must be 0.",
        "Because staff lines are gifts, their debit must be 0.",
    ],
)
def test_a_reason_about_some_rows_makes_no_rule_about_all(rule: str) -> None:
    with pytest.raises(RuleNotUnderstood, match="or only some is not said"):
        compile_rule(rule, {"lines": describe_frame("lines", ZEROS)})


@pytest.mark.parametrize(
    "rule", ["Lines are typed by hand, so their debit must be 0.", "Nobody works for free, so the debit must be 0."]
)
def test_a_reason_about_all_rows_is_set_aside(rule: str) -> None:
    assert compile_rule(rule, {"lines": describe_frame("lines", ZEROS)}).echo == "lines: debit must equal 0"
