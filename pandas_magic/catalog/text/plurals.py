"""The singular of a word, from a dictionary of English."""


def singular(word: str) -> str:
    """The noun in the singular, in lower case: "countries" gives country, "statuses" and "status" give status."""
    from lemminflect import getLemma

    found: tuple[str, ...] = getLemma(word.lower(), "NOUN")
    return found[0] if found else word.lower()
