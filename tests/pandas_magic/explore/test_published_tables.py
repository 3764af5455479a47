"""Tables of the shape of Adult and Titanic, end to end, against the figures that are published of the originals.

The originals are not carried: these are made, with as many rows, columns, classes, gaps and different values.
"""

from pathlib import Path

import jsonschema
import numpy as np
import pandas as pd
import pytest

import pandas_magic
from pandas_magic.explore.report import Report
from pandas_magic.explore.report_document import json_schema

# Of the training part of Adult (Kohavi, 1996): 32,561 rows, of which 7,841 earn more than 50K; "?" stands for a gap.
ADULT_ROWS, ADULT_RICH = 32_561, 7_841
ADULT_GAPS = {"workclass": 1_836, "occupation": 1_843, "native_country": 583}
# Of the training part of Titanic: 891 passengers, of whom 342 survived.
TITANIC_ROWS, TITANIC_SURVIVED = 891, 342
TITANIC_GAPS = {"Age": 177, "Cabin": 687, "Embarked": 2}


def _with_gaps(values: np.ndarray, gaps: int, random: np.random.Generator, *, mark: object) -> pd.Series:
    column = pd.Series(values, dtype=object)
    column.iloc[random.choice(len(column), gaps, replace=False)] = mark
    return column


@pytest.fixture(scope="module")
def adult(tmp_path_factory: pytest.TempPathFactory) -> Path:
    random = np.random.default_rng(0)
    rich = random.permutation(np.arange(ADULT_ROWS) < ADULT_RICH)
    texts = {"workclass": 8, "occupation": 14, "native_country": 41}
    frame = pd.DataFrame(
        {
            "age": random.integers(17, 91, ADULT_ROWS),
            **{
                name: _with_gaps(
                    np.array([f"{name[:4]}-{n}" for n in range(count)])[random.integers(0, count, ADULT_ROWS)],
                    ADULT_GAPS[name],
                    random,
                    mark="?",
                )
                for name, count in texts.items()
            },
            "hours_per_week": random.integers(1, 100, ADULT_ROWS),
            "income": np.where(rich, ">50K", "<=50K"),
        }
    )
    path = tmp_path_factory.mktemp("adult") / "adult.csv"
    # As it is published: a space behind each comma.
    lines = [",".join(frame.columns), *(", ".join(map(str, row)) for row in frame.itertuples(index=False))]
    path.write_text("\n".join(lines) + "\n")
    return path


@pytest.fixture(scope="module")
def titanic(tmp_path_factory: pytest.TempPathFactory) -> Path:
    random = np.random.default_rng(1)
    rows = TITANIC_ROWS
    frame = pd.DataFrame(
        {
            "PassengerId": np.arange(1, rows + 1),
            "Survived": random.permutation((np.arange(rows) < TITANIC_SURVIVED).astype(int)),
            "Pclass": np.repeat([1, 2, 3], [216, 184, 491]),
            "Name": [f"Family {n}, Mr. {chr(65 + n % 26)}." for n in range(rows)],
            "Sex": np.repeat(["male", "female"], [577, 314]),
            "Age": _with_gaps(random.integers(1, 80, rows), TITANIC_GAPS["Age"], random, mark=None),
            "Fare": random.lognormal(3, 1, rows).round(4),
            "Cabin": _with_gaps(
                np.array([f"C{n % 147}" for n in range(rows)]), TITANIC_GAPS["Cabin"], random, mark=None
            ),
            "Embarked": _with_gaps(np.array(["S", "C", "Q"])[np.arange(rows) % 3], 2, random, mark=None),
        }
    )
    path = tmp_path_factory.mktemp("titanic") / "titanic.csv"
    frame.to_csv(path, index=False)
    return path


def _explored(path: Path, target: str) -> Report:
    report = pandas_magic.profile(path, target, inputs={"plot_limit": 2}, max_follow_ups=0)
    jsonschema.validate(report.to_dict(), json_schema())
    return report


@pytest.mark.feature("C35", "C04", "C06")
def test_adult_has_its_published_figures(adult: Path) -> None:
    content = _explored(adult, "income").to_dict()
    assert (content["dataset"]["n_rows"], content["dataset"]["n_cols"]) == (ADULT_ROWS, 6)
    assert content["target"]["task_type"] == "classification"
    assert content["target"]["class_counts"] == {"<=50K": ADULT_ROWS - ADULT_RICH, ">50K": ADULT_RICH}
    assert content["target"]["imbalance_ratio"] == pytest.approx(24_720 / 7_841)
    profiles = content["columns_profile"]
    assert {name: profiles[name]["n_missing"] for name in ADULT_GAPS} == ADULT_GAPS
    assert profiles["occupation"]["pct_missing"] == pytest.approx(100 * 1_843 / 32_561)
    assert profiles["native_country"]["suggested_action"] == "impute_mode"
    assert profiles["age"]["suggested_action"] == "scale_optional"
    assert profiles["income"]["suggested_action"] == "target"


@pytest.mark.feature("C35", "C04", "C06")
def test_titanic_has_its_published_figures(titanic: Path) -> None:
    content = _explored(titanic, "Survived").to_dict()
    assert content["dataset"]["n_rows"] == TITANIC_ROWS
    assert content["target"]["class_counts"] == {"0": TITANIC_ROWS - TITANIC_SURVIVED, "1": TITANIC_SURVIVED}
    profiles = content["columns_profile"]
    assert {name: profiles[name]["n_missing"] for name in TITANIC_GAPS} == TITANIC_GAPS
    assert profiles["Cabin"]["pct_missing"] == pytest.approx(77.104, abs=0.001)
    assert content["flags"]["high_missing"] == ["Cabin"]
    assert profiles["Cabin"]["suggested_action"] == "flag_missing"
    assert profiles["PassengerId"]["suggested_action"] == "drop"
    assert isinstance(content["notes"], str)
    assert content["notes"].splitlines()[-1] == "task type: 2 different whole numbers"


@pytest.mark.feature("C35")
def test_a_column_of_huge_cardinality_is_flagged_and_costs_neither_the_report_nor_its_size(tmp_path: Path) -> None:
    rows = 60_000
    frame = pd.DataFrame(
        {
            "agent": [f"agent {n % 40_000} of many" for n in range(rows)],
            "amount": np.arange(rows) % 97,
            "paid": np.where(np.arange(rows) % 3, "yes", "no"),
        }
    )
    frame.to_csv(tmp_path / "calls.csv", index=False)
    report = _explored(tmp_path / "calls.csv", "paid")
    content = report.to_dict()
    assert content["columns_profile"]["agent"]["unique"] == 40_000
    assert "agent" in content["flags"]["high_cardinality"]
    assert len(report.to_json()) < 20_000
