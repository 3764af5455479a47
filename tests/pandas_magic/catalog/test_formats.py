"""Every format: the same rows come out of each, and each kind of dirt is one clear line."""

import datetime
import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pytest

from pandas_magic.catalog import Catalog
from pandas_magic.catalog.formats import FORMATS
from pandas_magic.errors import TableUnreadable

from .kinds import FRAME, OTHER_WRITERS, ROWS, WRITERS, content_of, plain, write_netcdf


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


def test_a_workspace_without_a_data_folder_has_tables_and_not_its_texts(tmp_path: Path) -> None:
    (tmp_path / "orders.csv").write_text("x\n1\n")
    (tmp_path / "README.md").write_text("About orders.\n")
    (tmp_path / "checks").mkdir()
    (tmp_path / "checks" / "registry.json").write_text("{}")
    assert Catalog(tmp_path, declared=tmp_path / "tables.toml").names() == ["orders"]
    assert Catalog(tmp_path).names() == ["README", "checks_registry", "orders"]


def test_every_format_has_a_test() -> None:
    covered = {f".{name.split('.')[1]}" for name in (*WRITERS, *OTHER_WRITERS)}
    assert {suffix for form in FORMATS for suffix in form.suffixes} == covered


def test_a_file_that_sas_wrote_is_read_with_its_dates(tmp_path: Path) -> None:
    (tmp_path / "t.sas7bdat").write_bytes(content_of("t.sas7bdat"))
    catalog = Catalog(tmp_path)
    frame = catalog.frame("t")
    assert frame["integer_row"].tolist() == [1, 2, 3, 4, 5]
    assert frame["float_row"].tolist() == [2.5, 17.23, 3.21, 100.9, 98.6]
    assert frame["text_row"].tolist()[3:] == ["Text", "Test"]
    days = ["2018-01-02", "2018-02-05", "2017-11-21", "2016-05-19", "1999-10-25"]
    assert [str(day.date()) for day in frame["date_row"]] == days
    assert catalog.schema("t").row_count == 5


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


@pytest.mark.parametrize(("name", "odd"), [("t.xlsx", 45_000), ("t.yaml", datetime.datetime(2024, 1, 9, 10, 30))])
def test_what_stands_among_dates_and_is_none_stays_what_it_is(tmp_path: Path, name: str, odd: object) -> None:
    days: list[object] = [datetime.date(2024, 1, 2), odd, datetime.date(2024, 1, 3)]
    if name == "t.xlsx":
        pd.DataFrame({"day": pd.Series(days, dtype=object)}).to_excel(tmp_path / name, index=False)
    else:
        (tmp_path / name).write_text("".join(f"- day: {day}\n" for day in days))
    catalog = Catalog(given={"t": tmp_path / name})
    assert catalog.frame("t")["day"].to_list()[1] == odd
    assert 'column "day": values of different types' in catalog.schema("t").notes
    table = Catalog(given={"t": catalog.frame("t")})
    with pytest.raises(pa.ArrowException, match="values of different types"):
        list(table.batches("t", ["day"], rows=10))


def test_texts_of_a_workbook_keep_their_zeros_and_formulas_without_a_value_are_told(tmp_path: Path) -> None:
    cells = {"zip": ["01067", 10115, "80331"], "n": ["1", 2, 3], "twice": ["=B2*2", "=B3*2", "=B4*2"]}
    pd.DataFrame(cells).to_excel(tmp_path / "t.xlsx", index=False)
    catalog = Catalog(tmp_path)
    assert catalog.frame("t")[["zip", "n"]].to_dict("list") == {"zip": ["01067", "10115", "80331"], "n": [1, 2, 3]}
    notes = catalog.schema("t").notes
    assert 'column "zip": codes with leading zeros stay text' in notes
    assert any(note.startswith("3 formulas without a stored value are missing") for note in notes)


