"""Turns about dates, ages, limits and what is said of them in short; and sentences close to them."""

import pytest

from pandas_magic.catalog.table import Table
from pandas_magic.errors import RuleNotUnderstood
from tests.pandas_magic.planner.grammar.former import compile_rule

TABLES = {
    "members": Table(
        name="members",
        columns={
            "member_id": "int64",
            "date_of_birth": "datetime64[us]",
            "joined_on": "datetime64[us]",
            "trial_end_date": "datetime64[us]",
            "plan_type": "str",
            "blocked": "bool",
            "can_coach": "bool",
            "weekly_hours": "int64",
        },
        values={"plan_type": ("gold", "junior", "on hold")},
        keys=("member_id",),
    ),
    "classes": Table(
        name="classes",
        columns={
            "class_id": "int64",
            "room_id": "int64",
            "member_id": "int64",
            "class_date": "datetime64[us]",
            "held_on": "datetime64[us]",
            "reviewed_on": "datetime64[us]",
            "kind": "str",
            "seat_count": "int64",
            "fee_eur": "float64",
            "fee_paid": "bool",
            "discount_pct": "float64",
            "qty_planned": "int64",
            "speed_km_h": "float64",
            "tempo_rpm": "float64",
            "status": "str",
            "voucher": "str",
            "site": "str",
            "checked_by": "int64",
        },
        values={"kind": ("yoga", "boxing"), "status": ("open", "booked", "in review"), "site": ("north", "south")},
        keys=("class_id",),
    ),
    "rooms": Table(
        name="rooms",
        columns={
            "room_id": "int64",
            "site": "str",
            "opened_on": "datetime64[us]",
            "opens_at_hour": "int64",
            "temp_low": "float64",
            "temp_high": "float64",
        },
        values={"site": ("north", "south")},
        keys=("room_id",),
    ),
}

