"""What operations on single values mean: arithmetic, comparison, dates, patterns, statistics. None is missing.

Plain Python, independent of the pandas code that is rendered for the same operations.
"""

import datetime
import math
import operator
import re
from collections.abc import Sequence
from decimal import Decimal
from functools import cache
from typing import Literal

import pandas as pd

from pandas_magic.constraints.algebra.conditions import HasText, ParsedType, Relation
from pandas_magic.constraints.algebra.expressions import DatePart, Moment, Now, Span, Statistic
from pandas_magic.constraints.algebra.folding import lower_case
from pandas_magic.constraints.algebra.patterns import PARSED, explicit
from pandas_magic.constraints.algebra.shapes import ROUNDING, ROUNDING_SHARE, TERMS_SHARE, WHOLE_SHARE
from pandas_magic.constraints.meaning.plain_rows import Scalar

_RELATIONS = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
_SECONDS = {"seconds": 1, "minutes": 60, "hours": 3600, "days": 86400, "weeks": 604800}
_SIGNS = {"+": operator.add, "-": operator.sub, "*": operator.mul}


def point_in_time(
    moment: Moment | Now, zone: datetime.tzinfo | None, now: pd.Timestamp, utc_now: pd.Timestamp
) -> pd.Timestamp:
    """The moment in a zone, or naive when `zone` is None. A moment with an offset of its own keeps it."""
    if isinstance(moment, Moment):
        named = pd.Timestamp(moment.iso)
        return named.tz_localize(zone) if named.tzinfo is None and zone is not None else named
    run = now if zone is None else utc_now.tz_convert(zone)
    return run.normalize() if moment.midnight else run


def length_of_time(span: Span) -> pd.Timedelta | pd.DateOffset:
    """The span: an absolute length for seconds to weeks, a calendar one for months and years."""
    if span.unit == "months":
        return pd.DateOffset(months=int(span.amount))
    if span.unit == "years":
        return pd.DateOffset(years=int(span.amount))
    return pd.Timedelta(seconds=span.amount * _SECONDS[span.unit])


def arithmetic(sign: str, left: Scalar, right: Scalar) -> Scalar:
    """Left + - * / right; missing when a side is, or for 0/0 and inf-inf; a number divided by zero is infinite.

    So is a length of time divided by none; by the number zero it is missing.
    """
    if left is None or right is None:
        return None
    left, right = _computable(left, right), _computable(right, left)
    found = _quotient(left, right) if sign == "/" else _SIGNS[sign](left, right)
    return None if found is pd.NaT or (isinstance(found, float) and math.isnan(found)) else found


def _quotient(left: Scalar, right: Scalar) -> Scalar:
    if right:
        return left / right
    if isinstance(left, pd.Timedelta):
        if not isinstance(right, pd.Timedelta):
            return pd.NaT
        left, right = left.total_seconds(), 0.0
    if not left:
        return math.nan
    return math.copysign(math.inf, left) * math.copysign(1.0, right)


def compare(
    relation: Relation, left: Scalar, right: Scalar, *, within: float | None, rounded: bool, terms: Scalar = None
) -> bool | None:
    """Whether the relation holds; None when a side is missing.

    `within` is the tolerance of == and !=. `rounded` treats numbers that differ by no more than rounding as equal,
    unless both are whole; `terms` is how large the numbers are that cancel in a side, where the other one is 0.
    """
    if left is None or right is None:
        return None
    left, right = _comparable(left, right), _comparable(right, left)
    if within is not None or (rounded and not (_is_whole(left) and _is_whole(right))):
        left, right = _undecimal(left), _undecimal(right)
        close = _is_close(left, right, (within or 0.0) + TERMS_SHARE * float(terms or 0))
        return close if relation in ("==", "<=", ">=") and close else _apart(relation, left, right, close=close)
    return bool(_RELATIONS[relation](left, right))


