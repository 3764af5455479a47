"""Names spelled out in English words: abbreviations, and words of other languages, alone or grown together."""

import re
import unicodedata
from collections.abc import Callable, Iterator
from functools import cache, lru_cache
from itertools import chain, islice, product
from pathlib import Path

from pandas_magic.planner.language.linking.words import Words, grouped, is_english, name_words, names_data

# Of a name with several doubtful words not every combination is tried.
_MOST_FORMS = 8
_LINKING_LETTERS = ("", "s", "n", "en", "es", "er", "e")
_PLURALS = ("n", "s", "e", "en", "er", "ar", "r")
_SHORTEST_PART, _SHORTEST_STEM = 2, 3
_MOST_IN_FULL, _BOTH = 2, 3
_ENDINGS = frozenset(("id", "no", "cd", "dt", "ts", "nm", "key", "ref", "fl"))
_PERCENT = frozenset(("pct", "perc", "percent", "proz", "prozent", "prz"))
_AMOUNTS = frozenset(("ppm", "ppb", "mg", "ug", "g", "kg", "l", "ml", "mmol"))
# The languages in the order of the bars of abroad.txt: of the first three words grow together. Behind them are the
# short forms of german.txt, which only names have; its words that are English too (~) count as of another language.
_LANGUAGES, _GERMAN, _GROWING, _OF_NAMES = range(5), range(1), range(3), range(6)
_AS_ABROAD = 1
_RARER = re.compile(r"\?(\S+)")
_FOLDED = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss", "å": "aa", "ø": "oe", "æ": "ae", "ł": "l"})
_MARKS_OFF = str.maketrans({"å": "a", "ä": "a", "ö": "o", "ø": "o", "æ": "ae"})


def spelled_out(words: Words) -> Iterator[Words]:
    """The words of a name, then the same spelled out: ("kunden", "nr") gives ("customer", "number")."""
    yield words
    yield from _of_element(words)
    beside = any(map(_is_only_foreign, words))
    choices = [_readings(word, beside) for word in words]
    for parts in islice(product(*choices), _MOST_FORMS):
        full = tuple(word for part in parts for word in part)
        if full != words:
            yield full


def _of_element(words: Words) -> Iterator[Words]:
    """How much of an element there is: "carbon pct" for C_PROZ, "lead mg kg" for PB_MG_KG."""
    element = _elements().get(words[0]) if words else None
    if element and len(words) > 1 and _PERCENT.union(_AMOUNTS).issuperset(words[1:]):
        yield (element, *("pct" if word in _PERCENT else word for word in words[1:]))


@cache
def _elements() -> dict[str, str]:
    return dict(pair.split() for pair in names_data()["elements"])


@lru_cache(maxsize=16384)
def _readings(word: str, beside: bool) -> tuple[Words, ...]:
    """What the word says; one that is English too may be foreign `beside` one that is not, or be German."""
    short = short_forms().get(word, ())
    found = [name_words(full) for full in short] or [(word,)]
    english = is_english(word)
    foreign = _in_words(_german(word)) if english and not beside else _translated(_folded(word), _in_name)
    read = (*foreign, *found) if foreign and not short and not english else (*found, *foreign)
    return tuple(dict.fromkeys((*read, *_unglued(word))))


@lru_cache(maxsize=16384)
def _unglued(word: str) -> tuple[Words, ...]:
    """The pieces of a name that old systems write in one, as they stand and in full: "regdt" is "reg dt".

    None of a word, of a short form, and of a foreign word.
    """
    if not word.isascii() or len(word) <= _SHORTEST_STEM or word in short_forms() or is_english(word):
        return ()
    best, end = max((_rate(word[:end], word[end:]), end) for end in range(1, len(word) - 1))
    if best < _BOTH and _translated(_folded(word), _known):
        return ()
    pieces = (word[:end], word[end:])[end == 1 :]
    in_full = product(*(_readings(piece, False) for piece in pieces))
    full = (tuple(word for part in parts for word in part) for parts in in_full)
    return tuple(dict.fromkeys((pieces, *islice(full, _MOST_IN_FULL)))) if best else ()


def _rate(head: str, tail: str) -> int:
    """How well the two would be the halves of a name: by how many are short forms, units or words."""
    short = short_forms()
    if len(head) == 1:  # that of the table, before each of its columns
        return len(tail) >= _SHORTEST_STEM and tail in short
    begins = head in short or (len(head) >= _SHORTEST_STEM and is_english(head))
    ends = tail in short or tail in _ENDINGS or (len(tail) > 1 and tail in names_data()["units"])
    is_word = begins and len(tail) > _SHORTEST_STEM and is_english(tail)
    return 2 * (ends or is_word) + begins


@lru_cache(maxsize=16384)
def _is_only_foreign(word: str) -> bool:
    if len(word) <= _SHORTEST_STEM or word in short_forms() or is_english(word):
        return False
    return bool(_known(folded := _folded(word)) or _known(_without_plural(folded, _known)))


def in_english(words: Words) -> Iterator[Words]:
    """Foreign words of a text that occurs, in English: "bezahlt" is "paid". None for words that are English as well."""
    if not any(map(is_english, words)):
        for parts in islice(product(*(_translated(_folded(word), _known) for word in words)), _MOST_FORMS):
            yield tuple(word for part in parts for word in part)


@lru_cache(maxsize=8192)
def abroad(word: str) -> Words:
    """The words of other languages for an English one: "abfahrt", "salida" and "vertrek" for "departure"."""
    found = dict.fromkeys(other.lstrip("?") for cell in _rows().get(word, ()) for other in cell.split())
    return tuple(other for other in found if _german(other) or not is_english(other))


