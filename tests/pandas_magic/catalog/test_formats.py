"""Every format: the same rows come out of each, and each kind of dirt is one clear line."""

import functools
import gzip
import sqlite3
import tarfile
import tempfile
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from zipfile import ZipFile

import pandas as pd
import pyarrow as pa
import pyarrow.orc
import pyarrow.parquet
import pytest

from pandas_magic.catalog import Catalog
from pandas_magic.catalog.formats import FORMATS
from pandas_magic.errors import TableUnreadable

ROWS = {"id": [1, 2, 3], "name": ["Ann", "Bé", None], "amount": [1.5, 2.25, 3.0]}
FRAME = pd.DataFrame(ROWS)
Writer = Callable[[Path], object]


def write_hdf5(path: Path) -> None:
    import h5py
    import numpy as np

    with h5py.File(path, "w") as file:
        names = [(b"Ann"), "Bé".encode(), b""]
        kinds = [("id", "<i8"), ("name", "S8"), ("amount", "<f8")]
        file["people"] = np.array(list(zip(ROWS["id"], names, ROWS["amount"], strict=True)), dtype=kinds)


def write_netcdf(path: Path) -> None:
    import netCDF4

    with netCDF4.Dataset(path, "w") as data:
        data.createDimension("id", 3)
        data.createVariable("id", "i8", ("id",))[:] = ROWS["id"]
        data.createVariable("amount", "f8", ("id",))[:] = ROWS["amount"]


def write_sqlite(path: Path) -> None:
    with closing(sqlite3.connect(path)) as database:
        FRAME.to_sql("people", database, index=False)


def write_duckdb(path: Path) -> None:
    import duckdb

    with duckdb.connect(str(path)) as database:
        database.register("given", pa.Table.from_pandas(FRAME))
        database.execute("CREATE TABLE people AS SELECT * FROM given")


def write_docx(path: Path) -> None:
    from docx import Document

    document = Document()
    table = document.add_table(rows=0, cols=3)
    for row in [list(ROWS), *FRAME.astype(object).where(FRAME.notna(), "").to_numpy().tolist()]:
        for cell, value in zip(table.add_row().cells, row, strict=True):
            cell.text = str(value)
    document.save(str(path))


def write_pdf(path: Path) -> None:
    import matplotlib as mpl

    mpl.use("Agg")
    from matplotlib.figure import Figure

    figure = Figure()
    axes = figure.subplots()
    axes.axis("off")
    axes.table(
        cellText=[
            [str(value) if value is not None else "" for value in row] for row in zip(*ROWS.values(), strict=True)
        ],
        colLabels=list(ROWS),
        loc="center",
    )
    figure.savefig(path)


def write_7z(path: Path) -> None:
    import py7zr

    with py7zr.SevenZipFile(path, "w") as archive:
        archive.writestr(FRAME.to_csv(index=False), "people.csv")


def write_zip(path: Path) -> None:
    with ZipFile(path, "w") as archive:
        archive.writestr("folder/people.csv", FRAME.to_csv(index=False))


def write_tar(path: Path) -> None:
    csv = path.with_name("people.csv")
    FRAME.to_csv(csv, index=False)
    with tarfile.open(path, "w:gz" if path.name.endswith("gz") else "w") as archive:
        archive.add(csv, "people.csv")
    csv.unlink()


def write_xml(path: Path) -> None:
    rows = "".join(
        f"<person id='{number}'><name>{name or ''}</name><amount>{amount}</amount></person>"
        for number, name, amount in zip(*ROWS.values(), strict=True)
    )
    path.write_text(f"<people>{rows}</people>", encoding="utf-8")


def write_yaml(path: Path) -> None:
    import yaml

    path.write_text(yaml.safe_dump(FRAME.astype(object).where(FRAME.notna(), None).to_dict("records"), sort_keys=False))


def write_zst(path: Path) -> None:
    with pa.CompressedOutputStream(str(path), "zstd") as out:
        out.write(FRAME.to_csv(index=False).encode())


