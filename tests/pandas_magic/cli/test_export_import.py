"""`pandas-magic export` and `import` in a terminal: files written, checks proposed, what did not cross listed."""

import json
import shutil
from pathlib import Path

import pytest

from pandas_magic.cli.main import main
from pandas_magic.registry.checks_list import read_checks

ROOT = Path(__file__).parents[3]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    shutil.copytree(ROOT / "examples" / "checks", tmp_path / "checks")
    return tmp_path


def test_a_suite_of_one_table_is_written(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = folder / "suite.json"
    assert main(["export", "-C", str(folder), "--to", "great-expectations", "orders", "-o", str(out)]) == 0
    assert f"8 checks written to {out}" in capsys.readouterr().out
    assert len(json.loads(out.read_text())["expectations"]) == 8


def test_what_a_peer_cannot_say_is_listed_and_strict_makes_it_count(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["export", "-C", str(folder), "--to", "dbt", "--strict"]) == 1
    shown = capsys.readouterr()
    assert shown.out.startswith("version: 2\n")
    assert "not expressed (1):\n  CHK-009: databases do not agree on how to say it (matches)" in shown.err


def test_several_tables_in_a_suite_for_one_are_refused(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["export", "-C", str(folder), "--to", "great-expectations"]) == 2
    assert "these checks are about events, orders, users; name one" in capsys.readouterr().err


def test_a_table_without_checks_is_refused(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["export", "-C", str(folder), "--to", "dbt", "order"]) == 2
    assert 'no check is about "order"; there are checks about events, orders, users' in capsys.readouterr().err


def test_what_is_imported_is_proposed_beside_the_checks_there_are(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    schema = tmp_path / "schema.yml"
    schema.write_text(
        "version: 2\nmodels:\n  - name: orders\n    columns:\n      - name: order_id\n        tests:\n"
        "          - unique\n          - not_null: {name: CHK-001}\n          - my_test\n"
    )
    command = ["import", "-C", str(folder), "--from", "dbt", str(schema)]
    assert main([*command, "--dry-run"]) == 0
    assert not (folder / "checks" / "checks.json").exists()
    assert main(command) == 0
    assert main([*command, "--strict"]) == 1
    # The registry has a CHK-001 of its own.
    assert [(check.id, check.rule, check.tables) for check in read_checks(folder / "checks" / "checks.json")] == [
        ("DBT-001", "orders: order_id must be unique", ("orders",)),
        ("CHK-001-2", "orders: order_id must be present", ("orders",)),
    ]
    shown = capsys.readouterr().out
    assert "2 checks proposed; written to checks/checks.json" in shown
    assert "0 checks proposed, 2 already there; nothing to write" in shown
    assert "not carried over (1):\n  line 9 · orders order_id my_test: the test my_test is not understood" in shown


def test_the_json_has_everything(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "checks.yml"
    assert main(["export", "-C", str(folder), "--json", "--to", "soda", "-o", str(out)]) == 0
    exported = json.loads(capsys.readouterr().out)
    assert len(exported["expressed"]) == 13
    assert [one["check_id"] for one in exported["remarks"]] == ["CHK-009"]
    assert main(["import", "-C", str(tmp_path), "--json", "--from", "soda", str(out), "--dry-run"]) == 0
    assert len(json.loads(capsys.readouterr().out)["checks"]) == 13


@pytest.mark.parametrize("content", [b"\xff\xfe", b"- a"])
def test_a_file_that_is_another_is_refused_in_one_line(
    tmp_path: Path, content: bytes, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "x").write_bytes(content)
    assert main(["import", "-C", str(tmp_path), "--from", "dbt", str(tmp_path / "x")]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_control_characters_of_a_file_do_not_reach_the_terminal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    hostile = {"name": "t", "expectations": [{"type": "\x1b[2J\x07", "kwargs": {"column": "\x1b]0;x\x07"}}]}
    (tmp_path / "suite.json").write_text(json.dumps(hostile))
    assert main(["import", "-C", str(tmp_path), "--from", "great-expectations", str(tmp_path / "suite.json")]) == 0
    shown = capsys.readouterr().out
    assert "not carried over (1)" in shown
    assert "\x1b" not in shown and "\x07" not in shown
