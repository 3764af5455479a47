"""What the runs of one check say together: since when it fails, whether it flaps, where its numbers go."""

from collections.abc import Sequence
from itertools import pairwise
from statistics import median
from typing import Literal

from pandas_magic.clock import to_the_minute
from pandas_magic.history.outcomes import outcome_in_words
from pandas_magic.history.past import PastRun
from pandas_magic.history.run import Verdict
from pandas_magic.record import Record

Trend = Literal["rising", "falling", "steady", "unknown"]

_RECENT = 20  # runs in which changes of the verdict are counted: four working weeks of nights
_FLAPPING = 4  # changes in them, from which a check is said to flap: it broke and recovered twice
_WINDOW = 5  # runs on each side that a trend compares
_STEADY_SHARE = 0.25  # medians that differ by less are steady
_STEADY_SECONDS = 0.05  # as are durations that differ by less: the clock's own noise


class CheckHistory(Record):
    """One check's runs, summed up. Times are ISO 8601 in UTC; None where there is no such run."""

    check_id: str
    runs: int
    passed: int
    failed: int
    errors: int
    skipped: int
    last_verdict: str
    last_outcome: str  # the verdict with what makes it less than one: "PASS, nothing judged"
    last_run_at: str
    last_run_id: str
    last_summary: str
    failing_since: str | None  # the first FAIL after the last PASS; None: the last judged run passed
    last_passed: str | None
    last_failed: str | None
    recent_changes: int  # how often the verdict changed between PASS and FAIL in the last 20 judged runs
    flapping: bool
    violations: int | None  # of the last judged run
    rows: int | None
    violations_trend: Trend
    seconds: float
    median_seconds: float
    seconds_trend: Trend

    def in_words(self) -> str:
        """One line: since when it fails or when it last passed, and what is odd about it."""
        parts = [f"{self.last_outcome} in the last of {self.runs:,} run{'s' * (self.runs != 1)}"]
        if self.failing_since:
            parts.append(f"failing since {to_the_minute(self.failing_since)}")
        parts.append(f"last passed {to_the_minute(self.last_passed)}" if self.last_passed else "never passed")
        if self.flapping:
            parts.append(f"flapping: {self.recent_changes} changes of the verdict in the last {_RECENT} runs")
        if self.violations_trend in ("rising", "falling"):
            parts.append(f"failing rows are {self.violations_trend}")
        if self.seconds_trend == "rising":
            parts.append("it is getting slower")
        return "; ".join(parts)


def summed_up(runs: Sequence[PastRun]) -> CheckHistory:
    """The history of one check from its runs, oldest first; there is at least one."""
    last, verdicts = runs[-1], [run.verdict for run in runs]
    judged = [run for run in runs if run.judged]
    changes = sum(one.verdict != other.verdict for one, other in pairwise(judged[-_RECENT:]))
    return CheckHistory(
        check_id=last.check_id,
        runs=len(runs),
        passed=verdicts.count(Verdict.PASS),
        failed=verdicts.count(Verdict.FAIL),
        errors=verdicts.count(Verdict.ERROR),
        skipped=verdicts.count(Verdict.SKIPPED),
        last_verdict=last.verdict,
        last_outcome=outcome_in_words(last),
        last_run_at=last.started_at,
        last_run_id=last.run_id,
        last_summary=last.summary,
        failing_since=_failing_since(judged),
        last_passed=_last(judged, Verdict.PASS),
        last_failed=_last(judged, Verdict.FAIL),
        recent_changes=changes,
        flapping=changes >= _FLAPPING,
        violations=judged[-1].violation_count if judged else None,
        rows=judged[-1].rows if judged else None,
        violations_trend=_trend([float(run.violation_count or 0) for run in judged], steady=0.0),
        seconds=last.seconds,
        median_seconds=round(median(run.seconds for run in runs), 4),
        seconds_trend=_trend([run.seconds for run in judged], steady=_STEADY_SECONDS),
    )


def _failing_since(judged: Sequence[PastRun]) -> str | None:
    since = None
    for run in reversed(judged):
        if run.verdict == Verdict.PASS:
            break
        since = run.started_at
    return since


def _last(judged: Sequence[PastRun], verdict: Verdict) -> str | None:
    return next((run.started_at for run in reversed(judged) if run.verdict == verdict), None)


def _trend(values: Sequence[float], *, steady: float) -> Trend:
    """Where the median of the last five runs stands to that of the five before."""
    if len(values) < 2 * _WINDOW:
        return "unknown"
    before, now = median(values[-2 * _WINDOW : -_WINDOW]), median(values[-_WINDOW:])
    if abs(now - before) <= max(steady, _STEADY_SHARE * before):
        return "steady"
    return "rising" if now > before else "falling"
