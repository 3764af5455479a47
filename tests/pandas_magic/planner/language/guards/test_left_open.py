"""Sentences that leave open what is meant: asked about; and their nearest neighbours that say it: read at once."""

from collections.abc import Mapping

import pandas as pd
import pytest

from pandas_magic.catalog.arrow import describe_frame
from pandas_magic.errors import RuleNotUnderstood
from pandas_magic.planner.language import compile_rule, restated_rule
from pandas_magic.planner.language.guards import objections
from pandas_magic.planner.language.linking import link

DAY = pd.to_datetime
FRAMES = {
    "orders": pd.DataFrame(
        {
            "order_id": [1, 2, 3, 4],
            "customer": ["Ann", "Bob", "Cy", "Ann"],
            "country": ["DE", "FR", "US", "DE"],
            "price": [10.0, 20.5, None, 1234.0],
            "total": [12.0, 25.0, None, 1500.0],
            "gift": [0, 1, 1, 0],
            "express": [True, False, True, False],
            "qty": [1, 3, 2, 3],
            "status": ["open", "paid", "void", "open"],
            "note": ["a", None, "c", ""],
            "salary_min": [100, 200, 300, 400],
            "salary_max": [200, 300, 400, 500],
            "starts_on": DAY(["2026-01-01", "2026-02-01", "2026-03-01", "2026-04-01"]),
            "ends_on": DAY(pd.Series(["2026-01-11", "2026-02-21", None, "2026-05-01"])),
            "notice_on": DAY(pd.Series(["2025-12-01", "2026-01-01", None, "2026-03-01"])),
            "due_on": DAY(pd.Series(["2026-12-01", "2026-01-02", None, "2027-01-01"])),
            "hours": [40, 20, 38, 10],
            "rank": [1, 2, 3, 4],
        }
    ),
    "films": pd.DataFrame(
        {
            "film_id": [1, 2, 3, 4],
            "title": ["A", "B", "C", "D"],
            "genre": ["drama", "musical", "comedy", "drama"],
            "min_age": [12.0, None, 6.0, 16.0],
        }
    ),
}


def read(rule: str, table: str = "orders", frames: Mapping[str, pd.DataFrame] | None = None) -> str | None:
    """What the rule is read as at once; None where it is asked about. Without `frames` the table stands alone."""
    tables = {name: describe_frame(name, frame) for name, frame in (frames or {table: FRAMES[table]}).items()}
    try:
        return compile_rule(rule, tables, target=table).echo
    except RuleNotUnderstood:
        return None


@pytest.mark.parametrize(
    ("rule", "meant"),
    [
        ("price must be present if gift is 1, and express is true or qty is 3", None),
        ("price must be present if gift is 1 and express is true, or qty is 3", None),
        ("price must be present when gift is 1 and express or qty is 3", None),
        ("if gift is 1, and express is true or qty is 3, price must be present", None),
        ("note must be present if status is open and gift is 1 or express", None),
        (
            "note must be present if gift is 1 and status is open or paid",
            "orders where gift equals 1 and status is one of 'open', 'paid': note must be present",
        ),
        (
            "price must be above 10 and below 20 or above 100",
            "orders: it must hold that (price is greater than 10 and price is less than 20)"
            " or price is greater than 100",
        ),
    ],
)
def test_a_mixture_of_and_and_or_is_asked_about_unless_it_is_of_one_column(rule: str, meant: str | None) -> None:
    assert read(rule) == meant


@pytest.mark.parametrize(
    ("rule", "meant"),
    [
        ("customer and country must be unique", None),
        ("customer, country and status must be unique", None),
        ("customer and country must not be repeated", None),
        ("customer and country may not occur twice", None),
        ("customer and country must not contain duplicates", None),
        ("customer and country must be unique for each status", None),
        ("each customer and country must be unique", None),
        ("order_id and customer must be unique or missing", None),
        ("customer and country must each be unique", "orders: customer must be unique and country must be unique"),
        ("customer and country must both be unique", "orders: customer must be unique and country must be unique"),
        ("Neither customer nor country may repeat", "orders: customer must be unique and country must be unique"),
        ("customer and country together must be unique", "orders: (customer, country) must be unique"),
        ("The combination of customer and country must be unique.", "orders: (customer, country) must be unique"),
        ("customer must be unique per country", "orders: (customer, country) must be unique"),
    ],
)
def test_what_is_unique_is_the_pair_or_each_as_it_is_said(rule: str, meant: str | None) -> None:
    assert read(rule) == meant


