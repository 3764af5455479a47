"""Values as text."""

import pandas as pd
import pytest

from pandas_magic.reporters.value_text import clean_lines, counted, one_line, value_text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("paid", "paid"),
        ("", '""'),
        (" paid", '" paid"'),
        ("NaN", '"NaN"'),
        ("None", '"None"'),
        (float("nan"), "NaN"),
        (None, "None"),
        (pd.NA, "<NA>"),
        (pd.NaT, "NaT"),
        (0.1, "0.1"),
        (3, "3"),
        ("a\nb\tc", "a\\nb\\tc"),
        ("\x1b[31mred", "\\x1b[31mred"),
        ("abc\u202edef", "abc\\u202edef"),
        ("a\u00a0b", "a\\xa0b"),
        ("\ud800", "\\ud800"),
        ("ü 東京 😀", "ü 東京 😀"),
    ],
)
def test_value_shows_what_it_is(value: object, text: str) -> None:
    assert value_text(value) == text


def test_long_value_is_cut_and_says_so() -> None:
    assert value_text("x" * 200, at_most=10) == "x" * 9 + "…"


def test_text_of_many_lines_keeps_its_lines_and_nothing_that_moves_a_cursor() -> None:
    assert clean_lines("a\r\nb\tc\x08\x1b[2J\rd") == "a\nb\tc\\x08\\x1b[2J\\rd"


def test_one_line_never_breaks() -> None:
    assert "\n" not in one_line("a\nb\u2028c\x85d")


def test_numbers_are_counted_in_words() -> None:
    assert [counted(n, "row") for n in (0, 1, 1024)] == ["0 rows", "1 row", "1,024 rows"]
