"""The singular of a word, from a dictionary of English."""

import gzip
from bisect import bisect_left
from functools import cache
from pathlib import Path
from types import ModuleType

import numpy as np


def singular(word: str) -> str:
    """The noun in the singular, in lower case: "countries" gives country, "statuses" and "status" give status."""
    with np.errstate(under="ignore"):  # the guess at an unknown word; a notebook may have underflow raised
        found: tuple[str, ...] = _dictionary().getLemma(word.lower(), "NOUN")
    return found[0] if found else word.lower()


def dictionary_forms(word: str) -> dict[str, tuple[str, ...]]:
    """What the word can be an inflection of, by part of speech: {"NOUN": ("shelf",), "VERB": ("shelve",)}.

    Empty for a word that the dictionary does not know.
    """
    found: dict[str, tuple[str, ...]] = _dictionary().getAllLemmas(word.lower())
    return found


class LemmaFile:
    """The words of lemminflect's file, each looked up when it is asked for.

    The library makes a dictionary of all 80,000 first, which takes longer than a whole rule does. Its lines are
    "shelves,noun,shelf", in the order of the words.
    """

    def __init__(self, path: str) -> None:
        self._lines = gzip.decompress(Path(path).read_bytes()).decode().splitlines()

    def get(self, word: str, otherwise: dict[str, tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
        """The word's lemmas by part of speech, as the library's dictionary has them."""
        from lemminflect.core.LexicalUtils import categoryToUPos

        found: dict[str, tuple[str, ...]] = {}
        at = bisect_left(self._lines, word, key=_word)
        while at < len(self._lines) and _word(self._lines[at]) == word:
            _, category, lemmas = self._lines[at].split(",")
            found[categoryToUPos(category)] = tuple(lemmas.split("/"))
            at += 1
        return found or otherwise


def _word(line: str) -> str:
    return line.partition(",")[0]


@cache
def _dictionary() -> ModuleType:
    import lemminflect

    lemminflect.Lemmatizer().lemma_dict = LemmaFile(lemminflect.config.lemma_lu_fn)
    known: ModuleType = lemminflect
    return known
