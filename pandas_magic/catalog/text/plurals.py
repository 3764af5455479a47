"""The singular of a word, from a dictionary of English."""


def singular(word: str) -> str:
    """The noun in the singular, in lower case: "countries" gives country, "statuses" and "status" give status."""
    from lemminflect import getLemma

    found: tuple[str, ...] = getLemma(word.lower(), "NOUN")
    return found[0] if found else word.lower()


def dictionary_forms(word: str) -> dict[str, tuple[str, ...]]:
    """What the word can be an inflection of, by part of speech: {"NOUN": ("shelf",), "VERB": ("shelve",)}.

    Empty for a word that the dictionary does not know.
    """
    from lemminflect import getAllLemmas

    found: dict[str, tuple[str, ...]] = getAllLemmas(word.lower())
    return found
