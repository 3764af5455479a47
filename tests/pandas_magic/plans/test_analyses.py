"""Analyses without a model: the five classes of questions in ordinary words, run confined, figures found otherwise."""

import json
import math
import os
import statistics
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from pandas_magic.catalog import Catalog
from pandas_magic.checking.bench import Bench
from pandas_magic.errors import ModelUnavailable
from pandas_magic.plans.analysis_code import code_of_analysis, plan_of_analysis
from pandas_magic.plans.analysis_questions import Analysis
from pandas_magic.plans.plan_records import PlanRequest, PlanResult
from pandas_magic.plans.planning import sessions_of, work_out
from pandas_magic.plans.table_questions import RequestNotUnderstood, read_question
from pandas_magic.workspace import Workspace

pytestmark = pytest.mark.usefixtures("keepers_know_statistics")

GOLDEN = Path(__file__).parents[2] / "golden/analyses.json"
AGES = [30, 35, 41, 44, 52, 57, 63, 99]
PRESSURES = [118.0, 121.5, None, 126.0, 131.0, 128.5, 140.0, 139.0]
DAYS = ["2024-01-05", "2024-01-20", "2024-02-03", "2024-02-09", "2024-04-01", "2024-04-01", "2024-05-02", None]
VITALS = pd.DataFrame(
    {
        "patient_id": range(1, 9),
        "treatment": ["A", "B", "A", "B", "A", "B", "A", "B"],
        "ward": ["north", "north", "south", "east", "east", "south", None, "south"],
        "blood_pressure": PRESSURES,
        "age": AGES,
        "visit_date": pd.to_datetime(DAYS),
    }
)
SECOND = VITALS.assign(blood_pressure=[150.0, 155.5, 149.0, None, 160.0, 148.5, 151.0, None])
ONE, TWO = {"vitals": VITALS}, {"trial_001": VITALS, "trial_002": SECOND}


@pytest.fixture
def ask(bench: Bench, tmp_path: Path) -> Iterator[Any]:
    def asked(request: str, tables: dict[str, pd.DataFrame]) -> PlanResult:
        workspace = Workspace.open(tmp_path, tables=tables)
        workspace.runner.bench = bench
        with closing(sessions_of(workspace)) as sessions:
            return work_out(workspace, sessions, PlanRequest(request))

    yield asked


def present(values: list[float | None]) -> list[float]:
    return [value for value in values if value is not None]


def pearson(first: list[Any], second: list[Any]) -> float:
    both = [(x, y) for x, y in zip(first, second, strict=True) if x is not None and y is not None]
    return statistics.correlation(*zip(*both, strict=True))


def welch(first: list[float], second: list[float]) -> tuple[float, float, float]:
    """Welch's t, its degrees of freedom, and p by integrating the density of t with Simpson's rule."""
    one, other = statistics.variance(first) / len(first), statistics.variance(second) / len(second)
    t = (statistics.mean(first) - statistics.mean(second)) / math.sqrt(one + other)
    df = (one + other) ** 2 / (one**2 / (len(first) - 1) + other**2 / (len(second) - 1))
    scale = math.exp(math.lgamma((df + 1) / 2) - math.lgamma(df / 2)) / math.sqrt(df * math.pi)
    steps = 10_000
    width = abs(t) / steps
    heights = [scale * (1 + (at * width) ** 2 / df) ** (-(df + 1) / 2) for at in range(steps + 1)]
    area = width / 3 * (heights[0] + heights[-1] + 4 * sum(heights[1:-1:2]) + 2 * sum(heights[2:-1:2]))
    return t, df, 1 - 2 * area


A_PRESSURES, B_PRESSURES = present(PRESSURES[::2]), present(PRESSURES[1::2])

CORRELATIONS = [
    "What are the top 5 correlations between variables in the dataset?",
    "correlation matrix of vitals",
    "Show the correlations between numeric columns",
]
PAIRS = [
    "Is there a correlation between age and blood pressure?",
    "How strongly is age correlated with blood pressure?",
    "Are age and blood pressure correlated?",
    "Calculate the correlation coefficient of age and blood pressure",
]


@pytest.mark.feature("B23")
@pytest.mark.parametrize("request_", CORRELATIONS)
def test_all_correlations_are_found_the_strongest_first(ask: Any, request_: str) -> None:
    result = ask(request_, ONE)
    assert result.error == ""
    found = {frozenset(row[:2]): row[2:] for row in result.ran.frame.itertuples(index=False, name=None)}
    columns = {"patient_id": list(range(1, 9)), "age": AGES, "blood_pressure": PRESSURES}
    for pair, (strength, rows) in found.items():
        one, other = (columns[name] for name in pair)
        assert strength == pytest.approx(pearson(one, other))
        assert rows == (7 if "blood_pressure" in pair else 8)
    assert len(found) == 3
    strengths = result.ran.frame["correlation"].abs().tolist()
    assert strengths == sorted(strengths, reverse=True)
    assert result.unfounded == ()


