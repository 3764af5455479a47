"""What a column can hold: values made up for its type, and lists of values as a column of that type."""

import datetime
from collections.abc import Callable, Iterator, Sequence
from decimal import Decimal
from itertools import count, islice
from typing import Any, Literal

import numpy as np
import pandas as pd
import pyarrow as pa

from pandas_magic.catalog.plain_types import TEXT
from pandas_magic.catalog.table import kind_of
from pandas_magic.constraints.meaning.plain_rows import Scalar
from pandas_magic.constraints.meaning.scalars import read_as

Sort = Literal["integer", "number", "decimal", "truth", "moment", "duration", "time", "text", "unknown"]

_SORTS: dict[str, Sort] = {
    "integer": "integer",
    "number": "number",
    "text": "text",
    "boolean": "truth",
    "datetime": "moment",
    "duration": "duration",
}
_MOST_DIGITS = 38  # of an Arrow decimal
_MOST_PLACES = 6  # behind the point, of decimals that are made up
_FIRST_DAY = pd.Timestamp("2026-01-31")


def sort_of(column: "pd.Series[Any]") -> Sort:
    """What the column's values are; of objects and categories the first value tells, "unknown" without any."""
    dtype = column.dtype
    if isinstance(dtype, pd.ArrowDtype) and pa.types.is_decimal(dtype.pyarrow_dtype):
        return "decimal"
    kind = kind_of(str(dtype))
    if kind != "mixed" and not isinstance(dtype, pd.CategoricalDtype):
        return _SORTS[kind]
    values = pd.Series(dtype.categories) if isinstance(dtype, pd.CategoricalDtype) else column
    first = next((each for each in values.dropna().head(1).tolist()), None)
    return sort_of_value(first)


def sort_of_value(each: Scalar) -> Sort:
    """What a single value is; "unknown" for a missing one and for what no rule can name."""
    known: tuple[tuple[type | tuple[type, ...], Sort], ...] = (
        ((bool, np.bool_), "truth"),
        (str, "text"),
        (Decimal, "decimal"),
        ((int, np.integer), "integer"),
        ((float, np.floating), "number"),
        (datetime.timedelta, "duration"),
        (datetime.time, "time"),
        (datetime.date, "moment"),
    )
    return next((sort for kinds, sort in known if isinstance(each, kinds)), "unknown")


def made_up(column: "pd.Series[Any]", number: int) -> list[Scalar]:
    """Different values of the column's type, as many as asked for or as there are."""
    holds = holder_of(column)
    return [each for each in islice(_all_made_up(sort_of(column)), number) if holds(each)]


def _all_made_up(sort: Sort) -> Iterator[Scalar]:
    match sort:
        case "integer":
            return iter(count(1))
        case "number" | "decimal":
            return (float(each) for each in count(1))
        case "truth":
            return iter((True, False))
        case "moment":
            # Backwards, so that made-up days are hardly ever in the future.
            return (_FIRST_DAY - pd.Timedelta(days=each) for each in count())
        case "duration":
            return (pd.Timedelta(days=each) for each in count(1))
        case "time":
            return map(datetime.time, range(9, 24))
    return (f"text {each}" if each > 1 else "text" for each in count(1))


def holds_value(each: Scalar, column: "pd.Series[Any]") -> bool:
    """Whether a column of this dtype can hold the value, unchanged."""
    return holder_of(column)(each)


def holder_of(column: "pd.Series[Any]") -> Callable[[Scalar], bool]:
    """Says of each value whether the column can hold it: what the column is, is found out once for all of them."""
    dtype, sort = column.dtype, sort_of(column)

    def holds(each: Scalar) -> bool:
        if is_missing(each):
            # Of pandas' own and of Arrow's dtypes each can hold a gap; of numpy's, integers and truth values cannot.
            return dtype.kind not in "iub" or not isinstance(dtype, np.dtype)
        if sort == "time":
            return isinstance(each, datetime.time) or (isinstance(each, str) and read_as("time", each) is not None)
        if isinstance(each, (bool, str)):
            return sort in (("truth" if isinstance(each, bool) else "text"), "unknown")
        if isinstance(each, (int, float, Decimal)):
            if sort == "integer":
                return float(each).is_integer() and _in_range(int(each), dtype)
            return sort == "number" or (sort == "decimal" and bool(np.isfinite(float(each)))) or sort == "unknown"
        return sort in ("duration" if isinstance(each, pd.Timedelta) else "moment", "unknown")

    return holds


