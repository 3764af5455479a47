"""Bands learned from the past: computed here by hand and by `statistics`, refused where nothing can be learned."""

from random import Random
from statistics import median

import pytest

from pandas_magic.history.bands import FEWEST, LearnedBand, learned_band

ROWS = [962, 1010, 1040, 990, 1105, 1020, 1050, 1001, 1033, 1015]


def test_the_band_is_the_median_and_three_and_a_half_normal_deviations_rounded_outwards() -> None:
    middle = median(ROWS)
    reach = 3.5 / 0.6745 * median(abs(value - middle) for value in ROWS)
    assert (middle, round(reach, 1)) == (1017.5, 101.2)
    band = learned_band(ROWS, whole=True)
    assert band == LearnedBand(low=910, high=1120, lowest=962, highest=1105, seen=10, outside=0)


@pytest.mark.parametrize(
    ("past", "how", "low", "high", "outside"),
    [
        # Five wrong nights of twenty: the median is 1010, the median deviation 35.
        ([*ROWS, *ROWS[:5], 0, 5, 3, 9_000, 7], {"whole": True}, 820, 1200, 5),
        ([1000] * 12, {"whole": True}, 990, 1010, 0),
        ([0.0] * 12, {}, 0, 0, 0),
        # More than half are the same: 3.5 × 1.2533 × the mean of |0.002 … | = 0.0004.
        ([0.01] * 8 + [0.012, 0.008], {"floor": 0.0}, 0.0082, 0.0118, 2),
        ([0.001, 0.002, 0.003] * 4, {"floor": 0.0}, 0.0, 0.008, 0),
        ([2] * 11, {"whole": True}, 1, 3, 0),
    ],
)
def test_bands_bear_wrong_nights_and_constant_numbers(
    past: list[float], how: dict[str, float], low: float, high: float, outside: int
) -> None:
    band = learned_band(past, **how)  # type: ignore[arg-type] # whole and floor
    assert isinstance(band, LearnedBand)
    assert (band.low, band.high, band.outside, band.seen) == (low, high, outside, len(past))


@pytest.mark.parametrize("past", [[], [5.0], ROWS[: FEWEST - 1]])
def test_too_few_runs_give_no_band(past: list[float]) -> None:
    assert learned_band(past) == f"a band is learned from 10 runs on different data and more, and there are {len(past)}"


def test_numbers_that_rise_or_fall_give_no_band_and_others_nearly_always_do() -> None:
    rising = [100 + 10 * night + Random(night).randint(-20, 20) for night in range(30)]
    assert learned_band(rising) == "the numbers of the last 30 runs rise, so that any fixed band is soon left"
    assert learned_band([-value for value in rising]) == (
        "the numbers of the last 30 runs fall, so that any fixed band is soon left"
    )
    steady = [Random(seed) for seed in range(200)]
    refused = [learned_band([one.gauss(1000, 30) for _ in range(30)]) for one in steady]
    assert sum(isinstance(band, str) for band in refused) <= 20  # the test takes 5 % of accidents for a trend


def test_only_the_last_sixty_count() -> None:
    band = learned_band([5, 6, 7, 6] * 40 + ROWS * 6, whole=True)
    assert isinstance(band, LearnedBand)
    assert (band.seen, band.lowest) == (60, 962)
