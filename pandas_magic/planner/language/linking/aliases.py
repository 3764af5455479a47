"""How a column can be called: without its unit, spelled out, by what happens at its date, with its parts put otherwise.

Names are matched exactly up to case, plural and the way words are joined; a spelling is never guessed.
"""

import re
from collections.abc import Iterable, Iterator
from functools import cache, lru_cache

from pandas_magic.planner.language.linking.spelled_out import is_doubtful, spelled_out
from pandas_magic.planner.language.linking.words import (
    Words,
    gerunds,
    name_words,
    names_data,
    nouns_of,
    verbs_of,
    word_forms,
)

KEY_ENDINGS = ("id", "code", "no", "nr", "number", "key", "uuid", "guid", "ref", "num")
_BIRTHS = frozenset(("birth", "dob", "born", "birthday", "birthdate", "built", "founded", "manufactured"))
PARTICLES = ("in", "out", "up", "off", "down", "back", "over", "away")
DATE_PARTS = ("year", "quarter", "month", "week", "weekday", "day", "hour", "minute")
DATE_ENDINGS = ("date", "at", "on", "time", "timestamp", "ts", "dt", "datetime", "day")
_RELATIVE = frozenset(("per", "to", "since", "until", "before", "after", "from", "without"))
_HEADS = ("quantity", "count", "number", "amount", "price", "cost", "weight", "length", "value", "rate", "date")
_LIMITS = ((("low", "lower", "minimum"), ("lower", "minimum")), (("high", "upper", "maximum"), ("upper", "maximum")))
# Who is told by his address: "the assignee" for assignee_email.
_ADDRESSES, _AGENTS = ("email", "mail", "login"), ("er", "or", "ee", "ist", "ian", "ant", "ent")
_MUCH = ("qty", "quantity", "amount")
PERIODS = {"daily": "day", "weekly": "week", "monthly": "month", "yearly": "year", "annual": "year"}
PERIODS |= {"hourly": "hour", "nightly": "night"}
# The lower the tier, the more literally the words name the column; only the lowest tier that fits counts.
EXACT, SYNONYM, PART = 0, 1, 2


@lru_cache(maxsize=8192)
def column_aliases(table: str, column: str) -> tuple[tuple[Words, int], ...]:
    """How a column can be called, each with its tier: "weight_kg" is also "weight", "created_at" "creation date"."""
    words = name_words(column)
    noun = name_words(table)
    found: dict[Words, int] = {}
    for form in spelled_out(words):
        near = PART if form != words and is_doubtful(words) else SYNONYM
        found.setdefault(form, EXACT if form == words else near)
        for other in _renamed(form):
            found.setdefault(other, near)
        for said, tier in _without_unit(form):
            found.setdefault(said, tier)
        for said in _by_date(form, noun):
            found.setdefault(said, PART)
        for said, tier in (*_said_otherwise(form), *_of_participle(form), *_of_period(form), *_with_particle(form)):
            found.setdefault(said, tier)
        for said in _endings(form, noun):
            found.setdefault(said, PART)
        if form[-1:] == ("id",) and form[:-1] in (noun, noun[-1:]):  # "order number" for the order_id of orders
            found.setdefault((*form[:-1], "number"), PART)
        if len(form) > 1 and form[:-1] not in (noun, noun[-1:]) and form[-1] in (*KEY_ENDINGS, "name", *_MUCH):
            found.setdefault(form[:-1], PART)
        if len(form) > 1 and form[-1] in _ADDRESSES and form[-2].endswith(_AGENTS):
            found.setdefault(form[:-1], PART)
    return tuple(found.items())


def aliases_of_terms(table: str, terms: Iterable[str]) -> Iterator[tuple[Words, int]]:
    """How a column can be called by what the glossary calls it, which is put otherwise as its name is."""
    for words, tier in (alias for term in terms for alias in column_aliases(table, term)):
        if tier < PART or len(words) > 1:  # of "weight before" nobody says "before"
            yield words, max(tier, SYNONYM)


@cache
def unit_words() -> frozenset[str]:
    """The endings of column names that only say in what a quantity is measured."""
    return frozenset(names_data()["units"])


def _endings(form: Words, noun: Words) -> Iterator[Words]:
    """The last words of a name, but not the letter of a unit alone, nor what a price or a distance is relative to."""
    for start in range(1, len(form)):
        if form[start - 1] in _RELATIVE:
            continue  # a price_per_litre is not a number of litres
        if form[start:] == ("id",) and form[:start] not in (noun, noun[-1:]):
            continue  # "the id of a permit" is no car_park_id
        if len(form[-1]) > 1 or start < len(form) - 1 or form[-1] not in unit_words():
            yield form[start:]


