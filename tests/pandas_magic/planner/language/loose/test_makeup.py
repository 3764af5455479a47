"""Texts described by what they are made up of."""

import re

import pytest

from pandas_magic.planner.language.loose.makeup import made_up_of


@pytest.mark.parametrize(
    ("words", "right", "wrong"),
    [
        ("two capital letters followed by six digits", "AB123456", "A1234567"),
        ("MRN and then exactly seven digits, nothing else", "MRN1234567", "1234567"),
        ("a capital K, one digit, a dash and three digits", "K1-234", "A1-234"),
        ("four digits followed by N or S", "1234N", "1234E"),
        ("2 uppercase letters, hyphen, 5 digits", "AB-12345", "AB12345"),
        ("one upper case letter followed by two digits, optionally followed by a dot and one digit", "A12.3", "A12."),
        ("starts with +49, followed by 10 or 11 digits", "+491234567890", "+48123456789"),
        ("lower-case letters, digits and hyphens only", "a-1", "A-1"),
    ],
)
def test_the_pattern_fits_what_is_described(words: str, right: str, wrong: str) -> None:
    pattern = made_up_of(words)
    assert pattern is not None
    assert (bool(re.fullmatch(pattern, right)), bool(re.fullmatch(pattern, wrong))) == (True, False)


@pytest.mark.parametrize("words", ["amount must be positive", "at most five rows", "the code has a prefix"])
def test_what_describes_no_text_is_no_pattern(words: str) -> None:
    assert made_up_of(words) is None