def is_missing(each: Scalar) -> bool:
    """Whether the value of a cell is none."""
    return each is None or each is pd.NA or each is pd.NaT or (isinstance(each, float) and each != each)


def _in_range(each: int, dtype: Any) -> bool:  # noqa: ANN401 - pandas has no one type for dtypes
    plain = getattr(dtype, "numpy_dtype", dtype)
    if not isinstance(plain, np.dtype) or plain.kind not in "iu":
        return True
    bounds = np.iinfo(plain)
    return bool(bounds.min <= each <= bounds.max)


def fitting(values: Sequence[Scalar], column: "pd.Series[Any]") -> "pd.Series[Any] | None":
    """The values as a column of the same dtype as the other, or None when they cannot be held in it.

    Decimals get as many digits as the values need: the type of a column of decimals is often that of its values only.
    """
    dtype = column.dtype
    try:
        if isinstance(dtype, pd.CategoricalDtype):
            return _category(values)
        if sort_of(column) == "decimal":
            return _decimals(values, dtype)
        if sort_of(column) == "time":
            return pd.Series(list(map(_time, values)), dtype=object)
        return pd.Series([_held(each, dtype) for each in values], dtype=dtype)
    except (TypeError, ValueError, OverflowError, ArithmeticError, pa.ArrowException):
        return None


def _category(values: Sequence[Scalar]) -> "pd.Series[Any]":
    if all(is_missing(each) for each in values):
        # Without any value pandas would have categories of no type, which are no texts.
        return pd.Series([None] * len(values), dtype=pd.CategoricalDtype(pd.Index([], dtype=TEXT)))
    return pd.Series(list(values), dtype=object).astype("category")


def _decimals(values: Sequence[Scalar], dtype: Any) -> "pd.Series[Any]":  # noqa: ANN401 - pandas has no one type for dtypes
    exact = [None if is_missing(each) else _decimal(each) for each in values]
    if not isinstance(dtype, pd.ArrowDtype):
        return pd.Series(exact, dtype=object)
    known = dtype.pyarrow_dtype
    parts = [each.as_tuple() for each in exact if each is not None]
    places = max([known.scale, *(-int(part.exponent) for part in parts)])
    whole = max([known.precision - known.scale, *(len(part.digits) + int(part.exponent) for part in parts)])
    wide = pa.decimal128(min(whole + places, _MOST_DIGITS), places)
    return pd.Series(exact, dtype=pd.ArrowDtype(wide))


def _decimal(each: Scalar) -> Decimal:
    exact = each if isinstance(each, Decimal) else Decimal(str(each))
    if -int(exact.as_tuple().exponent) > _MOST_PLACES:
        exact = exact.quantize(Decimal(1).scaleb(-_MOST_PLACES))
    # An exponent above zero (1E+7) would be read as a scale below zero.
    return exact if int(exact.as_tuple().exponent) <= 0 else exact.quantize(Decimal(1))


def _time(each: Scalar) -> datetime.time | None:
    """A time of day, or the text of one, as the object that the cells of such columns are."""
    if is_missing(each):
        return None
    return each if isinstance(each, datetime.time) else (pd.Timestamp(0) + read_as("time", str(each))).time()


def _held(each: Scalar, dtype: Any) -> Scalar:  # noqa: ANN401 - pandas has no one type for dtypes
    if isinstance(each, pd.Timestamp) and dtype.kind == "M":
        zone = getattr(dtype, "tz", None)
        if zone is not None:
            return each.tz_localize(zone) if each.tzinfo is None else each.tz_convert(zone)
        return each.tz_localize(None) if each.tzinfo is not None else each
    if isinstance(each, (float, Decimal)) and dtype.kind in "iu" and not is_missing(each):
        if not float(each).is_integer():
            raise ValueError(f"{each} is not whole")
        return int(each)
    return float(each) if isinstance(each, Decimal) else each
