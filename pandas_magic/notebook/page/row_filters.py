"""Which rows a filter of the grid leaves: comparisons by the column's type, words by what is shown."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from pandas_magic.errors import UsageMistake
from pandas_magic.reporters.preview import is_missing
from pandas_magic.reporters.value_text import value_text

Mask = npt.NDArray[np.bool_]
_SAID = re.compile(r"(>=|<=|!=|>|<|=|≥|≤|≠)?\s*(.*)", re.DOTALL)
_OPERATORS: dict[str, Callable[[Any, Any], Any]] = {
    ">=": operator.ge,
    "<=": operator.le,
    "!=": operator.ne,
    ">": operator.gt,
    "<": operator.lt,
    "==": operator.eq,
}
_SIGNS = {"≥": ">=", "≤": "<=", "≠": "!=", "=": "=="}
# How text becomes a value of a column of Python's objects.
_OBJECTS: dict[str, Callable[[str], Any]] = {"decimal": Decimal, "date": date.fromisoformat}


@dataclass(frozen=True)
class Said:
    """A filter as it is meant: "isna", "notna", "contains" or a comparison as Python writes it, and with what."""

    sign: str
    text: str

    @classmethod
    def of(cls, values: pd.Series, said: str) -> Said:
        """The filter of a column. In one of numbers a number alone means that number."""
        if said.casefold() in ("missing", "present"):
            return cls("isna" if said.casefold() == "missing" else "notna", "")
        sign, text = _SAID.fullmatch(said.strip()).groups()  # type: ignore[union-attr] # it matches every text
        if sign is None:
            is_number = pd.api.types.is_numeric_dtype(values.dtype) and _is_number(text)
            return cls("==" if is_number else "contains", text)
        return cls(_SIGNS.get(sign, sign), text)

    def value(self, values: pd.Series) -> Any:  # noqa: ANN401 - of the column's own type
        """What is compared with. Raises: UsageMistake when it is no value of the column's type."""
        try:
            return _value(values, self.text)
        except (ValueError, TypeError, ArithmeticError) as error:
            raise self.unfit(values) from error

    def unfit(self, values: pd.Series) -> UsageMistake:
        """That the column's values cannot be compared with the text."""
        return UsageMistake(f'the values of "{values.name}" ({values.dtype}) cannot be compared with "{self.text}"')


def matching(values: pd.Series, text: str) -> Mask:
    """The rows that a filter keeps: "missing", "present", "> 5", "= x", or words that the value contains.

    A missing value matches no comparison and no words.

    Raises: UsageMistake when the column's values cannot be compared with what is said.
    """
    said = Said.of(values, text)
    if said.sign in ("isna", "notna"):
        return np.asarray(values.isna() == (said.sign == "isna"))
    if said.sign == "contains":
        return containing(values, said.text)
    kept = values.notna().to_numpy(dtype=bool, copy=True)
    present = values[kept]
    try:
        kept[kept] = np.asarray(_OPERATORS[said.sign](present, said.value(present)), dtype=bool)
    except (ValueError, TypeError, ArithmeticError, pa.ArrowException) as error:
        raise said.unfit(values) from error
    return kept


def containing(values: pd.Series, words: str) -> Mask:
    """The rows whose value, as text, contains the words, in large or small letters."""
    found = pc.fill_null(pc.match_substring(texts_of(values), words, ignore_case=True), False)
    return np.asarray(found.to_numpy(zero_copy_only=False) if isinstance(found, pa.Array) else found.to_numpy(), bool)


def containing_in_any(columns: Iterable[pd.Series], words: str, *, rows: int) -> Mask:
    """The rows in which the value of any column contains the words."""
    kept = np.zeros(rows, dtype=bool)
    for values in columns:
        if _could_contain(values, words):
            kept |= containing(values, words)
    return kept


def _could_contain(values: pd.Series, words: str) -> bool:
    """Whether a value could: millions of numbers are not made texts to look for a name in them."""
    if pd.api.types.is_bool_dtype(values.dtype):
        return True
    if pd.api.types.is_numeric_dtype(values.dtype):
        return set(words.casefold()) <= set("0123456789+-.einfa")
    return not pd.api.types.is_datetime64_any_dtype(values.dtype) or set(words) <= set("0123456789+-.:TZ ")


def texts_of(values: pd.Series) -> pa.Array | pa.ChunkedArray:
    """The values as texts, null where one is missing."""
    try:
        return pc.cast(pa.array(values, from_pandas=True), pa.large_string())
    except (pa.ArrowException, TypeError, OverflowError):  # objects of several types
        return pa.array([None if is_missing(value) else value_text(value) for value in values], pa.large_string())


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _value(values: pd.Series, text: str) -> Any:  # noqa: ANN401 - of the column's own type
    dtype, kind = values.dtype, pd.api.types.infer_dtype(values)
    if kind in _OBJECTS:
        return _OBJECTS[kind](text)
    if pd.api.types.is_bool_dtype(dtype):
        return {"true": True, "false": False}[text.casefold()] if text.casefold() in ("true", "false") else float(text)
    if pd.api.types.is_integer_dtype(dtype) and re.fullmatch(r"[+-]?\d+", text):
        return int(text)
    if pd.api.types.is_numeric_dtype(dtype):
        return float(text)
    if pd.api.types.is_datetime64_any_dtype(dtype):
        moment = pd.Timestamp(text)
        zone = getattr(dtype, "tz", None)
        return moment.tz_localize(zone) if zone is not None and moment.tzinfo is None else moment
    return pd.Timedelta(text) if pd.api.types.is_timedelta64_dtype(dtype) else text
