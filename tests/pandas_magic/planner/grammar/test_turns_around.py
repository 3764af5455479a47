"""What stands around a rule, and turns that say a limit sideways; each beside sentences that must not be read so."""

import pytest

from pandas_magic.catalog.table import Table
from pandas_magic.errors import RuleNotUnderstood
from tests.pandas_magic.planner.grammar.former import compile_rule

TABLES = {
    "customers": Table(
        name="customers",
        columns={"customer_id": "int64", "tier": "str", "birth_date": "datetime64[us]", "blocked": "bool"},
        values={"tier": ("gold", "silver")},
        keys=("customer_id",),
    ),
    "rentals": Table(
        name="rentals",
        columns={
            "rental_id": "int64",
            "customer_id": "int64",
            "pickup_on": "datetime64[us]",
            "returned_on": "datetime64[us]",
            "price_eur": "float64",
            "cost_eur": "float64",
            "discount_pct": "float64",
            "odometer_pickup_km": "int64",
            "renewals": "int64",
            "payment_method": "str",
            "status": "str",
            "damage_reported": "bool",
            "damage_note": "str",
            "licence_expires_on": "datetime64[us]",
            "signal_db": "float64",
        },
        values={"payment_method": ("card", "cash"), "status": ("booked", "cancelled")},
        keys=("rental_id",),
    ),
}
_CUSTOMERS = "customer_id must not be among customers.customer_id"


@pytest.mark.parametrize(
    ("sentence", "echo"),
    [
        # the same in other words, and reasons
        ("We never rent below cost: the price must be at least the cost.", "price_eur must be >= cost_eur"),
        ("price must be positive, otherwise we cannot bill it", "price_eur must be greater than 0"),
        ("price must be positive because billing breaks", "price_eur must be greater than 0"),
        ("Signal strength (signal_db) must be below 0", "signal_db must be less than 0"),
        # names taken apart
        ("The odometer at pickup must be positive", "odometer_pickup_km must be greater than 0"),
        ("No rental may be past renewals 5", "renewals must be at most 5"),
        ("We want to know the payment method of every rental", "payment_method must be present"),
        ("Pickup and returned date must be two different dates", "pickup_on must not equal returned_on"),
        # margins
        ("The price must be at least 3 % above the cost", "price_eur must be >= cost_eur * 1.03 (up to rounding)"),
        (
            "The price must not exceed the cost by more than 10 %",
            "price_eur must be <= cost_eur * 1.1 (up to rounding)",
        ),
        (
            "The price must not differ from the cost by more than 2 euros",
            "the absolute value of (price_eur - cost_eur) must be at most 2 (up to rounding)",
        ),
        ("Discounts are percentages, so 0 to 100", "discount_pct must be between 0 and 100"),
        ("price lies between EUR 5 and EUR 500", "price_eur must be between 5 and 500"),
        # verbs and what they make
        ("A rental can be renewed three times at most", "renewals must be at most 3"),
        ("Cancelled rentals must have been paid by card", "payment_method must be 'card'"),
        ("Blocked customers may not rent", f"{_CUSTOMERS} (where blocked is true)"),
        ("Nothing may be rented by a blocked customer", f"{_CUSTOMERS} (where blocked is true)"),
        ("When damage was reported, a damage note is mandatory", "damage_note must be present"),
        ("Rentals cannot come back before they were picked up", "returned_on must be >= pickup_on"),
        ("A discount may only be given for booked rentals", "status must be 'booked'"),
        (
            "The customer must be at least 21 years old on the day of pickup",
            "pickup_on must be >= (the birth_date of customers by customer_id) + 21 years",
        ),
        (
            "No rental whose licence has expired may be booked",
            "where licence_expires_on is before now: status must not be 'booked'",
        ),
        ("At most 2 rentals per customer and month", "the year of pickup_on, the month of pickup_on"),
        (
            "The price is at least 20 for booked rentals and at least 10 for cancelled rentals",
            "(status is not 'booked' or price_eur is at least 20) and "
            "(status is not 'cancelled' or price_eur is at least 10)",
        ),
    ],
)
def test_a_turn_is_read_as_it_is_meant(sentence: str, echo: str) -> None:
    found = compile_rule(sentence, TABLES, target="rentals").echo
    assert found.startswith("rentals")
    assert echo in found


@pytest.mark.parametrize(
    "sentence",
    [
        # what stands before the colon may narrow the rule down
        "International rentals must be cheap: the price must be positive",
        "Rentals to Mars must be paid: the price must be positive",
        "Rentals that came by phone are special: the price must be positive",
        "Only booked rentals count: the price must be positive",
        "Most rentals are fine: the price must be positive",
        "Prices of 5 are special: the cost must be positive",
        # a reason that may be a condition, or another demand
        "price must be positive because status is booked",
        "price must be positive, otherwise the status is cancelled",
        "price must be positive, otherwise the discount must be 0",
        "price must be positive unless booked, otherwise we bill it",
        # words that could mean two things
        "Rentals must be returned within 5 days of pickup",
        "A rental cannot be picked up nor returned before it was booked",
        "Unbooked rentals must have a damage note",
        "Approved rentals (rental_id) must be unique",
        "Blocked customers may rent",
        "A discount may be given for booked rentals",
        "The price must be at least 3 % of the time above the cost",
        "A rental can be renewed at least three times",
    ],
)
def test_a_sentence_close_to_a_turn_is_refused(sentence: str) -> None:
    with pytest.raises(RuleNotUnderstood):
        compile_rule(sentence, TABLES, target="rentals")
