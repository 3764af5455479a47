"""pandas frames as Arrow tables and back, without losing a dtype and without trusting what comes back.

Arrow's own pandas metadata is not used: it names dtypes to be looked up and labels to be evaluated. Ours is a small
JSON description whose every word is checked against what is known here.
"""

import json
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa

from kernel_sandbox.tables.boundary import NotRepresentable
from kernel_sandbox.tables.labels import label_from_json, label_to_json
from kernel_sandbox.tables.objects import objects_to_arrow

_MASKED = {
    **{f"{sign}Int{bits}": f"{sign}Int{bits}Dtype" for sign in ("", "U") for bits in (8, 16, 32, 64)},
    **{"Float32": "Float32Dtype", "Float64": "Float64Dtype", "boolean": "BooleanDtype"},
}


def _is_called(name: str, kind: pa.DataType) -> bool:
    return str(kind) == name


def _is_text(kind: pa.DataType) -> bool:
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind))


def _is_flat(kind: pa.DataType) -> bool:
    return not pa.types.is_dictionary(kind)


_MASKED_TYPES = {"boolean": "bool", "Float32": "float", "Float64": "double"}
# Whether a type of Arrow may stand for a dtype: with any other, a column could widen without bound as it is decoded.
_FITS: dict[str, Callable[[pa.DataType], bool]] = {
    **{name: partial(_is_called, _MASKED_TYPES.get(name, name.lower())) for name in _MASKED},
    **{"str": _is_text, "string": _is_text, "arrow": _is_flat, "object": _is_flat},
    "tz": lambda kind: pa.types.is_timestamp(kind) and kind.tz is not None,
}
_NUMERIC = (
    *(pa.types.is_integer, pa.types.is_floating, pa.types.is_boolean),
    *(pa.types.is_timestamp, pa.types.is_duration),
)
_EXACT_IN_FLOAT = 2**53
# Where a table that goes in carries our description.
DESCRIPTION = b"kernel_sandbox"

# The array that becomes a column: a function of Arrow data, so that a reader of mapped files can hand in its own.
AsNumpy = Callable[[pa.ChunkedArray], np.ndarray[Any, Any] | None]


def to_arrow(frame: pd.DataFrame) -> pa.Table:
    """The frame without its index as a table of columns c0, c1, … with a description in its metadata.

    Raises: NotRepresentable naming the column and its dtype.
    """
    arrays, description = to_arrays(frame, keep_index=False)
    fields = [pa.field(f"c{number}", array.type) for number, array in enumerate(arrays)]
    schema = pa.schema(fields, metadata={DESCRIPTION: json.dumps(description).encode()})
    return pa.Table.from_arrays(arrays, schema=schema)


def to_arrays(frame: pd.DataFrame, *, keep_index: bool) -> tuple[list[pa.Array], dict[str, Any]]:
    """The columns of the frame, then those of its index, and what they are as JSON.

    Raises: NotRepresentable naming the column and its dtype.
    """
    arrays, columns = [], []
    for position, label in enumerate(frame.columns):
        array, tag = _column_to_arrow(frame.iloc[:, position], f'column "{label}"')
        arrays.append(array)
        columns.append({"label": label_to_json(label), "dtype": tag})
    description: dict[str, Any] = {
        "columns": columns,
        "names": [label_to_json(name) for name in frame.columns.names],
        "levels": frame.columns.nlevels,
        "rows": len(frame),
        "index": None,
    }
    if keep_index:
        description["index"], levels = _index_to_arrow(frame.index)
        arrays += levels
    return arrays, description


def from_arrow(table: pa.Table, *, as_numpy: AsNumpy | None = None) -> pd.DataFrame:
    """The frame of a table: as described when `to_arrow` made it, else with pandas' own dtypes and a RangeIndex.

    Integers with missing values that a float would round become `Int64`; pandas would round them.

    Raises: NotRepresentable when the description does not fit the table.
    """
    described = (table.schema.metadata or {}).get(DESCRIPTION)
    if described is None:
        arrays = {number: _default_column(table.column(number), as_numpy) for number in range(table.num_columns)}
        frame = pd.DataFrame(arrays, copy=False, index=pd.RangeIndex(table.num_rows))
        frame.columns = pd.Index(table.column_names)
        return frame
    return described_frame(table, json.loads(described), as_numpy=as_numpy)


