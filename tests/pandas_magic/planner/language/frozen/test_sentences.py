"""The frozen sentences are whole: each has its tables, and each canonical sentence is one that is read back."""

import pytest

from pandas_magic.constraints import check_types, describe
from pandas_magic.planner.language.canonical import read_canonical
from tests.pandas_magic.planner.language.frozen.sentences import sentences, sources, tables_of


@pytest.mark.parametrize("source", sources())
def test_each_canonical_sentence_is_read_back_on_its_tables(source: str) -> None:
    for sentence in sentences(source):
        tables = tables_of(sentence.world)
        assert sentence.target is None or sentence.target in tables
        if sentence.echo is not None:
            constraint = read_canonical(sentence.echo)
            assert constraint is not None, sentence.echo
            assert (describe(constraint), check_types(constraint, tables)) == (sentence.echo, ())


def test_as_many_sentences_are_frozen_as_were_measured() -> None:
    found = [sentence for source in sources() for sentence in sentences(source)]
    assert (len(found), sum(sentence.echo is not None for sentence in found)) == (6846 + 185, 4884 + 185)
