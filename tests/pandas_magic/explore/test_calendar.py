"""Regular steps are told as a calendar has them; what is not regular is told as nothing."""

import numpy as np
import pandas as pd
import pytest

from pandas_magic.explore.confined.calendar import frequency
from tests.pandas_magic.explore.conftest import Explore


@pytest.mark.feature("C15")
@pytest.mark.parametrize(
    ("rule", "said"),
    [
        ("ME", "1 month"),
        ("QE", "3 months"),
        ("YE", "1 year"),
        ("2YS", "2 years"),
        ("B", "1 business day"),
        ("D", "1 day"),
        ("W", "1 week"),
        ("15min", "15 minutes"),
        ("3ns", "3e-09 seconds"),
    ],
)
def test_steps_of_a_calendar_are_named(rule: str, said: str) -> None:
    assert frequency(pd.date_range("2020-01-31", periods=40, freq=rule).to_numpy()) == said


def test_the_15th_of_each_month_is_monthly_and_a_moved_one_is_not() -> None:
    days = np.arange("2020-01", "2024-01", dtype="datetime64[M]").astype("datetime64[D]") + 14
    assert frequency(days) == "1 month"
    assert frequency(np.sort(days + np.arange(len(days)) % 3)) == "irregular"


@pytest.mark.feature("C15")
def test_times_with_a_zone_are_judged_by_the_clocks_of_their_zone(explore: Explore) -> None:
    months = pd.date_range("2020-01-01", periods=48, freq="MS", tz="Europe/Berlin")
    summary = explore(pd.DataFrame({"month": months})).facts["columns_profile"]["month"]["summary"]
    assert summary["frequency"] == "1 month" and "hour" not in summary["features"]
    assert summary["suggested_dtype"] == "datetime64[us, Europe/Berlin]"
    assert summary["min"] == "2019-12-31T23:00:00Z"
