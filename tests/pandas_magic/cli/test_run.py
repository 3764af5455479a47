"""`pandas-magic run` and `history` as a person and a scheduler meet them."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import pandas as pd
import pytest

from pandas_magic.cli.main import main

RULES = {
    "CHK-001": ("orders.total must not be negative", "high", "money"),
    "CHK-002": ("Flag orders rows whose user_id is missing from users", "medium", "join"),
    "CHK-003": ("users.email must not be null", "low", "gaps"),
    "CHK-004": ("orders.order_id must be unique", "critical", "key"),
}
GONE = "orders.order_id must be unique"


def write_tables(folder: Path, *negative: int) -> None:
    orders = pd.DataFrame({"order_id": range(1, 9), "total": 5, "user_id": "u1"})
    orders.loc[orders["order_id"].isin(negative), "total"] = -1
    orders.to_csv(folder / "data" / "orders.csv", index=False)
    (folder / "data" / "users.csv").write_text("user_id,email\nu1,a@x.com\nu2,\n")


@pytest.fixture(scope="module")
def compiled_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("shop")
    (folder / "data").mkdir()
    (folder / "checks").mkdir()
    write_tables(folder, 3)
    listed = [
        {"check_id": check_id, "calculation_hint": rule, "severity": severity, "tags": [tag]}
        for check_id, (rule, severity, tag) in RULES.items()
    ]
    (folder / "checks" / "checks.json").write_text(json.dumps(listed))
    assert main(["compile", "-C", str(folder)]) == 0
    return folder


@pytest.fixture
def folder(compiled_folder: Path, tmp_path: Path) -> Path:
    """The compiled checks, with tables and a history of the test's own."""
    for part in ("checks", "data"):
        subprocess.run(["cp", "-r", str(compiled_folder / part), str(tmp_path / part)], check=True)
    return tmp_path


def call(capsys: pytest.CaptureFixture[str], folder: Path, *arguments: str) -> tuple[int, str, str]:
    allowed = ["--allow-proposed"] if arguments[0] == "run" else []
    code = main([arguments[0], "-C", str(folder), *allowed, *arguments[1:]])
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def verdicts(out: str) -> dict[str, str]:
    return {run["check_id"]: run["verdict"] for run in json.loads(out)["runs"]}


