"""Arrow tables as DataFrames, without losing digits, and the facts of a schema."""

from collections.abc import Iterable, Sequence
from contextlib import suppress
from functools import lru_cache

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from pandas_magic.catalog.frame_limits import (
    arrow_fields,
    first_beyond_reach,
    in_pandas,
    refuse_beyond_reach,
    refuse_unknown_zones,
)
from pandas_magic.catalog.plain_types import (
    ORDERED,
    are_objects_of_time,
    dtype_of,
    is_seen_through,
    is_text,
    plain_type,
    with_doubles,
    with_plain_types,
    with_texts_of_uuids,
    with_values,
)
from pandas_magic.catalog.table import EMPTY, Table
from pandas_magic.catalog.text.content import MOST_TEXTS, ContentKind, content_kind
from pandas_magic.errors import TableUnreadable
from pandas_magic.record import first_twice

# Beyond 2**53 not every integer has a float64 of its own.
EXACT_IN_FLOAT = 2**53
# A column of texts with at most so many different ones is a set of values that rules may name.
MAX_VALUES = 50
# Rows looked at first, so that a column of millions of different texts is given up early.
PROBE_ROWS = 10_000
# Whether a column is a key is worked out up to here: a hash of every value must fit in memory beside it.
MAX_KEY_ROWS = 100_000_000
# Whole numbers are close together that take up at most so many times as many places as there are of them.
_CLOSE = 4


def frame_from_arrow(table: pa.Table) -> pd.DataFrame:
    """The table as pandas shows it to users, on a RangeIndex.

    Integers with missing values become float64 where that is exact, else Int64; dates become datetime64; decimals
    stay exact (Arrow-backed); truth values with missing ones are "boolean"; UUIDs are texts; fractions of 32 bits
    are the shortest decimals that they stand for. Columns of plain numbers share the table's memory.
    """
    refuse_duplicate_names(table.column_names, "the table")
    refuse_unknown_zones(table.schema)
    table = with_doubles(with_texts_of_uuids(with_values(table)))
    refuse_beyond_reach(table)
    frame = in_pandas(table, _exact_dtype)
    for name in table.column_names:
        column = table[name]
        if pa.types.is_integer(column.type) and column.null_count and _beyond_float(column):
            unsigned = pa.types.is_unsigned_integer(column.type)
            frame[name] = pd.array(column.to_pylist(), dtype="UInt64" if unsigned else "Int64")
        elif pa.types.is_boolean(column.type) and column.null_count:
            frame[name] = frame[name].astype("boolean")
        elif pa.types.is_timestamp(column.type) or pa.types.is_date(column.type):
            frame[name] = _in_microseconds(frame[name])
    return frame


def rows_from_arrow(table: pa.Table, positions: Sequence[int]) -> pd.DataFrame:
    """Some rows of the table, with the dtypes that they have among all rows; the index holds their positions.

    A column of integers or truth values with gaps is turned whole, because its dtype depends on all of it; of the
    others only the rows asked for.
    """
    at, table = pd.Index(list(positions), dtype="int64"), with_values(table)
    gaps = [name for name in table.column_names if table[name].null_count and _depends_on_gaps(table[name].type)]
    chosen = frame_from_arrow(table.drop_columns(gaps).take(pa.array(at))).set_axis(at, axis=0)
    if not gaps:
        return chosen
    joined: pd.DataFrame = chosen.join(frame_from_arrow(table.select(gaps)).iloc[at])[table.column_names]
    return joined


def _depends_on_gaps(arrow_type: pa.DataType) -> bool:
    return bool(pa.types.is_integer(arrow_type) or pa.types.is_boolean(arrow_type))


def _in_microseconds(column: pd.Series) -> pd.Series:
    # One unit for coarser ones: else a column's dtype would change with the first fraction of a second in it.
    return column.dt.as_unit("us") if column.dt.unit in ("s", "ms") else column


def _exact_dtype(arrow_type: pa.DataType) -> pd.api.extensions.ExtensionDtype | None:
    return pd.ArrowDtype(arrow_type) if pa.types.is_decimal(arrow_type) else None


def _beyond_float(column: pa.ChunkedArray) -> bool:
    extremes = pc.min_max(column).as_py()
    return extremes["max"] is not None and max(abs(extremes["min"]), abs(extremes["max"])) > EXACT_IN_FLOAT


