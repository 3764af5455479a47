"""How much of a measure lies between groups: of one pair, or of many at once."""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np

from pandas_magic.explore.confined.statistics import Array, deviations

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
    values = deviations(values)
    total = float(values @ values)
    sums = np.bincount(codes, weights=values, minlength=size)
    between = float((sums[counts > 0] ** 2 / counts[counts > 0]).sum())
    return None if not total else math.sqrt(min(1.0, between / total))


def correlation_ratios(groupings: list[Grouping], measures: Iterable[Array]) -> list[Array]:
    """`correlation_ratio` of each measure in each grouping, an array per grouping; NaN where it is None."""
    # The last group is of rows in none.
    belongs = [(np.where(codes < 0, size, codes), size) for codes, size in groupings]
    known = [codes >= 0 for codes, _ in groupings]
    whole = [np.bincount(each, minlength=size + 1)[:size] for each, size in belongs]
    columns: list[list[tuple[Array, Array, float]]] = [[] for _ in groupings]
    for measure in measures:
        gaps = np.isnan(measure)
        # The mean of all rows is near enough to that of a grouping's rows to keep the differences below exact.
        values = np.zeros(len(measure))
        if not gaps.all():
            values[~gaps] = deviations(measure[~gaps])
        squares, is_whole = values * values, not gaps.any()
        for at, (each, size) in enumerate(belongs):
            counts = whole[at] if is_whole else np.bincount(each[~gaps], minlength=size + 1)[:size]
            sums = np.bincount(each, weights=values, minlength=size + 1)[:size]
            columns[at].append((counts, sums, float(squares @ known[at])))
    return [_ratios(*(np.array(part) for part in zip(*found, strict=True))) for found in columns]


def _ratios(counts: Array, sums: Array, squares: Array) -> Array:
    """From a line per measure: rows and sums of each group, and the sum of the squares."""
    with np.errstate(invalid="ignore", divide="ignore"):
        whole = sums.sum(axis=1) ** 2 / counts.sum(axis=1)
        between = np.where(counts > 0, sums**2 / counts, 0.0).sum(axis=1) - whole
        spread = squares - whole
        # What is left of a constant is rounding.
        judged: Array = np.where(spread > 1e-12 * squares, np.sqrt(np.clip(between / spread, 0.0, 1.0)), np.nan)
    judged[(counts > 0).sum(axis=1) < 2] = np.nan
    return judged
