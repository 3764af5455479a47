"""The echo: canonical words are read back as the same constraint."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pandas_magic.constraints import ColumnsRule, Constraint, describe
from pandas_magic.planner.language.canonical import read_canonical
from tests.grids import Examples
from tests.pandas_magic.constraints.gallery import GALLERY
from tests.pandas_magic.constraints.random_rules import DTYPES, RandomRules


@pytest.mark.parametrize("name", GALLERY)
def test_the_words_of_every_kind_are_read_back(name: str) -> None:
    constraint: Constraint = GALLERY[name]
    assert read_canonical(describe(constraint)) == constraint


@settings(max_examples=Examples.of(300), deadline=None, derandomize=True, database=None)
@given(st.integers(0, 10**9))
def test_the_words_of_any_rule_are_read_back(seed: int) -> None:
    rule = RandomRules(seed, DTYPES["numpy"]).rule()
    assert read_canonical(describe(rule)) == rule


def test_every_clause_about_columns_is_read_back() -> None:
    rule = ColumnsRule(
        table="Order Lines",
        required=("a", "unit price"),
        forbidden=("x`y",),
        only=True,
        ordered=True,
        types={"a": "integer"},
    )
    assert read_canonical(describe(rule)) == rule


@pytest.mark.parametrize(
    "words",
    [
        "email must not be missing",
        "users:",
        "users: email",
        "users: email must be present or so",
        "users: email must be 'a",
    ],
)
def test_other_words_are_not_canonical(words: str) -> None:
    assert read_canonical(words) is None


NEARLY = {
    "t: x must not be one of 'a', 'b'": "t: x must be none of 'a', 'b'",
    "t: x must not be missing and y must not be at least 5": "t: x must be present and y must be less than 5",
    "t: x must not be between 1 and 2": "t: it must hold that x is less than 1 or x is greater than 2",
    "t: it must hold that (x is not one of 'a' or y is present) and y is not missing": (
        "t: it must hold that (x is none of 'a' or y is present) and y is present"
    ),
    "t where r is 2: the number of rows in t where r is 1 by (s, m) must be at least 1": (
        "t where r equals 2: the number of rows in t (where r equals 1) by (s, m) must be at least 1"
    ),
    "t: x must be >= the rate of groups by the group_id of types by type_id": (
        "t: x must be >= the (the rate of groups by group_id) of types by type_id"
    ),
    "t: x must be >= the rate of groups by (the group_id of types by type_id)": (
        "t: x must be >= the (the rate of groups by group_id) of types by type_id"
    ),
    "t: d must be >= the date of the sent of orders by id": "t: d must be >= the date of (the sent of orders by id)",
    "t: x must equal y * z within 2 %": (
        "t: the absolute value of (x - y * z) must be <= 0.02 * (the absolute value of (y * z))"
    ),
    "t: end must be > start and order must not end with 'x'": (
        "t: `end` must be > `start` and `order` must not end with 'x'"
    ),
}


@pytest.mark.parametrize("said", NEARLY)
def test_what_has_one_meaning_is_read_in_other_forms_too(said: str) -> None:
    assert read_canonical(said) is None
    assert read_canonical(said, nearly=True) == read_canonical(NEARLY[said])


@pytest.mark.parametrize(
    "words",
    [
        "t: x is present",
        "t where x is 1 or y is 2 and z is 3: x must be present",
        "t: the absolute value of the sum of x in groups by k - y must be at most 2",
        "t: x must equal y within -5 %",
        "t: x must not be one of 1,000, 2,000",
        "t: x must not be at least 2024-01",
        "t: m must not be after 'March'",
        "t where x is among u.k where s is 'a' and s is 'b': z must be at least 3",
        "t: the rate of groups by the length of x must be at most 2",
        "t: the rate of groups by the the must be at most 2",
    ],
)
def test_what_may_mean_several_things_is_not_nearly_canonical(words: str) -> None:
    assert read_canonical(words, nearly=True) is None