def as_frames_hold_it(table: pa.Table) -> pa.Table:
    """The table with moments in microseconds and fractions in 64 bits, as its frame has them: they share its memory."""
    table = with_doubles(with_values(table))
    for at, column in enumerate(table.columns):
        kind = column.type
        if not pa.types.is_date(kind) and not (pa.types.is_timestamp(kind) and kind.unit in ("s", "ms")):
            continue
        with suppress(pa.ArrowInvalid):  # a year that microseconds do not reach stays as it is
            fine = column.cast(pa.timestamp("us", kind.tz if pa.types.is_timestamp(kind) else None))
            table = table.set_column(at, table.schema.field(at).with_type(fine.type), fine)
    return table


def describe_arrow(name: str, table: pa.Table) -> Table:
    """The schema that the frame of this table has, without making the frame."""
    refuse_duplicate_names(table.column_names, f'table "{name}"')
    refuse_unknown_zones(table.schema)
    columns = {name: column for name, column in zip(table.column_names, with_values(table).columns, strict=True)}
    return Table(
        name=name,
        columns={column: _dtype_in_pandas(values) for column, values in columns.items()},
        values={column: texts for column, values in columns.items() if (texts := _texts_of_arrow(values))},
        keys=tuple(column for column, values in columns.items() if _is_key_in_arrow(values)),
        missing={column: count for column, values in columns.items() if (count := missing_count(values))},
        read_as={c: kind for c, one in columns.items() if (kind := _content_in_arrow(one))},
        moments=tuple(column for column, values in columns.items() if _has_times_in_arrow(values)),
        row_count=table.num_rows,
    )


def missing_count(column: pa.ChunkedArray) -> int:
    """How many values are missing: null, or not a number."""
    if not pa.types.is_floating(column.type):
        return int(column.null_count)
    return int(pc.sum(pc.is_null(column, nan_is_null=True)).as_py() or 0)


def dtype_for(arrow_type: pa.DataType, *, has_missing: bool = False, has_values: bool = True) -> str:
    """The dtype, as text, that a column of an Arrow type has in pandas, as `frame_from_arrow` gives it."""
    return _dtype_in_frame(plain_type(arrow_type), has_missing, has_values, False)


def _dtype_in_pandas(column: pa.ChunkedArray) -> str:
    has_missing = column.null_count > 0
    beyond = pa.types.is_integer(column.type) and has_missing and _beyond_float(column)
    return _dtype_in_frame(column.type, has_missing, column.null_count < len(column), bool(beyond))


@lru_cache(maxsize=1024)
def _dtype_in_frame(arrow_type: pa.DataType, has_missing: bool, has_values: bool, beyond_float: bool) -> str:
    if beyond_float:
        return "UInt64" if pa.types.is_unsigned_integer(arrow_type) else "Int64"
    if pa.types.is_boolean(arrow_type):
        return "bool" if not has_missing else "boolean" if has_values else EMPTY
    try:
        column = frame_from_arrow(pa.table({"a": pa.nulls(int(has_missing), arrow_type)}))["a"]
    except TableUnreadable:  # a type that no frame holds is told where the column is read
        return "object"
    if is_text(arrow_type) and has_values:
        return str(column.dtype)
    if column.dtype == "object":
        return "object" if has_values else EMPTY
    if pa.types.is_dictionary(arrow_type) and arrow_type.ordered and has_values:
        return ORDERED
    return dtype_of(column) if not has_values else str(column.dtype)


def _texts_of_arrow(column: pa.ChunkedArray) -> tuple[str, ...]:
    plain = column.type.value_type if pa.types.is_dictionary(column.type) else column.type
    if not is_text(plain):
        return ()
    if len(pc.unique(column.slice(0, PROBE_ROWS))) > MAX_VALUES:
        return ()
    different = pc.unique(column).drop_null()
    return tuple(sorted(different.to_pylist())) if len(different) <= MAX_VALUES else ()


def _content_in_arrow(column: pa.ChunkedArray) -> ContentKind | None:
    if not is_text(column.type):
        return "time" if pa.types.is_time(column.type) else None
    return content_kind(column.slice(0, PROBE_ROWS).drop_null().slice(0, MOST_TEXTS).to_pylist())


def _has_times_in_arrow(column: pa.ChunkedArray) -> bool:
    head = column.slice(0, PROBE_ROWS)
    return pa.types.is_timestamp(column.type) and not first_beyond_reach(head) and _has_times(head.to_pandas())


