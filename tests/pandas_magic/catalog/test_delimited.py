"""Delimited text: what is found out is right and noted, what is doubtful is asked or stays text."""

from pathlib import Path

import pandas as pd
import pytest

from pandas_magic.catalog import Catalog
from pandas_magic.catalog.formats.opening import read_file
from pandas_magic.catalog.readers import ReadOptions
from pandas_magic.errors import TableUnreadable


def reading(tmp_path: Path, content: str | bytes, name: str = "t.csv", **said: object) -> tuple[dict, tuple[str, ...]]:
    path = tmp_path / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    found = read_file(path, ReadOptions.model_validate(said))
    assert not isinstance(found.content, pd.DataFrame)
    return found.content.to_pydict(), found.notes


@pytest.mark.feature("D20")
@pytest.mark.parametrize(
    ("content", "rows", "noted"),
    [
        ("id;x\n1;2\n", {"id": [1], "x": [2]}, "columns separated by semicolons"),
        ("id|x\n1|2\n", {"id": [1], "x": [2]}, "columns separated by bars"),
        ("sep=;\nid;x\n1;2,5\n", {"id": [1], "x": [2.5]}, 'the first line, "sep=;", says what separates the columns'),
        ('"SEP=,"\r\nid,x\r\n1,"a,b"\r\n', {"id": [1], "x": ["a,b"]}, 'the first line, "sep=,", says'),
        ("sep=\t\nid\tx\n1\t2\n", {"id": [1], "x": [2]}, "and is no row"),
        ("sep=;\nid\n1\n2\n", {"id": [1, 2]}, 'the first line, "sep=;", says'),
        ("sep=;\nA title of it\n\nid;x\n1;2\n3;4\n", {"id": [1, 3], "x": [2, 4]}, "2 lines above the header left out"),
        ("sep=a;x\n1;2\n", {"sep=a": [1], "x": [2]}, "columns separated by semicolons"),
        ("id\tx\n1\t2\n", {"id": [1], "x": [2]}, ""),
        ("id;x\n1;2,5\n2;3\n", {"id": [1, 2], "x": [2.5, 3.0]}, 'numbers written as in 1.234,50 ("2,5")'),
        ('id,x\n1,"1,234.5"\n', {"id": [1], "x": [1234.5]}, "numbers written as in 1,234.50"),
        ("id;x\n1;1.234.567\n", {"id": [1], "x": [1234567]}, "numbers written as in 1.234,50"),
        ("id,x\n1,1 234\n", {"id": [1], "x": ["1 234"]}, ""),
        ('id,x\n1,"1,234"\n', {"id": [1], "x": ["1,234"]}, 'say decimal = "," or decimal = "."'),
        ("id;x;y\n1;2,5;1.234\n", {"id": [1], "x": [2.5], "y": ["1.234"]}, "may be thousands beside decimal commas"),
        ("id;x\n1;1.500\n2;750\n", {"id": [1, 2], "x": ["1.500", "750"]}, "may be thousands beside decimal commas"),
        ("id;x\n1;1.500\n2;1250\n", {"id": [1, 2], "x": [1.5, 1250.0]}, "columns separated by semicolons"),
        ("id;x\n1;1.500\n2;7.5\n", {"id": [1, 2], "x": [1.5, 7.5]}, "columns separated by semicolons"),
        ("id;x\n1;1.234\n2;5.678\n", {"id": [1, 2], "x": ["1.234", "5.678"]}, "may be thousands beside decimal commas"),
        ("c,n\nNA,1\nDE,2\n", {"c": [None, "DE"], "n": [1, 2]}, '"NA" is read as missing; say missing = [""]'),
        ("c,n\n,1\nDE,2\n", {"c": [None, "DE"], "n": [1, 2]}, ""),
        ("zip,n\n01234,1\n9,2\n", {"zip": ["01234", "9"], "n": [1, 2]}, "codes with leading zeros stay text"),
        ("v,n\n005.13,1\n5.13,2\n", {"v": ["005.13", "5.13"], "n": [1, 2]}, "codes with leading zeros stay text"),
        ("v,n\n-00.5,1\n,2\n", {"v": ["-00.5", None], "n": [1, 2]}, "codes with leading zeros stay text"),
        ("v,n\n0.05,1\n-0.5,2\n1.10,3\n", {"v": [0.05, -0.5, 1.1], "n": [1, 2, 3]}, ""),
        ("bits,n\n0x10,1\n0X1f,2\n", {"bits": ["0x10", "0X1f"], "n": [1, 2]}, "codes with leading zeros stay text"),
        ("n\n0\n0.5\n", {"n": [0.0, 0.5]}, ""),
        ("w\n12 kg\n3 kg\n", {"w": ["12 kg", "3 kg"]}, 'numbers with a unit ("12 kg") stay text'),
        ("d\n31.12.26\n01.02.26\n", {"d": ["31.12.26", "01.02.26"]}, "dates without a century"),
        ("b\nY\nN\n", {"b": ["Y", "N"]}, '"Y" for true or false stays text'),
        ("1,2\n3,4\n", {"column_1": [1, 3], "column_2": [2, 4]}, "no line of column names"),
        ("# by x\na,b\n1,2\n# end\n3,4\n", {"a": [1, 3], "b": [2, 4]}, 'lines that begin with "#" left out'),
        ("#id,b\n1,2\n", {"#id": [1], "b": [2]}, ""),
        ("Report of May\n\na,b\n1,2\n3,4\n", {"a": [1, 3], "b": [2, 4]}, "2 lines above the header left out"),
        ('a,b\n"x\ny",2\n', {"a": ["x\ny"], "b": [2]}, ""),
        ('a,b\n"say ""hi""",2\n', {"a": ['say "hi"'], "b": [2]}, ""),
        ("a,b\r\n1,2\r\n", {"a": [1], "b": [2]}, ""),
        ("a,b\n1,2", {"a": [1], "b": [2]}, ""),
        ("name,\nx,\n", {"name": ["x"], "": [None]}, ""),
        ("a,b,,\n1,2,,\n", {"a": [1], "b": [2]}, "without a name or a value, and so no columns: 2"),
        ("a,,,b\n1,x,,2\n", {"a": [1], "": ["x"], "b": [2]}, "without a name or a value, and so no columns: 1"),
        ('"a\nb",class,df\n1,2,3\n', {"a\nb": [1], "class": [2], "df": [3]}, ""),
    ],
)
def test_a_dialect_is_found_out_and_noted(tmp_path: Path, content: str, rows: dict, noted: str) -> None:
    found, notes = reading(tmp_path, content)
    assert found == rows
    assert noted in " | ".join(notes)
    assert bool(noted) or notes == ()


