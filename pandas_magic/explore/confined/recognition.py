"""A column of a frame taken for what it is: numbers, codes of texts, or times."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from pandas_magic.explore.confined.column_kind import decide_kind
from pandas_magic.explore.confined.formulas import Array
from pandas_magic.explore.confined.typed_column import (
    MANY_CATEGORIES,
    Labels,
    TypedColumn,
    label_of,
)
from pandas_magic.explore.confined.written import numbers_of, readings_of

# Texts that stand for a missing value wherever they are met. "NA" and "None" are not among them: in a table that was
# read already they are Namibia, or a category; the reader of files decides about those.
PLACEHOLDERS = ("", "?", "n/a", "#n/a", "null", "nan", "<na>")
_NUMBER = r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?"
_LEADING_ZERO = r"[+-]?0\d+"
# What strptime takes; the two that only differ in day and month are both tried, and both kept when both fit.
DATE_FORMATS = (
    "%Y-%m-%d", "%Y-%m-%d %H:%M:%S", "%Y-%m-%dT%H:%M:%S", "%Y-%m-%d %H:%M", "%Y/%m/%d", "%d.%m.%Y", "%d/%m/%Y",
    "%m/%d/%Y", "%d-%m-%Y", "%m-%d-%Y", "%d %b %Y", "%b %d, %Y", "%Y%m%d", "%Y-%m-%d %H:%M:%S.%f",
    "%Y-%m-%dT%H:%M:%S.%f", "%Y-%m-%dT%H:%M:%S%z", "%Y-%m-%d %H:%M:%S%z", "%Y-%m-%dT%H:%M:%S.%f%z",
    "%Y-%m-%d %H:%M:%S.%f%z", "%d.%m.%Y %H:%M", "%d.%m.%Y %H:%M:%S", "%d/%m/%Y %H:%M", "%d/%m/%Y %H:%M:%S",
    "%m/%d/%Y %H:%M", "%m/%d/%Y %H:%M:%S", "%d-%m-%Y %H:%M", "%d-%m-%Y %H:%M:%S", "%m-%d-%Y %H:%M",
    "%m-%d-%Y %H:%M:%S",
)  # fmt: skip
_READING_SAMPLE = 200  # different texts tried before all of them are


def column_of(name: str, series: pd.Series[Any]) -> TypedColumn:
    """The column, with its kind and why."""
    dtype = series.dtype
    column = TypedColumn(name, str(dtype), len(series))
    if isinstance(dtype, pd.DatetimeTZDtype) or dtype.kind == "M":
        _take_times(column, series)
    elif dtype.kind in "iuf" or (isinstance(dtype, pd.ArrowDtype) and pa.types.is_decimal(dtype.pyarrow_dtype)):
        _take_numbers(column, series)
    elif dtype.kind == "m":
        _take_seconds(column, series)
    elif dtype.kind == "b":
        _take_texts(column, series.astype("boolean").map({True: "True", False: "False"}))
    else:
        _take_texts(column, series)
    decide_kind(column)
    return column


def reread(column: TypedColumn, reading: str) -> TypedColumn:
    """The column with the meaning that a person gave it: "numeric", "categorical" or "datetime as %d/%m/%Y".

    Raises: ValueError when its values do not fit that meaning.
    """
    if reading == column.kind:
        return column
    if reading == "categorical" and column.numbers is not None and column.unique <= 2 * MANY_CATEGORIES:
        _replace_numbers(column, column.numbers)
    elif reading.startswith("datetime as ") and column.codes is not None:
        dates = dates_of(column.labels.texts, reading.removeprefix("datetime as "))
        if dates is None:
            raise ValueError(f'column "{column.name}" is not {reading}')
        _replace_by_times(column, dates, reading)
        column.kind = "datetime"
    elif reading in column.readings and column.codes is not None:
        numbers = numbers_of(column.labels.texts, reading)
        assert numbers is not None
        _replace_texts(column, np.append(numbers, np.nan)[column.codes])
        column.kind = "numeric"
    else:
        raise ValueError(f'column "{column.name}" ({column.kind}) cannot be read as "{reading}"')
    column.evidence, column.readings = "as a person said", ()
    column.forget_all()
    return column


def _replace_numbers(column: TypedColumn, numbers: Array) -> None:
    present = np.ones(column.rows, dtype=bool) if column.gaps is None else ~column.gaps
    values, inverse = np.unique(numbers[present], return_inverse=True)
    column.codes = np.full(column.rows, -1, dtype=np.int32)
    column.codes[present] = inverse
    column.labels = Labels(pa.array([label_of(value) for value in values.tolist()], pa.large_string()))
    column.numbers, column.kind = None, "categorical"


def _take_numbers(column: TypedColumn, series: pd.Series[Any]) -> None:
    gaps = series.isna().to_numpy()
    column.gaps = gaps if gaps.any() else None
    if series.dtype.kind in "iu" and isinstance(series.dtype, np.dtype):
        column.numbers = series.to_numpy()
    elif series.dtype.kind in "iu":
        column.numbers = series.to_numpy(dtype=np.uint64 if series.dtype.kind == "u" else np.int64, na_value=0)
    elif isinstance(series.dtype, np.dtype):
        column.numbers = series.to_numpy()
    else:
        column.numbers = series.to_numpy(dtype=np.float64, na_value=np.nan)


def _take_times(column: TypedColumn, series: pd.Series[Any]) -> None:
    gaps = series.isna().to_numpy()
    column.gaps = gaps if gaps.any() else None
    zone = getattr(series.dt, "tz", None)
    column.zone = str(zone) if zone is not None else ""
    column.times = (series.dt.tz_convert("UTC").dt.tz_localize(None) if zone is not None else series).to_numpy()


def _take_seconds(column: TypedColumn, series: pd.Series[Any]) -> None:
    gaps = series.isna().to_numpy()
    column.gaps = gaps if gaps.any() else None
    column.numbers = series.dt.total_seconds().to_numpy(dtype=np.float64)


def _take_texts(column: TypedColumn, series: pd.Series[Any]) -> None:
    encoded = _dictionary(series)
    labels, indices = encoded.dictionary, encoded.indices
    codes = (indices.fill_null(-1) if indices.null_count else indices).to_numpy()
    if not _are_clean(labels):
        clean = pc.utf8_trim_whitespace(labels)
        column.trimmed = int(pc.sum(pc.not_equal(clean, labels)).as_py() or 0)
        hollow = pc.is_in(pc.utf8_lower(clean), pa.array(PLACEHOLDERS, clean.type)).to_numpy(zero_copy_only=False)
        if column.trimmed or hollow.any():
            labels, codes = _merged(column, clean, codes, hollow)
    if indices.null_count or column.placeholders:
        column.gaps = codes < 0
    column.codes, column.labels = codes, Labels(labels)
    _read_texts(column)


def _are_clean(labels: Any) -> bool:  # noqa: ANN401 - a pyarrow string array
    """Whether few texts are seen at a glance to have no space around them and to stand for no missing value."""
    if len(labels) > MANY_CATEGORIES:
        return False
    return all(
        text.isascii() and text == text.strip() and text.lower() not in PLACEHOLDERS for text in labels.to_pylist()
    )


def _dictionary(series: pd.Series[Any]) -> Any:  # noqa: ANN401 - a pyarrow.DictionaryArray
    if isinstance(series.dtype, pd.CategoricalDtype):
        labels = pa.array([str(label) for label in series.cat.categories], pa.large_string())
        codes = series.cat.codes.to_numpy().astype(np.int32)
        return pa.DictionaryArray.from_arrays(pa.array(codes, mask=codes < 0), labels)
    try:
        array = pa.array(series.array, pa.large_string())
    except (pa.ArrowException, TypeError, ValueError):
        array = pa.array(
            [None if missing else str(value) for value, missing in zip(series, series.isna(), strict=True)]
        )
        array = array.cast(pa.large_string())
    encoded = array.dictionary_encode()
    return encoded.combine_chunks() if isinstance(encoded, pa.ChunkedArray) else encoded


def _merged(column: TypedColumn, clean: Any, codes: Array, hollow: Array) -> tuple[Any, Array]:  # noqa: ANN401 - Arrow
    """Labels that are equal once trimmed become one; placeholders become missing, and are counted."""
    merged = clean.dictionary_encode()
    target = merged.indices.to_numpy().astype(np.int64)
    counts = np.bincount(codes[codes >= 0], minlength=len(clean))
    for position in np.flatnonzero(hollow):
        text = clean[int(position)].as_py()
        column.placeholders[text] = column.placeholders.get(text, 0) + int(counts[position])
    target[hollow] = -1
    kept = np.unique(target[target >= 0])
    renumbered = np.full(len(merged.dictionary) + 1, -1, dtype=np.int32)
    renumbered[kept] = np.arange(len(kept), dtype=np.int32)
    final = np.append(renumbered[target], np.int32(-1))  # the last one answers for the code -1
    return merged.dictionary.take(pa.array(kept)), final[codes]


def _read_texts(column: TypedColumn) -> None:
    """Take texts that are all numbers, or all dates in one format, for what they are."""
    texts = column.labels.texts
    if not len(texts) or column.dtype.startswith("bool") or column.codes is None:
        return
    # The first text tells of most columns that they are neither, at a hundredth of the price.
    first, sample = str(texts[0]), texts.slice(0, _READING_SAMPLE)
    if (
        re.fullmatch(_NUMBER, first, re.ASCII)
        and _all_match(sample, _NUMBER)
        and _all_match(texts, _NUMBER)
        and not pc.any(_matches(texts, _LEADING_ZERO)).as_py()
    ):
        numbers = pc.cast(texts, pa.float64()).to_numpy()
        _replace_texts(column, np.append(numbers, np.nan)[column.codes])
        return
    column.readings = readings_of(texts)
    if column.readings or not _may_be_date(first):
        return
    formats = [format for format in DATE_FORMATS if dates_of(sample, format) is not None]
    formats = [format for format in formats if dates_of(texts, format) is not None] if formats else []
    if len(formats) == 1:
        dates = dates_of(texts, formats[0])
        assert dates is not None
        _replace_by_times(column, dates, formats[0])
    elif len(formats) > 1:
        column.readings = tuple(f"datetime as {format}" for format in formats)


def _replace_texts(column: TypedColumn, numbers: Array) -> None:
    present = numbers[np.isfinite(numbers)]
    whole = column.gaps is None and len(present) and (present % 1 == 0).all() and np.abs(present).max() < 2**53
    column.numbers, column.read_from = numbers.astype(np.int64) if whole else numbers, "text"
    column.codes, column.labels = None, Labels()


def _may_be_date(text: str) -> bool:
    return bool(re.fullmatch(r"[\w.,:/ +-]{6,40}", text, re.ASCII)) and bool(re.search(r"[0-9]", text))


def _replace_by_times(column: TypedColumn, dates: Array, format: str) -> None:
    column.times, column.read_from = np.append(dates, np.datetime64("NaT"))[column.codes], "text"
    column.codes, column.labels, column.zone = None, Labels(), "UTC" if "%z" in format else ""


def dates_of(texts: Any, format: str) -> Array | None:  # noqa: ANN401 - a pyarrow string array
    """The texts as datetimes in the format (in UTC where it tells the zone), or None when one of them is not in it."""
    if not len(texts) or not _may_be_date(str(texts[0])):
        return None
    try:
        series = pd.Series(texts.to_pandas(), dtype="str")
        dates = pd.to_datetime(series, format=format, errors="raise", exact=True, utc="%z" in format)
        dates = dates if dates.dt.tz is None else dates.dt.tz_localize(None)
    except (ValueError, OverflowError):
        return None
    values: Array = dates.to_numpy().astype("datetime64[us]")
    return values


def _matches(texts: Any, pattern: str) -> Any:  # noqa: ANN401 - pyarrow
    return pc.match_substring_regex(texts, f"^({pattern})$")


def _all_match(texts: Any, pattern: str) -> bool:  # noqa: ANN401 - pyarrow
    return bool(pc.all(_matches(texts, pattern)).as_py())
