"""One correction: which value of which row becomes what, and by what the row is known again."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import Any, Literal

import numpy as np
import pandas as pd

from pandas_magic.record import Record
from pandas_magic.reporters.value_text import value_text

Plain = bool | int | float | str | None  # None: a missing value
Kind = Literal["integer", "number", "text", "boolean", "datetime", "duration", "date", "decimal"]


class Correction(Record):
    """One value of a table as it was and as it should be. Values that JSON does not have are texts, as `str` has them.

    `row` has what the row is known by: the values of the table's key, without a key those of all other columns.
    """

    table: str
    position: int  # of the row in the table, from 0
    row: dict[str, Plain]
    column: str
    kind: Kind  # of the values of the column
    old: Plain
    new: Plain
    by: str  # who corrected it
    at: str  # ISO 8601, UTC, ending in Z

    @property
    def cell(self) -> tuple[str, int, str]:
        """What only one correction is about: table, position, column."""
        return self.table, self.position, self.column

    def in_words(self) -> str:
        """Where and what, in one line: "orders, row 5, amount: 2003 → 1000"."""
        return f"{self.table}, row {self.position}, {self.column}: {said(self.old)} → {said(self.new)}"


def plain(value: Any) -> Plain:  # noqa: ANN401 - a value of any column
    """A value of a table as a correction keeps it."""
    if pd.api.types.is_scalar(value) and pd.isna(value):
        return None
    if isinstance(value, (bool, np.bool_)):
        return bool(value)
    if isinstance(value, (int, np.integer)):
        return int(value)
    if isinstance(value, (float, np.floating)) and math.isfinite(value):
        return float(value)
    return str(value)


def same(one: Plain, other: Plain) -> bool:
    """Whether two kept values are the same value: 5 and 5.0 are, 1 and True are not."""
    numbers = (int, float)
    if isinstance(one, numbers) and isinstance(other, numbers) and isinstance(one, bool) == isinstance(other, bool):
        return one == other
    return type(one) is type(other) and one == other


def said(value: Plain) -> str:
    """The value for people."""
    return "missing" if value is None else value_text(value)


def value_of(kept: Plain, kind: Kind) -> Any:  # noqa: ANN401 - a value of any column
    """The value that was kept, as one of the column; None where it is missing."""
    if kept is None or isinstance(kept, bool):
        return kept
    return _FROM_KEPT[kind](kept)


_FROM_KEPT: Mapping[Kind, Callable[[Any], Any]] = {
    "integer": int,
    "number": float,
    "text": str,
    "boolean": bool,
    "datetime": pd.Timestamp,
    "duration": pd.Timedelta,
    "date": lambda text: pd.Timestamp(text).date(),
    "decimal": Decimal,
}