def _without_unit(form: Words) -> Iterator[tuple[Words, int]]:
    """What is measured: "weight" for weight_kg, "bill" for total_bill_eur, "vibration" for vibration_mm_s."""
    if len(form) < 2 or form[-1] not in unit_words():
        return
    yield form[:-1], SYNONYM
    for counted in nouns_of(form[-2]):  # "consumption" for consumed_kwh
        yield (*form[:-2], counted), SYNONYM
    for quantity in names_data()["quantities"].get(form[-1], ()):
        yield (*form[:-1], quantity), SYNONYM
    if len(form) > 2 and form[-2] in unit_words():
        yield form[:-2], SYNONYM
    for start in range(1, len(form) - 1):
        yield form[start:-1], PART


def _by_date(form: Words, noun: Words) -> Iterator[Words]:
    """A date by what happens at it: "delivery" and "delivery time" for delivered_at, "exam" for exam_date."""
    stem = form[:-1]
    if len(form) < 2 or form[-1] not in DATE_ENDINGS:
        return
    if stem not in (noun, noun[-1:]):
        yield stem
    if len(stem) == 1:
        for base in word_forms(stem[0]) - {stem[0]} if stem[0].endswith(("ed", "t", "n")) else ():
            yield (base,)
        for said in nouns_of(stem[0]):
            yield from ((said, *ending) for ending in ((), ("time",), ("timestamp",), ("day",)))
        for base in word_forms(stem[0]) - {stem[0]} if stem[0].endswith("ed") else ():
            yield from ((said,) for said in gerunds(base))  # "the commissioning"


def _renamed(words: Words) -> Iterator[Words]:
    for name, others in names_data()["synonyms"].items():
        if words[-len(name.split()) :] == tuple(name.split()):
            for other in others:
                yield words[: len(words) - len(name.split())] + tuple(other.split())
    if len(words) == 2 and words[0].endswith("ed") and words[1] in ("year", "month"):
        for base in word_forms(words[0]) - {words[0]}:
            yield from ((gerund, words[1]) for gerund in gerunds(base))
    if len(words) > 1 and words[-1] in DATE_ENDINGS:
        stem = words[:-1]
        for ending in ("date", "time", "day", "timestamp"):
            yield (*stem, ending)
        yield (words[-1], "of", *stem)
        yield from ((said, "of", *stem) for said in ("date", "day"))
        yield from _named_dates(stem[0]) if len(stem) == 1 else _phrasal_dates(stem)
        for said in nouns_of(stem[-1]) if len(stem) > 1 else ():
            yield (*stem[:-1], said)
            yield (*stem[:-1], said, "date")


def _phrasal_dates(stem: Words) -> Iterator[Words]:
    """Like "the move-out date" for moved_out_on."""
    if len(stem) == 2 and stem[1] in PARTICLES:
        for base in word_forms(stem[0]) - {stem[0]}:
            yield from ((said, stem[1], "date") for said in (base, *gerunds(base)))


def _named_dates(stem: str) -> Iterator[Words]:
    """Like "the discharge date" for discharged_at."""
    for base in word_forms(stem) - {stem}:
        for said in (base, *gerunds(base)):
            yield (said, "date")
            yield ("date", "of", said)
    for noun in nouns_of(stem):
        yield (noun, "date")
        yield ("date", "of", noun)


def _of_participle(form: Words) -> Iterator[tuple[Words, int]]:
    """A date named by what happened alone: "registration" and "registration date" for registered."""
    if len(form) == 1 and (form[0].endswith("ed") or form[0] in ("left", "born", "sent", "sold", "paid", "built")):
        for noun in nouns_of(form[0]):
            yield (noun,), PART
            yield (noun, "date"), SYNONYM
            yield ("date", "of", noun), SYNONYM
        for base in word_forms(form[0]) - {form[0]}:
            yield (base, "date"), SYNONYM
        yield (form[0], "date"), SYNONYM


