"""The facts of whole tables: univariate, target, relations, gaps, leaks, quality, proposals."""

import math

import numpy as np
import pandas as pd
import pytest
import scipy

from pandas_magic.explore.confined.associations import pearson_matrix
from pandas_magic.explore.confined.calendar import frequency
from pandas_magic.explore.confined.duplicates import duplicate_rows
from pandas_magic.explore.confined.recognition import column_of
from pandas_magic.explore.confined.target import target_of
from pandas_magic.explore.confined.univariate import histogram, iqr_outliers
from tests.pandas_magic.explore.conftest import Explore


@pytest.mark.feature("C05", "C06")
def test_profile_of_numbers_agrees_with_pandas(explore: Explore) -> None:
    values = pd.Series([3.0, np.nan, 8.5, -2.0, 100.0, 7.0, 7.0])
    facts = explore(pd.DataFrame({"v": values, "w": range(7)})).facts
    assert facts["dataset"] == {"n_rows": 7, "n_cols": 2, "columns": ["v", "w"]}
    profile, known = facts["columns_profile"]["v"], values.describe()
    assert (profile["n_missing"], profile["unique"]) == (1, 5)
    assert math.isclose(profile["pct_missing"], 100 / 7)
    told = profile["summary"]
    for ours, theirs in {
        "min": "min",
        "q1": "25%",
        "median": "50%",
        "q3": "75%",
        "max": "max",
        "mean": "mean",
        "std": "std",
    }.items():
        assert math.isclose(told[ours], known[theirs], rel_tol=1e-9)


@pytest.mark.feature("C06", "C08", "C15")
@pytest.mark.parametrize("name", ["wine", "breast_cancer", "iris"])
def test_statistics_of_published_tables_agree_with_pandas_and_scipy(explore: Explore, name: str) -> None:
    from sklearn import datasets

    frame = getattr(datasets, f"load_{name}")(as_frame=True).frame
    explorer = explore(frame, target="target")
    for name, column in frame.drop(columns="target").items():
        told, known = explorer.facts["columns_profile"][name]["summary"], column.describe()
        expected = {"min": known["min"], "q1": known["25%"], "median": known["50%"], "q3": known["75%"]}
        expected |= {"max": known["max"], "mean": known["mean"], "std": known["std"]}
        expected |= {"skew": scipy.stats.skew(column, bias=False), "kurtosis": scipy.stats.kurtosis(column, bias=False)}
        for key, value in expected.items():
            assert math.isclose(told[key], value, rel_tol=1e-9, abs_tol=1e-12), (name, key)
        assert explorer.facts["columns_profile"][name]["unique"] == column.nunique()
    assert np.allclose(explorer.found.matrix, frame[explorer.found.names].corr(), atol=1e-9, rtol=0)
    assert explorer.details["duplicate_rows"] == int(frame.duplicated().sum())


@pytest.mark.feature("C15")
def test_texts_have_their_most_frequent_values_and_the_share_of_rare_ones(explore: Explore) -> None:
    values = ["a"] * 150 + ["b"] * 49 + ["z"]
    told = explore(pd.DataFrame({"c": values})).facts["columns_profile"]["c"]["summary"]
    assert told["top"][0] == {"value": "a", "count": 150, "pct": 75.0}
    assert told["rare_pct"] == 0.5 and told["rare_values"] == 1


@pytest.mark.feature("C15")
@pytest.mark.parametrize(
    ("days", "said"),
    [
        (pd.date_range("2024-01-01", periods=30, freq="D"), "1 day"),
        (pd.date_range("2020-01-01", periods=30, freq="MS"), "1 month"),
        (pd.date_range("2024-01-01", periods=30, freq="6h"), "6 hours"),
        (pd.to_datetime(["2024-01-01", "2024-01-02", "2024-03-09", "2024-03-10"]), "irregular"),
    ],
)
def test_frequency_of_times(days: pd.DatetimeIndex, said: str) -> None:
    assert frequency(np.sort(days.to_numpy())) == said


@pytest.mark.feature("C15")
def test_dates_suggest_features(explore: Explore) -> None:
    days = pd.date_range("2022-01-01", periods=800, freq="D")
    told = explore(pd.DataFrame({"day": days})).facts["columns_profile"]["day"]["summary"]
    assert told["features"] == ["year", "month", "weekday", "days since the first"] and told["range_days"] == 799


def test_outliers_are_those_beyond_tukeys_fences() -> None:
    values = np.sort(np.array([1.0, 2, 3, 4, 5, 6, 7, 8, 50, -40]))
    q1, q3 = np.quantile(values, [0.25, 0.75])
    reach = 1.5 * (q3 - q1)
    assert iqr_outliers(values) == int(((values < q1 - reach) | (values > q3 + reach)).sum()) == 2


