"""What is proposed and noted is true of the values that it is said of."""

from typing import Any

import numpy as np
import pandas as pd
import pytest

from tests.pandas_magic.explore.conftest import Explore


def test_a_target_without_two_classes_has_no_plan_and_one_of_a_single_row_is_told(explore: Explore) -> None:
    frame = pd.DataFrame({"n": np.arange(40) % 7, "one": 5, "none": None, "rare": ["a"] * 20 + ["b"] * 19 + ["c"]})
    for name in ("one", "none"):
        found = explore(frame, target=name)
        assert found.details["plan"]["models"] == [] == found.details["target"]["evidence"]
        assert found.details["columns"][name]["steps"][0].startswith("target: choose another")
    plan = explore(frame, target="rare").details["plan"]["cross_validation"]
    assert plan == "StratifiedKFold(5, shuffle=True); a class of one row must be merged or left out first"


def test_moments_of_less_than_a_microsecond_are_no_duplicates(explore: Explore) -> None:
    moments = pd.to_datetime(np.arange(40) + 1_700_000_000_000_000_000)
    assert explore(pd.DataFrame({"at": moments, "same": "x"})).details["duplicate_rows"] == 0


@pytest.mark.feature("C13")
def test_suggested_dtypes_have_room_for_the_values(explore: Explore) -> None:
    frame = pd.DataFrame({"huge": np.arange(40) * 1e30, "took": pd.to_timedelta(np.arange(40) % 9, unit="min")})
    frame["is_new"] = pd.array([True, None] * 20, dtype="boolean")
    explorer = explore(frame)
    profiles = explorer.facts["columns_profile"]
    said = [profile["summary"]["suggested_dtype"] for profile in profiles.values()]
    assert said == ["float64", str(frame["took"].dtype), "boolean"]
    assert "took: durations, in seconds" in [entry["text"] for entry in explorer.details["quality"]]


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ([-1] * 5 + [*range(45)], "-1 occurs 5 times, the only value below zero: it may mean missing"),
        ([999] * 5 + [*range(45)], "999 occurs 5 times, far from all other values: it may mean missing"),
        ([*-np.exp(np.arange(49) / 3)], "skewness -3.5: a quantile transform may help"),
        (["a"] * 39 + ["b"] + [None] * 10, '"a" is in 97.5 % of the values'),
    ],
)
def test_what_is_noted_of_values_is_true_of_them(explore: Explore, values: list[Any], said: str) -> None:
    notes = [entry["text"] for entry in explore(pd.DataFrame({"v": values})).details["quality"]]
    assert f"v: {said}" in notes


@pytest.mark.feature("C19")
def test_a_key_is_no_quantity_though_it_was_written_twice_or_refers_to_other_rows(explore: Explore) -> None:
    order_id = np.arange(10_000) * 3 + 7
    order_id[[20, 500, 5_000, 9_999]] = order_id[[10, 400, 4_000, 9_000]]
    customer_id = np.random.default_rng(1).integers(1, 400, 10_000)
    explorer = explore(pd.DataFrame({"order_id": order_id, "customer_id": customer_id, "paid": order_id}))
    steps = {name: facts["steps"] for name, facts in explorer.details["columns"].items()}
    assert steps["order_id"] == ["drop from features: it identifies rows; keep as a key"]
    assert steps["customer_id"] == ["keep as a key: named like an id, and no quantity"]
    assert steps["paid"] == ["scale: standard"]
    assert explorer.details["columns"]["order_id"]["evidence"].endswith("9,996 different whole numbers in 10,000 rows")
    assert explorer.facts["columns_profile"]["customer_id"]["suggested_action"] == "none"
