"""Inflection and the words of names: which forms of a word are the same word. A spelling is never guessed."""

import re
import tomllib
from collections.abc import Hashable, Iterable
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, TypeVar

from pandas_magic.catalog.text.plurals import dictionary_forms

Words = tuple[str, ...]
_K = TypeVar("_K", bound=Hashable)
_V = TypeVar("_V")
_NO_PLURAL = re.compile(r"(ss|us|is)$")
_PARTS = re.compile(r"[^\W_]+")
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_KEY_NAME = re.compile(r"_(?:id|key|uuid|guid)$")
_PLURAL_OF_CAPITALS = re.compile(r"[A-Z]{2,}s")
# Short words are left as they are, but for these.
_SHORTEST_PLURAL = 4
_SHORT_PLURALS = {"ids": "id", "nos": "no", "ips": "ip", "nrs": "nr", "kgs": "kg", "men": "man", "pts": "pt"}
# What the dictionary calls a noun of its own, or lists first under another word.
_SINGULARS = {"people": "person", "persons": "person", "skus": "sku", "menus": "menu", "cpus": "cpu", "gpus": "gpu"}


@cache
def names_data() -> dict[str, Any]:
    """What people call the names in a schema, as names.toml lists it."""
    return tomllib.loads((Path(__file__).parent / "names.toml").read_text(encoding="utf-8"))


# Words of grammar are no part of a name alone, and of no event.
FUNCTION_WORDS = frozenset(names_data()["function"])


@cache
def relatives() -> dict[str, Words]:
    """The words that are near in meaning to each, as names.toml lists them."""
    found: dict[str, Words] = {}
    for line in names_data()["relatives"]:
        words = tuple(line.split())
        for word in words:
            found[word] = (*found.get(word, ()), *(other for other in words if other != word))
    return found


def grouped(pairs: Iterable[tuple[_K, _V]]) -> dict[_K, list[_V]]:
    """The second of each pair by the first, in their order."""
    found: dict[_K, list[_V]] = {}
    for key, value in pairs:
        found.setdefault(key, []).append(value)
    return found


@lru_cache(maxsize=16384)
def singular(word: str) -> str:
    """The word in the singular, in lower case and American spelling: "Shelves" gives "shelf", "status" stays."""
    low = word.lower()
    if low in _SHORT_PLURALS or low in _SINGULARS:
        return _SHORT_PLURALS.get(low) or _SINGULARS[low]
    return _american(low if len(low) < _SHORTEST_PLURAL or not low.isascii() else _noun(low))


def _noun(low: str) -> str:
    known = dictionary_forms(low)
    nouns = known.get("NOUN", ())
    if nouns:
        return low if not low.endswith("s") and low in nouns else nouns[0]
    if not low.endswith("s") or (_NO_PLURAL.search(low) and not known):
        return low
    if known:  # "vets" is known as a form of the verb alone
        return known.get("VERB", (low,))[0]
    return low[:-1]


def _american(low: str) -> str:
    spelling: str = names_data()["spellings"].get(low, low)
    return spelling


@lru_cache(maxsize=16384)
def word_forms(word: str) -> frozenset[str]:
    """The word and the base forms that it can be an inflection of: "ships" gives "ships" and "ship"."""
    low = word.lower()
    found = {low, singular(low)}
    for lemmas in dictionary_forms(low).values() if low.isalpha() else ():
        found.update(lemma.lower() for lemma in lemmas)
    return frozenset(found)


@lru_cache(maxsize=16384)
def base_verb(word: str) -> str:
    """The verb that the word is a form of, or the word in lower case: "exceeds" gives "exceed"."""
    low = word.lower()
    verbs = dictionary_forms(low).get("VERB", ()) if low.isalpha() else ()
    return verbs[0] if verbs else low


@lru_cache(maxsize=16384)
def is_verb(word: str) -> bool:
    """Whether the word can be a form of a verb."""
    return word.isalpha() and "VERB" in dictionary_forms(word.lower())


