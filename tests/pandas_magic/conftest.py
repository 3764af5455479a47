"""Results as a check would give them, and a workspace that gives them back: for what is shown and what is typed."""

import atexit
import gc
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pandas as pd
import pytest
from IPython.core.interactiveshell import InteractiveShell
from traitlets.config import Config

from pandas_magic.catalog.table import Table
from pandas_magic.checking.bench import Bench
from pandas_magic.checking.result import Entry, Result
from pandas_magic.clock import Instant
from pandas_magic.constraints.plans import Plan
from pandas_magic.errors import NoSuchName
from pandas_magic.history.run import Confined, Run, Verdict
from pandas_magic.notebook.saved_cell import code_digest
from pandas_magic.registry.check import Check
from pandas_magic.registry.check_request import CheckRequest
from pandas_magic.registry.compiled_check import CompiledCheck
from pandas_magic.registry.proof import Proof
from pandas_magic.registry.roster import Listed
from pandas_magic.settings import Settings
from tests.keepers import keepers, keepers_are_kept, keepers_know_figures, keepers_know_statistics
from tests.pandas_magic.postgres_server import postgres, postgres_address
from tests.pandas_magic.spark_session import spark

__all__ = [
    "keepers",
    "keepers_are_kept",
    "keepers_know_figures",
    "keepers_know_statistics",
    "postgres",
    "postgres_address",
    "spark",
]

CODE = 'violations = events[~events["user_id"].isin(users["user_id"])]'
RULE = "Flag events rows whose user_id is missing from users."
ROWS = pd.DataFrame({"event_id": [7, 9], "user_id": [901.0, None]}, index=[6, 8])


def compiled_check(check_id: str = "CHK-002", *, code: str = CODE, **said: Any) -> CompiledCheck:
    known = {"id": check_id, "rule": RULE, "name": "Unknown users in events", "severity": "medium", **said}
    check = Check.model_validate(known)
    return CompiledCheck(
        check=check,
        plan=Plan(
            goal="events.user_id exists in users.user_id",
            steps=("take every row of events", "keep those whose user_id is not in users.user_id"),
            reads={"events": ("user_id",), "users": ("user_id",)},
            violation_means="an event of a user that is not known",
        ),
        constraint=None,
        code=code,
        proof=Proof(planted=4, flagged=4, clean=6, left_alone=6, cases=("an id that no user has",)),
        planner="rules",
        compiled_at="2026-11-21T08:00:00Z",
        schemas={"events": {"user_id": "float64"}, "users": {"user_id": "int64"}},
        rule_digest=check.rule_digest(),
        code_digest=code_digest(code),
    )


def result(
    verdict: Verdict = Verdict.FAIL,
    *,
    rows: pd.DataFrame | None = None,
    compiled: CompiledCheck | None = None,
    compiled_now: bool = False,
    stale_reason: str = "",
    explanation: tuple[tuple[str, str], ...] = (),
    **facts: Any,
) -> Result:
    compiled = compiled or compiled_check()
    found = rows if rows is not None else (ROWS if verdict is Verdict.FAIL else ROWS.iloc[:0])
    run = {
        "run_id": "20261121T080000-abcdef",
        "check_id": compiled.id,
        "verdict": verdict,
        "violation_count": len(found) if verdict in (Verdict.FAIL, Verdict.PASS) else None,
        "rows": 1000,
        "summary": f"{verdict}: {len(found)} of 1,000 rows of events break the rule",
        "code": compiled.code,
        "started_at": "2026-11-21T08:00:00Z",
        "seconds": 0.25,
        "confined": Confined(isolation="landlock+seccomp", layers=("landlock", "seccomp"), policy_digest="0" * 16),
        **facts,
    }
    return Result(
        Run.model_validate(run).holding(found, None),
        compiled,
        echo=compiled.plan.goal,
        compiled_now=compiled_now,
        stale_reason=stale_reason,
        explanation=explanation,
    )