@pytest.mark.parametrize(
    ("rule", "meant"),
    [
        ("if express, price must be present; gift must be 0", None),
        ("when status is open, price must be above 5; note must be missing", None),
        ("paid orders must have a price; qty must be at most 3", None),
        ("Open orders must have a price; their note must be missing.", None),
        ("Open orders must have a price and qty must be at least 1.", None),
        ("express orders: price must be present; gift must be 0", None),
        ("price must be present and total must be positive if express", None),
        (
            "if express, price must be present and gift must be 0",
            "orders where express is true: price must be present and gift must equal 0",
        ),
        (
            "price must be present if express; gift must be 0",
            "orders: it must hold that (express is not true or price is present) and gift equals 0",
        ),
        (
            "Open orders must have a price; void orders must have a note.",
            "orders: it must hold that (status is not 'open' or price is present)"
            " and (status is not 'void' or note is present)",
        ),
        (
            "price must be above 5; note must be missing",
            "orders: price must be greater than 5 and note must be missing",
        ),
    ],
)
def test_a_second_demand_is_of_the_rows_of_the_first_or_of_all_as_it_is_said(rule: str, meant: str | None) -> None:
    assert read(rule) == meant


@pytest.mark.parametrize(
    "rule",
    [
        "min_age must be present for dramas but not musicals",
        "min_age must be present for dramas but not for musicals",
        "dramas but not musicals must have a min_age",
        "min_age must be above 10 for dramas but not musicals",
    ],
)
def test_rows_that_are_left_out_of_others_anyhow_are_asked_about(rule: str) -> None:
    assert read(rule, "films") is None


@pytest.mark.parametrize(
    ("rule", "meant"),
    [
        ("notice must be given 30 days before the end", None),
        ("notice_on must be two weeks prior to ends_on", None),
        ("ends_on must come 30 days after starts_on", None),
        ("notice_on must be exactly 30 days before ends_on", "orders: notice_on must equal ends_on - 30 days"),
        ("notice_on must be at least 30 days before ends_on", "orders: notice_on must be <= ends_on - 30 days"),
        ("due_on must be 30 days after starts_on", "orders: due_on must equal starts_on + 30 days"),
    ],
)
def test_a_distance_is_exact_only_where_that_is_said(rule: str, meant: str | None) -> None:
    assert read(rule) == meant


@pytest.mark.parametrize(
    ("rule", "meant"),
    [
        ("rank must be in order", None),
        ("starts_on must be in the right order", None),
        ("rank must be in ascending order", "orders where rank is present: rank must be >= the previous rank"),
    ],
)
def test_an_order_has_a_direction(rule: str, meant: str | None) -> None:
    assert read(rule) == meant


@pytest.mark.parametrize(
    ("rule", "meant"),
    [
        ("salary_min is less than salary_max", None),
        ("price is above total", None),
        ("ends_on is after starts_on", None),
        ("price is above 100", "orders: price must be greater than 100"),
        ("salary_min is at most salary_max", "orders: salary_min must be <= salary_max"),
        ("Flag orders where the price is above total", "orders: price must be <= total"),
    ],
)
def test_a_comparison_without_a_demand_may_describe_what_is_wrong(rule: str, meant: str | None) -> None:
    assert read(rule) == meant


@pytest.mark.parametrize("rule", ["due_on must be within the next 90 days", "due_on must be in the coming 90 days"])
def test_what_is_past_does_not_lie_in_the_next_days(rule: str) -> None:
    assert read(rule) == "orders: due_on must be no earlier than today and due_on must be no later than now + 90 days"


@pytest.mark.parametrize(
    ("rule", "meant"),
    [
        (
            "price: NUMERIC(3,0), required",
            "orders: the absolute value of price must be less than 1000 and price must be readable as an integer"
            " and price must be present",
        ),
        ("qty: number(3)", "orders: the absolute value of qty must be less than 1000"),
        (
            "price DECIMAL(8,2) NOT NULL CHECK (price > 0)",
            "orders: the absolute value of price must be less than 1000000 and price / 0.01 must be readable as an"
            " integer (up to rounding) and price must be present and price must be greater than 0",
        ),
        ("price: float(53), required", "orders: price must be present"),
    ],
)
def test_the_digits_of_a_type_are_looked_at(rule: str, meant: str) -> None:
    assert read(rule) == meant


