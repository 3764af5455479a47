"""Rules that nothing can break or satisfy are told apart from those that something can."""

from typing import Any

import pytest

from pandas_magic.constraints import (
    All,
    Any_,
    Arithmetic,
    Column,
    ColumnsRule,
    Compare,
    Condition,
    DatePart,
    Exists,
    Not,
    OneOf,
    Present,
    ReadAs,
    RowRule,
    Span,
    TextLength,
    Value,
    contradictions,
)
from tests.pandas_magic.constraints.gallery import GALLERY

X, Y = Column(name="x"), Column(name="y")
SOON = Arithmetic(sign="+", left=Column(name="z"), right=Span(amount=3, unit="days"))


MIDNIGHT, MORNING, NIGHT = (Span(amount=hour * 60, unit="minutes") for hour in (0, 6, 22))


def compare(left: Any, relation: Any, right: Any) -> Compare:
    right = right if isinstance(right, (Column, Span)) else Value(value=right)
    return Compare(relation=relation, left=left, right=right)


@pytest.mark.parametrize("name", GALLERY)
def test_no_kind_is_pointless(name: str) -> None:
    assert contradictions(GALLERY[name]) == ()


@pytest.mark.parametrize(
    ("must", "says"),
    [
        (Any_(conditions=(compare(X, ">=", 0), compare(X, "<", 0))), "nothing can break"),
        (All(conditions=(compare(X, ">=", 10), compare(X, "<=", 5))), "nothing can satisfy"),
        (All(conditions=(compare(X, "==", "a"), compare(X, "==", "b"))), "nothing can satisfy"),
        (
            All(conditions=(OneOf(of=X, values=("a",)), Not(condition=OneOf(of=X, values=("a", "b"))))),
            "nothing can satisfy",
        ),
        (Any_(conditions=(Present(of=X), Not(condition=Present(of=X)))), "nothing can break"),
        (All(conditions=(compare(X, "<", Y), compare(Y, "<", X))), "nothing can satisfy"),
        (compare(TextLength(of=X), ">=", 0), "nothing can break"),
        (compare(DatePart(part="month", of=X), "<=", 12), "nothing can break"),
        (compare(X, "==", X), "nothing can break"),
        (All(conditions=(compare(X, ">=", NIGHT), compare(X, "<=", MORNING))), "nothing can satisfy"),
        (compare(ReadAs(of=X, type="time"), ">=", MIDNIGHT), "nothing can break"),
    ],
)
def test_pointless_rules_are_told(must: Condition, says: str) -> None:
    (problem,) = contradictions(RowRule(table="t", must=must))
    assert says in problem


@pytest.mark.parametrize(
    "must",
    [
        All(conditions=(compare(X, ">=", 5), compare(X, "<=", 5))),
        Any_(conditions=(compare(X, ">", 0), compare(X, "<", 0))),
        All(conditions=(compare(X, "<", Y), compare(Y, "<", 3))),
        compare(TextLength(of=X), ">=", 1),
        compare(DatePart(part="month", of=X), "<=", 11),
        compare(X, "!=", "a"),
        All(conditions=(compare(Y, "!=", "a"), Compare(relation="<=", left=DatePart(part="date", of=X), right=SOON))),
    ],
)
def test_rules_that_some_rows_break_and_some_satisfy_are_left_alone(must: Condition) -> None:
    assert contradictions(RowRule(table="t", must=must)) == ()


def test_a_scope_that_no_row_can_be_in_is_told() -> None:
    nowhere = All(conditions=(compare(X, "==", "a"), compare(X, "==", "b")))
    (problem,) = contradictions(RowRule(table="t", where=nowhere, must=Present(of=Y)))
    assert "no row can be in scope" in problem


def test_a_row_that_has_a_child_has_the_key_that_leads_to_it() -> None:
    child = Exists(of=(X,), table="children", keys=("x",))
    (problem,) = contradictions(RowRule(table="t", where=child, must=All(conditions=(Present(of=X), child))))
    assert "nothing can break this rule" in problem
    assert contradictions(RowRule(table="t", must=All(conditions=(Present(of=X), child)))) == ()


def test_a_column_both_required_and_forbidden_is_told() -> None:
    assert contradictions(ColumnsRule(table="t", required=("a",), forbidden=("a",)))


def span(amount: float, unit: str) -> Span:
    return Span(amount=amount, unit=unit)


def apart(relation: Any, amount: float, unit: str) -> Compare:
    """How far X must lie behind Y."""
    distance = Arithmetic(sign="-", left=X, right=Y)
    return Compare(relation=relation, left=distance, right=span(amount, unit))


def beyond(relation: Any, amount: float, unit: str) -> Compare:
    """Where X must lie, seen from some time after Y."""
    later = Arithmetic(sign="+", left=Y, right=span(amount, unit))
    return Compare(relation=relation, left=X, right=later)


def counted(relation: Any, number: int, unit: str) -> Compare:
    """How many of a unit X must lie behind Y."""
    distance = Arithmetic(sign="-", left=X, right=Y)
    return Compare(
        relation=relation, left=Arithmetic(sign="/", left=distance, right=span(1, unit)), right=Value(value=number)
    )


@pytest.mark.parametrize(
    "parts",
    [
        (compare(X, "<", Y), apart(">=", 3, "days")),
        (compare(Y, ">", X), apart(">=", 3, "days")),
        (beyond(">=", 2, "years"), beyond("<", 1, "years")),
        (apart(">", 1, "weeks"), beyond("<=", 7, "days")),
        (compare(X, "<", Y), compare(Y, "<", X)),
        (apart(">", 24, "hours"), apart("<", 1, "days")),
        (beyond(">=", 32, "days"), beyond("<", 1, "months")),
    ],
)
def test_a_distance_that_cannot_be_is_pointless(parts: tuple[Condition, ...]) -> None:
    both = All(conditions=parts)
    assert "nothing can satisfy" in contradictions(RowRule(table="t", must=both))[0]
    assert "no row can be in scope" in contradictions(RowRule(table="t", where=both, must=Present(of=X)))[0]


@pytest.mark.parametrize(
    "parts",
    [
        (compare(X, ">=", Y), apart("<=", 3, "days")),
        (compare(X, "<=", Y), compare(Y, "<=", X)),
        (apart(">=", 1, "weeks"), beyond("<=", 7, "days")),
        (beyond(">=", 30, "days"), beyond("<=", 1, "months")),
        (compare(X, "<", Y), Compare(relation=">", left=Y, right=SOON)),
        (beyond(">=", 60, "minutes"), beyond("<=", 1, "hours")),
        (counted(">=", 5, "days"), counted("<=", 5, "weeks")),
    ],
)
def test_a_distance_that_can_be_is_not(parts: tuple[Condition, ...]) -> None:
    assert contradictions(RowRule(table="t", must=All(conditions=parts))) == ()