def test_side_by_side_gives_what_one_after_the_other_gives(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = call(capsys, folder, "run", "--json")
    again, parallel, _ = call(capsys, folder, "run", "--json", "--jobs", "3")
    assert code == again == 1
    assert verdicts(out) == {"CHK-001": "FAIL", "CHK-002": "PASS", "CHK-003": "FAIL", "CHK-004": "PASS"}
    assert list(verdicts(parallel).items()) == list(verdicts(out).items())


def test_selections_and_severity_decide_the_exit_code(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = call(capsys, folder, "run", "--json", "--select", "severity:low", "--select", "severity:critical")
    assert (code, list(verdicts(out))) == (1, ["CHK-003", "CHK-004"])
    code, out, _ = call(capsys, folder, "run", "--json", "--select", "tag:gaps", "--fail-on", "medium")
    assert (code, verdicts(out)) == (0, {"CHK-003": "FAIL"})
    code, out, _ = call(capsys, folder, "run", "--json", "--select", "verdict:fail", "--fail-on", "high")
    assert (code, list(verdicts(out))) == (0, ["CHK-003"])
    assert call(capsys, folder, "run", "--select", "tag:nothing")[0] == 2
    assert call(capsys, folder, "run", "--select", "colour:red")[0] == 2


def test_what_changed_is_told_from_run_to_run(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_tables(folder, 1, 2, 3)
    call(capsys, folder, "run", "CHK-001")
    write_tables(folder, 3, 7)
    _, out, _ = call(capsys, folder, "run", "CHK-001")
    assert "2 of 8 rows of orders break the rule; 1 new, 1 still failing, 2 fixed since" in out
    assert "Changed" in out
    assert "(by order_id)" in out


def test_parameters_run_another_table_at_another_time(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "old.csv").write_text("order_id,total,user_id\n1,1,u1\n2,2,u1\n")
    code, out, _ = call(capsys, folder, "run", "CHK-001", "--json", "-p", f"orders={folder}/old.csv")
    assert (code, verdicts(out)) == (0, {"CHK-001": "PASS"})
    code, _, err = call(capsys, folder, "run", "-p", "nwo=2026-01-01")
    assert code == 2
    assert 'Did you mean "now"?' in err


def test_a_run_on_another_file_says_nothing_of_the_check_on_its_own_table(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = ("-p", f"orders={folder}/nov.csv")
    call(capsys, folder, "run", "CHK-001", "CHK-003")
    (folder / "nov.csv").write_text("order_id,total,user_id\n11,-1,u1\n12,-2,u1\n")
    code, out, _ = call(capsys, folder, "run", "CHK-001", "CHK-003", *other)
    assert code == 1 and "FAIL, TRIAL  CHK-001" in out and "FAIL, TRIAL  CHK-003" not in out
    assert "2 of 2 rows of orders (nov.csv)" in out
    assert f"orders is {folder}/nov.csv, not orders.csv" in out and "fixed" not in out.replace("0 fixed", "")
    write_tables(folder)
    own = ("-p", f"orders={folder}/data/orders.csv")
    assert "0 new, 0 still failing, 1 fixed" in call(capsys, folder, "run", "CHK-001", *own)[1]
    (folder / "nov.csv").write_text("order_id,total,user_id\n11,-1,u1\n12,2,u1\n")
    assert "0 new, 1 still failing, 1 fixed" in call(capsys, folder, "run", "CHK-001", *other)[1]
    (folder / "nov.csv").write_text("order_id,user_id\n11,u1\n")
    assert call(capsys, folder, "run", "CHK-001", *other)[0] == 3
    told = json.loads(call(capsys, folder, "history", "CHK-001", "--json")[1])
    assert [run["verdict"] for run in told["runs"]] == ["FAIL", "PASS"]
    assert [run["verdict"] for run in told["aside"]] == ["FAIL", "FAIL", "ERROR"]
    told = call(capsys, folder, "history", "CHK-001")[1]
    assert "PASS in the last of 2 runs" in told and told.count(f"orders is {folder}/nov.csv") == 3
    listed = json.loads(call(capsys, folder, "list", "--json")[1])["checks"]
    last = {each["check"]["id"]: each["last_run"] for each in listed}
    assert (last["CHK-001"]["verdict"], last["CHK-003"]["verdict"]) == ("PASS", "FAIL")


def test_where_the_workspace_has_no_such_table_runs_on_one_file_are_compared_and_no_others(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "data" / "orders.csv").rename(folder / "oct.csv")
    (folder / "nov.csv").write_text("order_id,total,user_id\n11,-1,u1\n12,-2,u1\n")
    call(capsys, folder, "run", "CHK-001", "-p", f"orders={folder}/oct.csv")
    out = call(capsys, folder, "run", "CHK-001", "-p", f"orders={folder}/nov.csv")[1]
    assert f"orders was {folder}/oct.csv and is {folder}/nov.csv" in out and "fixed" not in out
    assert "1 new" not in call(capsys, folder, "run", "CHK-001", "-p", f"orders={folder}/nov.csv")[1]
    assert f"FAIL ({folder}/nov.csv)" in call(capsys, folder, "list")[1]
    assert "FAIL in the last of 3 runs" in call(capsys, folder, "history", "CHK-001")[1]


def test_a_file_for_a_table_that_no_check_reads_is_refused(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = call(capsys, folder, "run", "-p", f"order={folder}/data/users.csv")
    assert code == 2 and 'no check reads a table "order"; checks read "orders", "users". Did you mean "orders"?' in err


def test_rows_cannot_be_set_aside_into_a_file(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = call(capsys, folder, "run", "--quarantine", str(folder / "data" / "users.csv"))
    assert code == 3 and "users.csv cannot be made: File exists; name another place" in err and "Error in" not in err


def test_a_run_as_of_another_day_is_not_the_latest_state(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    call(capsys, folder, "run", "CHK-004", "-p", f"now={datetime.now():%Y-%m-%d}")
    out = call(capsys, folder, "run", "CHK-004", "-p", "now=2026-01-31")[1]
    assert "PASS, TRIAL" in out and "as of 2026-01-31" in out
    told = json.loads(call(capsys, folder, "history", "CHK-004", "--json")[1])
    assert (len(told["runs"]), [run["trial"] for run in told["aside"]]) == (1, ["as of 2026-01-31 00:00"])


def test_what_did_not_begin_in_time_is_an_error(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = call(capsys, folder, "run", "--json", "--max-seconds", "1e-9")
    assert code == 3
    assert set(verdicts(out).values()) == {"ERROR"}
    assert "it was not run: the 1e-09 seconds of the whole run were over" in out


def test_quarantine_splits_each_checked_table(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    original = (folder / "data" / "orders.csv").read_text().splitlines()
    _, out, _ = call(capsys, folder, "run", "--quarantine", str(folder / "q"))
    good = (folder / "q" / "orders.good.csv").read_text().splitlines()
    bad = (folder / "q" / "orders.bad.csv").read_text().splitlines()
    assert bad == [original[0], original[3]]
    assert [*good[:3], bad[1], *good[3:]] == original
    assert "orders: 7 good rows in" in out
    assert (folder / "q" / "users.bad.csv").read_text() == "user_id,email\nu2,\n"


def test_reports_are_written_beside_the_run(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    paths = {kind: folder / f"out.{kind}" for kind in ("junit", "markdown", "json", "openlineage")}
    code, _, err = call(
        capsys, folder, "run", *(part for kind, path in paths.items() for part in ("--report", f"{kind}={path}"))
    )
    assert (code, err) == (1, "")
    assert all(path.stat().st_size for path in paths.values())
    code, _, err = call(capsys, folder, "run", "CHK-004", "--report", "webhook")
    assert (code, err) == (3, "report webhook: no address; set PANDAS_MAGIC_WEBHOOK\n")
    assert call(capsys, folder, "run", "--report", "github", "--json")[0] == 2


def test_history_tells_since_when_a_check_fails(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert call(capsys, folder, "history")[1] == "no runs yet\n"
    for negative in ((), (1,), (1, 2)):
        write_tables(folder, *negative)
        call(capsys, folder, "run", "CHK-001")
    told = json.loads(call(capsys, folder, "history", "CHK-001", "--json")[1])
    assert [run["verdict"] for run in told["runs"]] == ["PASS", "FAIL", "FAIL"]
    assert told["check"]["failing_since"] == told["runs"][1]["started_at"]
    _, out, _ = call(capsys, folder, "history", "CHK-001")
    assert out.splitlines()[0].startswith("CHK-001  FAIL in the last of 3 runs; failing since ")
    assert len(out.splitlines()) == 5
    code, _, err = call(capsys, folder, "history", "CHK-01")
    assert code == 2
    assert 'no check "CHK-01"; the history has "CHK-001"' in err
    assert (folder / ".pandas_magic" / "checks_rollup.csv").read_text().count("\n") == 2


@pytest.fixture
def slow_run(folder: Path) -> Iterator[subprocess.Popen[str]]:
    """A run of which the last check takes longer than any test waits: its code loops."""
    path = folder / "checks" / "registry" / "CHK-004.json"
    content = json.loads(path.read_text())
    content["code"] = ["while True:", "    pass"]
    from pandas_magic.record import digest

    content["code_digest"] = digest("\n".join(content["code"]))
    path.write_text(json.dumps(content))
    environment = {**os.environ, "PANDAS_MAGIC_WALL_SECONDS": "300"}
    command = [sys.executable, "-m", "pandas_magic", "run", "-C", str(folder), "--allow-proposed", "--jobs", "2"]
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment, start_new_session=True
    )
    deadline = time.monotonic() + 60
    while finished(folder) < 3:
        assert time.monotonic() < deadline
        assert process.poll() is None
        time.sleep(0.05)
    yield process
    if process.poll() is None:
        process.kill()
        process.communicate()


def finished(folder: Path) -> int:
    log = folder / ".pandas_magic" / "runs_log.jsonl"
    return log.read_text().count('"action": "check"') if log.exists() else 0


def test_ctrl_c_keeps_what_finished_and_says_what_did_not_run(
    slow_run: subprocess.Popen[str], folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    slow_run.send_signal(signal.SIGINT)
    out, err = slow_run.communicate(timeout=60)
    assert slow_run.returncode == 3
    assert "not run: CHK-004" in out
    assert "interrupted; the checks that had finished are kept" in err
    assert finished(folder) == 3
    assert "did not run: CHK-004" in call(capsys, folder, "history", "--sessions")[1]


def test_a_killed_run_keeps_what_finished_and_history_says_what_did_not_run(
    slow_run: subprocess.Popen[str], folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    slow_run.kill()
    slow_run.communicate()
    assert "; did not run: CHK-004" in call(capsys, folder, "history", "--sessions")[1]
    code, out, _ = call(capsys, folder, "run", "CHK-001", "CHK-003")
    assert (code, "CHK-001  ✗ FAIL" in out) == (1, True)