@pytest.mark.feature("B23")
@pytest.mark.parametrize("request_", PAIRS)
def test_one_correlation_is_told_with_the_rows_it_rests_on(ask: Any, request_: str) -> None:
    result = ask(request_, ONE)
    (row,) = result.ran.frame.itertuples(index=False, name=None)
    assert row == ("age", "blood_pressure", pytest.approx(pearson(AGES, PRESSURES)), 7)
    assert f"age and blood_pressure: {pearson(AGES, PRESSURES):.3f} over 7 rows" in result.answer


@pytest.mark.feature("B23")
def test_a_correlation_of_ranks_is_that_of_the_ranks(ask: Any) -> None:
    result = ask("Spearman correlation between age and blood pressure", ONE)
    # Without the third row the ages rise, and the pressures have the ranks 1 2 3 5 4 7 6: Σd² = 4 of n = 7.
    assert result.ran.frame["correlation"].tolist() == [pytest.approx(1 - 6 * 4 / (7 * 48))]


@pytest.mark.feature("B23")
def test_columns_correlated_with_one_are_those_of_numbers_and_a_constant_one_has_none(ask: Any) -> None:
    result = ask("Which columns correlate with age?", {"vitals": VITALS.assign(dose=5.1)})
    assert set(result.ran.frame["column"]) == {"patient_id", "blood_pressure", "dose"}
    assert result.ran.frame["correlation"].isna().tolist() == [False, False, True]
    assert "1 pairs have no correlation" in result.answer


OUTLIERS = [
    "Show me the distribution of ages and identify outliers",
    "Are there any outliers in age?",
    "Find outliers of age in vitals",
]


@pytest.mark.feature("B23")
@pytest.mark.parametrize("request_", OUTLIERS)
def test_outliers_are_rows_beyond_the_fences_of_the_quartiles(ask: Any, request_: str) -> None:
    result = ask(request_, ONE)
    low, median, high = statistics.quantiles(AGES, n=4, method="inclusive")
    top = high + 1.5 * (high - low)
    outlying = [age for age in AGES if age > top or age < low - 1.5 * (high - low)]
    assert result.ran.frame["age"].tolist() == outlying == [99]
    assert (
        f"{len(outlying)} values are outliers: below {low - 1.5 * (high - low):,.4f} or above {top:,.4f}"
        in result.answer
    )
    assert f"{median:,.4f} (the median)" in result.answer
    assert len(result.ran.images) == 1
    assert result.unfounded == ()


@pytest.mark.feature("B23")
@pytest.mark.parametrize("request_", ["distribution of blood pressure", "How is blood pressure distributed?"])
def test_a_distribution_is_summed_up_and_drawn(ask: Any, request_: str) -> None:
    result = ask(request_, ONE)
    (row,) = result.ran.frame.to_dict("records")
    values = present(PRESSURES)
    assert (row["rows"], row["missing"], row["lowest"], row["highest"]) == (8, 1, 118.0, 140.0)
    assert row["mean"] == pytest.approx(statistics.mean(values))
    assert row["standard deviation"] == pytest.approx(statistics.stdev(values))
    assert row["median"] == statistics.median(values)
    assert "7 of 8 rows have a value of blood_pressure" in result.answer
    assert len(result.ran.images) == 1


@pytest.mark.feature("B23")
def test_a_distribution_of_texts_is_how_often_each_occurs(ask: Any) -> None:
    result = ask("distribution of ward", ONE)
    rows = {str(row["value"]): (row["rows"], row["share"]) for row in result.ran.frame.to_dict("records")}
    assert rows == {"south": (3, 3 / 8), "north": (2, 2 / 8), "east": (2, 2 / 8), "nan": (1, 1 / 8)}


COMPARISONS = [
    "Compare blood pressure between trial 1 and trial 2",
    "Compare the average blood pressure of trial_001 and trial_002",
    "difference in blood pressure between trial 1 and trial 2",
    "Compare blood pressure across all files",
]


@pytest.mark.feature("B23")
@pytest.mark.parametrize("request_", COMPARISONS)
def test_several_files_are_compared_column_by_column(ask: Any, request_: str) -> None:
    result = ask(request_, TWO)
    rows = result.ran.frame.to_dict("records")
    assert [(row["group"], row["rows"], row["missing"]) for row in rows] == [("trial_001", 8, 1), ("trial_002", 8, 2)]
    for row, frame in zip(rows, TWO.values(), strict=True):
        values = present([None if pd.isna(value) else value for value in frame["blood_pressure"]])
        assert row["mean"] == pytest.approx(statistics.mean(values))
        assert row["median"] == pytest.approx(statistics.median(values))
    assert [choice.name for choice in result.choices] == ["trial_001", "trial_002"]
    assert result.unfounded == ()


