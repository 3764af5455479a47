"""Sentences that were taken at once for something else: asked about, or taken for what they say."""

import pandas as pd
import pytest

from pandas_magic.catalog.arrow import describe_frame
from pandas_magic.errors import RuleNotUnderstood
from pandas_magic.planner.language import compile_rule

DAY = pd.to_datetime
FRAMES = {
    "staff": pd.DataFrame(
        {
            "no": [1, 2, 3, 4],
            "pay": [50, 60, 70, 80],
            "bonus": [5.0, None, -1.0, 900.0],
            "kind": ["perm", "temp", "perm", "intern"],
            "team": ["IT", "HR", "Sales", "IT"],
            "left_on": DAY(pd.Series([None, "2026-01-01", None, "2027-01-01"])),
            "remote": ["no", "yes", "yes", "no"],
            "consent": ["yes", "no", None, "yes"],
            "note": ["x", "", None, "y"],
            "iban": ["DE1", "AT2", None, "DE4"],
        }
    ),
    "leases": pd.DataFrame(
        {
            "lease": ["L1", "L2", "L3"],
            "signed": ["2024-01-05", "2025-02-10", "2026-03-01"],
            "ends": ["2025-01-31", "2027-12-31", None],
            "rent": ["850.00", "640", "1200.5"],
            "deposit": ["850", "640.00", "100"],
            "state": ["running", "running", "ended"],
        }
    ),
    "t": pd.DataFrame(
        {
            "k": [1, 2, 3, 4],
            "dob": ["31/12/2001", "01/02/1999", "15/07/2000", "03/04/1998"],
            "w_g": [900, 1500, 10, 10],
            "max_w_kg": [1, 1, 1, 1],
            "balance_cents": [1, 2, 3, 4],
            "limit_eur": [1, 2, 3, 4],
            "lead_time_days": [1, 2, 3, 4],
            "max_lead_time_weeks": [1, 2, 3, 4],
        }
    ),
    "lots": pd.DataFrame(
        {
            "lot_no": [1, 2, 3, 4],
            "grade": ["A", "B", "C", "A"],
            "state": ["new", "old", "sold", "new"],
            "buyer": [None, None, "Max", "May"],
            "seller": ["May", "Max", "Max", "Will"],
        }
    ),
    "leases_2": pd.DataFrame(
        {
            "lease_no": ["L1", "L2", "L3"],
            "begins": ["2024-02-01", "2025-03-01", "2026-03-01"],
            "ends": ["2026-01-31", "2026-12-31", None],
            "state": ["running", "running", "ended"],
        }
    ),
    "acc": pd.DataFrame({"acc_id": [1, 2], "balance": [80.0, 30.0]}),
    "moves": pd.DataFrame(
        {"move_id": [1, 2, 3], "acc_id": [1, 1, 2], "amount": [50.0, 30.0, 30.0], "balance": [50.0, 80.0, 30.0]}
    ),
}


def taken(rule: str, *names: str) -> str | None:
    """What the rule is taken for on these tables, the first of which it is about; None where it is asked about."""
    tables = {name: describe_frame(name, FRAMES[name]) for name in names}
    try:
        return compile_rule(rule, tables, target=names[0]).echo
    except RuleNotUnderstood:
        return None


@pytest.mark.parametrize(
    ("rule", "meant"),
    [
        (
            "bonus must be present, except for IT and HR",
            "staff where team is none of 'IT', 'HR': bonus must be present",
        ),
        ("bonus must be present unless IT and HR", None),
        (
            "bonus must be present, except for IT, HR and Sales",
            "staff where team is none of 'IT', 'HR', 'Sales': bonus must be present",
        ),
        (
            "pay: above 60, except Sales and HR",
            "staff where team is none of 'Sales', 'HR': pay must be greater than 60",
        ),
        ("bonus must be present, except for IT or HR", "staff where team is none of 'IT', 'HR': bonus must be present"),
        ("iban: required for Sales and interns", None),
        ("iban is required for Sales and interns", None),
        ("iban may be missing only for interns and Sales", None),
        ("pay must be above 55 except for interns and Sales", None),
        ("pay: above 55 except for interns and Sales", None),
        ("pay: above 55, except for interns and Sales", None),
        ("For interns and Sales, the pay must be above 55.", None),
    ],
)
def test_groups_of_rows_joined_by_and_are_each_meant(rule: str, meant: str | None) -> None:
    assert taken(rule, "staff") in (meant, None)
    if meant is not None:
        assert taken(rule, "staff") == meant


@pytest.mark.parametrize(
    ("rule", "kept"),
    [
        ("If the team is IT and the kind is perm, the iban must be present.", "team is 'IT' and kind is 'perm'"),
        ("If kind is intern and team is Sales, the iban must be present.", "kind is 'intern' and team is 'Sales'"),
        ("Remote perm staff must have an iban.", "remote is 'yes' and kind is 'perm'"),
    ],
)
def test_conditions_joined_by_and_hold_together(rule: str, kept: str) -> None:
    assert kept in (taken(rule, "staff") or "")


