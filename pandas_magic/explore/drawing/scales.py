"""Values to places on a picture, and the round values that an axis names."""

from __future__ import annotations

import math
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_DAY_SECONDS = 86_400.0
_MOST_SECONDS = 2.5e11  # about the year 9900: the calendar of Python ends soon after
_SHORT_STEPS = (1, 5, 15, 30, 60, 300, 900, 1800, 3600, 10_800, 21_600, 43_200)


@dataclass(frozen=True)
class Scale:
    """Values from `low` to `high` spread from the pixel `start` to the pixel `stop`."""

    low: float
    high: float
    start: float
    stop: float
    logarithmic: bool = False  # by log(1 + value), so that no row is 0 and one row is seen
    times: bool = False

    def __call__(self, value: float) -> float:
        """The pixel of a value; values outside lie at the ends."""
        low, high, at = (self._spread(part) for part in (self.low, self.high, value))
        share = (at - low) / (high - low) if high > low and math.isfinite(high - low) else 0.5
        return self.start + min(1.0, max(0.0, share)) * (self.stop - self.start)

    def _spread(self, value: float) -> float:
        return math.log1p(max(value, 0.0)) if self.logarithmic else value

    def ticks(self, most: int = 6) -> list[tuple[float, str]]:
        """Round values within the scale, with their texts."""
        if self.logarithmic:
            top = int(math.log10(max(self.high, 1))) + 1
            tens = [10.0**power for power in range(top) if 10.0**power <= self.high]
            return [(0.0, "0"), *((value, short_number(value)) for value in tens[:: max(1, len(tens) // most + 1)])]
        if self.times and abs(self.low) < _MOST_SECONDS and abs(self.high) < _MOST_SECONDS:
            return _time_ticks(self.low, self.high, most)
        return [(value, short_number(value)) for value in _round_values(self.low, self.high, most)]


def range_text(low: float, high: float, *, times: bool = False) -> str:
    """A bar's range in words: "20 to 30", whole numbers as they are, times as dates."""
    if times and abs(low) < _MOST_SECONDS and abs(high) < _MOST_SECONDS:
        shape = "%Y-%m-%d" if high - low >= _DAY_SECONDS else "%Y-%m-%d %H:%M"
        return f"{_moment(low).strftime(shape)} to {_moment(high).strftime(shape)}"
    if low % 1 == 0.5 and high % 1 == 0.5:  # edges between whole numbers
        low, high = low + 0.5, high - 0.5
    return f"{low:,.6g}" if low == high else f"{low:,.6g} to {high:,.6g}"


def short_number(value: float) -> str:
    """A number in a few characters: 12,000 as "12k", 3.5 million as "3.5M"."""
    for size, sign in ((1e12, "T"), (1e9, "G"), (1e6, "M"), (1e4, "k")):
        if size <= abs(value) < 1e15:
            return f"{value / (1e3 if sign == 'k' else size):.4g}{sign}"
    return f"{value:.4g}".replace("e+0", "e").replace("e-0", "e-")


def _round_values(low: float, high: float, most: int) -> list[float]:
    span = high - low
    if not math.isfinite(span) or span <= 0:
        return [low]
    size = 10.0 ** math.floor(math.log10(span / most))
    step = next((size * part for part in (1, 2, 5, 10) if span / (size * part) <= most), 10 * size)
    first = math.ceil(low / step - 1e-9)
    return [(first + number) * step for number in range(most + 2) if (first + number) * step <= high + 1e-9 * span]


def _time_ticks(low: float, high: float, most: int) -> list[tuple[float, str]]:
    span_days = (high - low) / _DAY_SECONDS
    if span_days > 120:
        return _month_ticks(low, high, most)
    if span_days > most / 2:
        step = next(days for days in (1, 2, 7, 14, 28) if span_days / days <= most or days == 28) * _DAY_SECONDS
        shape = "%Y-%m-%d"
    else:
        step = next(each for each in _SHORT_STEPS if (high - low) / each <= most or each == _SHORT_STEPS[-1])
        shape = "%m-%d %H:%M" if step >= 60 else "%H:%M:%S"
    first = math.ceil(low / step)
    values = [(first + number) * step for number in range(most + 2)]
    return [(value, _moment(value).strftime(shape)) for value in values if value <= high]


def _month_ticks(low: float, high: float, most: int) -> list[tuple[float, str]]:
    first, last = (_moment(value).year * 12 + _moment(value).month - 1 for value in (low, high))
    months = max(1, last - first)
    sizes = (1, 2, 3, 6, *(12 * years for years in (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000)))
    step = next(size for size in sizes if months / size <= most or size == sizes[-1])
    found = []
    for month in range(-(-first // step) * step, last + 1, step):
        value = (datetime(month // 12, month % 12 + 1, 1, tzinfo=UTC) - _EPOCH).total_seconds()
        if low <= value <= high:
            found.append((value, f"{month // 12}" if step >= 12 else f"{month // 12}-{month % 12 + 1:02}"))
    return found


def _moment(seconds: float) -> datetime:
    return _EPOCH + timedelta(seconds=seconds)
