"""Numbers of a result as a person would write them: 1,565.13 and not 1565.1304347826087."""

from __future__ import annotations

import math
from collections.abc import Callable

import pandas as pd

from pandas_magic.reporters.value_text import value_text

_LOOKED_AT = 1000  # values by which it is decided for a whole column, so that all of it is of one form
_DIGITS = 3  # of numbers below one
_LARGEST = 1e15  # from which on a float has no decimals left


def number_text(values: pd.Series) -> Callable[[object], str]:
    """How values of this column are shown: rounded to two decimals where some have more, else as they are.

    Only columns of floats are rounded: whole numbers may be ids and years.
    """
    if not pd.api.types.is_float_dtype(values.dtype):
        return value_text
    seen = [float(value) for value in values.iloc[:_LOOKED_AT].dropna() if math.isfinite(value)]
    return rounded if any(round(value, 2) != value for value in seen) else exact_text(values)


def exact_text(values: pd.Series) -> Callable[[object], str]:
    """How values of this column are shown as they are: whole numbers that a gap made floats without ".0"."""
    if not pd.api.types.is_float_dtype(values.dtype):
        return value_text
    seen = values.iloc[:_LOOKED_AT].dropna()
    are_whole = all(float(value).is_integer() and abs(value) < _LARGEST for value in seen)
    return whole if are_whole else value_text


def whole(value: object) -> str:
    """A float that is a whole number without ".0"; all else as it is."""
    is_whole = isinstance(value, float) and value.is_integer() and abs(value) < _LARGEST
    return str(int(value)) if is_whole else value_text(value)  # type: ignore[call-overload]


def rounded(value: object) -> str:
    """Two decimals, or three digits of what is below one; all else, and what has no decimals left, as it is."""
    if not isinstance(value, float) or not math.isfinite(value) or abs(value) >= _LARGEST:
        return value_text(value)
    return f"{value:,.2f}" if abs(value) >= 1 or value == 0 else f"{value:.{_DIGITS}g}"
