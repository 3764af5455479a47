"""The frozen sentences as they are read today: none otherwise than listed, and no fewer at once than measured.

By default every thirty-second sentence; `--thorough` reads them all.
"""

import tomllib
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from pandas_magic.errors import RuleNotUnderstood
from pandas_magic.planner.language import compile_rule
from pandas_magic.planner.language.canonical import read_canonical
from pandas_magic.planner.language.strict.sameness import sense
from tests.pandas_magic.planner.language.frozen.sentences import FrozenSentence, sentences, sources, tables_of

OTHERWISE = tomllib.loads((Path(__file__).parent / "read_otherwise.toml").read_text(encoding="utf-8"))
JUDGED = [*OTHERWISE["sentence"], *OTHERWISE["doubtful"]]
EVERY = 32
# Of the sentences that were understood, so many in a hundred are read at once; measured over all of them.
AT_ONCE = 68


@cache
def read(sentence: FrozenSentence) -> str | None:
    """The canonical words for the sentence; None where it is asked about or refused."""
    try:
        tables = tables_of(sentence.world)
        return compile_rule(sentence.text, tables, target=sentence.target, locale=sentence.locale).echo
    except RuleNotUnderstood:
        return None


def chosen(config: pytest.Config) -> list[FrozenSentence]:
    found = [sentence for source in sources() for sentence in sentences(source)]
    return found if config.getoption("--thorough") else found[::EVERY]


def means_the_same(now: str, before: str) -> bool:
    one, other = read_canonical(now), read_canonical(before)
    return one is not None and other is not None and sense(one) == sense(other)


def test_no_sentence_is_read_otherwise_than_it_was_frozen_but_those_judged(pytestconfig: pytest.Config) -> None:
    judged = {(one["text"], one["now"]) for one in JUDGED}
    otherwise = [
        (sentence.text, now)
        for sentence in chosen(pytestconfig)
        if (now := read(sentence)) is not None and (sentence.echo is None or not means_the_same(now, sentence.echo))
    ]
    assert [one for one in otherwise if one not in judged] == []


def test_as_many_sentences_are_read_at_once_as_were_measured(pytestconfig: pytest.Config) -> None:
    understood = [sentence for sentence in chosen(pytestconfig) if sentence.echo is not None]
    found = Counter(read(sentence) is not None for sentence in understood)
    assert 100 * found[True] >= (AT_ONCE - 2) * len(understood), found
