"""Days of the week as they are said, of a date or of the rows themselves; other days are doubted."""

import pytest

from pandas_magic.catalog.table import Table
from pandas_magic.planner.language import compile_rule
from pandas_magic.planner.language.canonical import read_canonical
from pandas_magic.planner.language.guards import objections
from pandas_magic.planner.language.linking import link

VISITS = {
    "appointments": Table(
        name="appointments",
        columns={"appt_no": "int64", "appt_date": "str", "cancelled_on": "str", "status": "str"},
        values={"status": ("booked", "cancelled")},
        read_as={"appt_date": "date", "cancelled_on": "date"},
        keys=("appt_no",),
    )
}
DAY = "appointments: the weekday of (appt_date read as a date) must"


@pytest.mark.parametrize(
    ("rule", "meant"),
    [
        ("appt_date must not be on a Friday", f"{DAY} not equal 5"),
        ("appt_date must be on a Tuesday or a Friday", f"{DAY} be one of 2, 5"),
        ("appt_date must be on a day from Monday to Thursday", f"{DAY} be one of 1, 2, 3, 4"),
        ("appt_date must be from Friday to Monday", f"{DAY} be one of 1, 5, 6, 7"),
        ("Appointments must not be at the weekend.", f"{DAY} be none of 6, 7"),
        ("We're closed on Sundays, so no appointments on a Sunday.", f"{DAY} not equal 7"),
    ],
)
def test_days_of_the_week_are_read(rule: str, meant: str) -> None:
    assert compile_rule(rule, VISITS, target="appointments").echo == meant


@pytest.mark.parametrize(
    "rule", ["appt_date must be on a Tuesday or Friday", "appt_date must be from Monday to Wednesday"]
)
def test_other_days_than_those_said_are_doubted(rule: str) -> None:
    constraint = read_canonical(f"{DAY} be one of 1, 2, 3, 4, 5")
    assert constraint is not None
    assert "it speaks of other days of the week" in objections(constraint, link(rule, VISITS, target="appointments"))
