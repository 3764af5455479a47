"""An exploration: explore, repair, follow up, log. The rules decide; a model may choose among what they allow.

An exploration is at most one report and `max_follow_ups` probes, inside the sum of their time limits. When a run fails
it is tried again on fewer columns and then on fewer rows; then it stops with what it has and says what was tried.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from functools import partial, reduce
from pathlib import Path
from typing import Any

import pandas as pd

from pandas_magic.clock import run_id
from pandas_magic.errors import NoSuchName, PandasMagicError
from pandas_magic.explore.advice import Advisor
from pandas_magic.explore.believed_report import BelievedReport
from pandas_magic.explore.crossing import crossable
from pandas_magic.explore.delivery import ConfinedExplorer, Progress, confined_sources
from pandas_magic.explore.details import ProbeResult
from pandas_magic.explore.exploration_attempt import ExplorationAttempt
from pandas_magic.explore.exploration_request import ExplorationRequest
from pandas_magic.explore.explorer_answer import ExplorerAnswer, Json, Problem
from pandas_magic.explore.follow_ups import FollowUps, Probing
from pandas_magic.explore.oversize import MANY_COLUMNS, fitted, question_about, question_about_columns, with_time_for
from pandas_magic.explore.probe_choice import PROBES
from pandas_magic.explore.repairing import Repairer
from pandas_magic.explore.report import Report
from pandas_magic.explore.run_line import run_line
from pandas_magic.explore.step_repairs import StepRepairs
from pandas_magic.explore.storytelling import story_of
from pandas_magic.explore.subject import Subject
from pandas_magic.explore.unfinished import ExplorationFailed, NeedsConfirmation, NothingExplored, refuse_hopeless
from pandas_magic.history.log import RunLog

MAX_FOLLOW_UPS = 3
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
        repairer: Repairer | None = None,
        sources: Mapping[str, str] | None = None,
        isolation: str = "auto",
        on_progress: Progress = lambda _: None,
        on_report: Callable[[Report], None] | None = None,
    ) -> None:
        self._part = fitted(subject, request.constraints, confirmed=confirmed)
        self._subject, self._request, self._folder = subject, with_time_for(self._part, request), folder
        self._confirmed, self._max_follow_ups = confirmed, max_follow_ups
        self._follow_ups = FollowUps(request, advisor, max_follow_ups, on_progress)
        self._say, self._tell, self._metric, self._isolation = on_progress, on_report, metric, isolation
        self._readings: dict[str, str] = {}
        self._stopped = threading.Event()
        crossed: tuple[pd.DataFrame | None, tuple[str, ...]] = (None, ())
        self._crossed, self._notes = crossed if self._part.frame is None else crossable(self._part.frame)
        self._reduction: Json = {}  # what of the table the report is about
        how: Any = {"frame": self._crossed, "say": on_progress}
        self._repairs = StepRepairs(repairer, self._explorer_of, sources or confined_sources(), **how)
        self._explorer = self._explorer_of(None, self._repairs.sources)
        self.report: Report | None = None

    def run(self) -> Report:
        """The report with its follow-ups, its pictures and its summary; logged and, with a folder, written down.

        Raises: NoSuchName (the target), TableUnreadable, NeedsConfirmation, Stopped, ExplorationFailed,
        kernel_sandbox.SandboxUnavailable.
        """
        began, run = time.monotonic(), run_id()
        self._resume()
        deadline = began + self._request.constraints.timeout_seconds * (1 + self._max_follow_ups)
        try:
            advisor = self._follow_ups.advisor
            with advisor.asked_about(self._subject.name, self._say) if advisor else nullcontext():
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
        self._repairs.trials.interrupt()

    def close(self) -> None:
        """End the confined process."""
        self._explorer.close()

    def _resume(self) -> None:
        self._stopped.clear()
        self._explorer.resume()
        self._repairs.trials.resume()

    def _explorer_of(self, frame: pd.DataFrame | None, sources: Mapping[str, str]) -> ConfinedExplorer:
        """An explorer of this frame, of the table itself where it is None."""
        file, frame = (self._subject.file, self._crossed) if frame is None else (None, frame)
        said: Any = {"file": file, "frame": frame, "sources": sources, "isolation": self._isolation}
        return ConfinedExplorer(self._request.constraints, **said)

    def _reported(self, run: str, deadline: float) -> Report:
        if not self._confirmed and (question := question_about(self._subject, self._request.constraints)):
            raise NeedsConfirmation(question)
        if self._crossed is not None:
            self._ask_about_columns(self._crossed.shape[1])
        report = self._with_pictures(self._told(self._explore(run, deadline)), deadline)
        probing = Probing(
            lambda name, seconds: self._probe(name, {}, None, seconds),
            self._told,
            lambda report, name, problem: self._mended(report, name, problem, deadline),
        )
        report = self._follow_ups.added(self._told(report), probing, deadline)
        self._say("summary")
        return report.with_story(story_of(report, self._follow_ups.advisor))

    def _told(self, report: Report) -> Report:
        """The report, which whoever reads along has seen with a summary by the rules."""
        if self._tell is not None:
            self._tell(report.with_story(story_of(report)))
        return report

    def _ask_about_columns(self, columns: int) -> None:
        if not self._confirmed and (question := question_about_columns(self._subject, columns, self._request.inputs)):
            raise NeedsConfirmation(question)

    def _explore(self, run: str, deadline: float) -> Report:
        attempts: list[ExplorationAttempt] = []
        believed = BelievedReport(self._subject.name, run, self._notes, self._metric)
        # A file that is counted in one pass is no smaller with fewer columns or rows.
        ways = _REDUCTIONS[:1] if self._part.by_sketches else _REDUCTIONS
        for on, self._reduction in ways:
            if attempts:
                self._say(f"trying again on {on}")
            answer = self._answer(self._explorer, partial(self._look, believed, on, attempts))
            made = believed.of(answer, on, attempts)
            if isinstance(made, Report):
                self._ask_about_columns(made.details.whole.columns)
                return made
            self._refuse_hopeless(made)
            attempts.append(ExplorationAttempt(on, made.kind, made.text, made.trace, seconds=answer.seconds))
        repaired = self._repaired_report(believed, attempts, deadline)
        if repaired is None:
            raise ExplorationFailed(self._subject.name, attempts, self._explorer.obtained())
        return repaired

    def _look(self, believed: BelievedReport, on: str, attempts: list[ExplorationAttempt], part: Json) -> None:
        first = believed.of_part(part, on, attempts)
        # Of a part that is none the whole will tell; a wide table is asked about before it is shown.
        if isinstance(first, Report) and (self._confirmed or first.details.whole.columns <= MANY_COLUMNS):
            self._told(first)

    def _answer(self, explorer: ConfinedExplorer, on_part: Callable[[Json], None] = lambda _: None) -> ExplorerAnswer:
        seconds, asked = self._request.constraints.timeout_seconds, self._asked(self._reduction)
        return explorer.explore(asked, on_progress=self._say, wall_seconds=seconds, on_part=on_part)

    def _repaired_report(
        self, believed: BelievedReport, attempts: list[ExplorationAttempt], deadline: float
    ) -> Report | None:
        """The report of everything by code that a model repaired; its failure is one more attempt."""
        on, self._reduction = _REDUCTIONS[0]
        repaired = self._repairs.of_report(
            attempts[0],
            lambda explorer: believed.of(self._answer(explorer), on, attempts),
            own=self._explorer,
            deadline=deadline,
        )
        if isinstance(repaired, str):
            attempts += [ExplorationAttempt(f"{on}, repaired", "refused", repaired)] if repaired else []
            return None
        self._explorer.close()
        self._explorer = self._explorer_of(None, self._repairs.sources)
        self._answer(self._explorer)  # probes and pictures go on from what this process found
        report, repair = repaired
        return report.with_repair(repair)

    def _asked(self, reduction: Json) -> Json:
        inputs = self._request.inputs.model_dump(mode="json")
        said = {"readings": self._readings, "in_parts": self._tell is not None}
        return inputs | reduction | self._part.described() | said

    def _refuse_hopeless(self, problem: Problem) -> None:
        refuse_hopeless(problem, self._subject.name, stopped=self._stopped.is_set())

    def _mended(self, report: Report, name: str, problem: Problem, deadline: float) -> Report:
        self._refuse_hopeless(problem)
        seconds = self._request.constraints.timeout_seconds
        how: Any = {"own": self._explorer, "deadline": deadline, "seconds": seconds}
        return self._repairs.with_probe(report, name, problem, self._answer, **how)

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
        return reduce(Report.with_error, wrong, report).with_pictures(pictures)

    def _log(self, run: str, began: float, error: Exception | None) -> None:
        if self._folder is not None:
            errors = [str(error)] if error else list(self.report.document.meta.errors) if self.report else []
            took = time.monotonic() - began
            RunLog(self._folder).append(run_line(self._subject, run, took, errors, failed=error is not None))
