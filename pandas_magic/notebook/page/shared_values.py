"""What rows have in common, from counts alone: said of them, never of why."""

from __future__ import annotations

from collections.abc import Collection, Iterator

import pandas as pd

from pandas_magic.reporters.preview import is_missing
from pandas_magic.reporters.value_text import value_text

_LOOKED_AT = 100_000  # rows; the line is to be there at once, and says so when there are more
_MOST_COLUMNS = 30
_LEAST_SHARE = 0.6  # of the rows that share a value; below it the value says little of them
_MOST_SAID = 3


def shared_values(frame: pd.DataFrame, read: Collection[str]) -> tuple[str, ...]:
    """What most of the rows share, the most shared first: "15 of 22: Pclass 1"; of a rule's numbers their range.

    `read` are the columns that the rule reads. Empty for fewer than two rows.
    """
    rows = frame.iloc[:_LOOKED_AT]
    if len(rows) < 2:
        return ()
    ranges = [text for name in read if name in rows.columns for text in _range(rows[name])]
    found = sorted(_most_common(rows), key=lambda one: -one[0])[:_MOST_SAID]
    of = f"{len(rows):,}" if len(rows) == len(frame) else f"the first {len(rows):,}"
    said = (f"{'all' if count == len(rows) else f'{count:,} of'} {of}: {text}" for count, text in found)
    return (*said, *ranges[:_MOST_SAID])


def _most_common(rows: pd.DataFrame) -> Iterator[tuple[int, str]]:
    for place in range(min(_MOST_COLUMNS, rows.shape[1])):
        values = rows.iloc[:, place]
        try:
            counts = values.value_counts(dropna=False)
        except TypeError:
            continue  # lists and other values that cannot be counted
        if int(counts.iloc[0]) >= max(2, _LEAST_SHARE * len(rows)):
            value = counts.index[0]
            text = "missing" if is_missing(value) else value_text(value, at_most=40)
            yield int(counts.iloc[0]), f"{value_text(rows.columns[place])} {text}"


def _range(values: pd.Series | pd.DataFrame) -> Iterator[str]:
    if not isinstance(values, pd.Series) or not pd.api.types.is_numeric_dtype(values.dtype):
        return
    if not pd.api.types.is_bool_dtype(values.dtype) and values.nunique() > 1:
        yield f"{value_text(values.name)} from {value_text(values.min())} to {value_text(values.max())}"