WRITERS: dict[str, Writer] = {
    "t.csv": lambda path: FRAME.to_csv(path, index=False),
    "t.tsv": lambda path: FRAME.to_csv(path, index=False, sep="\t"),
    "t.txt": lambda path: FRAME.to_csv(path, index=False, sep="|"),
    "t.dat": lambda path: FRAME.to_csv(path, index=False, sep=";"),
    "t.md": lambda path: path.write_text(
        "# People\n\n|id|name|amount|\n|--|:-|-----:|\n|1|Ann|1.5|\n|2|Bé|2.25|\n|3||3.0|\n", encoding="utf-8"
    ),
    "t.json": lambda path: FRAME.to_json(path, orient="records"),
    "t.jsonl": lambda path: FRAME.to_json(path, orient="records", lines=True),
    "t.xml": write_xml,
    "t.yaml": write_yaml,
    "t.yml": write_yaml,
    "t.xlsx": lambda path: FRAME.to_excel(path, index=False),
    "t.xlsm": lambda path: FRAME.to_excel(path, index=False),
    "t.parquet": lambda path: FRAME.to_parquet(path),
    "t.feather": lambda path: FRAME.to_feather(path),
    "t.orc": lambda path: pa.orc.write_table(pa.Table.from_pandas(FRAME), path),
    "t.sqlite": write_sqlite,
    "t.db": write_sqlite,
    "t.duckdb": write_duckdb,
    "t.hdf5": write_hdf5,
    "t.dta": lambda path: FRAME.fillna({"name": ""}).to_stata(path, write_index=False, version=118),
    "t.docx": write_docx,
    "t.pdf": write_pdf,
    "t.zip": write_zip,
    "t.tar": write_tar,
    "t.tar.gz": write_tar,
    "t.tgz": write_tar,
    "t.7z": write_7z,
    "t.csv.gz": lambda path: path.write_bytes(gzip.compress(FRAME.to_csv(index=False).encode())),
    "t.csv.bz2": lambda path: FRAME.to_csv(path, index=False),
    "t.csv.xz": lambda path: FRAME.to_csv(path, index=False),
    "t.csv.zst": write_zst,
    "t.json.gz": lambda path: FRAME.to_json(path, orient="records"),
}


@functools.cache
def content_of(name: str) -> bytes:
    """A file of that kind with ROWS in it, written once for all tests."""
    with tempfile.TemporaryDirectory() as folder:
        WRITERS[name](Path(folder) / name)
        return (Path(folder) / name).read_bytes()


def plain(frame: pd.DataFrame) -> dict[str, list[object]]:
    """The rows with one sign for a missing value: these formats have no way to tell an empty text from none."""
    return {
        str(name): [None if pd.isna(value) or value == "" else value for value in frame[name]]
        for name in frame.columns
        if name != "index"
    }


@pytest.mark.feature("D13", "D14", "D15", "D16", "D17", "D19", "A21", "D03")
@pytest.mark.parametrize("name", WRITERS)
def test_every_format_gives_the_same_rows(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(content_of(name))
    assert plain(Catalog(tmp_path).frame("t")) == ROWS


@pytest.mark.parametrize("name", WRITERS)
def test_every_format_gives_the_same_rows_from_the_cache(tmp_path: Path, name: str) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / name).write_bytes(content_of(name))
    parsed = Catalog(tmp_path / "data", cache=tmp_path / "kept").frame("t")
    mapped = Catalog(tmp_path / "data", cache=tmp_path / "kept").frame("t", ["name", "id"])
    pd.testing.assert_frame_equal(mapped, parsed[["name", "id"]])


@pytest.mark.parametrize("name", WRITERS)
def test_the_schema_of_every_format_is_that_of_its_frame(tmp_path: Path, name: str) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / name).write_bytes(content_of(name))
    catalog = Catalog(tmp_path / "data", cache=tmp_path / "kept")
    table, frame = catalog.schema("t"), catalog.frame("t")
    assert table.columns == {str(column): str(frame[column].dtype) for column in frame.columns}
    assert table.row_count == 3


