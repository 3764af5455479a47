"""Turns that strangers used: shapes of texts, groups, questions, whole tables; and sentences close to them."""

import pandas as pd
import pytest

from pandas_magic.catalog.table import Table
from pandas_magic.constraints import render_code
from pandas_magic.errors import RuleNotUnderstood
from tests.pandas_magic.planner.grammar.former import compile_rule

TABLES = {
    "cars": Table(
        name="cars",
        columns={
            "car_id": "int64",
            "vin": "str",
            "plate": "str",
            "color": "str",
            "seats": "int64",
            "price": "float64",
            "status": "str",
        },
        values={"status": ("broken", "rented", "sold"), "color": ("black", "red", "white")},
        keys=("car_id",),
    ),
    "rentals": Table(
        name="rentals",
        columns={
            "rental_id": "int64",
            "car_id": "int64",
            "customer_id": "int64",
            "picked_up_on": "datetime64[us]",
            "due_on": "datetime64[us]",
            "returned_on": "datetime64[us]",
            "days": "int64",
            "voucher": "str",
            "payment_method": "str",
            "clerk": "str",
            "branch": "str",
            "tip": "float64",
        },
        values={"payment_method": ("card", "cash", "invoice"), "branch": ("north", "south")},
        keys=("rental_id",),
    ),
    "customers": Table(
        name="customers",
        columns={
            "customer_id": "int64",
            "email": "str",
            "ip_address": "str",
            "name": "str",
        },
        values={},
        keys=("customer_id",),
    ),
}