def is_doubtful(words: Words) -> bool:
    """Some word is German as well as English: a note may be a grade, a station a ward; or it is two words in one."""
    return any((_german(word) and is_english(word)) or _unglued(word) for word in words)


def _folded(word: str) -> str:
    """The word without its accents: "pagado" for "pagadó", "groesse" for "größe"."""
    if word.isascii():
        return word
    plain = unicodedata.normalize("NFKD", word.translate(_FOLDED))
    return "".join(letter for letter in plain if not unicodedata.combining(letter))


def _translated(word: str, known: Callable[[str], Words]) -> tuple[Words, ...]:
    """What the word means, whole or grown together, by what is `known`: every language, or those that grow."""
    # Of "prijs" the English plural has been taken off.
    full = f"{word}s" if len(word) > _SHORTEST_STEM else word
    found = known(word) or known(_without_plural(word, known)) or known(full)
    return _in_words(found) or tuple(islice(chain(_parted(word), _parted(full)), 2))


def _in_words(known: Words) -> tuple[Words, ...]:
    return tuple(name_words(english) for english in known)


def _german(word: str) -> Words:
    return _meant(word, _GERMAN)


def _part(word: str) -> Words:
    return _meant(word, _GROWING)


def _known(word: str) -> Words:
    return _meant(word, _LANGUAGES)


def _in_name(word: str) -> Words:
    return _meant(word, _OF_NAMES)


def _meant(word: str, languages: range) -> Words:
    common, rarer = _meanings(), _rarer()
    meant = ((*common[at].get(word, ()), *rarer[at].get(word, ())) for at in languages)
    return tuple(dict.fromkeys(chain.from_iterable(meant)))


def _without_plural(word: str, known: Callable[[str], Words]) -> str:
    """The longest word that is known of which the word is a plural: "fahrt" for "fahrten"; "" for none."""
    stems = (word.removesuffix(ending) for ending in _PLURALS if word.endswith(ending))
    return next((stem for stem in stems if len(stem) > _SHORTEST_STEM and known(stem)), "")


def _parted(word: str) -> Iterator[Words]:
    """The parts of a word grown together, the longest first part first: "rechnungsdatum", "lieferantennr"."""
    for end in range(len(word) - _SHORTEST_PART, _SHORTEST_PART, -1):
        head = _heads().get(_without_link(word[:end]) or "", ())
        for rest in _translated(word[end:], _part) if head else ():
            yield (*name_words(head[0]), *rest)


def _without_link(part: str) -> str | None:
    for letters in _LINKING_LETTERS:
        stem = part.removesuffix(letters)
        if part.endswith(letters) and stem in _heads():
            return stem
    return None


@cache
def _heads() -> dict[str, Words]:
    """What a word commonly means with which a word grown together may begin, of the first language that has it."""
    return {word: english for words in _meanings()[_GROWING.stop - 1 :: -1] for word, english in words.items()}


@cache
def _meanings() -> tuple[dict[str, Words], ...]:
    """What each word of each language commonly means."""
    found: tuple[dict[str, Words], ...] = tuple({} for _ in _OF_NAMES)
    for english, cells in _rows().items():
        meant = (english,)
        for words, cell in zip(found, cells, strict=True):
            words.update(dict.fromkeys(cell.split(), meant))
    return found


@cache
def _rarer() -> tuple[dict[str, Words], ...]:
    """What the words of each language mean more rarely."""
    found: tuple[dict[str, Words], ...] = tuple({} for _ in _OF_NAMES)
    for english, cells in _rows().items():
        for words, cell in zip(found, cells, strict=True):
            for word in _RARER.findall(cell) if "?" in cell else ():
                words[word] = (*words.get(word, ()), english)
    return found


@cache
def _rows() -> dict[str, list[str]]:
    """The words of each language by the English one, as abroad.txt and german.txt list them, spelled as in names."""
    lines = (line.split(" |") for line in _lines("abroad.txt"))
    rows = {english: [*map(_spellings, cells), ""] for english, *cells in lines}
    for english, words in _listed("german.txt"):
        cells = rows.setdefault(english, [""] * len(_OF_NAMES))
        for word in words:
            german = _GERMAN.start if len(word.lstrip("?")) > _SHORTEST_STEM else _OF_NAMES.stop - 1
            cells[_AS_ABROAD if word[0] == "~" else german] += f" {word.lstrip('~')}"
    return rows


@cache
def short_forms() -> dict[str, Words]:
    """What the short forms of English words in names stand for, the commonest first, as short_forms.txt lists them."""
    listed = [(form, english) for english, forms in _listed("short_forms.txt") for form in forms]
    listed.sort(key=lambda one: one[0].startswith("?"))
    return {form: (*words,) for form, words in grouped((form.lstrip("?"), english) for form, english in listed).items()}


def _listed(file: str) -> Iterator[tuple[str, list[str]]]:
    """The entries of a file like "melt: schmelze; casting: guss gussteil;"."""
    for entry in chain.from_iterable(line.rstrip(";").split("; ") for line in _lines(file)):
        english, words = entry.split(": ")
        yield english, words.split()


def _lines(file: str) -> list[str]:
    text = (Path(__file__).parent / file).read_text(encoding="utf-8")
    return [line for line in text.splitlines() if line[0] != "#"]


def _spellings(words: str) -> str:
    """The words without their marks, in both ways: "ägare" as "agare" and "aegare"."""
    return words if words.isascii() else f"{words.translate(_MARKS_OFF)} {words.translate(_FOLDED)}"