@pytest.mark.feature("B23")
def test_two_files_are_compared_in_all_numbers_that_they_share(ask: Any) -> None:
    result = ask("Compare trial 1 and trial 2", {**TWO, "trial_002": SECOND.drop(columns="patient_id")})
    assert result.ran.frame["column"].tolist() == ["blood_pressure"] * 2 + ["age"] * 2


@pytest.mark.feature("B23")
def test_groups_of_a_column_are_compared_and_rows_without_a_group_are_one(ask: Any) -> None:
    result = ask("Compare age across ward", ONE)
    means = {str(row["group"]): row["mean"] for row in result.ran.frame.to_dict("records")}
    assert means == {"east": 48.0, "north": 32.5, "south": pytest.approx((41 + 57 + 99) / 3), "nan": 63.0}


TESTS = [
    "Perform a t-test to compare blood pressure between treatment groups",
    "t-test of blood pressure by treatment",
    "Run a Welch's t-test on blood pressure between treatment A and B",
    "Is there a significant difference in blood pressure between treatment groups?",
    "Is the average blood pressure significantly different between A and B?",
]


@pytest.mark.feature("B23")
@pytest.mark.parametrize("request_", TESTS)
def test_a_t_test_is_welchs_with_its_p(ask: Any, request_: str) -> None:
    result = ask(request_, ONE)
    t, df, p = welch(A_PRESSURES, B_PRESSURES)
    (row,) = result.ran.frame.to_dict("records")
    assert (row["group"], row["rows"], row["other group"], row["other rows"]) == ("A", 3, "B", 4)
    assert row["difference"] == pytest.approx(statistics.mean(A_PRESSURES) - statistics.mean(B_PRESSURES))
    assert (row["t"], row["degrees of freedom"], row["p"]) == pytest.approx((t, df, p))
    assert f"t = {t:.4f} with {df:.2f} degrees of freedom, p = {p:.4f} (Welch, two-sided)" in result.answer
    assert "1 rows are left out: they have no blood_pressure" in result.answer
    assert result.unfounded == ()


@pytest.mark.feature("B23")
def test_a_t_test_of_two_files_takes_each_files_values(ask: Any) -> None:
    result = ask("t-test of blood pressure between trial 1 and trial 2", TWO)
    second = present([None if pd.isna(value) else value for value in SECOND["blood_pressure"]])
    t, _, p = welch(present(PRESSURES), second)
    assert (result.ran.frame["t"][0], result.ran.frame["p"][0]) == pytest.approx((t, p), rel=1e-6)
    assert result.ran.frame["p"][0] < 0.01


@pytest.mark.feature("B23")
def test_a_t_test_that_cannot_be_made_is_an_error_in_one_line(ask: Any) -> None:
    result = ask("t-test of age by patient id", ONE)
    assert (result.success, result.answer) == (False, "")
    assert result.error == "ValueError in line 5: a t-test compares two groups, and these are 8"
    result = ask("t-test of age by treatment where patient_id is below 4", ONE)
    assert "needs two values or more in each group" in result.error


@pytest.mark.feature("B23")
@pytest.mark.parametrize("request_", ["t-test of blood pressure by treatment", "outliers in blood pressure"])
def test_infinite_values_give_no_figures(ask: Any, request_: str) -> None:
    infinite = VITALS.assign(blood_pressure=VITALS["blood_pressure"].replace(140.0, math.inf))
    result = ask(request_, {"vitals": infinite})
    assert not result.success
    assert "blood_pressure holds infinite values" in result.error


SERIES = {
    "Show the trend of the average blood pressure over time": [
        (pd.Timestamp("2024-01-05"), 118.0),
        (pd.Timestamp("2024-01-20"), 121.5),
        (pd.Timestamp("2024-02-03"), None),
        (pd.Timestamp("2024-02-09"), 126.0),
        (pd.Timestamp("2024-04-01"), 129.75),
        (pd.Timestamp("2024-05-02"), 140.0),
    ],
    "Plot the monthly average blood pressure": [
        ("2024-01", 119.75),
        ("2024-02", 126.0),
        ("2024-04", 129.75),
        ("2024-05", 140.0),
    ],
    "average blood pressure by quarter": [
        ("2024Q1", pytest.approx((118 + 121.5 + 126) / 3)),
        ("2024Q2", pytest.approx(399.5 / 3)),
    ],
    "Show me the trend of the number of vitals per year": [("2024", 7)],
}