UNDERSTOOD = [
    # The shape of a text
    ("VINs are 13 digits, nothing else.", r"cars: vin must match /\d{13}/"),
    ("A plate has two letters, then 2 to 4 digits, no spaces.", r"cars: plate must match /[A-Za-z]{2}\d{2,4}/"),
    ("Plates look like this: one capital letter, two digits.", r"cars: plate must match /[A-Z]\d{2}/"),
    ("A plate is B- followed by six digits, e.g. B-004512.", r"cars: plate must match /B\-\d{6}/"),
    (
        "A VIN starts with two capital letters, followed by 11 to 30 capital letters or digits, no spaces.",
        "cars: vin must match /[A-Z]{2}[A-Z0-9]{11,30}/",
    ),
    (
        "A VIN has 17 characters, only capital letters and digits, and never the letters I, O or Q.",
        "cars: vin must match /[A-HJ-NPR-Z0-9]{17}/",
    ),
    ("A plate has three blocks of two digits joined by hyphens.", r"cars: plate must match /\d{2}(-\d{2}){2}/"),
    (
        "A VIN has 13 digits; the last character may also be a capital X.",
        r"cars: vin must match /\d{12}[0-9X]/",
    ),
    (
        "A plate looks like L-26-0031: capital L, two-digit year, four-digit counter, separated by hyphens.",
        r"cars: plate must match /L-\d{2}-\d{4}/",
    ),
    ('Plates begin with "10.", then a slash and a suffix without blanks.', r"cars: plate must match /10\.\/\S+/"),
    (
        "VINs must start with 978 or 979.",
        "cars: it must hold that vin starts with '978' or vin starts with '979'",
    ),
    ("plate = two capital letters", "cars: plate must match /[A-Z]{2}/"),
    ("Plates are written in upper case only.", "cars: plate must match /[^a-z]*/"),
    (
        "IP addresses must be valid IPv4: four numbers from 0 to 255 with dots between them.",
        "customers: ip_address must have the format IPv4 address",
    ),
    ("Plates contain only digits, spaces and a plus sign.", r"cars: plate must match /[0-9 \+]+/"),
    ("Plates should have no spaces.", r"cars: plate must not match /(.|\n)*\s(.|\n)*/"),
    ("Seats are limited to 5.", "cars: seats must be at most 5"),
    ("The number of rentals per clerk is limited to 5.", "rentals: the number of rows per clerk must be at most 5"),
    # No two alike
    (
        "No two customers may share an email, regardless of upper or lower case.",
        "customers: email ignoring case must be",
    ),
    ("Names have to be unique (BikeBits and bikebits count as the same).", "customers: name ignoring case must be"),
    ("A plate identifies exactly one car, so no plate may occur twice.", "cars: plate must be unique"),
    ("The same car can't be picked up twice on one day.", "rentals: (car_id, the date of picked_up_on) must be unique"),
    ("A customer must not use the same voucher for two rentals.", "rentals: (customer_id, voucher) must be unique"),
    ("Each customer may use a given voucher only once.", "rentals: (customer_id, voucher) must be unique"),
    (
        "A branch can start only one rental per day.",
        "rentals: the number of rows per (branch, the date of picked_up_on) must be at most 1",
    ),
    (
        "There should be no more than 4 rentals per day (due date).",
        "rentals: the number of rows per (the date of due_on) must be at most 4",
    ),
    ("Within a branch each voucher may occur only once per clerk.", "rentals: (branch, clerk, voucher) must be unique"),
    (
        "Apart from the rental_id and the days, no two rows in rentals may be completely identical.",
        "rentals: (car_id, customer_id, picked_up_on, due_on, returned_on, voucher, payment_method, clerk",
    ),
    # One value in a group
    ("One clerk, one branch.", "rentals: the distinct count of branch per clerk must be at most 1"),
    (
        "The branch must be the same for all rentals of a clerk.",
        "rentals: the distinct count of branch per clerk must be at most 1",
    ),
    (
        "The same clerk can't be listed under two different branches.",
        "rentals: the distinct count of branch per clerk must be at most 1",
    ),
    (
        "If a car has several rentals, they all come from the same branch.",
        "rentals: the distinct count of branch per car_id must be at most 1",
    ),
    # Rows that refer to this one
    ("List the cars that were never rented.", "cars: car_id must be present and car_id must be among rentals.car_id"),
    ("Which cars were never rented?", "cars: car_id must be present and car_id must be among rentals.car_id"),
    ("There shouldn't be any cars without a single rental.", "cars: car_id must be present and car_id must be among"),
    # Questions
    ("Is every customer's email a valid email address?", "customers: email must have the format email address"),
    ("Do all cars have a VIN?", "cars: vin must be present"),
    ("Are there cars with fewer than two rentals? There shouldn't be any.", "cars: the number of rows in rentals by"),
    ("A sold car without a price? That should not happen.", "cars where status is 'sold': price must be present"),
    # Sums and numbers of different values in groups
    (
        "The tips of one clerk shouldn't add up to more than 60 on any single day.",
        "rentals: the sum of tip per (clerk, the date of picked_up_on) must be at most 60",
    ),
    (
        "A clerk should work in no more than two different branches.",
        "rentals: the distinct count of branch per clerk must be at most 2",
    ),
    # Against rows that refer to this one
    (
        "The number of rentals of a car, not counting cash ones, must not exceed its seats.",
        "cars: the number of rows in rentals (where payment_method is missing or payment_method is not 'cash')",
    ),
    (
        "The tips of all rentals of a car, added up, must not be more than the price of that car.",
        "cars: the sum of tip in rentals by car_id must be <= price",
    ),
    (
        "A car cannot have more rentals assigned to it than it has seats.",
        "cars: the number of rows in rentals by car_id",
    ),
    ("The total days rented of a car can't be larger than its seats.", "cars: the sum of `days` in rentals by car_id"),
    # One after another
    (
        "Going by rental id, the due date must never go backwards.",
        "rentals where due_on is present and rental_id is present: due_on must be >= the previous due_on in order of",
    ),
    (
        "Flag cars whose price is more than 3 standard deviations away from the average price.",
        "cars: the absolute value of (price - (the mean of price over all rows)) must be <=",
    ),
    (
        "Cars whose price deviates from the average price by more than two standard deviations should be looked at.",
        "cars: the absolute value of (price - (the mean of price over all rows)) must be <=",
    ),
    (
        "Flag prices that are outliers by the usual 1.5 × IQR rule.",
        "cars: price must be >= (the 0.25 quantile of price over all rows) - ",
    ),
    # Shared values and groups
    ("Two cars with the same plate are not allowed.", "cars: plate must be unique"),
    ("No plate may be used by more than one car.", "cars: plate must be unique"),
    ("The same plate must not appear on two cars.", "cars: plate must be unique"),
    ("Each plate belongs to one car only.", "cars: plate must be unique"),
    ("No voucher may be used more than 20 times.", "rentals: the number of rows per voucher must be at most 20"),
    (
        "More than 4 rentals per clerk on the same day is suspicious.",
        "rentals: the number of rows per (clerk, the date of picked_up_on) must be at most 4",
    ),
    (
        "There may only be two rentals per clerk per day.",
        "rentals: the number of rows per (clerk, the date of picked_up_on) must be at most 2",
    ),
    (
        "No customer may have more than two open rentals, meaning rentals without a return date.",
        "customers: the number of rows in rentals (where returned_on is missing) by customer_id must be at most 2",
    ),
    (
        "A clerk should start rentals in no more than two different branches.",
        "rentals: the distinct count of branch per clerk must be at most 2",
    ),
    ("All rentals of a clerk must have the same branch.", "rentals: the distinct count of branch per clerk must be"),
    ("There must be at least one sold car.", "cars as a whole: the number of rows in cars (where status is 'sold')"),
    ("VINs may only contain capital letters and digits.", "cars: vin must match /[A-Z0-9]+/"),
    # A column introduced
    ("The VIN is the primary key, so it must never repeat.", "cars: vin must be unique"),
    ("plate came in as text - every value in it should be a number.", "cars: plate must be readable as a number"),
    (
        "The voucher is stored as text and must be a real date written as YYYY-MM-DD.",
        "rentals: voucher must be readable as a date and voucher must have the format ISO date",
    ),
    # Whole tables
    ("The cars table should hold at least 40 cars.", "cars as a whole: the number of rows in cars must be at least 40"),
    (
        "We expect no more than 100 rows in the cars table.",
        "cars as a whole: the number of rows in cars must be",
    ),
    ("We own exactly five cars.", "cars as a whole: the number of rows in cars must equal 5"),
    (
        "The average price per car should not exceed 12.",
        "cars as a whole: the mean of price in cars must be at most 12",
    ),
    ("On average a tip should be above 5.", "rentals as a whole: the mean of tip in rentals must be greater than 5"),
    # Values next to their column
    ("The voucher AUTUMN5 is no longer allowed.", "rentals: voucher must not be 'AUTUMN5'"),
    ("Cash must not appear as payment method.", "rentals: payment_method must not be 'cash'"),
    ("We only accept cash and card as payment methods.", "rentals: payment_method must be one of 'cash', 'card'"),
    ("Known colors are red and white, anything else is a typo.", "cars: color must be one of 'red', 'white'"),
]

