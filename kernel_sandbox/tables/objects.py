"""Columns of Python objects as Arrow arrays, of one kind of value each."""

import datetime as dt
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa

# The order matters: a moment is a date too.
_KINDS: tuple[tuple[type | tuple[type, ...], str], ...] = (
    ((dt.datetime, np.datetime64), "moments"),
    (dt.date, "days"),
    (dt.time, "times"),
    ((dt.timedelta, np.timedelta64), "durations"),
    ((bytes, bytearray), "bytes"),
)


def objects_to_arrow(values: np.ndarray[Any, Any]) -> pa.Array:
    """The array whose type is that of every value; 1 stays 1 beside a gap, and True stays True.

    Raises: TypeError or an error of Arrow's when the values are of several kinds, or of one without a type.
    """
    missing = pd.isna(values)
    # Arrow takes the type from the first value, and reads what follows as that: a number among dates as so many
    # microseconds since 1970, a moment among days as its day, a moment without a zone as one of UTC, a text as bytes.
    if not missing.all() and (kind := _kind(values[missing.argmin()])):
        others = {type(value).__name__ for value in values[~missing] if _kind(value) != kind}
        if others:
            raise TypeError(f"{kind} are followed by {' and '.join(sorted(others))}")
    return pa.array(values, from_pandas=True)


def _kind(value: object) -> str:
    kind = next((name for types, name in _KINDS if isinstance(value, types)), "")
    return f"{kind} with a zone" if kind and getattr(value, "tzinfo", None) is not None else kind
