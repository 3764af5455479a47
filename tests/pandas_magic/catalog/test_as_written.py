"""Codes that look like numbers stay as they are written, and letters of DOS are not taken for those of Windows."""

from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import pandas_magic
from pandas_magic.catalog import Catalog
from pandas_magic.catalog.sources import streaming
from pandas_magic.errors import TableUnreadable

from .test_delimited import reading


@pytest.mark.parametrize(
    ("values", "held"),
    [
        (["+49123", "49123"], ["+49123", "49123"]),
        (["+4915112345678", ""], ["+4915112345678", None]),
        (["+5", "-3"], [5, -3]),
        (["+1.5", "2"], [1.5, 2]),
        (["+1e3", "2"], [1000, 2]),
    ],
)
def test_a_plus_that_is_no_sign_stays(tmp_path: Path, values: list[str], held: list[object]) -> None:
    rows, notes = reading(tmp_path, "\n".join(["tel,x", *(f"{value},1" for value in values)]))
    assert rows["tel"] == held
    assert notes == (('column "tel": codes with a plus stay text',) if "+" in str(held[0]) else ())


@pytest.mark.parametrize("said", [{}, {"decimal": ","}, {"thousands": " "}])
def test_a_plus_before_groups_stays(tmp_path: Path, said: dict[str, str]) -> None:
    rows, _ = reading(tmp_path, "tel;x\n+49 123;1\n49 123;2\n", **said)
    assert rows["tel"] == ["+49 123", "49 123"]


def test_a_plus_stays_in_a_file_that_is_parsed_in_parts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streaming, "STREAMED_BYTES", 1)
    (tmp_path / "t.csv").write_text("tel,x\n+49123,1\n49123,2\n")
    catalog = Catalog(tmp_path, cache=tmp_path / "kept")
    assert catalog.frame("t")["tel"].to_list() == ["+49123", "49123"]
    assert catalog.schema("t").notes == ('column "tel": codes with a plus stay text',)


def test_a_plus_stays_in_a_sheet(tmp_path: Path) -> None:
    pd.DataFrame({"tel": ["+49123", 49123], "x": [1, 2]}).to_excel(tmp_path / "t.xlsx", index=False)
    run = pandas_magic.check("tel must be unique", tables={"t": tmp_path / "t.xlsx"})
    assert run.verdict == "PASS"


@pytest.mark.parametrize(
    ("written", "held"),
    [
        (["017", "18"], ["017", "18"]),
        (["0x1F", "3"], ["0x1F", "3"]),
        (["12:30", "7:05"], ["12:30", "7:05"]),
        (["1.1", "1.10"], ["1.1", "1.10"]),
        (["+49123", "49123"], ["+49123", "49123"]),
        (["1.10", "2.50", "0.5", "0"], [1.1, 2.5, 0.5, 0]),
        (["-7", "0", "1_000"], [-7, 0, 1000]),
        (["'017'", "'18'"], ["017", "18"]),
    ],
)
def test_numbers_of_yaml_that_would_be_others_stay_text(tmp_path: Path, written: list[str], held: list[Any]) -> None:
    path = tmp_path / "t.yaml"
    path.write_text("".join(f"- {{id: {at}, v: {value}}}\n" for at, value in enumerate(written)))
    catalog = Catalog(given={"t": path})
    assert catalog.frame("t")["v"].to_list() == held
    assert catalog.frame("t")["id"].to_list() == list(range(len(held)))
    is_changed = isinstance(held[0], str) and written == held
    assert len(catalog.schema("t").notes) == is_changed


@pytest.mark.parametrize(
    ("text", "shown"), [("Größe", "Größe"), ("Müller", "Müller"), ("Mädchen", "Mädchen"), ("Café", "Café")]
)
def test_letters_of_dos_are_asked_about(tmp_path: Path, text: str, shown: str) -> None:
    with pytest.raises(TableUnreadable, match=rf'or say its encoding, as in .* cp850 reads "{shown}"'):
        reading(tmp_path, f"name\n{text}\nAnn\n".encode("cp850"))
    rows, _ = reading(tmp_path, f"name\n{text}\nAnn\n".encode("cp850"), encoding="cp850")
    assert rows["name"] == [text, "Ann"]


def test_quotation_marks_of_windows_around_words_stay_such(tmp_path: Path) -> None:
    rows, _ = reading(tmp_path, "name\n„Müller“ l’été – „so“\n".encode("cp1252"))
    assert rows["name"] == ["„Müller“ l’été – „so“"]
