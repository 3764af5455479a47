"""An answer of the confined explorer as a report, when it is one: a confined process may say anything."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from pydantic import ValidationError

from pandas_magic.explore.details import Details
from pandas_magic.explore.exploration_attempt import ExplorationAttempt
from pandas_magic.explore.explorer_answer import ExplorerAnswer, Json, Problem
from pandas_magic.explore.notes import notes_of
from pandas_magic.explore.report import Report
from pandas_magic.explore.report_document import ReportDocument


@dataclass(frozen=True)
class BelievedReport:
    """What the owner of a table adds to the answer: the run, the notes of its way here, a metric of a person's own."""

    table: str
    run: str
    notes: Sequence[str]
    metric: str

    def of_part(self, part: Json, on: str, attempts: Sequence[ExplorationAttempt]) -> Report | Problem:
        """The report of what was known first."""
        made = self.of(ExplorerAnswer(part), on, attempts)
        return replace(made, is_whole=False) if isinstance(made, Report) else made

    def of(self, answer: ExplorerAnswer, on: str, attempts: Sequence[ExplorationAttempt]) -> Report | Problem:
        """The report, or why the answer is none; `on` is what was explored, after these attempts."""
        if answer.problem is not None:
            return answer.problem
        found = answer.document
        try:
            details = self._with_metric(Details.model_validate(found["details"]))
            meta = {
                "run_id": self.run,
                "script_version": found["script_version"],
                "runtime_ms": 0,
                "errors": [f"{attempt.on}: {attempt.problem}" for attempt in attempts],
            }
            lines = "\n".join(" ".join(note.splitlines()) for note in [*self.notes, *notes_of(details, on)])
            content = found["report"] | {"visuals": {}, "notes": lines, "meta": meta}
            document = ReportDocument.model_validate(content)
        except (KeyError, TypeError, ValidationError) as error:
            text = str(error).splitlines()
            return Problem("parse_error", f"its report does not fit the schema: {' '.join(text[:3])}", str(error))
        done = ExplorationAttempt(on, "ok", seconds=answer.seconds)
        return Report(self.table, document, details, attempts=(*attempts, done))

    def _with_metric(self, details: Details) -> Details:
        if self.metric == "automatic":
            return details
        return details.model_copy(update={"plan": details.plan.model_copy(update={"metric": self.metric})})
