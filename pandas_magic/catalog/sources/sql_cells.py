"""Rows as a database driver gives them, as Arrow columns."""

import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import tzinfo
from decimal import Decimal
from typing import Any

import numpy as np
import pyarrow as pa


def arrow_table(
    names: Sequence[str], rows: Sequence[Sequence[Any]], declared: Mapping[str, pa.DataType] | None = None
) -> pa.Table:
    """The rows as columns: of the types declared, else of those that their values have, else as texts."""
    columns = list(zip(*rows, strict=True)) if rows else [()] * len(names)
    types = declared or {}
    return pa.table([_array(values, types.get(name)) for name, values in zip(names, columns, strict=True)], list(names))


def _array(values: Sequence[Any], declared: pa.DataType | None) -> pa.Array:
    # Of a plain sequence pyarrow drops the offsets of moments where PYARROW_IGNORE_TIMEZONE is set, as pandera does.
    cells = np.fromiter(values, dtype=object, count=len(values))
    if declared is not None:
        with suppress(pa.ArrowException, TypeError, ValueError):  # NaN, which decimals of Arrow do not have
            return pa.array(cells, declared, from_pandas=False)
    try:
        found = pa.array(cells, from_pandas=False)
    except (pa.ArrowException, TypeError, ValueError):
        return pa.array([_as_text(value) for value in values])
    is_text = found.type == pa.uuid() or (pa.types.is_timestamp(found.type) and len(_zones(values)) > 1)
    return pa.array([_as_text(value) for value in values]) if is_text else found


def _zones(moments: Sequence[Any]) -> set[tzinfo | None]:
    """The zones of the moments. Arrow shows all of them in that of the first: on other days, at other hours."""
    return {each.tzinfo for each in moments if each is not None}


def _as_text(value: Any) -> str | float | None:  # noqa: ANN401 - whatever a driver gives for a cell
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, Decimal):  # NaN, which decimals of Arrow do not have
        return float(value)
    return json.dumps(value, default=str) if isinstance(value, (dict, list)) else str(value)
