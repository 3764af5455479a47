"""Every run of every check, by check and by session. The log is read once; later calls read what was added."""

import threading
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from pandas_magic.errors import NoSuchName
from pandas_magic.history.check_history import CheckHistory, summed_up
from pandas_magic.history.log import RunLog
from pandas_magic.history.past import SESSION, PastRun, SessionStart, parsed, past_run, session_start, whole_run
from pandas_magic.history.run import Run


@dataclass(frozen=True)
class Session:
    """One scheduled run or one notebook: what it ran, in order, and what it set out to run and did not."""

    id: str
    started_at: str
    kind: str  # "run", "notebook", or "" when only its runs are known
    runs: tuple[PastRun, ...]
    not_run: tuple[str, ...]


class History:
    """The runs in the log below `folder`. Safe to ask from several threads."""

    def __init__(self, folder: Path) -> None:
        self._log = RunLog(folder)
        self._lock = threading.Lock()
        self._runs: dict[str, list[PastRun]] = {}
        self._last_lines: dict[str, bytes] = {}
        self._starts: dict[str, SessionStart] = {}
        # Runs of code that is not the check's, on a part of its table, or on trial: sessions have them, checks do not.
        self._aside: list[PastRun] = []

    def check_ids(self) -> list[str]:
        """Every check that ever ran here, in the order of their first runs."""
        return list(self._read())

    def runs(self, check_id: str, *, trial: str = "") -> tuple[PastRun, ...]:
        """The runs of a check, or those of one trial of it, oldest first; none when it never ran so."""
        if not trial:
            return tuple(self._read().get(check_id, ()))
        aside = self.runs_aside().get(check_id, ())
        return tuple(run for run in aside if run.trial == trial and not (run.edited or run.since))

    def runs_by_check(self) -> dict[str, tuple[PastRun, ...]]:
        """The runs of every check that ever ran here, oldest first; the log is looked at once."""
        return {check_id: tuple(runs) for check_id, runs in self._read().items()}

    def every_run(self) -> list[PastRun]:
        """All runs by the time of their beginning, those aside among them."""
        runs = [run for runs in self._read().values() for run in runs]
        return sorted((*runs, *self._aside), key=lambda run: run.started_at)

    def runs_aside(self) -> dict[str, list[PastRun]]:
        """The runs of edited code, on parts of tables and on trial, by check, oldest first."""
        found: dict[str, list[PastRun]] = {}
        self._read()
        for run in self._aside:
            found.setdefault(run.check_id, []).append(run)
        return found

    def last_judged(self, check_id: str, *, trial: str = "") -> PastRun | None:
        """The last run of a check, or of one trial of it, that gave PASS or FAIL."""
        return next((run for run in reversed(self.runs(check_id, trial=trial)) if run.judged), None)

    def last_runs(self) -> dict[str, Run]:
        """The latest run of each check with every field."""
        self._read()
        found = {check_id: whole_run(line) for check_id, line in self._last_lines.items()}
        return {check_id: run for check_id, run in found.items() if run is not None}

    def last_run(self, check_id: str) -> Run | None:
        """The latest run of one check with every field; None when it never ran."""
        self._read()
        line = self._last_lines.get(check_id)
        return None if line is None else whole_run(line)

    def whole(self, run_id: str) -> Run | None:
        """Every field of one run; None when the log has no such run."""
        for file in self._log.paths():
            for line in file.read_bytes().split(b"\n"):
                if run_id.encode() in line and (run := whole_run(line)) is not None and run.run_id == run_id:
                    return run
        return None

    def every_whole_run(self) -> dict[str, list[Run]]:
        """Every field of every run by its check, oldest first, but for runs aside."""
        found: dict[str, list[Run]] = {}
        for file in reversed(self._log.paths()):
            for run in map(whole_run, file.read_bytes().split(b"\n")):
                if run is not None and not run.is_aside:
                    found.setdefault(run.check_id, []).append(run)
        return found

    def session(self, session_id: str) -> Session:
        """One session. Raises: NoSuchName with the nearest."""
        sessions = {session.id: session for session in self.sessions()}
        if session_id not in sessions:
            raise NoSuchName("session", session_id, sessions, within="the history")
        return sessions[session_id]

    def of(self, check_id: str) -> CheckHistory | None:
        """One check's runs summed up; None when it never ran."""
        runs = self.runs(check_id)
        return summed_up(runs) if runs else None

    def summaries(self) -> list[CheckHistory]:
        """Every check's runs summed up, by id."""
        return [summed_up(runs) for _, runs in sorted(self._read().items())]

    def sessions(self) -> list[Session]:
        """Every session, the latest first."""
        by_session: dict[str, list[PastRun]] = {}
        for run in self.every_run():
            by_session.setdefault(run.session, []).append(run)
        names = dict.fromkeys([*self._starts, *by_session])
        found = [self._session(name, by_session.get(name, ())) for name in names if name]
        return sorted(found, key=lambda session: (session.started_at, session.id), reverse=True)

    def _session(self, name: str, runs: Iterable[PastRun]) -> Session:
        ran = tuple(runs)
        start = self._starts.get(name)
        if start is None:
            return Session(name, ran[0].started_at, "", ran, ())
        done = {run.check_id for run in ran}
        missed = tuple(check_id for check_id in start.planned if check_id not in done)
        return Session(name, start.started_at, start.kind, ran, missed)

    def _read(self) -> dict[str, list[PastRun]]:
        with self._lock:
            anew, lines = self._log.added()
            if anew:
                self._runs, self._last_lines, self._starts, self._aside = {}, {}, {}, []
            for line in lines:
                self._take(line)
            return self._runs

    def _take(self, line: bytes) -> None:
        content = parsed(line)
        if content is None:
            return
        if content.get("action") == SESSION:
            start = session_start(content)
            if start is not None:
                # A session may begin several runs one after the other.
                before = self._starts.get(start.session, start)
                planned = tuple(dict.fromkeys((*before.planned, *start.planned)))
                self._starts[start.session] = before._replace(planned=planned)
            return
        run = past_run(content)
        if run is not None and run.is_aside:
            self._aside.append(run)
        elif run is not None:
            self._runs.setdefault(run.check_id, []).append(run)
            self._last_lines[run.check_id] = line
