"""Whole numbers that Python holds and a column of floats would round, where a format has values and no columns."""

from collections.abc import Callable, Iterable

import pandas as pd

from pandas_magic.catalog.arrow import EXACT_IN_FLOAT


def with_exact_numbers(
    frame: pd.DataFrame, cells: Callable[[list[str]], pd.DataFrame]
) -> tuple[pd.DataFrame, tuple[str, ...]]:
    """The frame with whole numbers that floats would round as Int64, or as texts where others stand beside them.

    `cells` gives the same columns as objects. pandas makes floats of whole numbers among which some are missing.
    """
    notes = []
    wide = [str(name) for name, column in frame.items() if column.dtype == "float64" and _reaches_beyond(column)]
    held = cells(wide) if wide else frame
    for name in wide:
        present = held[name].dropna()
        if not any(isinstance(each, int) and abs(each) > EXACT_IN_FLOAT for each in present):
            continue
        if _are_of_64_bits(present):
            frame[name] = held[name].astype("Int64")
        else:
            frame[name] = held[name].map(str, na_action="ignore")
            notes.append(f'column "{name}": numbers of more than 15 digits stay text')
    return frame, tuple(notes)


def _reaches_beyond(column: "pd.Series[float]") -> bool:
    return bool((column.abs() >= EXACT_IN_FLOAT).any())


def _are_of_64_bits(values: Iterable[object]) -> bool:
    return all(isinstance(each, int) and -(2**63) <= each < 2**63 for each in values)
