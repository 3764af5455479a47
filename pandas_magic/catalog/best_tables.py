"""Which tables a request is about: scored by the words that they share, each with its reason."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

import pandas as pd

from pandas_magic.catalog.table import Table
from pandas_magic.errors import quoted_list

_SAMPLE_ROWS = 3
_NAME, _VALUE, _COLUMN = 4, 2, 1  # what a shared word counts, by where the table has it
_MOST_NAMED = 3  # words of a reason
_COMMON_TEXT = "a an and are by count each for from how id in is many me most number of on or per show the to what"
_COMMON = frozenset(_COMMON_TEXT.split())


@dataclass(frozen=True)
class Choice:
    """One table, how well it fits, and why."""

    name: str
    score: int
    reason: str


def best_tables(request: str, tables: Mapping[str, Table], at_most: int) -> tuple[Choice, ...]:
    """The tables that share words with the request, the best first; all of them when none does and they are few."""
    words = _words(request)
    scored = sorted((_scored(table, words) for table in tables.values()), key=lambda one: (-one.score, one.name))
    fitting = [choice for choice in scored if choice.score > 0]
    if not fitting:
        fitting = [Choice(choice.name, 0, "nothing in the request names a table") for choice in scored]
    return tuple(fitting[:at_most])


def first_rows(frame: pd.DataFrame) -> list[dict[str, object]]:
    """The first rows as plain values, for what may be told at the level "samples"."""
    head = frame.head(_SAMPLE_ROWS).astype(object)
    rows = head.where(head.notna(), None).to_dict("records")
    return [{str(column): value for column, value in row.items()} for row in rows]


def _scored(table: Table, words: set[str]) -> Choice:
    by_name = words & _words(table.name)
    by_column = {column for column in table.columns if words & _words(column)}
    by_value = {
        value for values in table.values.values() for value in values if _words(value) and _words(value) <= words
    }
    score = _NAME * len(by_name) + _COLUMN * len(by_column) + _VALUE * len(by_value)
    reasons = [f"its name has {quoted_list(sorted(by_name))}"] if by_name else []
    reasons += [f"it has {quoted_list(sorted(by_column), at_most=_MOST_NAMED)}"] if by_column else []
    reasons += [f"it holds {quoted_list(sorted(by_value), at_most=_MOST_NAMED)}"] if by_value else []
    return Choice(table.name, score, "; ".join(reasons))


def _words(text: str) -> set[str]:
    spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", text)
    found = {word.casefold() for word in re.findall(r"[^\W_]+", spaced)}
    return {_singular(word) for word in found - _COMMON}


def _singular(word: str) -> str:
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word
