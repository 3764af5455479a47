"""Workbooks as people fill them in: names that stand twice, sheets that begin further down, texts that are numbers."""

from collections.abc import Sequence
from pathlib import Path

import pandas as pd
import pytest

import pandas_magic
from pandas_magic.catalog.catalog import Catalog
from pandas_magic.errors import TableUnreadable

Cells = Sequence[Sequence[object]]


def write_book(path: Path, **sheets: Cells) -> Path:
    with pd.ExcelWriter(path) as book:
        for name, rows in sheets.items():
            pd.DataFrame(rows, dtype=object).to_excel(book, sheet_name=name, index=False, header=False)
    return path


@pytest.mark.parametrize(
    ("rows", "twice"),
    [
        ([["id", "amount", "amount"], [1, 5, -5], [2, 6, 5]], "amount"),
        ([["id", "amount", None, "id", "amount"], [1, 5, None, 1, -5]], "id"),
        ([["id", 2026, 2026], [1, 5, -5]], "2026"),
        ([["id", "NA", "NA"], [1, 5, -5]], "NA"),
        ([["amount", "amount.1", "amount"], [1, 5, -5]], "amount"),
        ([[None, None], ["id", "amount"], [1, 5]], ""),
    ],
)
def test_a_sheet_with_a_column_name_twice_is_refused(tmp_path: Path, rows: Cells, twice: str) -> None:
    path = write_book(tmp_path / "t.xlsx", people=rows)
    if not twice:
        assert Catalog(given={"t": path}).schema("t").row_count == 2
        return
    with pytest.raises(TableUnreadable, match=rf't\.xlsx has more than one column named "{twice}"; rename all but one'):
        Catalog(given={"t": path}).schema("t")


def test_a_real_name_with_a_number_at_its_end_stays_readable(tmp_path: Path) -> None:
    rows: Cells = [["amount", "amount.1", "", "Unnamed: 9"], [5, -5, 1, 2], [6, 7, 1, 2]]
    run = pandas_magic.check("amount.1 must be positive", tables={"t": write_book(tmp_path / "t.xlsx", t=rows)})
    assert (run.verdict, run.violation_count) == ("FAIL", 1)


def test_an_old_workbook_is_held_to_the_same_names(tmp_path: Path) -> None:
    content = (Path(__file__).parent / "people.xls").read_bytes()
    cell = b"\xfd\x00\x0a\x00\x00\x00%c\x00"  # LABELSST: a text in row 0 of that column, by its number behind 2 bytes
    name, amount = (content.index(cell % column) + len(cell) + 1 for column in (1, 2))
    (tmp_path / "t.xls").write_bytes(content[:amount] + content[name : name + 4] + content[amount + 4 :])
    with pytest.raises(TableUnreadable, match=r't\.xls has more than one column named "name"'):
        Catalog(tmp_path).schema("t")


def test_a_sheet_that_begins_further_down_is_a_table(tmp_path: Path) -> None:
    below: Cells = [[None, None], [None, None], ["id", "amount"], [1, -5]]
    write_book(tmp_path / "book.xlsx", Jan=[["id", "amount"], [1, 5]], Feb=below, Empty=[])
    assert Catalog(tmp_path).names() == ["book_Feb", "book_Jan"]


_LONG = 1234567890123456789


@pytest.mark.parametrize(
    ("cells", "held", "dtype"),
    [
        ([str(_LONG), str(_LONG - 1), None], [_LONG, _LONG - 1, pd.NA], "Int64"),
        ([str(_LONG), 7, None], [_LONG, 7, pd.NA], "Int64"),
        ([f"{_LONG}0", f"{_LONG}1", None], [f"{_LONG}0", f"{_LONG}1"], "str"),  # which pandas has as texts itself
        ([str(_LONG), str(_LONG - 1), "0.5"], [str(_LONG), str(_LONG - 1), "0.5"], "str"),
        (["12345678901234567.25", "12345678901234567.5", None], ["12345678901234567.25", "12345678901234567.5"], "str"),
        (["1e300", "2", None], [1e300, 2.0], "float64"),
        (["1.5", "0.1", None], [1.5, 0.1], "float64"),
    ],
)
def test_texts_of_digits_beyond_a_float_stay_exact_beside_a_gap(
    tmp_path: Path, cells: list[object], held: list[object], dtype: str
) -> None:
    rows: Cells = [["n", "x", 2026], *([at, cell, 1] for at, cell in enumerate(cells))]
    catalog = Catalog(given={"t": write_book(tmp_path / "t.xlsx", t=rows)})
    assert catalog.frame("t")["x"].to_list()[: len(held)] == held
    assert catalog.schema("t").columns["x"] == dtype
    kept = dtype == "str" and "." in "".join(map(str, cells))
    assert catalog.schema("t").notes == (('column "x": numbers of more than 15 digits stay text',) if kept else ())


