"""The frame that a confined process wrote: held against every check before it is decoded, and believed only then."""

import fcntl
import os
from typing import Any

import pandas as pd
import pyarrow as pa

from kernel_sandbox.tables.boundary import NotRepresentable
from kernel_sandbox.tables.budget import check_budget
from kernel_sandbox.tables.columns import read_columns
from kernel_sandbox.tables.frames import described_frame
from kernel_sandbox.tables.labels import check_labels
from kernel_sandbox.tables.mapping import SEALS, MappedColumns, private_mapping

# Besides the file itself, which is mapped; objects of Python take several times what they take in the file.
_DECODED_TO_FILE = 2
_ROW_BYTES = 8
# What pandas, Arrow and the standard library raise for content that is not what it claims to be.
_UNSOUND = (
    pa.ArrowException,
    OSError,
    ValueError,
    TypeError,
    LookupError,
    ArithmeticError,
    AttributeError,
    RuntimeError,
)
_TOO_MUCH = (MemoryError, RecursionError)
# pandas cannot show a moment of a zone outside the years 1 to 9999, a day left out for the zone itself.
_FIRST_SECOND, _LAST_SECOND = -62_135_510_400, 253_402_214_400
_UNITS_A_SECOND = {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}


def read_frame(descriptor: int, *, most_bytes: int, max_rows: int | None = None) -> pd.DataFrame:
    """The frame in the file, which nobody can change any more; decoded it takes at most twice `most_bytes`.

    Raises: NotRepresentable naming the check that failed, also for more than `max_rows` rows.
    """
    size = os.fstat(descriptor).st_size
    if not 0 < size <= most_bytes:
        raise NotRepresentable(f"its file has {size:,} bytes, and the limit is {most_bytes:,}")
    try:
        # From here on nobody can change what is checked; with a writable mapping left over, this is refused.
        fcntl.fcntl(descriptor, fcntl.F_ADD_SEALS, SEALS)
    except OSError as error:
        raise NotRepresentable(f"the sandbox still holds its file open for writing: {error}") from error
    try:
        return _checked_frame(descriptor, _DECODED_TO_FILE * most_bytes, max_rows)
    except NotRepresentable:
        raise
    except _TOO_MUCH as error:
        raise NotRepresentable(f"it could not be decoded: {type(error).__name__}") from error
    except _UNSOUND as error:
        raise NotRepresentable(f"it is no sound frame: {error}") from error


def _checked_frame(descriptor: int, most_decoded_bytes: int, max_rows: int | None) -> pd.DataFrame:
    mapping = private_mapping(descriptor)
    arrays, description = read_columns(pa.py_buffer(mapping))
    rows = len(arrays[0]) if arrays else _bare_rows(description, most_decoded_bytes)
    if max_rows is not None and rows > max_rows:
        raise NotRepresentable(f"it has {rows:,} rows, and at most {max_rows:,} were asked for")
    check_budget(arrays, description, most_bytes=most_decoded_bytes)
    table = pa.Table.from_arrays(arrays, names=[str(number) for number in range(len(arrays))])
    table.validate(full=True)
    _check_moments(table)
    frame = described_frame(table, description, as_numpy=MappedColumns(mapping))
    check_labels(frame)
    return frame


def _check_moments(table: pa.Table) -> None:
    import pyarrow.compute as pc

    for column in table.columns:
        if not (pa.types.is_timestamp(column.type) and column.type.tz):
            continue
        bounds, units = pc.min_max(column.cast(pa.int64())).as_py(), _UNITS_A_SECOND[column.type.unit]
        if any(not _FIRST_SECOND * units <= one < _LAST_SECOND * units for one in bounds.values() if one is not None):
            raise NotRepresentable("it holds a moment of a time zone outside the years 1 to 9999")


def _bare_rows(description: dict[str, Any], most_bytes: int) -> int:
    # Arrow counts no rows without a column; pandas does, and a check's violations without columns are violations.
    rows = description["rows"]
    if not isinstance(rows, int) or not 0 <= rows <= most_bytes // _ROW_BYTES:
        raise NotRepresentable(f"it claims {ascii(rows)[:40]} rows without a column")
    return rows
