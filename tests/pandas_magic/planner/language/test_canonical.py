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
