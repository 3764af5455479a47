"""Tests of Great Expectations and dbt are read by their names, and mean what the importers of both say they mean."""

from datetime import datetime

import numpy as np
import pandas as pd
import pytest

from pandas_magic.catalog.arrow import describe_frame
from pandas_magic.constraints import Constraint, violating_rows
from pandas_magic.errors import RuleNotUnderstood
from pandas_magic.peers.dbt.equivalents import MEANINGS as GENERIC
from pandas_magic.peers.great_expectations.equivalents import MEANINGS as EXPECTATIONS
from pandas_magic.planner.language import compile_rule

NOW = datetime(2026, 11, 1)
METERS = pd.DataFrame(
    {
        "meter_id": [1, 2, 3, 4, 4, 6],
        "pipe": [15, 20, 25, 22, 40, 15],
        "paid_by": ["SEPA", "Cash", None, "CASH", "SEPA", "x"],
        "zip": ["12345", "1234", "12345", None, "a2345", "123456"],
        "flow": [80.0, np.nan, 150.0, -1.0, 0.0, 140.0],
        "back": [70.0, np.nan, 160.0, np.nan, 0.0, 130.0],
        "plan": ["A", "B", "C", None, "A", "A"],
    }
)
PLANS = pd.DataFrame({"code": ["A", "B", "B"], "rate": [1.0, 2.0, 3.0]})
FRAMES = {"meters": METERS, "plans": PLANS}
TABLES = {name: describe_frame(name, frame) for name, frame in FRAMES.items()}


def flagged(constraint: Constraint) -> list[int]:
    return violating_rows(constraint, FRAMES, NOW, NOW)


EXPECTED = [
    ("expect_column_values_to_not_be_null", {"column": "flow"}),
    ("expect_column_values_to_be_null", {"column": "flow"}),
    ("expect_column_values_to_be_unique", {"column": "meter_id"}),
    ("expect_column_values_to_be_in_set", {"column": "paid_by", "value_set": ["SEPA", "CASH"]}),
    ("expect_column_values_to_be_in_set", {"column": "pipe", "value_set": [15, 20, 25, 40, 50]}),
    ("expect_column_values_to_not_be_in_set", {"column": "pipe", "value_set": [15, 20]}),
    ("expect_column_values_to_be_between", {"column": "flow", "min_value": 0, "max_value": 140}),
    ("expect_column_values_to_be_between", {"column": "flow", "min_value": 0, "max_value": 140, "strict_min": True}),
    ("expect_column_values_to_be_between", {"column": "flow", "max_value": 140, "strict_max": True}),
    ("expect_column_value_lengths_to_equal", {"column": "zip", "value": 5}),
    ("expect_column_value_lengths_to_be_between", {"column": "zip", "min_value": 5, "max_value": 5}),
    ("expect_column_values_to_match_regex", {"column": "zip", "regex": r"^\d{5}$"}),
    ("expect_column_values_to_match_regex", {"column": "zip", "regex": "23"}),
    ("expect_column_values_to_not_match_regex", {"column": "zip", "regex": "^a"}),
    ("expect_column_pair_values_a_to_be_greater_than_b", {"column_A": "flow", "column_B": "back"}),
    (
        "expect_column_pair_values_a_to_be_greater_than_b",
        {"column_A": "flow", "column_B": "back", "or_equal": True, "ignore_row_if": "either_value_is_missing"},
    ),
    ("expect_column_pair_values_to_be_equal", {"column_A": "flow", "column_B": "back"}),
]


@pytest.mark.parametrize(("name", "given"), EXPECTED)
@pytest.mark.parametrize("form", ["{name}({given})", "df.{name}({given})", "gx.expectations.{class_name}({given})"])
def test_an_expectation_means_what_its_importer_says(name: str, given: dict[str, object], form: str) -> None:
    keywords = ", ".join(f"{key}={value!r}" for key, value in given.items())
    said = form.format(name=name, class_name=name.title().replace("_", ""), given=keywords)
    assert flagged(compile_rule(said, TABLES).constraint) == flagged(EXPECTATIONS[name](given, "meters"))


