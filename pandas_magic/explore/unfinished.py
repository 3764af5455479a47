"""What can end an exploration without a report."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pandas_magic.errors import NoSuchName, PandasMagicError, TableUnreadable, UsageMistake
from pandas_magic.explore.exploration_attempt import ExplorationAttempt
from pandas_magic.explore.explorer_answer import Problem


class ExplorationFailed(PandasMagicError):
    """No attempt gave a report. `attempts` says what was tried, `obtained` what the last one found before it failed."""

    code = "PM601"

    def __init__(self, name: str, attempts: Sequence[ExplorationAttempt], obtained: dict[str, Any]) -> None:
        self.attempts, self.obtained = tuple(attempts), obtained
        tried = "; ".join(f"{attempt.on}: {attempt.problem}" for attempt in attempts)
        parts = sorted(obtained.get("report", {}))
        got = f" Found before that: {', '.join(parts)}." if parts else ""
        super().__init__(
            f"{name} could not be explored after {len(attempts)} attempts ({tried}).{got} "
            "Name fewer columns, give more memory_mb or timeout_seconds, or explore a sample"
        )


class Stopped(PandasMagicError):
    """A person stopped the exploration."""

    code = "PM602"


class NeedsConfirmation(UsageMistake):
    """Something that a person must agree to first; `question` says what."""

    code = "PM004"

    def __init__(self, question: str) -> None:
        self.question = question
        super().__init__(f"{question} Agree with --yes")


class NothingExplored(UsageMistake):
    """A report was asked about before there is one."""

    code = "PM005"

    def __init__(self) -> None:
        super().__init__("nothing was explored yet; run the exploration first")


def refuse_hopeless(problem: Problem, table: str, *, stopped: bool) -> None:
    """Raise what no smaller attempt and no other code would mend: Stopped, TableUnreadable, NoSuchName."""
    if stopped or problem.kind == "interrupted":
        raise Stopped(f"the exploration of {table} was stopped")
    if problem.kind == "unreadable":
        raise TableUnreadable(problem.text)
    if problem.kind == "unknown" and problem.facts is not None:
        known = map(str, problem.facts["known"])
        raise NoSuchName("column", str(problem.facts["name"]), known, within=f'table "{table}"')
