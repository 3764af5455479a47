"""`glossary.toml` in a workspace: read with every rule, kept with the check, listed by `pandas-magic glossary`."""

import json
from pathlib import Path

import pandas as pd
import pytest

from pandas_magic.cli.main import main
from pandas_magic.errors import GlossaryUnreadable, RuleNotUnderstood
from pandas_magic.registry.check_request import CheckRequest
from pandas_magic.reporters.question import question_lines
from pandas_magic.workspace import Workspace

RULE = "The moisture of every colony must be at most 18."


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "data").mkdir()
    harvests = pd.DataFrame({"volk": ["a", "b"], "wasser_pct": [17.5, 19.0], "zucker_pct": [79.0, 78.0]})
    harvests.to_csv(tmp_path / "data" / "ernten.csv", index=False)
    return tmp_path


def write(folder: Path, column: str = "wasser_pct") -> None:
    text = f'[tables]\ncolony = "ernten"\n[columns]\nmoisture = "ernten.{column}"\n'
    (folder / "glossary.toml").write_text(text, encoding="utf-8")


def test_a_rule_is_asked_about_until_the_glossary_tells(folder: Path) -> None:
    workspace = Workspace.open(folder)
    with pytest.raises(RuleNotUnderstood) as raised:
        workspace.check(CheckRequest(RULE, id="WET"))
    said = 'If "moisture" is what you call rows or a column, say so once in glossary.toml.'
    assert said in "\n".join(question_lines(raised.value))
    write(folder)  # while the workspace is open
    result = workspace.check(CheckRequest(RULE, id="WET"))
    assert (result.run.verdict.value, list(result.run.positions)) == ("FAIL", [1])
    assert result.compiled.terms == {"moisture": "ernten.wasser_pct", "colony": "ernten"}


def test_a_check_whose_term_means_something_else_is_no_verdict_at_night(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(folder)
    Workspace.open(folder).check(CheckRequest(RULE, id="WET"))
    write(folder, "zucker_pct")
    assert main(["run", "-C", str(folder), "--allow-proposed"]) == 3
    told = capsys.readouterr().out
    assert '"moisture" was "ernten.wasser_pct" in glossary.toml and is now "ernten.zucker_pct"' in told
    assert main(["compile", "-C", str(folder), "WET"]) == 0
    assert main(["run", "-C", str(folder), "--allow-proposed"]) == 1
    assert Workspace.open(folder).registry.get("WET").terms["moisture"] == "ernten.zucker_pct"


def test_the_terms_are_listed_with_what_means_nothing(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["glossary", "-C", str(folder)]) == 0
    assert "no glossary.toml here" in capsys.readouterr().out
    write(folder)
    assert main(["glossary", "-C", str(folder), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["terms"]["tables"] == {"colony": "ernten"}
    write(folder, "waser_pct")
    assert main(["glossary", "-C", str(folder)]) == 1
    assert 'did you mean "wasser_pct"?' in capsys.readouterr().out
    assert main(["compile", "-C", str(folder)]) == 0  # nothing to compile, so that no rule is read
    with pytest.raises(GlossaryUnreadable, match="waser_pct"):
        Workspace.open(folder).check(CheckRequest(RULE))


def test_a_broken_glossary_is_an_error_of_each_check_that_is_kept(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(folder)
    Workspace.open(folder).check(CheckRequest(RULE, id="WET"))
    (folder / "glossary.toml").write_text("[tables\n", encoding="utf-8")
    assert main(["run", "-C", str(folder), "--allow-proposed"]) == 3
    assert "glossary.toml is no TOML" in capsys.readouterr().out
    assert main(["history", "-C", str(folder), "--json"]) == 0
    assert "glossary.toml is no TOML" in capsys.readouterr().out
