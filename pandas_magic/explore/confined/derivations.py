"""Columns that only say what others say: equal to one, computed from one or two, ordered by one, decided by one.

Whatever is told holds in every row in which the columns are present. A few rows are looked at first: they rule out
nearly every pair, so that all rows are read for those alone that are likely.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import combinations
from typing import Any

import numpy as np

from pandas_magic.explore.confined.associations import Associations
from pandas_magic.explore.confined.dependencies import FEWEST_ROWS, determined, entry_of, looked_at
from pandas_magic.explore.confined.formulas import Array
from pandas_magic.explore.confined.typed_column import TypedColumn

Facts = dict[str, Any]

_TRIED = 60  # rows, of each sum and product of two columns
_MOST_NUMBERS = 20  # columns; sums and products of two grow with the cube
_MOST_ORDERED = 40  # pairs
_STRAIGHT = 0.999999  # Pearson's coefficient of what may be one column in other units
_ALIKE = 0.8  # Pearson's coefficient of numbers whose order may mean something
_FEW_VALUES = 10  # numbers with no more are names of classes, in no order with a measure
_ROUNDED = 1e-3  # of the spread: what rounding may leave
_BOTH_MATTER = 10  # times the error of a formula is what leaving out one of its columns must cost
_EXACT_IN_FLOAT = 2**53


def derivations(columns: list[TypedColumn], found: Associations) -> list[Facts]:
    """Entries with `kind` (equal, formula, order, determined), `column`, `of` (columns) and `rows`.

    Formulas have `sign` ("+" or "*", of two columns) or `factor` and `offset` (of one), and `within`, their largest
    error.
    """
    if not columns or columns[0].rows < FEWEST_ROWS:
        return []
    plain = [column for column in columns if not column.placeholders and not column.trimmed and column.unique > 1]
    told = list(_twins(plain))
    # What is said of a column holds of its twin, and need not be said twice.
    plain = [column for column in plain if column.name not in {entry["column"] for entry in told}]
    numbers = [column for column in plain if _is_measured(column)]
    with np.errstate(over="ignore", invalid="ignore"):  # what is beyond the largest float bears no formula out
        told += _straight(numbers, found)
        told += _of_two(numbers[:_MOST_NUMBERS])
    known = {frozenset(pair) for entry in told for pair in combinations((entry["column"], *entry["of"]), 2)}
    weaker = [*_ordered(plain, numbers, found), *determined(plain)]
    return told + [entry for entry in weaker if {entry["column"], *entry["of"]} not in known]


def _is_measured(column: TypedColumn) -> bool:
    if not column.is_number or column.read_from or column.unique <= 2 or column.infinite:
        return False
    assert column.numbers is not None
    if column.numbers.dtype.kind not in "iu":
        return True
    return max(-int(column.numbers.min()), int(column.numbers.max())) < _EXACT_IN_FLOAT


def _twins(columns: list[TypedColumn]) -> Iterator[Facts]:
    """Columns with the same value in every row, named as equal to the first of them."""
    by_kind: dict[str, list[TypedColumn]] = {}
    for column in columns:
        by_kind.setdefault(_sort_of(column), []).append(column)
    for kind, alike in by_kind.items():
        twin: set[str] = set()
        for left, right in combinations(alike, 2) if kind else ():
            # Counts that were made before cost nothing to compare.
            if left.unique == right.unique and right.name not in twin and (rows := _equal_rows(left, right)):
                twin.add(right.name)
                yield entry_of("equal", right, (left,), rows)


def _sort_of(column: TypedColumn) -> str:
    if column.read_from:
        return ""  # texts of different writing may be the same number
    if column.times is not None:
        return f"times {column.zone}"
    return "texts" if column.codes is not None else "numbers" if column.numbers is not None else ""


def _equal_rows(left: TypedColumn, right: TypedColumn) -> int:
    """How many rows have both values, when they are equal in all of them; else 0."""
    same: Array | None = None  # the code on the left for each code on the right
    if left.codes is not None:
        known = {text: at for at, text in enumerate(left.labels)}
        same = np.array([known.get(text, -2) for text in right.labels])
    for rows in (looked_at(left.rows), slice(None)):
        both = _present(left, rows) & _present(right, rows)
        first, second = (_comparable(column, rows)[both] for column in (left, right))
        if not (first == (second if same is None else same[second])).all():
            return 0
    return int(np.count_nonzero(both)) if np.count_nonzero(both) >= FEWEST_ROWS else 0


def _present(column: TypedColumn, rows: Array | slice) -> Array:
    if column.gaps is not None:
        return ~column.gaps[rows]
    return np.ones(len(range(*rows.indices(column.rows))) if isinstance(rows, slice) else len(rows), dtype=bool)


def _comparable(column: TypedColumn, rows: Array | slice) -> Array:
    """Codes, times or numbers as they are: in nanoseconds and 64-bit integers a float would round."""
    values = next(each for each in (column.codes, column.times, column.numbers) if each is not None)
    chosen: Array = values[rows]
    return chosen


def _straight(numbers: list[TypedColumn], found: Associations) -> Iterator[Facts]:
    """Columns that are another one times a factor plus an offset: other units, a tax, a shifted origin."""
    at = {name: position for position, name in enumerate(found.names)}
    told: set[str] = set()
    for left, right in combinations([column for column in numbers if column.name in at], 2):
        coefficient = found.matrix[at[left.name], at[right.name]]
        if right.name in told or not abs(coefficient) >= _STRAIGHT:
            continue
        entry = _line(left, right)
        if entry is not None and (entry["factor"], entry["offset"], entry["within"]) != (1.0, 0.0, 0.0):
            told.add(right.name)
            yield entry


def _line(left: TypedColumn, right: TypedColumn) -> Facts | None:
    x, y = left.floats(), right.floats()
    both = ~np.isnan(x) & ~np.isnan(y)
    x, y = x[both], y[both]
    if len(x) < FEWEST_ROWS or not (room := _room(y)):
        return None
    factor = float((x - x.mean()) @ (y - y.mean()) / ((x - x.mean()) @ (x - x.mean())))
    worst = float(np.abs(y - factor * x - (y.mean() - factor * x.mean())).max())
    if not worst <= 10 * room < np.inf:
        return None
    # The roundest numbers that fit as well are those that somebody meant.
    for digits in range(1, 13):
        slope = _rounded(factor, digits)
        rest = float((y - slope * x).mean())
        for offset in (0.0, *(_rounded(rest, places) for places in range(1, digits + 1))):
            error = _error(y, slope * x + offset)
            if error <= max(1.2 * worst, 1e-6 * room) and error <= room:
                return entry_of("formula", right, (left,), len(x), factor=slope, offset=offset, within=_above(error))
    return None


def _rounded(value: float, digits: int) -> float:
    return float(f"{value:.{digits - 1}e}")


def _error(values: Array, computed: Array) -> float:
    """The largest difference; 0 where floats alone make it."""
    difference = np.abs(values - computed)
    if (difference <= 1e-10 + 1e-13 * np.abs(values)).all():
        return 0.0
    return float(difference.max())


def _above(error: float) -> float:
    """The error rounded up to two digits: a tolerance that people can read."""
    if not error:
        return 0.0
    size = 10.0 ** (math.floor(math.log10(error)) - 1)
    return float(f"{math.ceil(error / size * (1 - 1e-9) + 1e-6) * size:.2g}")


def _of_two(numbers: list[TypedColumn]) -> Iterator[Facts]:
    """Columns that are the sum or the product of two others."""
    if len(numbers) < 3:
        return
    some = np.array([column.floats(looked_at(column.rows, _TRIED)) for column in numbers])
    pairs = list(combinations(range(len(numbers)), 2))
    first, second = (some[[pair[side] for pair in pairs]] for side in (0, 1))
    for at, column in enumerate(numbers):
        room = _ROUNDED * (column.moments.std or 0.0)
        for sign, computed in (("+", first + second), ("*", first * second)):
            difference = np.abs(computed - some[at])
            likely = np.flatnonzero(~(difference > room).any(axis=1))  # what is missing does not speak against it
            entries = (
                _computed(column, numbers[pairs[pair][0]], numbers[pairs[pair][1]], sign)
                for pair in likely.tolist()
                if at not in pairs[pair] and 2 * np.isfinite(difference[pair]).sum() >= difference.shape[1]
            )
            yield from [entry for entry in entries if entry is not None][:1]


def _computed(result: TypedColumn, left: TypedColumn, right: TypedColumn, sign: str) -> Facts | None:
    values, first, second = result.floats(), left.floats(), right.floats()
    computed = first + second if sign == "+" else first * second
    both = ~np.isnan(values) & ~np.isnan(computed)
    values, computed = values[both], computed[both]
    # Where most is missing, the few that are left may all be small: what rounding leaves is measured by them.
    if len(values) < FEWEST_ROWS or not (error := _error(values, computed)) <= _room(values) < np.inf:
        return None
    if not _both_matter(values, (first[both], second[both]), sign, error):
        return None
    return entry_of("formula", result, (left, right), len(values), sign=sign, within=_above(error))


def _both_matter(values: Array, parts: tuple[Array, Array], sign: str, error: float) -> bool:
    """Whether neither part could be its own mean: what is hardly more than one column is not made of two."""
    for part, other in (parts, parts[::-1]):
        alone = part + other.mean() if sign == "+" else part * other.mean()
        if _error(values, alone) <= _BOTH_MATTER * error:
            return False
    return True


def _room(values: Array) -> float:
    """How far rounding may take a formula from the values: little of their spread, whatever a few outliers are."""
    low, high = np.quantile(values, (0.25, 0.75))
    spread = float(values.std())
    return _ROUNDED * (min(spread, float(high - low)) if high > low else spread)


def _ordered(columns: list[TypedColumn], numbers: list[TypedColumn], found: Associations) -> Iterator[Facts]:
    """Times, and numbers much alike, of which one is never above the other although both range over the same."""
    times = [column for column in columns if column.times is not None and not column.read_from]
    pairs = [pair for pair in combinations(times, 2) if pair[0].zone == pair[1].zone]
    named = {column.name: column for column in numbers if column.unique > _FEW_VALUES}
    for tie in found.pairs:
        if tie["measure"] == "pearson" and tie["value"] >= _ALIKE and {tie["f1"], tie["f2"]} <= named.keys():
            pairs.append((named[tie["f1"]], named[tie["f2"]]))
    for pair in pairs[:_MOST_ORDERED]:
        some = looked_at(pair[0].rows)
        for low, high in (pair, pair[::-1]):
            if _ordered_rows(low, high, some) is not None and (rows := _ordered_rows(low, high, slice(None))):
                yield entry_of("order", low, (high,), rows)


def _ordered_rows(low: TypedColumn, high: TypedColumn, rows: Array | slice) -> int | None:
    """How many rows have both, when the one is never above the other; None when it is, 0 where that says nothing."""
    both = _present(low, rows) & _present(high, rows)
    first, second = (_comparable(column, rows)[both] for column in (low, high))
    if (first > second).any():
        return None
    if len(first) < FEWEST_ROWS or (first == second).all():
        return 0
    # Where they hardly share a range, as a perimeter and an area do, their order says nothing about rows.
    middle = len(first) // 2
    shared = np.partition(first, middle)[middle] > second.min() and np.partition(second, middle)[middle] < first.max()
    return len(first) if shared else 0
