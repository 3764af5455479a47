"""Rows for people who work elsewhere: a CSV, Excel or Parquet file, values as they are and never as formulas."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pandas as pd

from pandas_magic.catalog.outputs import write_output
from pandas_magic.errors import UsageMistake

# Excel's own limit of a sheet, one of them for the header.
_EXCEL_ROWS = 1_048_575
# Integers beyond 2**53 lose digits in Excel, whose numbers are all floats.
_EXACT_IN_EXCEL = 2**53


def save_rows(frame: pd.DataFrame, path: Path, *, index: bool = True) -> None:
    """Write the rows in the format of the suffix: .csv, .xlsx or .parquet; the first column is their `index`.

    In Excel, texts that begin like a formula stay texts, long integers and times with a zone become texts.

    Raises: UsageMistake for another suffix, more rows than a sheet holds, or a missing package.
    """
    writers: dict[str, Callable[[Path], object]] = {
        ".csv": lambda beside: frame.to_csv(beside, index=index),
        ".xlsx": lambda beside: _write_excel(frame, beside, index=index),
        ".parquet": lambda beside: frame.to_parquet(beside, index=None if index else False),
    }
    write = writers.get(path.suffix.lower())
    if write is None:
        raise UsageMistake(f"{path} has no format that is written; name a file that ends in {', '.join(writers)}")
    write_output(path, write)


def _write_excel(frame: pd.DataFrame, path: Path, *, index: bool) -> None:
    try:
        from openpyxl import Workbook
        from openpyxl.cell import WriteOnlyCell
    except ImportError as error:
        raise UsageMistake(
            "an Excel file needs a package that is missing: pip install 'pandas-magic[excel]'"
        ) from error
    if len(frame) > _EXCEL_ROWS:
        raise UsageMistake(f"{len(frame):,} rows are more than an Excel sheet holds; save them as .csv or .parquet")
    book = Workbook(write_only=True)
    sheet = book.create_sheet("rows")
    for row in _excel_rows(frame, index=index):
        cells = []
        for value in row:
            cell = WriteOnlyCell(sheet, value=value)
            if isinstance(value, str):
                cell.data_type = "s"  # else "=1+1" would be computed when somebody opens the file
            cells.append(cell)
        sheet.append(cells)
    book.save(path)


def _excel_rows(frame: pd.DataFrame, *, index: bool) -> Iterator[list[Any]]:
    yield [*([str(frame.index.name or "row")] if index else []), *map(str, frame.columns)]
    for row in frame.itertuples(name=None, index=index):
        yield [_excel_value(value) for value in row]


def _excel_value(value: Any) -> Any:  # noqa: ANN401 - a cell of any type
    if isinstance(value, (list, dict, tuple)):
        return str(value)
    if pd.isna(value):
        return None
    if isinstance(value, pd.Timestamp):
        return value.isoformat() if value.tzinfo else value.to_pydatetime()
    if isinstance(value, (bool, str, float)):
        return value
    number = value.item() if hasattr(value, "item") else value
    is_exact = isinstance(number, (bool, float)) or (isinstance(number, int) and abs(number) <= _EXACT_IN_EXCEL)
    return number if is_exact else str(value)
