"""What it is to have something, and to last: a column of truth is had when it is true, an amount when it is above 0."""

import pytest

from pandas_magic.catalog.table import Table
from pandas_magic.errors import RuleNotUnderstood
from pandas_magic.planner.grammar.forms import EXAMPLE_TABLES
from tests.pandas_magic.planner.grammar.former import compile_rule

_DATE = "datetime64[us]"
TABLES = {
    "stays": Table(
        name="stays",
        columns={
            **{"stay_id": "int64", "arrival": _DATE, "departure": _DATE, "shore_power": "bool", "is_member": "bool"},
            **{"breakfast": "str", "kwh": "float64", "payment_state": "str"},
        },
        values={"payment_state": ("open", "paid"), "breakfast": ("N", "Y")},
        keys=("stay_id",),
    ),
    "orders": Table(
        name="orders",
        columns={"order_id": "int64", "discount": "float64", "refund": "float64", "coupon_code": "str"},
        keys=("order_id",),
        missing={"refund": 40, "coupon_code": 20},
        row_count=50,
    ),
    "flights": Table(
        name="flights",
        columns={"flight_id": "int64", "departure": _DATE, "arrival": _DATE, "wifi": "bool"},
        values={},
        keys=("flight_id",),
    ),
    "bookings": Table(
        name="bookings",
        columns={"booking_id": "int64", "departure": _DATE, "arrival": _DATE},
        values={},
        keys=("booking_id",),
    ),
    "visits": Table(
        name="visits",
        columns={"visit_id": "int64", "arrival": _DATE, "start_time": _DATE, "end_time": _DATE},
        values={},
        keys=("visit_id",),
    ),
}
UNDERSTOOD = [
    (
        "stays",
        "Only stays with shore power may have a kwh above 0.",
        "stays where kwh is greater than 0: shore_power must be true",
    ),
    (
        "stays",
        "Stays without shore power must not have a kwh above 0.",
        "stays where shore_power is not true: kwh must be at most 0",
    ),
    (
        "stays",
        "Stays lacking shore power must be paid.",
        "stays where shore_power is not true: payment_state must be 'paid'",
    ),
    ("stays", "Every stay must have shore power.", "stays: shore_power must be true"),
    ("stays", "No stay may have shore power.", "stays: shore_power must not be true"),
    ("stays", "Paid stays require breakfast.", "stays where payment_state is 'paid': breakfast must be 'Y'"),
    ("stays", "Flag stays that have no breakfast.", "stays: breakfast must be 'Y'"),
    ("stays", "Every stay must have a shore power flag.", "stays: shore_power must be present"),
    (
        "stays",
        "Stays with a shore power value must be paid.",
        "stays where shore_power is present: payment_state must be 'paid'",
    ),
    ("stays", "shore_power must not be missing.", "stays: shore_power must be present"),
    (
        "stays",
        "Exactly one of shore_power and breakfast must be filled.",
        "stays: the number of true ones among (shore_power is present; breakfast is present) must equal 1",
    ),
    # Where some rows have none, to have one is that it is there; what is demanded has to be there in any case.
    (
        "orders",
        "Orders with a refund must have a coupon code.",
        "orders where refund is present: coupon_code must be present",
    ),
    ("orders", "Every order must have a discount.", "orders: discount must be present"),
    (
        "orders",
        "Orders with a discount above 0 must have a coupon code.",
        "orders where discount is greater than 0: coupon_code must be present",
    ),
    ("stays", "A stay may not last longer than 60 days.", "stays: departure - arrival must be at most 60 days"),
    ("stays", "The stay must not last less than 1 day.", "stays: departure - arrival must be at least 1 day"),
    ("flights", "A flight may not take more than 20 hours.", "flights: arrival - departure must be at most 20 hours"),
]
REFUSED = [
    # To be true, or only to be there?
    ("stays", "Every stay must have is_member.", 'must "is_member" be true, or only be filled in?'),
    ("stays", "Stays must have exactly one of shore power and breakfast.", 'must "shore_power" be true'),
    # Every order has a discount, if only of 0.
    ("orders", "Orders with a discount must have a coupon code.", 'every row of "orders" has a discount'),
    ("orders", "Only orders with a coupon code may have a discount.", 'every row of "orders" has a discount'),
    # Who books a room arrives first, who books a flight departs first.
    ("bookings", "A booking may not last longer than 20 days.", "from the arrival to the departure"),
    ("bookings", "Bookings must not take more than 20 days.", "from the arrival to the departure"),
]


