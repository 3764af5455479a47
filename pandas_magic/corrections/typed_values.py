"""What a person typed for a value of a column: a value of its kind, or one line that says why it is none."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import date, datetime, timedelta
from decimal import Decimal, InvalidOperation
from typing import Any

import pandas as pd
import pyarrow as pa

from pandas_magic.corrections.correction import Kind, Plain, plain
from pandas_magic.errors import UsageMistake, quoted_list
from pandas_magic.reporters.value_text import MAX_CHARACTERS, one_line, value_text

EMPTY = '""'  # what is typed for a text without characters; nothing at all is a missing value
_TRUTHS = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}
# The more special type first: a bool is an int, a datetime is a date.
_KINDS: tuple[tuple[type, Kind], ...] = (
    (bool, "boolean"),
    (str, "text"),
    (int, "integer"),
    (float, "number"),
    (Decimal, "decimal"),
    (datetime, "datetime"),
    (date, "date"),
    (timedelta, "duration"),
)
_MEANT: Mapping[Kind, str] = {
    "integer": "a whole number, such as 12",
    "number": "a number, such as 12.5",
    "decimal": "a number, such as 12.50",
    "boolean": "true or false",
    "datetime": "a time, such as 2026-01-31 or 2026-01-31T08:00",
    "date": "a day, such as 2026-01-31",
    "duration": "a duration, such as 2 days or 03:30:00",
    "text": "a text",
}


def own_column(table: str, rows: pd.DataFrame, column: str) -> pd.Series:
    """The column of this name in rows of the table. Raises: UsageMistake when there is none, or more than one."""
    places = [place for place, name in enumerate(rows.columns) if str(name) == column]
    if len(places) != 1:
        raise UsageMistake(f'{table} has no column "{column}" of its own, so it cannot be corrected here')
    return rows.iloc[:, places[0]]


def kind_in(values: pd.Series, old: object) -> Kind:
    """The kind of a column's values, of which `old` is to be corrected.

    Raises: UsageMistake when the column does not tell, or holds what cannot be typed.
    """
    present = [old] if plain(old) is not None else list(values.dropna().head(100))
    kinds = {next((kind for type_, kind in _KINDS if isinstance(_python(value), type_)), None) for value in present}
    if not present and (kind := _kind_of_dtype(values.dtype)) is not None:
        return kind
    if len(kinds) != 1 or None in kinds:
        raise UsageMistake(
            f'the values of "{values.name}" ({values.dtype}) are of no one kind that can be typed; correct it in code'
        )
    return kinds.pop()  # type: ignore[return-value] # there is one, and it is no None


def typed(text: str, kind: Kind, values: pd.Series) -> Plain:
    """What was typed, as a value of the column, in the form in which a correction keeps it.

    Raises: UsageMistake in one line when the column cannot hold it.
    """
    if kind == "text":
        value: Any = None if not text else "" if text == EMPTY else text
    else:
        value = _read(text.strip(), kind, values) if text.strip() else None
    return plain(value if value is None else _held(value, kind, values))


def shown_for_typing(value: object) -> str:
    """A value as it stands in the field in which it is corrected.

    Raises: UsageMistake when it does not fit into a line.
    """
    kept = plain(value)
    if isinstance(kept, str) and not kept.isprintable():
        raise UsageMistake("this value has line breaks or characters that do not show; correct it in code")
    return "" if kept is None else EMPTY if kept == "" else str(kept)


def _read(text: str, kind: Kind, values: pd.Series) -> Any:  # noqa: ANN401 - a value of any kind
    try:
        value = _READERS[kind](text)
    except (ValueError, KeyError, ArithmeticError, InvalidOperation):
        raise UsageMistake(
            f'"{one_line(text, at_most=MAX_CHARACTERS)}" is not {_MEANT[kind]}, which "{values.name}" holds'
        ) from None
    zone = getattr(values.dtype, "tz", None)
    if kind == "datetime" and (value.tzinfo is None) != (zone is None):
        offset = "without an offset" if zone is None else "with their offset, such as 2026-01-31T08:00+00:00"
        raise UsageMistake(f'times of "{values.name}" are written {offset}')
    return value.tz_convert(zone) if kind == "datetime" and zone is not None else value


def _whole(text: str) -> int:
    if not re.fullmatch(r"[+-]?[0-9]+", text):
        raise ValueError(text)
    return int(text)


def _number(text: str) -> float:
    if not re.fullmatch(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?", text):
        raise ValueError(text)
    return float(text)


def _decimal(text: str) -> Decimal:
    _number(text)
    return Decimal(text)


_READERS: Mapping[Kind, Callable[[str], Any]] = {
    "integer": _whole,
    "number": _number,
    "decimal": _decimal,
    "boolean": lambda text: _TRUTHS[text.casefold()],
    "datetime": lambda text: pd.Timestamp(datetime.fromisoformat(text)),
    "date": date.fromisoformat,
    "duration": pd.Timedelta,
}


def _held(value: Any, kind: Kind, values: pd.Series) -> Any:  # noqa: ANN401 - a value of any kind
    """The value as the column would hold it."""
    if isinstance(values.dtype, pd.CategoricalDtype) and value not in values.cat.categories:
        known = quoted_list([str(one) for one in values.cat.categories[:20]])
        raise UsageMistake(f'"{value_text(value)}" is none of the categories of "{values.name}": {known}')
    if pd.api.types.is_object_dtype(values.dtype) or isinstance(values.dtype, pd.CategoricalDtype):
        return value
    try:
        held = pd.Series([value], dtype=values.dtype).iloc[0]
    except (ValueError, TypeError, OverflowError, pa.ArrowException):
        held = None
    if held is None or (kind != "number" and held != value) or (kind == "number" and abs(held) == float("inf")):
        raise UsageMistake(f'"{values.name}" ({values.dtype}) cannot hold {value_text(value)}')
    return held


def _python(value: object) -> object:
    return value.item() if hasattr(value, "item") and not isinstance(value, (pd.Timestamp, pd.Timedelta)) else value


def _kind_of_dtype(dtype: object) -> Kind | None:
    """What a column of missing values alone would hold; None where only values would tell."""
    api = pd.api.types
    tests: tuple[tuple[Callable[[Any], bool], Kind], ...] = (
        (api.is_bool_dtype, "boolean"),
        (api.is_integer_dtype, "integer"),
        (api.is_float_dtype, "number"),
        (api.is_datetime64_any_dtype, "datetime"),
        (api.is_timedelta64_dtype, "duration"),
    )
    if isinstance(dtype, pd.StringDtype):
        return "text"
    return next((kind for fits, kind in tests if fits(dtype)), None)
