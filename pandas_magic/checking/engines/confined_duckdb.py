"""DuckDB over frames, as it runs inside the confined kernel; it imports nothing of ours."""

import os
import time
from collections.abc import Mapping, Sequence
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

_END = -1
# Decimals of so many digits have a float64 each.
_EXACT_DIGITS = 15
_CLOCKS_COMPARED = ("1970-01-02", "2070-01-01")
# Microseconds since 1970 that DuckDB has another meaning for, on either side of it.
_INFINITE = 2**63 - 1
# With these, DuckDB takes the statistics in a Parquet file for true: rows that break them are passed over in silence.
_BELIEVING = (
    *("statistics_propagation", "filter_pushdown", "join_filter_pushdown", "row_group_pruner", "top_n"),
    *("late_materialization", "limit_pushdown", "partial_aggregate_pushdown", "partitioned_execution"),
)


class TablesInDuckDb:
    """Frames as tables of one connection, which reaches its memory, its folder for what does not fit, and `files`.

    Nothing else outside. `spill_bytes` are at most in that folder; 0: as many as the disk has room for.
    """

    def __init__(
        self,
        position: str,
        *,
        memory_bytes: int,
        threads: int,
        spill: str,
        spill_bytes: int = 0,
        files: Sequence[str] = (),
    ) -> None:
        self._position = position
        self._held: dict[tuple[str, str], tuple[pd.DataFrame, pa.ChunkedArray]] = {}
        self._alike: dict[str, bool] = {}  # a zone -> whether its clocks are those of pandas
        config: dict[str, Any] = {"threads": threads, "memory_limit": f"{memory_bytes}B", "temp_directory": spill}
        config |= {"max_temp_directory_size": f"{spill_bytes}B"} if spill_bytes else {}
        config |= {"autoinstall_known_extensions": False, "autoload_known_extensions": False}
        self._connection = duckdb.connect(":memory:", config=config)
        self._connection.execute("SET enable_progress_bar = false")  # which it draws where it sees a notebook
        self._connection.execute("SET TimeZone = 'UTC'")
        if files:
            self._allow(files)
        self._connection.execute("SET enable_external_access = false")
        self._connection.execute("SET lock_configuration = true")

    def _allow(self, files: Sequence[str]) -> None:
        self._connection.execute("SET allowed_paths = ?", [list(files)])
        self._connection.execute("SET allowed_directories = ?", [[file + os.sep for file in files]])
        self._connection.execute("SET disabled_optimizers = ?", [",".join(self._optimizers())])

    def _optimizers(self) -> list[str]:
        """Those that are to be off, as far as this version has them."""
        known = self._connection.execute("SELECT name FROM duckdb_optimizers()").fetchall()
        return [name for (name,) in known if name in _BELIEVING]

    def found_by_each(
        self,
        questions: Sequence[tuple[str, Mapping[str, pd.DataFrame], Mapping[str, Sequence[str]]]],
        *,
        most_seconds: float | None,
    ) -> np.ndarray:
        """What the SELECTs find: for each the positions, how many rows it leaves open, and -1.

        With `most_seconds` none but the first begins later than so many seconds, and of one that raises there is only
        -1. Raises: what `found` raises, without `most_seconds`.
        """
        began, answers = time.monotonic(), [np.empty(0, dtype="int64")]
        for number, question in enumerate(questions):
            if number and most_seconds is not None and time.monotonic() - began > most_seconds:
                break
            try:
                rows, left_open = self.found(*question)
                answers += [rows, np.array([left_open])]
            except Exception:
                if most_seconds is None:
                    raise
            answers.append(np.array([_END]))
        return np.concatenate(answers).astype("int64")

    def found(
        self, select: str, frames: Mapping[str, pd.DataFrame], columns: Mapping[str, Sequence[str]]
    ) -> tuple[np.ndarray, int]:
        """The positions, ascending, that the SELECT finds in the frames, and how many rows it leaves open.

        `frames` and their columns go by the names that the SELECT has for the tables. Raises: what DuckDB raises, and
        ValueError for values that a table of DuckDB would hold otherwise.
        """
        for name, frame in frames.items():
            held = {column: self._column(name, frame, column) for column in columns[name]}
            for column in held.values():
                if getattr(column.type, "tz", None) and f"'{column.type.tz}'" in select:
                    self._refuse_other_clocks(column)
            held[self._position] = pa.array(np.arange(len(frame), dtype="int64"))
            self._connection.register(name, pa.table(held))
        seen: Mapping[str, Any] = self._connection.execute(select).fetchnumpy()
        rows, left_open = np.ma.masked_array(seen["position"]).compressed(), seen["left_open"]
        return np.sort(rows), int(np.ma.sum(left_open)) if len(left_open) else 0

    def _refuse_other_clocks(self, moments: pa.ChunkedArray) -> None:
        """Refuse moments of a zone whose clocks DuckDB, with a list of zones of its own, sets otherwise than pandas.

        Lists differ in what they know of the years before 1970, and in laws that are younger than one of them.
        """
        zone, bounds = moments.type.tz, pc.min_max(moments.cast(pa.int64())).as_py()
        if zone not in self._alike:
            days = pd.date_range(*_CLOCKS_COMPARED, freq="D", tz="UTC", unit="us")
            self._connection.register("_days", pa.table({"day": days}))
            shown = self._connection.execute("SELECT timezone(?, day) AS shown FROM _days", [zone]).fetchnumpy()
            self._connection.unregister("_days")
            self._alike[zone] = bool((days.tz_convert(zone).tz_localize(None) == shown["shown"]).all())
        first, last = (int(pd.Timestamp(day).timestamp()) * 1_000_000 for day in _CLOCKS_COMPARED)
        if bounds["min"] is not None and not (self._alike[zone] and first <= bounds["min"] and bounds["max"] <= last):
            raise ValueError(f"moments at which DuckDB's clocks of {zone} may differ from those of pandas")

    def _column(self, name: str, frame: pd.DataFrame, column: str) -> pa.ChunkedArray:
        held = self._held.get((name, column))
        if held is None or held[0] is not frame:
            self._held[name, column] = held = frame, arrow_column(frame[column])
        return held[1]


