"""What a column holds, in three short lines below its name."""

from __future__ import annotations

import pandas as pd

from pandas_magic.reporters.rounded_numbers import exact_text, rounded, whole
from pandas_magic.reporters.value_text import value_text

MOST_ROWS = 200_000  # that are looked at: the notebook waits meanwhile
_CHARACTERS = 24


def facts_of(values: pd.Series) -> list[str]:
    """Gaps, different values, and the range of what has an order or the commonest of other values.

    >>> facts_of(pd.Series([3.0, 1.0, None, 1.0]))
    ['1 missing (25.0 %)', '2 different', '1 to 3, mean 1.67']
    """
    present = values.dropna()
    missing = len(values) - len(present)
    lines = [f"{missing:,} missing ({100 * missing / len(values):.1f} %)" if missing else "none missing"]
    try:
        different = present.nunique()
    except TypeError:
        return lines  # lists, and others that cannot be compared
    return [*lines, f"{different:,} different", *([_typical(present)] if different else [])]


def _typical(present: pd.Series) -> str:
    dtype = present.dtype
    if pd.api.types.is_datetime64_any_dtype(dtype) or pd.api.types.is_timedelta64_dtype(dtype):
        return f"{value_text(present.min())} to {value_text(present.max())}"
    if pd.api.types.is_numeric_dtype(dtype) and not pd.api.types.is_bool_dtype(dtype):
        say, mean = exact_text(present), float(present.mean())
        middle = whole(mean) if mean.is_integer() else rounded(mean)
        return f"{say(present.min())} to {say(present.max())}, mean {middle}"
    counts = present.value_counts()
    return f"{value_text(counts.index[0], at_most=_CHARACTERS)} {100 * int(counts.iloc[0]) / len(present):.1f} %"
