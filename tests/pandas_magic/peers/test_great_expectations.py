"""Great Expectations itself judges what we export as we do; suites of others are read, and what is not is listed."""

import json
from typing import Any

import pandas as pd
import pytest

import pandas_magic
from pandas_magic.cli.demo_shop import PLANTED, make_tables
from pandas_magic.constraints import ColumnsRule, RowRule, TableRule, describe
from pandas_magic.errors import UsageMistake
from pandas_magic.peers import import_checks
from pandas_magic.peers.great_expectations import write
from tests.pandas_magic.peers.compiled import example_checks, found, gallery_checks, shops

# Its own dependencies warn; we do not change that.
pytestmark = pytest.mark.filterwarnings("ignore")


@pytest.fixture
def validate(frames_of_gx: Any) -> Any:
    """A function that validates a frame with a suite, and gives the results by the id of the check."""

    def run(text: str, frame: pd.DataFrame) -> dict[str, list[dict[str, Any]]]:
        import great_expectations as gx

        suite = gx.ExpectationSuite(**json.loads(text))
        outcome = frames_of_gx.get_batch(batch_parameters={"dataframe": frame}).validate(suite)
        by_check: dict[str, list[dict[str, Any]]] = {}
        for result in (one.to_json_dict() for one in outcome.results):
            by_check.setdefault(result["expectation_config"]["meta"]["pandas_magic"]["id"], []).append(result)
        return by_check

    return run


def failing(results: list[dict[str, Any]]) -> int:
    """How many rows it says are at fault."""
    outcomes = [one["result"] for one in results]
    return sum(outcome.get("unexpected_count", outcome.get("observed_value", 0)) for outcome in outcomes)


@pytest.mark.parametrize("table", ["users", "orders"])
def test_the_example_checks_find_as_many_rows_there(validate: Any, table: str) -> None:
    checks = example_checks(table)
    exported = write(checks)
    assert exported.not_expressed == ()
    results = validate(exported.text, make_tables()[table])
    for check in checks:
        passed = all(one["success"] for one in results[check.id])
        assert passed == (PLANTED[check.id] == 0), check.id
        if isinstance(check.constraint, RowRule):
            assert failing(results[check.id]) == PLANTED[check.id], check.id


@pytest.mark.parametrize("table", ["users", "orders", "prices"])
def test_every_rule_of_the_gallery_has_the_same_verdict_there(validate: Any, table: str) -> None:
    checks = gallery_checks(table)
    exported = write(checks)
    noted = {remark.check_id for remark in exported.remarks}
    for frames in shops():
        results = validate(exported.text, frames[table])
        for check in checks:
            if check.id not in exported.expressed or (check.id in noted and frames[table].empty):
                continue
            assert check.constraint is not None
            ours = found(check.constraint, frames)
            assert not any(one["exception_info"].get("raised_exception") for one in results[check.id]), check.id
            assert all(one["success"] for one in results[check.id]) == (not ours), check.id
            one_count = not isinstance(check.constraint, (TableRule, ColumnsRule)) and len(results[check.id]) == 1
            if one_count and getattr(check.constraint, "tolerance", None) is None:
                assert failing(results[check.id]) == len(ours), check.id


def test_it_saves_a_suite_that_still_comes_back_with_its_marks(validate: Any) -> None:
    import great_expectations as gx

    text = write(gallery_checks("orders")).text
    saved = json.dumps(gx.ExpectationSuite(**json.loads(text)).to_json_dict(), default=str)
    imported = import_checks(saved, "great-expectations")
    assert imported.not_understood == ()
    rules = {check.id: describe(check.constraint) for check in gallery_checks("orders") if check.constraint}
    assert {check.id: check.rule for check in imported.checks}.items() <= rules.items()


def suite(*expectations: dict[str, Any], **more: Any) -> str:
    return json.dumps({"name": "orders", "expectations": list(expectations), **more})


def rule_of(kind: str, **kwargs: Any) -> str:
    imported = import_checks(suite({"type": kind, "kwargs": kwargs}), "great-expectations")
    assert imported.not_understood == (), imported.not_understood
    (check,) = imported.checks
    return check.rule


