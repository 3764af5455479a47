r"""Patterns with \s are spelt so that pandas hands them to RE2, and match what they matched before."""

import re
import sys

import pandas as pd
import pytest

from pandas_magic.constraints.algebra.patterns import SPACES, explicit, with_open_spaces

CHARACTERS = [chr(code) for code in range(sys.maxunicode + 1) if not 0xD800 <= code <= 0xDFFF]
TEXTS = [*CHARACTERS[:0x3100], "a b", "a\n", "\n", "", "ab", "-x", "a-b@c.de", "\u3000 x", "[x]", "\\s"]
OPENED = [r"[^@\s]+@[^@\s]+\.[a-z]{2,}", r"\S+\s\S+", r"\s*", r"[\s-]x?", r"[-\s\w]+", r"^a\s|b$", r"\S", r"[\d\s.]*"]
LEFT = [r"(?i)\s", r"a{,3}\s", r"[]\s]", r"[^]\s]", r"[[:alpha:]\s]", r"\\s", r"[\S]", "[a-z]+"]


def test_the_spaces_are_those_of_python() -> None:
    every = pd.Series(CHARACTERS, dtype="str")
    found = every[every.str.fullmatch(f"[{SPACES}]")]
    assert set(found) == {character for character in CHARACTERS if re.fullmatch(r"\s", character)}


@pytest.mark.parametrize("pattern", OPENED)
def test_a_pattern_with_spaces_matches_the_same_texts(pattern: str) -> None:
    opened = with_open_spaces(pattern)
    assert opened is not None
    texts = pd.Series(TEXTS, dtype="str")
    found = texts.str.fullmatch(opened.replace(r"\s", SPACES))
    assert found.tolist() == [re.fullmatch(explicit(pattern), text) is not None for text in TEXTS]


@pytest.mark.parametrize("pattern", OPENED)
def test_it_is_read_by_arrow_and_not_text_by_text(pattern: str) -> None:
    array = pd.Series(["a b", "ä"], dtype="str").array
    opened = with_open_spaces(pattern)
    assert opened is not None
    assert not array._needs_python_regex(opened.replace(r"\s", SPACES))  # type: ignore[attr-defined] # pandas's own


@pytest.mark.parametrize("pattern", LEFT)
def test_a_pattern_that_engines_may_read_otherwise_stays(pattern: str) -> None:
    assert with_open_spaces(pattern) is None
