"""HDF5: each dataset of records, or of one or two dimensions, is a table. Pickled frames are refused."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pandas as pd

from pandas_magic.catalog.arrow import refuse_duplicate_names
from pandas_magic.catalog.readers import LoadedRows, ReadOptions
from pandas_magic.errors import TableUnreadable

if TYPE_CHECKING:
    import h5py
    import numpy as np


def parts(path: Path) -> list[str]:
    """The paths of the datasets that are tables."""
    import h5py

    with h5py.File(path, "r") as file:
        names: list[str] = []
        file.visititems(lambda name, node: names.append(name) if _is_table(node) else None)
        return names


def read(path: Path, options: ReadOptions, part: str = "") -> LoadedRows:
    """One dataset; without a name, the only one. What pandas itself wrote as a table is read as pandas does.

    Raises: TableUnreadable when it is pickled inside, since unpickling runs code.
    """
    import h5py

    with h5py.File(path, "r") as file:
        names = [part] if part else parts(path)
        if not names:
            raise TableUnreadable(f"{path.name} holds no dataset with rows and columns")
        node = file[names[0]]
        if node.dtype.hasobject and not h5py.check_string_dtype(node.dtype):
            raise TableUnreadable(f"{path.name} holds pickled objects, which are not opened; write it as Parquet")
        return LoadedRows(_frame(node, names[0].rpartition("/")[2]))


def _is_table(node: Any) -> bool:  # noqa: ANN401 - h5py has no types
    import h5py

    # Names that begin with "_i_" hold the indexes of PyTables, which are not data.
    hidden = any(step.startswith("_i_") for step in node.name.split("/"))
    return isinstance(node, h5py.Dataset) and node.ndim in (1, 2) and not hidden


def _frame(node: "h5py.Dataset", name: str) -> pd.DataFrame:
    values = node[()]
    if values.dtype.names:
        columns = [column for field in values.dtype.names for column in _columns(field, values[field])]
        refuse_duplicate_names([name for name, _ in columns], Path(node.file.filename).name)
        frame = pd.DataFrame(dict(columns))
    elif values.ndim == 1:
        frame = pd.DataFrame({name: values})
    else:
        frame = pd.DataFrame(values, columns=[f"{name}_{at}" for at in range(values.shape[1])])
    return frame.apply(_as_text)


def _columns(field: str, values: "np.ndarray[Any, Any]") -> "list[tuple[str, np.ndarray[Any, Any]]]":
    """A field as a column of its name; one of several values in each row as a column for each of them."""
    if values.ndim == 1:
        return [(field, values)]
    return [(f"{field}_{at}", values[:, at]) for at in range(values.shape[1])]


def _as_text(column: pd.Series) -> pd.Series:
    if pd.api.types.infer_dtype(column) != "bytes":
        return column
    return column.map(lambda value: value.decode("utf-8", "replace"))
