"""From a file of one's own to checks that run: what is offered, what is kept, and what is said of mistakes."""

import io
import json
from pathlib import Path

import pandas as pd
import pytest

from pandas_magic.catalog.sources.addresses import locations_in
from pandas_magic.cli.main import main
from pandas_magic.cli.start import _declared

OWN_RULE = "price must not be negative"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    rows = range(60)
    menu = pd.DataFrame(
        {
            "dish_id": [100 + row for row in rows],
            "course": ["soup", "main", "sweet"] * 20,
            "price": [4.5 + row % 7 for row in rows],
            "cook": ["Ada", None, "Bo"] * 20,
        }
    )
    menu.to_csv(tmp_path / "menu.csv", index=False)
    (tmp_path / "notes.txt").write_text("nothing of a table\n")
    return tmp_path


def rules(folder: Path) -> list[str]:
    return [entry["rule"] for entry in json.loads((folder / "checks" / "checks.json").read_text())]


def test_checks_that_fit_are_offered_with_what_they_find_and_nothing_is_kept_unasked(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["start", str(folder / "menu.csv")]) == 0
    said = capsys.readouterr().out
    assert "menu: 60 rows, 4 columns" in said
    assert "menu: dish_id must be unique\n     PASS: 0 of 60 rows of menu break the rule" in said
    assert "menu: cook must be present\n     FAIL: 20 of 60 rows of menu break the rule" in said
    assert "menu: course must be one of 'main', 'soup', 'sweet'" in said
    assert f"pandas-magic start {folder / 'menu.csv'} --keep 1,2" in said
    assert not (folder / "checks").exists()


def test_what_is_named_is_kept_compiled_and_run_and_running_it_again_changes_nothing(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["start", str(folder), "--keep", "1", "--rule", OWN_RULE]
    assert main(words) == 0
    kept = rules(folder)
    assert kept[1:] == [OWN_RULE]
    assert "2 PASS" in capsys.readouterr().out
    assert main(words) == 0
    assert rules(folder) == kept
    assert main(["run", "-C", str(folder), "--allow-proposed"]) == 0


def test_a_rule_of_ones_own_is_about_the_file_that_is_named(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "menu_old.csv").write_text("dish_id,price\n1,2\n2,-3\n")
    (folder / "broken.csv").write_text("dish_id,price\n1,2\n2,free\n")
    for file, code, said in (
        ("menu.csv", 0, "0 of 60 rows of menu break"),
        ("menu_old.csv", 0, "1 of 2 rows of menu_old breaks"),
        ("broken.csv", 3, "price of broken is text, and 1 of the 2 values looked at can be read as a number"),
    ):
        assert main(["start", str(folder / file), "--rule", OWN_RULE]) == code
        seen = capsys.readouterr()
        assert said in seen.out + seen.err
        assert file == "menu.csv" or "menu: 60 rows" not in seen.out
    assert rules(folder) == [OWN_RULE] * 2


def test_at_a_terminal_it_asks(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    answers = iter(["9", "1", "the moon must be blue", OWN_RULE, ""])
    monkeypatch.setattr("builtins.input", lambda question: next(answers))
    terminal = io.StringIO()
    terminal.isatty = lambda: True  # type: ignore[method-assign]
    monkeypatch.setattr("sys.stdin", terminal)
    assert main(["start", str(folder)]) == 0
    seen = capsys.readouterr()
    assert "9 is none of the checks offered; name numbers from 1 to" in seen.err
    assert "moon" in seen.err
    assert rules(folder)[1:] == [OWN_RULE]
    assert "2 PASS" in seen.out


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["nowhere.csv"], 2, "there is no nowhere.csv; name a folder of tables, one file, or an address"),
        (["menu.csv", "--keep", "17"], 2, "17 is none of the checks offered"),
        (["small.csv", "--keep", "1"], 2, "1 is none of the checks offered; none was; state a rule of your own"),
        (["menu.csv", "--rule", "the moon must be blue"], 3, "moon"),
    ],
)
def test_a_mistake_is_one_line(
    folder: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    words: list[str],
    code: int,
    said: str,
) -> None:
    monkeypatch.chdir(folder)
    (folder / "small.csv").write_text("a\n1\n")
    assert main(["start", *words]) == code
    assert said in capsys.readouterr().err


def test_a_folder_without_tables_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["start", str(tmp_path)]) == 2
    assert "no table can be read in" in capsys.readouterr().err


@pytest.mark.parametrize(("command", "code"), [("compile", 0), ("list", 0), ("run", 2)])
def test_a_folder_without_checks_leads_there(
    folder: Path, capsys: pytest.CaptureFixture[str], command: str, code: int
) -> None:
    assert main([command, "-C", str(folder)]) == code
    assert "begin with: pandas-magic start" in "".join(capsys.readouterr())


def test_an_address_has_one_name_and_two_addresses_have_two(tmp_path: Path) -> None:
    path = tmp_path / "tables.toml"
    path.write_text('[orders]\nuri = "https://a.example/orders.csv"')
    assert _declared("https://a.example/orders.csv", path) == "orders"
    assert _declared('https://b.example/orders.csv?a="x"', path) == "orders_2"
    assert _declared('https://b.example/orders.csv?a="x"', path) == "orders_2"
    assert [location.uri[8] for location in locations_in(path).values()] == ["a", "b"]
