"""What generic tests mean as rules of ours: dbt's own, those of dbt_utils, and those of dbt_expectations."""

import re
from collections.abc import Callable, Mapping
from typing import Any

from pandas_magic.constraints import (
    Aggregate,
    Compare,
    Condition,
    Constraint,
    Exists,
    Not,
    OneOf,
    Present,
    TableRule,
    Tolerance,
    Unique,
    Value,
)
from pandas_magic.peers.great_expectations.equivalents import MEANINGS as EXPECTATIONS
from pandas_magic.peers.ranges import one_of, rest_of, within_limits
from pandas_magic.peers.rule_parts import column, refuse_unknown, row_rule, scalars
from pandas_magic.peers.sql_filters import read_sql
from pandas_magic.peers.transfers import CannotRead

Given = Mapping[str, Any]
Meaning = Callable[[str, str, Given], Constraint]
# Tests that return one row for each row at fault, so that error_if counts what we count.
ROW_COUNTING = frozenset({"not_null", "dbt_utils.expression_is_true", "dbt_utils.accepted_range"})
# Arguments of dbt_expectations whose names differ from those of Great Expectations.
_RENAMED = {"column_name": "column", "column_A": "column_A", "column_B": "column_B"}
# Those that judge missing values, and everything else, as Great Expectations does.
_SAME = frozenset(
    {
        "expect_column_values_to_not_be_null",
        "expect_column_values_to_be_null",
        "expect_column_values_to_be_unique",
        "expect_column_values_to_be_in_set",
        "expect_column_values_to_not_be_in_set",
        "expect_column_values_to_be_between",
        "expect_column_value_lengths_to_be_between",
        "expect_column_value_lengths_to_equal",
        "expect_column_values_to_match_regex",
        "expect_column_values_to_not_match_regex",
        "expect_column_pair_values_to_be_equal",
        "expect_column_pair_values_a_to_be_greater_than_b",
        "expect_column_pair_values_A_to_be_greater_than_B",
        "expect_compound_columns_to_be_unique",
        "expect_table_row_count_to_equal",
        "expect_table_row_count_to_be_between",
        "expect_column_to_exist",
        "expect_column_mean_to_be_between",
        "expect_column_median_to_be_between",
        "expect_column_sum_to_be_between",
        "expect_column_stdev_to_be_between",
        "expect_column_min_to_be_between",
        "expect_column_max_to_be_between",
        "expect_column_unique_value_count_to_be_between",
    }
)


def meaning_of_expectation(test: str, name: str, given: Given, model: str) -> Constraint:
    """What a test of dbt_expectations asks for. Raises: CannotRead when it is not known to be the same as with GX."""
    expectation = test.split(".", 1)[1]
    if expectation not in _SAME:
        raise CannotRead(f"the test {test} is not understood")
    kwargs: dict[str, Any] = {_RENAMED.get(key, key): value for key, value in given.items()}
    if name:
        kwargs.setdefault("column", name)
    if kwargs.pop("strictly", False) is True and "between" in expectation:
        kwargs |= {"strict_min": True, "strict_max": True}
    kwargs.pop("quote_values", None)
    for unknown in ("group_by", "flags", "is_raw", "compare_group_by"):
        if kwargs.pop(unknown, None):
            raise CannotRead(f"its argument {unknown} is not understood")
    if "_pair_" in expectation:
        kwargs.setdefault("ignore_row_if", "either_value_is_missing")
    if "row_condition" in kwargs:
        kwargs["condition_parser"] = "sql"
    return EXPECTATIONS[expectation](kwargs, model)


def _not_null(model: str, name: str, given: Given) -> Constraint:
    refuse_unknown(given, (), "it")
    return row_rule(model, Present(of=column(name)))


def _unique(model: str, name: str, given: Given) -> Constraint:
    refuse_unknown(given, (), "it")
    return row_rule(model, Unique(by=(column(name),)))


def _accepted(model: str, name: str, given: Given) -> Constraint:
    refuse_unknown(given, ("values", "quote"), "it")
    return row_rule(model, one_of(column(name), _listed(given)))


def _rejected(model: str, name: str, given: Given) -> Constraint:
    refuse_unknown(given, ("values", "quote"), "it")
    return row_rule(model, Not(condition=OneOf(of=column(name), values=_listed(given))))


def _listed(given: Given) -> tuple[bool | int | float | str, ...]:
    found = scalars(given.get("values"))
    if given.get("quote", True) is False and any(isinstance(value, str) for value in found):
        raise CannotRead("its values are pieces of SQL (quote: false)")
    return found