@pytest.mark.feature("D20")
@pytest.mark.parametrize(
    ("encoded", "noted"),
    [
        ("name\nMüller\n".encode("cp1252"), "Windows-1252, by its letters"),
        ("name\nMüller\n".encode("utf-8-sig"), "UTF-8, by its byte order mark"),
        ("name\nMüller\n".encode("utf-16"), "UTF-16, by its byte order mark"),
        ("name\nMüller\n".encode("utf-16-le"), "UTF-16 without a byte order mark"),
        ("name\nMüller\n".encode("utf-32"), "UTF-32, by its byte order mark"),
    ],
)
def test_an_encoding_is_found_out_and_noted(tmp_path: Path, encoded: bytes, noted: str) -> None:
    found, notes = reading(tmp_path, encoded)
    assert found == {"name": ["Müller"]}
    assert noted in notes[0]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("a|b;c\n1|2;3\n", 'may be cut at semicolons or bars; say which, as in delimiter = ";"'),
        ("land,2019,2020\nDE,1,2\n", "say header = true or header = false"),
        ("name\nGdańsk\n".encode("cp1250"), 'cp1252 reads "Gdañsk", cp1250 reads "Gdańsk"'),
        ("a,b\n1,\x00\n", "holds zero bytes"),
        ("   \n\n", "t.csv is empty"),
        ("a,b\n1,2\n3,4,5\n", "more values in 1 of its lines (3)"),
        ("a,,\n1,2,3\n", 'more than one column named ""'),
    ],
)
def test_what_is_doubtful_is_asked_in_one_line(tmp_path: Path, content: str | bytes, said: str) -> None:
    with pytest.raises(TableUnreadable, match=r"^t\.csv") as caught:
        reading(tmp_path, content)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("content", "how", "rows"),
    [
        ("a|b;c\n1|2;3\n", {"delimiter": ";"}, {"a|b": ["1|2"], "c": [3]}),
        ("land,2019\nDE,1\n", {"header": True}, {"land": ["DE"], "2019": [1]}),
        ("2019,2020\n1,2\n", {"header": False}, {"column_1": [2019, 1], "column_2": [2020, 2]}),
        ("name\nGdańsk\n".encode("cp1250"), {"encoding": "cp1250"}, {"name": ["Gdańsk"]}),
        ('x\n"1,234"\n', {"decimal": ","}, {"x": [1.234]}),
        ('x\n"1,234"\n', {"thousands": ","}, {"x": [1234]}),
        ("a,b\n1\n2,3\n", {"ragged": "fill"}, {"a": [1, 2], "b": [None, 3]}),
        ("a,b\n1,-\n", {"missing": ["-"]}, {"a": [1], "b": [None]}),
        ("a,b\n1,2\n", {"as_text": ["a"]}, {"a": ["1"], "b": [2]}),
        ("title\na,b\n1,2\n", {"skip_lines": 1}, {"a": [1], "b": [2]}),
        ("a,b\n1,2\n;x\n", {"comment": ";"}, {"a": [1], "b": [2]}),
        ("a,b\n'x,y',2\n", {"quote": "'"}, {"a": ["x,y"], "b": [2]}),
    ],
)
def test_what_a_person_says_stands_above_what_is_found(
    tmp_path: Path, content: str | bytes, how: dict, rows: dict
) -> None:
    assert reading(tmp_path, content, **how)[0] == rows


