"""Several readings of one sentence: those that come to the same are one, those that contradict themselves none."""

import pytest

from pandas_magic.catalog import Table
from pandas_magic.constraints import Column, Compare, DatePart, Now, OneOf, Present, RowRule, Value
from pandas_magic.planner.grammar.sameness import apart
from tests.pandas_magic.planner.grammar.former import compile_rule

AGE, BORN = Column(name="age"), Column(name="born_on")
ADULT = Compare(relation=">=", left=AGE, right=Value(value=18))
PATIENTS = Table(
    name="patients",
    columns={"patient_id": "int64", "date_of_birth": "datetime64[us]", "discharged_at": "datetime64[us]"},
)


def test_a_scope_that_says_nothing_new_is_left_out() -> None:
    scoped = RowRule(table="people", where=Present(of=AGE), must=ADULT)
    assert apart([scoped, RowRule(table="people", must=ADULT)]) == [1]


def test_a_scope_about_another_column_is_kept() -> None:
    scoped = RowRule(table="people", where=Present(of=BORN), must=ADULT)
    assert apart([scoped, RowRule(table="people", must=ADULT)]) == [0, 1]


def test_the_day_of_a_date_gives_way_to_the_date() -> None:
    past = Compare(relation="<=", left=BORN, right=Now())
    day = Compare(relation="<=", left=DatePart(part="date", of=BORN), right=Now())
    assert apart([RowRule(table="people", must=day), RowRule(table="people", must=past)]) == [1]
    assert apart([RowRule(table="people", must=day)]) == [0]


def test_a_contradiction_is_no_reading_where_another_remains() -> None:
    sex = Column(name="sex")
    never = RowRule(table="people", where=OneOf(of=sex, values=("a",)), must=OneOf(of=sex, values=("b",)))
    both = [RowRule(table="people", must=OneOf(of=sex, values=("a", "b"))), never]
    assert 0 in apart(both)


@pytest.mark.parametrize(
    ("sentence", "echo"),
    [
        ("No patient was born after today.", "patients: date_of_birth must be no later than today"),
        ("Dates of birth must not be in the future.", "patients: date_of_birth must be no later than now"),
        ("The discharge date must not be missing.", "patients: discharged_at must be present"),
    ],
)
def test_sentences_with_several_ways_to_the_same_rule_are_understood(sentence: str, echo: str) -> None:
    assert compile_rule(sentence, {"patients": PATIENTS}).echo == echo
