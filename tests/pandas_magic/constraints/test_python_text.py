"""Names and literals in code: what pandas_magic binds, and what Python reads back."""

import ast

import pytest

from pandas_magic.constraints import identifier, identifiers
from pandas_magic.constraints.code.python_text import literal, pattern_literal
from pandas_magic.errors import UsageMistake


@pytest.mark.parametrize(
    ("table", "bound"),
    [
        ("orders", "orders"),
        ("Order items", "Order_items"),
        ("2024", "table_2024"),
        ("class", "class_"),
        ("pd", "pd_"),
        ("cafe\u0301", "cafe_"),
        ("\ufb01x", "fix"),
        ("m\u00b2", "m2"),
        ("a\u00bd", "a1_2"),
        ("now", "now_"),
        ("violations", "violations_"),
        ("größe", "größe"),
    ],
)
def test_a_table_is_bound_under_a_name_that_python_allows(table: str, bound: str) -> None:
    assert identifier(table) == bound
    assert identifier(table).isidentifier()


def test_two_tables_of_one_python_name_are_refused() -> None:
    with pytest.raises(UsageMistake, match='"a b" and "a_b" are both called a_b'):
        identifiers(["a b", "a_b"])
    with pytest.raises(UsageMistake, match="are both called fix"):
        identifiers(["fix", "\ufb01x"])


@pytest.mark.parametrize(
    "text", ["", "it's", 'a "b"', "back\\slash", "new\nline", "é", "\u2028", "\ud800", "\x7f", "𝄞"]
)
def test_texts_read_back_as_themselves(text: str) -> None:
    assert ast.literal_eval(literal(text)) == text
    assert ast.literal_eval(pattern_literal(text)) == text
    assert literal(text).isascii() or literal(text).isprintable()
