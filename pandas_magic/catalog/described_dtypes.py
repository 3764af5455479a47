"""Frames with the dtypes that their table is described with, where some of its rows alone would have others."""

from collections.abc import Mapping

import pandas as pd

from pandas_magic.catalog.plain_types import ORDERED, dtype_named
from pandas_magic.catalog.table import EMPTY, Table

# What a schema calls columns whose dtype in pandas depends on which values are missing.
_NO_DTYPES = (EMPTY, "object", "bool")


def with_dtypes(frame: pd.DataFrame, dtypes: Mapping[str, str]) -> pd.DataFrame:
    """The frame with its wholly missing columns given the dtype that a check was compiled for.

    A column in which every value is missing carries no type of its own, and code written for texts or dates
    would stumble over it; so would code for truth values with missing ones over those that have lost their gaps.
    """
    wanted = {
        name: dtype
        for name, dtype in dtypes.items()
        if name in frame and str(frame[name].dtype) != dtype and _is_taken_on(frame[name], dtype)
    }
    return frame.astype({name: dtype_named(_nullable(dtype)) for name, dtype in wanted.items()}) if wanted else frame


def as_described(frame: pd.DataFrame, table: Table) -> pd.DataFrame:
    """The frame of a part with the dtypes that the whole has: a part without gaps would have narrower ones."""
    wanted = {
        name: dtype_named(table.columns[name])
        for name in frame.columns
        if table.columns[name] not in _NO_DTYPES and str(frame[name].dtype) != table.columns[name]
    }
    return with_dtypes(frame.astype(wanted), {name: table.columns[name] for name in frame.columns})


def _is_taken_on(column: pd.Series, dtype: str) -> bool:
    if (str(column.dtype), dtype) == ("bool", "boolean"):
        return True
    return dtype not in (EMPTY, ORDERED, "object") and bool(column.isna().all())


def _nullable(dtype: str) -> str:
    # Plain integers and booleans have no missing value.
    if dtype.startswith(("int", "uint")):
        return "float64"
    return "boolean" if dtype == "bool" else dtype
