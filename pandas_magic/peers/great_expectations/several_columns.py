"""Expectations about several columns of a row, as rules; which rows they leave aside is a scope."""

from collections.abc import Callable, Mapping, Sequence
from itertools import combinations
from typing import Any, Literal

from pandas_magic.constraints import (
    All,
    Any_,
    Arithmetic,
    Column,
    Compare,
    Condition,
    Constraint,
    Expression,
    Not,
    Present,
    Tolerance,
    Unique,
    Value,
)
from pandas_magic.peers.great_expectations.row_conditions import scope_of
from pandas_magic.peers.ranges import compared, rest_of
from pandas_magic.peers.rule_parts import column, refuse_unknown, row_rule, scalars
from pandas_magic.peers.transfers import CannotRead

Kwargs = Mapping[str, Any]
Meaning = Callable[[Kwargs, str], Constraint]
Ignored = Literal["all", "any", "none"]  # which values must be missing for a row to be left aside
_ROWS = ("ignore_row_if", "mostly", "row_condition", "condition_parser")
_PAIRS: dict[str, Ignored] = {
    "both_values_are_missing": "all",
    "either_value_is_missing": "any",
    "neither": "none",
}
_LISTS: dict[str, Ignored] = {"all_values_are_missing": "all", "any_value_is_missing": "any", "never": "none"}
Must = Callable[[Sequence[Column], Kwargs, Ignored], Condition]


def of_pair(must: Must, *names: str) -> Meaning:
    """An expectation about `column_A` and `column_B`."""

    def meaning(kwargs: Kwargs, table: str) -> Constraint:
        refuse_unknown(kwargs, ("column_A", "column_B", *names, *_ROWS), "it")
        columns = column(kwargs.get("column_A")), column(kwargs.get("column_B"))
        return _rule(table, columns, must, kwargs=kwargs, ignored=_ignored(kwargs, _PAIRS))

    return meaning


def of_list(must: Must, *names: str) -> Meaning:
    """An expectation about the columns of `column_list`."""

    def meaning(kwargs: Kwargs, table: str) -> Constraint:
        refuse_unknown(kwargs, ("column_list", *names, *_ROWS), "it")
        columns = tuple(column(name) for name in scalars(kwargs.get("column_list")))
        if len(columns) < 2:
            raise CannotRead("it is about several columns and names one")
        return _rule(table, columns, must, kwargs=kwargs, ignored=_ignored(kwargs, _LISTS))

    return meaning


def _ignored(kwargs: Kwargs, modes: Mapping[str, Ignored]) -> Ignored:
    """The mode that is said; what is said first of them is the default."""
    said = kwargs.get("ignore_row_if", next(iter(modes)))
    if said not in modes:
        raise CannotRead(f"ignore_row_if is {said!r}, and is one of {', '.join(modes)}")
    return modes[said]


def _rule(table: str, columns: Sequence[Column], must: Must, *, kwargs: Kwargs, ignored: Ignored) -> Constraint:
    present = tuple(Present(of=each) for each in columns)
    absent = tuple(Not(condition=each) for each in present)
    kept = {"any": All(conditions=present), "all": Not(condition=All(conditions=absent)), "none": None}[ignored]
    parts = [each for each in (scope_of(kwargs, table), kept) if each is not None]
    share = rest_of(kwargs.get("mostly", 1))
    condition = must(columns, kwargs, ignored)
    if ignored == "any" and not share and isinstance(condition, Compare | Unique):
        parts = parts[:-1]  # where one is missing, a comparison is not false
    where = All(conditions=tuple(parts)) if len(parts) > 1 else parts[0] if parts else None
    return row_rule(table, condition, where, Tolerance(max_share=share) if share else None)


def unique(columns: Sequence[Column], kwargs: Kwargs, ignored: Ignored) -> Condition:
    """No two rows have the same values; where rows with gaps are judged, two gaps are the same."""
    return Unique(by=tuple(columns), missing_equal=ignored != "any")


def related(relation: Literal["==", ">"]) -> Must:
    """The first stands in the relation to the second; a value that is missing does not."""

    def must(columns: Sequence[Column], kwargs: Kwargs, ignored: Ignored) -> Condition:
        left, right = columns
        closed = relation == ">" and kwargs.get("or_equal") is True
        return _known(columns, Compare(relation=">=" if closed else relation, left=left, right=right), ignored)

    return must


def _known(columns: Sequence[Column], condition: Condition, ignored: Ignored) -> Condition:
    """The condition, which is false where one of the columns has no value and the row counts all the same."""
    if ignored == "any":
        return condition
    return All(conditions=(*(Present(of=each) for each in columns), condition))


def among_pairs(columns: Sequence[Column], kwargs: Kwargs, ignored: Ignored) -> Condition:
    """The two values are one of the pairs that are listed."""
    listed = kwargs.get("value_pairs_set")
    if not isinstance(listed, list) or not listed:
        raise CannotRead(f"{listed!r} is no list of pairs")
    pairs = [_pair(columns, pair) for pair in listed]
    return _known(columns, pairs[0] if len(pairs) == 1 else Any_(conditions=tuple(pairs)), ignored)


def _pair(columns: Sequence[Column], pair: object) -> Condition:
    values = scalars(pair)
    if len(values) != len(columns):
        raise CannotRead(f"{pair!r} is no pair of values")
    return All(conditions=tuple(compared(of, "==", value) for of, value in zip(columns, values, strict=True)))


def all_different(columns: Sequence[Column], kwargs: Kwargs, ignored: Ignored) -> Condition:
    """No two of the values in a row are the same; two that are missing are."""
    parts: list[Condition] = []
    for one, other in combinations(columns, 2):
        parts.append(Compare(relation="!=", left=one, right=other))
        if ignored == "none" or (ignored == "all" and len(columns) > 2):
            parts.append(Any_(conditions=(Present(of=one), Present(of=other))))
    return parts[0] if len(parts) == 1 else All(conditions=tuple(parts))


def all_equal(columns: Sequence[Column], kwargs: Kwargs, ignored: Ignored) -> Condition:
    """Each of the values in a row is the first one; two that are missing are equal."""
    first, *others = columns
    parts = [_equal(first, other, ignored) for other in others]
    return parts[0] if len(parts) == 1 else All(conditions=tuple(parts))


def _equal(one: Column, other: Column, ignored: Ignored) -> Condition:
    same = _known((one, other), Compare(relation="==", left=one, right=other), ignored)
    if ignored == "any":
        return same
    absent = tuple(Not(condition=Present(of=each)) for each in (one, other))
    return Any_(conditions=(same, All(conditions=absent)))


def sum_is(columns: Sequence[Column], kwargs: Kwargs, ignored: Ignored) -> Condition:
    """The values of a row add up to `sum_total`, which they do not where one is missing."""
    total: Expression = columns[0]
    for each in columns[1:]:
        total = Arithmetic(sign="+", left=total, right=each)
    wanted = Value(value=scalars([kwargs.get("sum_total")])[0])
    return _known(columns, Compare(relation="==", left=total, right=wanted), ignored)
