"""The checks of a workspace as lines to look over, and the choice and the order of some of them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pandas_magic.record import digest
from pandas_magic.registry.approval import standing
from pandas_magic.registry.resting import why_resting
from pandas_magic.reporters.card import badge_of

if TYPE_CHECKING:
    from datetime import date

    from pandas_magic.checking.result import Entry
    from pandas_magic.history.past import PastRun
    from pandas_magic.registry.compiled_check import CompiledCheck
    from pandas_magic.registry.roster import Listed
    from pandas_magic.workspace import Workspace

NOT_RUN, NOT_COMPILED, DAMAGED = "not run yet", "not compiled", "damaged"
PROPOSED, STALE, SNOOZED, DISABLED = "proposed", "stale", "snoozed", "disabled"
# All that a check can be; it is one or several of them.
STATES = (PROPOSED, "approved", STALE, "edited", "unproved", SNOOZED, DISABLED, NOT_COMPILED, "removed", DAMAGED)
# What a trend shows, and what is read of each check's history for it.
TREND_RUNS = 30

_GRAVITY = ("ERROR", "FAIL", DAMAGED, NOT_COMPILED, "PASS", "SKIPPED", NOT_RUN)
_SEVERITIES = ("critical", "high", "medium", "low", "")


@dataclass(frozen=True)
class CheckLine:
    """One check as the dashboard lists it."""

    check_id: str
    title: str
    tables: tuple[str, ...]
    tags: tuple[str, ...]
    severity: str
    owner: str
    verdict: str  # PASS, FAIL, ERROR, SKIPPED, "not run yet", "not compiled", or "damaged" when its file cannot be read
    states: tuple[str, ...]  # of `STATES`, in their order
    remark: str = ""  # why it is stale, rests or cannot run; "": nothing to say
    violations: int | None = None  # of the last run; None: not counted
    last_run_at: str = ""  # ISO 8601, UTC; "": it never ran here
    trend: tuple[int | None, ...] = ()  # failing rows of the last runs, oldest first; None: a run that gave no count
    badge: str = ""  # the last run's outcome as it was shown; "": it never ran here


@dataclass(frozen=True)
class CheckFilter:
    """Which lines are wanted; "" in a field takes every one."""

    table: str = ""
    tag: str = ""
    severity: str = ""
    owner: str = ""
    verdict: str = ""
    state: str = ""
    words: str = ""  # each must occur in the id, the title, a table, a tag or the owner

    def takes(self, line: CheckLine) -> bool:
        """Whether the line is wanted."""
        said = " ".join((line.check_id, line.title, line.owner, *line.tables, *line.tags)).casefold()
        return (
            (not self.table or self.table in line.tables)
            and (not self.tag or self.tag in line.tags)
            and self.severity in ("", line.severity)
            and self.owner in ("", line.owner)
            and self.verdict in ("", line.verdict)
            and (not self.state or self.state in line.states)
            and all(word in said for word in self.words.casefold().split())
        )


@dataclass(frozen=True)
class Board:
    """Every check's line by its id, as the files said when it was made."""

    lines: tuple[CheckLine, ...]

    def chosen(self, choice: CheckFilter, *, by: str = "", descending: bool = False) -> tuple[CheckLine, ...]:
        """The lines that are wanted, in the order of their ids or of a column of `ORDERS`; what is empty comes last."""
        found = [line for line in self.lines if choice.takes(line)]
        if by not in ORDERS:
            return tuple(found)
        keys = {line.check_id: ORDERS[by](line) for line in found}
        told = [line for line in found if keys[line.check_id] not in (None, "")]
        told.sort(key=lambda line: keys[line.check_id], reverse=descending)
        return (*told, *(line for line in found if keys[line.check_id] in (None, "")))

    def options(self, field: str) -> list[str]:
        """Every value that the lines have in a field of `CheckFilter`, sorted; of the states all that there are."""
        if field == "state":
            return list(STATES)
        taken = {"table": "tables", "tag": "tags"}.get(field, field)
        values = (getattr(line, taken) for line in self.lines)
        flat = {value for each in values for value in (each if isinstance(each, tuple) else (each,))}
        return sorted(flat - {""})


