"""Values that decide others: columns of which each value goes with one value of another column."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from typing import Any

import numpy as np

from pandas_magic.explore.confined.formulas import Array
from pandas_magic.explore.confined.typed_column import MANY_CATEGORIES, TypedColumn

Facts = dict[str, Any]

FEWEST_ROWS = 20  # what holds in fewer rows holds by accident
_LOOKED_AT = 300
_MOST_CATEGORIES = 30
_FEWEST_PER_VALUE = 5


@cache
def looked_at(rows: int, most: int = _LOOKED_AT) -> Array:
    """Positions of evenly spaced rows, no more than `most`: what fails there needs no look at all rows."""
    return np.unique(np.linspace(0, rows - 1, min(rows, most)).astype(np.int64))


def entry_of(kind: str, column: TypedColumn, of: tuple[TypedColumn, ...], rows: int, **more: Any) -> Facts:  # noqa: ANN401 - JSON
    """One finding, in the form of `derivations`."""
    return {"kind": kind, "column": column.name, "of": [each.name for each in of], "rows": rows, **more}


def determined(columns: list[TypedColumn]) -> Iterator[Facts]:
    """Categories of which each value goes with one value of another column: a place and its country."""
    coded = [each for each in map(_coded, columns[: 4 * _MOST_CATEGORIES]) if each is not None][:_MOST_CATEGORIES]
    other_names: set[str] = set()  # of what another column says in other words: a country and its code
    for left, right in combinations(coded, 2):
        if {left.column.name, right.column.name} & other_names:
            continue
        rows, back = _decided_rows(left, right), _decided_rows(right, left)
        if rows:
            yield entry_of("determined", right.column, (left.column,), rows)
        if back:
            yield entry_of("determined", left.column, (right.column,), back)
        if rows and back:
            other_names.add(right.column.name)


def _decided_rows(left: Coded, right: Coded) -> int:
    """How many rows have both, when each value of `left` goes with one of `right` and has enough rows; else 0."""
    some = looked_at(len(left.codes))
    if not _is_function(left.codes[some], right.codes[some], left.size):
        return 0
    if not _is_function(left.codes, right.codes, left.size):
        return 0
    per_value = np.bincount(left.codes[(left.codes >= 0) & (right.codes >= 0)], minlength=left.size)
    rows = int(per_value.sum())
    values = left.column.unique
    enough = rows >= max(FEWEST_ROWS, _FEWEST_PER_VALUE * values) and (per_value == 1).sum() <= 0.1 * values
    return rows if enough and _differs(right.codes[left.codes >= 0]) else 0


def _differs(codes: Array) -> bool:
    """Whether they are of two values or more: of one, every column would be decided by any other."""
    known = codes[codes >= 0]
    return bool(len(known)) and int(known.min()) != int(known.max())


@dataclass(frozen=True)
class Coded:
    """A column of few different values: the code of each row (-1: missing), and how many codes there are."""

    column: TypedColumn
    codes: Array
    size: int


def _coded(column: TypedColumn) -> Coded | None:
    if column.kind not in ("categorical", "numeric") or column.unique > column.rows / _FEWEST_PER_VALUE:
        return None
    if column.codes is not None:
        return Coded(column, column.codes, len(column.labels))
    few = column.unique <= 2 * MANY_CATEGORIES and not column.read_from and not column.infinite
    if column.numbers is None or not few or not column.is_whole:
        return None
    # Eight bits a row: thirty columns of a large table are coded at the same time.
    codes = np.full(column.rows, -1, dtype=np.int8)
    present = slice(None) if column.gaps is None else ~column.gaps
    values = column.numbers[present]
    low, high = values.min().item(), values.max().item()
    if high - low > np.iinfo(np.int8).max - 1:
        different = np.unique(values)
        codes[present] = np.searchsorted(different, values)
        return Coded(column, codes, len(different))
    codes[present] = values - low
    return Coded(column, codes, int(high - low) + 1)


def _is_function(codes: Array, of: Array, size: int) -> bool:
    both = (codes >= 0) & (of >= 0)
    codes, of = codes[both], of[both]
    one = np.full(size, -1, dtype=np.int64)
    one[codes] = of
    return bool((one[codes] == of).all())
