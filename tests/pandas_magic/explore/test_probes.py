"""Deeper looks: what they compute, against values known by construction or by other means."""

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
import pytest
import scipy
from threadpoolctl import threadpool_limits

from pandas_magic.explore.confined.explorer import Explorer
from pandas_magic.explore.confined.probes import PROBES
from tests.pandas_magic.explore.conftest import Explore


@pytest.fixture(autouse=True)
def _one_thread() -> Iterator[None]:
    """As in the sandbox: on a busy machine many threads on little work wait for each other."""
    with threadpool_limits(1):
        yield


def probe(explorer: Explorer, name: str, other: pd.DataFrame | None = None, **options: Any) -> dict[str, Any]:
    return PROBES[name](explorer, options, other)


@pytest.fixture
def filled() -> pd.DataFrame:
    random = np.random.default_rng(11)
    x = random.normal(size=200)
    frame = pd.DataFrame({"x": x, "known": 5 * x + random.normal(0, 0.1, 200), "noise": random.normal(size=200)})
    frame["kind"] = np.where(x > 0, "high", "low")
    frame.loc[::7, ["known", "noise", "kind"]] = None
    return frame


@pytest.mark.feature("C20")
def test_drill_missing_finds_where_a_predictive_fill_pays(explore: Explore, filled: pd.DataFrame) -> None:
    facts = {entry["column"]: entry for entry in probe(explore(filled), "drill_missing")["facts"]["columns"]}
    assert facts["known"]["gain"] > 0.5 and facts["kind"]["gain"] > 0.5
    assert facts["noise"]["gain"] < 0.1
    assert facts["kind"]["best_simple"] == "mode" and facts["known"]["best_simple"] in ("mean", "median")


@pytest.mark.feature("C20")
def test_drill_missing_measures_simple_fills_as_done_by_hand(explore: Explore, filled: pd.DataFrame) -> None:
    from sklearn.model_selection import KFold

    known = filled["noise"].dropna().to_numpy()
    folds = KFold(5, shuffle=True, random_state=0).split(known)
    by_hand = np.mean([np.abs(known[test] - np.median(known[train])).mean() for train, test in folds])
    found = probe(explore(filled), "drill_missing", columns=["noise"])["facts"]["columns"][0]
    assert math.isclose(found["simple"]["median"], by_hand, rel_tol=1e-9)


@pytest.mark.feature("C20")
def test_drill_missing_never_uses_the_target(explore: Explore) -> None:
    random = np.random.default_rng(12)
    value = random.normal(size=150)
    frame = pd.DataFrame(
        {"v": np.where(np.arange(150) % 5 == 0, np.nan, value), "y": value * 2, "z": random.normal(size=150)}
    )
    found = probe(explore(frame, target="y"), "drill_missing")["facts"]["columns"][0]
    assert found["features"] == 1 and found["gain"] < 0.1


@pytest.mark.feature("C21")
def test_leakage_check_tells_the_leak_from_the_id(explore: Explore, people: pd.DataFrame) -> None:
    found = probe(explore(people, target="bought"), "leakage_check")
    scores = {entry["column"]: entry for entry in found["facts"]["columns"]}
    assert scores["outcome_code"]["score"] == 1.0 and scores["outcome_code"]["verdict"] == "leak"
    assert scores["customer_id"]["score"] < 0.7 and scores["customer_id"]["verdict"] == "no leak by itself"
    assert found["verdict"] == "outcome_code gives the target away"


@pytest.mark.feature("C21")
@pytest.mark.parametrize(("target", "measure"), [("m", "R²"), ("k", "balanced accuracy")])
def test_leakage_check_of_measures_and_many_classes(explore: Explore, target: str, measure: str) -> None:
    random = np.random.default_rng(13)
    base = random.normal(size=300)
    frame = pd.DataFrame(
        {"m": base, "k": np.digitize(base, [-0.5, 0.5]).astype(str), "copy": base * 3, "z": random.normal(size=300)}
    )
    found = probe(explore(frame, target=target), "leakage_check", columns=["copy", "z"])
    first, second = found["facts"]["columns"]
    assert first["measure"] == measure and first["score"] > 0.95 and second["score"] < 0.6


@pytest.mark.feature("C21")
def test_leakage_check_without_a_target_says_what_it_needs(explore: Explore) -> None:
    assert probe(explore(pd.DataFrame({"a": [1, 2]})), "leakage_check")["verdict"] == "not possible"


