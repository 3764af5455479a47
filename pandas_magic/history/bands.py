"""Bands learned from what runs saw: between which numbers the next is to be expected, or why nobody can say.

Source: a value is an outlier when it is more than 3.5 / 0.6745 median absolute deviations from the median; where more
than half of the values are the same, 3.5 × 1.2533 mean absolute deviations (Iglewicz and Hoaglin, How to Detect and
Handle Outliers, 1993). Both bear up to half of the past being wrong. No band is learned from numbers that rise or fall:
Mann-Kendall's test at 5 % (Mann 1945; Kendall 1975).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from statistics import fmean, median

from pandas_magic.record import Record

FEWEST = 10  # of less than ten numbers the deviation itself is off by a third and more
MOST = 60  # what is older tells of another time
_OUTLIER = 3.5
_OF_MEDIAN, _OF_MEAN = 1 / 0.6745, 1.2533  # of a normal distribution: its deviation in those
_RISING = 1.96  # of a standard normal distribution 5 % lie beyond
_NARROWEST = 0.01  # of the median, on each side: what never changed may change by so much


class LearnedBand(Record):
    """Between which numbers the next is to be expected, ends included, and what the past was."""

    low: int | float
    high: int | float
    lowest: int | float  # of the past, like the next
    highest: int | float
    seen: int  # how many numbers the past has
    outside: int  # how many of them are not in the band


def learned_band(values: Sequence[float], *, whole: bool = False, floor: float | None = None) -> LearnedBand | str:
    """The band of the last 60 of the numbers, oldest first, with ends rounded outwards; or why there is none.

    `whole`: they are counts, so that the ends are whole. `floor` is what no number can be below.

    >>> learned_band([962, 1010, 1040, 990, 1105, 1020, 1050, 1001, 1033, 1015], whole=True).high
    1120
    >>> learned_band([962, 1010])
    'a band is learned from 10 runs on different data and more, and there are 2'
    """
    past = list(values)[-MOST:]
    if len(past) < FEWEST:
        return f"a band is learned from {FEWEST} runs on different data and more, and there are {len(past)}"
    if direction := _direction(past):
        return f"the numbers of the last {len(past)} runs {direction}, so that any fixed band is soon left"
    middle = median(past)
    reach = max(_reach(past, middle), _NARROWEST * abs(middle), 1.0 if whole else 0.0)
    step = _step(reach, whole)
    low, high = _rounded(math.floor((middle - reach) / step), step), _rounded(math.ceil((middle + reach) / step), step)
    low = low if floor is None else max(low, floor)
    outside = sum(not low <= value <= high for value in past)
    return LearnedBand(low=low, high=high, lowest=min(past), highest=max(past), seen=len(past), outside=outside)


def _reach(past: Sequence[float], middle: float) -> float:
    """How far from the median a number is no outlier yet."""
    deviations = [abs(value - middle) for value in past]
    by_median = median(deviations)
    return _OUTLIER * (by_median * _OF_MEDIAN if by_median else fmean(deviations) * _OF_MEAN)


def _step(reach: float, whole: bool) -> float:
    """The power of ten that ends are rounded to: no more than a quarter of the reach."""
    if not reach:
        return 1.0
    step = 10.0 ** math.floor(math.log10(reach / 4))
    return max(step, 1.0) if whole else step


def _rounded(steps: int, step: float) -> int | float:
    """So many steps: a whole number as one, and 3 × 0.1 as 0.3."""
    value = steps * step if step >= 1 else steps / round(1 / step)
    return int(value) if float(value).is_integer() else value


def _direction(past: Sequence[float]) -> str:
    """The word for where the numbers go, "rise" or "fall"; "" where that may be an accident."""
    score = sum((later > sooner) - (later < sooner) for sooner, later in combinations(past, 2))
    count = len(past)
    ties = sum(each * (each - 1) * (2 * each + 5) for each in Counter(past).values())
    variance = (count * (count - 1) * (2 * count + 5) - ties) / 18
    if not variance or abs(score) <= 1 or (abs(score) - 1) / math.sqrt(variance) <= _RISING:
        return ""
    return "rise" if score > 0 else "fall"