@pytest.mark.parametrize("name", WRITERS)
@pytest.mark.parametrize("kept", [0, 0.5])
def test_a_file_cut_short_is_one_clear_line_or_fewer_whole_rows(tmp_path: Path, name: str, kept: float) -> None:
    path = tmp_path / name
    content = content_of(name)
    path.write_bytes(content[: int(len(content) * kept)])
    catalog = Catalog(tmp_path)
    try:
        frame = catalog.frame("t")
    except TableUnreadable as error:
        assert "\n" not in str(error)
        assert str(error).startswith("t.")
        return
    # Lines of text cannot tell that more were meant; whatever stands before the cut must be right.
    assert name.rpartition(".")[2] in ("csv", "tsv", "txt", "dat", "md", "tar", "yaml", "yml", "json", "jsonl")
    assert frame.iloc[:1, 0].tolist() in ([], [1])


@pytest.mark.parametrize("name", [name for name in WRITERS if not name.endswith((".txt", ".dat", ".md"))])
def test_a_wrong_suffix_is_one_clear_line(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(b"%PDF-1.7 this is no such file" if not name.endswith("pdf") else b"a,b\n1,2\n")
    with pytest.raises(TableUnreadable, match=r"t\.") as caught:
        Catalog(tmp_path).frame("t")
    assert "\n" not in str(caught.value)


def test_a_workspace_without_a_data_folder_has_tables_and_not_its_texts(tmp_path: Path) -> None:
    (tmp_path / "orders.csv").write_text("x\n1\n")
    (tmp_path / "README.md").write_text("About orders.\n")
    (tmp_path / "checks").mkdir()
    (tmp_path / "checks" / "registry.json").write_text("{}")
    assert Catalog(tmp_path, declared=tmp_path / "tables.toml").names() == ["orders"]
    assert Catalog(tmp_path).names() == ["README", "checks_registry", "orders"]


def test_every_format_has_a_test() -> None:
    covered = {suffix for name in WRITERS for suffix in ("." + name.split(".")[1],)}
    others = {".log", ".rtf", ".ndjson", ".xls", ".pq", ".arrow", ".ipc", ".h5", ".nc", ".sav", ".sas7bdat", ".xpt"}
    others |= {".sqlite3", ".png", ".jpg", ".jpeg", ".gif", ".bmp", ".tif", ".tiff", ".svg"}
    assert {suffix for form in FORMATS for suffix in form.suffixes} == covered | others


@pytest.mark.feature("D17")
def test_netcdf_is_one_row_per_point(tmp_path: Path) -> None:
    write_netcdf(tmp_path / "t.nc")
    catalog = Catalog(tmp_path)
    assert plain(catalog.frame("t")) == {"id": [1, 2, 3], "amount": [1.5, 2.25, 3.0]}
    assert catalog.schema("t").notes == ("one row per point of id",)


def test_spss_codes_stay_codes(tmp_path: Path) -> None:
    import pyreadstat

    frame = pd.DataFrame({"id": [1.0, 2.0], "answer": [1.0, 2.0]})
    pyreadstat.write_sav(frame, str(tmp_path / "t.sav"), variable_value_labels={"answer": {1: "yes", 2: "no"}})
    catalog = Catalog(tmp_path)
    assert catalog.frame("t")["answer"].tolist() == [1.0, 2.0]
    assert catalog.schema("t").notes == ("1 columns hold codes whose labels are not used",)


@pytest.mark.feature("D18")
@pytest.mark.parametrize("suffix", [".png", ".jpg", ".jpeg", ".gif", ".bmp", ".tif", ".tiff"])
def test_an_image_is_one_row_of_facts(tmp_path: Path, suffix: str) -> None:
    from PIL import Image

    Image.new("RGB", (7, 5)).save(tmp_path / f"t{suffix}")
    row = Catalog(tmp_path).frame("t").iloc[0]
    assert (row["width"], row["height"], row["bytes"]) == (7, 5, (tmp_path / f"t{suffix}").stat().st_size)


@pytest.mark.feature("D18")
def test_a_vector_image_is_one_row_of_facts(tmp_path: Path) -> None:
    (tmp_path / "t.svg").write_text('<svg xmlns="http://www.w3.org/2000/svg" width="7" height="5"></svg>')
    row = Catalog(tmp_path).frame("t").iloc[0]
    assert (row["format"], row["width"], row["height"]) == ("SVG", 7.0, 5.0)


@pytest.mark.feature("D13")
@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("t.txt", "Hello, world.\nThis is prose.\n"),
        ("t.log", "Hello, world.\nThis is prose.\n"),
        ("t.md", "Hello, world.\nThis is prose.\n"),
        ("t.rtf", r"{\rtf1\ansi Hello, world.\line This is prose.}"),
    ],
)
def test_prose_is_a_row_for_each_line(tmp_path: Path, name: str, content: str) -> None:
    (tmp_path / name).write_text(content)
    catalog = Catalog(tmp_path)
    assert catalog.frame("t").to_dict("list") == {"line": [1, 2], "text": ["Hello, world.", "This is prose."]}
    assert "each row is a line" in catalog.schema("t").notes[-1]


