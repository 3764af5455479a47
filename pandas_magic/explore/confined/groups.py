"""How much of a measure lies between groups: of one pair, or of many at once."""

from __future__ import annotations

import math

import numpy as np

from pandas_magic.explore.confined.statistics import Array

Grouping = tuple[Array, int]  # the code of each row's group (-1: none), and how many groups there are


def correlation_ratio(codes: Array, values: Array, size: int) -> float | None:
    """η: the square root of the share of the variance of `values` that lies between the groups; 0 to 1.

    Codes of -1 and missing numbers are left out. None with fewer than two groups or a constant.

    Source: Pearson (1905); η² is the R² of the one-way analysis of variance.
    """
    both = (codes >= 0) & np.isfinite(values)
    codes, values = codes[both], values[both]
    counts = np.bincount(codes, minlength=size)
    if (counts > 0).sum() < 2:
        return None
    values = values - values.mean()
    total = float(values @ values)
    sums = np.bincount(codes, weights=values, minlength=size)
    between = float((sums[counts > 0] ** 2 / counts[counts > 0]).sum())
    return None if not total else math.sqrt(min(1.0, between / total))


def correlation_ratios(groupings: list[Grouping], matrix: Array) -> list[Array]:
    """`correlation_ratio` of each column of a rows × columns matrix in each grouping; NaN where it is None."""
    there = ~np.isnan(matrix)
    with np.errstate(invalid="ignore", divide="ignore"):
        # The mean of all rows is near enough to that of a grouping's rows to keep the differences below exact.
        values = np.where(there, matrix - np.nansum(matrix, axis=0) / there.sum(axis=0), 0.0)
    holey, squares = np.flatnonzero(~there.all(axis=0)), values * values
    # Sums per group are taken line by line: a column of a matrix lies scattered in memory.
    lines, gaps = np.ascontiguousarray(values.T), np.ascontiguousarray(there.T[holey], dtype=np.float64)
    found = []
    for codes, size in groupings:
        belongs = np.where(codes < 0, size, codes)  # the last group is of those in none
        counts = np.repeat(np.bincount(belongs, minlength=size + 1)[:size, None], len(lines), axis=1).astype(np.float64)
        counts[:, holey] = _sums_per_group(belongs, size, gaps)
        known = (codes >= 0).astype(np.float64)
        found.append(_ratios(counts, _sums_per_group(belongs, size, lines), known @ squares))
    return found


def _sums_per_group(belongs: Array, size: int, lines: Array) -> Array:
    sums = np.empty((size, len(lines)))
    for at, line in enumerate(lines):
        sums[:, at] = np.bincount(belongs, weights=line, minlength=size + 1)[:size]
    return sums


def _ratios(counts: Array, sums: Array, squares: Array) -> Array:
    with np.errstate(invalid="ignore", divide="ignore"):
        whole = sums.sum(axis=0) ** 2 / counts.sum(axis=0)
        between = np.where(counts > 0, sums**2 / counts, 0.0).sum(axis=0) - whole
        spread = squares - whole
        # What is left of a constant is rounding.
        judged: Array = np.where(spread > 1e-12 * squares, np.sqrt(np.clip(between / spread, 0.0, 1.0)), np.nan)
    judged[(counts > 0).sum(axis=0) < 2] = np.nan
    return judged
