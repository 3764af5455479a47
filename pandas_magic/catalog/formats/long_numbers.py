"""Columns of a delimited file whose numbers have more digits than the floats that Arrow makes of them."""

from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from pandas_magic.catalog.arrow import EXACT_IN_FLOAT
from pandas_magic.catalog.formats.as_written import texts_in_blocks
from pandas_magic.catalog.formats.exact_numbers import LONG_NUMBER, loses_digits

if TYPE_CHECKING:
    from pandas_magic.catalog.formats.delimited import DelimitedFile


def long_numbers(file: "DelimitedFile", table: pa.Table) -> list[str]:
    """Columns of floats that were whole numbers with more digits than a float holds, also beside fractions."""
    beyond = {name: _far_values(table[name]) for name in table.column_names}
    whole = {name for name, values in beyond.items() if len(values) and _are_whole(table[name])}
    others = [name for name, values in beyond.items() if len(values) and name not in whole]
    rounded = _rounded_as_written(file, others) if others else set()
    return [name for name in table.column_names if name in whole or name in rounded]


def _far_values(column: pa.ChunkedArray) -> "np.ndarray[tuple[int], np.dtype[np.float64]]":
    if not pa.types.is_floating(column.type) or column.null_count == len(column):
        return np.empty(0)
    extremes = pc.min_max(column).as_py()
    if max(abs(extremes["min"]), abs(extremes["max"])) < EXACT_IN_FLOAT:
        return np.empty(0)
    values = _finite(column)
    return values[abs(values) >= EXACT_IN_FLOAT]


def _are_whole(column: pa.ChunkedArray) -> bool:
    return bool((_finite(column) % 1 == 0).all())


def _finite(column: pa.ChunkedArray) -> "np.ndarray[tuple[int], np.dtype[np.float64]]":
    values: np.ndarray[tuple[int], np.dtype[np.float64]] = column.drop_null().to_numpy()
    return values[abs(values) < float("inf")]


def _rounded_as_written(file: "DelimitedFile", names: list[str]) -> set[str]:
    """Which of the columns hold a number in plain digits that its float is not."""
    found: set[str] = set()
    for block in texts_in_blocks(file, names):
        for name in set(names) - found:
            long = block[name].filter(pc.match_substring_regex(block[name], LONG_NUMBER)).unique()
            if any(loses_digits(each) for each in long.to_pylist()):
                found.add(name)
    return found
