"""Words are looked up in the library's file as its own dictionary has them."""

import lemminflect
import numpy as np
from lemminflect.codecs.LemmaLUCodec import LemmaLUCodec

from pandas_magic.catalog.text.plurals import LemmaFile, singular


def test_every_tenth_word_of_the_file_has_the_lemmas_of_the_library() -> None:
    path = lemminflect.config.lemma_lu_fn
    known, own = LemmaLUCodec.load(path), LemmaFile(path)
    assert len(known) > 60_000
    words = list(known)[::10]
    assert {word: own.get(word, {}) for word in words} == {word: known[word] for word in words}


def test_a_word_that_the_file_lacks_has_what_is_given_for_it() -> None:
    own = LemmaFile(lemminflect.config.lemma_lu_fn)
    assert [own.get(word, {}) for word in ("", "zzz", "shelve,", "~", "überhaupt")] == [{}] * 5


def test_an_unknown_word_is_looked_up_where_numpy_raises_what_is_too_small() -> None:
    with np.errstate(all="raise"):
        assert singular("blorgs") == "blorg"
