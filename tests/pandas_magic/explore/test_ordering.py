"""Sorting by counting and by cells against NumPy's own, on values that are spread in every way."""

import numpy as np
import pandas as pd
import pytest

from pandas_magic.explore.confined.ordering import in_order
from tests.pandas_magic.explore.conftest import Explore

ROWS = 100_000


def _spreads() -> dict[str, np.ndarray]:
    random = np.random.default_rng(1)
    bell = random.normal(size=ROWS)
    return {
        "bell": bell,
        "few": random.normal(size=50),
        "skewed": random.lognormal(0, 3, ROWS),
        "heavy tails": random.standard_cauchy(ROWS),
        "cents": np.round(random.exponential(20, ROWS), 2),
        "most alike": np.where(random.random(ROWS) < 0.99, 1.5, bell),
        "two scales": np.where(random.random(ROWS) < 0.5, bell * 1e-9, bell),
        "sorted": np.sort(bell),
        "reversed": np.sort(bell)[::-1],
        "in turns": np.tile([5.0, 1.0, 3.0, 9.0], ROWS // 4),
        "alike": np.full(ROWS, -2.5),
        "the largest": np.where(random.random(ROWS) < 0.5, 1.7e308, -1.7e308) * random.random(ROWS),
        "the smallest": random.random(ROWS) * 5e-324 * 100,
        "one far away": np.append(bell, [1e300, -1e300]),
        "ids": random.integers(-(2**63), 2**63 - 1, ROWS),
        "unsigned ids": random.integers(0, 2**64 - 1, ROWS, dtype=np.uint64),
        "neighbours": 2**62 + random.integers(0, 10**6, ROWS),
        "times": np.datetime64("2024-01-01", "us") + random.integers(0, 10**13, ROWS).astype("timedelta64[us]"),
    }


@pytest.mark.parametrize("name", list(_spreads()))
def test_values_of_any_spread_are_sorted_as_numpy_sorts_them(name: str) -> None:
    values = _spreads()[name]
    found = in_order(values)
    assert found.dtype == values.dtype
    assert (found == np.sort(values)).all()


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int16", "uint16", "int32"])
def test_a_column_of_narrow_integers_over_their_whole_range_is_explored(explore: Explore, dtype: str) -> None:
    limits = np.iinfo(np.dtype(dtype))
    values = np.random.default_rng(2).integers(limits.min, limits.max, 600_000, dtype=dtype, endpoint=True)
    facts = explore(pd.DataFrame({"reading": values})).facts["columns_profile"]["reading"]
    wide = pd.Series(values.astype(np.int64))
    assert facts["unique"] == wide.nunique()
    assert (facts["summary"]["min"], facts["summary"]["max"]) == (wide.min(), wide.max())
    assert facts["summary"]["median"] == wide.median()
    assert facts["summary"]["mean"] == pytest.approx(wide.mean(), rel=1e-12)
