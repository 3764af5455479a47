"""The server as its clients meet it: the package's own client, over standard input and output.

It runs what docs/agents.md shows.
"""

import asyncio
import runpy
import sys
from importlib.metadata import entry_points
from pathlib import Path

import pytest

from pandas_magic.cli.main import main

EXAMPLE = Path(__file__).parents[3] / "examples" / "agents" / "propose.py"


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