def _related(model: str, name: str, given: Given) -> Constraint:
    refuse_unknown(given, ("to", "field", "from_condition", "to_condition"), "it")
    there, key = _relation(given.get("to")), column(given.get("field")).name
    chosen, narrowed = given.get("to_condition"), given.get("from_condition")
    where = None if chosen in (None, "1=1") else read_sql(str(chosen), table=there)
    scope = None if narrowed in (None, "1=1") else read_sql(str(narrowed), table=model)
    return row_rule(model, Exists(of=(column(name),), table=there, keys=(key,), where=where), scope)


def _relation(given: object) -> str:
    text = r"""['"]([^'"]+)['"]"""
    found = re.fullmatch(rf"(?:ref\({text}\)|source\({text},{text}\))", re.sub(r"\s", "", str(given)))
    if found is None:
        raise CannotRead(f"{given!r} is no ref('model') and no source('name', 'table')")
    return found[1] or found[3]


def _expression(model: str, name: str, given: Given) -> Constraint:
    refuse_unknown(given, ("expression",), "it")
    return row_rule(model, read_sql(f"{name} {given.get('expression')}".strip(), table=model))


def _combination(model: str, name: str, given: Given) -> Constraint:
    refuse_unknown(given, ("combination_of_columns", "quote_columns"), "it")
    names = scalars(given.get("combination_of_columns"))
    # It groups rows, and to a group two missing values are the same.
    return row_rule(model, Unique(by=tuple(map(column, names)), missing_equal=True))


def _range(model: str, name: str, given: Given) -> Constraint:
    refuse_unknown(given, ("min_value", "max_value", "inclusive"), "it")
    is_open = given.get("inclusive", True) is False
    low, high = given.get("min_value"), given.get("max_value")
    if any(isinstance(limit, str) for limit in (low, high)):
        raise CannotRead("its limit is a piece of SQL")
    return row_rule(model, within_limits(column(name), low, high, low_open=is_open, high_open=is_open))


def _proportion(model: str, name: str, given: Given) -> Constraint:
    refuse_unknown(given, ("at_least", "at_most"), "it")
    if given.get("at_most", 1) not in (1, 1.0):
        raise CannotRead("a share that must not be exceeded by present values is not understood")
    return row_rule(model, Present(of=column(name)), None, Tolerance(max_share=rest_of(given.get("at_least"))))


def _at_least(statistic: Any, least: int) -> Meaning:  # noqa: ANN401 - the name of one of our statistics
    def meaning(model: str, name: str, given: Given) -> Constraint:
        refuse_unknown(given, (), "it")
        found = Aggregate(statistic=statistic, table=model, of=column(name))
        return TableRule(table=model, must=Compare(relation=">=", left=found, right=Value(value=least)))

    return meaning


def _counts(relation: Any) -> Meaning:  # noqa: ANN401 - one of the six relations
    def meaning(model: str, name: str, given: Given) -> Constraint:
        refuse_unknown(given, ("compare_model",), "it")
        there = Aggregate(statistic="count", table=_relation(given.get("compare_model")))
        here = Aggregate(statistic="count", table=model)
        return TableRule(table=model, must=Compare(relation=relation, left=here, right=there))

    return meaning


def _not_empty(model: str, name: str, given: Given) -> Constraint:
    refuse_unknown(given, ("trim_whitespace",), "it")
    if given.get("trim_whitespace", True) is not False:
        raise CannotRead("databases differ in which white space they trim; say trim_whitespace: false")
    empty: Condition = Compare(relation="!=", left=column(name), right=Value(value=""))
    return row_rule(model, empty)


MEANINGS: dict[str, Meaning] = {
    "not_null": _not_null,
    "unique": _unique,
    "accepted_values": _accepted,
    "relationships": _related,
    "dbt_utils.expression_is_true": _expression,
    "dbt_utils.unique_combination_of_columns": _combination,
    "dbt_utils.relationships_where": _related,
    "dbt_utils.accepted_range": _range,
    "dbt_utils.not_accepted_values": _rejected,
    "dbt_utils.not_null_proportion": _proportion,
    "dbt_utils.at_least_one": _at_least("count", 1),
    "dbt_utils.not_constant": _at_least("distinct", 2),
    "dbt_utils.equal_rowcount": _counts("=="),
    "dbt_utils.fewer_rows_than": _counts("<"),
    "dbt_utils.not_empty_string": _not_empty,
}
