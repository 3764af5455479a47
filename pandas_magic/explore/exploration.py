"""An exploration: explore, repair, follow up, log. The rules decide; a model may choose among what they allow.

An exploration is at most one report and `max_follow_ups` probes, inside the sum of their time limits. When a run fails
it is tried again on fewer columns and then on fewer rows; then it stops with what it has and says what was tried.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pandas as pd
from pydantic import ValidationError

from pandas_magic.clock import run_id
from pandas_magic.errors import NoSuchName, PandasMagicError, TableUnreadable
from pandas_magic.explore.advice import Advisor
from pandas_magic.explore.crossing import crossable
from pandas_magic.explore.delivery import ConfinedExplorer, Progress
from pandas_magic.explore.details import Details, ProbeResult
from pandas_magic.explore.exploration_attempt import ExplorationAttempt
from pandas_magic.explore.exploration_request import ExplorationRequest
from pandas_magic.explore.explorer_answer import ExplorerAnswer, Json, Problem
from pandas_magic.explore.notes import notes_of
from pandas_magic.explore.oversize import fitted, question_about
from pandas_magic.explore.probe_choice import PROBES, follow_ups, offered
from pandas_magic.explore.report import Report
from pandas_magic.explore.report_document import ReportDocument
from pandas_magic.explore.run_line import run_line
from pandas_magic.explore.storytelling import story_of
from pandas_magic.explore.subject import Subject
from pandas_magic.explore.unfinished import ExplorationFailed, NeedsConfirmation, NothingExplored, Stopped
from pandas_magic.history.log import RunLog

MAX_FOLLOW_UPS = 3
# More columns than anybody reads: a person is asked first.
MANY_COLUMNS = 200
# What is left out after a failure, in this order; the brief's repair loop, part C.
_REDUCTIONS: tuple[tuple[str, Json], ...] = (
    ("everything", {}),
    ("20 columns", {"only_columns": 20}),
    ("20 columns of 10,000 rows", {"only_columns": 20, "sample_rows": 10_000}),
)
_PICTURES_SECONDS = 60.0


class Exploration:
    """One table under exploration: `run` gives the report, `probe` looks deeper, `stop` ends either of them."""

    def __init__(
        self,
        subject: Subject,
        request: ExplorationRequest,
        *,
        folder: Path | None = None,
        confirmed: bool = False,
        max_follow_ups: int = MAX_FOLLOW_UPS,
        metric: str = "automatic",
        advisor: Advisor | None = None,
        sources: Mapping[str, str] | None = None,
        isolation: str = "auto",
        on_progress: Progress = lambda _: None,
    ) -> None:
        self._subject, self._request, self._folder = subject, request, folder
        self._confirmed, self._max_follow_ups, self._advisor = confirmed, max_follow_ups, advisor
        self._say, self._metric = on_progress, metric
        self._notes: tuple[str, ...] = ()
        self._readings: dict[str, str] = {}
        self._stopped = threading.Event()
        self._part = fitted(subject, request.constraints) if confirmed else subject
        frame = None
        if self._part.frame is not None:
            frame, self._notes = crossable(self._part.frame)
        self._crossed = frame
        self._explorer = ConfinedExplorer(
            request.constraints, file=subject.file, frame=frame, sources=sources, isolation=isolation
        )
        self.report: Report | None = None

    def run(self) -> Report:
        """The report with its follow-ups, its pictures and its summary; logged and, with a folder, written down.

        Raises: NoSuchName (the target), TableUnreadable, NeedsConfirmation, Stopped, ExplorationFailed,
        kernel_sandbox.SandboxUnavailable.
        """
        began, run = time.monotonic(), run_id()
        self._resume()
        deadline = began + self._request.constraints.timeout_seconds * (1 + self._max_follow_ups)
        advised = nullcontext() if self._advisor is None else self._advisor.asked_about(self._subject.name, self._say)
        try:
            with advised:
                report = self._reported(run, deadline)
            report = report.timed(int(1000 * (time.monotonic() - began)))
        except PandasMagicError as error:
            self._log(run, began, error)
            raise
        self.report = report
        if self._folder is not None:
            report.save(self._folder)
        self._log(run, began, None)
        return report

    def probe(self, name: str, *, other: pd.DataFrame | None = None, **options: Any) -> Report:  # noqa: ANN401 - JSON
        """The report with one more probe in it.

        Raises: NothingExplored; NoSuchName (the probe); PandasMagicError when it failed.
        """
        if self.report is None:
            raise NothingExplored()
        self._resume()
        result = self._probe(name, options, other, self._request.constraints.timeout_seconds)
        if isinstance(result, Problem):
            raise PandasMagicError(f"the probe {name} failed: {result.text}")
        self.report = self.report.with_probe(result)
        if self._folder is not None:
            self.report.save(self._folder)
        return self.report

    def settle(self, column: str, reading: str) -> Report:
        """The report anew, with the meaning that a person gave a column in doubt."""
        self._readings[column] = reading
        return self.run()

    def stop(self) -> None:
        """End what is running, from another thread; `run` raises Stopped."""
        self._stopped.set()
        self._explorer.interrupt()

    def close(self) -> None:
        """End the confined process."""
        self._explorer.close()

    def _resume(self) -> None:
        self._stopped.clear()
        self._explorer.resume()

    def _reported(self, run: str, deadline: float) -> Report:
        self._ask_about_size()
        if self._crossed is not None:
            self._ask_about_columns(self._crossed.shape[1])
        report = self._explore(run)
        report = self._follow_up(report, deadline)
        report = self._with_pictures(report, deadline)
        self._say("summary")
        return report.with_story(story_of(report, self._advisor))

    def _ask_about_size(self) -> None:
        if not self._confirmed and (question := question_about(self._subject, self._request.constraints)):
            raise NeedsConfirmation(question)

    def _ask_about_columns(self, columns: int) -> None:
        if columns > MANY_COLUMNS and not self._confirmed:
            most = self._request.inputs.max_columns_to_explore
            told = f"{self._subject.name} has {columns} columns"
            raise NeedsConfirmation(f"{told}: all would be counted, and the relations of {most} of them explored.")

    def _explore(self, run: str) -> Report:
        attempts: list[ExplorationAttempt] = []
        for on, reduction in _REDUCTIONS:
            if attempts:
                self._say(f"trying again on {on}")
            answer = self._explorer.explore(
                self._asked(reduction),
                on_progress=self._say,
                wall_seconds=self._request.constraints.timeout_seconds,
            )
            problem, made = answer.problem, None
            if problem is None:
                problem, made = self._believed(answer, run, on, attempts)
            if made is not None:
                self._ask_about_columns(made.details.whole.columns)
                return made
            assert problem is not None
            self._refuse_hopeless(problem)
            attempts.append(ExplorationAttempt(on, problem.kind, problem.text, problem.trace, seconds=answer.seconds))
        raise ExplorationFailed(self._subject.name, attempts, self._explorer.obtained())

    def _asked(self, reduction: Json) -> Json:
        inputs = self._request.inputs.model_dump(mode="json")
        return inputs | reduction | self._part.described() | {"readings": self._readings}

    def _believed(
        self, answer: ExplorerAnswer, run: str, on: str, attempts: Sequence[ExplorationAttempt]
    ) -> tuple[Problem | None, Report | None]:
        """The answer as a report, when it is one: a confined process may say anything."""
        found = answer.document
        try:
            details = self._with_metric(Details.model_validate(found["details"]))
            meta = {
                "run_id": run,
                "script_version": found["script_version"],
                "runtime_ms": 0,
                "errors": [f"{attempt.on}: {attempt.problem}" for attempt in attempts],
            }
            notes = [*self._notes, *notes_of(details, on)]
            lines = "\n".join(" ".join(note.splitlines()) for note in notes)
            content = found["report"] | {"visuals": {}, "notes": lines, "meta": meta}
            document = ReportDocument.model_validate(content)
        except (KeyError, TypeError, ValidationError) as error:
            text = str(error).splitlines()
            return Problem("parse_error", f"its report does not fit the schema: {' '.join(text[:3])}", str(error)), None
        done = ExplorationAttempt(on, "ok", seconds=answer.seconds)
        return None, Report(self._subject.name, document, details, attempts=(*attempts, done))

    def _with_metric(self, details: Details) -> Details:
        if self._metric == "automatic":
            return details
        return details.model_copy(update={"plan": details.plan.model_copy(update={"metric": self._metric})})

    def _refuse_hopeless(self, problem: Problem) -> None:
        """What no smaller attempt would mend is raised at once."""
        if self._stopped.is_set() or problem.kind == "interrupted":
            raise Stopped(f"the exploration of {self._subject.name} was stopped")
        if problem.kind == "unreadable":
            raise TableUnreadable(problem.text)
        if problem.kind == "unknown" and problem.facts is not None:
            raise NoSuchName(
                "column",
                str(problem.facts["name"]),
                map(str, problem.facts["known"]),
                within=f'table "{self._subject.name}"',
            )

    def _follow_up(self, report: Report, deadline: float) -> Report:
        for _ in range(self._max_follow_ups):
            report, name = self._chosen(report)
            left = min(self._request.constraints.timeout_seconds, deadline - time.monotonic())
            if name is None:
                break
            if left <= 0:
                return report.with_error(f"{name}: no time was left")
            self._say(f"probe {name}")
            result = self._probe(name, {}, None, left)
            if isinstance(result, Problem):
                self._refuse_hopeless(result)
                # A probe that fails takes nothing from the report, but it is said, and its process may be gone.
                report = report.with_error(f"{name}: {result.text}")
                break
            report = report.with_probe(result)
        return report

    def _chosen(self, report: Report) -> tuple[Report, str | None]:
        """The next probe, and the report with a note when the model could not say one."""
        if self._advisor is not None:
            choices = offered(report)
            try:
                name = self._advisor.choose(report.facts(), choices) if choices else None
            except PandasMagicError as error:
                report = report.with_note(f"the rules chose the probes, since the model could not: {error}")
                self._advisor = None
            else:
                # A model may pass over what the rules ask for, or want more; it may not invent a probe.
                return report, name if name in choices else None
        waiting = follow_ups(report, self._request.inputs.missing_threshold_pct)
        return report, waiting[0] if waiting else None

    def _probe(self, name: str, options: Json, other: pd.DataFrame | None, seconds: float) -> ProbeResult | Problem:
        second = None if other is None else crossable(other)[0]
        if name not in PROBES:
            raise NoSuchName("probe", name, PROBES, within="the explorer")
        answer = self._explorer.probe(name, options, other=second, wall_seconds=seconds)
        return answer.as_probe()

    def _with_pictures(self, report: Report, deadline: float) -> Report:
        limit, left = self._request.inputs.plot_limit, min(_PICTURES_SECONDS, deadline - time.monotonic())
        if not limit:
            return report
        if left <= 0:
            return report.with_error("pictures: no time was left")
        self._say("pictures")
        answer = self._explorer.draw({"plot_limit": limit}, wall_seconds=left)
        if answer.problem is not None:
            self._refuse_hopeless(answer.problem)
            return report.with_error(f"pictures: {answer.problem.text}")
        pictures, wrong = answer.as_pictures()
        for each in wrong:
            report = report.with_error(each)
        return report.with_pictures(pictures)

    def _log(self, run: str, began: float, error: Exception | None) -> None:
        if self._folder is not None:
            errors = [str(error)] if error else list(self.report.document.meta.errors) if self.report else []
            line = run_line(self._subject, run, time.monotonic() - began, errors, failed=error is not None)
            RunLog(self._folder).append(line)
