"""Names spelled out in English words: abbreviations, and German words alone or grown together."""

from collections.abc import Iterator
from functools import cache, lru_cache
from itertools import islice, product

from pandas_magic.planner.language.linking.words import Words, is_english, name_words, names_data

# Of a name with several doubtful words not every combination is tried.
_MOST_FORMS = 8
_LINKING_LETTERS = ("", "s", "n", "en", "es", "er", "e")
_SHORTEST_PART, _SHORTEST_STEM = 2, 3
_FOLDED = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss"})


def spelled_out(words: Words) -> Iterator[Words]:
    """The words of a name, then the same spelled out: ("kunden", "nr") gives ("customer", "number")."""
    yield words
    choices = [_readings(word) for word in words]
    for parts in islice(product(*choices), _MOST_FORMS):
        full = tuple(word for part in parts for word in part)
        if full != words:
            yield full


@lru_cache(maxsize=16384)
def _readings(word: str) -> tuple[Words, ...]:
    short = names_data()["abbreviations"].get(word, ())
    found = [name_words(full) for full in short] or [(word,)]
    folded = word.translate(_FOLDED)
    german = _german(folded)
    return tuple(
        dict.fromkeys((*german, *found) if german and not short and not is_english(word) else (*found, *german))
    )


def in_english(words: Words) -> Iterator[Words]:
    """German words of a text that occurs, in English: "bezahlt" is "paid". None for words that are English as well."""
    folded = [word.translate(_FOLDED) for word in words]
    if not any(map(is_english, words)):
        for parts in islice(product(*map(_german, folded)), _MOST_FORMS):
            yield tuple(word for part in parts for word in part)


def in_german(word: str) -> Words:
    """The German words for an English one: "abfahrt" for "departure"."""
    return _from_english().get(word, ())


def is_doubtful(words: Words) -> bool:
    """Some word is German as well as English: a note may be a grade, and a station a ward."""
    return any(word in _dictionary() and is_english(word) for word in words)


def _german(word: str) -> tuple[Words, ...]:
    known = _dictionary().get(word) or _dictionary().get(_without_plural(word))
    if known is not None:
        return tuple(name_words(english) for english in known)
    return tuple(islice(_parted(word), 2))


def _without_plural(word: str) -> str:
    """The longest word of the dictionary of which the word is a plural: "fahrt" for "fahrten"; "" for none."""
    stems = (word.removesuffix(ending) for ending in ("n", "s", "e", "en", "er") if word.endswith(ending))
    return next((stem for stem in stems if len(stem) > _SHORTEST_STEM and stem in _dictionary()), "")


def _parted(word: str) -> Iterator[Words]:
    """The parts of a word grown together, the longest first part first: "rechnungsdatum", "lieferantennr"."""
    for end in range(len(word) - _SHORTEST_PART, _SHORTEST_PART, -1):
        head = _dictionary().get(_without_link(word[:end]) or "")
        if head is None:
            continue
        for rest in _german(word[end:]):
            yield (*name_words(head[0]), *rest)


def _without_link(part: str) -> str | None:
    for letters in _LINKING_LETTERS:
        stem = part.removesuffix(letters)
        if part.endswith(letters) and stem in _dictionary():
            return stem
    return None


@cache
def _from_english() -> dict[str, Words]:
    found: dict[str, Words] = {}
    for german, english in _dictionary().items():
        for word in english:
            found[word] = (*found.get(word, ()), german)
    return found


@cache
def _dictionary() -> dict[str, list[str]]:
    """What each German word means, the most common first."""
    found: dict[str, list[str]] = {}
    for section in ("german", "german_rarer"):
        for english, words in names_data()[section].items():
            for word in words.split():
                found.setdefault(word, []).append(english)
    return found
