"""The rows that an expectation is about: a query for pandas, GX's own condition, or its record of 1.x."""

from collections.abc import Mapping
from typing import Any

from pandas_magic.constraints import All, Any_, Compare, Condition, Not, OneOf, Present
from pandas_magic.peers.query_filters import read_query, untrue
from pandas_magic.peers.ranges import compared
from pandas_magic.peers.rule_parts import column, scalars
from pandas_magic.peers.sql_filters import read_sql
from pandas_magic.peers.transfers import CannotRead


def scope_of(kwargs: Mapping[str, Any], table: str) -> Condition | None:
    """The condition of the rows that are judged, None for all.

    Raises: CannotRead for filters that are not wholly understood.
    """
    found = kwargs.get("row_condition")
    if found is None:
        return None
    if isinstance(found, Mapping):
        return _record(found)
    parser = kwargs.get("condition_parser")
    if parser == "sql":  # what dbt_expectations takes
        return read_sql(str(found), table=table)
    if parser not in ("pandas", "great_expectations", "great_expectations__experimental__"):
        raise CannotRead(f"its row_condition is written for {parser or 'an engine that is not named'}")
    return read_query(str(found))


def _record(record: Mapping[str, Any], depth: int = 0) -> Condition:
    if depth > 20:
        raise CannotRead("its row_condition is nested more than 20 deep")
    match record.get("type"):
        case "and" | "or" as joint:
            parts = tuple(_record(part, depth + 1) for part in record.get("conditions", ()))
            if not parts:
                raise CannotRead("its row_condition joins nothing")
            return All(conditions=parts) if joint == "and" else Any_(conditions=parts)
        case "nullity":
            present = Present(of=_column(record))
            return Not(condition=present) if record.get("is_null") else present
        case "comparison":
            return _comparison(record)
        case "pass_through":
            return read_query(str(record.get("pass_through_filter")))
    raise CannotRead(f"its row_condition has the type {record.get('type')!r}")


def _comparison(record: Mapping[str, Any]) -> Condition:
    of, operator, value = _column(record), record.get("operator"), record.get("parameter")
    if operator in ("IN", "NOT_IN"):
        listed = OneOf(of=of, values=scalars(value))
        return listed if operator == "IN" else untrue(listed)
    if operator not in ("==", "!=", "<", "<=", ">", ">="):
        raise CannotRead(f"its row_condition compares with {operator!r}")
    if operator == "!=":
        return untrue(compared(of, "==", value))
    found: Compare = compared(of, operator, value)
    return found


def _column(record: Mapping[str, Any]) -> Any:  # noqa: ANN401 - a column, as an expression
    named = record.get("column")
    return column(named.get("name") if isinstance(named, Mapping) else named)
