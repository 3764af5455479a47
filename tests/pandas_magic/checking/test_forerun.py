"""The next check of a batch on large tables runs while the one before is judged; what comes of it is the same."""

import dataclasses
import threading
import time
from collections import Counter
from pathlib import Path

import pandas as pd
import pytest

from kernel_sandbox import Execution, Sandbox
from pandas_magic.checking import own_code
from pandas_magic.checking.batch import Onlooker
from pandas_magic.checking.bench import Bench
from pandas_magic.checking.forerun import Forerun
from pandas_magic.checking.result import Result
from pandas_magic.history.run import Verdict
from pandas_magic.registry.check_request import CheckRequest
from pandas_magic.workspace import Workspace

ORDERS = pd.DataFrame({"id": [1, 2, 2], "total": [5.0, -7.0, None], "status": ["paid", "open", "lost"]})
RULES = {
    "A": "orders.total must not be negative",
    "B": "orders.status must be one of 'paid', 'open'",
    "C": "the average total of orders must be between -3 and 3",
    "D": "orders.id must be unique",
    "E": "orders.total must be present",
}
FOUND = {"A": 1, "B": 1, "C": 0, "D": 2, "E": 1}
_SECONDS = 0.5  # in which the next check begins


@pytest.fixture
def workspace(tmp_path: Path, bench: Bench, monkeypatch: pytest.MonkeyPatch) -> Workspace:
    monkeypatch.setattr(own_code, "MOST_ROWS", 1)
    opened = dataclasses.replace(Workspace.open(tmp_path, tables={"orders": ORDERS}), bench=bench)
    for check_id, rule in RULES.items():
        opened.check(CheckRequest(rule, id=check_id))
    return opened


class Executed:
    """The threads in which code was executed, and how often such code was; `instead` is executed in its place."""

    def __init__(self, patch: pytest.MonkeyPatch, instead: dict[str, str]) -> None:
        self.threads: list[str] = []
        self.codes: list[str] = []
        self.counts: Counter[str] = Counter()
        execute = Sandbox.execute

        def seen(sandbox: Sandbox, code: str, **options: object) -> Execution:
            self.threads.append(threading.current_thread().name)
            self.codes.append(code)
            for part, other in instead.items():
                if part in code:
                    self.counts[part] += 1
                    code = other
            return execute(sandbox, code, **options)  # type: ignore[arg-type] # as they came

        patch.setattr(Sandbox, "execute", seen)


def slowly(_: Result) -> None:
    time.sleep(_SECONDS)


def found_by(workspace: Workspace) -> dict[str, int | None]:
    batch = workspace.run_batch(workspace.chosen(), watch=Onlooker(on_finished=slowly))
    assert [each.run.check_id for each in batch.results] == list(RULES)
    assert all(each.run.confined for each in batch.results)
    return {each.run.check_id: each.run.violation_count for each in batch.results}


def test_each_check_but_the_first_runs_while_the_one_before_is_judged(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    executed = Executed(monkeypatch, {})
    assert found_by(workspace) == FOUND
    assert executed.threads.count("next check") == len(RULES) - 1
    assert len([code for code in executed.codes if '["id"].duplicated' in code]) == 1


def test_what_a_check_took_before_its_turn_is_of_its_seconds(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    took, execute = _SECONDS / 2, Sandbox.execute

    def slow(sandbox: Sandbox, code: str, **options: object) -> Execution:
        time.sleep(took if threading.current_thread().name == "next check" else 0)
        return execute(sandbox, code, **options)  # type: ignore[arg-type] # as they came

    monkeypatch.setattr(Sandbox, "execute", slow)
    batch = workspace.run_batch(workspace.chosen(), watch=Onlooker(on_finished=slowly))
    ahead = [each.run.seconds for each in batch.results[1:]]
    assert [seconds for seconds in ahead if seconds < took] == []


def test_one_that_takes_too_long_is_told_once(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    executed = Executed(monkeypatch, {'orders["status"].isin': "while True: pass"})
    quick = workspace.settings.model_copy(update={"wall_seconds": 1.0})
    batch = dataclasses.replace(workspace, settings=quick).run_batch(workspace.chosen())
    runs = {each.run.check_id: each.run for each in batch.results}
    assert (runs["B"].verdict, list(executed.counts.values())) == (Verdict.ERROR, [1])
    assert "longer than its 1 s" in runs["B"].error
    assert {name: run.violation_count for name, run in runs.items()} == {**FOUND, "B": None}


@pytest.mark.parametrize("end", ["raise ValueError", "import os; os.kill(os.getpid(), 9)"])
def test_one_that_fails_before_its_turn_runs_in_its_turn_and_alone(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch, end: str
) -> None:
    executed = Executed(monkeypatch, {"def _check(orders=orders[['id']]": end})
    assert found_by(workspace) == FOUND
    assert list(executed.counts.values()) == [2]


def test_what_nobody_approved_is_not_run_ahead(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    executed = Executed(monkeypatch, {})
    batch = workspace.run_batch(workspace.chosen(), approved_only=True)
    assert {each.run.verdict for each in batch.results} == {Verdict.ERROR}
    assert executed.threads == []


def test_a_batch_that_is_stopped_stops_what_runs_ahead(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    Executed(monkeypatch, {'orders["status"].isin': "while True: pass"})
    stopping = threading.Event()

    def stop(result: Result) -> None:
        slowly(result)
        stopping.set()

    began = time.monotonic()
    batch = workspace.run_batch(workspace.chosen(), watch=Onlooker(on_finished=stop, stopping=stopping))
    assert [each.run.check_id for each in batch.results] == ["A"]
    assert time.monotonic() - began < workspace.settings.wall_seconds / 3


def test_a_bench_that_is_stopped_stops_what_runs_ahead(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    Executed(monkeypatch, {'orders["status"].isin': "while True: pass"})
    timer = threading.Timer(2 * _SECONDS, workspace.bench.stop)
    began = time.monotonic()
    timer.start()
    batch = workspace.run_batch(workspace.chosen())
    timer.join()
    runs = {each.run.check_id: each.run for each in batch.results}
    assert runs["A"].violation_count == 1
    assert "it was stopped before its end" in runs["B"].error
    assert time.monotonic() - began < workspace.settings.wall_seconds / 3


def test_an_answer_is_taken_by_the_program_that_it_answers_alone() -> None:
    forerun = Forerun[int]()
    forerun.begin("one", lambda: 1)
    assert forerun.take("another") == []
    assert forerun.take("one") == []
    forerun.begin("one", lambda: 1)
    assert forerun.take("one") == [1]
    forerun.begin("none", lambda: None)
    assert forerun.has_failed()
    assert forerun.take("none") == []
    forerun.begin("one", lambda: 1)
    forerun.drop()
    assert not forerun.is_begun
