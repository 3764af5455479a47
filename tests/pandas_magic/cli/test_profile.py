"""The report in a terminal: in words, as JSON, as a page.

It runs what docs/eda.md shows.
"""

import json
from pathlib import Path

import pytest

from pandas_magic.cli.main import main

ROWS = "kind,size\n" + "".join(f"{'ab'[n % 2]},{n % 9}\n" for n in range(40))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "t.csv").write_text(ROWS)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.feature("C02")
def test_profile_prints_words_json_and_a_page(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "earlier.csv").write_text(ROWS.replace("a,", "c,"))
    assert main(["profile", "t.csv", "--target", "kind", "--html", "t.html", "--against", "earlier.csv"]) == 0
    words = capsys.readouterr().out
    assert ('"t" has 40 rows and 2 columns' in words and "drift: some drift" in words) or "drift: large drift" in words
    assert (folder / "t.html").read_text().startswith("<!DOCTYPE html>")
    assert main(["profile", "t", "--json", "--save", "out"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["dataset"]["n_rows"] == 40
    assert (folder / "out" / "artifacts" / report["meta"]["run_id"] / "report.json").exists()


def test_profile_of_a_wrong_name_ends_with_2_and_the_nearest(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["profile", "tt"]) == 2
    assert 'no table "tt"' in capsys.readouterr().err


@pytest.mark.feature("C29")
@pytest.mark.parametrize(
    ("name", "said"), [("gone.csv", "there is no file gone.csv"), ("notes.docx", "is of no kind that is explored")]
)
def test_a_path_without_a_table_is_told_apart(
    folder: Path, capsys: pytest.CaptureFixture[str], name: str, said: str
) -> None:
    (folder / "notes.docx").write_text("x")
    assert main(["profile", name, "--json"]) == 2
    printed = capsys.readouterr()
    document = json.loads(printed.out)
    assert said in printed.err and said in document["meta"]["error"] and said in document["error"]["message"]


@pytest.mark.feature("C12")
def test_how_a_file_was_read_is_said_in_words(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "odd.csv").write_bytes(("kind;city\n" + "a;Kéln\n" * 30 + "1;2;3\n").encode("cp1252"))
    assert main(["profile", "odd.csv"]) == 0
    words = capsys.readouterr().out
    assert "note: the file is not UTF-8 and was read as Windows-1252" in words and "1 line had another number" in words