@pytest.mark.parametrize(
    ("rule", "meant"),
    [
        ("hours: 40 = full time", None),
        ("hours: 40 (full time)", None),
        ("hours: 40 = full time, 20 = half time", None),
        ("rank: 1 = worst, 10 = best", None),
        ("gift: 0 = no, 1 = yes", "orders: gift must be one of 0, 1"),
        ("rank: 1 = low, 2 = mid, 3 = high, 9 = unknown", "orders: rank must be one of 1, 2, 3, 9"),
    ],
)
def test_numbers_that_are_explained_are_a_list_where_they_are_codes(rule: str, meant: str | None) -> None:
    assert read(rule) == meant


@pytest.mark.parametrize(
    ("rule", "meant"),
    [
        ("price must be present if note and status is missing", None),
        ("price: required if express and note is missing, or gift = 1", None),
        (
            "price must be present if note and status are missing",
            "orders where note is missing and status is missing: price must be present",
        ),
    ],
)
def test_what_is_missing_by_itself_is_not_taken_for_both(rule: str, meant: str | None) -> None:
    assert read(rule) == meant


@pytest.mark.parametrize(
    ("rule", "meant"),
    [
        ("note: if express: required, unique", None),
        ("note: 'a' for express orders, 'c' for others", None),
        ("note: length 3, 4 or 5", None),
        ("note: at least 8 characters, at least one digit", None),
        ("qty: 1 and 3", None),
        ("qty: between 1 and 3", "orders: qty must be between 1 and 3"),
        ("note: 'a', 'c'", "orders: note must be one of 'a', 'c'"),
    ],
)
def test_a_line_of_a_dictionary_is_asked_about_where_a_part_may_belong_to_another(rule: str, meant: str | None) -> None:
    assert read(rule) == meant


@pytest.mark.parametrize(
    ("rule", "meant"),
    [
        ("the total price must be at most 1000", None),
        (
            "the sum of price must be at most 1000",
            "orders as a whole: the sum of price in orders must be at most 1000 (up to rounding)",
        ),
        ("orders must end no more than 3 days from the due date", None),
        ("Ann must have express orders", None),
        ("price must be above 5 if qty > 10 or 20", None),
        ("price must only be zero for orders that are not express", None),
        ("price may only be zero for gifts", None),
    ],
)
def test_a_short_way_of_saying_it_is_asked_about(rule: str, meant: str | None) -> None:
    assert read(rule) == meant


@pytest.mark.parametrize(
    ("rule", "meant"),
    [
        ("price must be in (0, 500].", None),
        ("price must be in [0, 500).", None),
        ("qty must be in [1, 3].", None),
        ("price must be a multiple of 5 and 3", None),
        ("qty must be in [1, 2, 3].", "orders: qty must be one of 1, 2, 3"),
        ("qty must be 1 or 3.", "orders: qty must be one of 1, 3"),
    ],
)
def test_two_numbers_in_brackets_may_be_the_ends_of_what_is_allowed(rule: str, meant: str | None) -> None:
    assert read(rule) == meant


@pytest.mark.parametrize(
    "rule",
    [
        "price must be present for orders in DE or FR that are open",
        "price must be present for orders in DE, US or FR which are open",
    ],
)
def test_what_follows_a_list_may_be_said_of_its_last_alone(rule: str) -> None:
    assert read(rule) is None
    assert read("price must be present for open orders in DE or FR") is not None


@pytest.mark.parametrize(
    ("rule", "meant"),
    [
        ("All orders must not have a note.", None),
        ("All orders must not have any note.", "orders: note must be missing"),
        ("No order may have a note.", "orders: note must be missing"),
    ],
)
def test_whether_none_or_not_all_is_meant_has_to_be_said(rule: str, meant: str | None) -> None:
    assert read(rule) == meant


