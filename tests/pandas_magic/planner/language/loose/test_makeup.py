"""Texts described by what they are made up of."""

import re

import pytest

from pandas_magic.planner.language.loose.makeup import makeups, written_like


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
        ("a + and then eight to fifteen digits", "+12345678", "12345678"),
        ("start with NO or SE, followed by three digits", "SE123", "DE123"),
        ("two letter upper case code", "DE", "De"),
        ("L followed by yymmdd, a hyphen and a one-digit serial", "L250407-1", "L251407-1"),
        ("format L + 2-digit year + hyphen + 4 digits", "L24-0001", "L240001"),
        ("pier letter A-D in capitals + two digits", "A01", "E01"),
        ("one big letter then two numbers", "A07", "a07"),
        ("978 or 979 followed by ten digits", "9780000000000", "9770000000000"),
        ("a letter O in the field; it consists of two digits", "12", "AO"),
        ("exactly six characters, all of them capital letters or digits", "AB12CD", "AB12C"),
    ],
)
def test_the_pattern_fits_what_is_described(words: str, right: str, wrong: str) -> None:
    (pattern,) = makeups(words)
    assert (bool(re.fullmatch(pattern, right)), bool(re.fullmatch(pattern, wrong))) == (True, False)


@pytest.mark.parametrize(
    ("words", "right", "wrong"),
    [
        ("Plates must look like AA-999-AA.", "KL-123-MN", "K1-123-MN"),
        ("Seasons are written like 2024/25.", "1998/99", "1998-99"),
        ("lot numbers such as L-26-0031", "L-25-0001", "M-25-0001"),
        ("all typed as DD/MM/YYYY.", "31/12/2025", "2025-12-31"),
        ("an existing date written as dd-mm-yyyy", "30-11-2025", "31-11-2025"),
        ("a valid date day/month/year", "29/02/2024", "29/02/2023"),
        ("a real calendar date as mm.dd.yyyy", "02.29.2000", "02.29.1900"),
        ("three groups of three, e.g. +351 914 220 118.", "+351 111 222 333", "+351111222333"),
    ],
)
def test_a_template_and_an_example_are_patterns(words: str, right: str, wrong: str) -> None:
    pattern = written_like(words)
    assert pattern is not None
    assert (bool(re.fullmatch(pattern, right)), bool(re.fullmatch(pattern, wrong))) == (True, False)


@pytest.mark.parametrize(
    "words", ["a check-in or a check-out", "either and/or both", "amount must be 1.5", "as of 25/03"]
)
def test_words_with_marks_between_are_no_template(words: str) -> None:
    assert written_like(words) is None


@pytest.mark.parametrize("words", ["amount must be positive", "at most five rows", "the code has a prefix"])
def test_what_describes_no_text_is_no_pattern(words: str) -> None:
    assert makeups(words) == ()


def test_each_of_two_stretches_is_a_pattern() -> None:
    assert makeups("Keys of two digits were seen; a key has three capital letters.") == (r"\d{2}", "[A-Z]{3}")
