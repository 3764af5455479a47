"""What each expectation means as a rule of ours; those that are not listed have no such rule."""

from collections.abc import Callable, Mapping
from typing import Any, Literal

from pandas_magic.constraints import (
    Aggregate,
    All,
    Arithmetic,
    Column,
    ColumnsRule,
    Compare,
    Condition,
    Constraint,
    Matches,
    Not,
    OneOf,
    Present,
    Previous,
    TableRule,
    TextLength,
    Tolerance,
    Unique,
    Value,
)
from pandas_magic.peers.great_expectations.names import STATISTICS
from pandas_magic.peers.great_expectations.row_conditions import scope_of
from pandas_magic.peers.ranges import one_of, rest_of, within_limits
from pandas_magic.peers.regexes import like_condition, whole_text
from pandas_magic.peers.rule_parts import column, judged_where_present, refuse_unknown, row_rule, scalars
from pandas_magic.peers.transfers import CannotRead

Kwargs = Mapping[str, Any]
Meaning = Callable[[Kwargs, str], Constraint]
_SCOPE = ("row_condition", "condition_parser")
_STRICT = ("strict_min", "strict_max")


def _mapped(must: Callable[[Column, Kwargs], Condition], *names: str) -> Meaning:
    """An expectation about each present value of a column."""

    def meaning(kwargs: Kwargs, table: str) -> Constraint:
        refuse_unknown(kwargs, ("column", "mostly", *names, *_SCOPE), "it")
        of = column(kwargs.get("column"))
        rule = row_rule(table, must(of, kwargs), scope_of(kwargs, table))
        tolerated = rest_of(kwargs.get("mostly", 1))
        return judged_where_present(table, (of,), rule, tolerated) if tolerated else rule

    return meaning


def _presence(present: bool) -> Meaning:
    """An expectation about missing values, whose share is of all rows."""

    def meaning(kwargs: Kwargs, table: str) -> Constraint:
        refuse_unknown(kwargs, ("column", "mostly", *_SCOPE), "it")
        must: Condition = Present(of=column(kwargs.get("column")))
        tolerated = rest_of(kwargs.get("mostly", 1))
        tolerance = Tolerance(max_share=tolerated) if tolerated else None
        return row_rule(table, must if present else Not(condition=must), scope_of(kwargs, table), tolerance)

    return meaning


def _range(of: Column, kwargs: Kwargs) -> Condition:
    return within_limits(of, kwargs.get("min_value"), kwargs.get("max_value"), **_open(kwargs))


def _open(kwargs: Kwargs) -> dict[str, bool]:
    return {"low_open": kwargs.get("strict_min") is True, "high_open": kwargs.get("strict_max") is True}


def _lengths(of: Column, kwargs: Kwargs) -> Condition:
    return within_limits(TextLength(of=of), kwargs.get("min_value"), kwargs.get("max_value"), **_open(kwargs))


def _length(of: Column, kwargs: Kwargs) -> Condition:
    return Compare(relation="==", left=TextLength(of=of), right=Value(value=_whole(kwargs.get("value"))))