@pytest.mark.parametrize(
    ("kind", "kwargs", "rule"),
    [
        ("expect_column_values_to_not_be_null", {"column": "a", "mostly": 0.95},
         "orders: `a` must be present; at most 5 % of rows may break this"),
        ("expect_column_values_to_be_in_set", {"column": "a", "value_set": ["x", "y"], "mostly": 0.9},
         "orders where `a` is present: `a` must be one of 'x', 'y'; at most 10 % of rows may break this"),
        ("expect_column_values_to_be_between", {"column": "a", "min_value": 1, "strict_max": True, "max_value": 5},
         "orders: `a` must be at least 1 and `a` must be less than 5"),
        ("expect_column_values_to_be_between", {"column": "a", "min_value": "2026-01-01"},
         "orders: `a` must be no earlier than 2026-01-01"),
        ("expect_column_values_to_match_regex", {"column": "a", "regex": "^[A-Z]{2}$"},
         "orders: `a` must match /[A-Z]{2}/"),
        ("expect_column_values_to_match_regex", {"column": "a", "regex": "[0-9]"},
         "orders: `a` must match /(?s:.*)[0-9](?s:.*)/"),
        ("expect_column_pair_values_a_to_be_greater_than_b",
         {"column_A": "a", "column_B": "b", "or_equal": True, "ignore_row_if": "either_value_is_missing"},
         "orders: `a` must be >= b"),
        ("expect_column_pair_values_to_be_equal", {"column_A": "a", "column_B": "b"},
         "orders where not (`a` is missing and b is missing): "
         "`a` must be present and b must be present and `a` must equal b"),
        ("expect_compound_columns_to_be_unique", {"column_list": ["a", "b"], "ignore_row_if": "never"},
         "orders: (`a`, b) must be unique counting missing values as equal"),
        ("expect_compound_columns_to_be_unique", {"column_list": ["a", "b"], "mostly": 0.9},
         "orders where not (`a` is missing and b is missing): (`a`, b) must be unique counting missing values as equal"
         "; at most 10 % of rows may break this"),
        ("expect_column_distinct_values_to_equal_set", {"column": "a", "value_set": ["x"]},
         "orders as a whole: the number of rows in orders (where `a` is 'x') must be at least 1 and "
         "the number of rows in orders (where not (`a` is 'x')) must equal 0"),
        ("expect_column_values_to_be_increasing", {"column": "a", "strictly": True},
         "orders where `a` is present: `a` must be > the previous `a`"),
        ("expect_table_row_count_to_be_between", {"min_value": 5},
         "orders as a whole: the number of rows in orders must be at least 5"),
        ("expect_column_mean_to_be_between", {"column": "a", "min_value": 1, "max_value": 2},
         "orders as a whole: the mean of `a` in orders must be at least 1 (up to rounding) and "
         "the mean of `a` in orders must be at most 2 (up to rounding)"),
        ("expect_table_columns_to_match_set", {"column_set": ["a", "b"]},
         "columns of orders: must have `a`, b; must have no others"),
        ("expect_column_values_to_not_be_null",
         {"column": "a", "row_condition": 'col("s") == "x"', "condition_parser": "great_expectations"},
         "orders where s is 'x': `a` must be present"),
        ("expect_column_values_to_not_be_null",
         {"column": "a", "row_condition": {"type": "and", "conditions": [
             {"type": "comparison", "column": {"name": "s"}, "operator": "!=", "parameter": "x"},
             {"type": "nullity", "column": {"name": "b"}, "is_null": False}]}},
         "orders where (s is missing or s is not 'x') and b is present: `a` must be present"),
    ],
)  # fmt: skip
def test_an_expectation_is_read_with_its_meaning(kind: str, kwargs: dict[str, Any], rule: str) -> None:
    assert rule_of(kind, **kwargs) == rule


def test_suites_of_0_18_are_read() -> None:
    old = {
        "expectation_suite_name": "orders",
        "data_asset_type": None,
        "ge_cloud_id": None,
        "expectations": [
            {
                "expectation_type": "expect_column_values_to_be_unique",
                "kwargs": {"column": "order_id", "result_format": "BASIC", "catch_exceptions": False},
                "meta": {"owner": "team@example.com"},
            }
        ],
        "meta": {"great_expectations_version": "0.18.9"},
    }
    (check,) = import_checks(json.dumps(old), "great-expectations").checks
    assert (check.rule, check.owner, check.id) == ("orders: order_id must be unique", "team@example.com", "GX-001")


