"""Rows that are repeated."""

from __future__ import annotations

import numpy as np

from pandas_magic.explore.confined.formulas import Array
from pandas_magic.explore.confined.typed_column import TypedColumn

# Odd multipliers with well spread bits (Steele, Lea and Flood 2014, SplitMix64).
_MIX = (np.uint64(0x9E3779B97F4A7C15), np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB))


def duplicate_rows(columns: list[TypedColumn]) -> int:
    """How many rows repeat an earlier one in every column; missing values are equal to each other.

    Rows are compared by a 64-bit number made of their values, and those that share one are then compared in full.
    """
    if not columns or any(not column.missing and column.unique == column.rows for column in columns):
        return 0
    keys = np.zeros(columns[0].rows, dtype=np.uint64)
    with np.errstate(over="ignore"):
        for column in columns:
            keys = _mixed(keys ^ _mixed(_bits(column))) * _MIX[0] + np.uint64(1)
    ordered = np.sort(keys)
    repeated = np.unique(ordered[1:][ordered[1:] == ordered[:-1]])
    if not len(repeated):
        return 0
    rows = np.flatnonzero(np.isin(keys, repeated))
    table = np.column_stack([_bits(column)[rows] for column in columns])
    return len(rows) - len(np.unique(table, axis=0))


def _mixed(values: Array) -> Array:
    values = (values ^ (values >> np.uint64(30))) * _MIX[1]
    values = (values ^ (values >> np.uint64(27))) * _MIX[2]
    result: Array = values ^ (values >> np.uint64(31))
    return result


def _bits(column: TypedColumn) -> Array:
    """Equal values as equal 64-bit numbers, different ones as different."""
    if column.codes is not None:
        return column.codes.astype(np.int64).view(np.uint64)
    if column.times is not None:
        return column.times.view(np.uint64)
    if column.numbers is None:
        return np.zeros(column.rows, dtype=np.uint64)
    if column.numbers.dtype.kind in "iu":
        bits = column.numbers.astype(np.int64, copy=False).view(np.uint64)
        return bits if column.gaps is None else np.where(column.gaps, np.uint64(2**63 + 1), bits)
    numbers = column.numbers.astype(np.float64) + 0.0  # minus zero is zero
    numbers[np.isnan(numbers)] = np.nan
    return numbers.view(np.uint64)