def test_options_are_said_in_tables_toml(tmp_path: Path) -> None:
    (tmp_path / "prices.csv").write_text('x\n"1,234"\n')
    (tmp_path / "tables.toml").write_text('[prices]\ndecimal = ","\n')
    assert Catalog(tmp_path).frame("prices")["x"].tolist() == [1.234]


def test_changed_options_are_not_answered_from_the_cache(tmp_path: Path) -> None:
    (tmp_path / "prices.csv").write_text('x\n"1,234"\n')
    kept = tmp_path / "kept"
    assert Catalog(tmp_path, cache=kept).frame("prices")["x"].tolist() == ["1,234"]
    (tmp_path / "tables.toml").write_text('[prices]\ndecimal = ","\n')
    assert Catalog(tmp_path, cache=kept).frame("prices")["x"].tolist() == [1.234]


_IDS = ["12345678901234567", "12345678901234568", "0.5"]


@pytest.mark.parametrize(
    ("values", "held"),
    [
        (_IDS, _IDS),
        (["12345678901234567.25", "12345678901234567.75", "1"], ["12345678901234567.25", "12345678901234567.75", "1"]),
        (["12345678901234567168.000000", "0.5"], [12345678901234567168.0, 0.5]),  # as C writes that very float
        (["1e20", "0.5"], [1e20, 0.5]),
        (["0.1234567890123456789", "0.5"], [0.1234567890123456789, 0.5]),
    ],
)
def test_long_numbers_beside_fractions_keep_every_digit(tmp_path: Path, values: list[str], held: list) -> None:
    found, notes = reading(tmp_path, "v,name\n" + "".join(f"{value},A\n" for value in values))
    assert found["v"] == held
    assert notes == (('column "v": numbers of more than 15 digits stay text',) if held == values else ())


@pytest.mark.parametrize("late", [("12345678901234567", "12345678901234568"), ("005{}13", "5{}13")])
@pytest.mark.parametrize(("delimiter", "point"), [(",", "."), (";", ",")])
def test_long_numbers_and_codes_far_below_are_seen(
    tmp_path: Path, late: tuple[str, str], delimiter: str, point: str
) -> None:
    values = [*(f"{n}{point}5" for n in range(12_000)), *(text.format(point) for text in late)]
    found, _ = reading(tmp_path, f"v{delimiter}n\n" + "".join(f"{value}{delimiter}A\n" for value in values))
    assert found["v"] == values


@pytest.mark.parametrize("said", [",", "."])
def test_codes_stay_codes_where_the_sign_of_fractions_is_said(tmp_path: Path, said: str) -> None:
    found, _ = reading(tmp_path, f"zip;x\n01234;1{said}5\n1;2{said}5\n", decimal=said)
    assert found == {"zip": ["01234", "1"], "x": [1.5, 2.5]}


