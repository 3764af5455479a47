"""A month of nights: forty checks, tables that break, recover and drift, a crash, two writers, an edit to approve.

The nights on which something happens, with half of the checks, are always run; the whole month is thorough.
What must come out is computed here from the script of the month, never by the code under test.
"""

import csv
import json
import random
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from pandas_magic.checking.bench import Bench
from pandas_magic.checking.result import Result
from pandas_magic.cli.run import Done, exit_code
from pandas_magic.clock import stopped_at
from pandas_magic.record import digest
from pandas_magic.registry.approval import approve
from pandas_magic.registry.check_request import CheckRequest
from pandas_magic.registry.compiled_check import CompiledCheck
from pandas_magic.settings import Settings
from pandas_magic.workspace import Workspace

MONTH, EVENTFUL_NIGHTS = range(1, 31), range(9, 28)
TABLES = tuple(f"orders_{number}" for number in range(1, 6))
ROWS = 12
# column -> the rule, a good value, a bad one
COLUMNS = {
    "total": ("must not be negative", "5", "-1"),
    "user_id": ("must not be null", "u1", ""),
    "status": ("must be one of open, closed", "open", "lost"),
    "quantity": ("must be at least 1", "2", "0"),
    "price": ("must be greater than 0", "9", "-9"),
    "name": ("must not be null", "n", ""),
    "country": ("must be one of de, fr", "de", "xx"),
    "order_id": ("must be unique", "", ""),  # never broken: the rows are known again by it
}
FEWER_COLUMNS = ("total", "status", "price", "order_id")
DRIFT_NIGHTS, DRIFT_TABLE, DRIFT_COLUMN = range(10, 13), "orders_2", "total"
GONE_NIGHT, GONE_TABLE = 15, "orders_3"
CRASH_NIGHT, TWO_WRITERS_NIGHT, ADDED_COLUMN_NIGHT = 17, 20, 22
FLAPPING = ("orders_5", "status")
# From the first of these nights somebody has edited the check's code; on the night after the last it is approved.
EDITED_NIGHTS, EDITED = range(24, 26), ("orders_4", "price")


def check_id(table: str, column: str) -> str:
    return f"{table.upper()}-{column}"


@dataclass
class Script:
    """Which rows are bad on which night, and what was written to the journal so far."""

    columns: Sequence[str]
    chance: random.Random = field(default_factory=lambda: random.Random(2026))
    bad: dict[tuple[str, str], set[int]] = field(default_factory=dict)
    told: list[tuple[str, int, str, frozenset[int]]] = field(default_factory=list)  # check, night, verdict, bad rows

    def begin(self, night: int) -> None:
        """Let some rows break and some recover."""
        for table in TABLES:
            for column in self.columns:
                if column != "order_id":
                    self.bad[table, column] = self._next(table, column, night)

    def _next(self, table: str, column: str, night: int) -> set[int]:
        if (table, column) == FLAPPING:
            return {3} if night % 2 else set()
        now = {row for row in self.bad.get((table, column), ()) if self.chance.random() < 0.6}
        return now | {row for row in range(1, ROWS + 1) if self.chance.random() < 0.03}

    def write_tables(self, folder: Path, night: int) -> None:
        for table in TABLES:
            path = folder / "data" / f"{table}.csv"
            if (night, table) == (GONE_NIGHT, GONE_TABLE):
                path.unlink()
                continue
            is_drifting = table == DRIFT_TABLE and night in DRIFT_NIGHTS
            columns = [name for name in self.columns if not (is_drifting and name == DRIFT_COLUMN)]
            rows = [[self._value(table, row, name) for name in columns] for row in self.order(night)]
            if night >= ADDED_COLUMN_NIGHT:
                columns, rows = [*columns, "note"], [[*row, "x"] for row in rows]
            with path.open("w", newline="") as file:
                csv.writer(file).writerows([columns, *rows])

    def order(self, night: int) -> list[int]:
        """The rows move from night to night, so that no position says which is which."""
        rows = list(range(1, ROWS + 1))
        random.Random(night).shuffle(rows)
        return rows

    def _value(self, table: str, row: int, column: str) -> str:
        if column == "order_id":
            return str(row)
        return COLUMNS[column][2 if row in self.bad[table, column] else 1]

    def verdict(self, table: str, column: str, night: int) -> str:
        if (night, table) == (GONE_NIGHT, GONE_TABLE):
            return "ERROR"
        if table == DRIFT_TABLE and column == DRIFT_COLUMN and night in DRIFT_NIGHTS:
            return "ERROR"
        if (table, column) == EDITED and night in EDITED_NIGHTS:
            return "ERROR"
        return "FAIL" if self.bad.get((table, column)) else "PASS"

    def last_judged(self, check: str) -> frozenset[int] | None:
        judged = [bad for told, _, verdict, bad in self.told if told == check and verdict != "ERROR"]
        return judged[-1] if judged else None


