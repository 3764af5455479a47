"""Row filters and patterns of peers are read with their meaning, or refused at their place."""

import pytest

from pandas_magic.constraints import Column, describe
from pandas_magic.constraints.algebra.words import condition_words
from pandas_magic.peers.crossing_records import CannotRead
from pandas_magic.peers.filters import read_filter
from pandas_magic.peers.gathering import row_rule
from pandas_magic.peers.query_text import false_text, true_text
from pandas_magic.peers.regexes import like_condition, whole_text
from pandas_magic.peers.schemas import Types
from tests.pandas_magic.constraints.gallery import GALLERY, SHOP
from tests.pandas_magic.peers.compiled import check_for, found, shops

TEXT = Column(name="c")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("status = 'active' AND x IS NOT NULL", "status is 'active' and x is present"),
        ("status in ('a','it''s') or (x > 3 and not y = 2)",
         "status is one of 'a', 'it''s' or (x is greater than 3 and not (y equals 2))"),
        ("5 < x", "x is greater than 5"),
        ("t.x <> 3", "x does not equal 3"),
        ("x not between 1 and 3", "not (x is between 1 and 3)"),
        ("day >= '2026-01-31'", "`day` is no earlier than 2026-01-31"),
        ("day < date '2026-01-31'", "`day` is before 2026-01-31"),
        ("day < '2026-01-31 10:00'::timestamp", "`day` is before 2026-01-31T10:00"),
        ("mail like '%@x.com'", "mail ends with '@x.com'"),
        ("lower(s) = 'x' and length(s) <= 3", "s ignoring case is 'x' and the length of s is at most 3"),
        ("(a + b) * 2 >= -c1", None),
        ("is_member", "is_member is true"),
        ('"Odd name" is null', "`Odd name` is missing"),
    ],
)  # fmt: skip
def test_sql_is_read(text: str, words: str | None) -> None:
    if words is None:
        with pytest.raises(CannotRead):
            read_filter(text, sql=True, table="t")
    else:
        assert condition_words(read_filter(text, sql=True, table="t")) == words


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
    assert condition_words(read_filter(text, sql=False)) == words


@pytest.mark.parametrize(
    ("text", "sql", "place"),
    [
        ("x = NULL", True, "character 5"),
        ("f(x) = 1", True, "character 1"),
        ("x = 1; DROP TABLE t", True, "character 6"),
        ("x = (SELECT 1)", True, "character 6"),
        ("x / 2 = 1", True, "character 3"),
        ("x == @y", False, "character 6"),
        ("x == None", False, "compares with None"),
        ("x.apply(f)", False, "character 3"),
        ("s.str.contains('a.b')", False, "searches with a regular expression"),
        ("~x == 1", False, "character 1"),
        ("", True, "the end"),
        ("(" * 5000 + "x", True, "nested"),
        ("not " * 5000 + "x", True, "nested"),
    ],
)
def test_what_is_not_wholly_understood_is_refused_with_its_place(text: str, sql: bool, place: str) -> None:
    with pytest.raises(CannotRead, match=place):
        read_filter(text, sql=sql)


@pytest.mark.parametrize(
    ("pattern", "how", "words"),
    [
        ("^[A-Z]{2}$", "search", "c matches /[A-Z]{2}/"),
        ("abc", "search", "c contains 'abc'"),
        (r"a\.b", "search", "c contains 'a.b'"),
        ("a|b", "search", "c matches /(?s:.*)(?:a|b)(?s:.*)/"),
        ("[0-9]+", "prefix", "c matches /[0-9]+(?s:.*)/"),
        ("^(?:a|b)$", "search", "c matches /a|b/"),
        (r"[0-9]\$", "search", r"c matches /(?s:.*)[0-9]\$(?s:.*)/"),
    ],
)
def test_a_pattern_is_applied_as_the_peer_applies_it(pattern: str, how: str, words: str) -> None:
    assert condition_words(whole_text(TEXT, pattern, how)) == words


@pytest.mark.parametrize(
    ("pattern", "words"),
    [
        ("abc", "c is 'abc'"),
        ("abc%", "c starts with 'abc'"),
        ("%abc%", "c contains 'abc'"),
        ("a_c%", "c matches /a(?s:.)c(?s:.*)/"),
    ],
)
def test_like_is_read(pattern: str, words: str) -> None:
    assert condition_words(like_condition(TEXT, pattern)) == words


def test_a_backslash_in_like_is_refused() -> None:
    with pytest.raises(CannotRead, match="backslash"):
        like_condition(TEXT, r"a\%")


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
    again = row_rule("orders", rule.must, read_filter(text, sql=False))
    for frames in shops():
        assert found(again, frames) == found(rule, frames), describe(again)
