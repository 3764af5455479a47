"""All guards over one reading."""

import re
import tomllib
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any

from pandas_magic.constraints import check_types
from pandas_magic.constraints.algebra.expressions import Arithmetic, Column, DatePart, Group
from pandas_magic.constraints.algebra.rules import ColumnsRule, Constraint
from pandas_magic.planner.language.guards.amounts import amounts_cut
from pandas_magic.planner.language.guards.clauses import clauses_mixed
from pandas_magic.planner.language.guards.denials import turned_round
from pandas_magic.planner.language.guards.exceptions import exceptions_ignored, rows_narrowed
from pandas_magic.planner.language.guards.flags import flags_in_doubt
from pandas_magic.planner.language.guards.functions import functions_left
from pandas_magic.planner.language.guards.joined import joined_wrongly
from pandas_magic.planner.language.guards.joins import (
    date_in_doubt,
    joins_in_doubt,
    none_or_zero,
    of_some_row,
    ways_turned,
)
from pandas_magic.planner.language.guards.made_of import of_other_makeup
from pandas_magic.planner.language.guards.measures import no_measure
from pandas_magic.planner.language.guards.moments import (
    ages_of_dates,
    days_in_doubt,
    looks_elsewhere,
    names_of_days,
    other_weekdays,
    times_for_days,
)
from pandas_magic.planner.language.guards.nodes_needed import NEEDED, each, holds
from pandas_magic.planner.language.guards.notation import misread_signs
from pandas_magic.planner.language.guards.numbers import numbers_lost
from pandas_magic.planner.language.guards.places import misplaced
from pandas_magic.planner.language.guards.pointless import idle_in_scope, pointless_parts
from pandas_magic.planner.language.guards.questions import question_in_doubt
from pandas_magic.planner.language.guards.said import mentions
from pandas_magic.planner.language.guards.subjects import passed_over
from pandas_magic.planner.language.guards.texts import texts_changed
from pandas_magic.planner.language.guards.variants import otherwise_spelt
from pandas_magic.planner.language.linking import Linked

# Why a rule is made obliges it to nothing, nor does when it was broken.
REASON = re.compile(
    r"\b(?:because|as otherwise)\b[^,;]*|, (?:since|as|because)\b[^;]*$"
    r"|[.!?;] (?:it |that |this )?happen(?:s|ed)\b[^.!?;]*$"
)


@cache
def cue_entries() -> tuple[dict[str, Any], ...]:
    """The entries of cues.toml: what a word obliges a rule to hold."""
    text = (Path(__file__).parent / "cues.toml").read_text(encoding="utf-8")
    return tuple(tomllib.loads(text)["cue"])


# A doubt that a question settles, since its readings say which is meant, or by which key.
_OPEN = re.compile(r"((.* has times of day: )?whether .*|several rows of .* may share .*) is not said$")


def grave_objections(constraint: Constraint, linked: Linked) -> list[str]:
    """The doubts about a reading that make it a misreading: more than that one of several is not said."""
    return [doubt for doubt in objections(constraint, linked) if not _OPEN.match(doubt)]


def objections(constraint: Constraint, linked: Linked) -> tuple[str, ...]:
    """What speaks against taking the words for this rule, each in one clause; empty when nothing does.

    The same for every source of readings: doors, the strict reader, proposals, a model's restatement.
    """
    problems = check_types(constraint, linked.tables)
    if problems:
        return problems
    found = (
        *pointless_parts(constraint),
        *idle_in_scope(constraint),
        *joins_in_doubt(constraint, linked.tables),
        *days_in_doubt(constraint, linked.tables),
        *names_of_days(constraint, linked.tables),
        *chain.from_iterable(guard(constraint, linked) for guard in _GUARDS),
        *_grouped_twice(constraint),
    )
    return tuple(dict.fromkeys(found))


@cache
def _cue_patterns() -> tuple[tuple[re.Pattern[str], dict[str, Any]], ...]:
    return tuple((re.compile(entry["says"]), entry) for entry in cue_entries())


def unclear_words(linked: Linked) -> tuple[str, ...]:
    """What in the words may be taken in two ways whatever rule is read in them, each in one clause."""
    return tuple(told for _, told, needs in _cues_said(linked) if needs == ["nothing could"])


def _cues_left(constraint: Constraint, linked: Linked) -> Iterator[str]:
    for said, told, needs in _cues_said(linked):
        if not any(NEEDED[need](constraint, said.lower()) for need in needs):
            yield told


def _cues_said(linked: Linked) -> Iterator[tuple[str, str, list[str]]]:
    """Each cue in the words, what is objected when nothing in a rule meets it, and what would."""
    text = REASON.sub(lambda reason: " " * len(reason[0]), linked.without_names)
    is_claim = re.search(r"\balways\b", linked.rule, re.IGNORECASE)  # the text is without it
    for says, entry in _cue_patterns():
        found = says.search(text) if not is_claim or "nothing bad" not in entry["needs"] else None
        if found:
            said = linked.text[found.start() : found.end()].strip()
            yield said, f'"{said}": {entry["objection"]}', entry["needs"]


def _columns_renamed(constraint: Constraint, linked: Linked) -> Iterator[str]:
    """Columns that must be there, or must not, are named as they are spelt: what is near is another column."""
    names = (*constraint.required, *constraint.forbidden) if isinstance(constraint, ColumnsRule) else ()
    said = re.sub(r"[\W_]+", " ", linked.text.lower())
    yield from (f"it names {name} otherwise" for name in names if re.sub(r"[\W_]+", " ", name.lower()) not in said)


def _grouped_twice(constraint: Constraint) -> Iterator[str]:
    """Like rows per day of a moment and per the moment itself, which are the latter alone."""
    for node in each(constraint, Group):
        parts = {part.of for part in node.by if isinstance(part, DatePart)}
        keys = (key.name for key in node.by if isinstance(key, Column) and key in parts)
        yield from (f"it counts per {name}, and per a part of it" for name in keys)


def _sign_lost(constraint: Constraint, linked: Linked) -> Iterator[str]:
    """Like the overdraft itself in "balance must be at least -overdraft"."""
    if "-" in linked.text and not holds(constraint, Arithmetic):
        for name in mentions(linked):
            said = linked.text[name.start : name.end]
            if name.start and name.columns and said[0] == "-":
                yield f'nothing in it takes "{said}" with the other sign'


# What holds the rule against its words; what is told first is asked first.
_GUARDS: tuple[Callable[[Constraint, Linked], Iterable[str]], ...] = (
    _cues_left, joined_wrongly, clauses_mixed, exceptions_ignored, rows_narrowed, date_in_doubt, of_some_row,
    ways_turned, none_or_zero, misplaced, passed_over, no_measure, ages_of_dates, times_for_days, looks_elsewhere,
    question_in_doubt,
    numbers_lost, amounts_cut, flags_in_doubt, of_other_makeup, texts_changed, otherwise_spelt, _columns_renamed,
    _sign_lost, turned_round, other_weekdays, functions_left, misread_signs,
)  # fmt: skip
