"""The catalog: tables read as pandas users expect them, exactly, once; bad files named in one line."""

from pathlib import Path

import pandas as pd
import pyarrow as pa
import pyarrow.parquet
import pytest

from pandas_magic.catalog import Catalog
from pandas_magic.errors import NoSuchName, TableUnreadable, UsageMistake


def catalog_of(folder: Path, **files: str | bytes) -> Catalog:
    for name, content in files.items():
        path = folder / name.replace("__", ".")
        path.write_bytes(content.encode() if isinstance(content, str) else content)
    return Catalog(folder, cache=folder / "cache")


def test_csv_types_are_those_that_its_values_show(tmp_path: Path) -> None:
    content = (
        "id,when,day,note,flag,amount\n1,2026-01-31T10:00:00Z,2026-01-31,x,true,\n2,2026-01-31T10:00:01Z,,,false,3\n"
    )
    table = catalog_of(tmp_path, a__csv=content).schema("a")
    assert table.columns == {
        "id": "int64",
        "when": "datetime64[us, UTC]",
        "day": "datetime64[us]",
        "note": "str",
        "flag": "bool",
        "amount": "float64",
    }
    assert table.values == {"note": ("x",)}
    assert table.keys == ("id",)
    assert table.moments == ("when",)
    assert table.row_count == 2


def test_twenty_digit_ids_keep_every_digit(tmp_path: Path) -> None:
    frame = catalog_of(tmp_path, a__csv="id\n12345678901234567890\n12345678901234567891\n").frame("a")
    assert frame["id"].tolist() == ["12345678901234567890", "12345678901234567891"]


def test_large_integers_with_a_gap_keep_every_digit(tmp_path: Path) -> None:
    frame = catalog_of(tmp_path, a__csv="id,x\n9007199254740993,1\n,2\n").frame("a")
    assert frame["id"].tolist()[0] == 9007199254740993
    assert str(frame["id"].dtype) == "Int64"


def test_small_integers_with_a_gap_are_floats_as_pandas_reads_them(tmp_path: Path) -> None:
    assert str(catalog_of(tmp_path, a__csv="id,x\n5,1\n,2\n").frame("a")["id"].dtype) == "float64"


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("a.csv", b"", "a.csv is empty"),
        ("a.csv", b"a,a\n1,2\n", 'more than one column named "a"'),
        ("a.csv", b"a,b\n1\n2,3,4\n", "more values in 1 of its lines (3)"),
        ("a.csv", b"a\nx\n\xff\n", "byte 0xff in line 3"),
        ("a.json", b"{not json", "does not parse as JSON"),
        ("a.parquet", b"PAR1 no", "does not parse as PARQUET"),
        ("a.xlsx", b"no zip", "does not parse as XLSX"),
    ],
)
def test_a_file_that_does_not_parse_is_named_with_the_reason(
    tmp_path: Path, name: str, content: bytes, said: str
) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(TableUnreadable, match=r"^a\.") as caught:
        Catalog(tmp_path).frame("a")
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_folder_of_partitions_in_other_files_says_what_it_was_read_as(tmp_path: Path) -> None:
    (tmp_path / "sales" / "day=2026-01-31").mkdir(parents=True)
    (tmp_path / "sales" / "day=2026-01-31" / "rows.csv").write_text("id\n1\n")
    with pytest.raises(TableUnreadable, match=r"^sales does not parse as Parquet: "):
        Catalog(tmp_path).schema("sales")


def test_a_column_without_a_value_in_the_first_file_has_the_type_of_the_others(tmp_path: Path) -> None:
    for day, notes in enumerate([[None, None], [None], ["late", None]], 1):
        (tmp_path / "sales" / f"day={day}").mkdir(parents=True)
        rows = pd.DataFrame({"id": range(len(notes)), "note": notes, "never": None}, dtype=object)
        rows.to_parquet(tmp_path / "sales" / f"day={day}" / "rows.parquet", index=False)
    catalog = Catalog(tmp_path, cache=tmp_path / "cache")
    assert catalog.schema("sales").columns == {"id": "int64", "note": "str", "never": "empty", "day": "int32"}
    assert catalog.frame("sales", ["note"])["note"].dropna().to_dict() == {3: "late"}
    assert catalog.rows("sales", [3])["note"].tolist() == ["late"]


def test_a_file_that_vanished_is_named(tmp_path: Path) -> None:
    catalog = Catalog(given={"orders": tmp_path / "orders.csv"})
    with pytest.raises(TableUnreadable, match=r"orders\.csv is gone; put it back"):
        catalog.frame("orders")


def test_an_unknown_table_gets_the_nearest_name(tmp_path: Path) -> None:
    catalog = catalog_of(tmp_path, events__csv="a\n1\n", orders__csv="a\n1\n")
    with pytest.raises(NoSuchName, match=r'no table "evnets"; .* Did you mean "events"'):
        catalog.schema("evnets")


def test_one_broken_file_does_not_hide_the_others(tmp_path: Path) -> None:
    catalog = catalog_of(tmp_path, good__csv="a\n1\n", bad__csv="")
    assert list(catalog.schemas()) == ["good"]
    assert catalog.names() == ["bad", "good"]


def test_two_files_of_one_name_are_a_question_not_a_choice(tmp_path: Path) -> None:
    catalog = catalog_of(tmp_path, a__csv="x\n1\n", a__tsv="x\n1\n")
    with pytest.raises(TableUnreadable, match=r"could be any of a\.csv, a\.tsv"):
        catalog.frame("a")


