"""Rules that cannot be meant on the tables at hand are told so in words, before anything runs."""

from typing import Any

import pytest

from pandas_magic.catalog.table import Table
from pandas_magic.constraints import (
    Aggregate,
    Arithmetic,
    Column,
    Compare,
    Constraint,
    DatePart,
    Exists,
    Group,
    Join,
    Lookup,
    Matches,
    Moment,
    OneOf,
    Parses,
    Present,
    RowRule,
    Span,
    TableRule,
    TextLength,
    Tolerance,
    Value,
    check_types,
)
from tests.pandas_magic.constraints.gallery import GALLERY, SHOP

TABLES = {
    "t": Table(
        name="t",
        columns={
            "n": "int64",
            "s": "str",
            "d": "datetime64[us]",
            "z": "datetime64[us, UTC]",
            "b": "bool",
            "o": "object",
        },
    ),
    "u": Table(name="u", columns={"k": "str", "n": "int64"}),
}


def c(name: str) -> Column:
    return Column(name=name)


def compare(left: Any, relation: Any, right: Any, within: float | None = None) -> RowRule:
    return RowRule(table="t", must=Compare(relation=relation, left=left, right=right, within=within))


def rule(must: Any, tolerance: Tolerance | None = None) -> RowRule:
    return RowRule(table="t", must=must, tolerance=tolerance)


@pytest.mark.parametrize("name", GALLERY)
def test_every_kind_fits_the_shop(name: str) -> None:
    assert check_types(GALLERY[name], SHOP) == ()


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        (compare(c("s"), ">", Value(value=3)), "compares text (str) with a whole number"),
        (compare(c("d"), "<", c("s")), "read it as a date first"),
        (compare(c("d"), "<", c("z")), "a time zone"),
        (compare(c("d"), "<", Moment(iso="2026-01-31T10:00:00Z")), "a time zone"),
        (compare(c("d"), "<", Moment(iso="soon")), "'soon' is not a date"),
        (compare(c("b"), "<", Value(value=True)), "in an order"),
        (compare(c("s"), "==", Value(value="a"), 0.1), "a tolerance needs numbers"),
        (compare(c("n"), "<", Value(value=1), 0.1), "equality only"),
        (compare(Value(value=1), "<", Value(value=2)), "compares nothing of t"),
        (
            compare(Arithmetic(sign="-", left=c("d"), right=c("d")), "<", Span(amount=1, unit="months")),
            "no fixed length",
        ),
        (compare(Arithmetic(sign="+", left=c("n"), right=c("s")), "==", Value(value=1)), "combines a whole number"),
        (compare(TextLength(of=c("n")), "<", Value(value=3)), "needs text"),
        (compare(DatePart(part="year", of=c("s")), "==", Value(value=2026)), "needs a date"),
        (compare(Group(statistic="mean", of=c("s")), "<", Value(value=1)), "needs numbers"),
        (compare(Group(statistic="quantile", of=c("n"), quantile=3), "<", Value(value=1)), "between 0 and 1"),
        (compare(c("x"), "<", Value(value=1)), 'no column "x"'),
        (rule(OneOf(of=c("n"), values=("1", "2"))), "text values"),
        (rule(OneOf(of=c("s"), values=("1", 2))), "not of one type"),
        (rule(OneOf(of=c("s"), values=())), "empty"),
        (rule(Matches(of=c("n"), pattern="x")), "needs text"),
        (rule(Matches(of=c("s"), pattern="(")), "not a regular expression"),
        (rule(Matches(of=c("s"), pattern=r"(?=a)b")), "no look-around"),
        (rule(Matches(of=c("s"), pattern=r"(a)\1")), "no look-around and no back-references"),
        (rule(Parses(of=c("n"), type="number")), "no row can break this"),
        (rule(Exists(of=(c("n"),), table="u", keys=("k",))), "would never match"),
        (rule(Exists(of=(c("o"),), table="u", keys=("n",))), "would never match"),
        (rule(Exists(of=(c("n"),), table="users", keys=("n",))), 'no table "users"'),
        (compare(Lookup(join=Join(columns=("n",), table="u", keys=("n", "k")), of=c("n")), "<", c("n")), "2 keys"),
        (rule(Present(of=c("n")), Tolerance(max_share=2)), "between 0 and 1"),
        (
            TableRule(
                table="t", must=Compare(relation="<", left=c("n"), right=Aggregate(statistic="count", table="t"))
            ),
            "stands alone",
        ),
        (RowRule(table="orders", must=Present(of=c("n"))), 'no table "orders"'),
    ],
)
def test_what_does_not_fit_is_named(wrong: Constraint, says: str) -> None:
    problems = check_types(wrong, TABLES)
    assert any(says in problem for problem in problems), problems


def test_a_bare_date_fits_a_zoned_column() -> None:
    assert check_types(compare(c("z"), "<", Moment(iso="2026-01-31")), TABLES) == ()
