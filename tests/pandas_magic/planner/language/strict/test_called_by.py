"""Rows referred to that are called by one of their texts: an appointment with a hygienist."""

import pytest

from pandas_magic.catalog.table import Table
from pandas_magic.planner.language import compile_rule

PRACTICE = {
    "staff": Table(
        name="staff",
        columns={"staff_id": "str", "role": "str", "room": "str"},
        values={"role": ("dentist", "hygienist", "receptionist")},
        keys=("staff_id",),
    ),
    "appointments": Table(
        name="appointments",
        columns={"appt_no": "int64", "staff_id": "str", "treatment": "str"},
        values={"treatment": ("cleaning", "filling")},
        keys=("appt_no",),
    ),
}
HYGIENISTS = "staff_id is among staff.staff_id (where role is 'hygienist')"
NO_RECEPTIONIST = "staff_id must not be among staff.staff_id (where role is 'receptionist')"


@pytest.mark.parametrize(
    ("rule", "meant"),
    [
        (
            "Appointments with a hygienist must be cleanings.",
            f"appointments where {HYGIENISTS}: treatment must be 'cleaning'",
        ),
        (
            "There should never be an appointment with a receptionist.",
            f"appointments where staff_id is present: {NO_RECEPTIONIST}",
        ),
        ("Appointments must not be with a receptionist.", f"appointments: {NO_RECEPTIONIST}"),
        (
            "Every appointment must be with a dentist or a hygienist.",
            "appointments: staff_id must be present and staff_id must be among staff.staff_id"
            " (where role is one of 'dentist', 'hygienist')",
        ),
        (
            "Hygienists may only do cleanings.",
            "appointments where the role of staff by staff_id is 'hygienist': treatment must be 'cleaning'",
        ),
        (
            "Fillings are only done by dentists.",
            "appointments where treatment is 'filling': the role of staff by staff_id must be 'dentist'",
        ),
        ("A dentist must have a room.", "staff where role is 'dentist': room must be present"),
    ],
)
def test_whom_a_row_refers_to_is_called_by_what_it_is(rule: str, meant: str) -> None:
    assert compile_rule(rule, PRACTICE).echo == meant


def test_what_a_row_may_be_called_itself_is_not_taken_for_whom_it_refers_to() -> None:
    own = PRACTICE["appointments"].model_copy(update={"values": {"treatment": ("cleaning", "hygienist")}})
    read = compile_rule("Appointments must not be with a hygienist.", {**PRACTICE, "appointments": own})
    assert read.echo == "appointments: treatment must not be 'hygienist'"
