"""No row of a delimited file is lost without a word: each is read, or the file is refused in one line."""

import csv
from pathlib import Path

import pytest

from pandas_magic.catalog import Catalog
from pandas_magic.catalog.formats import windows
from pandas_magic.catalog.sources import streaming
from pandas_magic.errors import TableUnreadable

from .test_delimited import reading


@pytest.mark.parametrize("content", ["id,x\n1,5\n\\N,6\n", "id,x\n\\N,5\n1,6\n"])
def test_what_databases_write_for_null_is_missing(tmp_path: Path, content: str) -> None:
    rows, _ = reading(tmp_path, content)
    assert sorted(rows["id"], key=str) == [1, None]


def test_a_null_of_a_database_among_texts_is_noted(tmp_path: Path) -> None:
    rows, notes = reading(tmp_path, "name,x\n\\N,5\nAnn,6\n")
    assert rows["name"] == [None, "Ann"]
    assert 'column "name": "\\N" is read as missing; say missing = [""] where it is a text' in notes


@pytest.mark.parametrize("below", ["2,5\n", "2\n"])
def test_a_field_of_any_length_is_read(tmp_path: Path, below: str) -> None:
    usual = csv.field_size_limit()
    rows, _ = reading(tmp_path, f"id,x\n1,{'a' * 200_000}\n{below}")
    assert [len(text or "") for text in rows["x"]] == [200_000, len(below) // 4]
    assert csv.field_size_limit() == usual


def test_short_rows_that_end_in_carriage_returns_are_filled(tmp_path: Path) -> None:
    rows, notes = reading(tmp_path, "id,amount,x\r1,5,3\r2,-6\r")
    assert rows == {"id": [1, 2], "amount": [5, -6], "x": [3, None]}
    assert "shorter rows (1): what they lack is missing" in notes


UNCLOSED = [
    ('amount,name\n10,bolt\n5,"3 inch pipe\n-3,nut\n-8,washer\n', 3),
    ('id,name,amount\n1,bolt,10\n2,"3 inch pipe,5\n3,nut,-3\n4,washer,-8\n', 3),
    ('id,name,amount\n1,"5 pipe,10\n2,bolt,-3\n3,"7 pipe,10\n4,nut,8\n', 2),
    ('id;name\r\n1;"x"\r\n2;"3 inch\r\n', 3),
    ('id\tname\n1\t"say \\"hi\\""\n', 2),
    ('# by "Ann\nid,name\n1,"x\n2,y\n', 3),
    ('Report, of "May"\n\nid,x,y\n1,2,"z\n', 4),
]


@pytest.mark.parametrize(("content", "line"), UNCLOSED)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_a_stray_quotation_mark_is_refused_with_its_line(
    tmp_path: Path, content: str, line: int, encoding: str
) -> None:
    with pytest.raises(TableUnreadable) as caught:
        reading(tmp_path, content.encode(encoding))
    assert str(caught.value).startswith(f"t.csv: the quotation mark in line {line} opens a text")
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 300


def test_a_stray_quotation_mark_is_refused_where_short_rows_are_filled(tmp_path: Path) -> None:
    with pytest.raises(TableUnreadable, match="the quotation mark in line 3"):
        reading(tmp_path, UNCLOSED[0][0], ragged="fill")


def test_marks_are_letters_where_another_sign_is_said(tmp_path: Path) -> None:
    assert reading(tmp_path, UNCLOSED[0][0], quote="~")[0]["amount"] == [10, 5, -3, -8]


@pytest.mark.parametrize(
    ("content", "texts"),
    [
        ('id,x\n1,3" pipe\n2,4"" rod\n', ['3" pipe', '4"" rod']),
        ('id,x\n1,"a\n\n,b"\n2,"say ""hi"""\n', ["a\n\n,b", 'say "hi"']),
        ('id,x\n1,""\n2,"a" \n', [None, "a "]),
        ('id,x\n1, "a"\n2,"b"', [' "a"', "b"]),
    ],
)
def test_marks_that_close_and_marks_within_a_text_are_read(tmp_path: Path, content: str, texts: list[str]) -> None:
    assert reading(tmp_path, content)[0]["x"] == texts


@pytest.mark.parametrize("stray", ['"3 inch', '"a" b', '3" inch'])
@pytest.mark.parametrize("large_bytes", [0, 2**31])
def test_stray_marks_in_large_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, stray: str, large_bytes: int
) -> None:
    monkeypatch.setattr(streaming, "STREAMED_BYTES", 1000)
    monkeypatch.setattr(streaming, "LARGE_BYTES", large_bytes)
    monkeypatch.setattr(streaming, "_BLOCK_BYTES", 4096)
    monkeypatch.setattr(windows, "WINDOW_BYTES", 4096)
    rows = [f'{number},"a ""b"" {number}"' for number in range(2000)]
    rows[1500] = f"1500,{stray}"
    (tmp_path / "t.csv").write_text("id,x\n" + "\n".join(rows) + "\n")
    catalog = Catalog(tmp_path, cache=tmp_path / "kept")
    if stray == '3" inch':
        assert catalog.frame("t")["x"].tolist()[1499:1501] == ['a "b" 1499', '3" inch']
        return
    with pytest.raises(TableUnreadable, match=r"t\.csv: the quotation mark in line 1,502 opens"):
        catalog.frame("t")


