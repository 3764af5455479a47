"""Every kind of file in every kind of trouble: one clear line, or rows that are right."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pandas as pd
import pytest

import pandas_magic
from pandas_magic.catalog import Catalog
from pandas_magic.catalog.sources import dataset_table, file_table
from pandas_magic.catalog.sources.dataset_table import DatasetTable
from pandas_magic.errors import TableUnreadable
from pandas_magic.registry.check_request import CheckRequest
from pandas_magic.workspace import Workspace
from tests.grids import also_thorough, grid

from .kinds import FRAME, OTHER_WRITERS, ROWS, WRITERS, Writer, content_of, plain

KINDS = sorted([*WRITERS, *OTHER_WRITERS])
# Text that ends early is still text, and the members of a tar before the cut are whole: nothing tells that more was
# meant. The headers of images are at their beginning.
CUT_UNSEEN = (
    "csv",
    "tsv",
    "txt",
    "dat",
    "data",
    "md",
    "log",
    "rtf",
    "tar",
    "yaml",
    "yml",
    "jsonl",
    "ndjson",
    "arrow",
    "dta",
)
CUT_UNSEEN += ("png", "jpg", "jpeg", "gif", "bmp", "tif", "tiff", "svg")
# What stands under a name that promises something else: most often a page of a web server that says "log in first".
CONTENTS = {
    "a web page": b"<!DOCTYPE html>\n<html><body><p>Log in</p></body></html>\n",
    "a PDF": b"%PDF-1.7 and so on",
    "a picture": content_of("t.png"),
    "Parquet": content_of("t.parquet"),
    "SQLite": content_of("t.sqlite"),
    "a workbook": content_of("t.xlsx"),
    "gzip": content_of("t.csv.gz"),
    "JSON": content_of("t.json"),
    "zero bytes": bytes(500),
}


def suffix(name: str) -> str:
    return name.rpartition(".")[2]


def said_in_one_line(catalog: Catalog, name: str) -> str:
    """The error for table "t", which must be one line that names the file."""
    with pytest.raises(TableUnreadable) as caught:
        catalog.frame("t")
    text = str(caught.value)
    assert "\n" not in text
    assert name in text
    assert len(text) < 300
    return text


@pytest.mark.parametrize("name", KINDS)
def test_a_file_without_a_byte_is_refused(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(b"")
    said_in_one_line(Catalog(tmp_path), name)


@pytest.mark.parametrize(("name", "kept"), grid(KINDS, [0.05, 0.5, 0.9, 0.99]))
def test_a_file_cut_short_is_refused_or_gives_the_rows_before_the_cut(tmp_path: Path, name: str, kept: float) -> None:
    content = content_of(name)
    (tmp_path / name).write_bytes(content[: int(len(content) * kept)])
    catalog = Catalog(tmp_path)
    try:
        frame = catalog.frame("t")
    except TableUnreadable:
        said_in_one_line(catalog, name)
        return
    if name not in WRITERS or plain(frame) != ROWS:  # a few bytes at the end may mean nothing
        assert suffix(name) in CUT_UNSEEN
    if name in WRITERS and "id" in frame:
        whole = frame["id"].tolist()[:-1]  # the cut may go through the last row
        assert whole == [1, 2, 3][: len(whole)]


@pytest.mark.parametrize(("name", "kind"), grid(KINDS, CONTENTS))
def test_content_of_another_kind_is_refused(tmp_path: Path, name: str, kind: str) -> None:
    (tmp_path / name).write_bytes(CONTENTS[kind])
    catalog = Catalog(tmp_path)
    try:
        frame = catalog.frame("t")
    except TableUnreadable:
        said_in_one_line(catalog, name)
        return
    if suffix(name) in ("log", "md", "txt", "dat", "data", "rtf"):
        assert kind in ("a web page", "a PDF", "JSON")  # any text is lines of text
        assert list(frame.columns) == ["line", "text"]
    elif name in OTHER_WRITERS:
        assert kind == "a picture"  # the library reads them by content, and says which in "format"
        assert frame["format"].tolist() == ["PNG"]
    else:
        assert plain(frame) == ROWS


@pytest.fixture
def content(name: str) -> bytes:
    """The file's content, made while its writer's modules can still be imported."""
    return content_of(name)


@pytest.mark.parametrize("name", KINDS)
def test_a_file_that_may_not_be_read_is_said(content: bytes, as_ordinary_user: Path, name: str) -> None:
    path = as_ordinary_user / name
    path.write_bytes(content)
    path.chmod(0)
    assert "may not be read by this user" in said_in_one_line(Catalog(as_ordinary_user), name)


@pytest.mark.parametrize(("name", "how"), grid(KINDS, ["renamed over", "written over", "cut to nothing", "removed"]))
def test_a_file_replaced_while_it_is_read_is_said(
    tmp_path: Path, name: str, how: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / name
    path.write_bytes(content_of(name))
    catalog = Catalog(tmp_path, cache=tmp_path / ".kept")
    assert catalog.names() == ["t"]
    monkeypatch.setattr(file_table, "read_file", replacing(file_table.read_file, path, how))
    monkeypatch.setattr(DatasetTable, "_dataset", replacing(DatasetTable._dataset, path, how))
    with pytest.raises(TableUnreadable, match=rf"{name} (changed while it was read|is gone)") as caught:
        catalog.frame("t")
    assert "\n" not in str(caught.value)


def replacing(read: object, path: Path, how: str) -> object:
    """`read`, but once it has begun, another program does something to the file."""

    def read_and_replace(*given: object) -> object:
        found = read(*given)
        content = path.read_bytes()
        if how == "renamed over":
            path.with_name(".new").write_bytes(content)
            path.with_name(".new").replace(path)
        elif how == "removed":
            path.unlink()
        else:
            path.write_bytes(content + b"\n" if how == "written over" else b"")
        return found

    return read_and_replace


def test_a_part_of_a_dataset_that_changes_between_batches_is_said(tmp_path: Path) -> None:
    FRAME.to_parquet(tmp_path / "t.parquet", row_group_size=1)
    batches = Catalog(tmp_path).batches("t", ["id"], rows=1)
    assert next(batches)["id"].to_pylist() == [1]
    FRAME.head(2).to_parquet(tmp_path / "t.parquet", row_group_size=1)
    with pytest.raises(TableUnreadable, match=r"t\.parquet changed while it was read"):
        list(batches)


def test_rows_kept_by_the_cache_outlive_the_file(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_bytes(content_of("t.csv"))
    frame = Catalog(tmp_path, cache=tmp_path / ".kept").frame("t")
    (tmp_path / "t.csv").write_bytes(b"")  # where a map of the file itself would end the process
    assert plain(frame) == ROWS


def test_the_rows_of_a_stream_outlive_the_file(tmp_path: Path) -> None:
    (tmp_path / "t.arrow").write_bytes(content_of("t.arrow"))
    frame = Catalog(tmp_path).frame("t")
    (tmp_path / "t.arrow").write_bytes(b"")
    assert plain(frame) == ROWS


def test_dataset_table_is_what_columnar_files_are() -> None:
    # The matrix above replaces a file through these two; should a third way to read appear, it must join them.
    assert {dataset_table.DatasetTable, file_table.FileTable} == {
        type(Catalog(given={"t": Path(name)})._given["t"]) for name in KINDS if Path(name).suffix != ".arrow"
    }


def test_two_sheets_of_one_name_are_a_question(tmp_path: Path) -> None:
    with pd.ExcelWriter(tmp_path / "book.xlsx") as book:
        for sheet in ("Q1 2026", "Q1_2026"):
            FRAME.to_excel(book, sheet_name=sheet, index=False)
    with pytest.raises(TableUnreadable, match=r"could be any of book\.xlsx \(Q1 2026\), book\.xlsx \(Q1_2026\)"):
        Catalog(tmp_path).frame("book_Q1_2026")


def test_a_file_and_a_group_of_one_name_are_a_question(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "b.csv").write_text("x\n1\n")
    (tmp_path / "a_b.csv").write_text("x\n2\n")
    with pytest.raises(TableUnreadable, match=r'"a_b" could be any of a/b\.csv, a_b\.csv'):
        Catalog(tmp_path).frame("a_b")


def test_a_file_and_a_declared_table_of_one_name_are_a_question(tmp_path: Path) -> None:
    (tmp_path / "orders.csv").write_text("x\n1\n")
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "far.duckdb").write_bytes(content_of("t.duckdb"))
    (tmp_path / "tables.toml").write_text(
        f'[orders]\nuri = "duckdb:///{tmp_path}/elsewhere/far.duckdb"\ntable = "people"\n'
    )
    with pytest.raises(TableUnreadable, match=r'table "orders" is orders\.csv and is declared in tables\.toml'):
        Catalog(tmp_path).frame("orders")


WIDE = 10_000


@pytest.mark.parametrize("name", ["t.csv", *also_thorough("t.parquet", "t.feather", "t.json"), "frame"])
def test_ten_thousand_columns_are_a_table(tmp_path: Path, name: str) -> None:
    frame = pd.DataFrame({f"c{number}": [number, number + 1] for number in range(WIDE)})
    if name == "t.csv":
        frame.to_csv(tmp_path / name, index=False)
    elif name == "t.json":
        frame.to_json(tmp_path / name, orient="records")
    elif name != "frame":
        {"t.parquet": frame.to_parquet, "t.feather": frame.to_feather}[name](tmp_path / name)
    catalog = Catalog(tmp_path, given={"t": frame} if name == "frame" else None, cache=tmp_path / ".kept")
    table = catalog.schema("t")
    assert len(table.columns) == WIDE
    assert catalog.frame("t", ["c9999", "c3"]).to_dict("list") == {"c9999": [9999, 10000], "c3": [3, 4]}


HOSTILE = {"df": [1, 2], "class": ["a", None], "": [3, 4], "two\nlines": [5, 6], "pd": [7, 8], "a b": [9, 9]}


@pytest.mark.parametrize("name", ["t.csv", "t.parquet", "t.feather", "t.json", "t.xlsx", "t.sqlite", "frame"])
def test_columns_of_any_name_are_read_under_that_name(tmp_path: Path, name: str) -> None:
    frame = pd.DataFrame(HOSTILE)
    write_columns(frame, tmp_path / name)
    catalog = Catalog(tmp_path, given={"t": frame} if name == "frame" else None, cache=tmp_path / ".kept")
    # Excel has no cell without a text: pandas calls that column by its place, which a note says.
    nameless = "Unnamed: 2" if name == "t.xlsx" else ""
    assert list(catalog.schema("t").columns) == ["df", "class", nameless, "two\nlines", "pd", "a b"]
    assert catalog.frame("t", ["two\nlines", nameless]).to_numpy().tolist() == [[5, 3], [6, 4]]


def write_columns(frame: pd.DataFrame, path: Path) -> None:
    if path.suffix == ".csv":
        frame.to_csv(path, index=False)
    elif path.suffix == ".json":
        frame.to_json(path, orient="records")
    elif path.suffix == ".xlsx":
        frame.to_excel(path, index=False)
    elif path.suffix == ".sqlite":
        with closing(sqlite3.connect(path)) as database:
            columns = ", ".join(f'"{column}"' for column in frame.columns)
            database.execute(f"CREATE TABLE people ({columns})")
            database.executemany(f"INSERT INTO people VALUES ({', '.join('?' * len(frame.columns))})", rows_of(frame))
            database.commit()
    elif path.suffix:
        {".parquet": frame.to_parquet, ".feather": frame.to_feather}[path.suffix](path)


def rows_of(frame: pd.DataFrame) -> list[tuple[object, ...]]:
    plain_values = frame.astype(object).where(frame.notna(), None)
    return [tuple(row) for row in plain_values.itertuples(index=False, name=None)]


@pytest.mark.parametrize(
    ("rule", "found"),
    [
        ('"class" must be present', [1]),
        ('"df" must be greater than 1', [0]),
        ('"pd" must be at least 8', [0]),
        ('"a b" must be unique', [0, 1]),
    ],
)
def test_rules_about_columns_of_awkward_names_find_their_rows(rule: str, found: list[int]) -> None:
    run = pandas_magic.check(rule, tables={"t": pd.DataFrame(HOSTILE)})
    assert run.error == ""
    assert run.violations is not None
    assert run.violations.index.tolist() == found
    assert list(run.violations.columns) == list(HOSTILE)


def forget_sheet(path: Path) -> None:
    with pd.ExcelWriter(path) as book:
        FRAME.to_excel(book, sheet_name="other", index=False)
        FRAME.to_excel(book, sheet_name="third", index=False)


def forget_table(path: Path) -> None:
    path.unlink()
    with closing(sqlite3.connect(path)) as database:
        FRAME.to_sql("other", database, index=False)
        FRAME.to_sql("third", database, index=False)


def write_two_sheets(path: Path) -> None:
    with pd.ExcelWriter(path) as book:
        FRAME.to_excel(book, sheet_name="people", index=False)
        FRAME.to_excel(book, sheet_name="third", index=False)


def write_two_tables(path: Path) -> None:
    with closing(sqlite3.connect(path)) as database:
        FRAME.to_sql("people", database, index=False)
        FRAME.to_sql("third", database, index=False)


@pytest.mark.parametrize(
    ("name", "table", "write", "drop", "said"),
    [
        ("t.csv", "t", lambda path: path.write_bytes(content_of("t.csv")), Path.unlink, 'table "t" is gone'),
        ("t.parquet", "t", FRAME.to_parquet, Path.unlink, 'table "t" is gone'),
        ("t.xlsx", "t_people", write_two_sheets, forget_sheet, 'table "t_people" is gone'),
        ("t.sqlite", "t_people", write_two_tables, forget_table, 'table "t_people" is gone'),
    ],
)
def test_a_table_dropped_between_plan_and_run_is_an_error_that_names_it(
    tmp_path: Path, name: str, table: str, write: Writer, drop: Writer, said: str
) -> None:
    (tmp_path / "data").mkdir()
    write(tmp_path / "data" / name)
    workspace = Workspace.open(tmp_path)
    try:
        compiled = workspace.check(CheckRequest(rule=f"{table}.amount must be greater than 2", tables=(table,)))
        assert compiled.run.verdict == "FAIL"
        drop(tmp_path / "data" / name)
        run = workspace.run_saved(compiled.run.check_id).run
    finally:
        workspace.close()
    assert run.verdict == "ERROR"
    assert said in run.error
    assert "\n" not in run.error