def described_frame(table: pa.Table, description: dict[str, Any], *, as_numpy: AsNumpy | None) -> pd.DataFrame:
    """The frame of a table whose columns are in the order of the description.

    Raises: NotRepresentable when the description does not fit the table.
    """
    try:
        return _described_frame(table, description, as_numpy)
    except NotRepresentable:
        raise
    except (KeyError, TypeError, ValueError, IndexError, AttributeError, RecursionError, OverflowError) as error:
        raise NotRepresentable(f"its description does not fit: {type(error).__name__}: {error}") from error


def _described_frame(table: pa.Table, description: dict[str, Any], as_numpy: AsNumpy | None) -> pd.DataFrame:
    columns = description["columns"]
    rows = table.num_rows if table.num_columns else int(description["rows"])
    arrays = {
        number: _described_column(table.column(number), column["dtype"], as_numpy)
        for number, column in enumerate(columns)
    }
    index = _index_from_arrow(table, len(columns), description["index"], rows)
    if len(index) != rows:
        raise NotRepresentable(f"its description does not fit: an index of {len(index):,} for {rows:,} rows")
    frame = pd.DataFrame(arrays, copy=False, index=pd.RangeIndex(rows))
    frame.index = index
    labels = [label_from_json(column["label"]) for column in columns]
    names = [label_from_json(name) for name in description["names"]]
    if int(description["levels"]) > 1:
        frame.columns = pd.MultiIndex.from_tuples(labels, names=names)
    else:
        frame.columns = pd.Index(labels, name=names[0], tupleize_cols=False)
    return frame


def _column_to_arrow(series: "pd.Series[Any]", what: str) -> tuple[pa.Array, Any]:
    dtype = series.dtype
    tag: Any
    try:
        if isinstance(dtype, pd.CategoricalDtype):
            return _category_to_arrow(series, what)
        if isinstance(dtype, pd.ArrowDtype):
            array, tag = pa.array(series.array), "arrow"
        elif isinstance(dtype, pd.StringDtype):
            array, tag = pa.array(series.array), "str" if dtype.na_value is np.nan else "string"
        elif dtype.name in _MASKED:
            array, tag = pa.array(series.array), dtype.name
        elif isinstance(dtype, pd.DatetimeTZDtype):
            array, tag = pa.array(series.array), "tz"
        elif isinstance(dtype, np.dtype):
            array, tag = _numpy_to_arrow(series.to_numpy(), dtype)
        else:
            raise NotRepresentable(f"{what} has dtype {dtype}, which cannot cross; convert it, for instance to str")
    except (pa.ArrowException, TypeError, ValueError, OverflowError) as error:
        if isinstance(error, NotRepresentable):
            raise
        raise NotRepresentable(f"{what} has dtype {dtype} with values of different kinds: {error}") from error
    if isinstance(array, pa.ChunkedArray):
        array = array.combine_chunks()
    return array, tag


def _numpy_to_arrow(values: np.ndarray[Any, Any], dtype: np.dtype[Any]) -> tuple[pa.Array, str | None]:
    if dtype.kind == "O":
        return objects_to_arrow(values), "object"
    if dtype.kind in "iufbMm":
        return pa.array(np.ascontiguousarray(values), from_pandas=dtype.kind in "Mm"), None
    raise TypeError(f"{dtype} has no Arrow form")


def _category_to_arrow(series: "pd.Series[Any]", what: str) -> tuple[pa.Array, Any]:
    categories = series.cat.categories
    values, tag = _column_to_arrow(pd.Series(categories), f"the categories of {what}")
    codes = series.cat.codes.to_numpy()
    indices = pa.array(codes, mask=codes < 0)
    array = pa.DictionaryArray.from_arrays(indices, values, ordered=bool(series.cat.ordered))
    return array, {"categories": tag, "ordered": bool(series.cat.ordered)}


def _index_to_arrow(index: "pd.Index[Any]") -> tuple[dict[str, Any], list[pa.Array]]:
    names = [label_to_json(name) for name in index.names]
    if isinstance(index, pd.RangeIndex):
        return {"range": [index.start, index.stop, index.step], "names": names}, []
    levels = [index.get_level_values(number) for number in range(index.nlevels)]
    pairs = [_column_to_arrow(pd.Series(level), f"index level {number}") for number, level in enumerate(levels)]
    described = {"dtypes": [tag for _, tag in pairs], "names": names, "multi": index.nlevels > 1}
    return described, [array for array, _ in pairs]