@pytest.mark.feature("D20")
def test_every_sheet_of_a_workbook_is_a_table(tmp_path: Path) -> None:
    with pd.ExcelWriter(tmp_path / "book.xlsx") as book:
        FRAME.to_excel(book, sheet_name="Q1 2026", index=False)
        FRAME.head(1).to_excel(book, sheet_name="Q2", index=False)
        pd.DataFrame().to_excel(book, sheet_name="empty", index=False)
    catalog = Catalog(tmp_path)
    assert catalog.names() == ["book_Q1_2026", "book_Q2"]
    assert len(catalog.frame("book_Q1_2026")) == 3
    assert len(catalog.frame("book_Q2")) == 1


def test_a_folder_of_parquet_files_is_one_table_with_the_values_of_its_folders(tmp_path: Path) -> None:
    for year in (2025, 2026):
        (tmp_path / "sales" / f"year={year}").mkdir(parents=True)
        FRAME.to_parquet(tmp_path / "sales" / f"year={year}" / "part.parquet")
    catalog = Catalog(tmp_path, cache=tmp_path / ".kept")
    assert catalog.names() == ["sales"]
    assert catalog.frame("sales", ["id", "year"]).to_dict("list") == {
        "id": [1, 2, 3, 1, 2, 3],
        "year": [2025, 2025, 2025, 2026, 2026, 2026],
    }
    assert catalog.schema("sales").row_count == 6
    FRAME.to_parquet(tmp_path / "sales" / "year=2026" / "more.parquet")
    assert catalog.schema("sales").row_count == 9


def test_pickled_objects_in_hdf5_are_not_opened(tmp_path: Path) -> None:
    import h5py
    import numpy as np

    with h5py.File(tmp_path / "t.h5", "w") as file:
        file.create_dataset("v", (1,), dtype=h5py.vlen_dtype(np.uint8))[0] = np.frombuffer(b"\x80\x04N.", np.uint8)
    with pytest.raises(TableUnreadable, match="holds pickled objects, which are not opened"):
        Catalog(tmp_path).frame("t")


def test_yaml_aliases_are_refused(tmp_path: Path) -> None:
    (tmp_path / "t.yaml").write_text("- &a {x: 1}\n- *a\n")
    with pytest.raises(TableUnreadable, match=r"t\.yaml holds aliases"):
        Catalog(tmp_path).frame("t")


def test_xml_entities_are_refused(tmp_path: Path) -> None:
    (tmp_path / "t.xml").write_text('<!DOCTYPE a [<!ENTITY e "x">]><a><b>&e;</b><b>&e;</b></a>')
    with pytest.raises(TableUnreadable, match="defines entities, which are not followed"):
        Catalog(tmp_path).frame("t")


def test_a_missing_package_is_answered_with_its_pip_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    (tmp_path / "t.yaml").write_text("- {x: 1}\n")
    monkeypatch.setitem(sys.modules, "yaml", None)
    with pytest.raises(TableUnreadable, match=r"pip install 'pandas-magic\[yaml\]'"):
        Catalog(tmp_path).frame("t")


def test_a_kind_of_file_that_is_not_read_is_named(tmp_path: Path) -> None:
    (tmp_path / "t.doc").write_bytes(b"x")
    with pytest.raises(TableUnreadable, match=r"t\.doc is not of a kind that is read; save it as \.docx"):
        Catalog(given={"t": tmp_path / "t.doc"}).frame("t")
