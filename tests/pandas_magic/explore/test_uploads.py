"""Files that are handed over in the panel: private, named safely, and tables only where they are some."""

import stat
from pathlib import Path

import pandas as pd
import pytest

from pandas_magic.errors import TableUnreadable, UsageMistake
from pandas_magic.explore.study import Study
from pandas_magic.explore.uploads import take_upload
from pandas_magic.workspace import Workspace

CSV = b"a,b\n1,x\n2,y\n"


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    return Workspace.open(tmp_path, tables={"people": pd.DataFrame({"a": [1]})})


@pytest.mark.feature("C01")
@pytest.mark.feature("C34")
def test_an_upload_is_a_table_of_the_session_in_a_private_file(workspace: Workspace, tmp_path: Path) -> None:
    name, place = Study(workspace).take_upload("Sales 2024.csv", CSV)
    assert (name, place) == ("Sales_2024", ".pandas_magic/uploads/Sales_2024.csv")
    assert workspace.catalog.frame(name)["b"].tolist() == ["x", "y"]
    assert stat.S_IMODE((tmp_path / place).stat().st_mode) == 0o600
    assert stat.S_IMODE((tmp_path / place).parent.stat().st_mode) == 0o700
    assert (tmp_path / ".pandas_magic" / ".gitignore").is_file()


@pytest.mark.feature("C34")
@pytest.mark.parametrize(
    ("file_name", "kept"),
    [
        ("../../etc/passwd.csv", "passwd.csv"),
        ("C:\\Users\\me\\sales.csv", "sales.csv"),
        (".csv", "upload.csv"),
        ("a b;rm -rf.CSV", "a_b_rm_rf.csv"),
        ("people.csv", "people_2.csv"),
        (f"{'x' * 300}.csv", f"{'x' * 60}.csv"),
    ],
)
def test_a_name_of_an_upload_becomes_no_path_and_takes_no_tables_place(
    workspace: Workspace, file_name: str, kept: str
) -> None:
    name, path = take_upload(workspace, file_name, CSV)
    assert path == workspace.journal.folder / "uploads" / kept
    assert name == Path(kept).stem


@pytest.mark.feature("C34")
def test_what_is_no_table_leaves_nothing_behind(workspace: Workspace) -> None:
    for file_name, content in (("a.exe", b"MZ"), ("b.parquet", b"no parquet")):
        with pytest.raises(TableUnreadable):
            take_upload(workspace, file_name, content)
    with pytest.raises(UsageMistake, match=r'"c.csv" is empty'):
        take_upload(workspace, "c.csv", b"")
    assert list((workspace.journal.folder / "uploads").iterdir()) == []
    assert workspace.table_names() == ["people"]


@pytest.mark.feature("C34")
def test_an_upload_over_the_limit_is_refused(tmp_path: Path) -> None:
    workspace = Workspace.open(tmp_path, settings={"max_file_bytes": 5})
    with pytest.raises(UsageMistake, match=r"has 12 bytes, over max_file_bytes \(5\)"):
        take_upload(workspace, "a.csv", CSV)


@pytest.mark.feature("C34")
def test_each_sheet_of_an_upload_is_a_table(workspace: Workspace, tmp_path: Path) -> None:
    with pd.ExcelWriter(tmp_path / "book.xlsx") as book:
        for number, sheet in enumerate(("Jan", "Feb", "to do", "to-do")):
            pd.DataFrame({"a": [number]}).to_excel(book, sheet_name=sheet, index=False)
    content = (tmp_path / "book.xlsx").read_bytes()
    study = Study(workspace)
    assert study.take_upload("Sales.xlsx", content) == ("Sales_Jan", ".pandas_magic/uploads/Sales.xlsx")
    assert study.take_upload("Sales.xlsx", content)[0] == "Sales_2_Jan"
    names = ["Sales_Jan", "Sales_Feb", "Sales_to_do", "Sales_to_do_4"]
    assert [workspace.catalog.frame(name)["a"].to_list() for name in names] == [[0], [1], [2], [3]]
