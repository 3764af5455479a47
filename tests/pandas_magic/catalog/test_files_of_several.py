"""Files that hold several tables, given as one: which is meant has to be said."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from zipfile import ZipFile

import pandas as pd
import pytest

import pandas_magic
from pandas_magic.catalog.catalog import Catalog
from pandas_magic.errors import TableUnreadable

GOOD, BAD = pd.DataFrame({"id": [1], "amount": [5]}), pd.DataFrame({"id": [1], "amount": [-5]})


def write_book(path: Path) -> None:
    with pd.ExcelWriter(path) as book:
        GOOD.to_excel(book, sheet_name="Jan", index=False)
        BAD.to_excel(book, sheet_name="Feb", index=False)


def write_sqlite(path: Path) -> None:
    with closing(sqlite3.connect(path)) as database:
        GOOD.to_sql("a_old", database, index=False)
        BAD.to_sql("orders", database, index=False)


def write_duckdb(path: Path) -> None:
    import duckdb

    with duckdb.connect(str(path)) as database:
        database.execute("CREATE TABLE a_old AS SELECT 5 AS amount; CREATE TABLE orders AS SELECT -5 AS amount")


def write_zip(path: Path) -> None:
    with ZipFile(path, "w") as archive:
        archive.writestr("a.csv", GOOD.to_csv(index=False))
        archive.writestr("b.csv", BAD.to_csv(index=False))


def write_book_in_zip(path: Path) -> None:
    book = path.with_name("book.xlsx")
    write_book(book)
    with ZipFile(path, "w") as archive:
        archive.write(book, "book.xlsx")


def write_hdf5(path: Path) -> None:
    import h5py

    with h5py.File(path, "w") as file:
        file["good"], file["orders"] = GOOD.to_records(index=False), BAD.to_records(index=False)


def write_docx(path: Path) -> None:
    import docx

    document = docx.Document()
    for amount in ("5", "-5"):
        table = document.add_table(rows=2, cols=2)
        for cell, text in zip(table._cells, ("id", "amount", "1", amount), strict=True):
            cell.text = text
    document.save(str(path))


def write_pdf(path: Path) -> None:
    import matplotlib as mpl

    mpl.use("Agg")
    from matplotlib.figure import Figure

    figure = Figure()
    for axes, amount in zip(figure.subplots(2), ("5", "-5"), strict=True):
        axes.axis("off")
        axes.table(cellText=[["1", amount]], colLabels=["id", "amount"], loc="center")
    figure.savefig(path)


@pytest.mark.parametrize(
    ("name", "write", "said"),
    [
        ("t.xlsx", write_book, 't.xlsx holds several tables, "Jan", "Feb"'),
        ("t.sqlite", write_sqlite, 't.sqlite holds several tables, "a_old", "orders"'),
        ("t.duckdb", write_duckdb, 't.duckdb holds several tables, "a_old", "orders"'),
        ("t.zip", write_zip, 't.zip holds several tables, "a.csv", "b.csv"'),
        ("t.zip", write_book_in_zip, 't.zip: book.xlsx holds several tables, "Jan", "Feb"'),
        ("t.h5", write_hdf5, 't.h5 holds several tables, "good", "orders"'),
        ("t.docx", write_docx, 't.docx holds several tables, "table_1", "table_2"'),
        ("t.pdf", write_pdf, 't.pdf holds several tables, "table_1", "table_2"'),
    ],
)
def test_a_file_of_several_tables_is_not_judged_by_one_of_them(
    tmp_path: Path, name: str, write: Callable[[Path], None], said: str
) -> None:
    write(tmp_path / name)
    with pytest.raises(TableUnreadable) as refused:
        pandas_magic.check("amount must be positive", tables={"t": tmp_path / name})
    assert str(refused.value).startswith(f"{said}; ")
    assert "read one of them and give it as a DataFrame" in str(refused.value)


def test_a_workspace_has_a_table_for_each_as_the_refusal_says(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    write_book(tmp_path / "data" / "book.xlsx")
    with pytest.raises(TableUnreadable, match='in the data folder of a workspace each is a table, such as "book_Jan"'):
        Catalog(given={"t": tmp_path / "data" / "book.xlsx"}).schema("t")
    run = pandas_magic.check("book_Feb.amount must be positive", workspace=tmp_path)
    assert (run.verdict, run.violation_count) == ("FAIL", 1)


def test_the_one_sheet_that_holds_something_is_read_wherever_it_stands(tmp_path: Path) -> None:
    with pd.ExcelWriter(tmp_path / "t.xlsx") as book:
        pd.DataFrame().to_excel(book, sheet_name="cover", index=False)
        BAD.to_excel(book, sheet_name="rows", index=False)
    assert Catalog(given={"t": tmp_path / "t.xlsx"}).frame("t").to_dict("list") == {"id": [1], "amount": [-5]}