def _whole(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or value != int(value):
        raise CannotRead(f"{value!r} is no whole number")
    return int(value)


def _in_set(of: Column, kwargs: Kwargs) -> Condition:
    return one_of(of, kwargs.get("value_set"))


def _not_in_set(of: Column, kwargs: Kwargs) -> Condition:
    return Not(condition=OneOf(of=of, values=scalars(kwargs.get("value_set"))))


def _regex(of: Column, kwargs: Kwargs) -> Condition:
    return whole_text(of, str(kwargs.get("regex")), "search")


def _regexes(of: Column, kwargs: Kwargs) -> Condition:
    found = [whole_text(of, str(pattern), "search") for pattern in scalars(kwargs.get("regex_list"))]
    patterns = [one.pattern for one in found if isinstance(one, Matches)]
    if kwargs.get("match_on", "any") != "any" or len(patterns) != len(found):
        raise CannotRead("a list of patterns is understood when any may match and each names its end and its start")
    return Matches(of=of, pattern="|".join(f"(?:{pattern})" for pattern in patterns))


def _like(of: Column, kwargs: Kwargs) -> Condition:
    return like_condition(of, str(kwargs.get("like_pattern")))


def _negative(must: Callable[[Column, Kwargs], Condition]) -> Callable[[Column, Kwargs], Condition]:
    return lambda of, kwargs: Not(condition=must(of, kwargs))


def _unique(of: Column, kwargs: Kwargs) -> Condition:
    if kwargs.get("mostly", 1) != 1:
        raise CannotRead("a share of repeated values is counted among present values only")
    return Unique(by=(of,))


def _compound(kwargs: Kwargs, table: str) -> Constraint:
    refuse_unknown(kwargs, ("column_list", "ignore_row_if", *_SCOPE), "it")
    by = tuple(column(name) for name in scalars(kwargs.get("column_list")))
    ignored = kwargs.get("ignore_row_if", "all_values_are_missing")
    scope = scope_of(kwargs, table)
    if ignored == "all_values_are_missing":
        raise CannotRead("rows with some values missing are compared there; say ignore_row_if=any_value_is_missing")
    return row_rule(table, Unique(by=by, missing_equal=ignored == "never"), scope)


def _pair(relation: Literal["==", ">"]) -> Meaning:
    def meaning(kwargs: Kwargs, table: str) -> Constraint:
        refuse_unknown(kwargs, ("column_A", "column_B", "or_equal", "ignore_row_if", *_SCOPE), "it")
        left, right = column(kwargs.get("column_A")), column(kwargs.get("column_B"))
        ignored = kwargs.get("ignore_row_if", "both_values_are_missing")
        closed = relation == ">" and kwargs.get("or_equal") is True
        must: Condition = Compare(relation=">=" if closed else relation, left=left, right=right)
        scope = scope_of(kwargs, table)
        if ignored == "both_values_are_missing":
            # There a row with one of the two missing is unexpected.
            absent = All(conditions=(Not(condition=Present(of=left)), Not(condition=Present(of=right))))
            either = Not(condition=absent)
            scope = either if scope is None else All(conditions=(scope, either))
            must = All(conditions=(Present(of=left), Present(of=right), must))
        elif ignored != "either_value_is_missing":
            raise CannotRead(f"ignore_row_if={ignored} compares missing values, which no rule of ours does")
        return row_rule(table, must, scope)

    return meaning


def _sum(kwargs: Kwargs, table: str) -> Constraint:
    refuse_unknown(kwargs, ("column_list", "sum_total", "ignore_row_if", *_SCOPE), "it")
    if kwargs.get("ignore_row_if", "all_values_are_missing") != "any_value_is_missing":
        raise CannotRead("missing values count as 0 there; say ignore_row_if=any_value_is_missing")
    names = [column(name) for name in scalars(kwargs.get("column_list"))]
    total: Any = names[0]
    for name in names[1:]:
        total = Arithmetic(sign="+", left=total, right=name)
    wanted = Value(value=scalars([kwargs.get("sum_total")])[0])
    return row_rule(table, Compare(relation="==", left=total, right=wanted), scope_of(kwargs, table))


def _order(rising: bool) -> Meaning:
    def meaning(kwargs: Kwargs, table: str) -> Constraint:
        refuse_unknown(kwargs, ("column", "strictly", *_SCOPE), "it")
        of, strict = column(kwargs.get("column")), kwargs.get("strictly") is True
        relation: Any = (">" if rising else "<") + ("" if strict else "=")
        scope, present = scope_of(kwargs, table), Present(of=of)
        where = present if scope is None else All(conditions=(scope, present))
        return row_rule(table, Compare(relation=relation, left=of, right=Previous(of=of)), where)

    return meaning


def _statistic(statistic: Any) -> Meaning:  # noqa: ANN401 - the name of one of our statistics
    def meaning(kwargs: Kwargs, table: str) -> Constraint:
        refuse_unknown(kwargs, ("column", "min_value", "max_value", *_STRICT, *_SCOPE), "it")
        of = column(kwargs.get("column"))
        found = Aggregate(statistic=statistic, table=table, of=of, where=scope_of(kwargs, table))
        return TableRule(table=table, must=_limited(found, kwargs))

    return meaning


def _limited(of: Aggregate, kwargs: Kwargs) -> Condition:
    low, high = kwargs.get("min_value"), kwargs.get("max_value")
    if low is not None and low == high and not any(_open(kwargs).values()):
        return Compare(relation="==", left=of, right=Value(value=scalars([low])[0]))
    return within_limits(of, low, high, **_open(kwargs))


def _row_count(kwargs: Kwargs, table: str) -> Constraint:
    refuse_unknown(kwargs, ("value", "min_value", "max_value", *_STRICT, *_SCOPE), "it")
    of = Aggregate(statistic="count", table=table, where=scope_of(kwargs, table))
    if "value" in kwargs:
        return TableRule(table=table, must=Compare(relation="==", left=of, right=Value(value=_whole(kwargs["value"]))))
    return TableRule(table=table, must=_limited(of, kwargs))


def _share_present(kwargs: Kwargs, table: str) -> Constraint:
    refuse_unknown(kwargs, ("column", "min_value", *_SCOPE), "it")
    tolerance = Tolerance(max_share=rest_of(kwargs.get("min_value")))
    return row_rule(table, Present(of=column(kwargs.get("column"))), scope_of(kwargs, table), tolerance)


def _exists(kwargs: Kwargs, table: str) -> Constraint:
    refuse_unknown(kwargs, ("column",), "it")
    return ColumnsRule(table=table, required=(column(kwargs.get("column")).name,))


def _columns(names: str, *, ordered: bool) -> Meaning:
    def meaning(kwargs: Kwargs, table: str) -> Constraint:
        refuse_unknown(kwargs, (names, "exact_match"), "it")
        required = tuple(column(name).name for name in scalars(kwargs.get(names)))
        return ColumnsRule(
            table=table, required=required, only=kwargs.get("exact_match", True) is True, ordered=ordered
        )

    return meaning


MEANINGS: dict[str, Meaning] = {
    "expect_column_values_to_not_be_null": _presence(True),
    "expect_column_values_to_be_null": _presence(False),
    "expect_column_proportion_of_non_null_values_to_be_between": _share_present,
    "expect_column_values_to_be_unique": _mapped(_unique),
    "expect_compound_columns_to_be_unique": _compound,
    "expect_column_values_to_be_in_set": _mapped(_in_set, "value_set"),
    "expect_column_distinct_values_to_be_in_set": _mapped(_in_set, "value_set"),
    "expect_column_values_to_not_be_in_set": _mapped(_not_in_set, "value_set"),
    "expect_column_values_to_be_between": _mapped(_range, "min_value", "max_value", *_STRICT),
    "expect_column_value_lengths_to_be_between": _mapped(_lengths, "min_value", "max_value", *_STRICT),
    "expect_column_value_lengths_to_equal": _mapped(_length, "value"),
    "expect_column_values_to_match_regex": _mapped(_regex, "regex"),
    "expect_column_values_to_not_match_regex": _mapped(_negative(_regex), "regex"),
    "expect_column_values_to_match_regex_list": _mapped(_regexes, "regex_list", "match_on"),
    "expect_column_values_to_match_like_pattern": _mapped(_like, "like_pattern"),
    "expect_column_values_to_not_match_like_pattern": _mapped(_negative(_like), "like_pattern"),
    "expect_column_values_to_be_increasing": _order(True),
    "expect_column_values_to_be_decreasing": _order(False),
    "expect_column_pair_values_to_be_equal": _pair("=="),
    "expect_column_pair_values_a_to_be_greater_than_b": _pair(">"),
    # The name that it had before 0.14.
    "expect_column_pair_values_A_to_be_greater_than_B": _pair(">"),
    "expect_multicolumn_sum_to_equal": _sum,
    "expect_table_row_count_to_equal": _row_count,
    "expect_table_row_count_to_be_between": _row_count,
    "expect_column_to_exist": _exists,
    "expect_table_columns_to_match_set": _columns("column_set", ordered=False),
    "expect_table_columns_to_match_ordered_list": _columns("column_list", ordered=True),
    **{expectation: _statistic(statistic) for statistic, expectation in STATISTICS.items()},
}
