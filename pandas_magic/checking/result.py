"""What comes back of a check to be shown."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import pandas as pd

from pandas_magic.history.run import Run
from pandas_magic.registry.compiled_check import CompiledCheck

if TYPE_CHECKING:
    from pandas_magic.history.history import Session
    from pandas_magic.history.journal import Journal
    from pandas_magic.registry.checks_folder import Registry


@dataclass(frozen=True)
class Result:
    """Everything there is to show about one check that ran."""

    run: Run
    compiled: CompiledCheck | None  # None: the registry does not have it
    echo: str = ""  # the rule in canonical words
    compiled_now: bool = False
    explanation: tuple[tuple[str, str], ...] = ()  # words of the rule, and how they were understood
    stale_reason: str = ""  # why it was compiled again, or why it did not run

    @property
    def violations(self) -> pd.DataFrame:
        """All failing rows; empty when there is none or when the code did not get that far."""
        rows = self.run.violations
        return pd.DataFrame() if rows is None else rows


@dataclass(frozen=True)
class Entry:
    """One check of the registry, as a list shows it."""

    compiled: CompiledCheck
    last_run: Run | None  # None: it never ran here
    stale: str  # "" when fresh, else the reason


def results_of(registry: Registry, journal: Journal, session: Session) -> tuple[Result, ...]:
    """A session's last run of each check as results, with the failing rows that were kept."""
    checks = registry.load()
    last = {run.check_id: run for run in session.runs}
    results = []
    for check_id, past in last.items():
        run = journal.history.whole(past.run_id)
        if run is None:
            continue
        rows = journal.kept_rows(run.run_id) if run.artifact else None
        if rows is not None:
            run = run.holding(rows, None)
        results.append(Result(run, checks.get(check_id)))
    return tuple(results)
