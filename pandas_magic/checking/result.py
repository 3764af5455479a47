"""What comes back of a check to be shown."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pandas as pd

from pandas_magic.errors import UsageMistake
from pandas_magic.history.failing_rows import kept_positions
from pandas_magic.history.run import Run, Verdict
from pandas_magic.registry.check import Check
from pandas_magic.registry.compiled_check import CompiledCheck
from pandas_magic.registry.roster import Listed

if TYPE_CHECKING:
    from pandas_magic.catalog import Catalog
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
    beside: tuple[str, ...] = ()  # other checks that fail on rows of these, with how many: "CHK-004 (12)"

    @property
    def violations(self) -> pd.DataFrame:
        """All failing rows; empty when there is none or when the code did not get that far."""
        rows = self.run.violations
        return pd.DataFrame() if rows is None else rows

    def to_dict(self) -> dict[str, Any]:
        """`{"python_repls": [{"python_repl", "stdout", "exit_code"}], "result": {"status", "summary"}}`."""
        return self.run.to_dict()


@dataclass(frozen=True)
class Entry:
    """One check of the list or of the registry, as a list shows it."""

    listed: Listed
    last_run: Run | None  # None: it never ran here
    stale: str  # why it cannot run as it is; "": it can

    @property
    def id(self) -> str:
        """The check's id."""
        return self.listed.id

    @property
    def check(self) -> Check | None:
        """The check as it should run; None when its file is damaged and no list names it."""
        return self.listed.check

    @property
    def compiled(self) -> CompiledCheck | None:
        """The compiled check; None when it was never compiled, or its file is damaged."""
        return self.listed.compiled

    @property
    def tables(self) -> tuple[str, ...]:
        """The tables that it reads, or is to read as far as is known."""
        if self.compiled:
            return tuple(self.compiled.plan.reads)
        return self.check.tables if self.check else ()

    @property
    def state(self) -> str:
        """One word or two: fresh, stale, removed, not compiled, damaged."""
        if self.listed.removed:
            return "removed"
        if self.compiled is None:
            return "damaged" if self.listed.damaged else "not compiled"
        return "stale" if self.stale else "fresh"


def kept_result(
    registry: Registry, journal: Journal, catalog: Catalog, check_id: str, *, with_rows: bool = True
) -> Result:
    """The last run of a check, of whatever session, with its failing rows and where they stand, as if it ran just now.

    Raises: NoSuchName; UsageMistake when it never ran, its code or a table that it reads is another by now or cannot be
    known again, or its rows are gone.
    """
    compiled, run = registry.get(check_id), journal.history.last_run(check_id)
    if run is None:
        raise UsageMistake(f"{check_id} never ran here; run it first")
    if run.verdict in (Verdict.ERROR, Verdict.SKIPPED):
        return Result(run, compiled)
    if run.code_digest != compiled.code_digest:
        raise UsageMistake(f"{check_id} was changed since it ran; run it first")
    for table in compiled.plan.reads:
        if not (identity := run.fingerprints.get(table)) or catalog.identity(table) != identity:
            raise UsageMistake(f"{table} may have changed since {check_id} ran; run it first")
    found = brought_back(journal, run, compiled, with_rows=with_rows)
    if run.violation_count and found.run.positions is None:
        raise UsageMistake(f"where the failing rows of {check_id} stand is not kept; run it first")
    if found.run.violations is None:  # it has none
        found.run.holding(pd.DataFrame(), None, ())
    return found


def brought_back(journal: Journal, run: Run, compiled: CompiledCheck | None, *, with_rows: bool = True) -> Result:
    """A run that the journal kept as a result, with the failing rows that were kept and where they stand.

    Without rows, or where they are gone, their positions alone; where they are not known for each row, none.
    """
    # The journal keeps no code; the registry has it when it is the code that ran.
    if compiled is not None and run.code_digest == compiled.code_digest:
        run = run.model_copy(update={"code": compiled.code})
    rows = journal.kept_rows(run.run_id) if run.artifact and with_rows else None
    positions = kept_positions(journal.folder, run.run_id) if run.violation_count else None
    if rows is not None:
        known = tuple(positions) if positions is not None and len(positions) == len(rows) else None
        run = run.holding(rows, None, known)
    elif positions is not None and not with_rows:
        run = run.holding(pd.DataFrame(), None, tuple(positions))
    return Result(run, compiled)


def results_of(registry: Registry, journal: Journal, session: Session) -> tuple[Result, ...]:
    """A session's last run of each check as results, with the failing rows that were kept."""
    checks = registry.load()
    # A run aside is none of its check, and what it came to stays beside it.
    last = {(run.check_id, run.is_aside): run for run in session.runs}
    results = []
    for (check_id, _), past in last.items():
        run = journal.history.whole(past.run_id)
        if run is None:
            continue
        results.append(brought_back(journal, run, checks.get(check_id)))
    return tuple(results)