REFUSED = [
    "Which cars must have a price?",
    "Which cars may be red?",
    "Seats must not be limited to 5.",
    "Seats are not limited to 5.",
    "Plates contain only digits, then a plus sign.",
    "Plates must not contain only digits and spaces.",
    "The price of all cars must not be below 1000, or so.",
    "Plates may have no spaces.",
    "Flag prices that are outliers.",
    "Two cars with the same plate are allowed.",
    "A plate may be used by more than one car.",
    "The same plate may appear on two cars.",
    "A voucher must be used at least 3 times.",
    "More than 4 rentals per clerk on the same day is allowed.",
    "Fewer than 4 rentals per clerk on the same day is suspicious.",
    "There may be two rentals per clerk per day.",
    "There may be more than two rentals per clerk per day.",
    "No customer may have more than two open rentals.",
    "No customer may have more than two open rentals, meaning rentals.",
    "VINs may contain capital letters and digits.",
    "VINs must not only contain capital letters and digits.",
    "Not all VINs may only contain digits.",
    "The tips of one clerk should add up to more than some on any single day.",
    "The tips of some clerk shouldn't add up to more than 60 on any single day.",
    "A clerk may work in two different branches.",
    "A clerk must not work in only two different branches.",
    "The number of rentals of a car, not counting red ones, must not exceed its seats.",
    "The number of rentals of a car, counting cash ones, must not exceed its seats.",
    "The total days sold of a car can't be larger than its seats.",
    "The price is the primary key, so it may repeat.",
    "The price came in as text - every value in it should be a number.",
    "Flag cars whose price is more than 3 standard deviations away from the average seats.",
    "The tips of all rentals of a car, not added up, must not be more than the price of that car.",
    "VINs have 17 characters, only capital letters, and never 5.",
    "VINs must not have 17 characters, only digits.",
    "VINs may have 17 characters, only digits.",
    "VINs may be 13 digits, nothing else.",
    "A plate has two letters or spaces, no spaces.",
    "A plate is B- followed by six digits, e.g. B-45.",
    "A plate looks like L-26-31: capital L, two-digit year, four-digit counter, separated by hyphens.",
    "A VIN has 13 letters; the last character may also be a capital X.",
    "IP addresses must be valid IPv4: four numbers from 0 to 100 with dots between them.",
    "Names have to be unique (Bikes and bikebits count as the same).",
    "Names have to be unique (BikeBits and bikebits are different).",
    "The same car can be picked up twice on one day.",
    "A customer may use the same voucher for two rentals.",
    "Some customers may use a given voucher only once.",
    "A branch must not start only one rental per day.",
    "The same clerk can be listed under two different branches.",
    "The branch need not be the same for all rentals of a clerk.",
    "Flag cars that were not rented.",
    "Flag cars that have not been rented.",
    "Do some cars have a VIN?",
    "Do all cars not have a VIN?",
    "Is every VIN not unique?",
    "Are not all VINs unique?",
    "Should every car have a VIN?",
    "VINs must be unique?",
    "Every second car must be tagged with a rental.",
    "The voucher AUTUMN5 may no longer be missing.",
    "The voucher AUTUMN5 is allowed.",
    "Cash may appear as payment method.",
    "Known colors are red and white, anything else is fine.",
    "We do not accept cash any more, so card must not appear as payment method.",
    "The average price per customer should not exceed 12.",
]


