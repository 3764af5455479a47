"""What each expectation means as a rule of ours; those that are not listed have no such rule."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from pandas_magic.constraints import (
    Absolute,
    Aggregate,
    All,
    Any_,
    Arithmetic,
    Column,
    ColumnsRule,
    Compare,
    Condition,
    Constraint,
    Expression,
    Group,
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
from pandas_magic.peers.great_expectations.several_columns import (
    all_different,
    all_equal,
    among_pairs,
    of_list,
    of_pair,
    related,
    sum_is,
    unique,
)
from pandas_magic.peers.ranges import compared, one_of, rest_of, within_limits
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
    return _several([whole_text(of, str(each), "search") for each in scalars(kwargs.get("regex_list"))], of, kwargs)


def _likes(of: Column, kwargs: Kwargs) -> Condition:
    return _several([like_condition(of, str(each)) for each in scalars(kwargs.get("like_pattern_list"))], of, kwargs)


def _several(found: Sequence[Condition], of: Column, kwargs: Kwargs) -> Condition:
    """Any of the conditions, or all of them where that is said."""
    joint = kwargs.get("match_on", "any")
    if joint not in ("any", "all"):
        raise CannotRead(f"match_on is {joint!r}, and is any or all")
    patterns = [one.pattern for one in found if isinstance(one, Matches)]
    if joint == "any" and len(patterns) == len(found):
        return Matches(of=of, pattern="|".join(f"(?:{pattern})" for pattern in patterns))
    return found[0] if len(found) == 1 else (All if joint == "all" else Any_)(conditions=tuple(found))


def _like(of: Column, kwargs: Kwargs) -> Condition:
    return like_condition(of, str(kwargs.get("like_pattern")))


def _negative(must: Callable[[Column, Kwargs], Condition]) -> Callable[[Column, Kwargs], Condition]:
    return lambda of, kwargs: Not(condition=must(of, kwargs))


def _unique(of: Column, kwargs: Kwargs) -> Condition:
    return Unique(by=(of,))


def _z_score(of: Column, kwargs: Kwargs) -> Condition:
    """How many standard deviations of the present values a value is off their mean; of equal values it is not known."""
    threshold = kwargs.get("threshold")
    if isinstance(threshold, bool) or not isinstance(threshold, (int, float)):
        raise CannotRead(f"{threshold!r} is no number of standard deviations")
    off = Arithmetic(sign="-", left=of, right=Group(statistic="mean", of=of))
    score: Expression = Arithmetic(sign="/", left=off, right=Group(statistic="std", of=of))
    two_sided = kwargs.get("double_sided") is True
    limit = Value(value=abs(threshold) if two_sided else threshold)
    return Compare(relation="<", left=Absolute(of=score) if two_sided else score, right=limit)


def _order(rising: bool) -> Meaning:
    def meaning(kwargs: Kwargs, table: str) -> Constraint:
        refuse_unknown(kwargs, ("column", "strictly", "mostly", *_SCOPE), "it")
        of, strict = column(kwargs.get("column")), kwargs.get("strictly") is True
        relation: Any = (">" if rising else "<") + ("" if strict else "=")
        scope, present = scope_of(kwargs, table), Present(of=of)
        where = present if scope is None else All(conditions=(scope, present))
        tolerated = rest_of(kwargs.get("mostly", 1))
        tolerance = Tolerance(max_share=tolerated) if tolerated else None
        return row_rule(table, Compare(relation=relation, left=of, right=Previous(of=of)), where, tolerance)

    return meaning


def _statistic(statistic: Any) -> Meaning:  # noqa: ANN401 - the name of one of our statistics
    def meaning(kwargs: Kwargs, table: str) -> Constraint:
        refuse_unknown(kwargs, ("column", "min_value", "max_value", *_STRICT, *_SCOPE), "it")
        of = column(kwargs.get("column"))
        found = Aggregate(statistic=statistic, table=table, of=of, where=scope_of(kwargs, table))
        return TableRule(table=table, must=_limited(found, kwargs))

    return meaning


def _limited(of: Expression, kwargs: Kwargs) -> Condition:
    low, high = kwargs.get("min_value"), kwargs.get("max_value")
    if low is not None and low == high and not any(_open(kwargs).values()):
        return Compare(relation="==", left=of, right=Value(value=scalars([low])[0]))
    return within_limits(of, low, high, **_open(kwargs))


def _value_set(*, only: bool) -> Meaning:
    """Each of the values occurs; `only`: and no other does."""

    def meaning(kwargs: Kwargs, table: str) -> Constraint:
        refuse_unknown(kwargs, ("column", "value_set", *_SCOPE), "it")
        of, scope = column(kwargs.get("column")), scope_of(kwargs, table)
        values = scalars(kwargs.get("value_set"))
        demands = [_counts(table, compared(of, "==", value), scope, at_least=1) for value in values]
        if only:
            demands.append(_counts(table, Not(condition=one_of(of, list(values))), scope, at_least=0))
        return TableRule(table=table, must=demands[0] if len(demands) == 1 else All(conditions=tuple(demands)))

    return meaning


def _counts(table: str, rows: Condition, scope: Condition | None, *, at_least: int) -> Condition:
    """How many such rows there are: so many and more, or none for 0."""
    where = rows if scope is None else All(conditions=(scope, rows))
    found = Aggregate(statistic="count", table=table, where=where)
    return Compare(relation=">=" if at_least else "==", left=found, right=Value(value=at_least))


def _share_unique(kwargs: Kwargs, table: str) -> Constraint:
    """How many different values there are for each value that is there."""
    refuse_unknown(kwargs, ("column", "min_value", "max_value", *_STRICT, *_SCOPE), "it")
    of, scope = column(kwargs.get("column")), scope_of(kwargs, table)
    there = Aggregate(statistic="count", table=table, of=of, where=scope)
    distinct = Aggregate(statistic="distinct", table=table, of=of, where=scope)
    return TableRule(table=table, must=_limited(Arithmetic(sign="/", left=distinct, right=there), kwargs))


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
    "expect_compound_columns_to_be_unique": of_list(unique),
    "expect_multicolumn_values_to_be_unique": of_list(all_different),  # its old name is misleading
    "expect_select_column_values_to_be_unique_within_record": of_list(all_different),
    "expect_multicolumn_values_to_be_equal": of_list(all_equal),
    "expect_column_distinct_values_to_contain_set": _value_set(only=False),
    "expect_column_distinct_values_to_equal_set": _value_set(only=True),
    "expect_column_proportion_of_unique_values_to_be_between": _share_unique,
    "expect_column_value_z_scores_to_be_less_than": _mapped(_z_score, "threshold", "double_sided"),
    "expect_column_values_to_be_in_set": _mapped(_in_set, "value_set"),
    "expect_column_distinct_values_to_be_in_set": _mapped(_in_set, "value_set"),
    "expect_column_values_to_not_be_in_set": _mapped(_not_in_set, "value_set"),
    "expect_column_values_to_be_between": _mapped(_range, "min_value", "max_value", *_STRICT),
    "expect_column_value_lengths_to_be_between": _mapped(_lengths, "min_value", "max_value", *_STRICT),
    "expect_column_value_lengths_to_equal": _mapped(_length, "value"),
    "expect_column_values_to_match_regex": _mapped(_regex, "regex"),
    "expect_column_values_to_not_match_regex": _mapped(_negative(_regex), "regex"),
    "expect_column_values_to_match_regex_list": _mapped(_regexes, "regex_list", "match_on"),
    "expect_column_values_to_not_match_regex_list": _mapped(_negative(_regexes), "regex_list"),
    "expect_column_values_to_match_like_pattern_list": _mapped(_likes, "like_pattern_list", "match_on"),
    "expect_column_values_to_not_match_like_pattern_list": _mapped(_negative(_likes), "like_pattern_list"),
    "expect_column_values_to_match_like_pattern": _mapped(_like, "like_pattern"),
    "expect_column_values_to_not_match_like_pattern": _mapped(_negative(_like), "like_pattern"),
    "expect_column_values_to_be_increasing": _order(True),
    "expect_column_values_to_be_decreasing": _order(False),
    "expect_column_pair_values_to_be_equal": of_pair(related("==")),
    "expect_column_pair_values_a_to_be_greater_than_b": of_pair(related(">"), "or_equal"),
    # The name that it had before 0.14.
    "expect_column_pair_values_A_to_be_greater_than_B": of_pair(related(">"), "or_equal"),
    "expect_column_pair_values_to_be_in_set": of_pair(among_pairs, "value_pairs_set"),
    "expect_multicolumn_sum_to_equal": of_list(sum_is, "sum_total"),
    "expect_table_row_count_to_equal": _row_count,
    "expect_table_row_count_to_be_between": _row_count,
    "expect_column_to_exist": _exists,
    "expect_table_columns_to_match_set": _columns("column_set", ordered=False),
    "expect_table_columns_to_match_ordered_list": _columns("column_list", ordered=True),
    **{expectation: _statistic(statistic) for statistic, expectation in STATISTICS.items()},
}