UNDERSTOOD = [
    # A value against what is typical
    (
        "Flag classes whose fee is more than twice the average of their kind.",
        "classes: fee_eur must be <= (the mean of fee_eur per kind) * 2",
    ),
    (
        "The fee of a class must not exceed 1.5 times the median fee of its room.",
        "classes: fee_eur must be <= (the median of fee_eur per room_id) * 1.5",
    ),
    (
        "Fees must be below three times the average of all classes.",
        "classes: fee_eur must be < (the mean of fee_eur over",
    ),
    # Rows by a value that they have
    ("Discounts over 20 % need a voucher.", "classes where discount_pct is greater than 20: voucher must be present"),
    (
        "No discount over 20 % may be given without a voucher.",
        "classes where discount_pct is greater than 20: voucher must be present",
    ),
    ("Flag fees above 90 without a voucher.", "classes where fee_eur is greater than 90: voucher must be present"),
    (
        "A discount over 20 % must not exceed 40 %.",
        "classes where discount_pct is greater than 20: discount_pct must be at",
    ),
    ("A fee above 50 euros must be paid.", "classes where fee_eur is greater than 50: fee_paid must be true"),
    ("If a fee is above 50 euros, it must be paid.", "classes where fee_eur is greater than 50: fee_paid must be true"),
    ("If the fee is at most 5, it must not be paid.", "classes where fee_eur is at most 5: fee_paid must not be true"),
    ("Fees must be paid.", "classes where fee_eur is present: fee_paid must be true"),
    ("Classes in review must have a fee.", "classes where status is 'in review': fee_eur must be present"),
    ("Classes made in north must have a voucher.", "classes where site is 'north': voucher must be present"),
    # Units and names
    ("The speed must be below 30 km/h.", "classes: speed_km_h must be less than 30"),
    ("The planned quantity must be at least the number of seats.", "classes: qty_planned must be >= seat_count"),
    ("The opening hour must be after 6.", "rooms: opens_at_hour must be greater than 6"),
    # Dates by what happens
    ("The review must take place within 10 days after the class.", "classes: reviewed_on must be >= class_date and"),
    (
        "Classes should be reviewed within 3 days after the class was held, and never before it.",
        "classes: reviewed_on must be >= held_on and reviewed_on must be <= held_on + 3 days",
    ),
    ("The date on which a class was held can't be in the future.", "classes: held_on must be no later than now"),
    ("A review must not be done before the class was held.", "classes: reviewed_on must be >= held_on"),
    (
        "The held date must not lie in the future, and neither must reviewed_on.",
        "classes: held_on must be no later than now and reviewed_on must be no later than now",
    ),
    (
        "The fee must be present; the same goes for the voucher and the site.",
        "classes: fee_eur must be present and voucher must be present and site must be present",
    ),
    ("The trial must end within 30 days after the joining date.", "members: trial_end_date must be >= joined_on and"),
    ("No trial period may end before the joining date.", "members: trial_end_date must be >= joined_on"),
    (
        "No class should still be booked more than 30 days after it was held.",
        "classes where status is 'booked': held_on must be no earlier than now - 30 days",
    ),
    (
        "The most recent class must have been held no more than 3 days ago.",
        "classes as a whole: the maximum of held_on in classes must be no earlier than now - 3 days",
    ),
    # Ages
    ("Members must be at least 16 years old today.", "members: date_of_birth must be no later than now - 16 years"),
    ("Members must have been at least 16 on the day they joined.", "members: joined_on must be >= date_of_birth + 16"),
    (
        "No junior member may be younger than 6 when joining.",
        "members where plan_type is 'junior': joined_on must be >=",
    ),
    ("Nobody may join before their 16th birthday.", "members: joined_on must be >= date_of_birth + 16 years"),
    # Rows that refer to others
    ("The site must be that of the room it belongs to.", "classes: site must equal the site of rooms by room_id"),
    ("The site must be the site of the room.", "classes: site must equal the site of rooms by room_id"),
    (
        "Blocked members must not have pending classes (not yet held).",
        "classes where held_on is missing: member_id must not be among members.member_id (where blocked is true)",
    ),
    # What is said in short, and around a rule
    (
        "Booked classes must have a voucher, and only booked classes may have one.",
        "classes: it must hold that (status is not 'booked' or voucher is present) and (status is 'booked' or",
    ),
    ("Except for boxing, every class must have a fee.", "classes where kind is not 'boxing': fee_eur must be present"),
    (
        "Could you please flag booked classes without a fee?",
        "classes where status is 'booked': fee_eur must be present",
    ),
    ("We can't bill anyone without a price, so the fee must not be missing.", "classes: fee_eur must be present"),
    (
        "Nobody on a gold plan may work more than 10 hours a week.",
        "members where plan_type is 'gold': weekly_hours must",
    ),
    (
        "A voucher is needed if and only if the class is booked.",
        "classes: it must hold that (status is not 'booked' or voucher is present) and",
    ),
    (
        "Discounts must not exceed 50 %, except for blocked members.",
        "classes where member_id is not among members.member_id (where blocked is true): discount_pct must",
    ),
    (
        "The discount must be zero for blocked members.",
        "classes where member_id is among members.member_id (where blocked is true): discount_pct must equal 0",
    ),
    (
        "Members with a junior plan must not be blocked.",
        "members where plan_type is 'junior': blocked must not be true",
    ),
    ("No member may have joined before 2019.", "members: the year of joined_on must be at least 2019"),
    (
        "The class must be held at least 3 days before the review date.",
        "classes: held_on must be <= reviewed_on - 3 days",
    ),
    ("held_on must be at most 3 days before reviewed_on", "classes: held_on must be >= reviewed_on - 3 days"),
    ("held_on must be no later than 3 days before reviewed_on", "classes: held_on must be <= reviewed_on - 3 days"),
    ("If the kind is yoga, the site has to be the north.", "classes where kind is 'yoga': site must be 'north'"),
    ("Classes must be yoga or boxing classes.", "classes: kind must be one of"),
    (
        "Open classes must be reviewed on the day they were held.",
        "classes where status is 'open': the date of reviewed_on must equal the date of held_on",
    ),
    ("held_on must not be on 2026-01-01", "classes: the date of held_on must not equal 2026-01-01"),
    (
        "Fewer than 5 % of all classes may be booked.",
        "classes as a whole: the share of rows in classes with (status is 'booked') must be less than 0.05",
    ),
    ("voucher missing in classes - must always be set", "classes: voucher must be present"),
    ("Members must not check their own classes.", "classes: checked_by must not equal member_id"),
    ("Nobody may check their own class.", "classes: checked_by must not equal member_id"),
    ("The lower temperature limit must be below the upper one.", "rooms: temp_low must be < temp_high"),
]

