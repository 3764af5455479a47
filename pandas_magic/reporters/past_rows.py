"""Past runs and sessions as rows of texts, for the terminal and the notebook alike."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pandas_magic.clock import to_the_minute
from pandas_magic.history.outcomes import outcome_in_words

if TYPE_CHECKING:
    from pandas_magic.history.history import Session
    from pandas_magic.history.past import PastRun

RUN_HEADER = ("run", "began", "verdict", "failing", "of", "seconds", "rows kept")
ASIDE_HEADER = (*RUN_HEADER[:-1], "aside, since it looked at")


def run_row(run: PastRun) -> tuple[str, ...]:
    """One run as texts, in the order of `RUN_HEADER`."""
    return (
        run.run_id,
        to_the_minute(run.started_at),
        outcome_in_words(run),
        "" if run.violation_count is None else f"{run.violation_count:,}",
        "" if run.rows is None else f"{run.rows:,}",
        f"{run.seconds:.2f}",
        run.artifact,
    )


def aside_row(run: PastRun) -> tuple[str, ...]:
    """A run aside, and in the last place why it is no run of the check."""
    part = f"since {run.since}" if run.since else ""
    return (*run_row(run)[:-1], ", ".join(filter(None, ("edited code" * run.edited, part, run.trial))))


def session_row(session: Session) -> tuple[str, ...]:
    """Its id, when it began, its kind, what came of it, and what a crash or Ctrl-C kept from running."""
    verdicts = [run.verdict for run in session.runs]
    counts = ", ".join(f"{verdicts.count(verdict)} {verdict}" for verdict in dict.fromkeys(verdicts))
    missed = ", ".join(session.not_run)
    return (session.id, to_the_minute(session.started_at), session.kind or "notebook", counts or "nothing ran", missed)
