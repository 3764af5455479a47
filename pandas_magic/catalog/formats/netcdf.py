"""NetCDF: the variables over the largest common set of dimensions, one row per point."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from pandas_magic.catalog.readers import LoadedRows, ReadOptions
from pandas_magic.errors import TableUnreadable

if TYPE_CHECKING:
    import netCDF4

# One row per point of the grid: more than that is an array to analyse, not a table to check.
_MOST_ROWS = 200_000_000


def read(path: Path, options: ReadOptions, part: str = "") -> LoadedRows:
    """One row per point; coordinates first, then the variables. A masked value is missing."""
    import netCDF4

    with netCDF4.Dataset(path) as data:
        shapes = {name: variable.dimensions for name, variable in data.variables.items()}
        over = max(shapes.values(), key=lambda dimensions: (len(dimensions), dimensions), default=())
        if not over:
            raise TableUnreadable(f"{path.name} has no variable with dimensions, so it holds no table")
        lengths = [len(data.dimensions[name]) for name in over]
        if int(np.prod(lengths)) > _MOST_ROWS:
            raise TableUnreadable(f"{path.name} has {np.prod(lengths):,} points; at most {_MOST_ROWS:,} become rows")
        columns = {name: _along(data, name, at, lengths) for at, name in enumerate(over)}
        kept = [name for name, dimensions in shapes.items() if dimensions == over and name not in columns]
        columns.update({name: _plain(data.variables[name]) for name in kept})
    left = [name for name in shapes if name not in columns]
    notes = (f"variables over other dimensions left out: {', '.join(left)}",) if left else ()
    return LoadedRows(pd.DataFrame(columns), (f"one row per point of {' × '.join(over)}", *notes))


def _along(data: "netCDF4.Dataset", name: str, axis: int, lengths: list[int]) -> "np.ndarray[Any, Any]":
    values = _plain(data.variables[name]) if name in data.variables else np.arange(lengths[axis])
    shape = [1] * len(lengths)
    shape[axis] = lengths[axis]
    return np.broadcast_to(np.asarray(values).reshape(shape), lengths).reshape(-1)


def _plain(variable: Any) -> "np.ndarray[Any, Any]":  # noqa: ANN401 - netCDF4 has no generic to name
    values: Any = np.ma.asarray(variable[...]).reshape(-1)
    if not np.ma.is_masked(values):
        return np.asarray(values.data)
    return np.asarray(values.astype(float).filled(np.nan))
