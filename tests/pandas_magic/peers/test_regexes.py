"""Patterns of peers state what our whole-text conditions do, or are refused."""

import pytest

from pandas_magic.constraints import Column
from pandas_magic.constraints.algebra.words import condition_words
from pandas_magic.peers.regexes import like_condition, whole_text
from pandas_magic.peers.transfers import CannotRead

TEXT = Column(name="c")


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
