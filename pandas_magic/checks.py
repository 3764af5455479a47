"""The words of the product as records: check, plan, proof, compiled check, run."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Any, Literal, Self

from pydantic import Field, PrivateAttr, field_validator

from pandas_magic.clock import to_the_minute
from pandas_magic.constraints.rules import Constraint
from pandas_magic.record import Record, digest
from pandas_magic.review.decisions import Approval, Bands, KnownException, Snooze

if TYPE_CHECKING:
    import pandas as pd

Severity = Literal["low", "medium", "high", "critical"]


class Verdict(StrEnum):
    """The outcome of a run. Only we give it; the code only finds rows."""

    PASS = "PASS"
    FAIL = "FAIL"
    ERROR = "ERROR"
    SKIPPED = "SKIPPED"


class Check(Record):
    """A person's rule, with its name and its place in the organisation."""

    id: str
    rule: str
    name: str = ""
    tables: tuple[str, ...] = ()  # empty: the planner chooses
    target: str = ""  # the table whose rows are checked, where the rule does not say; "": the planner chooses
    severity: Severity = "medium"
    owner: str = ""
    tags: tuple[str, ...] = ()
    enabled: bool = True
    bands: Bands | None = None  # None: the first violation fails

    @field_validator("tables", "tags", mode="before")
    @classmethod
    def _split(cls, given: object) -> object:
        # The source system writes lists as comma-separated text or as lists.
        return tuple(part.strip() for part in given.split(",") if part.strip()) if isinstance(given, str) else given

    def rule_digest(self) -> str:
        """Changes with the rule's words, its tables and its target, not with owner, tags or spacing."""
        return digest({"rule": " ".join(self.rule.split()), "tables": self.tables, "target": self.target})


class Plan(Record):
    """What the check will do, before it does it."""

    goal: str  # the rule in canonical words
    steps: tuple[str, ...]
    reads: dict[str, tuple[str, ...]]  # table -> the columns that the code reads
    violation_means: str  # what one violating row is


class Proof(Record):
    """What was seen when the code ran on planted violations and on clean rows."""

    planted: int  # rows that had to be flagged
    flagged: int  # of those, rows that were
    clean: int  # rows that had to be left alone
    left_alone: int  # of those, rows that were
    cases: tuple[str, ...]  # what was planted, in words
    problems: tuple[str, ...] = ()  # empty: proved
    mutants: int = 0  # rules that differ from this one in one small thing
    mutants_killed: int = 0  # of those, rules that the planted rows tell apart from it
    survivors: tuple[str, ...] = ()  # the others, in words
    of_code: str = ""  # the digest of the code that was proved; "": an earlier release did not note it

    @property
    def holds(self) -> bool:
        """Something was planted, all of it was flagged, and no clean row was."""
        return self.planted > 0 and not self.problems

    def in_words(self) -> str:
        """One line for people."""
        if not self.planted:
            return "not proved: nothing could be planted"
        return (
            f"flags {self.flagged} of {self.planted} planted violations, "
            f"leaves {self.left_alone} of {self.clean} clean rows alone"
        )


class CompiledCheck(Record):
    """A check with its code, its proof, and what it was compiled against."""

    check: Check
    plan: Plan
    constraint: Constraint | None = None  # None: code that no constraint describes
    code: str
    proof: Proof | None = None  # None: saved unproved on request, which every run says
    planner: str
    compiled_at: str  # ISO 8601, UTC, ending in Z
    schemas: dict[str, dict[str, str]]  # table -> column -> dtype, the columns read only
    rule_digest: str
    code_digest: str
    approval: Approval | None = None  # None: nobody approved it
    snooze: Snooze | None = None  # None: it runs
    exceptions: tuple[KnownException, ...] = ()

    @property
    def id(self) -> str:
        """The check's id."""
        return self.check.id


class Confined(Record):
    """How the code that gave a result was confined."""

    isolation: str  # "landlock+seccomp", or "none" when that was asked for
    layers: tuple[str, ...]  # what was attested from outside
    policy_digest: str


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


class Run(Record):
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
    changes: Changes | None = None  # None: no earlier run was judged, or this one was not

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
    def violations(self) -> pd.DataFrame | None:
        """All failing rows, with every column and the index of the table; None for a run read from the journal."""
        found: pd.DataFrame | None = self._violations
        return found

    @property
    def constraint(self) -> Constraint | None:
        """The typed rule that gave the code; None when there is none, or for a run read from the journal."""
        constraint: Constraint | None = self._constraint
        return constraint

    def to_dict(self) -> dict[str, Any]:
        """What was executed and what came of it, as other tools read it; the journal keeps every field."""
        executed = {"python_repl": self.code, "stdout": self.stdout, "exit_code": int(self.verdict == Verdict.ERROR)}
        return {"python_repls": [executed], "result": {"status": str(self.verdict), "summary": self.summary}}