@pytest.mark.feature("C22")
def test_type_disambiguation_shows_both_readings_on_a_sample(explore: Explore) -> None:
    frame = pd.DataFrame({"grade": [1, 2, 3] * 20, "x": np.random.default_rng(0).normal(size=60)})
    found = probe(explore(frame), "type_disambiguation")
    entry = found["facts"]["columns"][0]
    assert entry["column"] == "grade" and len(entry["sample"]) == 12
    assert [reading["reading"] for reading in entry["readings"]] == ["numeric", "categorical"]
    assert found["verdict"] == "a person must say"


def test_pair_of_numbers_agrees_with_scipy(explore: Explore) -> None:
    random = np.random.default_rng(14)
    a = random.normal(size=80)
    frame = pd.DataFrame({"a": a, "b": 2 * a + random.normal(size=80)})
    facts = probe(explore(frame), "pair", columns=["a", "b"])["facts"]
    line = scipy.stats.linregress(frame["a"], frame["b"])
    assert math.isclose(facts["slope"], line.slope) and math.isclose(facts["intercept"], line.intercept, abs_tol=1e-9)
    assert math.isclose(facts["spearman"], scipy.stats.spearmanr(frame["a"], frame["b"]).statistic)


def test_pair_of_categories_and_of_groups_agree_with_scipy(explore: Explore) -> None:
    random = np.random.default_rng(15)
    frame = pd.DataFrame(
        {"g": random.choice(list("abc"), 90), "h": random.choice(list("xy"), 90), "v": random.normal(size=90)}
    )
    explorer = explore(frame)
    counted = probe(explorer, "pair", columns=["g", "h"])["facts"]
    theirs = scipy.stats.chi2_contingency(pd.crosstab(frame["g"], frame["h"]), correction=False)
    assert math.isclose(counted["chi_square"], theirs.statistic) and math.isclose(counted["p_value"], theirs.pvalue)
    grouped = probe(explorer, "pair", columns=["v", "g"])["facts"]
    anova = scipy.stats.f_oneway(*(part["v"] for _, part in frame.groupby("g")))
    assert math.isclose(grouped["f"], anova.statistic) and math.isclose(grouped["p_value"], anova.pvalue)


def test_drift_tells_direction_categories_and_distance(explore: Explore) -> None:
    random = np.random.default_rng(16)
    before = pd.DataFrame(
        {"v": random.normal(size=500), "k": random.choice(["a", "b"], 500), "same": random.normal(size=500)}
    )
    after = pd.DataFrame({"v": random.normal(1, 1, 500), "k": random.choice(["b", "c"], 500), "same": before["same"]})
    found = probe(explore(after), "drift", other=before)
    facts = {entry["column"]: entry for entry in found["facts"]["columns"]}
    assert facts["v"]["direction"] == "up" and facts["v"]["drift"] == "large"
    assert math.isclose(facts["v"]["ks"], scipy.stats.ks_2samp(before["v"], after["v"]).statistic)
    assert facts["k"]["new_categories"] == ["c"] and facts["k"]["vanished_categories"] == ["a"]
    assert facts["same"]["psi"] == 0 and facts["same"]["drift"] == "little"
    assert found["verdict"] == "large drift"


def test_drift_of_columns_that_came_and_went(explore: Explore) -> None:
    found = probe(
        explore(pd.DataFrame({"a": [1, 2], "new": [1, 2]})), "drift", other=pd.DataFrame({"a": [1, 2], "old": [1, 2]})
    )
    assert found["facts"]["new_columns"] == ["new"] and found["facts"]["vanished_columns"] == ["old"]


def test_an_association_that_chance_makes_is_called_none(explore: Explore) -> None:
    random = np.random.default_rng(31)
    codes = {name: random.choice([f"{name}{n}" for n in range(15)], 60) for name in "ab"}
    explorer = explore(pd.DataFrame({**codes, "v": random.normal(size=60)}))
    of_two, of_groups = (probe(explorer, "pair", columns=columns) for columns in (["a", "b"], ["a", "v"]))
    assert of_two["facts"]["cramers_v"] > 0.4 and of_two["verdict"] in ("no association", "weak association")
    assert of_groups["facts"]["correlation_ratio"] > 0.3
    assert of_groups["verdict"] == "no clear difference between groups"
