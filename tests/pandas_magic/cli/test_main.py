"""The command line: exit codes, one-line complaints and JSON."""

import json
from pathlib import Path

import pytest

from pandas_magic.cli.main import main

GOOD, BAD = "order_id\n1\n2\n", "order_id\n1\n1\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    # Approval has tests of its own.
    monkeypatch.setenv("PANDAS_MAGIC_ALLOW_PROPOSED", "1")
    (tmp_path / "data").mkdir()
    (tmp_path / "checks").mkdir()
    (tmp_path / "data" / "orders.csv").write_text(GOOD)
    rules = [
        {
            "check_id": "CHK-001",
            "calculation_hint": "order_id must be unique",
            "target_table": "orders",
            "tags": ["key"],
        }
    ]
    (tmp_path / "checks" / "checks.json").write_text(json.dumps(rules))
    return tmp_path


def call(capsys: pytest.CaptureFixture[str], folder: Path, *arguments: str) -> tuple[int, str, str]:
    code = main([arguments[0], "-C", str(folder), *arguments[1:]])
    captured = capsys.readouterr()
    return code, captured.out, captured.err


@pytest.mark.feature("A25")
def test_the_exit_code_tells_pass_fail_and_error(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert call(capsys, folder, "compile")[0] == 0
    code, out, _ = call(capsys, folder, "run")
    assert (code, "1 PASS" in out) == (0, True)
    (folder / "data" / "orders.csv").write_text(BAD)
    code, out, _ = call(capsys, folder, "run", "CHK-001")
    assert code == 1
    assert "2 of 2 rows of orders break the rule" in out
    assert "All failing rows: .pandas_magic/artifacts/" in out
    (folder / "data" / "orders.csv").write_text("id\n1\n")
    code, out, _ = call(capsys, folder, "run")
    assert code == 3
    assert 'column "order_id" of table "orders" is gone' in out


def test_wrong_usage_is_two(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rules = folder / "checks" / "checks.json"
    listed = rules.read_text()
    rules.unlink()
    code, _, err = call(capsys, folder, "run")
    assert (code, err.strip()) == (
        2,
        "UsageMistake: no check to run; begin with: pandas-magic start, or write one with %%check in a notebook "
        "(PM002)",
    )
    rules.write_text(listed)
    call(capsys, folder, "compile")
    code, _, err = call(capsys, folder, "run", "CHK-002")
    assert code == 2
    assert 'no check "CHK-002"; the list of checks and the registry has "CHK-001". Did you mean "CHK-001"?' in err
    with pytest.raises(SystemExit) as caught:
        main(["fly"])
    assert caught.value.code == 2


def test_a_damaged_registry_is_three_and_one_line(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "checks" / "registry.json").write_text('{"version": 1')
    code, out, _ = call(capsys, folder, "run")
    assert (code, "ERROR    " in out) == (3, True)
    assert "registry.json is damaged" in out


def test_json_is_one_document(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "data" / "orders.csv").write_text(BAD)
    compiled = json.loads(call(capsys, folder, "compile", "--json")[1])
    assert compiled["compiled"]["CHK-001"]["proof"]["planted"] > 0
    runs = json.loads(call(capsys, folder, "run", "--json")[1])["runs"]
    assert [(run["check_id"], run["verdict"], run["violation_count"]) for run in runs] == [("CHK-001", "FAIL", 2)]
    listed = json.loads(call(capsys, folder, "list", "--json")[1])["checks"]
    assert listed[0]["last_run"]["verdict"] == "FAIL"
    tables = json.loads(call(capsys, folder, "tables", "--json")[1])["tables"]
    assert tables[0]["columns"] == {"order_id": "int64"}
    refused = json.loads(call(capsys, folder, "run", "CHK-007", "--json")[1])
    assert (refused["error"]["name"], refused["error"]["code"]) == ("NoSuchName", "PM003")


def test_tags_choose_and_stale_explains(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    call(capsys, folder, "compile")
    assert call(capsys, folder, "run", "--tags", "other,key")[0] == 0
    assert call(capsys, folder, "run", "--tags", "other")[0] == 2
    assert call(capsys, folder, "stale")[:2] == (0, "no check is stale\n")
    (folder / "data" / "orders.csv").write_text("order_id\na\n")
    code, out, _ = call(capsys, folder, "stale")
    assert (code, out.split("\n")) == (
        1,
        [
            'CHK-001  column "order_id" of table "orders" was int64 and is now str',
            'changed: orders: "order_id" was int64 and is now str. Touches CHK-001',
            "",
        ],
    )


def test_no_frozen_compiles_what_is_stale(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    call(capsys, folder, "compile")
    (folder / "data" / "orders.csv").write_text("order_id\na\n")
    assert call(capsys, folder, "run")[0] == 3
    assert call(capsys, folder, "run", "--no-frozen")[0] == 0


def test_one_rule_that_is_not_understood_does_not_stop_the_others(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = folder / "checks" / "checks.json"
    listed = json.loads(path.read_text())
    path.write_text(json.dumps([{"check_id": "CHK-000", "calculation_hint": "orders must sparkle"}, *listed]))
    code, out, _ = call(capsys, folder, "compile")
    assert code == 3
    assert "CHK-000  ! RuleNotUnderstood" in out
    code, out, _ = call(capsys, folder, "run")
    assert (code, "1 PASS, 1 ERROR" in out) == (3, True)
    assert "CHK-000" in out and "was never compiled: pandas-magic compile CHK-000" in out


def test_no_colour_without_a_terminal(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    call(capsys, folder, "compile")
    assert "\x1b" not in call(capsys, folder, "run")[1]
