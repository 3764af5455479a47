"""What the columns of a frame hold, and objects of one kind in the plainer dtype that is theirs."""

import datetime as dt
from typing import Any
from uuid import UUID

import numpy as np
import pandas as pd
import pyarrow as pa

from pandas_magic.catalog.table import EMPTY

ORDERED = "category (ordered)"
# The dtype of texts: where the option future.infer_string is off, "str" stands for objects, and makes "None" of None.
TEXT = pd.StringDtype(na_value=np.nan)
# Arrow reads whatever follows one of these as one of these: 45000 among dates as 45 milliseconds of 1970, a moment
# among days as its day. The order matters: a moment is a date too.
_TAKES_OTHERS = (dt.datetime, dt.date, dt.time, dt.timedelta, bytes)
_PROBED = 200  # objects of which the kind is looked up


def arrow_of_frame(frame: pd.DataFrame) -> pa.Table:
    """The frame without its index as a table with the same values.

    Raises: pa.ArrowException when a column holds values of several kinds; OverflowError.
    """
    for name, column in frame.items():
        if not is_of_one_kind(column):
            raise pa.ArrowTypeError(f'column "{name}" holds values of different types')
    return pa.Table.from_pandas(frame, preserve_index=False)


def is_of_one_kind(column: pd.Series) -> bool:
    """Whether no date, time, duration or bytes stands beside another kind; other kinds are not told apart.

    Moments in a time zone and moments in none are two kinds.
    """
    if column.dtype != object:
        return True
    present = column.dropna()
    kinds = {next((one for one in _TAKES_OTHERS if issubclass(kind, one)), object) for kind in set(map(type, present))}
    if kinds == {dt.datetime}:
        return len({value.tzinfo is None for value in present}) == 1
    return len(kinds) < 2 or kinds.isdisjoint(_TAKES_OTHERS)


def dtype_of(column: pd.Series) -> str:
    """The dtype as text: "empty" when no value is there, "str" for objects that are all texts, or all UUIDs.

    Objects that are all truth values are "bool", or "boolean" when some are missing; decimals are those of Arrow;
    dates, moments of one zone and lengths of time are those of pandas. Categories with an order of their own say so.
    """
    dtype = str(column.dtype)
    if dtype != "object" and not dtype.startswith("str") and dtype != "category":
        return dtype
    probe = column.dropna()
    if probe.empty:
        return EMPTY
    if dtype == "category" and (values := _of_categories(column)) is not None:
        return dtype_of(values)
    if dtype != "object":
        return ORDERED if getattr(column.dtype, "ordered", False) else dtype
    truth = "bool" if len(probe) == len(column) else "boolean"
    match pd.api.types.infer_dtype(probe):
        case "string":
            return "str"
        case "boolean":
            return truth
        case "decimal":
            exact = _exact_decimals(column)
            return dtype if exact is None else str(exact.dtype)
        case "date" | "datetime" | "datetime64" | "timedelta" | "timedelta64":
            times = _times(column)
            return dtype if times is None else str(times.dtype)
    return "str" if _are_uuids(probe) else dtype


def dtype_named(name: str) -> Any:  # noqa: ANN401 - pandas has no one type for dtypes
    """What pandas calls so, whatever its options say."""
    return TEXT if name == "str" else name


def with_plain_types(frame: pd.DataFrame) -> pd.DataFrame:
    """The frame with objects of one kind in the dtype that `dtype_of` says: truth values, decimals, UUIDs as texts.

    Whole numbers, truth values, moments and lengths of time of Arrow are pandas's own, which hold the same ones.
    Fractions of every dtype are float64, in which a missing one is NaN and nothing else is; those of 32 and 16 bits are
    the shortest decimals that they stand for.
    Among objects `~True` is -2 and `~None` an error; "boolean" knows both, and that a missing one is unknown. Decimals
    of any number of digits are numbers, and a UUID cannot cross into the sandbox. Categories of nothing are no texts.
    """
    found = {str(name): plainer for name, column in frame.items() if (plainer := _plain(column)) is not None}
    if not found:
        return frame
    changed = frame.copy(deep=False)
    for name in frame.columns:
        if str(name) in found:
            changed[name] = found[str(name)]
    return changed