def test_fractions_with_a_zero_in_front_stay_text_in_parts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from pandas_magic.catalog.formats import windows
    from pandas_magic.catalog.sources import streaming

    (tmp_path / "t.csv").write_text("v,n\n" + "5.13,1\n005.13,2\n" * 100)
    monkeypatch.setattr(streaming, "STREAMED_BYTES", 1)
    monkeypatch.setattr(windows, "WINDOW_BYTES", 200)
    assert Catalog(tmp_path, cache=tmp_path / "kept").frame("t")["v"].tolist() == ["5.13", "005.13"] * 100


def test_long_numbers_beside_fractions_keep_every_digit_in_parts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from pandas_magic.catalog.formats import windows
    from pandas_magic.catalog.sources import streaming

    (tmp_path / "t.csv").write_text("v,n\n" + "".join(f"{value},1\n" for value in _IDS * 100))
    monkeypatch.setattr(streaming, "STREAMED_BYTES", 1)
    monkeypatch.setattr(windows, "WINDOW_BYTES", 200)
    catalog = Catalog(tmp_path, cache=tmp_path / "kept")
    assert catalog.frame("t")["v"].tolist() == _IDS * 100
    assert catalog.schema("t").notes == ('column "v": numbers of more than 15 digits stay text',)


def test_ten_thousand_columns_are_read(tmp_path: Path) -> None:
    names = [f"c{number}" for number in range(10_000)]
    (tmp_path / "wide.csv").write_text(",".join(names) + "\n" + ",".join(["1"] * 10_000) + "\n")
    catalog = Catalog(tmp_path, cache=tmp_path / "kept")
    assert len(catalog.schema("wide").columns) == 10_000
    assert catalog.frame("wide", ["c9999"])["c9999"].tolist() == [1]


def test_a_large_file_is_parsed_in_parts_to_the_same_frame(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from pandas_magic.catalog.formats import windows
    from pandas_magic.catalog.sources import streaming

    rows = [f"{n},{n if n < 9000 else 'x'},{n / 4},0{n % 7}" for n in range(10_000)]
    (tmp_path / "t.csv").write_text("id,mixed,share,code\n" + "\n".join(rows) + "\n")
    whole = Catalog(tmp_path, cache=tmp_path / "whole").frame("t")
    monkeypatch.setattr(streaming, "STREAMED_BYTES", 1000)
    monkeypatch.setattr(windows, "WINDOW_BYTES", 16 * 1024)
    catalog = Catalog(tmp_path, cache=tmp_path / "parts")
    pd.testing.assert_frame_equal(catalog.frame("t"), whole)
    assert 'column "code": codes with leading zeros stay text' in catalog.schema("t").notes
    assert whole["code"].tolist()[:2] == ["00", "01"]


def test_a_file_replaced_while_it_is_read_is_not_believed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from pandas_magic.catalog.sources import file_table

    path = tmp_path / "t.csv"
    path.write_text("a\n1\n")
    whole = file_table.read_file

    def read_and_replace(*given: object) -> object:
        found = whole(*given)
        path.write_text("a\n1\n2\n")
        return found

    monkeypatch.setattr(file_table, "read_file", read_and_replace)
    with pytest.raises(TableUnreadable, match=r"t\.csv changed while it was read; run it again"):
        Catalog(tmp_path).frame("t")


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.dat", "# measured\n  id   val\n  1   2.5\n  2   3.5\n"),
        ("a.csv", "#from the lab, Monday\nid,val\n1,2.5\n2,3.5\n"),
    ],
)
def test_a_comment_that_is_cut_like_the_rows_is_asked_about(tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(TableUnreadable, match='may be a comment or the line of column names; say comment = "#" or'):
        Catalog(tmp_path).frame("a")
    (tmp_path / "tables.toml").write_text('[a]\ncomment = "#"\n')
    assert Catalog(tmp_path).frame("a").to_dict("list") == {"id": [1, 2], "val": [2.5, 3.5]}
    (tmp_path / "tables.toml").write_text('[a]\ncomment = ""\n')
    assert len(Catalog(tmp_path).frame("a")) == 3


@pytest.mark.parametrize("first", ["1,2.5", "Ann,", "Ann,NA"])
def test_a_header_behind_a_comment_sign_is_the_header(tmp_path: Path, first: str) -> None:
    (tmp_path / "a.csv").write_text(f"#id,val\n{first}\n2,3.5\n")
    frame = Catalog(tmp_path).frame("a")
    assert list(frame.columns) == ["#id", "val"]
    assert frame["val"].tolist()[1] == 3.5
