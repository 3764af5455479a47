"""Columns that say what others say: each claim holds in every row, and one row that breaks it ends it."""

from datetime import UTC, datetime

import numpy as np
import pandas as pd
import pytest

from pandas_magic.catalog.arrow import describe_frame
from pandas_magic.constraints import violating_rows
from pandas_magic.explore.derived import in_words
from pandas_magic.explore.drawing.plot_marks import Bars
from pandas_magic.explore.picture import Picture
from pandas_magic.explore.proposal import ABOUT_RELATIONS
from pandas_magic.explore.proposals import proposals
from pandas_magic.notebook.eda_sections import of_section
from pandas_magic.planner.language import compile_rule
from tests.pandas_magic.explore.conftest import Explore, chart_of, report_from

ROWS = 400
Told = dict[tuple[str, str], tuple[str, ...]]


@pytest.fixture
def sales() -> pd.DataFrame:
    random = np.random.default_rng(0)
    net, quantity = np.round(random.exponential(50, ROWS), 2), random.integers(1, 9, ROWS)
    city = pd.Series(random.choice(["Rome", "Oslo", "Lima", "Bergen"], ROWS))
    start = pd.Timestamp("2024-01-01") + pd.to_timedelta(random.integers(0, 10**7, ROWS), unit="s")
    frame = pd.DataFrame({"net": net, "gross": np.round(1.19 * net, 2), "net again": net, "quantity": quantity})
    frame = frame.assign(line=net * quantity, fee=np.round(random.random(ROWS), 2), city=city)
    frame = frame.assign(due=frame.net + frame.fee, celsius=random.normal(10, 8, ROWS))
    frame = frame.assign(fahrenheit=frame.celsius * 1.8 + 32, start=start)
    frame["end"] = start + pd.to_timedelta(random.integers(0, 10**6, ROWS), unit="s")
    frame["country"] = city.map({"Rome": "IT", "Oslo": "NO", "Lima": "PE", "Bergen": "NO"})
    frame.loc[::7, "gross"] = np.nan
    frame.loc[::9, "country"] = None
    return frame


def _told(explore: Explore, frame: pd.DataFrame) -> Told:
    entries = explore(frame).details["derivations"]
    return {(entry["kind"], entry["column"]): tuple(entry["of"]) for entry in entries}


def test_equal_computed_ordered_and_decided_columns_are_told(explore: Explore, sales: pd.DataFrame) -> None:
    assert _told(explore, sales) == {
        ("equal", "net again"): ("net",),
        ("formula", "gross"): ("net",),
        ("formula", "fahrenheit"): ("celsius",),
        ("formula", "line"): ("net", "quantity"),
        ("formula", "due"): ("net", "fee"),
        ("order", "start"): ("end",),
        ("determined", "country"): ("city",),
    }


def test_a_formula_has_the_numbers_that_somebody_meant(explore: Explore, sales: pd.DataFrame) -> None:
    report = report_from(explore(sales))
    words = [in_words(found) for found in report.details.derivations if found.kind == "formula"]
    assert words == [
        '"gross" is "net" × 1.19 in all 342 rows, within 0.0051',
        '"fahrenheit" is "celsius" × 1.8 + 32 in all 400 rows',
        '"line" is "net" × "quantity" in all 400 rows',
        '"due" is "net" + "fee" in all 400 rows',
    ]


@pytest.mark.parametrize(
    ("column", "value", "lost"),
    [
        ("net again", 0.01, ("equal", "net again")),
        ("gross", 1e6, ("formula", "gross")),
        ("fahrenheit", 0.0, ("formula", "fahrenheit")),
        ("line", -1.0, ("formula", "line")),
        ("due", 1e5, ("formula", "due")),
        ("end", pd.Timestamp("2020-01-01"), ("order", "start")),
        ("country", "SE", ("determined", "country")),
    ],
)
def test_one_row_that_breaks_a_claim_ends_it(
    explore: Explore, sales: pd.DataFrame, column: str, value: object, lost: tuple[str, str]
) -> None:
    at = int(np.flatnonzero(sales["city"] == "Oslo")[10])
    sales.loc[at, column] = value
    assert lost not in _told(explore, sales)
    assert lost in _told(explore, sales.drop(index=at))


def test_neighbouring_64_bit_numbers_and_nanoseconds_are_not_taken_for_equal(explore: Explore) -> None:
    numbers = 2**60 + np.arange(100) * 7
    times = pd.Series(pd.date_range("2024-01-01", periods=100, freq="D").as_unit("ns"))
    late = times + pd.to_timedelta(np.arange(100) % 2, unit="ns")
    frame = pd.DataFrame({"a": numbers, "b": numbers + (np.arange(100) == 50), "t": late, "u": times})
    assert _told(explore, frame) == {("order", "u"): ("t",)}