def _plain(column: pd.Series) -> pd.Series | None:
    """The column in a plainer dtype; None when it has none."""
    if isinstance(column.dtype, pd.ArrowDtype):
        return _plain_of_arrow(column, column.dtype.pyarrow_dtype)
    if isinstance(column.dtype, pd.SparseDtype):
        dense = pd.Series(column.array.to_dense(), index=column.index, name=column.name)
        return dense if (plainer := _plain(dense)) is None else plainer
    if pd.api.types.is_float_dtype(column.dtype):
        return None if column.dtype == "float64" else _like(column, doubles(pa.array(column.array)))
    dtype, found = str(column.dtype), dtype_of(column)
    if dtype == "category":
        values = column.astype(object).where(column.notna(), None) if found == EMPTY else _of_categories(column)
        return values if values is None or found == EMPTY or (plainer := _plain(values)) is None else plainer
    if dtype != "object":
        return None
    if found.startswith(("datetime64", "timedelta64")):
        return _times(column)
    if found in ("bool", "boolean"):
        return column.astype("bool" if found == "bool" else "boolean")
    if found.startswith("decimal"):
        return _exact_decimals(column)
    return _texts(column) if found == "str" else None


def _texts(column: pd.Series) -> pd.Series | None:
    """Texts, and UUIDs as such, in pandas's own dtype, which Greek and Turkish letters are folded alike in."""
    is_uuid = isinstance(column.dropna().iloc[0], UUID)
    try:
        return (column.map(str, na_action="ignore") if is_uuid else column).astype(TEXT)
    except UnicodeError:  # half a character, of which Arrow knows nothing
        return None


def _of_categories(column: pd.Series) -> pd.Series | None:
    """Categories of numbers, truth values or times as these; None where they are texts, or something else."""
    categories = column.cat.categories
    kind, has_missing = categories.dtype.kind, column.hasnans
    if kind == "O":
        is_time = pd.api.types.infer_dtype(categories) in ("date", "datetime", "timedelta", "decimal", "boolean")
        return column.astype(object) if is_time else None
    if kind not in "iufbmM":
        return None
    if has_missing and kind in "iub" and isinstance(categories.dtype, np.dtype):
        return column.astype(pd.api.types.pandas_dtype({"i": "Int64", "u": "UInt64", "b": "boolean"}[kind]))
    return column.astype(categories.dtype)


def _plain_of_arrow(column: pd.Series, kind: pa.DataType) -> pd.Series | None:
    """What Arrow holds in a dtype of pandas; None where there is none, or where years are beyond it.

    Functions of Arrow round numbers, and tell NaN and -0.0 from what equals them.
    """
    if pa.types.is_integer(kind):
        return column.astype(pd.api.types.pandas_dtype(str(kind).replace("uint", "UInt").replace("int", "Int")))
    if pa.types.is_floating(kind):
        return _like(column, doubles(pa.array(column.array)))
    if pa.types.is_boolean(kind):
        return column.astype("boolean")
    if is_wrapped(column.dtype):
        return _unwrapped(column, kind)
    try:
        if pa.types.is_timestamp(kind):
            zone = f", {kind.tz}" if kind.tz else ""
            return column.astype(pd.api.types.pandas_dtype(f"datetime64[{kind.unit}{zone}]"))
        if pa.types.is_date(kind):
            return _like(column, pa.array(column.array).cast(pa.timestamp("us")))
        if pa.types.is_duration(kind):
            return column.astype(pd.api.types.pandas_dtype(f"timedelta64[{kind.unit}]"))
    except (pa.ArrowException, ValueError, TypeError):
        return None
    return None


def is_wrapped(dtype: object) -> bool:
    """Whether it is one of Arrow for texts or dictionaries, of which few functions know how to read it."""
    kind = dtype.pyarrow_dtype if isinstance(dtype, pd.ArrowDtype) else pa.string()
    return bool(pa.types.is_dictionary(kind) or pa.types.is_large_string(kind) or pa.types.is_string_view(kind))


def is_seen_through(dtype: object) -> bool:
    """Whether columns of it are described as what they hold rather than by its name."""
    return str(dtype) in ("object", "category") or is_wrapped(dtype) or isinstance(dtype, pd.SparseDtype)