def _said_otherwise(form: Words) -> Iterator[tuple[Words, int]]:
    """Like "cancellation reason" for cancel_reason, "planned fuel" for fuel_planned_kg."""
    for place, word in enumerate(form if len(form) > 1 else ()):
        for noun, verb in names_data()["nouns"].items():
            if verb == word and noun != word:
                yield (*form[:place], noun, *form[place + 1 :]), SYNONYM
    for said in (said for said, period in PERIODS.items() if len(form) > 1 and form[0] == period):
        yield (said, *form[1:]), SYNONYM  # "the weekly rate" for wk_rate
    if len(form) == 2 and form[1] in ("eur", "usd", "gbp", "chf") and form[0] != "amount":
        yield (form[0], "amount"), SYNONYM  # "the refund amount"
    measured = len(form) > 2 and form[-1] in unit_words()
    stem = form[:-1] if measured else form
    if len(stem) == 2 and stem[1].endswith(("ed", "nt", "en")):
        yield (stem[1], stem[0]), SYNONYM
    yield from ((said, SYNONYM) for said in _turned_round(form))
    if len(form) == 2 and form[1] in ("eur", "usd", "gbp", "chf") and form[0].endswith(("ed", "id")):
        yield ("amount", form[0]), SYNONYM
    if len(form) == 2 and form[1] in ("h", "hour", "min", "minute") and form[0].endswith(("nt", "ed", "en")):
        unit = "hour" if form[1].startswith("h") else "minute"
        yield (unit, form[0]), SYNONYM
        yield (form[0], unit), SYNONYM
    if len(form) == 2 and form[0] in ("updated", "modified", "changed", "edited", "seen", "logged"):
        yield from ((("last", base), SYNONYM) for base in word_forms(form[0]) - {form[0]})


def _turned_round(form: Words) -> Iterator[Words]:
    """Like "planned quantity" for qty_planned, "number of tickets" for ticket_count, "closing hour"."""
    if len(form) == 2 and form[0] in _HEADS:
        yield form[1], form[0]
    if len(form) == 2 and form[1] == "count":
        yield "number", "of", form[0]
    if len(form) > 1 and form[0] in ("minimum", "maximum"):
        yield form[0], "number", "of", *form[1:]
    for ends, names in _LIMITS if len(form) > 1 else ():
        if form[-1] in ends:  # "the lower reference limit" for ref_low
            yield from ((name, *form[:-1], limit) for name in names for limit in ("limit", "bound", "value"))
    if len(form) == 3 and form[1] == "at":
        yield from ((gerund, form[2]) for base in word_forms(form[0]) for gerund in gerunds(base))


def _with_particle(form: Words) -> Iterator[tuple[Words, int]]:
    """Like "check-in" for checked_in."""
    if len(form) == 2 and form[1] in ("in", "out", "up", "off"):
        for base in word_forms(form[0]) - {form[0]}:
            yield (base, form[1]), SYNONYM


def _of_period(form: Words) -> Iterator[tuple[Words, int]]:
    """Like "hours a week", "hours per week" for weekly_hours."""
    if len(form) > 1 and form[0] in PERIODS:
        for joint in ("a", "per", "each", "every"):
            yield (*form[1:], joint, PERIODS[form[0]]), SYNONYM


@lru_cache(maxsize=8192)
def is_birth(column: str) -> bool:
    """Whether the column says when somebody was born, or something made: the date of an age, not of what happened."""
    return any(not _BIRTHS.isdisjoint(form) for form in spelled_out(name_words(column)))


def event_verbs(column: str) -> frozenset[str]:
    """The base forms of what happened at the date in the column: "ship_date" gives "ship", "signup_ts" "signup"."""
    words = [
        word
        for word in name_words(column)
        if word not in DATE_ENDINGS and word not in ("of", "last", "first", "year", "since")
    ]
    if len(words) > 1 and words[-1] in ("in", "up", "out", "off"):
        particle = words.pop()
        if len(words) == 1:
            return frozenset(form + particle for form in word_forms(words[0]))
        words = ["".join(words) + particle]
    if len(words) != 1:
        return frozenset(["".join(words)]) if words else frozenset()
    word = words[0]
    verbs = word_forms(word) | verbs_of(word)
    return frozenset(verbs.union(*(names_data()["verbs"].get(verb, ()) for verb in verbs)))


@lru_cache(maxsize=65536)
def value_words(value: str) -> Words:
    """The words by which a value is spoken of: "In-Progress" and "in_progress" are both ("in", "progress").

    Empty for values that speech would mistake, such as "A+" and single letters.
    """
    spoken = re.fullmatch(r"[^\W_]+([ _-][^\W_]+)*", value) and len(value) > 1
    return name_words(value) if spoken else ()