def _is_key_in_arrow(column: pa.ChunkedArray) -> bool:
    kind = column.type
    fits = pa.types.is_integer(kind) or is_text(kind)
    if not fits or not 0 < len(column) <= MAX_KEY_ROWS or column.null_count:
        return False
    head = column.slice(0, PROBE_ROWS)
    return len(pc.unique(head)) == len(head) and _all_differ(column)


def _all_differ(column: pa.ChunkedArray) -> bool:
    """Whether no value occurs twice among those of a column without gaps; numbers close together are ticked off."""
    if pa.types.is_integer(column.type):
        bounds = pc.min_max(column).as_py()
        spread = bounds["max"] - bounds["min"] + 1
        if spread < len(column):
            return False
        if spread <= _CLOSE * len(column):
            seen = np.zeros(spread, dtype=bool)
            widest = pa.uint64() if pa.types.is_unsigned_integer(column.type) else pa.int64()
            first = pa.scalar(bounds["min"], widest)
            for chunk in column.chunks:
                seen[pc.subtract(chunk.cast(widest), first).to_numpy()] = True
            return int(np.count_nonzero(seen)) == len(column)
    return len(pc.unique(column)) == len(column)


def describe_frame(name: str, frame: pd.DataFrame) -> Table:
    """The schema of a frame, with the texts that occur in columns of few, and the columns that could be keys."""
    refuse_duplicate_names(frame.columns, f'table "{name}"')
    refuse_unknown_zones(arrow_fields(frame))
    # Objects of one kind, and categories, are seen as what they are; other dtypes are told as the frame has them.
    objects = with_plain_types(frame[[name for name, kind in frame.dtypes.items() if is_seen_through(kind)]])
    columns = {str(name): objects.get(name, column) for name, column in frame.items()}
    dtypes = {name: dtype_of(column) for name, column in columns.items()}
    texts = {name: columns[name] for name, dtype in dtypes.items() if dtype in ("str", "string")}
    named = texts | {name: columns[name] for name, dtype in dtypes.items() if dtype in ("category", ORDERED)}
    whole = {name for name, column in columns.items() if pd.api.types.is_integer_dtype(column.dtype)}
    return Table(
        name=name,
        columns=dtypes,
        values={name: few for name in columns if name in named and (few := _texts(named[name]))},
        keys=tuple(name for name, column in columns.items() if (name in whole or name in texts) and _is_key(column)),
        missing={name: count for name, column in columns.items() if (count := int(column.isna().sum()))},
        read_as={name: kind for name, column in columns.items() if (kind := _content(column, texts.get(name)))},
        moments=tuple(name for name, column in columns.items() if _has_times(column)),
        row_count=len(frame),
    )


def _texts(column: pd.Series) -> tuple[str, ...]:
    if column.head(PROBE_ROWS).nunique() > MAX_VALUES:
        return ()
    different = column.dropna().unique()
    if len(different) > MAX_VALUES or not all(isinstance(text, str) for text in different):
        return ()
    return tuple(sorted(different))


def _content(column: pd.Series, texts: pd.Series | None) -> ContentKind | None:
    if texts is None:
        return "time" if are_objects_of_time(column) else None
    some = texts.head(PROBE_ROWS).dropna().head(MOST_TEXTS)
    return content_kind([str(text) for text in some])  # UUIDs count as texts


def _has_times(column: pd.Series) -> bool:
    """Whether one of the first points in time is not the midnight that begins a day, where its clock stands."""
    if not pd.api.types.is_datetime64_any_dtype(column.dtype):
        return False
    some = column.head(PROBE_ROWS).dropna()
    try:
        return bool((some != some.dt.normalize()).any())
    except ValueError:  # the day of the first moments of all began before them
        return True


def _is_key(column: pd.Series) -> bool:
    if len(column) > PROBE_ROWS and not column.head(PROBE_ROWS).is_unique:
        return False
    return len(column) > 0 and bool(not column.hasnans and column.is_unique)


def refuse_duplicate_names(names: Iterable[object], owner: str) -> None:
    """Refuse a table in which one name stands for two columns.

    Raises: TableUnreadable naming the column.
    """
    twice = first_twice(map(str, names))
    if twice is not None:
        raise TableUnreadable(f'{owner} has more than one column named "{twice}"; rename all but one of them')