class ScriptedWorkspace:
    """Answers as told, and keeps what it was asked."""

    def __init__(self, base_dir: Path) -> None:
        self.base_dir = base_dir
        self.settings = SimpleNamespace(on_fail="show", executor="confined")
        history = SimpleNamespace(runs_by_check=dict)
        self.journal = SimpleNamespace(folder=base_dir / ".pandas_magic", history=history)
        self.runner = SimpleNamespace(instant=Instant.current)
        self.registry = SimpleNamespace(get=lambda check_id: self.saved[check_id].compiled)
        self.catalog = SimpleNamespace(passed_over=dict)
        self.answer: Callable[[CheckRequest], Result] = lambda request: result(
            compiled=compiled_check(request.id or "CHK-001", rule=request.rule), compiled_now=True
        )
        self.saved: dict[str, Result] = {"CHK-002": result()}
        self.requests: list[CheckRequest] = []
        self.ran: list[tuple[str, str | None]] = []
        self.accepted: list[tuple[str, str]] = []
        self.in_sandbox: list[tuple[str, tuple[str, ...], str | None]] = []
        self.execution: Any = None
        self.frame: pd.DataFrame | None = None
        self.closed = 0

    def check(self, request: CheckRequest, *, on_progress: Callable[[str], None]) -> Result:
        on_progress("proving")
        self.requests.append(request)
        return self.answer(request)

    def run_saved(
        self,
        check_id: str,
        *,
        code: str | None = None,
        line: int = 1,
        allow_edited: bool = False,
        on_progress: Callable[[str], None],
    ) -> Result:
        if check_id not in self.saved:
            raise NoSuchName("check", check_id, self.saved, within="the registry")
        self.ran.append((check_id, code))
        return self.saved[check_id]

    def run(self, ids: Sequence[str] = (), tags: Sequence[str] = (), *, on_progress: object = None) -> list[Result]:
        return [self.saved[check_id] for check_id in ids or self.saved]

    def accept(self, check_id: str, code: str, *, line: int = 1) -> CompiledCheck:
        self.accepted.append((check_id, code))
        return compiled_check(check_id, code=code)

    def sandbox(self, code: str, tables: Sequence[str], output: str | None) -> tuple[Any, pd.DataFrame | None]:
        self.in_sandbox.append((code, tuple(tables), output))
        return self.execution, self.frame

    def entries(self) -> list[Entry]:
        listed = [
            (Listed(saved.compiled.id, saved.compiled.check, saved.compiled), saved.run)
            for saved in self.saved.values()
            if saved.compiled
        ]
        return [Entry(each, run, "") for each, run in listed]

    def changes(self, entries: Sequence[Entry]) -> list[Any]:
        return []

    def tables(self) -> list[Table]:
        columns = {"user_id": "int64", "country": "str"}
        return [Table(name="users", columns=columns, values={"country": ("de", "fr")}, keys=("user_id",), row_count=3)]

    def check_ids(self) -> list[str]:
        return list(self.saved)

    def table_names(self) -> list[str]:
        return ["events", "users"]

    def close(self) -> None:
        self.closed += 1


class Notebook:
    """An IPython shell with the magics loaded, over a scripted workspace; what it shows and raises is kept."""

    def __init__(self, shell: InteractiveShell, workspace: ScriptedWorkspace) -> None:
        self.shell, self.workspace = shell, workspace
        self.next_inputs: list[str] = []
        self.opened_with: list[Mapping[str, object]] = []
        shell.set_next_input = lambda text, replace=False: self.next_inputs.append(text)

    def open(self, namespace: Mapping[str, object]) -> Any:
        self.opened_with.append(namespace)
        return self.workspace

    def run(self, cell: str) -> Any:
        """The value of a cell. What it raises is raised here."""
        done = self.shell.run_cell(cell, store_history=False)
        error = done.error_before_exec or done.error_in_exec
        if error is not None:
            raise error
        return done.result

    def on_page(self, cell_id: str, **header: object) -> None:
        """From now on cells are run by a front end that names its cells."""
        self.shell.get_parent = lambda: {"metadata": {"cellId": cell_id}, "header": header}


@pytest.fixture(scope="module")
def bench() -> Iterator[Bench]:
    """One for all workspaces of a module: to start a sandbox takes longer than most tests."""
    bench = Bench(Settings())
    yield bench
    bench.close()


@pytest.fixture(scope="module")
def _old_objects_stay() -> None:
    # Each shell that ends looks for garbage among all objects: half a second once planners are imported.
    gc.collect()
    gc.freeze()


@pytest.fixture
def shell(_old_objects_stay: None, monkeypatch: pytest.MonkeyPatch) -> Iterator[InteractiveShell]:
    monkeypatch.setitem(sys.modules, "__main__", sys.modules["__main__"])  # the shell puts its own there and leaves it
    config = Config()
    config.HistoryManager.enabled = False
    shell = InteractiveShell.instance(config=config)
    yield shell
    InteractiveShell.clear_instance()
    atexit.unregister(shell.atexit_operations)
    shell.atexit_operations()


@pytest.fixture
def notebook(shell: InteractiveShell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Notebook]:
    from pandas_magic.notebook import magics

    monkeypatch.chdir(tmp_path)
    notebook = Notebook(shell, ScriptedWorkspace(tmp_path))
    magics.load(shell, open_workspace=notebook.open)
    yield notebook
    magics.unload(shell)


@pytest.fixture
def make_result() -> Callable[..., Result]:
    return result


@pytest.fixture
def make_compiled() -> Callable[..., CompiledCheck]:
    return compiled_check