def _apart(relation: Relation, left: Scalar, right: Scalar, *, close: bool) -> bool:
    if relation in ("==", "!="):
        return close is (relation == "==")
    return not close and bool(_RELATIONS[relation](left, right))


def _is_close(left: Scalar, right: Scalar, within: float) -> bool:
    if left == right:
        return True
    if _is_whole(left) and _is_whole(right):
        return bool(abs(left - right) <= within)
    if math.isinf(left) or math.isinf(right):
        return False
    return bool(abs(left - right) <= within + ROUNDING + ROUNDING_SHARE * abs(right))


def _is_whole(number: Scalar) -> bool:
    return isinstance(number, int)


def _comparable(one: Scalar, other: Scalar) -> Scalar:
    if isinstance(one, Decimal) and isinstance(other, float):
        return float(one)
    # A bare text beside a moment or a number is only met in columns of no one type; it must read as one.
    if isinstance(one, str) and isinstance(other, pd.Timestamp):
        return pd.Timestamp(one)
    return _computable(one, other) if isinstance(one, str) and isinstance(other, (int, float, Decimal)) else one


def _undecimal(one: Scalar) -> Scalar:
    """A decimal as the double nearest to it: what is computed is computed in doubles."""
    return float(one) if isinstance(one, Decimal) else one


def _computable(one: Scalar, other: Scalar) -> Scalar:
    if isinstance(one, str) and isinstance(other, (int, float, Decimal, str)):
        return int(one) if re.fullmatch(PARSED["integer"], one) else float(one)
    return _undecimal(one)


def date_part(part: DatePart, moment: Scalar) -> Scalar:
    """The part of a moment, in the moment's own zone."""
    moment = pd.Timestamp(moment) if isinstance(moment, str) else moment
    match part.part:
        case "date":
            return moment.normalize()
        case "time":
            clock = moment.tz_localize(None)
            return clock - clock.normalize()
        case "week":
            return moment.isocalendar()[1]
        case "weekday":
            return moment.isoweekday()
        case name:
            return getattr(moment, name)


@cache
def compiled(pattern: str) -> re.Pattern[str]:
    """The pattern for Python's engine, with ASCII classes."""
    return re.compile(explicit(pattern))


def matches(pattern: str, found: object) -> bool:
    """Whether the value is a text that the pattern matches as a whole."""
    return isinstance(found, str) and compiled(pattern).fullmatch(found) is not None


def has_text(condition: HasText, found: object) -> bool:
    """Whether the value is a text with the other text at its start, at its end or anywhere."""
    if not isinstance(found, str):
        return False
    text, found = condition.text, lower_case(found) if condition.ignore_case else found
    if condition.where == "anywhere":
        return text in found
    return found.startswith(text) if condition.where == "start" else found.endswith(text)


def divides(step: Scalar, number: Scalar) -> bool | None:
    """Whether the number is a whole multiple of the step: exactly for whole numbers, otherwise up to rounding."""
    if step and _is_whole(step) and _is_whole(number):
        return bool(number % step == 0)
    quotient = arithmetic("/", number, step)
    return None if quotient is None else parses("integer", quotient, rounded=True)


def parses(kind: ParsedType, found: Scalar, *, rounded: bool = False) -> bool:
    """Whether the value, or the text of it, can be read as the type. Dates are ISO 8601, with or without a time.

    `rounded` takes a computed number for a whole one when it is off by no more than rounding.
    """
    if kind == "integer" and rounded and isinstance(found, float) and math.isfinite(found):
        return abs(found - round(found)) <= ROUNDING + WHOLE_SHARE * abs(found)
    if kind == "date" and isinstance(found, pd.Timestamp):
        return True
    if kind in ("integer", "number") and isinstance(found, (float, Decimal)):
        return kind == "number" or bool(math.isfinite(found) and found == int(found))
    text = str(found)
    return compiled(PARSED[kind]).fullmatch(text) is not None and (kind != "date" or _is_date(text))