TEXTS = {
    "rides": pd.DataFrame(
        {
            "ride_id": [1, 2, 3, 4],
            "pupil_id": [1, 2, 1, 2],
            "ordered_on": ["2026-01-01", "2026-01-03", None, "2026-01-09"],
            "given_on": ["2026-01-02", None, "2026-01-05", "2026-01-10"],
            "price": [10.0, 20.0, 5.0, 15.0],
            "load": [10.0, 60.0, 80.0, 35.0],
        }
    ),
    "pupils": pd.DataFrame({"pupil_id": [1, 2, 3], "prepaid_hours": [3, 5, 0], "rate": [7.0, 8.0, 9.0]}),
}


@pytest.mark.parametrize(
    ("rule", "meant"),
    [
        ("The date must be filled in.", None),
        ("The ordered_on date must be filled in.", "rides: ordered_on must be present"),
        ("The price must equal the rate times the hours.", None),
        (
            "The load must be at least the pupil's prepaid hours.",
            "rides: load must be >= the prepaid_hours of pupils by pupil_id",
        ),
        ("The load must not exceed 0.1 grams.", None),
        ("The load must not exceed 100 mg.", "rides: load must be at most 100"),
        ("The load must not exceed 0.1.", "rides: load must be at most 0.1"),
    ],
)
def test_which_date_whose_hours_and_which_unit_has_to_be_said(rule: str, meant: str | None) -> None:
    assert read(rule, "rides", TEXTS) == meant


@pytest.mark.parametrize(
    ("rule", "meant"),
    [
        ("All orders must not be cancelled.", None),
        ("due_on is 30 days after starts_on", None),
        ("Orders have to be checked every five years.", None),
        ("It is not the case that open orders don't have to have no note.", None),
        ("Either the qty or the rank has to be 3.", None),
        ("The qty or the rank, or both, has to be 3.", None),
        ("note must match /A-.*/ and note must match /B-.*/", None),
        (
            "note must match /A.*/ and note must match /A-1.*/",
            "orders: note must match /A.*/ and note must match /A-1.*/",
        ),
        (
            "qty is 3 or (price is missing and rank is 3)",
            "orders: it must hold that qty equals 3 or (price is missing and rank equals 3)",
        ),
        ("price is 3 or (price is missing and rank is 3)", None),
    ],
)
def test_what_denies_bars_or_leaves_out_too_much_is_asked_about(rule: str, meant: str | None) -> None:
    assert read(rule) == meant


@pytest.mark.parametrize(
    ("rule", "meant"),
    [
        ("A salary_min must be paid if rank is 3.", None),
        ("salary_min must be present if rank is 3.", "orders where rank equals 3: salary_min must be present"),
    ],
)
def test_what_must_be_paid_may_be_more_than_a_number_where_no_row_lacks_one(rule: str, meant: str | None) -> None:
    assert read(rule) == meant


def test_the_day_of_something_is_no_moment_of_it() -> None:
    tickets = pd.DataFrame(
        {"ticket_id": [1, 2], "sold_at": DAY(["2026-01-01"] * 2), "visit_date": DAY(["2026-01-02"] * 2)}
    )
    tables = {"tickets": describe_frame("tickets", tickets)}
    with pytest.raises(RuleNotUnderstood, match="whether the whole day counts for sold_at"):
        compile_rule("Tickets have to be sold on or before the day of the visit.", tables, target="tickets")


def test_that_rows_follow_each_other_by_a_number_kept_as_text_has_to_be_said() -> None:
    rides = pd.DataFrame({"ride_no": ["1", "2", "3"], "price": [1.0, 2.0, 3.0]})
    tables = {"rides": describe_frame("rides", rides)}
    meant = restated_rule("rides: price must be <= the previous price in order of ride_no", tables, target=None)
    left_open = "that rows follow each other by ride_no is not said"
    assert left_open in objections(meant, link("No price may be higher than the one before.", tables, target="rides"))
    said = link("No price may be higher than that of the ride_no before.", tables, target="rides")
    assert left_open not in objections(meant, said)


@pytest.mark.parametrize(
    ("rule", "meant"),
    [
        ("Not all orders may be open.", None),
        ("If the price isn't paid, note must be present.", None),
        ("price plus hours must equal total", None),
        ("price plus qty must equal total", "orders: price + qty must equal total (up to rounding)"),
        ("note must be among orders.country", None),
    ],
)
def test_what_is_no_demand_or_joins_what_does_not_belong_together_is_asked_about(rule: str, meant: str | None) -> None:
    assert read(rule) == meant
