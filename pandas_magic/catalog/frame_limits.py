"""What Arrow holds and a frame does not: refused in one line that names the column, where that is read."""

from collections.abc import Callable, Iterable, Iterator

import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from pandas_magic.errors import TableUnreadable

_DAY = 24 * 3600 * 10**6  # microseconds, as all numbers here
_IN = {"s": 10**6, "ms": 10**3, "us": 1, "date32[day]": _DAY, "date64[ms]": 10**3}
# As far as microseconds reach; with a zone a day less than the years of Python, which show the moment in another zone.
_REACH = (-(2**63), 2**63 - 1)
_YEARS_OF_PYTHON = (-62_135_596_800 * 10**6 + _DAY, 253_402_300_800 * 10**6 - _DAY)
_YEAR = 365.2425 * _DAY


def in_pandas(table: pa.Table, dtypes: Callable[[pa.DataType], object]) -> pd.DataFrame:
    """The table as a frame. Raises: TableUnreadable naming a column that no frame holds."""
    try:
        return _frame(table, dtypes)
    except (pa.ArrowException, ValueError, KeyError) as error:
        for name in table.column_names:
            try:
                _frame(table.select([name]), dtypes)
            except (pa.ArrowException, ValueError, KeyError):
                raise _unheld(table, name) from error
        raise


def _frame(table: pa.Table, dtypes: Callable[[pa.DataType], object]) -> pd.DataFrame:
    frame: pd.DataFrame = table.to_pandas(
        ignore_metadata=True, date_as_object=False, split_blocks=True, types_mapper=dtypes
    )
    return frame


def _unheld(table: pa.Table, name: str) -> TableUnreadable:
    kind = table.schema.field(name).type
    if pa.types.is_time(kind):
        return TableUnreadable(
            f'column "{name}" holds a time of the day beyond 23:59:59, such as 24:00; write it as 00:00, or as text'
        )
    return TableUnreadable(
        f'column "{name}" has the type {kind}, which no DataFrame holds; convert it, such as to text'
    )


def refuse_beyond_reach(table: pa.Table) -> None:
    """Refuse a column with a moment, such as infinity, that is too far for a frame. Raises: TableUnreadable."""
    for name, column in zip(table.column_names, table.columns, strict=True):
        if far := first_beyond_reach(column):
            raise TableUnreadable(
                f'column "{name}" holds {far}, beyond the moments that can be judged; '
                "make it missing, or the last day that is meant, such as 9999-12-31"
            )


def first_beyond_reach(column: pa.ChunkedArray) -> str:
    """A date or moment that is too far for a frame, in words; "" where there is none."""
    kind = column.type
    is_date = pa.types.is_date(kind)
    unit = _IN.get(str(kind) if is_date else kind.unit if pa.types.is_timestamp(kind) else "")
    if unit is None:
        return ""
    first, last = _REACH if is_date or kind.tz is None else _YEARS_OF_PYTHON
    bounds = pc.min_max(column.cast(pa.int32() if pa.types.is_date32(kind) else pa.int64())).as_py()
    largest = 2 ** (31 if pa.types.is_date32(kind) else 63) - 1
    for value in (bounds["min"], bounds["max"]):
        if value is not None and not first <= value * unit <= last:
            year = f"a day of the year {1970 + value * unit / _YEAR:.0f}"
            return ("-" if value < 0 else "") + "infinity" if abs(value) == largest else year
    return ""


def refuse_unknown_zones(fields: Iterable[pa.Field]) -> None:
    """Refuse moments of a zone that is no zone here: no moment of it can be shown. Raises: TableUnreadable."""
    for field in fields:
        if not pa.types.is_timestamp(field.type) or field.type.tz is None:
            continue
        try:
            pa.lib.string_to_tzinfo(field.type.tz)
        except pa.ArrowInvalid as error:
            raise TableUnreadable(
                f'column "{field.name}" has moments of the zone "{field.type.tz}", which no list of zones has; '
                'name one such as "Europe/Berlin", or an offset such as "+05:30"'
            ) from error


def arrow_fields(frame: pd.DataFrame) -> Iterator[pa.Field]:
    """The columns of a frame that Arrow holds."""
    for name, dtype in frame.dtypes.items():
        if isinstance(dtype, pd.ArrowDtype):
            yield pa.field(str(name), dtype.pyarrow_dtype)
