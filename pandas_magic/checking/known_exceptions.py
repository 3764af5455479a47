"""Known exceptions: failing rows that people decided to live with are not counted, and never silently."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

import numpy as np
import pandas as pd

from pandas_magic.catalog.table import kind_of
from pandas_magic.record import digest
from pandas_magic.registry.compiled_check import CompiledCheck
from pandas_magic.registry.decisions import KnownException
from pandas_magic.registry.row_keys import value_of


@dataclass(frozen=True)
class Sieved:
    """The failing rows that count, with their positions, how many do not, and what a reader must know."""

    rows: pd.DataFrame
    positions: tuple[int, ...] | None  # None: they are no rows of the checked table
    excepted: int = 0
    notes: tuple[str, ...] = ()
    applied: str = ""  # changes with the keys that were applied; "": none was


def sieve(compiled: CompiledCheck, rows: pd.DataFrame, positions: Sequence[int] | None, day: date) -> Sieved:
    """Take the rows of known exceptions out of the failing ones.

    An exception counts until its day, for the rule that it was made for, and where the rows have the columns of its
    key; each that does not count is noted with the reason, as is each that matches no failing row any more.
    """
    known = tuple(positions) if positions is not None else None
    if not compiled.exceptions:
        return Sieved(rows, known)
    excepted = np.zeros(len(rows), dtype=bool)
    notes, applied = [], []
    for exception in compiled.exceptions:
        problem = _why_not_applied(compiled, exception, rows, day)
        if problem:
            notes.append(f"known exception {exception.named()} not applied: {problem}")
            continue
        # Without a failing row only the columns that the code reads are there.
        matched = rows_of_key(rows, exception.key) if len(rows) else excepted
        excepted |= matched
        applied.append(exception.key)
        notes.append(_told(compiled.id, exception, int(matched.sum())))
    kept = ~excepted
    left = None if known is None else tuple(position for position, keep in zip(known, kept, strict=True) if keep)
    return Sieved(rows[kept], left, int(excepted.sum()), tuple(notes), digest(applied) if applied else "")


def rows_of_key(rows: pd.DataFrame, key: dict[str, str]) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """Which rows hold these values, written as text, in all of these columns."""
    matched = np.ones(len(rows), dtype=bool)
    for column, text in key.items():
        matched &= _holds(rows[column], text)
    return matched


def _holds(column: pd.Series, text: str) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """Which values are what the text says: as a number, a time or a truth value where the column holds such."""
    kind = kind_of(str(column.dtype))
    is_date = kind == "datetime" and not pd.api.types.is_datetime64_any_dtype(column.dtype)  # days of Arrow
    wanted = text if is_date else value_of(text, kind)
    if wanted == text:
        return np.array([not _missing(value) and str(value) == text for value in column], dtype=bool)
    if isinstance(wanted, pd.Timestamp):
        wanted = _in_zone(wanted, column)
    if wanted is None:
        return np.zeros(len(column), dtype=bool)
    return np.asarray((column == wanted).fillna(False), dtype=bool)


def _in_zone(moment: pd.Timestamp, column: pd.Series) -> pd.Timestamp | None:
    zone = column.dt.tz
    if zone is not None and moment.tzinfo is None:
        return moment.tz_localize(zone)
    return moment if zone is not None or moment.tzinfo is None else None


def _missing(value: object) -> bool:
    return value is None or value is pd.NA or value is pd.NaT or (isinstance(value, float) and np.isnan(value))


def _why_not_applied(compiled: CompiledCheck, exception: KnownException, rows: pd.DataFrame, day: date) -> str:
    if exception.rule_digest != compiled.rule_digest:
        return "the rule changed since it was made"
    if not exception.counts_on(day):
        return f"it ended on {exception.until} ({exception.reason})"
    gone = [column for column in exception.key if len(rows) and column not in rows.columns]
    return f'the failing rows have no column "{gone[0]}"' if gone else ""


def _told(check_id: str, exception: KnownException, count: int) -> str:
    if not count:
        return (
            f"known exception {exception.named()} is obsolete, since it matches no failing row; forget it: "
            f"pandas-magic except {check_id} {' '.join(_option(*pair) for pair in exception.key.items())} --remove"
        )
    until = f", until {exception.until}" if exception.until else ""
    return f"known exceptions: {count:,} row{'s' * (count != 1)} of {exception.named()} ({exception.reason}{until})"


def _option(column: str, value: str) -> str:
    said = f"{column}={value}"
    return f"--key {said}" if said.isprintable() and not set(said) & set(" '\"\\$`") else f"--key '{said}'"
