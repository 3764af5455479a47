"""The rows that a part of a report is about, as a filter that a reader of columnar files takes.

For tables that have no room as a frame: the same parts as in `row_selection`, each column read as its sketch read it.
"""

from __future__ import annotations

import json
import math
from functools import reduce
from operator import and_, or_
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.compute as pc

from pandas_magic.errors import UsageMistake
from pandas_magic.explore.confined.recognition import PLACEHOLDERS

if TYPE_CHECKING:
    from pandas_magic.explore.report_content import ReportContent

Filter = Any  # a pyarrow.compute.Expression
_CUT = "…"  # at the end of a value that the report shows in part
_LARGEST = 2**63 - 1


def filter_where(schema: pa.Schema, report: ReportContent, said: str) -> Filter:
    """What `row_selection.rows_where` finds, as an expression over columns of this schema.

    Raises: UsageMistake when it names no part of the report, or one that only the sample of the report tells of.
    """
    try:
        kind, *parts = json.loads(said)
        match kind:
            case "missing":
                return reduce(and_, (_gap(schema, name) for name in parts))
            case "only":
                every = report.details.missing.columns
                return reduce(and_, (_gap(schema, name) if name in parts else ~_gap(schema, name) for name in every))
            case "both":
                return ~reduce(or_, (_gap(schema, name) for name in parts))
            case "bin":
                return _bin(schema, report, str(parts[0]), int(parts[1]))
            case "between":
                return _between(schema, str(parts[0]), float(parts[1]), float(parts[2]), with_high=bool(parts[3]))
            case "value":
                return _value(schema, str(parts[0]), str(parts[1]))
            case "bar":
                raise UsageMistake(f"this picture is of a sample; click a value of {parts[0]} under Columns")
    except (ValueError, TypeError, KeyError, IndexError) as error:
        raise UsageMistake(f"the report has no rows for {said}") from error
    raise UsageMistake(f"the report has no rows for {said}")


def _kind(schema: pa.Schema, name: str) -> pa.DataType:
    kind = schema.field(name).type
    return kind.value_type if pa.types.is_dictionary(kind) else kind


def _text(schema: pa.Schema, name: str) -> Filter:
    """A column of texts, without the spaces around them."""
    return pc.utf8_trim_whitespace(pc.field(name).cast(pa.large_string()))


def _gap(schema: pa.Schema, name: str) -> Filter:
    kind = _kind(schema, name)
    if not (pa.types.is_string(kind) or pa.types.is_large_string(kind)):
        return pc.field(name).is_null(nan_is_null=pa.types.is_floating(kind))
    hollow = pc.utf8_lower(_text(schema, name)).isin(pa.array(PLACEHOLDERS, pa.large_string()))
    return pc.field(name).is_null() | hollow


def _bin(schema: pa.Schema, report: ReportContent, name: str, number: int) -> Filter:
    known = report.details.columns[name].histogram
    if known is None or not 0 <= number < len(known.counts):
        raise KeyError(name)
    low, high = known.edges[number : number + 2]
    return _between(schema, name, low, high, with_high=number == len(known.counts) - 1)


def _between(schema: pa.Schema, name: str, low: float, high: float, *, with_high: bool) -> Filter:
    """Values from one number to another, which a reader compares with what a file says of its row groups.

    Times are in seconds since 1970. Raises: UsageMistake for texts, which only the report's sample read as numbers.
    """
    kind, field = _kind(schema, name), pc.field(name)
    if pa.types.is_timestamp(kind) or pa.types.is_date(kind):
        moments = pa.timestamp("us", tz=getattr(kind, "tz", None))
        field = field if pa.types.is_timestamp(kind) else field.cast(moments)
        bounds = [pa.scalar(each, moments) for each in _whole_bounds(low * 1e6, high * 1e6, with_high)]
        return (field >= bounds[0]) & (field <= bounds[1])
    if pa.types.is_integer(kind):
        # Whole numbers as such: beyond 2**53 a fraction would not tell them apart.
        first, last = _whole_bounds(low, high, with_high)
        return (field >= first) & (field <= last)
    if pa.types.is_floating(kind) or pa.types.is_decimal(kind):
        values = field.cast(pa.float64()) if not pa.types.is_float64(kind) else field
        return (values >= low) & (values <= high if with_high else values < high)
    raise UsageMistake(f"{name} holds texts, which a sample alone was read of as numbers; filter the column below")


def _whole_bounds(low: float, high: float, with_high: bool) -> tuple[int, int]:
    last = math.floor(high) if with_high else math.ceil(high) - 1
    return max(math.ceil(low), -_LARGEST), min(last, _LARGEST)


def _value(schema: pa.Schema, name: str, text: str) -> Filter:
    kind, field = _kind(schema, name), pc.field(name)
    if pa.types.is_string(kind) or pa.types.is_large_string(kind):
        cut = text.endswith(_CUT)
        return pc.starts_with(_text(schema, name), text.removesuffix(_CUT)) if cut else _text(schema, name) == text
    if pa.types.is_boolean(kind):
        return field == {"True": True, "False": False}[text]
    if pa.types.is_integer(kind) or pa.types.is_floating(kind):
        return field == pa.scalar(float(text) if pa.types.is_floating(kind) else int(text), kind)
    raise UsageMistake(f"values of {name} ({kind}) are not looked for in a file of this size")
