"""The singular of a word, from a dictionary of English."""

from pandas_magic.garbage import garbage_left_alone


def singular(word: str) -> str:
    """The noun in the singular, in lower case: "countries" gives country, "statuses" and "status" give status."""
    from lemminflect import getLemma

    with garbage_left_alone():  # the first word has the whole dictionary read
        found: tuple[str, ...] = getLemma(word.lower(), "NOUN")
    return found[0] if found else word.lower()


def dictionary_forms(word: str) -> dict[str, tuple[str, ...]]:
    """What the word can be an inflection of, by part of speech: {"NOUN": ("shelf",), "VERB": ("shelve",)}.

    Empty for a word that the dictionary does not know.
    """
    from lemminflect import getAllLemmas

    with garbage_left_alone():  # as above
        found: dict[str, tuple[str, ...]] = getAllLemmas(word.lower())
    return found
