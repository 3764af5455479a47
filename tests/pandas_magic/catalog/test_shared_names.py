"""Two files of one name: both are tables, under names that tell them apart, and no other table is touched."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pandas as pd
import pytest

from pandas_magic import check
from pandas_magic.catalog import Catalog
from pandas_magic.errors import RuleNotUnderstood, TableUnreadable
from pandas_magic.registry.check_request import CheckRequest
from pandas_magic.workspace import Workspace


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "bad.csv").write_text("x\n1\n-2\n")
    pd.DataFrame({"x": [-1, -2, -3]}).to_excel(tmp_path / "bad.xlsx", index=False)
    (tmp_path / "orders.csv").write_text("amount\n5\n-1\n")
    return tmp_path


@pytest.fixture
def workspace(folder: Path) -> Iterator[Workspace]:
    workspace = Workspace.open(folder)
    yield workspace
    workspace.close()


def test_both_files_are_tables_and_the_bare_name_is_refused_with_both(folder: Path) -> None:
    catalog = Catalog(folder)
    assert catalog.names() == ["bad.csv", "bad.xlsx", "orders"]
    assert catalog.unreadable() == {}
    assert list(catalog.frame("bad.csv")["x"]) == [1, -2]
    assert list(catalog.frame("bad.xlsx")["x"]) == [-1, -2, -3]
    with pytest.raises(TableUnreadable, match=r'"bad" could be any of bad\.csv, bad\.xlsx; name the one that is meant'):
        catalog.frame("bad")


def test_a_table_gets_its_own_name_back_when_it_is_alone_again(folder: Path) -> None:
    catalog = Catalog(folder)
    assert "bad.csv" in catalog.names()
    (folder / "bad.xlsx").unlink()
    assert catalog.names() == ["bad", "orders"]
    assert list(catalog.frame("bad")["x"]) == [1, -2]


def test_sheets_and_groups_are_told_apart(tmp_path: Path) -> None:
    with pd.ExcelWriter(tmp_path / "book.xlsx") as book:
        for sheet in ("one", "two"):
            pd.DataFrame({"x": [1]}).to_excel(book, sheet_name=sheet, index=False)
    (tmp_path / "book_one.csv").write_text("x\n2\n")
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "b.csv").write_text("x\n3\n")
    (tmp_path / "a_b.csv").write_text("x\n4\n")
    catalog = Catalog(tmp_path)
    assert catalog.names() == ["a/b.csv", "a_b.csv", "book.xlsx_one", "book_one.csv", "book_two"]
    assert [int(catalog.frame(name)["x"].iloc[0]) for name in catalog.names()] == [3, 4, 1, 2, 1]


def test_what_is_declared_of_reading_holds_for_the_file_under_either_name(folder: Path) -> None:
    (folder / "bad.csv").write_text("x;y\n1;2\n")
    (folder / "tables.toml").write_text('[bad]\nas_text = ["x"]\n')
    assert Catalog(folder).schema("bad.csv").columns == {"x": "str", "y": "int64"}


@pytest.mark.parametrize("rule", ["Flag bad rows where x is below 0", "bad: x must be at least 0", "bad.x >= 0"])
def test_a_rule_that_says_the_bare_name_asks_which(workspace: Workspace, rule: str) -> None:
    with pytest.raises(RuleNotUnderstood, match=r'^"bad" could be any of bad\.csv, bad\.xlsx; write the rule') as asked:
        check(rule, workspace=workspace)
    assert tuple(map(str, asked.value.readings)) == (
        "`bad.csv`: x must be at least 0",
        "`bad.xlsx`: x must be at least 0",
    )
    assert check(asked.value.readings[1].sentence, workspace=workspace).violation_count == 3


def test_rules_about_other_tables_are_checked_as_before(workspace: Workspace) -> None:
    assert check("amount must be at least 0", workspace=workspace).violation_count == 1


def test_a_rule_about_a_table_that_cannot_be_read_says_why_it_cannot(tmp_path: Path) -> None:
    (tmp_path / "void.csv").write_text("")
    twice = pd.DataFrame([[1, 2], [3, 4]], columns=["k", "k"])
    with closing(Workspace.open(tmp_path, namespace={"twice": twice})) as workspace:
        for rule, why in (("twice.k must be positive", "more than one column named"), ("void.x > 1", "is empty")):
            with pytest.raises(RuleNotUnderstood, match=why):
                workspace.check(CheckRequest(rule=rule))