_WIDE = 2**53 + 1  # which no float holds
_GAPPED: dict[str, str | Callable[[Path], object]] = {
    "t.json": f'[{{"id": {_WIDE}}}, {{"v": 1}}, {{"id": {_WIDE - 1}, "v": 2}}]',
    "t.jsonl": f'{{"id": {_WIDE}}}\n{{"v": 1}}\n{{"id": {_WIDE - 1}, "v": 2}}\n',
    "t.yaml": f"- id: {_WIDE}\n- v: 1\n- {{id: {_WIDE - 1}, v: 2}}\n",
    "t.xml": f"<r><o><id>{_WIDE}</id></o><o><v>1</v></o><o><id>{_WIDE - 1}</id><v>2</v></o></r>",
    "t.csv": f"id,v\n{_WIDE},\n,1\n{_WIDE - 1},2\n",
    "t.sqlite": lambda path: _write_sqlite(path),
}


def _write_sqlite(path: Path) -> None:
    with closing(sqlite3.connect(path)) as database:
        database.execute("CREATE TABLE t (id INTEGER, v INTEGER)")
        database.executemany("INSERT INTO t VALUES (?, ?)", [(_WIDE, None), (None, 1), (_WIDE - 1, 2)])
        database.commit()


@pytest.mark.parametrize("name", _GAPPED)
def test_whole_numbers_that_floats_round_are_exact_beside_a_gap(tmp_path: Path, name: str) -> None:
    write, kept = _GAPPED[name], tmp_path / "kept"
    write(tmp_path / name) if callable(write) else (tmp_path / name).write_text(write)
    for catalog in (Catalog(given={"t": tmp_path / name}), Catalog(given={"t": tmp_path / name}, cache=kept)):
        assert catalog.frame("t")["id"].to_list() == [_WIDE, pd.NA, _WIDE - 1]
        assert catalog.schema("t").columns == {"id": "Int64", "v": "float64"}


@pytest.mark.parametrize("beside", [0.5, 2**63 + 1])
def test_whole_numbers_that_floats_round_stay_texts_beside_other_numbers(tmp_path: Path, beside: float) -> None:
    (tmp_path / "t.json").write_text(json.dumps([{"id": _WIDE}, {"id": beside}, {"id": None}]))
    catalog = Catalog(tmp_path)
    assert catalog.frame("t")["id"].to_list()[:2] == [str(_WIDE), str(beside)]
    assert catalog.schema("t").notes == ('column "id": numbers of more than 15 digits stay text',)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("t.json", '[{"id": 1, "amount": -1, "amount": 5}]'),
        ("t.jsonl", '{"id": 1, "amount": 5}\n{"id": 1, "amount": -1, "amount": 5}\n'),
        ("t.yaml", "- id: 1\n  amount: -1\n  amount: 5\n"),
    ],
)
def test_a_record_with_a_name_twice_is_refused(tmp_path: Path, name: str, content: str) -> None:
    (tmp_path / name).write_text(content)
    with pytest.raises(TableUnreadable, match='"amount" stands twice in one record'):
        Catalog(tmp_path).frame("t")


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


def test_fields_of_hdf5_that_would_be_columns_of_one_name_are_refused(tmp_path: Path) -> None:
    import h5py
    import numpy as np

    with h5py.File(tmp_path / "t.h5", "w") as file:
        file["t"] = np.array([(-5, (1, 2))], dtype=[("a_0", int), ("a", int, 2)])
    with pytest.raises(TableUnreadable, match=r't\.h5 has more than one column named "a_0"'):
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


def test_json_lines_in_a_file_called_json_are_read_and_noted(tmp_path: Path) -> None:
    (tmp_path / "t.json").write_text('{"id": 1}\n\n{"id": 2}\n')
    (tmp_path / "cut.json").write_text('{"id": 1}\n{"id": \n')
    catalog = Catalog(tmp_path)
    assert catalog.frame("t")["id"].tolist() == [1, 2]
    assert catalog.schema("t").notes == ("JSON lines: one record per line",)
    with pytest.raises(TableUnreadable, match="does not parse as JSON in line 2"):
        catalog.schema("cut")
