"""Numbers of more digits than a column of floats holds, which would round them to others."""

import re
from collections.abc import Callable, Hashable, Iterable
from decimal import Decimal

import pandas as pd

from pandas_magic.catalog.arrow import EXACT_IN_FLOAT

# As they are written in plain digits; 1e300 says itself how exact it is. 2**53 has 16 digits.
LONG_NUMBER = r"^\s*[+-]?[0-9]{16,}(\.[0-9]*)?\s*$"
_WHOLE = re.compile(r"\s*[+-]?[0-9]+\s*")


def with_exact_numbers(
    frame: pd.DataFrame, cells: Callable[[list[Hashable]], pd.DataFrame]
) -> tuple[pd.DataFrame, tuple[str, ...]]:
    """The frame with whole numbers that floats would round as Int64, or as texts where others stand beside them.

    `cells` gives the same columns as objects, of which texts are numbers, too. pandas makes floats of whole numbers
    among which some are missing.
    """
    notes = []
    wide = [name for name, column in frame.items() if column.dtype == "float64" and _reaches_beyond(column)]
    held = cells(wide) if wide else frame
    for name in wide:
        # Not by map, which would make floats of them again.
        values = pd.Series([_number(cell) for cell in held[name]], index=frame.index, dtype=object)
        present = values.dropna()
        if not any(_is_rounded(each) for each in present):
            continue
        if _are_of_64_bits(present):
            frame[name] = values.astype("Int64")
        else:
            frame[name] = held[name].map(str, na_action="ignore")
            notes.append(f'column "{name}": numbers of more than 15 digits stay text')
    return frame, tuple(notes)


def loses_digits(text: str) -> bool:
    """Whether a number in plain digits that is written like LONG_NUMBER is none that a float holds or is shown as."""
    nearest, written = float(text), Decimal(text.strip())
    return written != Decimal(nearest) and written != Decimal(repr(nearest))


def _number(cell: object) -> object:
    return int(cell) if isinstance(cell, str) and _WHOLE.fullmatch(cell) else cell


def _is_rounded(value: object) -> bool:
    if isinstance(value, str):
        return re.match(LONG_NUMBER, value) is not None and loses_digits(value)
    return isinstance(value, int) and abs(value) > EXACT_IN_FLOAT


def _reaches_beyond(column: "pd.Series[float]") -> bool:
    return bool((column.abs() >= EXACT_IN_FLOAT).any())


def _are_of_64_bits(values: Iterable[object]) -> bool:
    return all(isinstance(each, int) and -(2**63) <= each < 2**63 for each in values)
