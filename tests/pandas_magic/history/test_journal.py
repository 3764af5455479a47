"""The journal: a line per run, a file of failing rows, nothing for git."""

from pathlib import Path

import pandas as pd

from pandas_magic.history.journal import Journal
from pandas_magic.history.run import Run, Verdict


def a_run(check_id: str = "CHK-001", verdict: Verdict = Verdict.PASS) -> Run:
    return Run(
        run_id="r1",
        check_id=check_id,
        verdict=verdict,
        summary=f"{verdict}: …",
        code="violations = orders",
        started_at="2026-11-21T08:00:00Z",
        seconds=0.5,
    )


def test_the_last_run_of_each_check_is_found(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "j")
    assert journal.last_runs() == {}
    journal.record(a_run())
    journal.record(a_run("CHK-002"))
    journal.record(a_run(verdict=Verdict.FAIL))
    last = journal.last_runs()
    assert {check_id: run.verdict for check_id, run in last.items()} == {"CHK-001": "FAIL", "CHK-002": "PASS"}


def test_a_line_cut_by_a_crash_is_passed_over(tmp_path: Path) -> None:
    journal = Journal(tmp_path)
    journal.record(a_run())
    with (tmp_path / "runs_log.jsonl").open("a") as log:
        log.write('{"run_id": "r2", "chec')
    assert list(journal.last_runs()) == ["CHK-001"]


def test_a_line_after_a_cut_one_is_not_lost(tmp_path: Path) -> None:
    journal = Journal(tmp_path)
    journal.record(a_run())
    with (tmp_path / "runs_log.jsonl").open("a") as log:
        log.write('{"run_id": "r2", "chec')
    journal.record(a_run("CHK-009"))
    assert list(journal.last_runs()) == ["CHK-001", "CHK-009"]


def test_the_folder_is_ignored_by_git(tmp_path: Path) -> None:
    Journal(tmp_path / "j").record(a_run())
    assert (tmp_path / "j" / ".gitignore").read_text() == "*\n"


def test_failing_rows_are_kept_with_their_index_and_odd_values(tmp_path: Path) -> None:
    rows = pd.DataFrame({"n": [1, 2], "odd": [{"a": 1}, None], 3: ["x", 5]}, index=["r7", "r9"])
    kept = pd.read_parquet(Journal(tmp_path).keep_rows("run", rows))
    assert kept.index.tolist() == ["r7", "r9"]
    assert kept["n"].tolist() == [1, 2]
    assert kept["3"].tolist() == ["x", "5"]
    assert kept["odd"].isna().tolist() == [False, True]
