"""The facts that probes promise, by probe: what is shown and built upon is there, whoever wrote the code."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError

from pandas_magic.record import Record


class HeldOutScore(Record):
    """How well one suspect alone predicts the target."""

    column: str
    measure: str
    score: float
    verdict: str
    rows: int


class TriedFill(Record):
    """A predictive fill of one column against simple ones."""

    column: str
    missing: int
    rows: int
    error: str
    simple: dict[str, float]
    best_simple: str
    predictive: float
    gain: float
    features: int


class Meaning(Record):
    """One reading of a column, and what its values would be."""

    reading: str
    means: str


class ColumnInDoubt(Record):
    """A column with more than one reading."""

    column: str
    sample: tuple[str, ...]
    readings: tuple[Meaning, ...]


_ENTRIES: Mapping[str, type[Record]] = {
    "leakage_check": HeldOutScore,
    "drill_missing": TriedFill,
    "type_disambiguation": ColumnInDoubt,
}


def misfit_of_facts(probe: str, facts: Mapping[str, Any]) -> str:
    """What the facts of a probe lack of what it promises, in one line; "" when they are whole, or empty."""
    entry = _ENTRIES.get(probe)
    if entry is None or not facts:
        return ""
    columns = facts.get("columns")
    if not isinstance(columns, list | tuple):
        return "columns: not a list"
    try:
        for each in columns:
            entry.model_validate(each)
    except ValidationError as error:
        first = error.errors()[0]
        return f"{'.'.join(map(str, first['loc']))}: {first['msg']}"
    return ""
