"""A run: one execution of one check, and what came of it."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Any, Literal, Self

from pydantic import Field, PrivateAttr

from pandas_magic.clock import to_the_minute
from pandas_magic.constraints.algebra.rules import Constraint
from pandas_magic.record import Record

if TYPE_CHECKING:
    import pandas as pd


# A number that a table as a whole has, or a moment in ISO 8601.
StatisticValue = int | float | str


class Verdict(StrEnum):
    """The outcome of a run. Only we give it; the code only finds rows."""

    PASS = "PASS"
    FAIL = "FAIL"
    ERROR = "ERROR"
    SKIPPED = "SKIPPED"

    @property
    def judges(self) -> bool:
        """Whether it says something of the tables: PASS or FAIL."""
        return self in (Verdict.PASS, Verdict.FAIL)


class Confined(Record):
    """How the code that gave a result was confined."""

    isolation: str  # "landlock+seccomp", or "none" when that was asked for
    layers: tuple[str, ...]  # what was attested from outside
    policy_digest: str
    executor: str = ""  # the name of what another package brought to run it; "": our own kernel


class Changes(Record):
    """How the failing rows differ from those of the run before that was judged."""

    against: str  # the id of that run
    since: str  # when it began: ISO 8601, UTC, ending in Z
    new: int | None = None  # None, like the other two: they cannot be compared, and `incomparable` says why
    still: int | None = None
    fixed: int | None = None
    by: tuple[str, ...] = ()  # the columns by which rows are known again; empty: by all that they hold
    incomparable: str = ""  # one clause; "": they were compared

    @property
    def has_any(self) -> bool:
        """Whether a row failed in either run, or nobody can say."""
        return bool(self.incomparable or self.new or self.still or self.fixed)

    def in_words(self) -> str:
        """One line: "1 new, 2 still failing, 4 fixed since 2026-11-20 06:00 (by order_id)"."""
        since = to_the_minute(self.since)
        if self.incomparable:
            return f"not comparable with the run of {since}: {self.incomparable}"
        known = f" (by {', '.join(self.by)})" if self.by else ""
        return f"{self.new:,} new, {self.still:,} still failing, {self.fixed:,} fixed since {since}{known}"


class Run(Record, defer_build=False):
    """One execution of one check. The record holds no rows; `violations` has them while the run is at hand."""

    run_id: str
    check_id: str
    verdict: Verdict
    violation_count: int | None = None  # None: the code did not get that far
    rows: int | None = None  # rows of the checked table; None: it could not be read
    not_judged: int | None = None  # rows that a missing value left open; None: not counted
    summary: str
    code: str
    stdout: str = ""
    error: str = ""  # one line; empty unless the verdict is ERROR
    started_at: str  # ISO 8601, UTC, ending in Z
    seconds: float
    artifact: str = ""  # the Parquet file with all violating rows, relative to the workspace; "": none was written
    confined: Confined | None = None  # None: nothing was run
    notes: tuple[str, ...] = ()  # what a reader must know: edited code, no proof, values that were missing, …
    session: str = ""  # the scheduled run or the notebook that it belongs to
    rule_digest: str = ""
    code_digest: str = ""  # of the code that ran
    snapshot: str = ""  # names the check as it ran among those kept; "": it was not kept
    columns: dict[str, dict[str, str]] = Field(default_factory=dict)  # table -> column read -> dtype, as it was then
    environment: dict[str, str] = Field(default_factory=dict)  # "python" and packages -> version
    warned: bool = False  # whether rows break the rule, too few of them to fail
    excepted: int = 0  # rows that break the rule and are known exceptions; they are not in `violation_count`
    rows_digest: str = ""  # of the file with the failing rows; "": none was written, or it is very large
    exceptions: str = ""  # changes with the keys of the known exceptions that were applied; "": none was
    review: Literal["approved", "proposed", ""] = ""  # whether a person had approved that code; "": not known
    fingerprints: dict[str, str] = Field(default_factory=dict)  # table -> its identity when read; "": a DataFrame
    reason: str = ""  # why each failing row is one, in words
    key: tuple[str, ...] = ()  # the columns by which a row of the checked table is known again; empty: none are known
    nothing_judged: bool = False  # whether it passed without a row that was judged
    lost: str = ""  # why it is not in the history, or not with its failing rows; "": it is
    changes: Changes | None = None  # None: no earlier run was judged, or this one was not
    engine: str = ""  # what found the rows, with its version: "DuckDB 1.4.0"; "": pandas
    edited: bool = False  # whether other code than the registry's ran, so that this is no run of the check
    since: str = ""  # from which partition on it judged its table, so that this is no run of the check; "": all of it
    given: dict[str, str] = Field(default_factory=dict)  # table -> the file or address that was named for this run
    as_of: str = ""  # ISO 8601: what "now" meant; "": the clock
    # Which file or day was named in place of the check's own table or of today, so that this is no run of the check.
    trial: str = ""

    statistics: dict[str, StatisticValue] = Field(default_factory=dict)  # of a whole table, by name; empty: not kept

    _violations: Any = PrivateAttr(None)
    _constraint: Any = PrivateAttr(None)
    _positions: Any = PrivateAttr(None)

    def holding(
        self, violations: pd.DataFrame, constraint: Constraint | None, positions: tuple[int, ...] | None = None
    ) -> Self:
        """Itself, with its rows, its constraint and the rows' positions in the table at hand."""
        self._violations, self._constraint, self._positions = violations, constraint, positions
        return self

    @property
    def positions(self) -> tuple[int, ...] | None:
        """Where each failing row stands in the checked table, from 0; None when they are no rows of it."""
        positions: tuple[int, ...] | None = self._positions
        return positions

    @property
    def is_aside(self) -> bool:
        """Whether it is no run of its check: a verdict of the check's own code on all rows of its table, today."""
        return self.edited or bool(self.since) or bool(self.trial)

    @property
    def is_of_part(self) -> bool:
        """Whether it judged some partitions of its table alone, so that its verdict is none on the table."""
        return bool(self.since) and self.verdict.judges

    @property
    def violations(self) -> pd.DataFrame | None:
        """All failing rows, with every column and the index of the table; None for a run read from the journal."""
        found: pd.DataFrame | None = self._violations
        return found

    @property
    def headline(self) -> str:
        """The summary without the verdict that it begins with."""
        return self.summary.removeprefix(self.verdict).lstrip(":, ")

    @property
    def constraint(self) -> Constraint | None:
        """The typed rule that gave the code; None when there is none, or for a run read from the journal."""
        constraint: Constraint | None = self._constraint
        return constraint

    def to_dict(self) -> dict[str, Any]:
        """What was executed and what came of it, as other tools read it; the journal keeps every field.

        Its "stdout" ends with the line of our verdict, where the code of the source system prints its own.
        """
        printed = f"{self.stdout}\n" if self.stdout and not self.stdout.endswith("\n") else self.stdout
        stdout = f"{printed}{self.summary}\n"
        executed = {"python_repl": self.code, "stdout": stdout, "exit_code": int(self.verdict == Verdict.ERROR)}
        return {"python_repls": [executed], "result": {"status": str(self.verdict), "summary": self.summary}}
