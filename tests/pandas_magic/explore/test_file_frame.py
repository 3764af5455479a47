"""Files as frames: what is found out about them, and what is refused with a reason."""

import re
from pathlib import Path

import pandas as pd
import pytest

from pandas_magic.explore.confined.file_frame import Unreadable, read_table
from pandas_magic.explore.confined.recognition import column_of


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("empty.csv", b"", "is empty"),
        ("binary.csv", b"\x89PNG\r\n\x00\x00\x01", "is not text"),
        ("excel.csv", b"sep=;\r\na;b\r\n1;2\r\n", "begins with the line sep=;, which is no row"),
        ("ragged.csv", b"a,b\n1,2\n1\n1,2,3\n4\n", "do not have the 2 columns"),
        ("open.csv", b'a,b\n1,x\n2,"open\n3,y\n4,z\n', 'opened in row 2, column "b", is never closed'),
        ("broken.xlsx", b"PK\x03\x04 nonsense", "does not parse as XLSX"),
        ("broken.parquet", b"PAR1 nonsense PAR1", "does not parse as PARQUET"),
        ("broken.json", b'[{"a": 1},', "does not parse as JSON"),
        ("map.json", b'{"a": 1}', "is not a list of records"),
        ("twice.json", b'[{"a": 1, "b": 2, "a": 3}]', '"a" stands twice in one record'),
        ("twice.jsonl", b'{"a": 1}\n{"a": 1, "a": 3}\n', '"a" stands twice in one record'),
        ("what.docx", b"x", "is not of a kind that is read"),
    ],
)
@pytest.mark.feature("C12", "C35")
def test_a_broken_file_is_named_with_what_is_wrong(tmp_path: Path, name: str, content: bytes, said: str) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(Unreadable, match=re.escape(name)) as failed:
        read_table(str(path), name)
    assert said in str(failed.value)


@pytest.mark.parametrize(
    ("name", "content", "delimiter", "encoding"),
    [
        ("a.csv", b"a,b\n1,x\n2,y\n", ",", "utf-8"),
        ("a.csv", b"a;b\n1,5;x\n2,5;y\n", ";", "utf-8"),
        ("a.txt", b"a|b\n1|x\n2|y\n", "|", "utf-8"),
        ("a.tsv", b"a\tb\n1\tx\n", "\t", "utf-8"),
        ("a.csv", "\ufeffa,b\n1,x\n".encode(), ",", "utf-8-sig"),
        ("a.csv", "a,b\n1,x\n".encode("utf-16"), ",", "utf-16"),
        ("a.csv", "a,b\n1,\xe9\n".encode("cp1252"), ",", "cp1252"),
    ],
)
@pytest.mark.feature("C12")
def test_delimiter_and_encoding_are_found(
    tmp_path: Path, name: str, content: bytes, delimiter: str, encoding: str
) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    frame, facts = read_table(str(path), name)
    assert list(frame.columns) == ["a", "b"]
    assert (facts["delimiter"], facts["encoding"], facts["bytes"]) == (delimiter, encoding, len(content))


def test_a_quotation_mark_inside_a_value_is_a_character(tmp_path: Path) -> None:
    path = tmp_path / "pipes.csv"
    path.write_text('size,note\n5" pipe,"two\nlines"\n6,x\n')
    assert read_table(str(path), "pipes.csv")[0]["size"].tolist() == ['5" pipe', "6"]


def test_one_line_without_an_end_is_a_header(tmp_path: Path) -> None:
    path = tmp_path / "header.csv"
    path.write_text("a,b")
    assert read_table(str(path), "header.csv")[0].shape == (0, 2)


def test_long_numbers_keep_their_digits(tmp_path: Path) -> None:
    path = tmp_path / "ids.csv"
    path.write_text("id,big\n9007199254740993,12345678901234567890123\n,2\n")
    frame, _ = read_table(str(path), "ids.csv")
    assert frame["id"][0] == 9007199254740993 and frame["big"][0] == "12345678901234567890123"


@pytest.mark.parametrize("suffix", ["parquet", "feather", "xlsx", "json"])
def test_other_formats_are_read(tmp_path: Path, suffix: str) -> None:
    frame = pd.DataFrame({"a": [1, 2], "b": ["x", "y"]})
    path = tmp_path / f"t.{suffix}"
    writers = {
        "parquet": frame.to_parquet,
        "feather": frame.to_feather,
        "json": lambda to: frame.to_json(to, orient="records"),
    }
    writers.get(suffix, lambda to: frame.to_excel(to, index=False))(path)
    pd.testing.assert_frame_equal(read_table(str(path), path.name)[0], frame)


@pytest.mark.feature("C12", "C13")
def test_codes_with_a_zero_in_front_stay_as_they_are_written(tmp_path: Path) -> None:
    path = tmp_path / "zip.csv"
    path.write_text("zip,amount,at\n00717,10,2024-01-05\n10115,0,2024-01-06\n")
    frame, _ = read_table(str(path), path.name)
    assert frame["zip"].tolist() == ["00717", "10115"] and frame["amount"].tolist() == [10, 0]
    assert column_of("zip", frame["zip"]).kind == "categorical"


def test_prose_with_commas_below_one_name_is_refused_with_what_can_be_done(tmp_path: Path) -> None:
    path = tmp_path / "prose.csv"
    path.write_text("text\n" + "well, well\n" * 20)
    with pytest.raises(Unreadable, match='were cut at ","; mend them, or quote the fields that hold it'):
        read_table(str(path), path.name)
