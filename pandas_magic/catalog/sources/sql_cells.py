"""Rows as a database driver gives them, as Arrow columns."""

import json
from collections.abc import Sequence
from decimal import Decimal
from typing import Any

import pyarrow as pa


def arrow_table(names: Sequence[str], rows: Sequence[Sequence[Any]]) -> pa.Table:
    """The rows as columns: by the types that their values have, or as texts where these have no Arrow form."""
    columns = list(zip(*rows, strict=True)) if rows else [()] * len(names)
    return pa.table([_array(values) for values in columns], names=list(names))


def _array(values: Sequence[Any]) -> pa.Array:
    try:
        return pa.array(values, from_pandas=False)
    except (pa.ArrowException, TypeError, ValueError):
        return pa.array([_as_text(value) for value in values])


def _as_text(value: Any) -> str | float | None:  # noqa: ANN401 - whatever a driver gives for a cell
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, Decimal):  # NaN, which decimals of Arrow do not have
        return float(value)
    return json.dumps(value, default=str) if isinstance(value, (dict, list)) else str(value)
