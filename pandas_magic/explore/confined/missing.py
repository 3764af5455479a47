"""What is missing, what is missing together, and whether a gap says something about the target."""

from __future__ import annotations

from typing import Any

import numpy as np

from pandas_magic.explore.confined.formulas import Array, cramers_v, crosstab, pearson
from pandas_magic.explore.confined.target import Target
from pandas_magic.explore.confined.typed_column import TypedColumn
from pandas_magic.explore.confined.univariate import percent

_PATTERNS = 10
_TOGETHER = 0.3  # weaker correlations of gaps are not worth a line
_MOST_COLUMNS = 60
_FEWEST_GAPS = 5
_MATRIX_ROWS = 250
_BLOCK_ROWS = 1 << 15


def missingness(columns: list[TypedColumn], target: Target | None) -> dict[str, Any]:
    """Rows with any gap, the commonest patterns, gaps that come together (phi), and their relation to the target."""
    gappy = sorted((column for column in columns if column.missing), key=lambda column: (-column.missing, column.name))
    rows = columns[0].rows if columns else 0
    gappy = gappy[:_MOST_COLUMNS]
    if not gappy:
        return {"rows_with_gaps": 0, "patterns": [], "together": [], "to_target": [], "matrix": [], "columns": []}
    masks = [_mask(column) for column in gappy]
    any_gap = np.logical_or.reduce(masks)
    return {
        "rows_with_gaps": int(np.count_nonzero(any_gap)),
        "patterns": _patterns(gappy, masks, rows),
        "together": _together(gappy, masks),
        "to_target": _relations(gappy, masks, target) if target is not None else [],
        "matrix": _matrix(masks, rows),
        "columns": [column.name for column in gappy],
    }


def _mask(column: TypedColumn) -> Array:
    assert column.gaps is not None
    return column.gaps


def _patterns(columns: list[TypedColumn], masks: list[Array], rows: int) -> list[dict[str, Any]]:
    # At most 60 columns: each pattern is one number, of as few bits as do.
    kind = np.dtype(np.int16 if len(masks) < 16 else np.int64)
    bits = np.zeros(rows, dtype=kind)
    for position, mask in enumerate(masks):
        bits |= mask.astype(kind) << kind.type(position)
    if kind.itemsize == 2:
        every = np.bincount(bits)
        patterns: Array = np.flatnonzero(every)
        counts: Array = every[patterns]
    else:
        patterns, counts = np.unique(bits, return_counts=True)
    order = np.lexsort((patterns, -counts))[:_PATTERNS]
    return [
        {
            "missing": [column.name for at, column in enumerate(columns) if int(patterns[number]) >> at & 1],
            "rows": int(counts[number]),
            "pct": percent(int(counts[number]), rows),
        }
        for number in order
    ]


def _together(columns: list[TypedColumn], masks: list[Array]) -> list[dict[str, Any]]:
    values = phis(masks)
    with np.errstate(invalid="ignore"):
        worth = np.argwhere(np.triu(np.abs(values) >= _TOGETHER, 1)).tolist()
    pairs: list[dict[str, Any]] = [
        {"f1": columns[i].name, "f2": columns[j].name, "phi": float(values[i, j])} for i, j in worth
    ]
    return sorted(pairs, key=lambda pair: (-abs(pair["phi"]), pair["f1"], pair["f2"]))[:50]


def phis(masks: list[Array]) -> Array:
    """Pearson's correlation of every two masks, from their counts; NaN where one never changes.

    Source: Yule (1912), the coefficient of mean square contingency of a 2 × 2 table.
    """
    size = len(masks[0])
    both = np.zeros((len(masks), len(masks)))
    for start in range(0, size, _BLOCK_ROWS):
        block = np.array([mask[start : start + _BLOCK_ROWS] for mask in masks], dtype=np.float32)
        both += block @ block.T  # whole numbers up to 2**24 are exact
    alone = np.diag(both)
    spread = alone * (size - alone)
    with np.errstate(invalid="ignore", divide="ignore"):
        values = (size * both - np.outer(alone, alone)) / np.sqrt(np.outer(spread, spread))
    result: Array = np.clip(values, -1, 1)
    return result


def _relations(columns: list[TypedColumn], masks: list[Array], target: Target) -> list[dict[str, Any]]:
    found = []
    for column, mask in zip(columns, masks, strict=True):
        relation = _relation(mask, target) if column.name != target.name else None
        if relation is not None and column.missing >= _FEWEST_GAPS and column.present >= _FEWEST_GAPS:
            found.append({"column": column.name, **relation})
    return sorted(found, key=lambda entry: (-abs(entry["value"]), entry["column"]))


def _relation(mask: Array, target: Target) -> dict[str, Any] | None:
    if target.task_type == "regression" and target.numbers is not None:
        known = ~np.isnan(target.numbers)
        value = pearson(mask[known].astype(np.float64), target.numbers[known])
        return None if value is None else {"measure": "pearson", "value": value}
    if target.codes is None or target.task_type != "classification":
        return None
    value = cramers_v(crosstab(mask.astype(np.int64), target.codes, 2, len(target.labels)))
    if value is None:
        return None
    entry: dict[str, Any] = {"measure": "cramers_v", "value": value}
    if target.mapping is not None and len(target.mapping) == 2:
        positive = next(label for label, number in target.mapping.items() if number == 1)
        is_positive = target.codes == target.labels.index(positive)
        known = target.codes >= 0
        entry["positive"] = positive
        for name, rows in (("pct_positive_if_missing", mask & known), ("pct_positive_if_present", ~mask & known)):
            entry[name] = percent(int((is_positive & rows).sum()), int(rows.sum()))
    return entry


def _matrix(masks: list[Array], rows: int) -> list[str]:
    """Evenly spaced rows as texts of 0 and 1, one sign per column: what the missingness picture shows."""
    picked = np.unique(np.linspace(0, rows - 1, min(rows, _MATRIX_ROWS)).astype(np.int64))
    return ["".join("1" if mask[row] else "0" for mask in masks) for row in picked]