@pytest.mark.parametrize("values", [np.arange(73) % 40, np.random.default_rng(0).normal(size=500), np.array([5, 5, 6])])
def test_a_histogram_counts_every_value_once(values: np.ndarray) -> None:
    found = histogram(column_of("v", pd.Series(values)))
    assert sum(found["counts"]) == len(values) and len(found["edges"]) == len(found["counts"]) + 1
    assert found["counts"] == np.histogram(values, found["edges"])[0].tolist()


@pytest.mark.feature("C07", "C14")
@pytest.mark.parametrize(
    ("values", "task", "classes"),
    [
        (["<=50K"] * 24 + [">50K"] * 8, "classification", {"<=50K": 24, ">50K": 8}),
        ([0, 1, 1, 0, 0], "classification", {"0": 3, "1": 2}),
        ([1, 2, 3] * 20, "classification", {"1": 20, "2": 20, "3": 20}),
        (["red|blue", "blue", "red|green", "green"] * 5, "multilabel", {"blue": 10, "green": 10, "red": 10}),
    ],
)
def test_a_target_of_classes(values: list[object], task: str, classes: dict[str, int]) -> None:
    facts = target_of(column_of("y", pd.Series(values))).facts
    assert facts["task_type"] == task and facts["class_counts"] == classes and facts["n_classes"] == len(classes)
    assert facts["imbalance_ratio"] == max(classes.values()) / min(classes.values())
    assert set(facts) == {"name", "task_type", "n_classes", "class_counts", "imbalance_ratio"}


@pytest.mark.feature("C07", "C14")
def test_a_measured_target_is_a_regression_with_its_shape() -> None:
    values = np.random.default_rng(2).lognormal(size=300)
    facts = target_of(column_of("y", pd.Series(values))).facts
    assert facts["task_type"] == "regression"
    assert math.isclose(facts["skew"], scipy.stats.skew(values, bias=False), rel_tol=1e-9)
    assert math.isclose(facts["summary"]["mean"], values.mean()) and facts["iqr_outliers"] > 0


@pytest.mark.feature("C07")
@pytest.mark.parametrize("values", [["a"] * 4, [1] * 4, [None] * 4, [np.nan, 2.0], pd.to_datetime([None, None])])
def test_a_target_without_contrast_says_so_and_has_no_ratio(values: object) -> None:
    target = target_of(column_of("y", pd.Series(values)))
    assert target.facts["imbalance_ratio"] is None and target.facts["n_classes"] <= 1
    assert "value" in target.doubt


@pytest.mark.feature("C14")
def test_two_classes_get_a_mapping_with_the_positive_one_as_1() -> None:
    assert target_of(column_of("y", pd.Series(["yes", "no", "no"]))).mapping == {"no": 0, "yes": 1}
    assert target_of(column_of("y", pd.Series(["True", "False"]))).mapping == {"False": 0, "True": 1}
    assert target_of(column_of("y", pd.Series(["stayed", "churned"]))).mapping == {"stayed": 0, "churned": 1}


@pytest.mark.feature("C14")
def test_a_target_in_doubt_says_what_else_it_could_be() -> None:
    assert "measure" in target_of(column_of("y", pd.Series(list(range(15)) * 4))).doubt
    ids = pd.Series([f"u{n:03}" for n in range(50)])
    assert "class of its own" in target_of(column_of("y", ids)).doubt


@pytest.mark.feature("C08")
def test_correlations_with_gaps_agree_with_pandas() -> None:
    random = np.random.default_rng(8)
    frame = pd.DataFrame(random.normal(size=(300, 5)) + 1e6, columns=list("abcde"))
    frame = frame.mask(random.random((300, 5)) < 0.2)
    found = pearson_matrix([column_of(name, frame[name]) for name in frame])
    assert np.allclose(found, frame.corr().to_numpy(), atol=1e-9, rtol=0)


@pytest.mark.feature("C08")
def test_a_constant_far_from_zero_is_correlated_with_nothing() -> None:
    frame = pd.DataFrame({"a": np.full(50, 1e15) + 0.1, "b": np.arange(50.0)})
    assert np.isnan(pearson_matrix([column_of(name, frame[name]) for name in frame])[0, 1])


@pytest.mark.feature("C08")
def test_high_correlations_are_those_above_nine_tenths(explore: Explore) -> None:
    random = np.random.default_rng(9)
    base = random.normal(size=200)
    frame = pd.DataFrame({"a": base, "b": base + random.normal(0, 0.1, 200), "c": base + random.normal(0, 2, 200)})
    high = explore(frame).facts["correlations"]["feature_feature_highcorr"]
    assert [(pair["f1"], pair["f2"]) for pair in high] == [("a", "b")]
    assert math.isclose(high[0]["pearson"], frame["a"].corr(frame["b"]), rel_tol=1e-9)


