"""Sentences that are near to one that is read, and mean something else: asked about, or taken for what they say."""

import pytest

from pandas_magic.constraints import describe
from pandas_magic.planner.language.guards import objections
from pandas_magic.planner.language.linking import link
from pandas_magic.planner.language.strict import read_strictly
from tests.pandas_magic.planner.language.dictionary_tables import TABLES
from tests.pandas_magic.planner.language.frozen.sentences import tables_of
from tests.pandas_magic.planner.language.strict.test_reading import echoes


def read(rule: str, world: str, target: str | None) -> str | None:
    """What the sentence is understood to say of the target; None where it is asked about."""
    linked = link(rule, TABLES if world == "dictionary" else tables_of(world), target=target)
    found = read_strictly(linked)
    told = [one.constraint for one in found if target in (None, one.constraint.table)]
    return describe(told[0]) if len(found) == len(told) == 1 and not objections(told[0], linked) else None


@pytest.mark.parametrize(
    ("rule", "world", "target"),
    [
        ("The weight must not go down over time.", "strangers_16:pet_insurance", "pets"),
        ("seats must be 4, 6 or 8 and 4 where the fuel is missing", "plain_values", "trips"),
        ("The fee must not exceed 90 % of the fee.", "turns_asked", "loans"),
        ("Does the fee paid exceed the fee?", "turns_asked", "loans"),
        ("The discount must be smaller than the total.", "mix_ups", "purchases"),
        ("Boat codes are three letters followed by a number.", "plain_values", "trips"),
        ("Flag rentals without a damage note or a payment method.", "afterthoughts", "rentals"),
        ("ward must be 'icu' or anything", "turns", None),
        ("The speed must be below 30 m/s.", "turns_of_time_and_value", None),
        ("Is the fee paid above the fee?", "turns_asked", "loans"),
        ("Is every VIN not unique?", "turns_other_way_round", None),
        ("Are more than 20 % of the samples rejected?", "strangers_17:hospital laboratory", "samples"),
        ("Is the average price below 40?", "turns_of_auditors", "stays"),
        ("rangers w/o phone: max 5", "turns_of_notes", "rangers"),
        ("Renewals must be at least 1, nothing above.", "afterthoughts", "rentals"),
        ("The line number must be unique within a purchase.", "mix_ups", "purchases"),
        ("Line numbers must be unique in every purchase.", "mix_ups", "purchases"),
        ("line_no must be unique among the lines of an order", "dictionary", "orders"),
        ("Packages must be damaged.", "mix_ups", "parcels"),
        ("The packages may not be damaged.", "mix_ups", "parcels"),
        ("The capacity must be booked.", "mix_ups", "farms"),
        ("Cows whose check is due must not be milking.", "mix_ups", "cows"),
        ("Farms must deliver less than 10000 litres.", "mix_ups", "farms"),
        ("No shipment costs more than 500.", "mix_ups", "shipments"),
        ("No admission may last longer than 30 beds.", "turns", None),
        ("ward must be 'icu' or similar", "turns", None),
        ("homepage must be https://example.org/ or equivalent", "turns", None),
        ("homepage must be https://example.org/ or anything", "turns", None),
        ("Term has the form 2026S1 four digits", "turns_between_tables", None),
        ("Term has the form 2026X1: four digits, the letter S and one digit", "turns_between_tables", None),
        ("A plate is B- followed by six digits, e.g. B-45.", "turns_other_way_round", None),
        ("The code should be written as YYYY-MM, for example 09-2026.", "turns_of_groups", "flights"),
        ("Known colors are red and white, anything else is fine.", "turns_other_way_round", None),
        ("Flag cars that have not been rented.", "turns_other_way_round", None),
        ("The date of birth must be a day from Monday to Friday", "turns_of_qualities", "animals"),
        ("The number of lines must not exceed the maximum crew of the line.", "plain_numbers", "trips"),
        ("The capacity must be at least 100 kW.", "turns_of_limits", "sites"),
        ("The fee must be at most 60 kWh.", "turns_of_offenders", "members"),
        ("The total must be the net amount minus the discount.", "plain_numbers", "invoices"),
        ("The manager must work in the same department.", "plain_numbers", "staff"),
        ("Report boats that share their plate or hull with another boat.", "turns_of_presence", "boats"),
        ("A match may not have a report or a protest, but not both.", "turns_between_rows", None),
        ("A receipt may not list each item type only once.", "plain_sales", "shows"),
        ("No branch may appear with the same clerk.", "turns_other_way_round", "rentals"),
        ("There must not be five visits.", "turns_of_limits", "visits"),
        ("Owners older than 18 years must have an email.", "plain_dates", "owners"),
        ("Stays must last between 20 and 2 days.", "plain_values 2", "stays"),
        ("We only send trips from AAL and HIR.", "plain_values", "trips"),
        ("price must be positive, otherwise the status is cancelled", "afterthoughts", "rentals"),
        ("The damage note must be present if the status is booked, otherwise it is empty and the price 0.",
         "afterthoughts", "rentals"),
    ],
)  # fmt: skip
def test_what_is_near_to_a_reading_is_asked_about(rule: str, world: str, target: str | None) -> None:
    assert read(rule, world, target) is None