def test_what_holds_in_few_rows_or_says_nothing_is_not_told(explore: Explore) -> None:
    few = pd.DataFrame({"a": [1.5, 2.5, 3.5], "b": [1.5, 2.5, 3.5]})
    apart = pd.DataFrame({"low": np.arange(50.0), "high": 1000 + np.arange(50.0) ** 1.1})
    random = np.random.default_rng(1)
    rare = pd.DataFrame({"key": [f"k{n // 2}" for n in range(60)], "value": random.choice(["x", "y"], 60)})
    assert [_told(explore, frame) for frame in (few, apart, rare)] == [{}, {}, {}]


def test_an_order_is_told_of_measures_that_share_a_range_alone(explore: Explore) -> None:
    from sklearn import datasets

    cells = datasets.load_breast_cancer(as_frame=True).frame
    told = explore(cells).details["derivations"]
    pairs = {(entry["column"], entry["of"][0]) for entry in told}
    assert ("mean radius", "worst radius") in pairs
    assert ("mean perimeter", "mean area") not in pairs  # never above it either, in other units
    assert all((cells[column] <= cells[other]).all() for column, other in pairs)


@pytest.mark.parametrize("grades", [[-100, 100, 90, 3], [1.0, np.nan, 3.0, 2.0], [10, 2000, 30000, 7]])
def test_whole_numbers_of_any_width_and_with_gaps_decide_other_columns(explore: Explore, grades: list[float]) -> None:
    random = np.random.default_rng(2)
    at = random.integers(0, 4, ROWS)
    frame = pd.DataFrame({"name": np.array(["bad", "fair", "good", "best"])[at], "grade": np.array(grades)[at]})
    if max(grades) == 100:
        frame["grade"] = frame["grade"].astype("int8")
    assert _told(explore, frame) == {("determined", "grade"): ("name",), ("determined", "name"): ("grade",)}
    frame.loc[frame.index[at == 0][3], "grade"] = grades[2]
    assert _told(explore, frame) == {}


def test_a_placeholder_or_a_space_forbids_claims_about_the_texts(explore: Explore) -> None:
    texts = ["a", "b", "?", "c"] * 20
    frame = pd.DataFrame({"one": texts, "two": texts, "bare": ["u", "v"] * 40, "spaced": ["u", " v"] * 40})
    assert _told(explore, frame) == {}


def test_each_claim_becomes_a_rule_that_is_read_back_and_holds(explore: Explore, sales: pd.DataFrame) -> None:
    tables = {"sales": describe_frame("sales", sales)}
    found = [
        each
        for each in proposals(report_from(explore(sales), "sales"), tables)
        if each.kind in ABOUT_RELATIONS.values()
    ]
    assert len(found) == 7
    for proposal in found:
        rule = compile_rule(proposal.sentence, tables).constraint
        assert not len(violating_rows(rule, {"sales": sales}, now=datetime.now(), utc_now=datetime.now(UTC)))


def test_a_rule_stands_below_the_part_where_its_finding_is_seen(explore: Explore, sales: pd.DataFrame) -> None:
    report = report_from(explore(sales), "sales")
    drawn = chart_of(Bars(labels=("Rome",), values=(1,))).model_copy(update={"kind": "bars", "columns": ("city",)})
    report = report.with_pictures([Picture.of(drawn)])
    found = proposals(report, {"sales": describe_frame("sales", sales)})
    assert {each.kind for each in of_section("Correlations", report, found)} == set(ABOUT_RELATIONS.values())
    assert [(each.kind, each.column) for each in of_section("Plots", report, found)] == [("allowed values", "city")]


def test_few_rows_of_small_values_make_no_formula(explore: Explore) -> None:
    random = np.random.default_rng(1)
    price = np.exp(2 * random.normal(size=300))
    few = pd.Series(random.normal(size=300)).where(price < np.median(price))
    frame = pd.DataFrame({"square": price**2, "few": few, "price": price})
    assert _told(explore, frame) == {}


def test_a_sum_in_which_one_part_hardly_matters_is_not_told(explore: Explore) -> None:
    random = np.random.default_rng(2)
    people = 1000 * random.pareto(0.7, ROWS)
    later = people * (1 + random.normal(0, 1e-7, ROWS)) + random.normal(0, 0.01, ROWS)
    frame = pd.DataFrame({"people": people, "later": later, "share": random.random(ROWS)})
    assert all(of == ("people",) for of in _told(explore, frame).values())


def test_what_is_one_value_wherever_both_are_known_is_decided_by_nothing(explore: Explore) -> None:
    random = np.random.default_rng(3)
    saved = random.random(ROWS) < 0.4
    frame = pd.DataFrame({"boat": pd.Series(random.choice(list("ABC"), ROWS)).where(saved), "saved": saved})
    assert _told(explore, frame) == {}
