"""`pandas-magic compile` where a rule is refused: it asks, and what a person chose is the check's rule from then on."""

import io
import json
from pathlib import Path

import pytest

from pandas_magic.cli.main import main

RULE = "status must be OPEN or PAID"
FOLDED = "orders: status must be one of 'open', 'paid'"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "data").mkdir()
    (tmp_path / "checks").mkdir()
    (tmp_path / "data" / "orders.csv").write_text("order_id,status\n1,open\n2,paid\n3,lost\n4,open\n5,paid\n")
    rule = {"check_id": "CHK-001", "calculation_hint": RULE, "target_table": "orders"}
    (tmp_path / "checks" / "checks.json").write_text(json.dumps([rule]))
    return tmp_path


def call(capsys: pytest.CaptureFixture[str], folder: Path, *arguments: str) -> tuple[int, str]:
    code = main([arguments[0], "-C", str(folder), *arguments[1:]])
    return code, capsys.readouterr().out


def test_nothing_is_taken_without_a_choice(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out = call(capsys, folder, "compile")
    assert code == 3
    assert f"1. {FOLDED}  [1 row of 5 would fail]" in out
    assert "pandas-magic compile --interactive CHK-001" in out
    assert not list((folder / "checks").glob("registry/*.json"))


def test_a_number_in_a_pipe_chooses(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("1\n"))
    code, out = call(capsys, folder, "compile", "--interactive")
    assert code == 0, out
    (listed,) = json.loads((folder / "checks" / "checks.json").read_text())
    assert listed["calculation_hint"] == FOLDED
    assert RULE in listed.values()


@pytest.mark.parametrize("answer", ["\n", "0\n", "9\n", "yes\n", ""])
def test_anything_else_chooses_nothing(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, answer: str
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(answer))
    assert call(capsys, folder, "compile", "--interactive")[0] == 3
    (listed,) = json.loads((folder / "checks" / "checks.json").read_text())
    assert listed["calculation_hint"] == RULE


def test_programs_get_the_readings_as_json(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _, out = call(capsys, folder, "compile", "--json")
    asked = json.loads(out)["compiled"]["CHK-001"]
    assert asked["readings"][0] == {"sentence": FOLDED, "failing_rows": 1, "rows_seen": 5, "leaves_out": []}
    assert [reading["failing_rows"] for reading in asked["readings"]] == [1, 5]
