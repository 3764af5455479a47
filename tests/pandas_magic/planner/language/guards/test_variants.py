"""A value that a column holds in more than one spelling is asked about where its other rows would be passed over."""

import pytest

from pandas_magic.catalog.table import Table
from pandas_magic.errors import RuleNotUnderstood
from pandas_magic.planner.language import compile_rule

ORDERS = Table(
    name="orders",
    columns={
        "order_id": "int64",
        "customer_id": "int64",
        "status": "str",
        "depot": "str",
        "shipped_on": "datetime64[us]",
    },
    values={"status": ("paid", "Paid", "open", "D", "DONE"), "depot": ("Leeds", "LDS", "HUL", " HUL")},
    keys=("order_id",),
)
CUSTOMERS = Table(name="customers", columns={"customer_id": "int64", "name": "str"}, keys=("customer_id",))
TABLES = {"orders": ORDERS, "customers": CUSTOMERS}


@pytest.mark.parametrize(
    ("rule", "doubt", "whole"),
    [
        (
            "If the order is paid, shipped_on must be present.",
            "paid",
            "orders where status ignoring case is 'paid': shipped_on must be present",
        ),
        (
            "shipped_on may only be present if status is paid",
            "paid",
            "orders where shipped_on is present: status ignoring case must be 'paid'",
        ),
        (
            "Only paid orders may have a shipped_on.",
            "paid",
            "orders where shipped_on is present: status ignoring case must be 'paid'",
        ),
        ("status must not be paid", "'paid' and 'Paid'", "orders: status ignoring case must not be 'paid'"),
        (
            "Every order that is done must have a shipped_on.",
            "'DONE' and 'D'",
            "orders where status is one of 'D', 'DONE': shipped_on must be present",
        ),
        (
            "orders in Leeds must have a shipped_on",
            "'Leeds' and 'LDS'",
            "orders where depot is one of 'LDS', 'Leeds': shipped_on must be present",
        ),
        (
            "depot must not be HUL",
            "'HUL' and ' HUL'",
            "orders: (depot ignoring outer spaces) ignoring case must not be 'hul'",
        ),
        (
            "If status is paid, shipped_on must be present, otherwise it must be missing.",
            "'paid' and 'Paid'",
            "orders: it must hold that (status ignoring case is not 'paid' or shipped_on is present)"
            " and (status ignoring case is 'paid' or shipped_on is missing)",
        ),
        (
            "Every customer must have at least 2 paid orders.",
            "paid",
            "customers: the number of rows in orders (where status ignoring case is 'paid') by customer_id"
            " must be at least 2",
        ),
    ],
)
def test_rows_that_would_be_passed_over_make_a_question(rule: str, doubt: str, whole: str) -> None:
    with pytest.raises(RuleNotUnderstood, match=doubt) as asked:
        compile_rule(rule, TABLES)
    sentences = [reading.sentence for reading in asked.value.readings]
    assert whole in sentences[:2]
    assert compile_rule(whole, TABLES).echo == whole


@pytest.mark.parametrize(
    "rule",
    [
        "shipped_on must be present if status is 'paid'",
        "shipped_on must be present if status is 'open'",
        "status must only be paid or open",
        "status must be paid or open",  # what is spelt otherwise breaks it
        "depot must contain 'L'",
    ],
)
def test_nothing_is_asked_where_the_value_is_quoted_or_its_other_spellings_are_seen(rule: str) -> None:
    assert "ignoring case" not in compile_rule(rule, TABLES).echo
