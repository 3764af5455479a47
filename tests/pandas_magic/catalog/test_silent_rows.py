"""No row of a delimited file is lost without a word: each is read, or the file is refused in one line."""

import csv
from pathlib import Path

import pytest

from pandas_magic.catalog.sources import streaming

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
