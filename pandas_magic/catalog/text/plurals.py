"""The singular of a word, from a dictionary of English."""

from functools import cache
from types import ModuleType

from pandas_magic.catalog.text.garbage import garbage_left_alone


def singular(word: str) -> str:
    """The noun in the singular, in lower case: "countries" gives country, "statuses" and "status" give status."""
    found: tuple[str, ...] = _dictionary().getLemma(word.lower(), "NOUN")
    return found[0] if found else word.lower()


def dictionary_forms(word: str) -> dict[str, tuple[str, ...]]:
    """What the word can be an inflection of, by part of speech: {"NOUN": ("shelf",), "VERB": ("shelve",)}.

    Empty for a word that the dictionary does not know.
    """
    found: dict[str, tuple[str, ...]] = _dictionary().getAllLemmas(word.lower())
    return found


@cache
def _dictionary() -> ModuleType:
    import lemminflect

    known: ModuleType = lemminflect
    with garbage_left_alone():
        known.getAllLemmas("word")  # the first word has the whole dictionary read
    return known
