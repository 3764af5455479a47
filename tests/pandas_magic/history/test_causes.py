"""Why a verdict changed, and runs with the code and the tables of another day.

It runs what docs/review.md shows.
"""

import dataclasses
import json
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pandas as pd
import pytest

from pandas_magic.checking.bench import Bench
from pandas_magic.cli.main import main
from pandas_magic.errors import UsageMistake
from pandas_magic.history.causes import compare_runs, explain
from pandas_magic.history.remembering import environment
from pandas_magic.history.run import Run
from pandas_magic.record import digest
from pandas_magic.registry.check_file import check_text
from pandas_magic.registry.check_request import CheckRequest
from pandas_magic.registry.deciding import bands_of
from pandas_magic.settings import Settings
from pandas_magic.workspace import Workspace
from tests.doubles import unknown_users

RULE = "amount must be positive"
GOOD, BAD = [5, 1, 7], [5, -1, 7]
NOW = {"rule_digest": "r", "code_digest": "c", "fingerprints": {"t": "1"}, "environment": {"pandas": "3.0.0"}}


@pytest.fixture(scope="module")
def bench() -> Iterator[Bench]:
    bench = Bench(Settings())
    yield bench
    bench.close()


def opened(folder: Path, bench: Bench, **settings: object) -> Workspace:
    return dataclasses.replace(Workspace.open(folder, settings=settings), bench=bench)


@pytest.fixture
def workspace(tmp_path: Path, bench: Bench) -> Workspace:
    (tmp_path / "data").mkdir()
    write(tmp_path, GOOD)
    workspace = opened(tmp_path, bench, keep_tables=2)
    workspace.check(CheckRequest(RULE, id="CHK-001", tables=("orders",)))
    return workspace


def write(folder: Path, amounts: list[int]) -> None:
    pd.DataFrame({"order_id": range(len(amounts)), "amount": amounts}).to_csv(
        folder / "data" / "orders.csv", index=False
    )
    # A later time, whatever the clock of the file system can tell apart.
    later = 1_700_000_000 + sum((n + 1) * (amount + 50) for n, amount in enumerate(amounts))
    os.utime(folder / "data" / "orders.csv", (later, later))


def run(**facts: object) -> Run:
    content = {
        "run_id": "20261121T080000-abcdef",
        "check_id": "CHK-002",
        "verdict": "PASS",
        "summary": "PASS: fine",
        "code": "",
        "started_at": "2026-11-21T08:00:00Z",
        "seconds": 0.1,
        "columns": {"t": {"a": "int64"}},
        **NOW,
    }
    return Run.model_validate({**content, **facts})


@pytest.mark.parametrize(
    ("facts", "found"),
    [
        ({}, ()),
        ({"rule_digest": "other"}, ("rule",)),
        ({"code_digest": "other"}, ("code",)),
        ({"fingerprints": {"t": "2"}}, ("data",)),
        ({"environment": {"pandas": "3.0.1"}}, ("environment",)),
        ({"columns": {"t": {"a": "str"}}}, ("columns",)),
        ({"code_digest": "other", "fingerprints": {"t": "2"}}, ("code", "data")),
    ],
)
def test_what_differs_is_found_and_nothing_else(facts: dict[str, object], found: tuple[str, ...]) -> None:
    same = unknown_users()
    explanation = compare_runs(run(), run(**facts), (same, same))
    assert explanation.found == found
    assert explanation.unknown == ()
    if len(found) == 1:
        assert explanation.conclusion() == f"only the {found[0]} changed, so that is why"


