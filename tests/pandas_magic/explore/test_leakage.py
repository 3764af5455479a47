"""What gives a target away without being it: its order, and gaps."""

import numpy as np
import pandas as pd
import pytest

from pandas_magic.explore.confined.leakage import _area
from tests.pandas_magic.explore.conftest import Explore

ROWS = 300


def _reasons(explore: Explore, frame: pd.DataFrame, target: str) -> dict[str, str]:
    return {each["feature"]: "; ".join(each["reasons"]) for each in explore(frame, target=target).suspects}


@pytest.mark.feature("C17")
def test_a_number_in_the_order_of_the_target_is_suspected(explore: Explore) -> None:
    random = np.random.default_rng(20)
    log = random.normal(size=ROWS)
    frame = pd.DataFrame({"log": log, "noise": random.normal(size=ROWS), "price": np.exp(3 * log)})
    assert abs(frame["log"].corr(frame["price"])) < 0.9, "Pearson alone would not tell"
    assert _reasons(explore, frame, "price") == {"log": "Spearman 1.000 with price: the same order"}


@pytest.mark.feature("C17")
def test_a_number_that_parts_two_classes_is_suspected(explore: Explore) -> None:
    random = np.random.default_rng(21)
    fraud = random.random(ROWS) < 0.3
    refund = np.where(fraud, random.exponential(50, ROWS) + 1, 0.0)
    frame = pd.DataFrame({"refund": refund, "amount": random.normal(size=ROWS) + fraud, "fraud": fraud})
    assert frame["refund"].corr(frame["fraud"].astype(float)) < 0.9
    assert _reasons(explore, frame, "fraud") == {"refund": "alone it parts the classes of fraud (ROC AUC 1.000)"}


@pytest.mark.feature("C17")
@pytest.mark.parametrize("value", ["2024-01-05", 3.5])
def test_gaps_that_tell_the_target_are_suspected(explore: Explore, value: object) -> None:
    random = np.random.default_rng(22)
    left = random.random(ROWS) < 0.4
    frame = pd.DataFrame({"closed": pd.Series(value, index=range(ROWS)).where(left), "left": left})
    frame["seen"] = pd.Series(random.normal(size=ROWS)).where(random.random(ROWS) < 0.5)
    assert _reasons(explore, frame, "left") == {"closed": "whether it is missing goes with left (1.000)"}


def test_the_area_is_that_of_scikit_learn() -> None:
    from sklearn.metrics import roc_auc_score

    random = np.random.default_rng(23)
    positive, values = random.random(200) < 0.4, random.integers(0, 9, 200).astype(float)
    expected = float(roc_auc_score(positive, values))
    assert np.isclose(_area(values, positive), max(expected, 1 - expected), rtol=1e-12)
    assert _area(values, np.arange(200) < 4) == 0.0, "four rows of a class say nothing"
