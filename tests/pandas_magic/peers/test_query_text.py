"""Conditions written as queries hold for the rows that the conditions hold for."""

import pytest

from pandas_magic.constraints import describe
from pandas_magic.peers.query_filters import read_query
from pandas_magic.peers.query_text import false_text, true_text
from pandas_magic.peers.rule_parts import row_rule
from pandas_magic.peers.schemas import Types
from tests.pandas_magic.constraints.gallery import GALLERY, SHOP
from tests.pandas_magic.peers.compiled import check_for, found, shops


@pytest.mark.parametrize("name", ["conditional", "nested", "either_or", "formula", "forbidden_values", "contains_no"])
def test_a_query_finds_the_rows_that_break_the_rule(name: str) -> None:
    rule = GALLERY[name]
    assert rule.shape == "rows"
    types = Types(rule.table, {rule.table: SHOP[rule.table].columns})
    text = false_text(rule.must, types, rule.where)
    for frames in shops():
        frame = frames[rule.table]
        assert list(frame.query(text).index) == found(rule, frames), text


def test_a_query_written_and_read_again_is_true_for_the_same_rows() -> None:
    check = check_for("orders where status is not 'paid' or amount is at least 1: tax must be present")
    rule = check.constraint
    assert rule is not None and rule.shape == "rows" and rule.where is not None
    text = true_text(rule.where, Types("orders", {"orders": SHOP["orders"].columns}))
    again = row_rule("orders", rule.must, read_query(text))
    for frames in shops():
        assert found(again, frames) == found(rule, frames), describe(again)
