"""Kernels, spares and keepers that end between the checks of a batch cost none of the others its result."""

import dataclasses
import os
import signal
from collections.abc import Sequence
from pathlib import Path

import pandas as pd
import pytest

from kernel_sandbox import Execution, Sandbox, SandboxUnavailable
from pandas_magic.checking import own_code
from pandas_magic.checking.batch import Onlooker
from pandas_magic.checking.bench import Bench
from pandas_magic.checking.result import Result
from pandas_magic.history.run import Confined, Verdict
from pandas_magic.registry.check_request import CheckRequest
from pandas_magic.workspace import Workspace

ORDERS = pd.DataFrame({"id": [1, 2, 2], "total": [5.0, -7.0, None], "status": ["paid", "open", "lost"]})
RULES = {
    "TOTAL": "orders.total must not be negative",
    "STATUS": "orders.status must be one of 'paid', 'open'",
    "UNIQUE": "orders.id must be unique",
    "PRESENT": "orders.total must be present",
}
FOUND = {"TOTAL": 1, "STATUS": 1, "UNIQUE": 2, "PRESENT": 1}
NO_MORE = SandboxUnavailable("the confined process used 200 MiB before any code ran", "Allow it more memory")


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory, bench: Bench) -> Workspace:
    opened = Workspace.open(tmp_path_factory.mktemp("ending"), tables={"orders": ORDERS})
    opened = dataclasses.replace(opened, bench=bench)
    for check_id, rule in RULES.items():
        opened.check(CheckRequest(rule, id=check_id))
    return opened


@pytest.fixture
def one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(own_code, "MOST_ROWS", 1)


def end_process(sandbox: Sandbox) -> None:
    os.kill(sandbox.confinement.pid, signal.SIGKILL)


def end_keeper(sandbox: Sandbox) -> None:
    sandbox._ready()[0].destroy()


def end_spare(sandbox: Sandbox) -> None:
    keeper = sandbox._ready()[0]._process.pid
    children = [int(one) for one in Path(f"/proc/{keeper}/task/{keeper}/children").read_text().split()]
    for pid in {*children} - {sandbox.confinement.pid, *_fronts(children)}:
        os.kill(pid, signal.SIGKILL)


def _fronts(pids: Sequence[int]) -> list[int]:
    return [pid for pid in pids if b"front" in Path(f"/proc/{pid}/cmdline").read_bytes()]


@pytest.mark.usefixtures("one_by_one")
def test_what_ends_between_two_checks_costs_no_result(workspace: Workspace) -> None:
    ends = iter([end_process, end_spare, end_keeper])

    def finished(_: Result) -> None:
        next(ends, end_process)(workspace.bench.sandbox())

    batch = workspace.run_batch(workspace.chosen(), watch=Onlooker(on_finished=finished))
    assert {each.run.check_id: each.run.violation_count for each in batch.results} == FOUND


def refuse(patch: pytest.MonkeyPatch, part: str) -> list[str]:
    """From now on no process comes for code with this part, and what one held is gone; the list gets each such code."""
    refused: list[str] = []
    execute = Sandbox.execute

    def refusing(sandbox: Sandbox, code: str, **options: object) -> Execution:
        if part in code:
            refused.append(code)
            sandbox.renew()
            raise NO_MORE
        return execute(sandbox, code, **options)  # type: ignore[arg-type] # as they came

    patch.setattr(Sandbox, "execute", refusing)
    return refused


@pytest.mark.usefixtures("one_by_one")
@pytest.mark.parametrize("jobs", [1, 2])
def test_a_check_for_which_no_process_comes_is_an_error_and_the_others_keep_their_results(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch, jobs: int
) -> None:
    refuse(monkeypatch, ".isin(")
    batch = workspace.run_batch(workspace.chosen(), jobs=jobs)
    runs = {each.run.check_id: each.run for each in batch.results}
    assert (runs["STATUS"].verdict, runs["STATUS"].error) == (Verdict.ERROR, str(NO_MORE))
    assert {name: run.violation_count for name, run in runs.items()} == {**FOUND, "STATUS": None}


@pytest.mark.usefixtures("one_by_one")
def test_where_nothing_can_be_confined_every_check_says_so_and_few_are_tried(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    refused = refuse(monkeypatch, "")
    results = workspace.run()
    assert {(each.run.verdict, each.run.error) for each in results} == {(Verdict.ERROR, str(NO_MORE))}
    assert (len(results), len(refused)) == (len(RULES), 3)


def test_code_that_ends_its_process_is_told_though_no_other_process_comes(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(_: Bench) -> Confined:
        raise NO_MORE

    monkeypatch.setattr(Bench, "confined", refused)
    code = "import os, signal\nos.kill(os.getpid(), signal.SIGKILL)"
    compiled = workspace.registry.load()["TOTAL"].model_copy(update={"code": code, "constraint": None})
    run = workspace.runner.run(compiled)
    assert (run.verdict, "ended by SIGKILL" in run.error, run.confined) == (Verdict.ERROR, True, None)
