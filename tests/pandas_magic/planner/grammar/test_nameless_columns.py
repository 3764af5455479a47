"""Columns whose names hold no word, such as "" and "%": no sentence can call them so, and none may fail for them."""

import pytest

from pandas_magic.catalog.table import Table
from pandas_magic.errors import RuleNotUnderstood
from tests.pandas_magic.planner.grammar.former import compile_rule
from tests.pandas_magic.planner.grammar.strangers import sentences_of, set_numbers


def odd(dtype: str) -> dict[str, Table]:
    names = ("", "%", "- -")
    plain = {
        "order_id": "int64",
        "user_id": "int64",
        "amount": "float64",
        "status": "str",
        "ordered_at": "datetime64[us]",
    }
    values = {"status": ("open", "paid"), **dict.fromkeys(names if dtype == "str" else (), ("a", "b"))}
    return {
        "orders": Table(
            name="orders", columns={**dict.fromkeys(names, dtype), **plain}, values=values, keys=("order_id",)
        ),
        "users": Table(name="users", columns={"user_id": "int64", "": dtype, "email": "str"}, keys=("user_id",)),
        "?!": Table(name="?!", columns={"user_id": "int64", "": dtype}, keys=("user_id",)),
    }


@pytest.mark.parametrize("dtype", ["str", "int64", "float64", "bool", "datetime64[us]"])
def test_no_sentence_fails_for_them(dtype: str) -> None:
    tables = odd(dtype)
    said = [rule["text"] for domain in sentences_of(set_numbers()[-1]).values() for rule in domain["rules"]]
    understood = 0
    for sentence in [*said, "The status must be open or paid.", "Each user must have at least one order."]:
        try:
            understood += bool(compile_rule(sentence, tables))
        except RuleNotUnderstood:
            continue
    assert understood >= 2
