"""Many checks in one go: side by side, within a time, interruptible, and every finished one in the journal."""

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field

from kernel_sandbox import SandboxError, SandboxUnavailable
from pandas_magic.checking.result import Result
from pandas_magic.errors import PandasMagicError, unforeseen
from pandas_magic.registry.roster import Listed

# A kernel that does not come may come for the next check; where none can, each attempt costs a second or a minute.
_MOST_REFUSALS = 3
_LOOK_SECONDS = 0.2  # how long Ctrl-C may wait to be seen while checks run in other threads
Begun = Callable[[Listed], None]
Finished = Callable[[Result], None]


@dataclass(frozen=True)
class Station:
    """Where one check after another is run: a confined kernel, and a journal in which runs are kept."""

    run: Callable[[Listed, float | None], Result]  # within so many seconds; None: as long as the settings say
    could_not_run: Callable[[Listed, str], Result]  # keeps a run that says why there was none
    stop: Callable[[], None] = lambda: None  # from another thread: what runs there ends without a verdict


@dataclass(frozen=True)
class Batch:
    """What came of it: the results in the order of the checks, and what never ran."""

    results: tuple[Result, ...]
    not_run: tuple[str, ...] = ()
    interrupted: bool = False


@dataclass(frozen=True)
class Onlooker:
    """Who looks on, and may stop a batch between two checks."""

    on_begun: Begun = lambda _: None
    on_finished: Finished = lambda _: None
    stopping: threading.Event = field(default_factory=threading.Event)


def run_batch(
    checks: Sequence[Listed],
    stations: Sequence[Station],
    *,
    max_seconds: float | None = None,
    watch: Onlooker | None = None,
) -> Batch:
    """Run the checks, one at a time at each of the stations; results come in the order given.

    After `max_seconds` what runs is stopped, and what has not begun gets a run with the verdict ERROR that says so.
    Ctrl-C stops what runs; what did not finish is in `not_run` and not in the journal. A check that cannot be run at
    all is an ERROR and does not keep the others from running. So is one whose code could not be confined; after some of
    these in a row none is tried any more.
    """
    work = _Work(max_seconds, watch or Onlooker())
    done, interrupted = work.in_turn(checks, stations[0]) if len(stations) == 1 else work.side_by_side(checks, stations)
    found = tuple(done[listed.id] for listed in checks if listed.id in done)
    return Batch(found, tuple(listed.id for listed in checks if listed.id not in done), interrupted)


class _Work:
    """The checks of one batch on their way."""

    def __init__(self, max_seconds: float | None, watch: Onlooker) -> None:
        self._max_seconds, self._watch = max_seconds, watch
        self._until = None if max_seconds is None else time.monotonic() + max_seconds
        self._stopped = threading.Event()
        self._refusals = 0  # checks in a row for which no kernel came
        self._refusal = ""  # why, for the last of them
        self._own = threading.local()

    def in_turn(self, checks: Sequence[Listed], station: Station) -> tuple[dict[str, Result], bool]:
        done: dict[str, Result] = {}
        try:
            for listed in checks:
                if self._watch.stopping.is_set():
                    break
                result = self._run(station, listed)
                done[listed.id] = result
                self._watch.on_finished(result)
        except KeyboardInterrupt:
            return done, True
        return done, False

    def side_by_side(self, checks: Sequence[Listed], stations: Sequence[Station]) -> tuple[dict[str, Result], bool]:
        done: dict[str, Result] = {}
        interrupted = False
        pool = ThreadPoolExecutor(len(stations), "check", self._sit_down, (iter(stations),))
        pending: dict[Future[Result | None], str] = {}
        try:
            for listed in checks:
                pending[pool.submit(self._run_in_thread, listed)] = listed.id
            self._gather(pending, done)
        except KeyboardInterrupt:
            interrupted = True
        finally:
            self._stop(pending, stations, pool)
        # What finished between the last look and the stop is in the journal, so it counts.
        for future, check_id in pending.items():
            if future.done() and not future.cancelled() and future.exception() is None:
                result = future.result()
                done |= {} if result is None else {check_id: result}
        return done, interrupted

    def _gather(self, pending: dict[Future[Result | None], str], done: dict[str, Result]) -> None:
        waiting = set(pending)
        while waiting and not self._watch.stopping.is_set():
            finished, waiting = wait(waiting, timeout=_LOOK_SECONDS, return_when=FIRST_COMPLETED)
            for future in finished:
                result = future.result()
                if result is not None:
                    done[pending[future]] = result
                    self._watch.on_finished(result)

    def _stop(
        self, pending: dict[Future[Result | None], str], stations: Sequence[Station], pool: ThreadPoolExecutor
    ) -> None:
        self._stopped.set()
        for future in pending:
            future.cancel()
        for station in stations:
            station.stop()
        pool.shutdown(wait=True)

    def _sit_down(self, stations: Iterator[Station]) -> None:
        self._own.station = next(stations)

    def _run_in_thread(self, listed: Listed) -> Result | None:
        if self._stopped.is_set() or self._watch.stopping.is_set():
            return None
        return self._run(self._own.station, listed)

    def _run(self, station: Station, listed: Listed) -> Result:
        left = None if self._until is None else self._until - time.monotonic()
        if left is not None and left <= 0:
            late = f"it was not run: the {self._max_seconds:g} seconds of the whole run were over"
            return station.could_not_run(listed, late)
        if self._refusals >= _MOST_REFUSALS:
            return station.could_not_run(listed, self._refusal)
        self._watch.on_begun(listed)
        try:
            result = station.run(listed, left)
        except (PandasMagicError, SandboxError) as error:
            if self._stopped.is_set():
                raise
            if isinstance(error, SandboxUnavailable):
                self._refusals, self._refusal = self._refusals + 1, str(error)
            return station.could_not_run(listed, str(error))
        except Exception as error:  # one check that nobody foresaw must not cost all the others
            return station.could_not_run(listed, unforeseen(error))
        self._refusals = 0
        return result
