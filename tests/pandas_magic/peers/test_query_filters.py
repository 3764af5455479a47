"""Filters of `DataFrame.query` are read with their two truth values, or refused at their place."""

import pandas as pd
import pytest

from pandas_magic.constraints import Not
from pandas_magic.constraints.algebra.words import condition_words
from pandas_magic.peers.query_filters import read_query
from pandas_magic.peers.rule_parts import row_rule
from pandas_magic.peers.transfers import CannotRead
from tests.pandas_magic.peers.compiled import found


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('status != "x"', "status is missing or status is not 'x'"),
        ('status.notnull() and status != "x"', "status is not 'x'"),
        ("not (x == 1)", "x is missing or x does not equal 1"),
        ("~x.isin([1, 2])", "x is missing or x is none of 1, 2"),
        ("0 < x < 5 & `my col`.isna()", "(x is greater than 0 and x is less than 5) and `my col` is missing"),
        ('col("x").notNull()', "x is present"),
        ("s.str.startswith('A', na=False)", "s starts with 'A'"),
        ("x.abs() > 1", "the absolute value of x is greater than 1"),
    ],
)
def test_a_query_is_read_with_its_two_truth_values(text: str, words: str) -> None:
    assert condition_words(read_query(text)) == words


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("x == @y", "character 6"),
        ("x == None", "compares with None"),
        ("x.apply(f)", "character 3"),
        ("s.str.contains('a.b')", "searches with a regular expression"),
        ("~x == 1", "character 1"),
        ("x == 1 AND y == 2", "character 8"),
        ("x in {1, 2}", "character 6"),
        ("x == nan", "compares with nan"),
        ("x = 1", "character 3"),
        ("x == 1 # or y", "character 8"),
        ("x == 'a\nb'", "character 6"),
        ("größe == f(1)", "character 10"),
        ("`my col` == 1 & f(x)", "character 17"),
        ("x ** 2 > 1", "character 2"),
        ("-x > 1", "character 1"),
        ("x == (y := 1)", "character 7"),
        ("[x for x in y]", "character 1"),
        ("", "the end"),
        ("x ==", "the end"),
        ("not " * 120 + "x", "nested"),
        ("x == 1\0", "character 7"),
        ("not " * 5000 + "x", "nested"),
    ],
)
def test_what_is_not_wholly_understood_is_refused_with_its_place(text: str, place: str) -> None:
    with pytest.raises(CannotRead, match=place):
        read_query(text)


@pytest.mark.parametrize(
    "text",
    [
        "x > 1 & y == 'a' | x.isnull()",
        "~(x == 1 | y == 'b')",
        "~y.isin(['a', 'b']) and x == x",
        "not x > 1 & not y == 'a'",
        "1 < x <= 3 or `my col` - 1 == x",
        "`my col`.abs() > 2 and y != 'a & b'",
        "y.str.len() == 1 and y not in ['a']",
        "x / `my col` < 1\nor x == -1",
        "y == 'a' 'b' or end > 1",
    ],
)
def test_a_query_is_read_for_the_rows_that_pandas_finds(text: str) -> None:
    frame = pd.DataFrame(
        {"x": [1.0, 2, None, -1, 3, 5], "y": ["a", None, "b", "a & b", "ab", "x"], "my col": [3, 3, 1, -4, 2, 4]}
    ).assign(end=[0, 0, 2, 0, 0, 0])
    rule = row_rule("t", Not(condition=read_query(text)))
    assert found(rule, {"t": frame}) == list(frame.query(text.replace("\n", " ")).index)
