"""The one sheet of a workbook as a frame with the values that the catalog gives it, whose own reader is not in here."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pandas as pd
from pandas.io.parsers import TextParser  # type: ignore[attr-defined]  # what pandas.read_excel types cells by

_ZERO, _PLUS = re.compile(r"\s*[+-]?0[0-9xX]"), re.compile(r"\s*\+[0-9]+\s*")
_AMOUNT = re.compile(r"\s*-|.*[.,eE]")  # beside it a plus is a sign
_WHOLE = re.compile(r"\s*[+-]?[0-9]+\s*")
_EXACT_IN_FLOAT = 2**53


class SeveralSheets(Exception):
    """More than one sheet of a workbook holds something; their names are in `sheets`."""

    def __init__(self, sheets: Sequence[str]) -> None:
        super().__init__(", ".join(sheets))
        self.sheets = tuple(sheets)


def read_workbook(path: Path, missing: Sequence[str]) -> pd.DataFrame:
    """The only sheet that holds something; its first row names the columns. Raises: SeveralSheets, ValueError."""
    with pd.ExcelFile(path, engine="openpyxl") as book:
        plain: dict[str, Any] = {"header": None, "dtype": object, "na_filter": False}
        sheets = {
            str(name): pd.read_excel(book, sheet_name=name, **plain).to_numpy().tolist() for name in book.sheet_names
        }
    filled = [name for name, rows in sheets.items() if rows]
    if len(filled) > 1:
        raise SeveralSheets(filled)
    return _table(sheets[filled[0]], missing) if filled else pd.DataFrame()


def _table(rows: list[list[Any]], missing: Sequence[str]) -> pd.DataFrame:
    frame, cells = _typed(rows, missing, None), _typed(rows, missing, object)
    for name in frame.columns:
        if not pd.api.types.is_numeric_dtype(frame[name].dtype):
            continue
        present = cells[name].dropna()
        if any(isinstance(cell, str) for cell in present) and _are_codes([str(cell) for cell in present]):
            frame[name] = cells[name].map(str, na_action="ignore")
        elif frame[name].dtype == "float64" and (frame[name].abs() >= _EXACT_IN_FLOAT).any():
            frame[name] = _exact(cells[name], frame[name])
    return frame


def _typed(rows: list[list[Any]], missing: Sequence[str], dtype: Any) -> pd.DataFrame:  # noqa: ANN401 - pandas's own
    said = {"dtype": dtype, "na_values": list(missing), "keep_default_na": False, "skip_blank_lines": False}
    frame: pd.DataFrame = TextParser([list(row) for row in rows], header=0, **said).read()
    return frame


def _are_codes(texts: list[str]) -> bool:
    """Whether numbers made of them would lose a zero or a plus in front."""
    has_plus = any(map(_PLUS.fullmatch, texts)) and not any(map(_AMOUNT.match, texts))
    return has_plus or any(map(_ZERO.match, texts))


def _exact(cells: pd.Series[Any], floats: pd.Series[Any]) -> pd.Series[Any]:
    """Whole numbers that a float rounds as Int64, or as texts where fractions stand beside them."""
    values = pd.Series(
        [int(v) if isinstance(v, str) and _WHOLE.fullmatch(v) else v for v in cells], cells.index, object
    )
    present = values.dropna()
    if not any(isinstance(value, int) and abs(value) > _EXACT_IN_FLOAT for value in present):
        return floats
    if all(isinstance(value, int) and -(2**63) <= value < 2**63 for value in present):
        return values.astype("Int64")
    return cells.map(str, na_action="ignore")
