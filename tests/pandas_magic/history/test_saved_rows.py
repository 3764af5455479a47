"""Rows saved for others: every value comes back, and none of them is a formula."""

from pathlib import Path

import openpyxl
import pandas as pd
import pytest

from pandas_magic.errors import UsageMistake
from pandas_magic.history.saved_rows import save_rows

ROWS = pd.DataFrame(
    {
        "id": [9007199254740993, 2],
        "note": ["=1+1", None],
        "at": pd.to_datetime(["2026-01-31T10:00Z", None]),
        "day": pd.to_datetime(["2026-01-31", "2026-02-01"]),
        "share": [0.5, float("nan")],
    },
    index=[7, 9],
)


@pytest.mark.feature("A20")
def test_excel_files_hold_values_and_no_formulas(tmp_path: Path) -> None:
    save_rows(ROWS, tmp_path / "rows.xlsx")
    sheet = openpyxl.load_workbook(tmp_path / "rows.xlsx")["rows"]
    cells = [[cell.value for cell in row] for row in sheet.iter_rows()]
    assert cells[0] == ["row", "id", "note", "at", "day", "share"]
    assert cells[1][:4] == [7, "9007199254740993", "=1+1", "2026-01-31T10:00:00+00:00"]
    assert (sheet["C2"].data_type, cells[2][2], cells[2][5]) == ("s", None, None)


@pytest.mark.feature("A20")
@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
def test_csv_and_parquet_files_hold_the_rows(tmp_path: Path, suffix: str) -> None:
    save_rows(ROWS, tmp_path / f"rows{suffix}")
    path = tmp_path / f"rows{suffix}"
    back = pd.read_csv(path, index_col=0) if suffix == ".csv" else pd.read_parquet(path)
    assert back["id"].tolist() == ROWS["id"].tolist()
    assert back.index.tolist() == [7, 9]


def test_another_suffix_is_refused_with_those_that_are_written(tmp_path: Path) -> None:
    with pytest.raises(UsageMistake, match=r"name a file that ends in \.csv, \.xlsx, \.parquet"):
        save_rows(ROWS, tmp_path / "rows.docx")