@pytest.mark.parametrize(
    ("content", "column", "values"),
    [
        ("topic\n#sale\nnews\n#sale\nhome\n", "topic", ["#sale", "news", "#sale", "home"]),
        ("#topic\n#sale\nnews\nhome\n", "#topic", ["#sale", "news", "home"]),
        ("topic\nnews\nhome\n#sale\n", "topic", ["news", "home", "#sale"]),
        ("topic\n# my sale\nnews\nhome\n", "topic", ["# my sale", "news", "home"]),
        ("path,size\n//srv/a,-5\n//srv/b,6\nc:/x,7\nd:/y,8\n//end,1\n", "size", [-5, 6, 7, 8, 1]),
        ("path,size\n//srv/a,-5\nc:/x,7\n// end of it\n", "size", [-5, 7, None]),
        ("# from the lab\ntopic\nnews\nhome\n", "topic", ["news", "home"]),
        ("a,b\n1,2\n# see c, d, e\n3,4\n#end\n", "a", [1, 3]),
        ('a,b\n1,"x\n#y,z"\n3,4\n# end\n', "a", [1, 3]),
    ],
)
def test_a_row_that_begins_with_a_comment_sign_is_a_row(
    tmp_path: Path, content: str, column: str, values: list[object]
) -> None:
    assert reading(tmp_path, content)[0][column] == values


@pytest.mark.parametrize(
    "content",
    [
        "ticket,hours,comment\n#101,-5\n102,7,x\n103,8,y\n",
        "a,b\n1,2\n# see, there\n3,4\n",
        "# by x\na,b\n" + "1,2\n" * 300 + "#7,-1\n",
        "# by x\na\n" + "x\n" * 300 + "#7\n",
    ],
)
def test_a_line_that_may_be_a_comment_or_a_row_is_asked_about(tmp_path: Path, content: str) -> None:
    with pytest.raises(TableUnreadable, match=r'^t\.csv: the line "#.*may be a comment or a row; say comment = "#" or'):
        reading(tmp_path, content)
    assert reading(tmp_path, content, comment="#")


@pytest.mark.parametrize(
    ("content", "rows"),
    [
        ("email\nann@x.org\n\nbob@x.org\n", {"email": ["ann@x.org", None, "bob@x.org"]}),
        ("\nn\r\n1\r\n\r\n\r\n2\r\n\r\n\r\n", {"n": [1, None, None, 2]}),
        ("n\r\r1\r\r", {"n": [None, 1]}),
        ("1\n\n2", {"column_1": [1, None, 2]}),
        ('t\n"a\n\nb"\n\n"c"\n', {"t": ["a\n\nb", None, "c"]}),
        ('t\n3" rod\n\n4" rod\n\n', {"t": ['3" rod', None, '4" rod']}),
        ("a,b\n1,2\n\n3,4\n\n", {"a": [1, 3], "b": [2, 4]}),
    ],
)
def test_an_empty_line_between_rows_of_one_column_is_an_empty_cell(
    tmp_path: Path, content: str, rows: dict[str, list[object]]
) -> None:
    assert reading(tmp_path, content)[0] == rows


def test_empty_cells_of_a_large_file_of_one_column_are_rows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streaming, "STREAMED_BYTES", 1000)
    (tmp_path / "t.csv").write_text("n\n" + "1\n\n" * 1000)
    found = Catalog(tmp_path, cache=tmp_path / "kept").frame("t")["n"]
    assert (len(found), int(found.isna().sum())) == (1999, 999)


@pytest.mark.parametrize("streamed", [False, True])
def test_a_word_for_missing_is_told_wherever_it_stands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, streamed: bool
) -> None:
    below = 150_000 * "Ann,1\n"  # the word stands beyond the first megabyte
    (tmp_path / "t.csv").write_text(f"name,x\n{below}null,2\nN/A,3\n,4\n")
    if streamed:
        monkeypatch.setattr(streaming, "STREAMED_BYTES", 1)
    notes = Catalog(tmp_path, cache=tmp_path / "kept").schema("t").notes
    assert notes == ('column "name": "N/A", "null" are read as missing; say missing = [""] where it is a text',)


def test_a_column_of_nothing_but_a_word_for_missing_is_told(tmp_path: Path) -> None:
    rows, notes = reading(tmp_path, "land,x\nNA,5\nNA,6\n")
    assert rows["land"] == [None, None]
    assert any('"NA" is read as missing' in note for note in notes)


@pytest.mark.parametrize("streamed", [False, True])
def test_na_among_codes_of_countries_is_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, streamed: bool) -> None:
    (tmp_path / "t.csv").write_text("land,x\nDE,1\nNA,NA\nFR,3\n,4\n")
    if streamed:
        monkeypatch.setattr(streaming, "STREAMED_BYTES", 1)
    catalog = Catalog(tmp_path, cache=tmp_path / "kept")
    assert catalog.schema("t").values == {"land": ("DE", "FR", "NA")}
    assert catalog.schema("t").missing == {"land": 1, "x": 1}
    assert '"NA" is a code as the others are; say missing = ["", "NA"]' in catalog.schema("t").notes[0]


@pytest.mark.parametrize("others", ["DE,1\nDE,2\n", "DE,1\nde,2\n", "DE,1\nFRA,2\n", "yes,1\nno,2\n"])
def test_na_among_anything_else_is_missing(tmp_path: Path, others: str) -> None:
    rows, notes = reading(tmp_path, f"land,x\n{others}NA,3\n")
    assert rows["land"][-1] is None
    assert any('"NA" is read as missing' in note for note in notes)


def test_na_among_codes_is_missing_where_that_is_said(tmp_path: Path) -> None:
    rows, notes = reading(tmp_path, "land,x\nDE,1\nNA,2\nFR,3\n", missing=["", "NA"])
    assert (rows["land"], notes) == (["DE", None, "FR"], ())
