"""Drift is told where it is, and never denied where nothing was compared."""

from typing import Any

import numpy as np
import pandas as pd
import pytest

from pandas_magic.explore.confined.drift import drift_of_tables
from tests.pandas_magic.explore.conftest import explorer_of, report_from

ROWS = 60


def _drift(before: pd.DataFrame, after: pd.DataFrame) -> tuple[str, str, dict[str, dict[str, Any]]]:
    verdict, summary, facts = drift_of_tables(before, explorer_of(after).columns)
    return verdict, summary, {entry["column"]: entry for entry in facts["columns"]}


def test_columns_of_one_name_are_compared_in_their_order() -> None:
    frame = pd.DataFrame([(n, -n) for n in range(ROWS)], columns=["a", "a"])
    verdict, _, columns = _drift(frame, frame)
    assert (
        list(columns) == ["a", "a.2"] and columns["a"]["ks"] == columns["a.2"]["ks"] == 0.0 and "large" not in verdict
    )


@pytest.mark.parametrize("low", [20240101, pd.Timestamp("2024-01-01")])
def test_few_values_of_many_digits_are_told_apart(low: Any) -> None:
    step = pd.Timedelta(days=1) if isinstance(low, pd.Timestamp) else 1
    before = pd.DataFrame({"day": [low, low + step] * (ROWS // 2)})
    after = pd.DataFrame({"day": [low] * (ROWS - 3) + [low + 2 * step] * 3})
    _, summary, columns = _drift(before, after)
    assert columns["day"]["drift"] == "large" and len(columns["day"]["new_categories"]) == 1
    assert len(columns["day"]["vanished_categories"]) == 1 and "mean down from 20240" in summary.replace("-", "")


def test_a_number_that_became_a_time_changed_its_type() -> None:
    days = pd.date_range("2024-01-01", periods=ROWS)
    _, _, columns = _drift(pd.DataFrame({"at": np.arange(ROWS) * 1.5}), pd.DataFrame({"at": days}))
    assert columns["at"]["type_changed"] == "numeric before, datetime now" and "mean_before" not in columns["at"]


def test_what_was_not_compared_is_not_said_to_be_the_same() -> None:
    before = pd.DataFrame({"word": [f"w{n % 150}" for n in range(600)]})
    after = pd.DataFrame({"word": [f"v{n % 150}" for n in range(600)]})
    verdict, summary, columns = _drift(before, after)
    assert verdict == "not judged" == columns["word"]["drift"]
    assert summary.endswith("Not judged: word (more than 100 different texts).")
    compared = report_from(explorer_of(after)).compare(report_from(explorer_of(before)))
    assert compared.verdict == "not judged"


def test_a_constant_that_became_another_or_many_drifts() -> None:
    five, seven = pd.DataFrame({"v": [5.0] * ROWS}), pd.DataFrame({"v": [7.0] * ROWS})
    many = pd.DataFrame({"v": np.linspace(-1, 1, ROWS)})
    words = pd.DataFrame({"v": ["x"] * ROWS}), pd.DataFrame({"v": ["y"] * ROWS})
    for before, after in ((five, seven), (five, many), words):
        assert _drift(before, after)[0] == "large drift"
        assert report_from(explorer_of(after)).compare(report_from(explorer_of(before))).verdict == "large drift"
    assert report_from(explorer_of(five)).compare(report_from(explorer_of(five))).verdict == "no drift"
