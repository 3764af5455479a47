"""A person's DataFrame as one that can cross into the sandbox: every column of one kind, names as texts."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa

from pandas_magic.catalog.plain_types import TEXT
from pandas_magic.reporters.preview import is_missing

_SEEN_VALUES = 100_000
_CROSSING = ("i", "u", "f", "b", "M", "m")


def crossable(frame: pd.DataFrame) -> tuple[pd.DataFrame, tuple[str, ...]]:
    """The frame with columns that the sandbox takes, and a note for each that had to become text."""
    notes: list[str] = []
    columns: dict[int, Any] = {}
    for position, (_, given) in enumerate(frame.items()):
        column = _with_room_for_gaps(given)
        if isinstance(column.dtype, pd.PeriodDtype):
            notes.append(f"{frame.columns[position]}: of periods ({column.dtype}) the first moment is judged")
            column = column.dt.to_timestamp()
        elif not _can_cross(column):
            notes.append(f"{frame.columns[position]}: {_kinds(column)} are judged as texts")
            texts = column.map(lambda value: None if is_missing(value) else str(value))
            column = texts.astype(TEXT)
        columns[position] = column.array
    # Without copy=False pandas gathers the columns in new blocks: a second copy of the whole table.
    plain = pd.DataFrame(columns, index=pd.RangeIndex(len(frame)), copy=False)
    plain.columns = pd.Index([_label(label) for label in frame.columns], dtype=object)
    return plain, tuple(notes)


def _with_room_for_gaps(column: pd.Series[Any]) -> pd.Series[Any]:
    """A column that is of objects only because of its gaps, in the dtype that has room for them."""
    if column.dtype != object:
        return column
    try:
        match pd.api.types.infer_dtype(column, skipna=True):
            case "boolean":
                return column.astype("boolean")
            case "integer":
                return column.astype("Int64")
            case "floating" | "mixed-integer-float":
                return column.astype("float64")
            case _:
                return column
    except (OverflowError, TypeError, ValueError):
        return column  # whole numbers of more than 64 bits


def _label(label: object) -> str:
    return " / ".join(map(str, label)) if isinstance(label, tuple) else str(label)


def _can_cross(column: pd.Series[Any]) -> bool:
    dtype = column.dtype
    if isinstance(dtype, pd.CategoricalDtype):
        return dtype.categories.dtype.kind in _CROSSING or all(isinstance(label, str) for label in dtype.categories)
    if isinstance(dtype, pd.ArrowDtype):
        return not pa.types.is_nested(dtype.pyarrow_dtype) and not pa.types.is_binary(dtype.pyarrow_dtype)
    if isinstance(dtype, pd.StringDtype | pd.DatetimeTZDtype) or dtype.kind in _CROSSING:
        return not isinstance(dtype, pd.SparseDtype | pd.PeriodDtype | pd.IntervalDtype) and str(dtype) != "float16"
    return dtype.kind == "O" and pd.api.types.infer_dtype(column, skipna=True) in ("string", "empty")


def _kinds(column: pd.Series[Any]) -> str:
    if column.dtype != object:
        return f"values of the kind {column.dtype}"
    counted = column.head(_SEEN_VALUES).dropna().map(lambda value: type(value).__name__).value_counts()
    if len(counted) == 1:
        return f"values of the kind {counted.index[0]}"
    listed = ", ".join(f"{count:,} {kind}" for kind, count in counted.head(4).items())
    return f"values of different kinds ({listed})"


def file_hash(path: Path) -> str:
    """The SHA-256 of a file; of a folder that of its files with their places in it."""
    if path.is_dir():
        files = sorted(file for file in path.rglob("*") if file.is_file())
        named = (f"{file.relative_to(path)}\0{file_hash(file)}\0" for file in files)
        return hashlib.sha256("".join(named).encode()).hexdigest()
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def frame_hash(frame: pd.DataFrame) -> str:
    """A SHA-256 of a frame's names, dtypes and values, by pandas' own hash of each value."""
    summed = hashlib.sha256()
    for position in range(frame.shape[1]):
        column = frame.iloc[:, position]
        summed.update(f"{frame.columns[position]}\0{column.dtype}\0{len(column)}\0".encode())
        plain = isinstance(column.dtype, np.dtype) and column.dtype.kind in "iufbMm"
        summed.update(np.ascontiguousarray(column.to_numpy()).tobytes() if plain else _text_hash(column))
    return summed.hexdigest()


def _text_hash(column: pd.Series[Any]) -> bytes:
    try:
        array = pa.array(column.array)
    except (pa.ArrowException, TypeError, ValueError, OverflowError):  # values of several types
        array = pa.array([None if is_missing(value) else str(value) for value in column], pa.large_string())
    chunks = array.chunks if isinstance(array, pa.ChunkedArray) else [array]
    summed = hashlib.sha256()
    for chunk in chunks:
        for buffer in chunk.buffers():
            if buffer is not None:
                summed.update(buffer)
    return summed.digest()