@pytest.mark.parametrize(
    ("rule", "meant"),
    [
        ("expect_column_values_to_not_be_null('flow')", "flow must be present"),
        ("expect_column_values_to_be_in_set(paid_by, ['SEPA', 'CASH'])", "paid_by must be one of 'SEPA', 'CASH'"),
        ('expect_column_values_to_be_between("flow", 40, 130)', "flow must be between 40 and 130"),
        ("expect_column_values_to_be_unique(meters.meter_id)", "meter_id must be unique"),
    ],
)
def test_arguments_may_stand_in_order_and_columns_without_quotes(rule: str, meant: str) -> None:
    assert meant in compile_rule(rule, TABLES).echo


@pytest.mark.parametrize(
    ("rule", "test", "column", "given"),
    [
        ("not_null: meters.flow", "not_null", "flow", {}),
        ("meters.flow: not_null", "not_null", "flow", {}),
        ("not_null(flow)", "not_null", "flow", {}),
        ("unique: meters.meter_id", "unique", "meter_id", {}),
        ("unique(meter_id)", "unique", "meter_id", {}),
        ("pipe accepted_values: [15, 20, 25, 40, 50]", "accepted_values", "pipe", {"values": [15, 20, 25, 40, 50]}),
        ("accepted_values: pipe in [15, 20, 25, 40, 50]", "accepted_values", "pipe", {"values": [15, 20, 25, 40, 50]}),
        ("accepted_values: pipe: [15, 20, 25]", "accepted_values", "pipe", {"values": [15, 20, 25]}),
        ("meters.pipe: accepted_values: [15, 20, 25]", "accepted_values", "pipe", {"values": [15, 20, 25]}),
        ("pipe accepted_values 15, 20, 25", "accepted_values", "pipe", {"values": [15, 20, 25]}),
        ("paid_by accepted_values: [SEPA, CASH]", "accepted_values", "paid_by", {"values": ["SEPA", "CASH"]}),
        ("relationships: meters.plan -> plans.code", "relationships", "plan", {"to": "ref('plans')", "field": "code"}),
        ("relationships: meters.plan to plans.code", "relationships", "plan", {"to": "ref('plans')", "field": "code"}),
        (
            "meters.plan: relationships: to: ref('plans'), field: code",
            "relationships",
            "plan",
            {"to": "ref('plans')", "field": "code"},
        ),
        (
            "meters: unique_combination_of_columns: [pipe, zip]",
            "dbt_utils.unique_combination_of_columns",
            "",
            {"combination_of_columns": ["pipe", "zip"]},
        ),
        (
            "dbt_utils.unique_combination_of_columns: flow, back",
            "dbt_utils.unique_combination_of_columns",
            "",
            {"combination_of_columns": ["flow", "back"]},
        ),
        (
            "dbt_utils.expression_is_true: flow > back",
            "dbt_utils.expression_is_true",
            "",
            {"expression": "flow > back"},
        ),
    ],
)
def test_a_generic_test_means_what_its_importer_says(
    rule: str, test: str, column: str, given: dict[str, object]
) -> None:
    found = compile_rule(rule, TABLES)
    assert flagged(found.constraint) == flagged(GENERIC[test]("meters", column, given))


def test_several_generic_tests_of_a_column_are_all_held() -> None:
    assert compile_rule("meters.meter_id: unique, not_null", TABLES).echo == (
        "meters: meter_id must be unique and meter_id must be present"
    )


@pytest.mark.parametrize(
    ("rule", "why"),
    [
        ("expect_column_values_to_be_in_set(paid_by, ['SEPA'], mostly=0.9)", "mostly"),
        ("expect_column_values_to_be_between(flow, 0, 140, True)", "min_value"),
        ("expect_column_values_to_be_in_set(paid_by)", "value_set"),
        ("expect_column_values_to_be_dateutil_parseable(zip)", "expect_column_values_to_be_dateutil_parseable"),
        ("expect_column_values_to_not_be_null(paid)", "paid"),
    ],
)
def test_what_an_expectation_says_besides_is_not_dropped(rule: str, why: str) -> None:
    with pytest.raises(RuleNotUnderstood) as refused:
        compile_rule(rule, TABLES)
    assert why in str(refused.value)
    assert not refused.value.readings
