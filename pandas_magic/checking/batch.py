"""Many checks in one go: side by side, within a time, interruptible, and every finished one in the journal."""

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, replace

from kernel_sandbox import SandboxError, SandboxUnavailable
from pandas_magic.catalog.shared import SharedCatalog
from pandas_magic.checking.bench import Bench
from pandas_magic.checking.result import Result
from pandas_magic.checking.runner import errored_run
from pandas_magic.clock import timestamp
from pandas_magic.errors import PandasMagicError
from pandas_magic.history.past import SessionStart
from pandas_magic.registry.compiled_check import CompiledCheck
from pandas_magic.workspace import Workspace

_LOOK_SECONDS = 0.2  # how long Ctrl-C may wait to be seen while checks run in other threads
Finished = Callable[[Result], None]


@dataclass(frozen=True)
class Batch:
    """What came of it: the results in the order of the checks, and what never ran."""

    results: tuple[Result, ...]
    not_run: tuple[str, ...] = ()
    interrupted: bool = False


def run_batch(
    workspace: Workspace,
    checks: Sequence[CompiledCheck],
    *,
    jobs: int = 1,
    max_seconds: float | None = None,
    approved_only: bool = False,
    on_finished: Finished = lambda _: None,
) -> Batch:
    """Run the checks, `jobs` at a time, each in a confined kernel of its own; results come in the order given.

    After `max_seconds` what runs is stopped, and what has not begun gets a run with the verdict ERROR that says so.
    Ctrl-C stops what runs; what did not finish is in `not_run` and not in the journal. A check that cannot be run at
    all is an ERROR and does not keep the others from running.

    Raises: kernel_sandbox.SandboxUnavailable when code could not be confined.
    """
    ids = tuple(compiled.id for compiled in checks)
    workspace.journal.begin_session(SessionStart(workspace.session, timestamp(), "run", ids))
    work = _Work(workspace, max_seconds, on_finished, approved_only=approved_only)
    done, interrupted = work.in_turn(checks) if jobs <= 1 or len(checks) <= 1 else work.side_by_side(checks, jobs)
    found = tuple(done[check_id] for check_id in ids if check_id in done)
    return Batch(found, tuple(check_id for check_id in ids if check_id not in done), interrupted)


class _Work:
    """The checks of one batch on their way."""

    def __init__(
        self, workspace: Workspace, max_seconds: float | None, on_finished: Finished, *, approved_only: bool
    ) -> None:
        self._workspace, self._max_seconds, self._on_finished = workspace, max_seconds, on_finished
        self._approved_only = approved_only
        self._until = None if max_seconds is None else time.monotonic() + max_seconds
        self._stopped = threading.Event()
        self._own = threading.local()
        self._benches: list[Bench] = []

    def in_turn(self, checks: Sequence[CompiledCheck]) -> tuple[dict[str, Result], bool]:
        done: dict[str, Result] = {}
        try:
            for compiled in checks:
                result = self._run(self._workspace, compiled)
                done[compiled.id] = result
                self._on_finished(result)
        except KeyboardInterrupt:
            return done, True
        return done, False

    def side_by_side(self, checks: Sequence[CompiledCheck], jobs: int) -> tuple[dict[str, Result], bool]:
        shared = replace(self._workspace, catalog=SharedCatalog(self._workspace.catalog))
        done: dict[str, Result] = {}
        interrupted = False
        # All benches are there before the first thread is: one made during the stop would not be stopped.
        self._benches = [Bench(shared.settings) for _ in range(min(jobs, len(checks)))]
        places = iter([replace(shared, bench=bench) for bench in self._benches])
        pool = ThreadPoolExecutor(len(self._benches), "check", self._sit_down, (places,))
        pending: dict[Future[Result | None], str] = {}
        try:
            for compiled in checks:
                pending[pool.submit(self._run_in_thread, compiled)] = compiled.id
            self._gather(pending, done)
        except KeyboardInterrupt:
            interrupted = True
        finally:
            self._stop(pending, pool)
        # What finished between the last look and the stop is in the journal, so it counts.
        for future, check_id in pending.items():
            if future.done() and not future.cancelled() and future.exception() is None and future.result() is not None:
                done[check_id] = future.result()  # type: ignore[assignment] # not None, as was asked
        return done, interrupted

    def _gather(self, pending: dict[Future[Result | None], str], done: dict[str, Result]) -> None:
        waiting = set(pending)
        while waiting:
            finished, waiting = wait(waiting, timeout=_LOOK_SECONDS, return_when=FIRST_COMPLETED)
            for future in finished:
                result = future.result()
                if result is not None:
                    done[pending[future]] = result
                    self._on_finished(result)

    def _stop(self, pending: dict[Future[Result | None], str], pool: ThreadPoolExecutor) -> None:
        self._stopped.set()
        for future in pending:
            future.cancel()
        for bench in self._benches:
            bench.stop()
        pool.shutdown(wait=True)

    def _sit_down(self, places: Iterator[Workspace]) -> None:
        self._own.workspace = next(places)

    def _run_in_thread(self, compiled: CompiledCheck) -> Result | None:
        if self._stopped.is_set():
            return None
        return self._run(self._own.workspace, compiled)

    def _run(self, workspace: Workspace, compiled: CompiledCheck) -> Result:
        left = None if self._until is None else self._until - time.monotonic()
        if left is not None and left <= 0:
            return self._too_late(workspace, compiled)
        if left is not None and left < workspace.settings.wall_seconds:
            workspace = replace(workspace, settings=workspace.settings.model_copy(update={"wall_seconds": left}))
        try:
            return workspace.run_saved(compiled.id, approved_only=self._approved_only)
        except (PandasMagicError, SandboxError) as error:
            if self._stopped.is_set() or isinstance(error, SandboxUnavailable):
                raise
            run = workspace.keep(errored_run(compiled, str(error)))
            return Result(run, compiled)

    def _too_late(self, workspace: Workspace, compiled: CompiledCheck) -> Result:
        run = errored_run(compiled, f"it was not run: the {self._max_seconds:g} seconds of the whole run were over")
        return Result(workspace.keep(run), compiled)
