"""One column by itself: how many, how spread, how often, from when to when. Always of all rows."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pandas as pd

from pandas_magic.explore.confined.calendar import date_features, frequency, on_the_clock
from pandas_magic.explore.confined.formulas import Array, quantile
from pandas_magic.explore.confined.typed_column import MANY_CATEGORIES, TypedColumn, in_seconds

Facts = dict[str, Any]

TOP = 10
_EXAMPLES = 5
_LOOKED_AT = 1000  # of the first values, for examples
_SHOWN_CHARACTERS = 200
_RARE_SHARE = 0.01
_MOST_BINS = 40
_DAY_SECONDS = 86_400


def percent(part: int, whole: int) -> float:
    """The share in percent, 0 to 100; 0 of an empty whole."""
    return 100 * part / whole if whole else 0.0


def shown(text: str) -> str:
    """The text, cut where nobody would read on."""
    return text if len(text) <= _SHOWN_CHARACTERS else text[: _SHOWN_CHARACTERS - 1] + "…"


def profile_of(column: TypedColumn) -> Facts:
    """What the report says of a column: dtype, n_missing, pct_missing (0-100), unique, summary.

    `summary` holds kind, examples and suggested_dtype for every column; min, q1, median, q3, max, mean, std and more
    for numbers; top for texts; min, max, frequency for times.
    """
    summary: Facts = {"kind": column.kind, "examples": _examples(column), "suggested_dtype": suggested_dtype(column)}
    if column.numbers is not None and len(column.ordered):
        summary |= _of_numbers(column)
    elif column.times is not None and len(column.ordered):
        summary |= _of_times(column)
    elif column.codes is not None:
        summary |= _of_texts(column)
    return {
        "dtype": column.dtype,
        "n_missing": column.missing,
        "pct_missing": percent(column.missing, column.rows),
        "unique": column.unique,
        "summary": summary,
    }


def _of_numbers(column: TypedColumn) -> Facts:
    ordered = column.ordered
    q1, median, q3 = (quantile(ordered, share) for share in (0.25, 0.5, 0.75))
    known = column.moments
    return {
        "min": column.ends[0],
        "q1": q1,
        "median": median,
        "q3": q3,
        "max": column.ends[1],
        "mean": known.mean,
        "std": known.std,
        "skew": known.skew,
        "kurtosis": known.kurtosis,
        "zeros": _between(ordered, 0, 0),
        "negative": int(np.searchsorted(ordered, 0)),
        "infinite": column.infinite,
        "iqr_outliers": iqr_outliers(ordered),
    }


def _between(ordered: Array, low: float, high: float) -> int:
    return int(np.searchsorted(ordered, high, side="right") - np.searchsorted(ordered, low))


def iqr_outliers(ordered: Array) -> int:
    """How many sorted numbers lie more than 1.5 interquartile ranges outside the quartiles.

    Source: Tukey (1977), Exploratory Data Analysis, the inner fences.
    """
    q1, q3 = quantile(ordered, 0.25), quantile(ordered, 0.75)
    reach = 1.5 * (q3 - q1)
    inside = np.searchsorted(ordered, q3 + reach, side="right") - np.searchsorted(ordered, q1 - reach)
    return len(ordered) - int(inside)


def _of_times(column: TypedColumn) -> Facts:
    first, last = (pd.Timestamp(column.ordered[at]) for at in (0, -1))
    suffix, clock = "Z" if column.zone else "", on_the_clock(column)
    return {
        "min": first.isoformat() + suffix,
        "max": last.isoformat() + suffix,
        "range_days": (last - first).total_seconds() / _DAY_SECONDS,
        "frequency": frequency(clock),
        "time_zone": column.zone,
        "features": date_features(clock),
    }


def _of_texts(column: TypedColumn) -> Facts:
    counts = column.counts
    order = np.lexsort((np.arange(len(counts)), -counts))[:TOP]
    rare = counts < _RARE_SHARE * max(column.present, 1)
    lengths = column.labels.lengths()
    facts: Facts = {
        "top": [
            {
                "value": shown(column.labels[at]),
                "count": int(counts[at]),
                "pct": percent(int(counts[at]), column.present),
            }
            for at in order
        ],
        "rare_pct": percent(int(counts[rare & (counts > 0)].sum()), column.present),
        "rare_values": int((rare & (counts > 0)).sum()),
    }
    if len(lengths):
        facts["min_length"], facts["max_length"] = int(lengths.min()), int(lengths.max())
        facts["mean_length"] = float(lengths @ counts) / max(column.present, 1)
    return facts


def _examples(column: TypedColumn) -> list[Any]:
    if column.codes is not None:
        return [shown(label) for label in column.labels[:_EXAMPLES]]
    if column.numbers is None and column.times is None:
        return []
    values = column.numbers if column.numbers is not None else column.times
    assert values is not None
    head = values[:_LOOKED_AT] if column.gaps is None else values[:_LOOKED_AT][~column.gaps[:_LOOKED_AT]]
    different: dict[Any, None] = {}
    for value in head if column.times is not None else head.tolist():
        if len(different) == _EXAMPLES:
            break
        if not isinstance(value, float) or math.isfinite(value):
            different[str(value) if column.times is not None else value] = None
    return list(different)


def suggested_dtype(column: TypedColumn) -> str:
    """The pandas dtype that says what the values are."""
    if column.times is not None:
        return f"datetime64[us, {column.zone}]" if column.zone else "datetime64[us]"
    if column.numbers is not None:
        return column.dtype if column.dtype.startswith("timedelta") else _of_measure(column)
    if column.dtype.startswith("bool"):
        return "boolean" if column.missing else "bool"
    if column.codes is None or not column.unique:
        return column.dtype
    truths = {"true", "false", "yes", "no"}
    if column.unique == 2 and {label.lower() for label in column.labels} < truths:
        return "boolean" if column.missing else "bool"
    return "category" if column.kind == "categorical" and column.unique <= MANY_CATEGORIES else "str"


def _of_measure(column: TypedColumn) -> str:
    assert column.numbers is not None
    kind = column.numbers.dtype.kind
    fractions = not column.present or not column.is_whole or bool(column.infinite)
    if fractions or (kind == "f" and max(map(abs, column.ends)) >= 2**63):
        return "float64"
    if kind == "u":
        return "UInt64" if column.missing else "uint64"
    return "Int64" if column.missing else "int64"


def histogram(column: TypedColumn) -> Facts:
    """Edges and counts of equally wide bins; whole numbers in bins of whole widths.

    The number of bins is that of Freedman and Diaconis (1981), at least 8 and at most 40.
    """
    ordered = column.ordered if column.times is None else in_seconds(column.ordered)
    if not len(ordered):
        return {"edges": [], "counts": []}
    low, high = float(ordered[0]), float(ordered[-1])
    if not math.isfinite(high - low) or low == high:
        return {"edges": [low, high], "counts": [len(ordered)]}
    if column.unique <= 20 and ordered.dtype.kind in "iu" and high - low < 40:
        edges = np.arange(low - 0.5, high + 1)
    elif ordered.dtype.kind in "iu" and high - low < 2**52:
        # Bins of unequally many whole numbers would draw a comb that is not in the data.
        width = math.ceil((high - low + 1) / _bins(ordered, high - low))
        edges = np.arange(low - 0.5, high + width, width)
    else:
        edges = np.linspace(low, high, _bins(ordered, high - low) + 1)
    below = np.searchsorted(ordered, edges[1:-1])
    counts = np.diff(np.concatenate(([0], below, [len(ordered)])))
    return {"edges": edges.tolist(), "counts": counts.tolist()}


def _bins(ordered: Array, span: float) -> int:
    spread = float(quantile(ordered, 0.75)) - float(quantile(ordered, 0.25))
    width = 2 * spread / len(ordered) ** (1 / 3)
    return max(8, min(_MOST_BINS, math.ceil(span / width))) if width > 0 else 20
