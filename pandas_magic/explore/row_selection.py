"""The rows that a part of a report is about: a bar, a gap, two columns that go together.

A part names them as a JSON list: what it is, then a column or two, then which bar.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import reduce
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from pandas_magic.errors import UsageMistake
from pandas_magic.explore.confined.recognition import column_of, reread
from pandas_magic.explore.confined.typed_column import TypedColumn
from pandas_magic.explore.confined.unique_names import with_unique_names
from pandas_magic.explore.crossing import crossable

if TYPE_CHECKING:
    from pandas_magic.explore.report_content import ReportContent

Mask = np.ndarray[Any, np.dtype[np.bool_]]


def rows_where(frame: pd.DataFrame, report: ReportContent, said: str) -> Mask:
    """The rows of the table that a part of its report is about, each column read as the report reads it.

    `["missing", name, …]` are the rows in which all these columns are missing, `["only", name, …]` those in which no
    other one is; `["both", one, other]` those in which both are present; `["bin", name, n]` those of a bar of its
    histogram, `["between", name, low, high, with_high]` those of a bar with these ends; `["bar", name, n]` those of its
    n-th most frequent value, `["value", name, text]` those with this value.

    Raises: UsageMistake when it names no part of the report.
    """
    try:
        kind, *parts = json.loads(said)
        match kind:
            case "missing":
                return reduce(np.logical_and, (_gaps(_column(frame, report, name)) for name in parts))
            case "only":
                return _only(frame, report, parts)
            case "both":
                return ~reduce(np.logical_or, (_gaps(_column(frame, report, name)) for name in parts))
            case "bin":
                return _in_bin(_column(frame, report, parts[0]), report, int(parts[1]))
            case "between":
                low, high, with_high = parts[1:]
                return _between(_column(frame, report, parts[0]), float(low), float(high), with_high=bool(with_high))
            case "bar":
                return _in_bar(_column(frame, report, parts[0]), report, int(parts[1]))
            case "value":
                return _equal(_column(frame, report, parts[0]), str(parts[1]))
    except (ValueError, TypeError, KeyError, IndexError) as error:
        raise UsageMistake(f"the report has no rows for {said}") from error
    raise UsageMistake(f"the report has no rows for {said}")


def names_in_report(frame: pd.DataFrame) -> list[str]:
    """What a report calls the columns of a table: names that occur twice are told apart."""
    return list(with_unique_names(crossable(frame.head(0))[0]).columns)


def _column(frame: pd.DataFrame, report: ReportContent, name: str) -> TypedColumn:
    names = names_in_report(frame)
    known = report.details.columns[name]
    crossed, _ = crossable(frame.iloc[:, [names.index(name)]])
    column = column_of(name, crossed.iloc[:, 0])
    # A person may have said what it means.
    return column if column.kind == known.kind or known.kind == "constant" else reread(column, known.kind)


def _gaps(column: TypedColumn) -> Mask:
    gaps: Mask = np.zeros(column.rows, dtype=bool) if column.gaps is None else column.gaps
    return gaps


def _only(frame: pd.DataFrame, report: ReportContent, names: Sequence[str]) -> Mask:
    every = [(name in names, _gaps(_column(frame, report, name))) for name in report.details.missing.columns]
    mask: Mask = np.logical_and.reduce([gaps if missing else ~gaps for missing, gaps in every])
    return mask


def _in_bin(column: TypedColumn, report: ReportContent, number: int) -> Mask:
    known = report.details.columns[column.name].histogram
    if known is None or not 0 <= number < len(known.counts):
        raise KeyError(column.name)
    low, high = known.edges[number : number + 2]
    return _between(column, low, high, with_high=number == len(known.counts) - 1)


def _between(column: TypedColumn, low: float, high: float, *, with_high: bool) -> Mask:
    values = column.floats()
    with np.errstate(invalid="ignore"):
        below = values <= high if with_high else values < high
        mask: Mask = (values >= low) & below
    return mask


def _in_bar(column: TypedColumn, report: ReportContent, number: int) -> Mask:
    """The rows of a bar in the picture of a column's values, which has the same order."""
    target, known = report.document.target, report.details.columns[column.name]
    counts = known.categories
    if target is not None and target.name == column.name and target.task_type == "classification":
        counts = target.class_counts
    if counts:
        ordered = sorted((pair for pair in counts.items() if pair[1]), key=lambda pair: -pair[1])
        return _equal(column, ordered[number][0])
    if known.histogram is not None:
        return _in_bin(column, report, [at for at, count in enumerate(known.histogram.counts) if count][number])
    if column.codes is None:
        raise KeyError(column.name)
    codes: Mask = column.codes == np.argsort(-column.counts, kind="stable")[number]
    return codes


def _equal(column: TypedColumn, text: str) -> Mask:
    if column.codes is None:
        numbers: Mask = column.floats() == float(text)
        return numbers
    codes: Mask = column.codes == list(column.labels).index(text)
    return codes