@pytest.mark.parametrize(("sentence", "echo"), UNDERSTOOD)
def test_turn_is_understood_in_its_own_sense(sentence: str, echo: str) -> None:
    assert compile_rule(sentence, TABLES).echo.startswith(echo)


@pytest.mark.parametrize("sentence", REFUSED)
def test_sentence_that_nearly_says_it_is_refused(sentence: str) -> None:
    with pytest.raises(RuleNotUnderstood):
        compile_rule(sentence, TABLES)


def test_what_is_false_today_may_have_been_true_before() -> None:
    now = compile_rule("Flag cars that are not rented.", TABLES)
    ever = compile_rule("Flag cars that were never rented.", TABLES)
    assert now.echo == "cars: status must be 'rented'"
    assert ever.constraint != now.constraint


def test_a_column_of_days_is_not_the_day_of_an_event() -> None:
    found = compile_rule("A customer may start at most one rental per day.", TABLES)
    assert found.echo == "rentals: (customer_id, the date of picked_up_on) must be unique" or "`days`" not in found.echo


def numbered_out_of(sentence: str, numbers: list[float], branches: list[str]) -> list[int]:
    """The numbers of seats that the rule flags, where a car's color stands for its branch."""
    tables = {"cars": pd.DataFrame({"seats": numbers, "color": branches, "status": "sold"})}
    names = {**tables, "pd": pd}
    exec(render_code(compile_rule(sentence, TABLES).constraint, TABLES), names)
    return names["violations"]["seats"].tolist()


def test_every_row_whose_number_has_no_predecessor_is_flagged() -> None:
    numbers, colors = [4, 4, 1, 2, 7, None], ["red"] * 6
    assert numbered_out_of("The seats must be consecutive, without gaps.", numbers, colors) == [4, 4, 7]


def test_numbers_of_other_rows_fill_no_gap() -> None:
    numbers, colors = [1, 2, 3, 5], ["red", "white", "red", "red"]
    assert numbered_out_of("The seats must be consecutive per color.", numbers, colors) == [3, 5]
    assert numbered_out_of("For red cars, the seats must be consecutive per status.", numbers, colors) == [3, 5]
