"""The server as its clients meet it: the package's own client, over standard input and output.

It runs what docs/agents.md shows.
"""

import asyncio
import runpy
import shutil
import sys
from importlib.metadata import entry_points
from pathlib import Path

import nbformat
import pytest
from IPython.core.interactiveshell import InteractiveShell

from pandas_magic.cli.main import main

EXAMPLES = Path(__file__).parents[3] / "examples"
EXAMPLE = EXAMPLES / "agents" / "propose.py"


def test_a_client_proposes_a_check_and_reads_its_verdict(shop: Path) -> None:
    ask = runpy.run_path(str(EXAMPLE))["ask"]
    asked = (
        ("list_tables", {}),
        ("propose_check", {"rule": "amount must be positive", "target": "orders", "keep": True}),
        ("failing_rows", {"check_id": "CHK-001"}),
    )
    listed, (tables, proposed, rows) = asyncio.run(ask(str(shop), *asked))
    assert "propose_check" in listed
    assert not [name for name in listed if "approve" in name]
    assert [table["name"] for table in tables["tables"]] == ["orders"]
    assert (proposed["verdict"], proposed["approval"]) == ("FAIL", "waits for a person")
    assert "first_rows" not in rows
    assert (shop / "checks" / "registry" / "CHK-001.json").exists()


def test_the_notebook_of_confined_code_gives_what_was_saved(
    shell: InteractiveShell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for part in ("agents", "data"):
        shutil.copytree(EXAMPLES / part, tmp_path / part)
    monkeypatch.chdir(tmp_path / "agents")
    monkeypatch.syspath_prepend(str(tmp_path / "agents"))
    monkeypatch.setenv("PANDAS_MAGIC_AGENTS_SEE", "schema")
    for cell in nbformat.read(EXAMPLES / "agents" / "run_confined.ipynb", as_version=4).cells:
        if cell.cell_type == "code":
            done = shell.run_cell(cell.source, store_history=False)
            assert done.success, done.error_in_exec
            printed = capsys.readouterr().out
            for output in cell.outputs:
                assert output.get("text", output.get("data", {}).get("text/plain", "")).strip() in printed


def test_a_missing_package_is_one_line(
    shop: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "mcp.server", None)
    assert main(["mcp", "-C", str(shop)]) == 2
    assert "pip install 'pandas-magic[mcp]'" in capsys.readouterr().err


def test_a_jupyter_server_finds_the_same_tools(shop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(shop)
    (point,) = entry_points(group="jupyter_server_mcp.tools", name="pandas_magic")
    named = point.load()()
    # What the extension does with each: import the module, take the attribute, call it with the tool's arguments.
    module, _, name = next(each for each in named if each.endswith(":list_tables")).partition(":")
    answer = asyncio.run(getattr(sys.modules[module], name)())
    assert '"orders"' in answer
    assert not [each for each in named if "approve" in each]
