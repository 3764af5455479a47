"""Formulas. Each says where it is from; missing values are left out by the caller."""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]

# Beyond 2**53 not every integer has a float64 of its own.
_EXACT_IN_FLOAT = 2**53
_SMALLEST = 1e-70  # of which the fourth power is still a float
_ROUNDING = 8 * float(np.finfo(np.float64).eps)
_CHUNK = 1 << 15  # values per pass: they stay in the cache, and no large table needs a second copy of itself


@dataclass(frozen=True)
class Moments:
    """Mean, standard deviation, skewness and excess kurtosis; None where too few or equal values define none."""

    mean: float | None
    std: float | None
    skew: float | None
    kurtosis: float | None


def moments(values: Array) -> Moments:
    """The moments of finite numbers, with the corrections for samples that pandas and most textbooks use.

    `std` divides by n - 1. Integers of any size keep a mean exact to the last bit of a float.

    Source: skewness G1 and kurtosis G2 of Joanes and Gill (1998), The Statistician 47, as `DataFrame.skew` and `kurt`.
    """
    count = len(values)
    if not count:
        return Moments(None, None, None, None)
    largest = max(-float(values.min()), float(values.max()))
    if values.dtype.kind == "f" and largest and not _SMALLEST < largest < 1 / _SMALLEST:
        known = moments(values / largest)
        assert known.mean is not None
        std = None if known.std is None else known.std * largest
        return Moments(known.mean * largest, std, known.skew, known.kurtosis)
    mean = near_mean(values)
    shift, second, third, fourth = _central_sums(values, mean)
    if values.dtype.kind == "f":
        mean += shift  # makes up for what rounding lost on values far from zero
    std = math.sqrt(second / (count - 1)) if count > 1 else None
    return Moments(mean, std, _skewness(count, second, third), _kurtosis(count, second, fourth))


def near_mean(values: Array) -> float:
    """The mean of one or more numbers but for rounding; that of integers exactly, so that no 64-bit id loses digits."""
    if values.dtype.kind in "iu":
        return _integer_sum(values) / len(values)
    mean = float(np.mean(values))
    if not math.isfinite(mean):  # the sum is beyond the largest float, the mean need not be
        return float(np.mean(values / len(values)) * len(values))
    return mean


def _integer_sum(values: Array) -> int:
    if len(values) * max(abs(int(values.min())), abs(int(values.max()))) < 2**63:
        return int(values.sum(dtype=np.int64))
    high, low = values >> 32, values & 0xFFFFFFFF
    return (int(high.sum(dtype=np.int64 if values.dtype.kind == "i" else np.uint64)) << 32) + int(
        low.sum(dtype=np.int64)
    )


def _central_sums(values: Array, near: float) -> tuple[float, float, float, float]:
    """How far the mean lies from `near`, and the sums of the second to fourth powers of the deviations from it."""
    origin: Any = 0
    if values.dtype.kind in "iu" and max(abs(int(values.min())), abs(int(values.max()))) > _EXACT_IN_FLOAT:
        # Differences are small where the values are not: take them before anything becomes a float.
        origin = values[0]
        near = float((_integer_sum(values) - len(values) * int(origin)) / len(values))
    count, sums = len(values), [0.0, 0.0, 0.0, 0.0]
    with np.errstate(over="ignore", invalid="ignore"):
        for start in range(0, count, _CHUNK):
            deviation = _less(values[start : start + _CHUNK], origin) - near
            square = deviation * deviation
            sums[0] += float(deviation.sum())
            sums[1] += float(square.sum())
            sums[2] += float(square @ deviation)
            sums[3] += float(square @ square)
    first, second, third, fourth = sums
    shift = first / count
    if not shift or not math.isfinite(shift) or not math.isfinite(fourth):
        return 0.0, second, third, fourth
    # The powers of (x - shift) multiplied out, summed.
    fourth += -4 * shift * third + 6 * shift**2 * second - 3 * count * shift**4
    third += -3 * shift * second + 2 * count * shift**3
    return shift, max(0.0, second - count * shift**2), third, fourth


def _less(values: Array, origin: Any) -> Array:  # noqa: ANN401 - a scalar of the array's type, or 0
    if not origin:
        return values.astype(np.float64, copy=False)
    if values.dtype.kind == "u":
        above, below = (values - origin).astype(np.float64), (origin - values).astype(np.float64)
        signed: Array = np.where(values >= origin, above, -below)
        return signed
    span = int(values.max()) - int(origin), int(origin) - int(values.min())
    if max(span) >= 2**63:  # the difference itself would not fit
        return values.astype(np.float64) - float(origin)
    difference: Array = (values - origin).astype(np.float64)
    return difference


def _skewness(count: int, second: float, third: float) -> float | None:
    if count < 3 or not second > 0 or not math.isfinite(third):
        return None
    variance = second / count
    biased = (third / count) / variance**1.5
    return float(math.sqrt(count * (count - 1)) / (count - 2) * biased)


def _kurtosis(count: int, second: float, fourth: float) -> float | None:
    if count < 4 or not second > 0 or not math.isfinite(fourth):
        return None
    biased = (fourth / count) / (second / count) ** 2 - 3
    return (count - 1) / ((count - 2) * (count - 3)) * ((count + 1) * biased + 6)


