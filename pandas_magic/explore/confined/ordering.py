"""Numbers put in order, by ways that are quicker than comparing where the values allow it."""

from __future__ import annotations

import numpy as np

from pandas_magic.explore.confined.formulas import Array

_FEWEST = 4_000  # below, comparing is as quick
_CELLS = 1 << 16  # NumPy orders 16-bit whole numbers by their digits, without a comparison
_BLOCK = 1 << 15  # values that stay in the cache while they are put in finer order
_LOOK_AT = 1024  # values that tell how the others are spread
_TAIL = 200  # of them, one in so many lies outside the cells on each side


def in_order(values: Array) -> Array:
    """The numbers or times (none missing) sorted, as `numpy.sort` gives them.

    Whole numbers that lie close together are counted. Others are put into cells of equal width in the order of the
    cells, and what is then nearly sorted is merged; where too many would share a cell, they are compared.
    """
    if len(values) < _FEWEST:
        return np.sort(values)
    if values.dtype.kind in "iu":
        low, high = int(values.min()), int(values.max())
        if high - low < len(values) // 4:
            # Narrow integers hold no difference of their own: -128 to 127 is 255.
            wide = values if values.itemsize == 8 else values.astype(np.int64)
            counts = np.bincount((wide - wide.dtype.type(low)).astype(np.int64), minlength=high - low + 1)
            return np.repeat(np.arange(low, high + 1, dtype=values.dtype), counts)
    if values.dtype.kind == "M":
        return in_order(values.view(np.int64)).view(values.dtype)
    nearly = _by_cells(values)
    if nearly is None:
        return np.sort(values)
    for start in range(0, len(values), _BLOCK) if len(values) > 2 * _BLOCK else ():
        block = slice(start, start + _BLOCK)
        finer = _by_cells(nearly[block])
        if finer is not None:
            nearly[block] = finer
    nearly.sort(kind="stable")  # merges the runs that it finds: a pass or two over what is nearly sorted
    return nearly


def _by_cells(values: Array) -> Array | None:
    """The values in the order of equally wide cells, unsorted inside each; None where many would share one."""
    seen = np.sort(values[:: max(1, len(values) // _LOOK_AT)].astype(np.float64))
    low, high = float(seen[len(seen) // _TAIL]), float(seen[-1 - len(seen) // _TAIL])
    with np.errstate(over="ignore", invalid="ignore"):
        per_cell = (_CELLS - 1) / (high - low) if high > low else 0.0
        if not 0 < per_cell < np.inf or not np.isfinite(high - low):
            return None
        cells = _cells(seen, low, per_cell)
        if 2 * np.count_nonzero(np.diff(cells)) < np.count_nonzero(np.diff(seen)):
            return None
        return values[np.argsort(_cells(values, low, per_cell), kind="stable")]


def _cells(values: Array, low: float, per_cell: float) -> Array:
    at = np.subtract(values, low, dtype=np.float64)
    at *= per_cell
    np.clip(at, 0, _CELLS - 1, out=at)
    return at.astype(np.uint16)
