"""Tables with odd names of columns, and with many: how they are listed, and that they are checked."""

from pathlib import Path

import pandas as pd
import pytest

import pandas_magic
from pandas_magic.catalog.file_listing import available_files
from pandas_magic.cli.main import main
from pandas_magic.notebook.table_commands import table_columns, table_list
from pandas_magic.workspace import Workspace

ODD = 'df,class,"","a\nb","\x1b[2Jx"\n1,x,2,3,4\n'


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "odd.csv").write_text(ODD)
    names = [f"c{number}" for number in range(10_000)]
    (tmp_path / "data" / "wide.csv").write_text(",".join(names) + "\n" + ",".join(["1"] * 10_000) + "\n")
    return tmp_path


def test_a_terminal_shows_odd_names_on_a_line_each_and_not_all_of_ten_thousand(
    workspace: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["tables", "-C", str(workspace)]) == 0
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert lines[:6] == [
        ["odd", "·", "1", "row"],
        ["df", "int64"],
        ["class", "str"],
        ['""', "int64"],
        [r"a\nb", "int64"],
        [r"\x1b[2Jx", "int64"],
    ]
    assert len(lines) < 70
    assert " ".join(lines[-1]) == "… 9,950 more columns; pandas-magic tables wide tells them all"


def test_a_notebook_shows_odd_names_and_not_all_of_ten_thousand(workspace: Path) -> None:
    opened = Workspace.open(workspace)
    odd, wide = table_list(opened).rows
    assert odd[3] == r'df, class, "", a\nb, \x1b[2Jx'
    assert wide[2] == "10,000"
    assert wide[3].endswith("c29, … 9,970 more")
    assert [row[0] for row in table_columns(opened, "odd").rows] == ["df", "class", '""', r"a\nb", r"\x1b[2Jx"]


@pytest.mark.feature("D15")
def test_no_file_is_passed_over_without_a_word(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "data" / "2024" / "deep").mkdir(parents=True)
    (tmp_path / "data" / "orders.csv").write_text("order_id\n1\n")
    (tmp_path / "data" / "tables.toml").write_text("")
    for name in ("letter.doc", "model.bin", "2024/notes.DOC", "README"):
        (tmp_path / "data" / name).write_bytes(b"\xd0\xcf\x11\xe0")
    told = {
        "letter.doc": "an old Word document cannot be read; save it as .docx",
        "model.bin": ".bin is of no kind that is read",
        "README": "a file without a suffix is of no kind that is read",
        "2024/deep": "folders below a sub-folder are not looked into",
        "2024/notes.DOC": "an old Word document cannot be read; save it as .docx",
    }
    workspace = Workspace.open(tmp_path)
    assert workspace.catalog.passed_over() == told
    assert "letter.doc (an old Word document" in table_list(workspace).summary
    listed = available_files(workspace.catalog)["files"]
    assert {file["file_name"]: file["error"] for file in listed if "error" in file} == told
    of_group = available_files(workspace.catalog, group="2024")["files"]
    assert [file["file_name"] for file in of_group] == ["2024/deep", "2024/notes.DOC"]
    assert main(["tables", "-C", str(tmp_path)]) == 0
    assert "letter.doc" in capsys.readouterr().out


@pytest.mark.feature("D15")
def test_beside_notebooks_and_checks_only_what_looks_like_a_document_is_told(tmp_path: Path) -> None:
    for name in ("orders.csv", "analysis.ipynb", "pyproject.toml", "letter.doc"):
        (tmp_path / name).write_text("")
    assert list(Workspace.open(tmp_path).catalog.passed_over()) == ["letter.doc"]


@pytest.mark.parametrize(
    ("rule", "code"),
    [
        ('"" must be present', 't[t[""].isna()]'),
        ('"a\nb" must be positive', r't[t["a\nb"] <= 0]'),
        ("class must be present", 't[t["class"].isna()]'),
        ("df must be at least 1", 't[t["df"] < 1]'),
    ],
)
def test_columns_of_odd_names_are_checked(rule: str, code: str) -> None:
    table = pd.DataFrame({"": [2.0, None], "a\nb": [1, -3], "class": ["x", None], "df": [1, 0]})
    run = pandas_magic.check(rule, tables={"t": table})
    assert run.code.strip() == f"violations = {code}"
    assert list(run.violations.index) == [1]
