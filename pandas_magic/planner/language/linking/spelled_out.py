"""Names spelled out in English words: abbreviations, and words of other languages, alone or grown together."""

import tomllib
import unicodedata
from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from itertools import chain, islice, product
from pathlib import Path

from pandas_magic.planner.language.linking.words import Words, is_english, name_words, names_data

# Of a name with several doubtful words not every combination is tried.
_MOST_FORMS = 8
_LINKING_LETTERS = ("", "s", "n", "en", "es", "er", "e")
_SHORTEST_PART, _SHORTEST_STEM = 2, 3
_LANGUAGES = 3
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
    foreign = _translated(_folded(word))
    return tuple(
        dict.fromkeys((*foreign, *found) if foreign and not short and not is_english(word) else (*found, *foreign))
    )


def in_english(words: Words) -> Iterator[Words]:
    """Foreign words of a text that occurs, in English: "bezahlt" is "paid". None for words that are English as well."""
    if not any(map(is_english, words)):
        for parts in islice(product(*(_translated(_folded(word)) for word in words)), _MOST_FORMS):
            yield tuple(word for part in parts for word in part)


def abroad(word: str) -> Words:
    """The words of other languages for an English one: "abfahrt", "salida" and "vertrek" for "departure"."""
    return _from_english().get(word, ())


def is_doubtful(words: Words) -> bool:
    """Some word is German as well as English: a note may be a grade, and a station a ward."""
    return any(word in _growing() and is_english(word) for word in words)


def _folded(word: str) -> str:
    """The word without its accents: "pagado" for "pagadó"."""
    plain = unicodedata.normalize("NFKD", word.translate(_FOLDED))
    return "".join(letter for letter in plain if not unicodedata.combining(letter))


def _translated(word: str) -> tuple[Words, ...]:
    # Of "prijs" the English plural has been taken off.
    known = _known(word) or _known(_without_plural(word)) or _known(f"{word}s")
    if known:
        return tuple(name_words(english) for english in known)
    return tuple(islice(chain(_parted(word), _parted(f"{word}s")), 2))


def _known(word: str) -> tuple[str, ...]:
    return (*_growing().get(word, ()), *_standing_alone().get(word, ()))


def _without_plural(word: str) -> str:
    """The longest word of the dictionary of which the word is a plural: "fahrt" for "fahrten"; "" for none."""
    stems = (word.removesuffix(ending) for ending in ("n", "s", "e", "en", "er") if word.endswith(ending))
    return next((stem for stem in stems if len(stem) > _SHORTEST_STEM and _known(stem)), "")


def _parted(word: str) -> Iterator[Words]:
    """The parts of a word grown together, the longest first part first: "rechnungsdatum", "lieferantennr"."""
    for end in range(len(word) - _SHORTEST_PART, _SHORTEST_PART, -1):
        head = _growing().get(_without_link(word[:end]) or "")
        if head is None:
            continue
        for rest in _translated(word[end:]):
            yield (*name_words(head[0]), *rest)


def _without_link(part: str) -> str | None:
    for letters in _LINKING_LETTERS:
        stem = part.removesuffix(letters)
        if part.endswith(letters) and stem in _growing():
            return stem
    return None


@cache
def _from_english() -> dict[str, Words]:
    found: dict[str, Words] = {}
    for words in (_growing(), _standing_alone()):
        for foreign, english in words.items():
            for word in english:
                found[word] = (*found.get(word, ()), foreign)
    return found


@cache
def _growing() -> dict[str, list[str]]:
    """What each German and Dutch word means, the most common first: words that grow together."""
    german, dutch, _ = _columns()
    return _inverted(german, _abroad()["rarer"], dutch)


@cache
def _standing_alone() -> dict[str, list[str]]:
    """What each word of the Romance languages means."""
    return _inverted(_columns()[-1])


@cache
def _columns() -> tuple[dict[str, str], ...]:
    """The German, the Dutch and the Romance words by their English one."""
    rows = {english: [*words.split("|"), "", ""] for english, words in _abroad()["words"].items()}
    return tuple({english: row[at] for english, row in rows.items()} for at in range(_LANGUAGES))


@cache
def _abroad() -> dict[str, dict[str, str]]:
    return tomllib.loads((Path(__file__).parent / "abroad.toml").read_text(encoding="utf-8"))


def _inverted(*sections: Mapping[str, str]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for section in sections:
        for english, words in section.items():
            for word in words.split():
                found.setdefault(word, []).append(english)
    return found