@pytest.fixture(scope="module")
def benches() -> Iterator[tuple[Bench, Bench]]:
    pair = Bench(Settings()), Bench(Settings())
    yield pair
    for bench in pair:
        bench.close()


def compiled_checks(folder: Path, bench: Bench, columns: Sequence[str]) -> list[CompiledCheck]:
    """The columns' rules compiled on one table, and the same for each other table."""
    workspace = replace(Workspace.open(folder), bench=bench)
    first = TABLES[0]
    made = []
    for column in columns:
        rule = f"{first}.{column} {COLUMNS[column][0]}"
        asked = CheckRequest(id=check_id(first, column), rule=rule, severity="high")
        made.append(workspace.check(asked).compiled)
    for table in TABLES:
        for compiled in made:
            assert compiled is not None
            text = json.dumps(compiled.to_dict()).replace(first, table).replace(first.upper(), table.upper())
            copied = CompiledCheck.from_dict(json.loads(text))
            assert copied.proof is not None
            code = digest(copied.code)
            proof = copied.proof.model_copy(update={"of_code": code})
            fresh = {"rule_digest": copied.check.rule_digest(), "code_digest": code, "proof": proof}
            workspace.registry.save(copied.model_copy(update=fresh))
        for column in columns:
            approve(workspace.registry, check_id(table, column), by="ada@example.com")
    for file in (folder / ".pandas_magic").glob("runs_log*"):
        file.unlink()
    return list(Workspace.open(folder).registry.load().values())


def decide(folder: Path, night: int, bench: Bench) -> None:
    """Take over an edited code on one night, and approve it some nights later."""
    workspace, check = replace(Workspace.open(folder), bench=bench), check_id(*EDITED)
    if night == EDITED_NIGHTS.start:
        workspace.accept(check, f"{workspace.registry.get(check).code}.copy()")
    if night == EDITED_NIGHTS.stop:
        approve(workspace.registry, check, by="bob@example.com")


def night_of(night: int) -> datetime:
    return datetime(2026, 11, night, 2, tzinfo=UTC)


def crash(folder: Path, chance: random.Random) -> int:
    """Cut the journal at some byte of the last night, leave garbage there, and say how many runs are still whole."""
    path = folder / ".pandas_magic" / "runs_log.jsonl"
    content = path.read_bytes()
    last_night = content.rindex(b'{"action": "session"')
    cut = chance.randrange(last_night, len(content) - 1)
    path.write_bytes(content[:cut] + b"\x00\xff{garbage" + chance.randbytes(20).replace(b"\n", b""))
    return content[:cut].rpartition(b"\n")[0].count(b'"action": "check"')


def run_night(folder: Path, bench: Bench, checks: Sequence[CompiledCheck]) -> tuple[Result, ...]:
    # Opened anew, as a scheduler's process does: everything it knows of yesterday is on disk.
    workspace = replace(Workspace.open(folder), bench=bench)
    workspace.begin_session("run", [compiled.id for compiled in checks])
    batch = workspace.run_batch(workspace.chosen([compiled.id for compiled in checks]), approved_only=True)
    assert batch.not_run == ()
    return batch.results


def judge_night(script: Script, night: int, results: Mapping[str, Result]) -> None:
    told = []
    for table in TABLES:
        for column in script.columns:
            check = check_id(table, column)
            run, bad = results[check].run, frozenset(script.bad.get((table, column), ()))
            expected = script.verdict(table, column, night)
            assert (run.verdict, run.error == "") == (expected, expected != "ERROR"), (night, check, run.error)
            if expected != "ERROR":
                assert run.violation_count == len(bad)
                edited = (table, column) == EDITED and night == EDITED_NIGHTS.stop
                judge_changes(script, run.changes, check, bad, edited=edited)
            elif (table, column) == EDITED:
                assert "changed after ada@example.com approved it" in run.error
            told.append((check, night, expected, bad if expected != "ERROR" else frozenset()))
    in_order = {check: at for at, check in enumerate(results)}
    script.told += sorted(told, key=lambda each: in_order[each[0]])
    verdicts = {each[2] for each in told}
    code = exit_code(Done(tuple(results.values())), fail_on=["low"])
    assert code == (3 if "ERROR" in verdicts else 1 if "FAIL" in verdicts else 0)


