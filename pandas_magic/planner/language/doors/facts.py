"""The facts that a data dictionary states of a column: which one stands next, by the patterns of facts.toml."""

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib import resources
from typing import Any

from pandas_magic.constraints.algebra.conditions import Condition
from pandas_magic.planner.language.doors.fact_makers import MAKERS
from pandas_magic.planner.language.doors.fact_subject import Subject
from pandas_magic.planner.language.doors.meaning import TextsInOrder
from pandas_magic.planner.language.doors.slots import slot_patterns
from pandas_magic.planner.language.doors.terms import NotMeant, UnknownName

_DELIMITER = r"(?=\s*(?:[,;|.()+/]|$)|\s)"
_BETWEEN = re.compile(
    r"\s*(?:[,;|./+]\s*)*(?:(?:and|but|also|plus|as well as)\b\s*)*"
    r"(?:(?:it |they )?(?:must be|must|should be|should|is|are|has to be|always)\b\s*(?=\S))?",
    re.IGNORECASE,
)

_NEGATED = re.compile(r"(?:must |may |can |should )?(?:not|never|no|cannot|none)\b", re.IGNORECASE)


@dataclass(frozen=True)
class Fact:
    """What a stretch of the text says: nothing to check, one condition, or several."""

    said: str
    conditions: tuple[Condition, ...]


@cache
def fact_entries() -> tuple[dict[str, Any], ...]:
    """The entries of facts.toml: what each kind of fact means, its patterns and its examples."""
    text = resources.files(__package__).joinpath("facts.toml").read_text(encoding="utf-8")
    return tuple(tomllib.loads(text)["fact"])


def read_facts(text: str, subject: Subject) -> tuple[Fact, ...]:
    """The facts that the whole text states, one after another. Raises: NotMeant, UnknownName when something is left."""
    found: list[Fact] = []
    rest, slots = text.strip(), slot_patterns(subject.names, subject.column, text)
    while rest:
        fact, end = _longest(rest, slots, subject)
        if fact.said.lower().startswith("or ") and (not found or _NEGATED.match(found[-1].said)):
            raise NotMeant("what may be missing is not clear")
        found.append(fact)
        between = _BETWEEN.match(rest, end)
        rest = rest[between.end() if between else end :].strip().strip("()[]").strip()
    return tuple(found)


def _longest(text: str, slots: Mapping[str, str], subject: Subject) -> tuple[Fact, int]:
    """The fact that takes the most of the text; of those that take as much, the one that stands first in the file."""
    failures: list[NotMeant] = []
    for means, match in sorted(_matches(text, slots), key=lambda found: -found[1].end()):
        try:
            return Fact(match[0], tuple(MAKERS[means](match, subject))), match.end()
        except TextsInOrder:
            raise
        except NotMeant as error:
            failures.append(error)
    named = [error for error in failures if isinstance(error, UnknownName)]
    raise next(iter(named or failures), NotMeant(f"{text!r} states nothing"))


def _matches(text: str, slots: Mapping[str, str]) -> Iterator[tuple[str, re.Match[str]]]:
    for entry in fact_entries():
        for said in entry["says"]:
            used = tuple((slot, slots[slot]) for slot in re.findall(r"\{(\w+)\}", said) if slot in slots)
            match = None if any(not pattern for _, pattern in used) else _compiled(said, used).match(text)
            if match and match.end():
                yield entry["means"], match


@lru_cache(maxsize=2_000)
def _compiled(said: str, slots: tuple[tuple[str, str], ...]) -> re.Pattern[str]:
    known = dict(slots)
    spaced = said.replace(" ?", r"\s*").replace(" ", r"\s+")
    filled = re.sub(r"\{(\w+)\}", lambda slot: known.get(slot[1], slot[0]), spaced)
    return re.compile(f"(?:{filled}){_DELIMITER}", re.IGNORECASE)