@pytest.mark.feature("C08")
def test_two_classes_count_as_numbers_for_the_correlation_with_the_target(
    explore: Explore, people: pd.DataFrame
) -> None:
    ties = explore(people, target="bought").facts["correlations"]["numeric_to_target"]
    age = next(tie for tie in ties if tie["feature"] == "age")
    assert math.isclose(age["pearson"], scipy.stats.pointbiserialr(people["bought"] == "yes", people["age"]).statistic)


@pytest.mark.feature("C16")
def test_gaps_have_patterns_and_relations_to_the_target(explore: Explore) -> None:
    gone = np.arange(200) < 60
    frame = pd.DataFrame(
        {
            "a": np.where(gone, np.nan, 1.5 * np.arange(200)),
            "b": np.where(gone, None, "x"),
            "y": np.where(gone, "yes", "no"),
        }
    )
    found = explore(frame, target="y").details["missing"]
    assert found["rows_with_gaps"] == 60
    assert {tuple(p["missing"]): p["rows"] for p in found["patterns"]} == {(): 140, ("a", "b"): 60}
    assert found["together"] == [{"f1": "a", "f2": "b", "phi": 1.0}]
    assert found["to_target"][0]["pct_positive_if_missing"] == 100.0


@pytest.mark.feature("C16")
def test_imputation_is_proposed_by_shape_and_amount(explore: Explore) -> None:
    random = np.random.default_rng(1)
    gone = random.random(300) < 0.03
    frame = pd.DataFrame(
        {
            "even": np.where(gone, np.nan, random.normal(size=300)),
            "skewed": np.where(gone, np.nan, random.lognormal(0, 2, 300)),
            "kind": np.where(gone, None, random.choice(["a", "b", "c"], 300)),
            "half": np.where(random.random(300) < 0.5, np.nan, random.normal(size=300)),
            "mostly": np.where(random.random(300) < 0.9, np.nan, random.normal(size=300)),
        }
    )
    explorer = explore(frame)
    said = {name: "; ".join(found["steps"]) for name, found in explorer.details["columns"].items()}
    assert "impute: mean" in said["even"] and "impute: median" in said["skewed"] and "impute: mode" in said["kind"]
    assert "flag of its gaps" in said["half"] and "drill_missing" in said["half"]
    assert "drop it" in said["mostly"]
    actions = {name: p["suggested_action"] for name, p in explorer.facts["columns_profile"].items()}
    assert (actions["even"], actions["skewed"], actions["kind"]) == ("impute_mean", "impute_median", "impute_mode")
    assert actions["mostly"] == "flag_missing"


@pytest.mark.parametrize("unit", ["s", "ms", "us"])
def test_times_before_the_nanoseconds_of_pandas_keep_their_place(explore: Explore, unit: str) -> None:
    founded = pd.Series(np.array(["1500-01-01", "1712-05-01", "2024-06-30"] * 10, dtype=f"datetime64[{unit}]"))
    details = explore(pd.DataFrame({"founded": founded})).details["columns"]["founded"]
    first, last = details["histogram"]["edges"][0], details["histogram"]["edges"][-1]
    moments = [(pd.Timestamp(day) - pd.Timestamp("1970-01-01")).total_seconds() for day in ("1500-01-01", "2024-06-30")]
    assert [first, last] == moments


def test_a_measure_near_perfect_among_tiny_groups_is_no_leak(explore: Explore) -> None:
    random = np.random.default_rng(4)
    kind = [f"kind {n % 40}" for n in range(80)]
    weight = [10.0 * (n % 40) + random.normal() for n in range(80)]
    explorer = explore(pd.DataFrame({"weight": weight, "kind": kind}), target="kind")
    assert explorer.details["associations"]["to_target"] == [], "the ratio of two rows a kind would be near 1"
    assert explorer.facts["flags"]["possible_leakage"] == []
    more = pd.DataFrame({"weight": weight * 3, "kind": kind * 3})
    assert explore(more, target="kind").facts["flags"]["possible_leakage"] == ["weight"]


@pytest.mark.feature("C09", "C17")
def test_leaks_are_named_with_their_reasons(explore: Explore, people: pd.DataFrame) -> None:
    explorer = explore(people, target="bought")
    assert explorer.facts["flags"]["possible_leakage"] == ["customer_id", "outcome_code"]
    reasons = {suspect["feature"]: " ".join(suspect["reasons"]) for suspect in explorer.details["leakage"]}
    assert "identifies rows" in reasons["customer_id"]
    assert "nearly the target itself" in reasons["outcome_code"] and '"outcome"' in reasons["outcome_code"]


