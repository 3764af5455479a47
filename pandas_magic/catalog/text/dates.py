"""Dates as people write them, in columns of texts: 31.12.2026, 31/12/2026 23:59, 12/31/2026."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from pandas_magic.catalog.plain_types import is_text
from pandas_magic.catalog.readers import DateOrder, ReadOptions

# One separator throughout, a year of four digits, and perhaps a time.
_WRITTEN = re.compile(r"\s*(\d{1,2})([./-])(\d{1,2})\2(\d{4})(?:[ T](\d{1,2}:\d{2})(:\d{2})?)?\s*")
_PROBE_VALUES = 1_000
_FORMATS: dict[DateOrder, str] = {"day first": "%d{0}%m{0}%Y", "month first": "%m{0}%d{0}%Y"}


@dataclass(frozen=True)
class _Written:
    """How all values of a column are written; `orders` are those in which each can be a date."""

    separator: str
    time: str
    orders: tuple[DateOrder, ...]


def read_dates(table: pa.Table, options: ReadOptions) -> tuple[pa.Table, list[str]]:
    """The table with columns of written dates as dates, and a note on each such column.

    A column is converted only when every value in it is a date in the same form and only one order of day and month is
    possible, or is usual (with points the day stands first), or is said by `options.dates`. One that may be read in two
    ways stays text, and the note says what decides.
    """
    notes: list[str] = []
    for at, name in enumerate(table.column_names):
        column = table.column(at)
        if not is_text(column.type) or name in options.as_text or options.dates == "text":
            continue
        values = _different(column)
        written = _written(values) if values else None
        if written is None:
            continue
        dates, note = _as_dates(column, written, values[0], options)
        notes.append(f'column "{name}": {note}')
        if dates is not None:
            table = table.set_column(at, name, dates)
    return table, notes


def _different(column: pa.ChunkedArray) -> list[str]:
    """The different values; none where the first ones are no dates, so that a column of prose is given up early."""
    probe: list[str] = column.slice(0, 10 * _PROBE_VALUES).drop_null().unique()[:_PROBE_VALUES].to_pylist()
    if not all(_WRITTEN.fullmatch(value) for value in probe):
        return []
    different: list[str] = pc.unique(column).drop_null().to_pylist()
    return different


def _written(values: Sequence[str]) -> _Written | None:
    found = [_WRITTEN.fullmatch(value) for value in values]
    parts = [each.groups() for each in found if each is not None]
    forms = {(separator, bool(time), bool(seconds)) for _, separator, _, _, time, seconds in parts}
    if len(parts) < len(values) or len(forms) > 1:
        return None
    (separator, has_time, has_seconds) = forms.pop()
    greatest = [max(int(each[place]) for each in parts) for place in (0, 2)]
    orders: list[DateOrder] = ["day first"] if greatest[1] <= 12 else []
    orders += ["month first"] if greatest[0] <= 12 and separator != "." else []
    time = " %H:%M:%S" if has_seconds else " %H:%M" if has_time else ""
    return _Written(separator, time, tuple(orders))


def _as_dates(
    column: pa.ChunkedArray, written: _Written, example: str, options: ReadOptions
) -> tuple[pa.Array | None, str]:
    said = (options.dates,) if options.dates in written.orders else ()
    orders = said or written.orders
    if len(orders) != 1:
        how = "may have the day or the month first" if orders else "are no dates in one and the same order"
        decide = '; say dates = "day first" or dates = "month first"' if orders else ""
        return None, f'values such as "{example}" {how}, so they stay text{decide}'
    texts = column.to_pandas().str.strip().str.replace("T", " ")
    form = _FORMATS[orders[0]].format(written.separator) + written.time
    dates = pd.to_datetime(texts, format=form, errors="coerce").astype("datetime64[us]")
    wrong = texts[dates.isna() & texts.notna()]
    if len(wrong):
        return None, f'"{wrong.iloc[0]}" is no date, so all its values stay text'
    return pa.array(dates, from_pandas=True), f'dates with the {orders[0]} ("{example}")'