def test_long_numbers_below_a_year_or_no_name_stay_exact(tmp_path: Path) -> None:
    path = write_book(tmp_path / "t.xlsx", t=[["n", 2026], [1, str(_LONG)], [2, None], [3, str(_LONG - 1)]])
    assert Catalog(given={"t": path}).frame("t")["2026"].to_list() == [_LONG, pd.NA, _LONG - 1]
    (tmp_path / "data").mkdir()
    write_book(tmp_path / "data" / "u.xlsx", t=[[1, str(_LONG)], [2, None], [3, str(_LONG - 1)]])
    (tmp_path / "data" / "tables.toml").write_text("[u]\nheader = false\n")
    assert Catalog(tmp_path / "data").frame("u")["column_2"].to_list() == [_LONG, pd.NA, _LONG - 1]


def test_different_long_numbers_of_a_workbook_are_unique(tmp_path: Path) -> None:
    rows: Cells = [["n", "x"], [1, str(_LONG)], [2, str(_LONG - 1)], [3, None]]
    run = pandas_magic.check("x must be unique", tables={"t": write_book(tmp_path / "t.xlsx", t=rows)})
    assert run.verdict == "PASS"


@pytest.mark.parametrize("codes", [["005.13", "5.13"], ["007", "7"], [" 05.10", "5.1"], ["01e5", "1e5"]])
def test_codes_with_leading_zeros_stay_text(tmp_path: Path, codes: list[str]) -> None:
    path = write_book(tmp_path / "t.xlsx", t=[["code", "x"], *([code, 0.5] for code in codes)])
    run = pandas_magic.check("code must be unique", tables={"t": path})
    assert run.verdict == "PASS"
    assert Catalog(given={"t": path}).schema("t").notes == ('column "code": codes with leading zeros stay text',)


def test_amounts_of_a_workbook_that_are_texts_stay_numbers(tmp_path: Path) -> None:
    path = write_book(tmp_path / "t.xlsx", t=[["x"], ["0.50"], ["1.10"], ["-0.5"], ["0"]])
    assert Catalog(given={"t": path}).frame("t")["x"].to_list() == [0.5, 1.1, -0.5, 0.0]


def test_codes_of_an_old_workbook_stay_text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    content = (Path(__file__).parent / "people.xls").read_bytes()
    assert content.count(b"Ann") == 1
    (tmp_path / "t.xls").write_bytes(content.replace(b"Ann", b"007").replace("Bé".encode("latin-1"), b"07"))
    assert Catalog(tmp_path).frame("t")["name"].to_list()[:2] == ["007", "07"]


def test_words_that_are_read_as_missing_are_told_of_a_sheet(tmp_path: Path) -> None:
    rows: Cells = [["name", "x"], ["Ann", 1], ["null", "NA"], ["N/A", 3], [None, 4]]
    path = write_book(tmp_path / "t.xlsx", t=rows)
    note = 'column "name": "N/A", "null" are read as missing; say missing = [""] where it is a text'
    catalog = Catalog(given={"t": path})
    assert (catalog.schema("t").notes, catalog.schema("t").missing) == ((note,), {"name": 3, "x": 1})
    assert pandas_magic.check("name must be present", tables={"t": path}).notes == (f"t, {note}",)


def test_the_words_for_missing_that_are_said_hold_for_a_sheet(tmp_path: Path) -> None:
    rows: Cells = [["name", "x"], ["Ann", 1], ["null", 2], ["-", 3], [None, 4]]
    write_book(tmp_path / "t.xlsx", t=rows)
    (tmp_path / "tables.toml").write_text('[t]\nmissing = ["", "-"]\n')
    assert Catalog(tmp_path).frame("t")["name"].fillna("").to_list() == ["Ann", "null", "", ""]


@pytest.mark.parametrize(("others", "missing"), [(("DE", "FR"), 1), (("DE", "de"), 2)])
def test_na_among_codes_of_a_sheet_is_one(tmp_path: Path, others: tuple[str, str], missing: int) -> None:
    rows: Cells = [["land", "x"], [others[0], 1], ["NA", 2], [others[1], 3], [None, 4]]
    table = Catalog(given={"t": write_book(tmp_path / "t.xlsx", t=rows)}).schema("t")
    assert table.missing == {"land": missing}
    assert ('"NA" is a code' if missing == 1 else '"NA" is read as missing') in table.notes[0]


def test_empty_cells_of_a_sheet_of_one_column_are_rows(tmp_path: Path) -> None:
    path = write_book(tmp_path / "t.xlsx", t=[["name"], ["Ann"], [None], ["Bob"], [""], ["Cy"]])
    assert Catalog(given={"t": path}).schema("t").missing == {"name": 2}


def test_a_sheet_is_read_from_its_file_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write_book(tmp_path / "t.xlsx", t=[["code", "x"], ["007", "5"], [str(_LONG), None]])
    reads: list[object] = []
    whole = pd.read_excel
    monkeypatch.setattr(pd, "read_excel", lambda *given, **said: reads.append(given) or whole(*given, **said))
    assert Catalog(given={"t": path}).schema("t").row_count == 2
    assert len(reads) == 1