@pytest.mark.parametrize(
    ("kind", "kwargs", "reason"),
    [
        ("expect_column_values_to_be_dateutil_parseable", {"column": "a"}, "no rule of ours says this expectation"),
        ("expect_column_max_to_be_between", {"column": "a", "max_value": {"$PARAMETER": "m"}}, "it takes a parameter"),
        ("expect_compound_columns_to_be_unique", {"column_list": ["a", "b"], "ignore_row_if": "x"}, "is one of all_"),
        ("expect_column_values_to_be_in_set", {"column": "a", "value_set": ["x"], "parse_strings_as_datetimes": True},
         "parse_strings_as_datetimes, which is not understood"),
        ("expect_column_values_to_match_regex", {"column": "a", "regex": "(?=x)y"}, "not in RE2 syntax"),
        ("expect_column_values_to_match_regex", {"column": "a", "regex": "^a|b$"}, "anchors only some"),
        ("expect_column_values_to_be_unique",
         {"column": "a", "row_condition": "f(a) == 1", "condition_parser": "pandas"},
         "'f(a) == 1' at character 1"),
        ("expect_column_values_to_be_unique", {"column": "a", "row_condition": "a = 1", "condition_parser": "spark"},
         "its row_condition is written for spark"),
        ("expect_column_values_to_be_between", {"column": "a"}, "it has no limit, so nothing can break it"),
        ("expect_column_values_to_be_in_set", {"column": "a", "value_set": [None, "x"]},
         "no text, number or truth value"),
        ("expect_column_values_to_not_be_null", {"column": ["a"]}, "is no column's name"),
    ],
)  # fmt: skip
def test_what_is_not_understood_is_listed_with_its_place_and_reason(
    kind: str, kwargs: dict[str, Any], reason: str
) -> None:
    fine = {"type": "expect_column_to_exist", "kwargs": {"column": "a"}}
    imported = import_checks(suite(fine, {"type": kind, "kwargs": kwargs}), "great-expectations")
    assert len(imported.checks) == 1
    (lost,) = imported.not_understood
    assert lost.where == "expectations[1]"
    assert reason in lost.reason


def test_a_pattern_whose_odd_texts_differ_is_remarked() -> None:
    entry = {"type": "expect_column_values_to_match_regex", "kwargs": {"column": "a", "regex": r"^\d+$"}}
    imported = import_checks(suite(entry), "great-expectations")
    assert "a line break at the end of a text" in imported.remarks[0].text
    assert "every digit and letter of Unicode" in imported.remarks[0].text


def test_statistics_that_the_two_sides_judge_in_different_ways_are_remarked() -> None:
    entry = {"type": "expect_column_mean_to_be_between", "kwargs": {"column": "a", "max_value": 5}}
    assert [remark.text for remark in import_checks(suite(entry), "great-expectations").remarks] == [
        "a column without any value fails it there and passes here",
        "computed numbers that differ by no more than rounding (1e-9) are equal here, and differ there",
    ]


@pytest.mark.parametrize("text", ["", "[]", "{", '{"expectations": {}}', "[" * 100_000])
def test_what_is_no_suite_is_refused_in_one_line(text: str) -> None:
    with pytest.raises(UsageMistake, match=r"suite"):
        import_checks(text, "great-expectations", table="orders")


@pytest.mark.parametrize(
    ("kind", "kwargs", "violations"),
    [
        ("expect_column_max_to_be_between", {"column": "w", "min_value": 0, "max_value": 5}, 0),
        ("expect_column_mean_to_be_between", {"column": "w", "min_value": 2, "max_value": 50}, 0),
        ("expect_column_mean_to_be_between", {"column": "n", "min_value": 0, "max_value": 0}, 0),
        ("expect_column_stdev_to_be_between", {"column": "zero", "min_value": 0, "max_value": 0}, 0),
        ("expect_column_sum_to_be_between", {"column": "w", "min_value": 50}, 1),
        ("expect_column_unique_value_count_to_be_between", {"column": "w", "min_value": 0, "max_value": 10}, 0),
        ("expect_column_unique_value_count_to_be_between", {"column": "zero", "min_value": 2}, 1),
        ("expect_column_values_to_be_null", {"column": "nothing"}, 0),
        ("expect_column_values_to_not_be_null", {"column": "nothing"}, 4),
        ("expect_column_values_to_be_unique", {"column": "nothing"}, 0),
        ("expect_column_values_to_not_match_regex", {"column": "nothing", "regex": "^a", "mostly": 0.2}, 0),
        ("expect_column_values_to_not_match_regex", {"column": "text", "regex": "^c.{3}\\d"}, 0),
    ],
)
def test_expectations_that_a_small_sample_cannot_break_are_proved(
    kind: str, kwargs: dict[str, Any], violations: int
) -> None:
    columns = {"w": [1, 2, 3, 4], "n": [0.0, None, 0.0, 0.0], "zero": [0] * 4, "text": list("abcd")}
    frame = pd.DataFrame({**columns, "nothing": pd.Series([None] * 4, dtype=object)})
    suite = json.dumps({"name": "t", "expectations": [{"type": kind, "kwargs": kwargs}]})
    (check,) = import_checks(suite, "great-expectations").checks
    run = pandas_magic.check(check.rule, tables={"t": frame}, target="t")
    assert run.violations is not None
    assert len(run.violations) == violations
