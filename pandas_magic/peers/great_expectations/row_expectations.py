"""Rules about rows as expectations: the one made for it where there is one, else "no row has this" with a query.

The maps over a column leave out missing values, as our comparisons do, so their unexpected rows are our violations.
"""

from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import Any

from pandas_magic.constraints import (
    Column,
    Compare,
    Condition,
    HasText,
    Matches,
    Moment,
    Not,
    OneOf,
    Parses,
    Present,
    RowRule,
    TextLength,
    Unique,
    Value,
)
from pandas_magic.peers.demands import Bounds, Demand, bounds, column_of, demands, is_present_in
from pandas_magic.peers.query_text import false_text, true_text
from pandas_magic.peers.regexes import search_pattern
from pandas_magic.peers.schemas import Schemas, Types
from pandas_magic.peers.transfers import CannotSay

Stated = tuple[str, dict[str, Any]]


def row_expectations(rule: RowRule, schemas: Schemas) -> Iterator[Stated]:
    """Each demand of the rule as the type of an expectation and its arguments.

    Raises: CannotSay when one of them has no faithful form.
    """
    types = Types(rule.table, schemas)
    for demand in demands(rule):
        yield _stated(demand, types)


def _stated(demand: Demand, types: Types) -> Stated:
    mapped = _mapped(demand.must, types)
    if mapped is not None:
        kind, kwargs = mapped
        mostly = _mostly(demand, kwargs)
        if demand.tolerance is None or mostly:
            return kind, {**kwargs, **mostly, **in_rows(demand.where, types)}
    return _counted(demand, types)


def in_rows(where: Condition | None, types: Types) -> dict[str, str]:
    """The arguments that confine an expectation to some rows."""
    return {} if where is None else {"row_condition": true_text(where, types), "condition_parser": "pandas"}


def _counted(demand: Demand, types: Types) -> Stated:
    """At most so many rows, none without a tolerance, are those that break the rule."""
    if isinstance(demand.must, Unique) or (isinstance(demand.must, Not) and isinstance(demand.must.condition, Unique)):
        raise CannotSay("it compares a row with other rows in a way that has no expectation")
    broken = {"row_condition": false_text(demand.must, types, demand.where), "condition_parser": "pandas"}
    if demand.tolerance is None:
        return "expect_table_row_count_to_equal", {"value": 0, **broken}
    if demand.tolerance.max_share is not None or demand.tolerance.max_rows is None:
        raise CannotSay("the share that it tolerates is of other rows there: missing values are not counted")
    return "expect_table_row_count_to_be_between", {"max_value": demand.tolerance.max_rows, **broken}


def _mostly(demand: Demand, kwargs: Mapping[str, Any]) -> dict[str, float]:
    """`mostly` for a tolerated share, where its share is of the same rows as ours."""
    tolerance = demand.tolerance
    if tolerance is None or tolerance.max_share is None or tolerance.max_rows is not None:
        return {}
    column = kwargs.get("column")
    counts_all = isinstance(demand.must, Present)
    if column is None or not (counts_all or is_present_in(demand.where, column)):
        return {}
    return {"mostly": float(1 - Decimal(repr(tolerance.max_share)))}


def _mapped(must: Condition, types: Types) -> Stated | None:
    """The expectation made for the condition, or None when there is none."""
    match must:
        case Present(of=Column(name=name)):
            return "expect_column_values_to_not_be_null", {"column": name}
        case Not(condition=Present(of=Column(name=name))):
            return "expect_column_values_to_be_null", {"column": name}
        case Unique(by=by, missing_equal=missing_equal):
            return _unique([column_of(part) for part in by], missing_equal)
        case Matches() | HasText() | Parses():
            return _pattern("match", must, types)
        case Not(condition=Matches() | HasText() | Parses() as part):
            return _pattern("not_match", part, types)
        case OneOf(of=Column(name=name), values=values) if types.of(must.of).kind != "datetime":
            return "expect_column_values_to_be_in_set", {"column": name, "value_set": list(values)}
        case Not(condition=OneOf(of=Column(name=name) as of, values=values)) if types.of(of).kind != "datetime":
            return "expect_column_values_to_not_be_in_set", {"column": name, "value_set": list(values)}
        case Compare():
            return _compared(must, types) or _ranged(must, types)
    return _ranged(must, types)