def judge_changes(script: Script, changes: object, check: str, bad: frozenset[int], *, edited: bool) -> None:
    before = script.last_judged(check)
    if edited:
        assert changes.incomparable == "the code changed"
        return
    if before is None:
        assert changes is None
        return
    assert changes is not None
    found = (changes.new, changes.still, changes.fixed)
    assert found == (len(bad - before), len(bad & before), len(before - bad)), check


@pytest.mark.feature("A14")
@pytest.mark.feature("E03")
@pytest.mark.feature("E09")
@pytest.mark.parametrize(
    ("nights", "columns"),
    [
        pytest.param(EVENTFUL_NIGHTS, FEWER_COLUMNS, id="eventful nights"),
        pytest.param(MONTH, tuple(COLUMNS), id="whole month", marks=pytest.mark.thorough),
    ],
)
def test_a_month_of_nights(
    tmp_path: Path, benches: tuple[Bench, Bench], nights: range, columns: tuple[str, ...]
) -> None:
    (tmp_path / "data").mkdir()
    script = Script(columns)
    script.begin(0)
    script.write_tables(tmp_path, 0)
    checks = compiled_checks(tmp_path, benches[0], columns)
    assert len(checks) == len(TABLES) * len(columns)
    for night in nights:
        script.begin(night)
        script.write_tables(tmp_path, night)
        decide(tmp_path, night, benches[0])
        with stopped_at(night_of(night)):
            if night == TWO_WRITERS_NIGHT:
                results = two_writers(tmp_path, benches, checks)
            else:
                results = {each.run.check_id: each for each in run_night(tmp_path, benches[0], checks)}
        judge_night(script, night, results)
        if night == CRASH_NIGHT:
            whole = crash(tmp_path, random.Random(7))
            assert len(script.told) - len(checks) <= whole < len(script.told)
            del script.told[whole:]
    judge_history(Workspace.open(tmp_path), script, nights)


def two_writers(folder: Path, benches: tuple[Bench, Bench], checks: Sequence[CompiledCheck]) -> dict[str, Result]:
    halves = (checks[::2], checks[1::2])
    with ThreadPoolExecutor(2) as pool:
        done = list(pool.map(run_night, (folder, folder), benches, halves))
    found = {result.run.check_id: result for half in done for result in half}
    return {compiled.id: found[compiled.id] for compiled in checks}


def judge_history(workspace: Workspace, script: Script, nights: range) -> None:
    history = workspace.journal.history
    for table in TABLES:
        for column in script.columns:
            check = check_id(table, column)
            mine = [each for each in script.told if each[0] == check]
            found = history.of(check)
            assert found is not None
            assert [run.verdict for run in history.runs(check)] == [verdict for _, _, verdict, _ in mine]
            judged = [each for each in mine if each[2] != "ERROR"]
            passes = [night for _, night, verdict, _ in judged if verdict == "PASS"]
            red = [night for _, night, _, _ in judged if night > (passes[-1] if passes else 0)]
            assert found.failing_since == (stamp(red[0]) if red else None), check
            assert found.last_passed == (stamp(passes[-1]) if passes else None)
    flapping = history.of(check_id(*FLAPPING))
    assert flapping is not None
    assert flapping.flapping
    rollup = list(csv.DictReader(workspace.journal.roll_up().read_text().splitlines()))
    assert len(rollup) == len(TABLES) * len(script.columns)
    assert len(history.sessions()) >= len(nights)
    judge_last_rows(workspace, script)


def judge_last_rows(workspace: Workspace, script: Script) -> None:
    """Which rows are new, still failing and fixed, by their keys, for each check that failed last night."""
    compared = 0
    for check, run in workspace.journal.last_runs().items():
        *_, before, last = [bad for told, _, verdict, bad in script.told if told == check and verdict != "ERROR"]
        if run.verdict != "FAIL" or not before:
            continue
        assert run.review == "approved"
        found = workspace.journal.compared(run)
        assert set(found.new["order_id"]) == last - before
        assert set(found.still["order_id"]) == last & before
        assert set(found.fixed["order_id"]) == before - last
        compared += 1
    assert compared > 3


def stamp(night: int) -> str:
    return night_of(night).strftime("%Y-%m-%dT%H:%M:%SZ")