def arrow_column(values: "pd.Series") -> pa.ChunkedArray:
    """The column as DuckDB has to have it: NaN is null, narrow numbers are wide, categories texts, moments to the µs.

    Raises: ValueError, of which Arrow's errors are, where that would change a value.
    """
    found = pa.Array.from_pandas(values)
    column = pa.chunked_array(found.chunks if isinstance(found, pa.ChunkedArray) else [found], found.type)
    kind = column.type
    if pa.types.is_dictionary(kind):
        return _texts_of(column)
    if pa.types.is_null(kind):
        return column.cast(pa.string())
    if pa.types.is_integer(kind):
        return column if kind == pa.uint64() else column.cast(pa.int64())
    if pa.types.is_decimal(kind):
        if kind.precision > _EXACT_DIGITS:
            raise ValueError(f"decimals of {kind.precision} digits")
        return column.cast(pa.string()).cast(pa.float64())  # Arrow multiplies otherwise: 0.35000000000000003 of 0.35
    if pa.types.is_timestamp(kind) or pa.types.is_date(kind):
        return _finite(column.cast(pa.timestamp("us", getattr(kind, "tz", None))))
    if kind == pa.float64():
        return pc.if_else(pc.is_nan(column), pa.scalar(None, kind), column) if _has_nan(column) else column
    if not (pa.types.is_boolean(kind) or pa.types.is_string(kind) or pa.types.is_large_string(kind)):
        raise ValueError(f"values of type {kind}")
    return column


def _finite(moments: pa.ChunkedArray) -> pa.ChunkedArray:
    bounds = pc.min_max(moments.cast(pa.int64())).as_py()
    if bounds["min"] is not None and max(abs(bounds["min"]), abs(bounds["max"])) >= _INFINITE:
        raise ValueError("moments that DuckDB takes for infinite")
    return moments


def _texts_of(categories: pa.ChunkedArray) -> pa.ChunkedArray:
    kind = categories.type.value_type
    if not (pa.types.is_string(kind) or pa.types.is_large_string(kind)):
        raise ValueError(f"categories of {kind}, which rules take for texts")
    return categories.cast(kind)


def _has_nan(column: pa.ChunkedArray) -> bool:
    return bool(pc.any(pc.is_nan(column)).as_py())
