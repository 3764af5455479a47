"""Whole numbers that a rule adds or multiplies beyond what their dtype holds: pandas wraps around there in silence.

The least and the greatest value of each column bound every result, so no row is wrong and unnoticed; a rule may be
refused though no single row gets there.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from pandas_magic.constraints.algebra.expressions import (
    Absolute,
    Aggregate,
    Arithmetic,
    Column,
    Group,
    Lookup,
    Previous,
    Rollup,
    Value,
)
from pandas_magic.constraints.algebra.rules import ColumnsRule, Constraint
from pandas_magic.constraints.algebra.tree import placed_nodes
from pandas_magic.constraints.algebra.words import expression_words
from pandas_magic.record import Record

Frames = Mapping[str, pd.DataFrame]
_Reaching = Rollup | Group | Aggregate


@dataclass(frozen=True)
class _Whole:
    """Whole numbers from `low` to `high` in a dtype of numpy's; without one, a plain number of the rule."""

    low: int
    high: int
    dtype: np.dtype[Any] | None

    def fits(self) -> bool:
        limits = None if self.dtype is None else np.iinfo(self.dtype)
        return limits is None or (limits.min <= self.low and self.high <= limits.max)


def overflow_of(constraint: Constraint | None, frames: Frames) -> str:
    """Which result of the rule may leave the range of its dtype in these tables, and what to do; "" when none can."""
    if constraint is None or isinstance(constraint, ColumnsRule):
        return ""
    for part in (getattr(constraint, "where", None), constraint.must):
        for node, table in placed_nodes(part, constraint.table) if part is not None else ():
            if isinstance(node, Arithmetic) or (isinstance(node, _Reaching) and node.statistic == "sum"):
                found = _bounds(node, table, frames)
                if found is not None and not found.fits():
                    furthest = max(abs(found.low), abs(found.high))
                    return (
                        f"{expression_words(node)} may reach {furthest:.2g}, beyond what {found.dtype} holds, "
                        "where pandas wraps around in silence; give the column as float64 or as decimals"
                    )
    return ""


def _bounds(node: Record, table: str, frames: Frames) -> _Whole | None:
    """What the expression lies between in the rows of the table; None when it is no whole number of numpy's."""
    match node:
        case Column(name=name):
            return _bounds_of_column(frames[table][name])
        case Value(value=int(value)) if not isinstance(value, bool):
            return _Whole(value, value, None)
        case Absolute(of=of):
            inner = _bounds(of, table, frames)
            return inner and _Whole(0, max(abs(inner.low), abs(inner.high)), inner.dtype)
        case Arithmetic(sign="/"):
            return None
        case Arithmetic(sign=sign, left=left, right=right):
            return _bounds_of_result(sign, _bounds(left, table, frames), _bounds(right, table, frames))
        case Previous(of=of):
            return _bounds(of, table, frames)
        case Lookup(join=join, of=of):
            return _bounds(of, join.table, frames)
        case Rollup() | Group() | Aggregate():
            return _bounds_of_statistic(node, _table_of(node, table), frames)
    return None


def _bounds_of_column(column: pd.Series) -> _Whole | None:
    if not pd.api.types.is_integer_dtype(column.dtype):
        return None
    values = column.dropna()
    dtype = np.dtype(str(column.dtype).lower().removesuffix("[pyarrow]"))
    return _Whole(int(values.min()), int(values.max()), dtype) if len(values) else _Whole(0, 0, dtype)


def _bounds_of_result(sign: str, left: _Whole | None, right: _Whole | None) -> _Whole | None:
    if left is None or right is None:
        return None
    dtypes = [each.dtype for each in (left, right) if each.dtype is not None]
    dtype = np.result_type(*dtypes) if dtypes else None
    if dtype is not None and not np.issubdtype(dtype, np.integer):
        return None
    if sign == "+":
        return _Whole(left.low + right.low, left.high + right.high, dtype)
    if sign == "-":
        return _Whole(left.low - right.high, left.high - right.low, dtype)
    products = [one * other for one in (left.low, left.high) for other in (right.low, right.high)]
    return _Whole(min(products), max(products), dtype)


def _bounds_of_statistic(node: _Reaching, table: str, frames: Frames) -> _Whole | None:
    inner = None if node.of is None else _bounds(node.of, table, frames)
    if inner is None or inner.dtype is None or node.statistic not in ("sum", "min", "max"):
        return None
    if node.statistic != "sum":
        return inner
    rows = len(frames[table])
    low, high = min(0, inner.low) * rows, max(0, inner.high) * rows
    if isinstance(node.of, Column) and (low, high) != (0, 0):
        # Closer: what the column's values come to. A float adds to within one part in 10**9.
        values = frames[table][node.of.name].dropna().to_numpy(dtype="float64")
        low = max(low, int(values[values < 0].sum() * (1 + 1e-9)) - 1)
        high = min(high, int(values[values > 0].sum() * (1 + 1e-9)) + 1)
    return _Whole(low, high, np.dtype("uint64" if inner.dtype.kind == "u" else "int64"))


def _table_of(node: _Reaching, table: str) -> str:
    return node.join.table if isinstance(node, Rollup) else node.table if isinstance(node, Aggregate) else table