@lru_cache(maxsize=16384)
def is_english(word: str) -> bool:
    """Whether the dictionary of English knows the word."""
    return bool(dictionary_forms(word.lower()))


@lru_cache(maxsize=16384)
def name_words(name: str) -> Words:
    """The words of a name in the singular: "Ship_Dates", "shipDate" and "ship date" agree."""
    if _PLURAL_OF_CAPITALS.fullmatch(name):
        return (name[:-1].lower(),)
    return tuple(singular(word) for word in _PARTS.findall(_CAMEL.sub(" ", name)))


@lru_cache(maxsize=8192)
def name_parts(name: str) -> Words:
    """The words of a name as they stand, in lower case: the "kg" of "NetKg" and of "net_kg"; one without any has ""."""
    return tuple(_PARTS.findall(_CAMEL.sub(" ", name).lower())) or ("",)


def parted(name: str) -> str:
    """The words of a name as they stand, one underscore between them: "order_id" for "OrderId" and "Order ID"."""
    return "_".join(name_parts(name))


def is_key_name(name: str) -> bool:
    """Whether the name ends in a word for keys and nothing else, behind another: OrderId and order_uuid, not id."""
    return bool(_KEY_NAME.search(parted(name)))


def last_word(name: str) -> str:
    """The last word of a name, which says what a thing is; "" for a name of signs alone."""
    words = name_words(name)
    return words[-1] if words else ""


@lru_cache(maxsize=8192)
def verbs_of(noun: str) -> frozenset[str]:
    """The verbs that the noun can come from: "discharge" for discharge, "admit" for admission."""
    listed: dict[str, str] = names_data()["nouns"]
    if noun in listed:
        return frozenset((listed[noun],))
    for ending, others in _NOUN_ENDINGS:
        stem = noun.removesuffix(ending)
        if stem != noun and len(stem) >= _SHORTEST_STEM:
            return frozenset(stem + other for other in others)
    return frozenset()


@lru_cache(maxsize=8192)
def nouns_of(word: str) -> Words:
    """The nouns for what the verb does: "calibration" for calibrate, calibrated."""
    forms = word_forms(word)
    listed = [noun for noun, verb in names_data()["nouns"].items() if noun != word and verb in forms]
    made = [noun for base in sorted(forms - {word}) for noun in _made_from(base)]
    return tuple(dict.fromkeys((*listed, *(noun for noun in made if is_english(noun)))))


# A shorter stem says nothing: "station" does not come from "state".
_SHORTEST_STEM = 4
_NOUN_ENDINGS = (
    ("ification", ("ify",)),
    ("ication", ("y", "icate")),
    ("ation", ("ate", "e", "")),
    ("ion", ("e", "")),
    ("ment", ("",)),
    ("ance", ("", "e")),
    ("rral", ("r",)),
    ("al", ("", "e")),
)


def _made_from(base: str) -> Words:
    if base.endswith(("ify", "ply")):
        return (f"{base[:-1]}ication",)
    if base.endswith("ate"):
        return (f"{base[:-1]}ion",)
    stem = base.removesuffix("e")
    return (f"{base}ment", f"{stem}ation", f"{stem}ion", f"{base}ral", f"{stem}al", f"{stem}ance")


def gerunds(base: str) -> Words:
    """Borrow gives "borrowing", hire "hiring", ship "shipping"."""
    return (base.removesuffix("e") + "ing", base + base[-1:] + "ing")


def without_articles(words: Words) -> Words:
    """The words without "the" behind "of": "the day of the test" names test_date."""
    if "of" not in words:
        return words
    before = ("", *words)
    return tuple(word for last, word in zip(before, words, strict=False) if (last, word) != ("of", "the"))


def doers(verb: str) -> tuple[str, ...]:
    """Who does it: the buyer buys, the operator operates."""
    stem = verb.removesuffix("e")
    return (f"{stem}er", f"{stem}or") if len(verb) > 2 else ()