def _index_from_arrow(table: pa.Table, first: int, described: dict[str, Any] | None, rows: int) -> "pd.Index[Any]":
    if described is None:
        return pd.RangeIndex(rows)
    names = [label_from_json(name) for name in described["names"]]
    if "range" in described:
        start, stop, step = (int(bound) for bound in described["range"])
        return pd.RangeIndex(start, stop, step, name=names[0])
    levels = [
        _described_column(table.column(first + number), tag, None) for number, tag in enumerate(described["dtypes"])
    ]
    if described["multi"]:
        return pd.MultiIndex.from_arrays(levels, names=names)
    index: pd.Index[Any] = pd.Index(levels[0], name=names[0], tupleize_cols=False)
    return index


def _described_column(column: pa.ChunkedArray, tag: Any, as_numpy: AsNumpy | None) -> Any:  # noqa: ANN401 - any array
    if tag is None:
        return _numpy_column(column, as_numpy)
    if isinstance(tag, dict):
        return _category_from_arrow(column, tag)
    if tag not in _FITS:
        raise NotRepresentable(f"it claims a dtype {tag!r} that is not known here")
    if not _FITS[tag](column.type):
        raise NotRepresentable(f"a column of dtype {tag} holds {column.type}")
    match tag:
        case "str":
            return _with_dtype(column, pd.StringDtype(na_value=np.nan))
        case "string":
            return _with_dtype(column, pd.StringDtype())
        case "arrow":
            return _with_dtype(column, pd.ArrowDtype(column.type))
        case "tz":
            return _with_dtype(column, pd.DatetimeTZDtype(column.type.unit, column.type.tz))
        case "object":
            return _objects(column.to_pylist())
    return _with_dtype(column, getattr(pd, _MASKED[tag])())


def _category_from_arrow(column: pa.ChunkedArray, tag: dict[str, Any]) -> pd.Categorical:
    array = column.combine_chunks() if column.num_chunks != 1 else column.chunk(0)
    if not isinstance(array, pa.DictionaryArray):
        raise NotRepresentable("a column called a category has no dictionary")
    values = _described_column(pa.chunked_array([array.dictionary]), tag["categories"], None)
    codes = array.indices.fill_null(-1).to_numpy(zero_copy_only=False)
    categories = pd.Index(values, tupleize_cols=False)
    return pd.Categorical.from_codes(codes, categories=categories, ordered=bool(tag["ordered"]))


def _numpy_column(column: pa.ChunkedArray, as_numpy: AsNumpy | None) -> np.ndarray[Any, Any]:
    mapped = as_numpy(column) if as_numpy else None
    if mapped is not None:
        return mapped
    kind = column.type
    if not any(test(kind) for test in _NUMERIC) or (pa.types.is_timestamp(kind) and kind.tz is not None):
        raise NotRepresentable(f"a column called numeric holds {kind}")
    if column.null_count and not (pa.types.is_timestamp(kind) or pa.types.is_duration(kind)):
        # NumPy has no gaps but in times: it would take floats of eight bytes, or objects.
        raise NotRepresentable(f"a column called numeric has a gap, and holds {kind}")
    values: np.ndarray[Any, Any] = column.to_numpy()
    return values if values.flags.writeable else values.copy()


def _default_column(column: pa.ChunkedArray, as_numpy: AsNumpy | None) -> Any:  # noqa: ANN401 - any pandas array
    mapped = as_numpy(column) if as_numpy else None
    if mapped is not None:
        return mapped
    if pa.types.is_string(column.type) or pa.types.is_large_string(column.type):
        return _with_dtype(column, pd.StringDtype(na_value=np.nan))
    if pa.types.is_integer(column.type) and column.null_count and _too_large_for_float(column):
        name = str(column.type).replace("int", "Int").replace("uInt", "UInt")
        return _with_dtype(column, getattr(pd, _MASKED[name])())
    series = column.to_pandas()
    values = series.array
    if isinstance(values, pd.arrays.NumpyExtensionArray):
        plain = values.to_numpy()
        return plain if plain.flags.writeable else plain.copy()
    return values


def _with_dtype(column: pa.ChunkedArray, dtype: Any) -> Any:  # noqa: ANN401 - any extension dtype
    # The way pandas itself makes extension arrays from Arrow; the stubs do not know it.
    return dtype.__from_arrow__(column)


def _too_large_for_float(column: pa.ChunkedArray) -> bool:
    import pyarrow.compute as pc

    bounds = pc.min_max(column).as_py()
    return any(abs(bound) > _EXACT_IN_FLOAT for bound in bounds.values() if bound is not None)


def _objects(values: list[Any]) -> "pd.Series[Any]":
    # A series, since pandas 3 would make text of a bare array of objects.
    array = np.empty(len(values), dtype=object)
    array[:] = values
    return pd.Series(array, dtype=object)