@pytest.mark.feature("C09")
def test_flags_name_columns_with_many_values_and_many_gaps(explore: Explore, people: pd.DataFrame) -> None:
    flags = explore(people.assign(code=[f"k{n % 130}" for n in range(400)])).facts["flags"]
    assert flags == {"high_cardinality": ["customer_id", "code"], "high_missing": ["notes"], "possible_leakage": []}


@pytest.mark.feature("C12")
def test_constants_duplicates_placeholders_and_personal_names_are_found(explore: Explore) -> None:
    frame = pd.DataFrame(
        {
            "email": ["a@x.it", "b@x.it", "c@x.it", "a@x.it"] * 10,
            "country": ["IT"] * 40,
            "state": ["?", "open", "Open", "unknown"] * 10,
            "size": [1.0, 2.0, 3.0, 1.0] * 9 + [1.0, 2.0, 3.0, 9.0],
        }
    )
    kinds = {(entry["kind"], *entry["columns"]) for entry in explore(frame).details["quality"]}
    assert {("constant", "country"), ("name", "email"), ("emails", "email"), ("placeholders", "state")} <= kinds
    assert {("suspect texts", "state"), ("cases", "state"), ("duplicate rows",)} <= kinds


@pytest.mark.feature("C12")
def test_a_number_far_from_all_others_is_suspected_of_meaning_missing(explore: Explore) -> None:
    values = [*range(20, 80), *([999] * 5)]
    entries = explore(pd.DataFrame({"age": values})).details["quality"]
    assert any(entry["kind"] == "sentinels" and "999 occurs 5 times" in entry["text"] for entry in entries)


@pytest.mark.parametrize("seed", range(5))
def test_duplicate_rows_agree_with_pandas(seed: int) -> None:
    random = np.random.default_rng(seed)
    frame = pd.DataFrame(
        {
            "a": random.integers(0, 3, 200),
            "b": random.choice(["x", "y", None], 200),
            "c": random.choice([0.0, 1.5, np.nan], 200),
            "d": pd.to_datetime(random.choice(["2024-01-01", "2024-01-02"], 200)),
        }
    )
    assert duplicate_rows([column_of(name, frame[name]) for name in frame]) == int(frame.duplicated().sum())


@pytest.mark.feature("C19")
def test_a_first_model_is_proposed_with_its_validation_and_metric(explore: Explore, people: pd.DataFrame) -> None:
    plan = explore(people, target="bought").details["plan"]
    assert plan["cross_validation"].startswith("StratifiedKFold(5") and "TimeSeriesSplit" in plan["cross_validation"]
    assert plan["metric"] == "ROC AUC" and "gradient boosted trees" in plan["models"]
    assert explore(people, target="income").details["plan"]["cross_validation"].startswith("KFold(5")
    series = people[["joined", "income"]]
    assert explore(series, target="income").details["plan"]["cross_validation"].startswith("TimeSeriesSplit(5);")

    explorer = explore(people, target="bought")
    said = explorer.facts["columns_profile"]
    assert said["customer_id"]["suggested_action"] == "drop"
    assert said["city"]["suggested_action"].startswith("impute_")
    assert any("encode" in step for step in explorer.details["columns"]["city"]["steps"])
    assert said["age"]["suggested_action"] == "scale_optional"


@pytest.mark.parametrize(
    "frame",
    [
        pd.DataFrame({"a": [1]}),
        pd.DataFrame({"a": []}),
        pd.DataFrame({"a": [None, None], "b": [np.nan, np.nan]}),
        pd.DataFrame({f"c{n}": [n, n + 1] for n in range(300)}),
        pd.DataFrame({"<script>alert(1)</script>": ["<b>", "&"], "": [1, 2], " ": [3, 4]}),
        pd.DataFrame([[1, 2], [3, 4]], columns=["a", "a"]),
        pd.DataFrame({"k": [f"v{n}" for n in range(12_000)]}),
    ],
    ids=["one cell", "no rows", "all null", "300 columns", "names of markup", "equal names", "12,000 categories"],
)
def test_odd_tables_have_a_report(explore: Explore, frame: pd.DataFrame) -> None:
    from tests.pandas_magic.explore.conftest import report_from

    report = report_from(explore(frame))
    assert report.document.dataset.n_rows == len(frame) and report.document.dataset.n_cols == frame.shape[1]
    assert report.to_html()


@pytest.mark.feature("C08")
def test_groups_of_a_row_or_two_go_with_nothing(explore: Explore) -> None:
    random = np.random.default_rng(30)
    frame = pd.DataFrame({"street": [f"street {n}" for n in range(30)] * 2, "price": random.normal(size=60)})
    for target in (None, "price"):
        known = explore(frame, target=target).details["associations"]
        assert known["to_target"] == [] == known["pairs"]