# A column's name -> what its lines are ordered by; None and "" stand last both ways.
ORDERS: Mapping[str, Any] = {
    "check": lambda line: line.check_id,
    "verdict": lambda line: _GRAVITY.index(line.verdict),
    "failing": lambda line: line.violations,
    "rule": lambda line: line.title.casefold(),
    "state": lambda line: [STATES.index(state) for state in line.states] or None,
    "severity": lambda line: _SEVERITIES.index(line.severity) if line.severity else None,
    "tables": lambda line: ", ".join(line.tables),
    "owner": lambda line: line.owner.casefold(),
    "last run": lambda line: line.last_run_at,
}


def board_of(workspace: Workspace, edited: Collection[str] = (), *, entries: Sequence[Entry] | None = None) -> Board:
    """The lines of all checks of a workspace, or of these entries of it.

    `edited` are those whose cell ran with other code in this notebook. A check whose file is damaged has a line that
    says so.
    """
    past, today = workspace.journal.history.runs_by_check(), workspace.runner.instant().local.date()
    lines = []
    for entry in workspace.entries(with_runs=False) if entries is None else entries:
        if entry.compiled is None:
            lines.append(_without_code(entry.listed))
            continue
        stands = _states(entry, entry.compiled, today, was_edited=entry.id in edited)
        lines.append(_line(entry, entry.compiled, past.get(entry.id, ()), stands))
    return Board(tuple(sorted(lines, key=lambda line: line.check_id)))


def counts_of(lines: Iterable[CheckLine]) -> dict[str, int]:
    """How many lines have each verdict, the gravest first."""
    found = [line.verdict for line in lines]
    return {verdict: found.count(verdict) for verdict in _GRAVITY if verdict in found}


def _line(
    entry: Entry, compiled: CompiledCheck, runs: Sequence[PastRun], stands: tuple[tuple[str, ...], str]
) -> CheckLine:
    check, last, (states, remark) = compiled.check, runs[-1] if runs else entry.last_run, stands
    return CheckLine(
        check_id=check.id,
        title=check.name or check.rule,
        tables=entry.tables,
        tags=check.tags,
        severity=check.severity,
        owner=check.owner,
        verdict=last.verdict if last else NOT_RUN,
        states=states,
        remark=remark,
        violations=last.violation_count if last else None,
        last_run_at=last.started_at if last else "",
        trend=tuple(run.violation_count for run in runs[-TREND_RUNS:]),
        badge=badge_of(last) if last else "",
    )


def _states(entry: Entry, compiled: CompiledCheck, today: date, *, was_edited: bool) -> tuple[tuple[str, ...], str]:
    """What a compiled check is, in the order of `STATES`, and what there is to say of it."""
    rests, removed = why_resting(compiled, today), entry.listed.removed
    holds = {
        standing(compiled): True,
        STALE: bool(entry.stale) and not removed,
        "edited": was_edited or digest(compiled.code) != compiled.code_digest,
        "unproved": compiled.proof is None,
        SNOOZED: bool(rests) and compiled.check.enabled,
        DISABLED: not compiled.check.enabled,
        "removed": removed,
    }
    states = tuple(state for state in STATES if holds.get(state))
    return states, "; ".join(part for part in (entry.stale, rests if SNOOZED in states else "") if part)


def _without_code(listed: Listed) -> CheckLine:
    """The line of a check that was never compiled, or whose file is damaged."""
    check = listed.check
    if check is None or listed.damaged:
        return CheckLine(listed.id, listed.problem, (), (), "", "", DAMAGED, (DAMAGED,))
    off = () if check.enabled else (DISABLED,)
    known = (check.name or check.rule, check.tables, check.tags, check.severity, check.owner)
    return CheckLine(listed.id, *known, NOT_COMPILED, (*off, NOT_COMPILED), listed.problem)