def _unique(columns: list[str | None], missing_equal: bool) -> Stated | None:
    if None in columns:
        return None
    if len(columns) > 1:
        ignored = "never" if missing_equal else "any_value_is_missing"
        return "expect_compound_columns_to_be_unique", {"column_list": columns, "ignore_row_if": ignored}
    return None if missing_equal else ("expect_column_values_to_be_unique", {"column": columns[0]})


def _pattern(verb: str, condition: Matches | HasText | Parses, types: Types) -> Stated | None:
    column = column_of(condition.of)
    if column is None or types.of(condition.of).kind != "text":
        return None
    try:
        pattern = search_pattern(condition)
    except CannotSay:
        return None
    return f"expect_column_values_to_{verb}_regex", {"column": column, "regex": pattern}


def _compared(compare: Compare, types: Types) -> Stated | None:
    left, right = column_of(compare.left), column_of(compare.right)
    if left is None or compare.within is not None:
        return None
    if compare.relation == "==" and isinstance(compare.right, Value):
        return "expect_column_values_to_be_in_set", {"column": left, "value_set": [compare.right.value]}
    if right is None or any(types.of(side).is_category for side in (compare.left, compare.right)):
        return None
    types.refuse_zones(compare.left, compare.right)
    pair = {"ignore_row_if": "either_value_is_missing"}
    if compare.relation == "==":
        return "expect_column_pair_values_to_be_equal", {"column_A": left, "column_B": right, **pair}
    if compare.relation in ("<", "<="):
        left, right = right, left
    if compare.relation == "!=":
        return None
    or_equal = {"or_equal": True} if "=" in compare.relation else {}
    names = {"column_A": left, "column_B": right}
    return "expect_column_pair_values_a_to_be_greater_than_b", {**names, **or_equal, **pair}


def _ranged(must: Condition, types: Types) -> Stated | None:
    found = bounds(must)
    if found is None:
        return _exact_length(must)
    if isinstance(found.of, TextLength):
        return _lengths(found)
    column = column_of(found.of)
    if column is None:
        return None
    types.refuse_zones(found.of, *(limit for limit in (found.low, found.high) if limit is not None))
    return "expect_column_values_to_be_between", {"column": column, **limits(found)}


def limits(found: Bounds) -> dict[str, Any]:
    """The bounds as arguments: a limit that is left out is open, `strict_…` excludes the limit itself."""
    low = {} if found.low is None else {"min_value": _limit(found.low)}
    high = {} if found.high is None else {"max_value": _limit(found.high)}
    strict = {
        name: True for name, is_open in (("strict_min", found.low_open), ("strict_max", found.high_open)) if is_open
    }
    return {**low, **high, **strict}


def _limit(limit: Value | Moment) -> Any:  # noqa: ANN401 - a number, or a text of a moment
    if isinstance(limit, Value):
        return limit.value
    # A bare date is read as a day there, which does not compare with moments.
    return limit.iso if "T" in limit.iso else f"{limit.iso}T00:00:00"


def _lengths(found: Bounds) -> Stated | None:
    column = column_of(found.of.of) if isinstance(found.of, TextLength) else None
    low, high = (limit.value if isinstance(limit, Value) else None for limit in (found.low, found.high))
    if column is None or any(limit is not None and not isinstance(limit, int) for limit in (low, high)):
        return None
    lowest = {} if low is None else {"min_value": int(low) + found.low_open}
    highest = {} if high is None else {"max_value": int(high) - found.high_open}
    return "expect_column_value_lengths_to_be_between", {"column": column, **lowest, **highest}


def _exact_length(must: Condition) -> Stated | None:
    match must:
        case Compare(relation="==", left=TextLength(of=Column(name=name)), right=Value(value=int() as length)):
            return "expect_column_value_lengths_to_equal", {"column": name, "value": length}
    return None