def _unwrapped(column: pd.Series, kind: pa.DataType) -> pd.Series:
    """Texts in pandas's own dtype, dictionaries of texts as categories, others as what they stand for."""
    values = pa.array(column.array)
    if not pa.types.is_dictionary(kind):
        return pd.Series(values.cast(pa.large_string()).to_pandas(), index=column.index, name=column.name, dtype=TEXT)
    if is_text(kind.value_type):
        return pd.Series(values.to_pandas().array, index=column.index, name=column.name)
    plain = pd.arrays.ArrowExtensionArray(values.cast(kind.value_type))
    found = pd.Series(plain, index=column.index, name=column.name)
    return found if (plainer := _plain(found)) is None else plainer


def doubles(fractions: pa.Array | pa.ChunkedArray) -> pa.Array | pa.ChunkedArray:
    """The fractions in 64 bits: narrower ones as the shortest decimals that they stand for, so 0.1 stays 0.1."""
    if pa.types.is_float64(fractions.type):
        return fractions
    if pa.types.is_float16(fractions.type):  # Arrow writes these as the doubles that they are
        return pa.array([None if each is None else float(str(np.float16(each))) for each in fractions.to_pylist()])
    return fractions.cast(pa.string()).cast(pa.float64())


def with_texts_of_uuids(table: pa.Table) -> pa.Table:
    """The table with UUIDs as texts."""
    for at, field in enumerate(table.schema):
        if field.type == pa.uuid():
            texts = pa.array([value and str(value) for value in table.column(at).to_pylist()], pa.string())
            table = table.set_column(at, field.with_type(pa.string()), texts)
    return table


def with_values(table: pa.Table) -> pa.Table:
    """The table with dictionaries of anything but texts as what they stand for."""
    for at, field in enumerate(table.schema):
        plain = plain_type(field.type)
        if plain != field.type:
            table = table.set_column(at, field.with_type(plain), table.column(at).cast(plain))
    return table


def plain_type(arrow_type: pa.DataType) -> pa.DataType:
    """The type that a column of it has in `with_values`."""
    is_plain = not pa.types.is_dictionary(arrow_type) or is_text(arrow_type.value_type)
    return arrow_type if is_plain else arrow_type.value_type


def is_text(arrow_type: pa.DataType) -> bool:
    """Whether its values are texts."""
    return bool(pa.types.is_string(arrow_type) or pa.types.is_large_string(arrow_type))


def with_doubles(table: pa.Table) -> pa.Table:
    """The table with fractions of every type as `doubles`."""
    for at, field in enumerate(table.schema):
        if pa.types.is_floating(field.type) and not pa.types.is_float64(field.type):
            table = table.set_column(at, field.with_type(pa.float64()), doubles(table.column(at)))
    return table


def _like(column: pd.Series, values: pa.Array | pa.ChunkedArray) -> pd.Series:
    return pd.Series(values.to_pandas().to_numpy(), index=column.index, name=column.name)


def _times(column: pd.Series) -> pd.Series | None:
    """Dates, moments or lengths of time that stand as objects, to the microsecond at least; None when they differ."""
    if not is_of_one_kind(column):
        return None
    is_length = isinstance(column.dropna().iloc[0], dt.timedelta)
    try:
        found = pd.to_timedelta(column) if is_length else pd.to_datetime(column)
    except (ValueError, TypeError, OverflowError):  # zones of several names, years that pandas does not reach
        return None
    return found.dt.as_unit("us") if found.dt.unit in ("s", "ms") else found


def _exact_decimals(column: pd.Series) -> pd.Series | None:
    """Decimals that stand as objects, in Arrow's type; None when it does not hold them all (NaN, 40 digits)."""
    try:
        exact = pa.array(column, from_pandas=True)
    except pa.ArrowInvalid:
        return None
    return pd.Series(pd.arrays.ArrowExtensionArray(exact), index=column.index, name=column.name)


def _are_uuids(values: pd.Series) -> bool:
    return all(isinstance(value, UUID) for value in values)


def are_objects_of_time(column: pd.Series) -> bool:
    """Whether the first values that are there are times of the day, as Python has them."""
    return column.dtype == "object" and pd.api.types.infer_dtype(column.head(_PROBED)) == "time"
