"""Names and values that could be mistaken are quoted."""

import pytest

from pandas_magic.constraints import Column, Compare, Present, RowRule, Tolerance, Value, describe


@pytest.mark.parametrize(
    ("column", "words"),
    [
        ("amount", "amount"),
        ("Unit Price", "`Unit Price`"),
        ("rows", "`rows`"),
        ("Is", "`Is`"),
        ("a`b", "`a``b`"),
        ("", "``"),
    ],
)
def test_odd_names_stand_in_backticks(column: str, words: str) -> None:
    assert describe(RowRule(table="t", must=Present(of=Column(name=column)))) == f"t: {words} must be present"


@pytest.mark.parametrize(
    ("value", "words"),
    [("a", "'a'"), ("it's", "'it''s'"), (True, "true"), (1, "1"), (1.0, "1.0"), (1e-9, "1e-09")],
)
def test_values_are_said_so_that_their_type_shows(value: bool | int | float | str, words: str) -> None:
    must = Compare(relation="==", left=Column(name="x"), right=Value(value=value))
    assert describe(RowRule(table="t", must=must)).endswith(f" {words}")


@pytest.mark.parametrize(
    ("share", "words"), [(0.01, "1 %"), (0.015, "1.5 %"), (0.07, "7 %"), (1.0, "100 %"), (0.001, "0.1 %")]
)
def test_shares_are_exact_percentages(share: float, words: str) -> None:
    rule = RowRule(table="t", must=Present(of=Column(name="x")), tolerance=Tolerance(max_share=share))
    assert describe(rule) == f"t: x must be present; at most {words} of rows may break this"
