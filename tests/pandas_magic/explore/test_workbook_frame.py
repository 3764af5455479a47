"""Workbooks inside the sandbox: the same table as in the catalog, and no sheet is chosen for the reader."""

import datetime as dt
import random
from pathlib import Path

import pandas as pd
import pytest

from pandas_magic.catalog import Catalog
from pandas_magic.explore.confined.file_frame import Unreadable, read_table

CELLS: list[list[object]] = [
    ["007", "7", 8], ["+49123", 49123], ["+5", "-3"], ["0.5", 1], [1, None, 2.5], [True, False], ["a", None, "NA"],
    [dt.datetime(2026, 1, 1), None], ["1234567890123456789", None, 7], ["12345678901234567890", "0.5"], [3, "x"],
]  # fmt: skip


@pytest.mark.parametrize("number", range(20))
def test_a_sheet_is_the_table_that_the_catalog_has(tmp_path: Path, number: int) -> None:
    chance = random.Random(number)
    columns = {f"c{at}": [chance.choice(cells) for _ in range(6)] for at, cells in enumerate(chance.sample(CELLS, 4))}
    path = tmp_path / "t.xlsx"
    pd.DataFrame({"id": range(6)} | columns, dtype=object).to_excel(path, index=False)
    frame, _ = read_table(str(path), "t.xlsx")
    expected = Catalog(given={"t": path}).frame("t")
    pd.testing.assert_frame_equal(frame, expected, check_dtype=False)
    assert [type(value) for value in frame.iloc[0]] == [type(value) for value in expected.iloc[0]]


def test_a_workbook_of_several_sheets_is_refused_with_their_names(tmp_path: Path) -> None:
    with pd.ExcelWriter(tmp_path / "book.xlsx") as book:
        for sheet in ("Jan", "Feb", "Empty"):
            pd.DataFrame({"a": [1]} if sheet != "Empty" else {}).to_excel(book, sheet_name=sheet, index=False)
    with pytest.raises(Unreadable, match=r'book\.xlsx holds several tables, "Jan", "Feb"; put it into the data folder'):
        read_table(str(tmp_path / "book.xlsx"), "book.xlsx")
