"""Which failing rows are old enough to delete."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from pandas_magic.clock import present
from pandas_magic.history.past import PastRun
from pandas_magic.history.run import Verdict


@dataclass(frozen=True)
class Keeping:
    """How long failing rows are kept: of so many runs of each check, and for so many days. 0: without end."""

    runs: int = 0
    days: float = 0.0


def to_remove(runs: Sequence[PastRun], keeping: Keeping) -> list[str]:
    """The ids of a check's runs, given oldest first, whose files may go. Never the last run's or the last failing's."""
    failed = [run for run in runs if run.verdict == Verdict.FAIL]
    kept_for_good = {run.run_id for run in (*runs[-1:], *failed[-1:])}
    too_many = {run.run_id for run in failed[: -keeping.runs]} if keeping.runs else set()
    too_old = {run.run_id for run in failed if keeping.days and _age_days(run) > keeping.days}
    return [run.run_id for run in failed if run.run_id in too_many | too_old and run.run_id not in kept_for_good]


def _age_days(run: PastRun) -> float:
    try:
        began = datetime.fromisoformat(run.started_at)
        return (present() - began).total_seconds() / 86_400
    except (ValueError, TypeError):
        return 0.0  # a time that cannot be read does not make rows old
