"""What the log says of a check: since when it fails, whether it flaps, where its numbers go."""

import csv
import fcntl
import json
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from pandas_magic.history.history import History
from pandas_magic.history.journal import Journal
from pandas_magic.history.past import SessionStart
from pandas_magic.history.run import Run

MakeRun = Callable[..., Run]


def nights(journal: Journal, a_run: MakeRun, verdicts: str, **said: object) -> None:
    words = {"P": "PASS", "F": "FAIL", "E": "ERROR", "S": "SKIPPED"}
    for day, letter in enumerate(verdicts, 1):
        journal.record(a_run(words[letter], at=f"2026-11-{day:02d}T02:00:00Z", **said))


def test_failing_since_is_the_first_failure_after_the_last_pass(tmp_path: Path, a_run: MakeRun) -> None:
    journal = Journal(tmp_path)
    nights(journal, a_run, "FPFEFSF")
    found = journal.history.of("CHK-001")
    assert found is not None
    assert found.failing_since == "2026-11-03T02:00:00Z"
    assert (found.last_passed, found.last_failed) == ("2026-11-02T02:00:00Z", "2026-11-07T02:00:00Z")
    assert (found.runs, found.passed, found.failed, found.errors, found.skipped) == (7, 1, 4, 1, 1)


def test_an_error_neither_ends_nor_begins_a_failure(tmp_path: Path, a_run: MakeRun) -> None:
    journal = Journal(tmp_path)
    nights(journal, a_run, "PE")
    found = journal.history.of("CHK-001")
    assert found is not None
    assert (found.failing_since, found.last_verdict, found.last_passed) == (None, "ERROR", "2026-11-01T02:00:00Z")


@pytest.mark.parametrize(
    ("verdicts", "changes", "flapping"),
    [
        ("PPPPPPPP", 0, False),
        ("PPFFFPPP", 2, False),
        ("PFPFPPPP", 4, True),
        ("PFPEF", 3, False),
        ("PEFEPEFEPE", 4, True),
    ],
)
def test_a_check_flaps_when_it_broke_and_recovered_twice(
    tmp_path: Path, a_run: MakeRun, verdicts: str, changes: int, flapping: bool
) -> None:
    journal = Journal(tmp_path)
    nights(journal, a_run, verdicts)
    found = journal.history.of("CHK-001")
    assert found is not None
    assert (found.recent_changes, found.flapping) == (changes, flapping)


def test_trends_compare_the_last_five_runs_with_the_five_before(tmp_path: Path, a_run: MakeRun) -> None:
    journal = Journal(tmp_path)
    for day in range(1, 11):
        seconds = 1.0 if day <= 5 else 3.0
        count = 100 if day <= 5 else 10
        journal.record(a_run("FAIL", at=f"2026-11-{day:02d}T02:00:00Z", seconds=seconds, violation_count=count))
        if day == 9:
            early = journal.history.of("CHK-001")
            assert early is not None
            assert (early.seconds_trend, early.violations_trend) == ("unknown", "unknown")
    found = journal.history.of("CHK-001")
    assert found is not None
    assert (found.seconds_trend, found.violations_trend) == ("rising", "falling")
    assert "getting slower" in found.in_words()


@pytest.mark.feature("A14")
def test_the_rollup_has_one_row_per_check(tmp_path: Path, a_run: MakeRun) -> None:
    journal = Journal(tmp_path)
    nights(journal, a_run, "PFF")
    nights(journal, a_run, "PP", check_id="CHK-002")
    path = journal.roll_up()
    assert path.name == "checks_rollup.csv"
    rows = list(csv.DictReader(path.read_text().splitlines()))
    told = [(row["check_id"], row["last_verdict"], row["runs"], row["failing_since"]) for row in rows]
    assert told == [("CHK-001", "FAIL", "3", "2026-11-02T02:00:00Z"), ("CHK-002", "PASS", "2", "")]


@pytest.mark.feature("C30")
def test_a_line_has_the_fields_that_every_kind_of_run_has(tmp_path: Path, a_run: MakeRun) -> None:
    journal = Journal(tmp_path)
    journal.record(a_run("ERROR", fingerprints={"orders": "1-2-3"}))
    line = json.loads((tmp_path / "runs_log.jsonl").read_text())
    shared = {"run_id", "timestamp", "user_id", "dataset_hash", "runtime_ms", "exit_code", "errors"}
    assert shared <= set(line)
    assert (line["runtime_ms"], line["exit_code"], line["errors"]) == (500, 1, ["no such file"])
    assert len(line["dataset_hash"]) == 16


