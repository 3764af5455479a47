"""How moments follow each other, and what a date can be taken apart into."""

from __future__ import annotations

import numpy as np
import pandas as pd

from pandas_magic.explore.confined.formulas import Array
from pandas_magic.explore.confined.typed_column import TypedColumn, in_seconds

_REGULAR_SHARE = 0.9  # of the steps between moments that must be alike to call them regular
_STEPS = ((1, "second"), (60, "minute"), (3600, "hour"), (86_400, "day"), (604_800, "week"))
_LOOKED_AT = 100
_WEEK_DAYS = 7
_MONTH_DAYS = 28  # after that day not every month has one of the number


def on_the_clock(column: TypedColumn) -> Array:
    """The sorted times of a column as clocks of its time zone show them: midnight there is midnight."""
    ordered = column.ordered
    if not column.zone or column.zone == "UTC":
        return ordered
    shown = pd.DatetimeIndex(ordered, tz="UTC").tz_convert(column.zone).tz_localize(None)
    return np.sort(shown.to_numpy())  # an hour comes twice when summer ends


def frequency(ordered: Array) -> str:
    """How regularly sorted moments follow each other: "1 day", "1 business day", "1 month", or "irregular"."""
    # They are sorted: the table of values seen that numpy.unique makes takes fifty times as long.
    moments_of = ordered[np.concatenate(([True], ordered[1:] != ordered[:-1]))] if len(ordered) else ordered
    if len(moments_of) < 3:
        return "irregular"
    return _months(moments_of) or _business_days(moments_of) or _seconds(moments_of)


def _months(moments_of: Array) -> str:
    """Steps of months at the same time of the same day, or at the last day, of each; "" for anything else."""
    # A few moments tell of most columns that they are on no fixed day.
    if not _is_day_of_month(moments_of[:_LOOKED_AT]) or not _is_day_of_month(moments_of):
        return ""
    steps = np.diff(moments_of.astype("datetime64[M]").astype(np.int64))
    step = int(np.median(steps))
    if not step or not _alike(steps):
        return ""
    return f"{step} month{'s' if step > 1 else ''}" if step % 12 else f"{step // 12} year{'s' if step > 12 else ''}"


def _is_day_of_month(moments_of: Array) -> bool:
    days, months = moments_of.astype("datetime64[D]"), moments_of.astype("datetime64[M]")
    clocks = moments_of - days
    if not (clocks == clocks[0]).all():
        return False
    numbers = (days - months.astype("datetime64[D]")).astype(np.int64)
    if numbers[0] < _MONTH_DAYS and (numbers == numbers[0]).all():
        return True
    return bool(((days + 1).astype("datetime64[M]") != months).all())


def _business_days(moments_of: Array) -> str:
    days = moments_of.astype("datetime64[D]")
    if (days[-1] - days[0]).astype(np.int64) <= _WEEK_DAYS or not np.is_busday(days[:_LOOKED_AT]).all():
        return ""
    if not (moments_of == days).all() or not np.is_busday(days).all():
        return ""
    steps = np.busday_count(days[:-1], days[1:])
    return "1 business day" if _alike(steps) and np.median(steps) == 1 else ""


def _seconds(moments_of: Array) -> str:
    steps = in_seconds(np.diff(moments_of).view(moments_of.dtype))  # a span has the unit of its moments
    if not _alike(steps):
        return "irregular"
    typical = float(np.median(steps))
    unit, name = next(((size, word) for size, word in reversed(_STEPS) if typical >= size), (1, "second"))
    number = typical / unit
    return f"{number:g} {name}{'' if number == 1 else 's'}"


def _alike(steps: Array) -> bool:
    return bool((steps == np.median(steps)).mean() >= _REGULAR_SHARE)


def date_features(ordered: Array) -> list[str]:
    """The parts of sorted times that differ enough to be features."""
    span_days = float((ordered[-1] - ordered[0]) / np.timedelta64(1, "D"))
    has_time = bool((ordered != ordered.astype("datetime64[D]")).any())
    known = (("year", span_days > 366), ("month", span_days > 31), ("weekday", span_days > 2), ("hour", has_time))
    return [name for name, useful in known if useful] + ["days since the first"]