@pytest.mark.parametrize(
    ("rule", "world", "target", "echo"),
    [
        ("last_login must be after 400 days ago", "ages", None, "users: last_login must be after now - 400 days"),
        ("Is the fee paid ever above the fee?", "turns_asked", "loans", "loans: fee_paid must be <= fee"),
        ("Each owner_id given on a boat must exist in owners.", "turns_of_presence", "boats",
         "boats where owner_id is present: owner_id must be among owners.owner_id"),
        ("pilots must have a hours column", "turns_of_groups", "pilots", "columns of pilots: must have `hours`"),
        ("There must be no members whose plan is full_time and email is missing.", "turns_of_offenders", "members",
         "members where plan is 'full_time': email must be present"),
        ("Every mentor_id must correspond to an owner_id in the owners table.", "turns_of_presence", "owners",
         "owners: mentor_id must be among owners.owner_id"),
        ("No policy may have claims with a combined claim_amount over its coverage_limit.",
         "paraphrases:insurance", "policies",
         "policies: the sum of claim_amount in claims by policy_id must be <= coverage_limit (up to rounding)"),
        ("line_no must be unique within an order", "dictionary", "lines", "lines: (order_id, line_no) must be unique"),
        ("The capacity must be at least 100 kWp.", "turns_of_limits", "sites",
         "sites: capacity_kwp must be at least 100"),
    ],
)  # fmt: skip
def test_what_is_near_to_a_misreading_is_read(rule: str, world: str, target: str | None, echo: str) -> None:
    assert read(rule, world, target) == echo


@pytest.mark.parametrize(
    ("rule", "echo"),
    [
        ("amount must not be above tax and not negative", None),
        ("amount must not be above tax and negative", None),
        ("amount must not be above 5 and below 9", None),
        ("The amount must not be between 5 and 9.",
         "orders: it must hold that amount is less than 5 or amount is greater than 9"),
        ("ordered_at must be no earlier than 3 days before shipped_at",
         "orders: ordered_at must be >= shipped_at - 3 days"),
        ("ordered_at must be at most 3 days before shipped_at",
         "orders: ordered_at must be >= shipped_at - 3 days"),
        ("shipped_at must be no later than 3 days after ordered_at",
         "orders: shipped_at must be <= ordered_at + 3 days"),
        ("ordered_at must not be before 30 days ago",
         "orders: ordered_at must be no earlier than now - 30 days"),
        ("ordered_at must be at least 30 days ago",
         "orders: ordered_at must be no later than now - 30 days"),
        ("The note must be filled if and only if the status is paid.",
         "orders: it must hold that (status is not 'paid' or note is present) and "
         "(status is 'paid' or note is missing)"),
        ("The note must be filled only if the status is paid.",
         "orders where note is present: status must be 'paid'"),
    ],
)  # fmt: skip
def test_which_side_of_a_limit_is_meant(rule: str, echo: str | None) -> None:
    assert echoes(rule) == ([echo] if echo is not None else [])