def test_lines_of_explorations_and_garbage_are_passed_over(tmp_path: Path, a_run: MakeRun) -> None:
    journal = Journal(tmp_path)
    nights(journal, a_run, "P")
    with (tmp_path / "runs_log.jsonl").open("ab") as log:
        log.write(b'{"run_id": "x", "action": "explore"}\n[1]\n"text"\n\xff\xfe\x00\n{"verdict": "PASS"}\n')
        log.write(b'{"run_id": 5, "check_id": "CHK-9", "verdict": "PASS", "started_at": "", "seconds": 1}\n')
        log.write(b'{"run_id": "r", "check_id": "CHK-9", "verdict": "MAYBE", "started_at": "", "seconds": 1}\n')
    nights(journal, a_run, "F")
    assert Journal(tmp_path).history.check_ids() == ["CHK-001"]
    assert [run.verdict for run in Journal(tmp_path).history.runs("CHK-001")] == ["PASS", "FAIL"]


def test_fields_of_a_later_version_do_not_hide_a_run(tmp_path: Path, a_run: MakeRun) -> None:
    journal = Journal(tmp_path)
    nights(journal, a_run, "F")
    path = tmp_path / "runs_log.jsonl"
    path.write_text(path.read_text().replace('{"run_id"', '{"of_tomorrow": [1], "run_id"'))
    assert journal.last_runs()["CHK-001"].verdict == "FAIL"


def test_what_another_process_writes_is_seen(tmp_path: Path, a_run: MakeRun) -> None:
    mine, other = Journal(tmp_path), Journal(tmp_path)
    mine.record(a_run())
    assert len(other.history.runs("CHK-001")) == 1
    mine.record(a_run("FAIL"))
    last = other.history.last_judged("CHK-001")
    assert last is not None
    assert last.verdict == "FAIL"


@pytest.mark.feature("E03")
def test_sessions_say_what_they_ran_and_what_a_crash_kept_from_running(tmp_path: Path, a_run: MakeRun) -> None:
    journal = Journal(tmp_path)
    journal.begin_session(SessionStart("night-1", "2026-11-01T02:00:00Z", "run", ("CHK-001", "CHK-002", "CHK-003")))
    journal.record(a_run(session="night-1"))
    journal.record(a_run(session="notebook-7", at="2026-11-01T09:00:00Z"))
    latest, night = journal.history.sessions()
    assert (latest.id, latest.not_run, len(latest.runs)) == ("notebook-7", (), 1)
    assert (night.id, night.kind, night.not_run) == ("night-1", "run", ("CHK-002", "CHK-003"))


@pytest.mark.feature("E09")
def test_a_run_is_written_when_whoever_writes_is_done(tmp_path: Path, a_run: MakeRun) -> None:
    journal = Journal(tmp_path)
    journal.record(a_run())
    waiting = threading.Thread(target=journal.record, args=(a_run(),))
    with (tmp_path / "runs_log.jsonl").open("ab") as log:
        fcntl.flock(log, fcntl.LOCK_EX)
        waiting.start()
        waiting.join(0.3)
        assert waiting.is_alive()
    waiting.join()
    assert len(journal.history.runs("CHK-001")) == 2


@pytest.mark.feature("E09")
def test_threads_lose_no_run(tmp_path: Path, a_run: MakeRun) -> None:
    journal = Journal(tmp_path)

    def record(check_id: str) -> None:
        for _ in range(50):
            journal.record(a_run(check_id=check_id))
            journal.history.last_judged(check_id)

    threads = [threading.Thread(target=record, args=(f"CHK-{n}",)) for n in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [len(journal.history.runs(f"CHK-{n}")) for n in range(6)] == [50] * 6


def test_a_hundred_thousand_runs_are_read_in_a_second_of_work(tmp_path: Path, a_run: MakeRun) -> None:
    journal = Journal(tmp_path)
    journal.record(a_run("FAIL", summary="FAIL: 12 of 10,000 rows of orders break the rule"))
    line = (tmp_path / "runs_log.jsonl").read_bytes()
    (tmp_path / "runs_log.jsonl").write_bytes(
        b"".join(line.replace(b"CHK-001", b"CHK-%03d" % (n % 400)) for n in range(100_000))
    )
    before = time.process_time()
    history = History(tmp_path)
    assert len(history.runs("CHK-007")) == 250
    took = time.process_time() - before
    print(f"100,000 lines in {took:.2f} s of processor time")
    assert took < 5  # measured: see the benchmark; here only that it is no minute