def quantile(ordered: Array, share: float) -> int | float:
    """The quantile of sorted numbers by linear interpolation; an integer when it falls on one.

    Source: definition 7 of Hyndman and Fan (1996), the default of NumPy, pandas and R.
    """
    position = share * (len(ordered) - 1)
    below = math.floor(position)
    low: int | float = ordered[below].item()
    part = position - below
    if not part:
        return low
    high: int | float = ordered[below + 1].item()
    return low + (high - low) * part


def pearson(left: Array, right: Array) -> float | None:
    """The product-moment correlation of two equally long float arrays without gaps; None when one is constant."""
    if len(left) < 2:
        return None
    left, right = deviations(left), deviations(right)
    scale = math.sqrt(float(left @ left)) * math.sqrt(float(right @ right))
    return None if not scale else max(-1.0, min(1.0, float(left @ right) / scale))


def deviations(values: Array) -> Array:
    """How far each number lies from their mean, in a unit of which the squares are floats; all 0 for a constant."""
    largest = max(-float(values.min()), float(values.max()))
    if largest and not _SMALLEST < largest < 1 / _SMALLEST:
        values = values / largest
    from_mean: Array = values - values.mean()
    # What is left of a constant is rounding: a few units in the last place of the mean.
    if max(-float(from_mean.min()), float(from_mean.max())) <= _ROUNDING * abs(float(values[0])):
        from_mean = np.zeros(len(values))
    return from_mean


def spearman(left: Array, right: Array) -> float | None:
    """The rank correlation, ties by their mean rank; None when one side is constant.

    Source: Spearman (1904); as `scipy.stats.spearmanr`.
    """
    return pearson(mean_ranks(left), mean_ranks(right))


def mean_ranks(values: Array) -> Array:
    """The rank of each number, counted from 1; equal ones share the mean of theirs."""
    order = np.argsort(values, kind="stable")
    ordered = values[order]
    starts = np.flatnonzero(np.concatenate(([True], ordered[1:] != ordered[:-1])))
    ends = np.append(starts[1:], len(values))
    ranks = np.empty(len(values))
    ranks[order] = np.repeat((starts + ends + 1) / 2, ends - starts)
    return ranks


def crosstab(left: Array, right: Array, left_size: int, right_size: int) -> Array:
    """How often each pair of codes occurs together, as a left_size × right_size table; codes of -1 do not."""
    both = (left >= 0) & (right >= 0)
    if not both.all():
        left, right = left[both], right[both]
    flat = np.bincount(left.astype(np.int64, copy=False) * right_size + right, minlength=left_size * right_size)
    return flat.reshape(left_size, right_size)


def chi_square(table: Array) -> float:
    """Pearson's statistic of independence, without a continuity correction."""
    table = table[table.sum(axis=1) > 0][:, table.sum(axis=0) > 0]
    total = table.sum()
    if not total:
        return 0.0
    expected = np.outer(table.sum(axis=1), table.sum(axis=0)) / total
    return float(((table - expected) ** 2 / expected).sum())


def cramers_v(table: Array, *, corrected: bool = False) -> float | None:
    """Cramér's V of a table of counts, 0 to 1; None when one side has fewer than two values.

    `corrected` takes away what chance alone gives tables with many cells.

    Source: Cramér (1946), as `scipy.stats.contingency.association`; correction of Bergsma (2013), J. Korean Stat. Soc.
    """
    rows, columns = int((table.sum(axis=1) > 0).sum()), int((table.sum(axis=0) > 0).sum())
    total = float(table.sum())
    if min(rows, columns) < 2:
        return None
    share = chi_square(table) / total
    if not corrected:
        return min(1.0, math.sqrt(share / (min(rows, columns) - 1)))
    if total < 2:
        return None
    share = max(0.0, share - (rows - 1) * (columns - 1) / (total - 1))
    smaller = min(rows - (rows - 1) ** 2 / (total - 1), columns - (columns - 1) ** 2 / (total - 1)) - 1
    return min(1.0, math.sqrt(share / smaller)) if smaller > 0 else None


def mutual_information(table: Array) -> float:
    """The mutual information in nats of the two sides of a table of counts.

    Source: Shannon (1948); as `sklearn.metrics.mutual_info_score`.
    """
    total = float(table.sum())
    if not total:
        return 0.0
    expected = np.outer(table.sum(axis=1), table.sum(axis=0)) / total
    seen = table > 0
    return max(0.0, float((table[seen] / total * np.log(table[seen] / expected[seen])).sum()))


def population_stability(before: Array, after: Array) -> float:
    """PSI of two tables of counts over the same bins; below 0.1 little, above 0.25 a large shift by convention.

    An empty bin counts as half an observation, else one lost category would make it infinite.

    Source: Siddiqi (2006), Credit Risk Scorecards, the symmetric Kullback-Leibler divergence of the two shares.
    """
    first, second = (np.maximum(counts, 0.5) / np.maximum(counts, 0.5).sum() for counts in (before, after))
    return float(((second - first) * np.log(second / first)).sum())


def kolmogorov_smirnov(left: Array, right: Array) -> float:
    """The largest distance of two empirical distribution functions, 0 to 1, of two arrays of one or more numbers.

    Source: Smirnov (1939); as `scipy.stats.ks_2samp(...).statistic`.
    """
    left, right = np.sort(left), np.sort(right)
    every = np.concatenate([left, right])
    below = (
        np.searchsorted(left, every, side="right") / len(left),
        np.searchsorted(right, every, side="right") / len(right),
    )
    return float(np.abs(below[0] - below[1]).max())
