"""How much of a measure lies between groups: of one pair, or of many at once."""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np

from pandas_magic.explore.confined.formulas import Array, deviations

_FEW_GROUPS = 12  # of more, adding up is quicker than a product full of zeros
_BLOCK_ROWS = 1 << 11  # that stay in the cache
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
    """`correlation_ratio` of each measure in each grouping, an array per grouping; NaN where it is None.

    Sums of all groups are one product of matrices for each block of rows, where the groups are few.
    """
    values = [_prepared(measure) for measure in measures]
    few = [at for at, (_, size) in enumerate(groupings) if size <= _FEW_GROUPS]
    found: dict[int, Array] = {}
    if few and values:
        counts, sums, squares = _summed([groupings[at] for at in few], values)
        ends = np.cumsum([groupings[at][1] for at in few])[:-1]
        parts = zip(few, np.split(counts, ends, axis=1), np.split(sums, ends, axis=1), squares, strict=True)
        found |= {at: _ratios(*of) for at, *of in parts}
    for at in range(len(groupings)):
        if at not in found:
            lines = [_summed_alone(groupings[at], measure) for measure in values]
            found[at] = _ratios(*(np.array(part) for part in zip(*lines, strict=True)))
    return [found[at] for at in range(len(groupings))]


def _prepared(measure: Array) -> tuple[Array, Array | None]:
    """Deviations from the mean, 0 where missing, and which are there; None: all."""
    gaps = np.isnan(measure)
    if not gaps.any():
        return deviations(measure), None
    # The mean of all rows is near enough to that of a grouping's rows to keep the differences exact.
    values = np.zeros(len(measure))
    if not gaps.all():
        values[~gaps] = deviations(measure[~gaps])
    return values, ~gaps


def _summed(groupings: list[Grouping], measures: list[tuple[Array, Array | None]]) -> tuple[Array, Array, Array]:
    """Rows and sums per measure and group, all groupings side by side; and sums of squares per grouping and measure."""
    starts = np.cumsum([0, *(size for _, size in groupings)])
    counts, sums = (np.zeros((len(measures), starts[-1])) for _ in range(2))
    squares = np.zeros((len(groupings), len(measures)))
    holey = [at for at, (_, there) in enumerate(measures) if there is not None]
    for first in range(0, len(measures[0][0]), _BLOCK_ROWS):
        rows = slice(first, first + _BLOCK_ROWS)
        block = np.array([values[rows] for values, _ in measures])
        # A line per group with 1 in its rows; the last one takes the rows of no group.
        member, known = np.zeros((starts[-1] + 1, block.shape[1])), np.ones((len(groupings), block.shape[1]))
        for at, (codes, _) in enumerate(groupings):
            part = codes[rows]
            member[np.where(part < 0, starts[-1], part + starts[at]), np.arange(len(part))] = 1.0
            known[at] = part >= 0
        member = member[:-1]
        sums += block @ member.T
        squares += known @ (block * block).T
        counts += member.sum(axis=1)
        if holey:
            gaps = np.array([~there[rows] for _, there in (measures[at] for at in holey) if there is not None], float)
            counts[holey] -= gaps @ member.T
    return counts, sums, squares


def _summed_alone(grouping: Grouping, measure: tuple[Array, Array | None]) -> tuple[Array, Array, float]:
    (codes, size), (values, there) = grouping, measure
    known = codes >= 0 if there is None else (codes >= 0) & there
    codes, values = codes[known], values[known]
    counts = np.bincount(codes, minlength=size)
    return counts, np.bincount(codes, weights=values, minlength=size), float(values @ values)


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
