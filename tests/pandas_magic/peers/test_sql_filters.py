"""Row filters in SQL are read with their meaning, or refused at their place."""

import duckdb
import pandas as pd
import pytest

from pandas_magic.constraints import Not
from pandas_magic.constraints.algebra.words import condition_words
from pandas_magic.peers.rule_parts import row_rule
from pandas_magic.peers.sql_filters import read_sql
from pandas_magic.peers.transfers import CannotRead
from tests.pandas_magic.peers.compiled import found

FRAME = pd.DataFrame(
    {
        "x": [1.0, 2, None, -1, None, 5],
        "y": [1.0, 3, 2, None, None, 4],
        "flag": pd.array([True, False, None, True, False, None], dtype="boolean"),
        "s": ["a", None, "b%c", "Abc", "it's", ""],
        "odd name": [1, 2, 3, 4, 5, 6],
        "day": pd.to_datetime(
            ["2026-01-31 00:00", "2026-01-31 10:00", None, "2025-12-31 00:00", "2026-02-01 00:00", "2026-01-30 00:00"]
        ),
    }
)


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
            read_sql(text, table="t")
    else:
        assert condition_words(read_sql(text, table="t")) == words


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("x = NULL", "character 5"),
        ("f(x) = 1", "character 1"),
        ("x = 1; DROP TABLE t", "character 6"),
        ("x = (SELECT 1)", "character 6"),
        ("x / 2 = 1", "character 3"),
        ("", "the end"),
        ("(" * 5000 + "x", "nested"),
        ("not " * 5000 + "x", "nested"),
        ("x % 2 = 1", "character 3"),
        ("x in (1, null)", "character 10"),
        ("x in ()", "character 1"),
        ("x in (select 1)", "character 7"),
        ("x is distinct from null", "character 20"),
        ("x is 5", "character 6"),
        ("x = 1 and end > 2", "character 11"),
        ("x <=> 1", "character 3"),
        ("x between symmetric 2 and 1", "character 1"),
        ("x = y = 1", "character 1"),
        ("s = 'a' collate nocase", "character 5"),
        ("s ilike 'A'", "character 3"),
        ("s like y", "character 8"),
        ("year(day) = 2026", "character 1"),
        ("length(s, 2) = 1", "character 1"),
        ("extract(dow from day) = 1", "character 18"),
        ("day > '2026-01-31'::timestamptz", "character 7"),
        ("day > timestamp with time zone '2026-01-31'", "character 32"),
        ("day < date '2026-01-31 10:00'", "cuts off its time"),
        ("case when x = 1 then 2 else 0 end = 1", "character 11"),
        ("case when x = 1 then 1 end = 1", "character 11"),
        ("case x when 1 then 1 else 0 end = 1", "character 6"),
        ("other.x = 1", "character 1"),
        ("x = 1 and", "character 7"),
        ("(x = 1", "character 6"),
        ("s = 'a", "Missing '"),
        ("x = 1 --2", "character 6"),
        ("x = 1 /*! or true */", "character 6"),
        ("x = 1 /* /* */ or x = 2 */", "character 6"),
        ("x {# a #} = 1", "character 2"),
    ],
)
def test_what_is_not_wholly_understood_is_refused_with_its_place(text: str, place: str) -> None:
    with pytest.raises(CannotRead, match=place):
        read_sql(text)


@pytest.mark.parametrize(
    "text",
    [
        "x is distinct from 2",
        "x is not distinct from y",
        "x is distinct from y or flag",
        "flag is true",
        "flag is not true and x > -2",
        "not (x between 1 and y or s is null)",
        "x not between y and 3",
        "x not in (1, -1) and s not like 'b!%%' escape '!'",
        "not not x = 1",
        "((((x + 1)) * (2 - y)) < 3)",
        "x = 1 -- or y = 2\n or y = 3 /* and not flag */",
        "\"odd name\" > 2 and not s = 'it''s'",
        "case when x > 1 then 1 else 0 end + case when y > 2 then 1 else 0 end + case when flag then 1 else 0 end = 2",
        "case when x is null then 1 else 0 end = 0",
        "cast('2026-01-31' as date) <= day",
        "day > timestamp '2026-01-31 09:59:00' and extract(month from day) = 1",
        "lower(s) = 'abc' or length(s) = 0",
        "x > 1 or y > 2 and not flag",
        "not x > 1 and y > 2",
    ],
)
def test_sql_is_true_and_false_for_the_rows_that_a_database_finds(text: str) -> None:
    condition = read_sql(text)
    rows = duckdb.sql("SELECT *, row_number() OVER () - 1 AS place FROM FRAME")
    true, false = (
        [place for (place,) in rows.filter(f"{sign} ({text}\n)").project("place").fetchall()] for sign in ("", "NOT")
    )
    assert found(row_rule("t", Not(condition=condition)), {"t": FRAME}) == true
    assert found(row_rule("t", condition), {"t": FRAME}) == false


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("`a b` = 1 and [c d] = 2", "`a b` equals 1 and `c d` equals 2"),
        ('"say ""hi""" is null', '`say "hi"` is missing'),
        ('show = 1 and range < 2 and "end" = 3', "show equals 1 and range is less than 2 and `end` equals 3"),
        ("größe > 3", "`größe` is greater than 3"),
        ("char_length(s) = 3", "the length of s equals 3"),
        ("not x is null", "x is present"),
    ],
)
def test_names_are_quoted_as_any_database_quotes_them(text: str, words: str) -> None:
    assert condition_words(read_sql(text)) == words


def test_a_filter_of_a_thousand_parts_is_read() -> None:
    assert len(read_sql(" or ".join(["x = 1"] * 1000)).conditions) == 1000  # type: ignore[union-attr]
