"""Rules about whole tables and about columns as expectations."""

import math
from collections.abc import Iterator

from pandas_magic.constraints import Aggregate, All, ColumnsRule, Compare, Condition, Present, TableRule, Value
from pandas_magic.constraints.algebra.shapes import is_rounded
from pandas_magic.peers.demands import Bounds, bounds, column_of, widened
from pandas_magic.peers.great_expectations.names import STATISTICS
from pandas_magic.peers.great_expectations.row_expectations import Stated, in_rows, limits
from pandas_magic.peers.schemas import Schemas, Types
from pandas_magic.peers.transfers import CannotSay


def table_expectations(rule: TableRule, schemas: Schemas) -> Iterator[Stated]:
    """Each condition on a statistic as the type of an expectation and its arguments.

    Raises: CannotSay when one of them has no faithful form.
    """
    parts = rule.must.conditions if isinstance(rule.must, All) and bounds(rule.must) is None else (rule.must,)
    for part in parts:
        yield _stated(part, rule.table, schemas)


def _stated(part: Condition, table: str, schemas: Schemas) -> Stated:
    if isinstance(part, Compare) and part.relation == "==" and isinstance(part.right, Value) and part.within is None:
        limit, of = part.right, part.left
        found: Bounds | None = Bounds(of, limit, limit)
    else:
        found = bounds(part)
    if found is None or not isinstance(found.of, Aggregate):
        raise CannotSay("no expectation compares statistics with each other, with shares or with a tolerance")
    of = found.of
    if of.table != table:
        raise CannotSay(f"it is about {of.table}, and a suite is about {table}")
    types = Types(table, schemas)
    if of.statistic == "count":
        return _counted(found, of, types)
    if of.statistic not in STATISTICS or of.of is None or column_of(of.of) is None:
        raise CannotSay(f"no expectation computes the {of.statistic} of that as it is computed here")
    types.refuse_zones(of.of)
    return STATISTICS[of.statistic], {
        "column": column_of(of.of),
        **limits(_as_compared(found, part)),
        **in_rows(of.where, types),
    }


def _as_compared(found: Bounds, part: Condition) -> Bounds:
    """The bounds as a comparison up to rounding applies them."""
    compare = part.conditions[0] if isinstance(part, All) else part
    if not isinstance(compare, Compare) or not is_rounded(compare):
        return found
    low, high = found.low, found.high
    if isinstance(low, Value):
        low = Value(value=widened(float(low.value), upper=False, open_=found.low_open))
    if isinstance(high, Value):
        high = Value(value=widened(float(high.value), upper=True, open_=found.high_open))
    return Bounds(found.of, low, high, found.low_open, found.high_open)


def _counted(found: Bounds, of: Aggregate, types: Types) -> Stated:
    where = of.where
    if of.of is not None:
        present = Present(of=of.of)
        where = present if where is None else All(conditions=(where, present))
    rows = in_rows(where, types)
    low, high = (None if limit is None else _number(limit) for limit in (found.low, found.high))
    if low is not None and low == high and low == int(low):
        return "expect_table_row_count_to_equal", {"value": int(low), **rows}
    # Counts are whole: more than 3 is at least 4, at least 2.5 is at least 3.
    least = {} if low is None else {"min_value": math.floor(low) + 1 if found.low_open else math.ceil(low)}
    most = {} if high is None else {"max_value": math.ceil(high) - 1 if found.high_open else math.floor(high)}
    return "expect_table_row_count_to_be_between", {**least, **most, **rows}


def _number(limit: object) -> float:
    if not isinstance(limit, Value) or isinstance(limit.value, str) or not math.isfinite(limit.value):
        raise CannotSay("a count is compared with something that is no number")
    return limit.value


def column_expectations(rule: ColumnsRule) -> Iterator[Stated]:
    """The demands on a table's columns.

    Raises: CannotSay for forbidden columns, types, and an order among other columns.
    """
    if rule.forbidden:
        raise CannotSay("no expectation forbids a column")
    if rule.types:
        raise CannotSay("types are named by dtype there, and one kind of values has many: int64, Int64, int32")
    if rule.only and rule.ordered:
        yield "expect_table_columns_to_match_ordered_list", {"column_list": list(rule.required)}
    elif rule.ordered:
        raise CannotSay("no expectation orders some columns among others")
    elif rule.only:
        yield "expect_table_columns_to_match_set", {"column_set": list(rule.required), "exact_match": True}
    else:
        for name in rule.required:
            yield "expect_column_to_exist", {"column": name}
