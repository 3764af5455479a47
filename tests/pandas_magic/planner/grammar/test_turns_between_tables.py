"""Turns of phrase about rows that refer to each other: understood in their sense, near misses refused or told apart."""

import pytest

from pandas_magic.catalog.table import Table
from pandas_magic.errors import RuleNotUnderstood
from tests.pandas_magic.planner.grammar.former import compile_rule

DATE = "datetime64[us]"
TABLES = {
    "customers": Table(
        name="customers",
        columns={"customer": "int64", "income": "float64", "blocked": "bool"},
        keys=("customer",),
    ),
    "loans": Table(
        name="loans",
        columns={
            "loan_id": "str",
            "customer": "int64",
            "principal": "float64",
            "rate": "float64",
            "paid_out": "float64",
            "opened": DATE,
            "state": "str",
            "currency": "str",
            "source_branch": "str",
            "target_branch": "str",
        },
        values={"state": ("active", "closed")},
        keys=("loan_id",),
    ),
    "payments": Table(
        name="payments",
        columns={"payment_id": "int64", "loan_id": "str", "paid_at": DATE, "amount": "float64"},
        keys=("payment_id",),
    ),
    "students": Table(
        name="students", columns={"student_id": "int64", "name": "str", "enrolled_on": DATE}, keys=("student_id",)
    ),
    "courses": Table(
        name="courses", columns={"course_code": "str", "title": "str", "capacity": "int64"}, keys=("course_code",)
    ),
    "enrolments": Table(
        name="enrolments", columns={"student_id": "int64", "course_code": "str", "mark": "float64", "term": "str"}
    ),
}

UNDERSTOOD = [
    (
        "The student of an enrolment has to exist in the students table.",
        "enrolments: student_id must be present and student_id must be among students.student_id",
    ),
    (
        "Every loan belongs to a customer that exists.",
        "loans: customer must be present and customer must be among customers.customer",
    ),
    (
        "Blocked customers may not have active loans.",
        "loans where state is 'active': customer must not be among customers.customer (where blocked is true)",
    ),
    ("Capacity per course must be between 1 and 200.", "courses: capacity must be between 1 and 200"),
    (
        "Find enrolments whose student is unknown.",
        "enrolments where student_id is present: student_id must be among students.student_id",
    ),
    ("No student may be enrolled in the future.", "students: enrolled_on must be no later than now"),
    ("Loans must be opened in the past.", "loans: opened must be before now"),
    (
        "Each loan has a source branch or a target branch or both.",
        "loans: it must hold that source_branch is present or target_branch is present",
    ),
    ("Confirm that loans have a rate.", "loans: rate must be present"),
    (
        "Every loan should be paid at least once.",
        "loans: loan_id must be present and loan_id must be among payments.loan_id",
    ),
    (
        "A payment cannot be made before the loan was opened.",
        "payments: paid_at must be >= the opened of loans by loan_id",
    ),
    (
        "No course may have more enrolments than its capacity.",
        "courses: the number of rows in enrolments by course_code must be <= capacity",
    ),
    (
        "The source branch and the target branch must be different.",
        "loans: source_branch must not equal target_branch",
    ),
    ("Students cannot be listed twice with the same name.", "students: name must be unique"),
    (
        "A student can take a course only once per term.",
        "enrolments: (student_id, course_code, term) must be unique",
    ),
    (
        "There must be no duplicate payments: same loan, same date and same amount.",
        "payments: (loan_id, the date of paid_at, amount) must be unique",
    ),
    ("Loan ids must start with L-", "loans: loan_id must start with 'L-'"),
    (
        "Term has the form 2026S1: four digits, the letter S and one digit",
        r"enrolments: term must match /\d{4}S\d/",
    ),
    ("All payments must be positive.", "payments: amount must be greater than 0"),
    ("Payments may not be negative.", "payments: amount must be at least 0"),
    (
        "The payments of a loan must not add up to more than its principal.",
        "loans: the sum of amount in payments by loan_id must be <= principal (up to rounding)",
    ),
    ("The principal must not exceed what is paid out.", "loans: principal must be <= paid_out"),
    (
        "There should be no more than 3 different currencies.",
        "loans as a whole: the distinct count of currency in loans must be at most 3",
    ),
]
REFUSED = [
    # Marks of several enrolments: each, or their sum?
    "Mark per student must be between 1 and 6.",
    # What is said of the loans first must not be lost as if it were "confirm that".
    "Confirmed loans must have a rate.",
    "Verified loans must have a rate.",
    "Expected loans must have a rate.",
    "Each loan has a source branch or a target branch or neither.",
    "Students may be enrolled in the future.",
    # A permission, which nothing breaks.
    "Students can be listed twice with the same name.",
    "Loans must be paid at least once a month.",
    "A student must take a course at least once per term.",
    "A student can take a course once per term.",
    "No course may have more enrolments than students.",
    "There must be no duplicate payments: same loan and another date.",
    "There must be no duplicate payments: same loan, same colour.",
    "Loan ids must start with L- unless closed early",
    # Which of its numbers?
    "All loans must be positive.",
    "All courses must be positive.",
    "Payments must be at most 5.",
    # Their number, or their marks?
    "The enrolments of a course must not add up to more than its capacity.",
    "The principal must not exceed what is customary.",
    # The example does not have the shape.
    "Term has the form 2026X1: four digits, the letter S and one digit",
    "Term has the form 2026S1 four digits",
]


@pytest.mark.parametrize(("text", "echo"), UNDERSTOOD, ids=[text for text, _ in UNDERSTOOD])
def test_a_turn_is_understood(text: str, echo: str) -> None:
    found = compile_rule(text, TABLES)
    assert found.echo == echo
    assert compile_rule(found.echo, TABLES).constraint == found.constraint


@pytest.mark.parametrize("text", REFUSED)
def test_a_near_miss_is_refused(text: str) -> None:
    with pytest.raises(RuleNotUnderstood):
        compile_rule(text, TABLES)
