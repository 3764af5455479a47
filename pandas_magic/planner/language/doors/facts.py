"""The facts that a data dictionary states of a column: which one stands next, by the patterns of facts.toml."""

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib import resources
from typing import Any

from pandas_magic.constraints.algebra.conditions import Condition, Matches
from pandas_magic.planner.language.doors.fact_makers import MAKERS
from pandas_magic.planner.language.doors.fact_subject import FactSubject
from pandas_magic.planner.language.doors.meaning import TextsInOrder
from pandas_magic.planner.language.doors.terms import NotMeant, UnknownName

_DELIMITER = r"(?=\s*(?:[,;|.()+/}\]]|:\s|$)|\s)"
# Entries whose patterns fit nearly every word; their makers see whether it is a value.
_ANY_WORDS = frozenset({"listed", "value", "template", "pattern"})
# Formats that say of which characters a text is made, and not of how many.
_OF_ANY_LENGTH = frozenset({"digits", "letters", "letters and digits", "upper case", "lower case", "hexadecimal"})


@dataclass(frozen=True)
class Fact:
    """What a stretch of the text says: nothing to check, one condition, or several; or why it is not understood."""

    said: str
    conditions: tuple[Condition, ...] = ()
    means: str = ""  # the entry of facts.toml; "" for what is set aside or not understood
    failure: NotMeant | None = None
    scope: tuple[Condition, Condition] | None = None  # the rows of which it is said, and what of them

    @property
    def is_of_any_length(self) -> bool:
        """Whether it only says of which characters a text is made: "digits only"."""
        return any(isinstance(one, Matches) and one.format in _OF_ANY_LENGTH for one in self.conditions)


@cache
def fact_entries() -> dict[str, Any]:
    """The entries of facts.toml by what they mean, each with its patterns and its examples."""
    text = resources.files(__package__).joinpath("facts.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


def next_fact(text: str, slots: Mapping[str, str], subject: FactSubject) -> tuple[Fact, int]:
    """The fact that takes the most of the text; of those that take as much, the one that stands first in the file.

    Raises: NotMeant, UnknownName when nothing at the beginning of the text is a fact of this column.
    """
    failures: list[NotMeant] = []
    for means, match in sorted(_matches(text, slots), key=lambda found: -found[1].end()):
        try:
            return Fact(match[0], tuple(MAKERS[means](match, subject)), means), match.end()
        except NotMeant as error:
            failures.append(error)
    named = [error for error in failures if isinstance(error, (UnknownName, TextsInOrder))]
    raise next(iter(named or failures), NotMeant(f"{text!r} states nothing"))


def longest_match(text: str, slots: Mapping[str, str]) -> int:
    """How much of the text the pattern of a fact takes, be it a fact of this column or not."""
    fitting = (match.end() for means, match in _matches(text, slots) if means not in _ANY_WORDS)
    return max(fitting, default=0)


def _matches(text: str, slots: Mapping[str, str]) -> Iterator[tuple[str, re.Match[str]]]:
    for means, entry in fact_entries().items():
        for said in entry["says"]:
            used = tuple((slot, slots[slot]) for slot in re.findall(r"\{(\w+)\}", said) if slot in slots)
            match = None if any(not pattern for _, pattern in used) else _compiled(said, used).match(text)
            if match and match.end():
                yield means, match


@lru_cache(maxsize=2_000)
def _compiled(said: str, slots: tuple[tuple[str, str], ...]) -> re.Pattern[str]:
    known = dict(slots)
    spaced = said.replace(" ?", r"\s*").replace(" ", r"\s+")
    filled = re.sub(r"\{(\w+)\}", lambda slot: known.get(slot[1], slot[0]), spaced)
    return re.compile(f"(?:{filled}){_DELIMITER}", re.IGNORECASE)