REFUSED = [
    "Fees must be below three times the average of some classes.",
    "Fees must be below three times the average of its own.",
    "Not all discounts over 20 % need a voucher.",
    "Some discounts over 20 % need a voucher.",
    "Only discounts over 20 % need a voucher.",
    "Discounts over 20 % never need a voucher.",
    "No class needs a voucher.",
    "Discounts over 20 % may have a voucher.",
    "If the fee or the discount is above 50, it must be below 90.",
    "If a fee is above 50 euros, it may be paid.",
    "The speed must be below 30 m/s.",
    "Classes should not be reviewed within 3 days after the class was held, and never before it.",
    "Flag classes reviewed within 3 days after the class was held, and never before it.",
    "held_on must lie in the future, and neither must reviewed_on.",
    "held_on must not lie in the future, and so must reviewed_on.",
    "held_on may lie in the future, and the same goes for reviewed_on.",
    "A class may still be booked more than 30 days after it was held.",
    "No class should still be booked 30 days after it was held.",
    "The most recent class may have been held more than 3 days ago.",
    "Not all members must be at least 16 on the day they joined.",
    "Members may be at least 16 on the day they joined.",
    "Booked classes must not have a voucher, and only booked classes may have one.",
    "Booked classes must have a voucher, and only open classes may have one.",
    "Could you not flag booked classes without a fee?",
    "Could classes be without a fee?",
    "We can't bill juniors without a price, so the fee must not be missing.",
    "We can't bill anyone without a price, so the fee must be above 5.",
    "We can't bill anyone without a price except friends, so the fee must not be missing.",
    "Most classes (not yet held) must have a fee.",
    "Nobody should have more than three classes in review.",
    "Boxing classes should not have any planned quantity.",
    "More than 5 % of all classes may be booked.",
    "voucher missing in classes",
    "voucher missing in classes - may be set",
    "voucher missing in classes - must be below 5",
    "Members may check their own classes.",
    "Members must check their own classes.",
    "Members must not check only their own classes.",
    "The lower temperature limit must be below the other ones.",
    "If the kind is yoga, the site has to be the middle.",
    "No class may be booked without a fee.",  # is booking what makes a class, or its status?
    "A voucher is needed only if and if the class is booked.",
    "A voucher may be given if and only if the class is booked maybe.",
    "The discount must be above the member.",
    "Members must have joined before 19.",
]


@pytest.mark.parametrize(("sentence", "echo"), UNDERSTOOD)
def test_turn_is_understood_in_its_own_sense(sentence: str, echo: str) -> None:
    assert compile_rule(sentence, TABLES).echo.startswith(echo)


@pytest.mark.parametrize("sentence", REFUSED)
def test_sentence_that_nearly_says_it_is_refused(sentence: str) -> None:
    with pytest.raises(RuleNotUnderstood):
        compile_rule(sentence, TABLES)


@pytest.mark.parametrize(
    "sentence",
    [
        "Only members who can coach may be assigned to boxing classes.",
        "Only members who can coach may have boxing classes.",
    ],
)
def test_whose_rows_are_at_fault_is_said_by_the_target(sentence: str) -> None:
    found = compile_rule(sentence, TABLES, target="classes")
    assert found.echo == "classes where kind is 'boxing': the can_coach of members by member_id must be true"