@pytest.mark.parametrize(
    ("facts", "unknown"),
    [
        ({"fingerprints": {"t": ""}}, ("data",)),
        ({"fingerprints": {}}, ("data",)),
        ({"environment": {}}, ("environment",)),
        ({"rule_digest": ""}, ("rule",)),
    ],
)
def test_what_was_not_recorded_is_not_claimed_to_be_the_same(
    facts: dict[str, object], unknown: tuple[str, ...]
) -> None:
    same = unknown_users()
    explanation = compare_runs(run(code_digest="other"), run(**facts), (same, same))
    assert explanation.unknown == unknown
    assert "so that is why" not in explanation.conclusion()
    assert unknown[0] in explanation.conclusion()
    assert compare_runs(run(), run(), (None, same)).unknown == ("decisions",)


def test_code_that_asks_for_the_time_may_change_its_mind_by_itself() -> None:
    timed = unknown_users(code='violations = events[events["at"] < now - pd.Timedelta(days=1)]')
    assert compare_runs(run(), run(), (timed, timed)).found == ("moment",)
    unrelated = unknown_users(code='violations = events[events["known"]]')
    assert compare_runs(run(), run(), (unrelated, unrelated)).found == ()


def test_changed_data_is_why(workspace: Workspace, capsys: pytest.CaptureFixture[str]) -> None:
    write(workspace.base_dir, BAD)
    workspace.run_saved("CHK-001")
    assert main(["why", "-C", str(workspace.base_dir), "CHK-001"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("CHK-001: PASS: 0 of 3 rows of orders break the rule (")
    assert "FAIL: 1 of 3 rows of orders breaks the rule" in out
    assert "data         another version of orders" in out
    assert "code         the same" in out
    assert out.endswith("only the data changed, so that is why\n")
    main(["why", "-C", str(workspace.base_dir), "CHK-001", "--json"])
    told = json.loads(capsys.readouterr().out)
    assert (told["before"]["status"], told["after"]["status"]) == ("PASS", "FAIL")
    assert told["causes"]["data"] == "another version of orders"


def test_changed_code_and_decisions_are_shown(workspace: Workspace) -> None:
    compiled = workspace.registry.get("CHK-001")
    # Code that no typed rule describes: what a model wrote, or an earlier release.
    other = 'violations = orders[orders["amount"] > 0]'
    untyped = {"code": other, "code_digest": digest(other), "constraint": None}
    workspace.registry.save(compiled.model_copy(update=untyped))
    workspace.run_saved("CHK-001")
    workspace.registry.save(compiled)
    said = explain(workspace.journal, "CHK-001").in_words()
    assert '-violations = orders[orders["amount"] <= 0]' in said
    assert '+violations = orders[orders["amount"] > 0]' in said
    assert said.endswith("only the code changed, so that is why")
    write(workspace.base_dir, BAD)
    workspace.run_saved("CHK-001")
    banded = CheckRequest(RULE, id="CHK-001", tables=("orders",), bands=bands_of(None, "3"))
    assert workspace.check(banded).run.verdict == "PASS"
    said = explain(workspace.journal, "CHK-001").in_words()
    assert "decisions    changed: bands" in said
    assert said.endswith("only the decisions changed, so that is why")


def test_a_stale_run_names_the_column_that_changed(workspace: Workspace) -> None:
    (workspace.base_dir / "data" / "orders.csv").write_text("order_id,amount\n1,much\n")
    assert workspace.run_saved("CHK-001").run.verdict == "ERROR"
    said = explain(workspace.journal, "CHK-001").in_words()
    assert "orders.amount was int64, is" in said


def test_without_a_change_there_is_nothing_to_explain(workspace: Workspace) -> None:
    workspace.run_saved("CHK-001")
    with pytest.raises(UsageMistake, match="CHK-001 came out the same in all 2 runs"):
        explain(workspace.journal, "CHK-001")
    with pytest.raises(UsageMistake, match="CHK-009 has not run here yet"):
        explain(workspace.journal, "CHK-009")
    with pytest.raises(UsageMistake, match='CHK-001 has no run "a"'):
        explain(workspace.journal, "CHK-001", ["a", "b"])


def test_a_run_says_its_environment() -> None:
    assert environment()["pandas"] == pd.__version__
    assert set(environment()) >= {"python", "numpy", "pyarrow"}


def test_old_tables_and_old_code_tell_the_causes_apart(
    workspace: Workspace, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = str(workspace.base_dir)
    first = workspace.run_saved("CHK-001").run
    write(workspace.base_dir, BAD)
    strange = workspace.run_saved("CHK-001", code='violations = orders[orders["amount"] > 6]').run
    runs = len(workspace.journal.history.runs("CHK-001"))
    on_old = workspace.travel("CHK-001", data_from=first.run_id).run
    assert (on_old.verdict, on_old.rows) == ("PASS", 3)
    assert on_old.notes[0] == f"with the code of today on the tables of run {first.run_id}; not in the history"
    assert workspace.travel("CHK-001").run.violation_count == 1
    with_edited = workspace.travel("CHK-001", code_from=strange.run_id)
    assert with_edited.violations["amount"].tolist() == [7]
    assert main(["run", "-C", folder, "CHK-001", "--code-from", strange.run_id, "--data-from", first.run_id]) == 1
    assert "on the tables of run" in capsys.readouterr().out
    assert len(workspace.journal.history.runs("CHK-001")) == runs


def test_code_comes_from_a_commit(workspace: Workspace) -> None:
    def git(*words: str) -> str:
        said = ["git", "-c", "user.name=T", "-c", "user.email=t@example.com", "-c", "commit.gpgsign=false", *words]
        return subprocess.run(said, cwd=workspace.base_dir, capture_output=True, text=True, check=True).stdout.strip()

    git("init", "--quiet")
    git("add", "checks")
    git("commit", "--quiet", "-m", "checks")
    commit = git("rev-parse", "HEAD")
    workspace.check(CheckRequest("amount must be at least 6", id="CHK-001", tables=("orders",)))
    assert workspace.run_saved("CHK-001").run.violation_count == 2
    assert workspace.travel("CHK-001", code_from=commit).run.violation_count == 0
    for wrong, said in (("no-such", '"no-such" is no run, and git has no'), ("--help", "names neither a run nor")):
        with pytest.raises(UsageMistake, match=said):
            workspace.travel("CHK-001", code_from=wrong)


def test_tables_are_kept_only_when_asked_and_only_so_many(tmp_path: Path, bench: Bench, workspace: Workspace) -> None:
    first = workspace.journal.history.runs("CHK-001")[0].run_id
    kept = workspace.journal.folder / "kept" / "tables" / "orders"
    for amounts in ([1], [2], [3]):
        write(workspace.base_dir, amounts)
        workspace.run_saved("CHK-001")
    assert len(list(kept.iterdir())) == 2
    with pytest.raises(
        UsageMistake, match=r"orders as it was in run .* was not kept; with the setting keep_tables = 5"
    ):
        workspace.travel("CHK-001", data_from=first)
    plain = opened(workspace.base_dir, bench)
    write(workspace.base_dir, [4])
    plain.run_saved("CHK-001")
    assert len(list(kept.iterdir())) == 2


def test_what_cannot_be_read_again_exactly_is_not_kept_and_that_is_said(tmp_path: Path, bench: Bench) -> None:
    mixed = pd.DataFrame({"amount": [1, 2], "note": [1, "x"]})
    workspace = dataclasses.replace(
        Workspace.open(tmp_path, tables={"orders": mixed}, settings={"keep_tables": 2}), bench=bench
    )
    result = workspace.check(CheckRequest(RULE, tables=("orders",)))
    assert "orders could not be kept as it was" in result.run.notes
    with pytest.raises(UsageMistake, match=r"orders as it was in run .* was not kept"):
        workspace.travel("CHK-001", data_from=result.run.run_id)


def test_a_check_that_ran_is_kept_once(workspace: Workspace) -> None:
    workspace.run_saved("CHK-001")
    (kept,) = (workspace.journal.folder / "kept" / "checks").iterdir()
    assert kept.read_text() == check_text(workspace.registry.get("CHK-001"))
