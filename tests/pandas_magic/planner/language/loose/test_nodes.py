"""One form for one meaning."""

import pytest

from pandas_magic.planner.language.canonical import read_canonical
from pandas_magic.planner.language.loose.nodes import meaning_key


def key(canonical: str) -> str:
    constraint = read_canonical(canonical)
    assert constraint is not None
    return meaning_key(constraint.model_dump(mode="json"))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (
            "orders where kind is 'x': mark must be present",
            "orders: it must hold that kind is not 'x' or mark is present",
        ),
        ("orders: kind must be >= mark", "orders: mark must be <= kind"),
        ("orders: the number of rows per kind must be at most 1", "orders: kind must be unique"),
        (
            "orders: the distinct count of mark per kind must equal 1",
            "orders: the distinct count of mark per kind must be at most 1",
        ),
        (
            "orders where kind is present and mark is 'x': kind must be at most 0",
            "orders where mark is 'x': kind must be at most 0",
        ),
        ("orders: kind must be one of 'x', 'y'", "orders: kind must be one of 'y', 'x'"),
        ("orders: kind must be >= mark - 3 days", "orders: mark must be <= kind + 3 days"),
        (
            "orders: it must hold that not (kind is 'x' and mark is 'y')",
            "orders: it must hold that kind is not 'x' or mark is not 'y'",
        ),
    ],
)
def test_rules_that_flag_the_same_rows_are_one(one: str, other: str) -> None:
    assert key(one) == key(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("orders: kind must be present", "orders: kind must be missing"),
        ("orders where kind is 'x': mark must be unique", "orders: mark must be unique"),
        ("orders where kind is present: mark must be present", "orders: mark must be present"),
        ("orders: kind must be >= mark - 3 months", "orders: mark must be <= kind + 3 months"),
        ("orders: kind must be greater than 1", "orders: kind must be at least 1"),
    ],
)
def test_rules_that_flag_other_rows_are_two(one: str, other: str) -> None:
    assert key(one) != key(other)