@pytest.mark.parametrize(
    ("rule", "told"),
    [
        ("pay must be above 55 in IT", "'IT'"),
        ("bonus must be present for IT", "'IT'"),
        ("nobody may be remote in IT", "'IT'"),
        ("In IT, everyone must be perm.", "'IT'"),
        ("If it is remote, the pay must be above 55.", "'yes'"),
    ],
)
def test_a_value_in_capitals_is_no_word_of_grammar(rule: str, told: str) -> None:
    assert told in (taken(rule, "staff") or told)
    assert taken("pay must be above 55 in HR", "staff") == "staff where team is 'HR': pay must be greater than 55"


def test_a_grade_is_no_article_and_may_is_no_buyer() -> None:
    assert "'A'" in (taken("A lots must be sold.", "lots") or "'A'")
    assert taken("A lot must be sold.", "lots") == "lots: state must be 'sold'"
    assert "seller" not in (taken("The buyer may be May.", "lots") or "")


@pytest.mark.parametrize(
    ("rule", "meant"),
    [
        ("signed must be in 2024 or 2025", "leases: the year of (signed read as a date) must be one of 2024, 2025"),
        ("signed must be in 2025 or later", ""),
        ("signed: date in 2024 or later", ""),
        ("rent must be either 850 or 640", "leases: rent read as a number must be one of 640, 850"),
        ("rent must be one of 850, 640", "leases: rent read as a number must be one of 640, 850"),
        ("rent must be none of 850, 640", "leases: rent read as a number must be none of 640, 850"),
        ("deposit must equal the rent", "leases: deposit read as a number must equal rent read as a number"),
        ("deposit must be the same as the rent", "leases: deposit read as a number must equal rent read as a number"),
    ],
)
def test_texts_that_are_dates_or_numbers_are_not_told_by_their_spelling(rule: str, meant: str) -> None:
    with pytest.raises(RuleNotUnderstood) as asked:
        compile_rule(rule, {"leases": describe_frame("leases", FRAMES["leases"])})
    assert not meant or meant in [one.sentence for one in asked.value.readings]


def test_a_date_that_is_written_in_another_way_is_asked_about() -> None:
    assert taken("dob must be a date", "t") is None
    assert "readable as a date" in (taken("signed must be a date", "leases") or "")


@pytest.mark.parametrize(
    "rule",
    [
        "w must not exceed max w",
        "w_g must be at most max_w_kg",
        "w_g: at most max_w_kg",
        "balance_cents must be below limit_eur",
        "The balance in cents must equal the limit.",
        "lead_time_days must not exceed max_lead_time_weeks",
    ],
)
def test_columns_in_different_units_are_not_compared(rule: str) -> None:
    assert taken(rule, "t") is None


def test_what_is_converted_or_coded_is_compared() -> None:
    assert taken("w_g / 1000 <= max_w_kg", "t") is not None
    assert taken("assert (t.w_g <= t.max_w_kg).all()", "t") == "t: w_g must be <= max_w_kg"


@pytest.mark.parametrize(
    ("rule", "names"),
    [
        ("remote must not be yes for HR or no for IT", ("staff",)),
        ("Staff must have given consent.", ("staff",)),
        ("Perm staff must have given consent.", ("staff",)),
        ("consent must be given", ("staff",)),
        ("Perm staff must have a pay and bonus above 10.", ("staff",)),
        ("Perm staff must have a bonus and pay above 10.", ("staff",)),
        ("The sum of amounts per account must equal its balance.", ("moves", "acc")),
        ("Leases that have ended must be ended.", ("leases_2",)),
    ],
)
def test_one_of_two_meanings_is_not_taken(rule: str, names: tuple[str, ...]) -> None:
    assert taken(rule, *names) is None


@pytest.mark.parametrize(
    ("rule", "names", "meant"),
    [
        ("Staff must have consent.", ("staff",), "staff: consent must be 'yes'"),
        ("consent must be present", ("staff",), "staff: consent must be present"),
        (
            "Interns must have a pay and a bonus above 10.",
            ("staff",),
            "staff where kind is 'intern': pay must be present and bonus must be present"
            " and bonus must be greater than 10",
        ),
        (
            "The sum of amounts per account must equal the balance of the account.",
            ("moves", "acc"),
            "moves: the sum of amount per acc_id must equal the balance of acc by acc_id (up to rounding)",
        ),
        ("No empty notes.", ("staff",), "staff: note must be present and note must not be ''"),
        ("Empty notes are not allowed.", ("staff",), "staff: note must be present and note must not be ''"),
        ("No missing notes.", ("staff",), "staff: note must be present"),
    ],
)
def test_what_says_which_is_taken(rule: str, names: tuple[str, ...], meant: str) -> None:
    assert taken(rule, *names) == meant