def test_every_format_reads_to_the_same_rows(tmp_path: Path) -> None:
    frame = pd.DataFrame({"n": [1, 2], "t": ["x", "y"]})
    pa.parquet.write_table(pa.Table.from_pandas(frame), tmp_path / "p.parquet")
    frame.to_excel(tmp_path / "e.xlsx", index=False)
    frame.to_json(tmp_path / "j.json", orient="records")
    frame.to_json(tmp_path / "l.jsonl", orient="records", lines=True)
    frame.to_csv(tmp_path / "t.tsv", index=False, sep="\t")
    frame.to_csv(tmp_path / "s.csv", index=False, sep=";")
    (tmp_path / "u.csv").write_text(frame.to_csv(index=False), encoding="utf-16")
    catalog = Catalog(tmp_path)
    for name in catalog.names():
        assert catalog.frame(name).to_dict("list") == {"n": [1, 2], "t": ["x", "y"]}, name


def test_json_keeps_long_integers_and_reads_iso_dates(tmp_path: Path) -> None:
    records = '[{"id": 9007199254740993, "made_at": "2026-01-31", "code": "007"}, {"id": 2, "made_at": null}]'
    frame = catalog_of(tmp_path, a__json=records).frame("a")
    assert frame["id"].tolist() == [9007199254740993, 2]
    assert frame["made_at"].tolist()[0] == pd.Timestamp("2026-01-31")
    assert frame["code"].tolist()[0] == "007"


def test_a_file_is_parsed_once_until_it_changes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    catalog = catalog_of(tmp_path, a__csv="x,y\n1,2\n")
    assert catalog.frame("a", ["y"])["y"].tolist() == [2]
    parsed: list[Path] = []
    from pandas_magic.catalog.sources import file_table

    read_file = file_table.read_file
    monkeypatch.setattr(file_table, "read_file", lambda *said: (parsed.append(said[0]), read_file(*said))[1])
    assert Catalog(tmp_path, cache=tmp_path / "cache").frame("a")["x"].tolist() == [1]
    assert parsed == []
    (tmp_path / "a.csv").write_text("x,y\n5,6\n7,8\n")
    assert catalog.frame("a")["x"].tolist() == [5, 7]
    assert len(parsed) == 1
    assert len(list((tmp_path / "cache").glob("*.arrow"))) == 1


def test_the_cache_gives_back_the_same_frame(tmp_path: Path) -> None:
    content = "big,when,day,note\n9007199254740993,2026-01-31T10:00:00+02:00,2026-01-31,x\n,,,\n"
    parsed = Catalog(catalog_of(tmp_path, a__csv=content)._folder).frame("a")
    catalog_of(tmp_path).frame("a")
    mapped = catalog_of(tmp_path).frame("a")
    pd.testing.assert_frame_equal(parsed, mapped)


def test_a_frame_of_the_notebook_stands_before_a_file_of_its_name(tmp_path: Path) -> None:
    (tmp_path / "orders.csv").write_text("x\n1\n")
    namespace = {"orders": pd.DataFrame({"x": [5]}, index=["k"]), "_hidden": pd.DataFrame(), "number": 3}
    catalog = Catalog(tmp_path, namespace=namespace)
    assert catalog.names() == ["orders"]
    assert catalog.frame("orders")["x"].tolist() == [5]
    assert catalog.rows("orders", [0]).index.tolist() == ["k"]
    assert catalog.stands_before("orders") == "the DataFrame of the notebook, not orders.csv"
    assert Catalog(tmp_path).stands_before("orders") == Catalog(namespace=namespace).stands_before("orders") == ""
    namespace["orders"] = pd.DataFrame({"y": [6]})
    assert list(catalog.schema("orders").columns) == ["y"]


@pytest.mark.parametrize(
    ("frame", "said"),
    [
        (pd.DataFrame([[1, 2]], columns=["a", "a"]), 'more than one column named "a"'),
        (pd.DataFrame([[1]], columns=pd.MultiIndex.from_tuples([("a", "b")])), "columns of several levels"),
    ],
)
def test_a_frame_without_plain_columns_is_refused(frame: pd.DataFrame, said: str) -> None:
    with pytest.raises(TableUnreadable, match=said):
        Catalog(given={"t": frame}).schema("t")


def test_a_table_must_be_a_frame_or_a_path() -> None:
    with pytest.raises(UsageMistake, match='table "t" is a list; give a DataFrame or the path'):
        Catalog(given={"t": [1]})


@pytest.mark.parametrize("frame", [pd.DataFrame(), pd.DataFrame({"a": []}), pd.DataFrame({"a": [None, None]})])
def test_an_empty_table_is_a_table(frame: pd.DataFrame) -> None:
    table = Catalog(given={"t": frame}).schema("t")
    assert table.row_count == len(frame)
    assert set(table.columns.values()) <= {"empty", "float64"}


def test_a_file_that_may_not_be_read_is_named(as_ordinary_user: Path) -> None:
    path = as_ordinary_user / "a.csv"
    path.write_text("x\n1\n")
    path.chmod(0)
    with pytest.raises(TableUnreadable, match="may not be read by this user"):
        Catalog(as_ordinary_user).frame("a")


def test_lock_files_of_office_programs_are_no_tables(tmp_path: Path) -> None:
    for place in ("orders.csv", "~$orders.csv", "sub/bills.csv", "sub/~$bills.csv"):
        (tmp_path / place).parent.mkdir(exist_ok=True)
        (tmp_path / place).write_text("x\n1\n")
    catalog = Catalog(tmp_path)
    assert catalog.names() == ["orders", "sub_bills"]
    assert catalog.passed_over() == {}