@pytest.mark.feature("B23")
@pytest.mark.parametrize("request_", SERIES)
def test_a_time_series_is_one_row_for_each_period_in_order_of_time(ask: Any, request_: str) -> None:
    result = ask(request_, ONE)
    rows = result.ran.frame.astype(object).where(result.ran.frame.notna(), None)
    assert list(rows.itertuples(index=False, name=None)) == SERIES[request_]
    assert result.ran.chart.kind == "line"
    assert "1 of 8 rows are left out: they have no visit_date" in result.answer


# What cannot be done without a model, and what is said about it.
REFUSED = {
    "anova of age by treatment": 'understand "anova',
    "linear regression of age on blood pressure": 'understand "linear regression',
    "7-day moving average of blood pressure": 'understand "7 - day moving',
    "negative correlations": 'understand "negative',
    "paired t-test of age by treatment": 'understand "paired',
    "one-sided t-test of age by treatment": 'understand "one',
    "partial correlation of age and blood pressure": 'understand "partial',
    "correlation between age and ward": "vitals.ward holds values of the kind text",
    "correlation between age and weight": 'understand "weight"',
    "outliers in ward": "vitals.ward holds values of the kind text",
    "outliers in age by ward": "outliers are those of one group of rows; name it with where",
    "distribution of age and identify errors": 'understand "errors"',
    "distribution of visit date": 'write "by month of visit_date"|count its rows "by month of visit_date"',
    "t-test of age by ward": 'these are "east", "north", "south"',
    "t-test of age between A and C": 'understand "A and C"',
    "compare ward between A and B": "vitals.ward holds values of the kind text",
    "compare age": 'is not all of a request \\(vitals has "patient_id"',
    "compare age between age groups": "age cannot be compared between groups of itself",
    "significant age by treatment": "by treatment",
    "test age by treatment": 'understand "test',
    "is age significantly correlated with ward": 'understand "age significantly correlated',
    "distribution of age without outliers": 'understand "without outliers"',
    "distribution of age in 2024": 'understand "in 2024"',
    "compare age by treatment and ward": 'understand "and ward"',
    "compare total age between A and B": 'understand "total age',
    "forecast blood pressure": 'understand "forecast',
    "trend of average blood pressure": 'write "by month"',
}


@pytest.mark.feature("B23")
@pytest.mark.parametrize("request_", REFUSED)
def test_what_the_words_do_not_wholly_say_is_refused_with_them(request_: str) -> None:
    with pytest.raises(RequestNotUnderstood, match=REFUSED[request_]) as caught:
        read_question(request_, Catalog(given=ONE).schemas(["vitals"]))
    assert "\n" not in str(caught.value)


@pytest.mark.feature("B23")
def test_a_question_about_one_of_several_tables_is_asked_back(ask: Any) -> None:
    with pytest.raises(ModelUnavailable, match='can be about "trial_001", "trial_002"; name the table'):
        ask("What are the top 5 correlations between variables in the dataset?", TWO)


@pytest.mark.feature("B23")
@pytest.mark.parametrize(
    ("request_", "match"),
    [
        ("compare ward between trial 1 and trial 2", "ward holds values of the kind text"),
        ("compare dose between trial 1 and trial 2", 'understand "dose between'),
        ("compare age between trial 1 and trial 2 where ward is north", "several tables are compared whole"),
        ("t-test of age across all files", "compares two tables"),
    ],
)
def test_files_that_cannot_be_compared_are_said(request_: str, match: str) -> None:
    tables = {**TWO, "trial_003": VITALS}
    with pytest.raises(RequestNotUnderstood, match=match):
        read_question(request_, Catalog(given=tables).schemas(list(tables)))


def page() -> str:
    """The plan and the code of every wording above that is an analysis."""
    parts = {}
    for requests, tables in (
        ([*CORRELATIONS, *PAIRS, *OUTLIERS, "distribution of age", "distribution of ward", *TESTS], ONE),
        ([*COMPARISONS, "Compare trial 1 and trial 2"], TWO),
    ):
        schemas = Catalog(given=tables).schemas(list(tables))
        for request in requests:
            analysis = read_question(request, schemas)
            assert isinstance(analysis, Analysis)
            plan = plan_of_analysis(analysis)
            code = code_of_analysis(analysis, schemas).splitlines()
            parts[request] = {"goal": plan.goal, "steps": list(plan.steps), "code": code}
    return json.dumps(parts, indent=1, ensure_ascii=False) + "\n"


@pytest.mark.feature("B23")
def test_what_is_written_for_ordinary_words_is_that_of_the_golden_page() -> None:
    # To accept a change: UPDATE_GOLDEN=1 pytest tests/pandas_magic/plans/test_analyses.py, then read the diff.
    if os.environ.get("UPDATE_GOLDEN"):
        GOLDEN.write_text(page(), encoding="utf-8")
    assert page() == GOLDEN.read_text(encoding="utf-8")