@pytest.mark.parametrize(("table", "sentence", "echo"), UNDERSTOOD)
def test_sentence_is_understood_in_its_own_sense(table: str, sentence: str, echo: str) -> None:
    assert compile_rule(sentence, TABLES, target=table).echo == echo


@pytest.mark.parametrize(("table", "sentence", "why"), REFUSED)
def test_what_can_be_meant_either_way_is_asked(table: str, sentence: str, why: str) -> None:
    with pytest.raises(RuleNotUnderstood, match=why.replace("?", r"\?")):
        compile_rule(sentence, TABLES, target=table)


def test_a_visit_does_not_begin_twice() -> None:
    # It has an arrival and a start: how long it lasts is between neither of them and the end for certain.
    with pytest.raises(RuleNotUnderstood):
        compile_rule("A visit must not last longer than 2 hours.", TABLES, target="visits")


_FARMS = {
    "farms": Table(
        name="farms",
        columns={"farm_id": "int64", "status": "str", "left_on": _DATE},
        values={"status": ("active", "left")},
        keys=("farm_id",),
    ),
    "deliveries": Table(
        name="deliveries",
        columns={
            **{"delivery_id": "int64", "farm_id": "int64", "litres": "int64", "price_per_litre": "float64"},
            **{"status": "str", "reason": "str"},
        },
        values={"status": ("open", "released"), "reason": ("positive_test", "spilled")},
        keys=("delivery_id",),
    ),
    "tests": Table(
        name="tests",
        columns={"test_id": "int64", "delivery_id": "int64", "result": "str"},
        values={"result": ("negative", "positive")},
        keys=("test_id",),
    ),
    "contracts": Table(
        name="contracts",
        columns={"contract_id": "int64", "start_date": _DATE, "end_date": _DATE, "term_months": "int64"},
        keys=("contract_id",),
    ),
}


@pytest.mark.parametrize(
    ("table", "sentence", "why"),
    [
        ("deliveries", "There should be no deliveries from farms that have left.", "can mean 2 different things"),
        ("deliveries", "No delivery with a positive test may be released.", "what is meant of the rows of"),
        # The term may be what the dates say, or what term_months says.
        ("contracts", "A contract must not last longer than 24 months.", "how they go together"),
    ],
)
def test_two_columns_that_may_not_agree_are_asked_about(table: str, sentence: str, why: str) -> None:
    with pytest.raises(RuleNotUnderstood, match=why):
        compile_rule(sentence, _FARMS, target=table)


@pytest.mark.parametrize(
    "sentence",
    [
        "Orders that were shipped must have a tax.",
        "Every order must have been shipped.",
        "At least 90 % of the orders must have been shipped.",
    ],
)
def test_what_was_done_is_asked_about_where_a_date_and_a_status_tell_of_it(sentence: str) -> None:
    with pytest.raises(RuleNotUnderstood, match=r"ship_date .*present.*status .*'shipped'"):
        compile_rule(sentence, EXAMPLE_TABLES, target="orders")


@pytest.mark.parametrize(
    ("sentence", "echo"),
    [
        ("Shipped orders must have a tax.", "orders where status is 'shipped': tax must be present"),
        (
            "Orders that were shipped must have a ship date.",
            "orders where status is 'shipped': ship_date must be present",
        ),
    ],
)
def test_a_status_is_meant_where_it_is_named_as_one(sentence: str, echo: str) -> None:
    assert compile_rule(sentence, EXAMPLE_TABLES, target="orders").echo == echo


@pytest.mark.parametrize(
    ("table", "sentence", "echo"),
    [
        ("deliveries", "No delivery under 50 litres is accepted.", "deliveries: litres must be at least 50"),
        (
            "deliveries",
            "No delivery with reason positive test may be released.",
            "deliveries where reason is 'positive_test': status must not be 'released'",
        ),
        (
            "farms",
            "Only farms with status left may have a left_on date.",
            "farms where left_on is present: status must be 'left'",
        ),
    ],
)
def test_what_names_its_column_is_understood(table: str, sentence: str, echo: str) -> None:
    assert compile_rule(sentence, _FARMS, target=table).echo == echo