def read_as(kind: Literal["date", "number", "time"], text: str) -> Scalar:
    """The moment, the number or the time since midnight that a text stands for; None when it stands for none."""
    if kind == "number":
        return float(text) if compiled(PARSED["number"]).fullmatch(text) else None
    if kind == "time":
        return _since_midnight(text)
    if not re.fullmatch(r"[0-9]{4}(-[0-9][0-9]){2}([T ][0-9][0-9]:[0-9][0-9](:[0-9][0-9](\.[0-9]{1,6})?)?)?", text):
        return None
    day, _, clock = text.replace("T", " ").partition(" ")
    try:
        # Python's own calendar, which knows the years 1 to 9999.
        moment = datetime.datetime.strptime(day, "%Y-%m-%d")
        clock, _, part = clock.partition(".")
        hour, minute, second = (int(piece) for piece in f"{clock or '00:00'}:00".split(":")[:3])
        return pd.Timestamp(moment.replace(hour=hour, minute=minute, second=second, microsecond=int(f"{part:0<6}")))
    except ValueError:
        return None


def _since_midnight(text: str) -> pd.Timedelta | None:
    if not re.fullmatch(r"[0-9]{1,2}:[0-9][0-9](:[0-9][0-9](\.[0-9]{1,6})?)?", text):
        return None
    clock, _, part = text.partition(".")
    hour, minute, second = (int(piece) for piece in f"{clock}:00".split(":")[:3])
    if hour > 23 or minute > 59 or second > 59:
        return None
    return pd.Timedelta(hours=hour, minutes=minute, seconds=second, microseconds=int(f"{part:0<6}"))


def _is_date(text: str) -> bool:
    try:
        pd.Timestamp(text)
    except ValueError:
        return False
    return True


def statistic(name: Statistic, values: Sequence[Scalar], quantile: float | None) -> Scalar:
    """The statistic of values none of which is missing. Count, sum and distinct of nothing are 0, others missing."""
    if name == "count":
        return len(values)
    if name == "distinct":
        return len(set(values))
    if name == "sum":
        return _sum(values)
    if not values:
        return None
    if name in ("min", "max"):
        return min(values) if name == "min" else max(values)
    values = [_undecimal(value) for value in values]
    if name == "std":
        return _sample_deviation(values)
    found = _mean(values) if name == "mean" else interpolated(values, 0.5 if name == "median" else quantile or 0.0)
    return None if isinstance(found, float) and math.isnan(found) else found  # between infinities there is nothing


def interpolated(values: Sequence[Scalar], quantile: float) -> Scalar:
    """The quantile of the values, interpolated linearly between the two nearest."""
    ordered = sorted(values)
    place = quantile * (len(ordered) - 1)
    below = math.floor(place)
    above = min(below + 1, len(ordered) - 1)
    if place == below or ordered[below] == ordered[above]:
        return ordered[below]
    return ordered[below] + (ordered[above] - ordered[below]) * (place - below)


def _sum(values: Sequence[Scalar]) -> Scalar:
    if values and isinstance(values[0], pd.Timedelta):
        return sum(values, start=pd.Timedelta(0))
    numbers = [_undecimal(value) for value in values]
    if not all(map(_is_whole, numbers)):
        return _exact_sum(numbers)
    return sum(numbers)


def _exact_sum(numbers: Sequence[Scalar]) -> float | None:
    """The sum rounded once, whatever the order: what `sum` adds up differs between versions of Python."""
    try:
        total = math.fsum(numbers)
    except OverflowError:  # the sum of some of them is beyond what a double holds
        total = float(sum(numbers))
    except ValueError:  # infinities of both signs
        return None
    return None if math.isnan(total) else total


def _mean(values: Sequence[Scalar]) -> Scalar:
    total = _sum(values)
    return None if total is None else total / len(values)


def _sample_deviation(values: Sequence[Scalar]) -> float | None:
    mean = _mean(values)
    if len(values) < 2 or mean is None or math.isinf(mean):
        return None
    return math.sqrt(sum((value - mean) ** 2 for value in values) / (len(values) - 1))
