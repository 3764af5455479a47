"""Whole numbers that a rule reckons with beyond what their dtype holds: pandas wraps around there in silence.

The least and the greatest value of each column bound every result, so no row is wrong and unnoticed; a rule may be
refused though no single row gets there. Keys beyond 2**53 that pandas would match as floats are found here as well.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from pandas_magic.catalog.arrow import EXACT_IN_FLOAT
from pandas_magic.constraints.algebra.conditions import Compare, Exists
from pandas_magic.constraints.algebra.expressions import (
    Absolute,
    Aggregate,
    Arithmetic,
    Column,
    Expression,
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

    @property
    def is_wide(self) -> bool:
        return max(-self.low, self.high) > EXACT_IN_FLOAT

    def fits(self) -> bool:
        if self.dtype is not None and self.dtype.kind == "f":  # what signed and unsigned ones become together
            return not self.is_wide
        limits = None if self.dtype is None else np.iinfo(self.dtype)
        return limits is None or (limits.min <= self.low and self.high <= limits.max)


def overflow_of(constraint: Constraint | None, frames: Frames, code: str) -> str:
    """Which result of the rule may leave the range of its dtype in these tables, and what to do; "" when none can.

    So for keys that the code would match as floats, which hold no whole number beyond 2**53 exactly.
    """
    if constraint is None or isinstance(constraint, ColumnsRule):
        return ""
    for part in (getattr(constraint, "where", None), constraint.must):
        for node, table in placed_nodes(part, constraint.table) if part is not None else ():
            if name := next(_rounded_keys(node, table, frames, code), ""):
                return (
                    f"{name} holds whole numbers beyond 2**53, and the code would match them rounded; compile the "
                    "check anew, or give the columns on both sides as int64 or Int64"
                )
            if isinstance(node, Compare) and (wide := _compared_rounded(node, table, frames)):
                return (
                    f"{wide} holds whole numbers beyond 2**53, which pandas rounds to compare them with fractions; "
                    "give both columns as int64 or Int64"
                )
            if isinstance(node, Arithmetic | Absolute) or (isinstance(node, _Reaching) and node.statistic == "sum"):
                found = _bounds(node, table, frames)
                if found is not None and not found.fits():
                    furthest = max(abs(found.low), abs(found.high))
                    return (
                        f"{expression_words(node)} may reach {furthest:.2g}, beyond what {found.dtype} holds, "
                        "where pandas wraps around in silence; give the column as float64 or as decimals"
                    )
    return ""


def _compared_rounded(node: Compare, table: str, frames: Frames) -> str:
    """The side of whole numbers, some of which pandas would round beside a column of fractions; "" when none is."""
    for side, other in ((node.left, node.right), (node.right, node.left)):
        is_fraction = isinstance(other, Column) and pd.api.types.is_float_dtype(frames[table][other.name].dtype)
        whole = _bounds(side, table, frames) if is_fraction else None
        if whole is not None and whole.dtype is not None and whole.is_wide:
            return expression_words(side)
    return ""


def _rounded_keys(node: Record, table: str, frames: Frames, code: str) -> Iterator[str]:
    """The keys of another table that are matched as floats, though one of both sides has numbers beyond 2**53."""
    pairs: list[tuple[Expression, str, str]] = []
    if isinstance(node, Exists):
        pairs = [(of, node.table, key) for of, key in zip(node.of, node.keys, strict=True)]
    elif isinstance(node, Lookup | Rollup):
        columns = (Column(name=name) for name in node.join.columns)
        pairs = [(of, node.join.table, key) for of, key in zip(columns, node.join.keys, strict=True)]
    for of, there, key in pairs:
        mine, theirs = frames[table][of.name] if isinstance(of, Column) else None, frames[there][key]
        sides = [side for side in (mine, theirs) if side is not None and pd.api.types.is_numeric_dtype(side.dtype)]
        wide = any(
            (found := _bounds_of_column(side)) and max(-found.low, found.high) > EXACT_IN_FLOAT for side in sides
        )
        if isinstance(node, Exists) and len(pairs) == 1:  # what a column is compared with is rounded for its gaps
            gaps = pd.api.types.is_integer_dtype(theirs.dtype) and theirs.hasnans
            rounded = gaps and f'.isin({there}["{key}"])' in code
        else:
            rounded = not _are_alike(sides)
        if wide and rounded:
            yield f"{there}.{key}"


def _are_alike(columns: list[pd.Series]) -> bool:
    """Whether all are signed, all unsigned or all fractions, so that none is turned into floats for the others."""
    return len({str(column.dtype).lower().removesuffix("[pyarrow]").rstrip("0123456789") for column in columns}) == 1


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
    if column.dtype == object:  # the code reads numbers of them in the same way
        column = pd.to_numeric(column.dropna(), errors="coerce")
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
