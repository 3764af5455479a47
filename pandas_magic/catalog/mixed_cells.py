"""Columns of Python objects of several kinds: no rule can be judged on one, and the cell at fault is named."""

import datetime as dt
import decimal
import numbers
from collections.abc import Sequence

import pandas as pd
import pyarrow as pa

from pandas_magic.catalog.plain_types import is_of_one_kind
from pandas_magic.errors import TableUnreadable

# The first that fits: a truth value is a number, and a moment a date, too.
_KINDS: tuple[tuple[type | tuple[type, ...], str], ...] = (
    (bool, "truth values"),
    ((numbers.Number, decimal.Decimal), "numbers"),
    (str, "texts"),
    (dt.datetime, "moments"),
    (dt.date, "dates"),
    (dt.time, "times"),
    (dt.timedelta, "lengths of time"),
)
_LONGEST_SHOWN = 40


def refuse_mixed(table: str, frame: pd.DataFrame, columns: Sequence[str]) -> None:
    """Refuse columns of which a cell is of another kind than the others. Raises: TableUnreadable naming the first."""
    for name in columns:
        column = frame[name]
        if column.dtype != object or not _is_mixed(column):
            continue
        present = column.dropna()
        kinds = present.map(_kind)
        usual = str(kinds.mode().iloc[0])
        if (kinds != usual).any():
            odd = int((kinds != usual).to_numpy().argmax())
            raise TableUnreadable(
                f'column "{name}" of table "{table}" holds {_shown(present.iloc[odd])} in row {present.index[odd]} '
                f"among {usual}, so no rule can be judged on it; correct that cell, or make the whole column texts"
            )


def _is_mixed(column: pd.Series) -> bool:
    if not is_of_one_kind(column):
        return True
    if not pd.api.types.infer_dtype(column, skipna=True).startswith("mixed"):
        return False
    try:
        pa.array(column, from_pandas=True)
    except (pa.ArrowException, OverflowError):
        return True
    return False


def _kind(value: object) -> str:
    kind = next((name for types, name in _KINDS if isinstance(value, types)), type(value).__name__)
    return f"{kind} with a time zone" if getattr(value, "tzinfo", None) is not None else kind


def _shown(value: object) -> str:
    text = repr(value) if isinstance(value, str) else str(value)
    text = text if len(text) <= _LONGEST_SHOWN else f"{text[:_LONGEST_SHOWN]}…"
    return f"{text} ({type(value).__name__})"
