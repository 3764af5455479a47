"""The checks of a workspace as lines to look over, and the choice of some of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pandas_magic.registry.approval import standing

if TYPE_CHECKING:
    from pandas_magic.history.past import PastRun
    from pandas_magic.registry.compiled_check import CompiledCheck
    from pandas_magic.registry.roster import Listed
    from pandas_magic.workspace import Workspace

NOT_RUN, NOT_COMPILED, DAMAGED = "not run yet", "not compiled", "damaged"
FRESH, STALE = "fresh", "stale"
# What a trend shows, and what is read of each check's history for it.
TREND_RUNS = 30


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
    violations: int | None  # of the last run; None: not counted
    last_run_at: str  # ISO 8601, UTC; "": it never ran here
    stale: str  # why it does not fit the tables; "": it does
    review: str  # "approved" or "proposed"
    trend: tuple[int | None, ...]  # failing rows of the last runs, oldest first; None: a run that gave no count

    @property
    def freshness(self) -> str:
        """One word: "fresh" or "stale"."""
        return STALE if self.stale else FRESH


@dataclass(frozen=True)
class CheckFilter:
    """Which lines are wanted; "" in a field takes every one."""

    table: str = ""
    tag: str = ""
    severity: str = ""
    owner: str = ""
    verdict: str = ""
    freshness: str = ""
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
            and self.freshness in ("", line.freshness)
            and all(word in said for word in self.words.casefold().split())
        )


@dataclass(frozen=True)
class Board:
    """Every check's line by its id, as the files said when it was made."""

    lines: tuple[CheckLine, ...]

    def chosen(self, choice: CheckFilter) -> tuple[CheckLine, ...]:
        """The lines that are wanted, in the order of their ids."""
        return tuple(line for line in self.lines if choice.takes(line))

    def options(self, field: str) -> list[str]:
        """Every value that the lines have in a field of `CheckFilter`, sorted."""
        taken = {"table": "tables", "tag": "tags"}.get(field, field)
        values = (getattr(line, taken) for line in self.lines)
        flat = {value for each in values for value in (each if isinstance(each, tuple) else (each,))}
        return sorted(flat - {""})


def board_of(workspace: Workspace) -> Board:
    """The lines of all checks of a workspace. A check whose file is damaged has a line that says so."""
    history = workspace.journal.history
    lines = []
    for listed in workspace.roster().values():
        if listed.compiled is None:
            lines.append(_without_code(listed))
            continue
        stale = listed.problem or workspace.stale_reason(listed.compiled)
        lines.append(_line(listed.compiled, history.runs(listed.id), stale))
    return Board(tuple(sorted(lines, key=lambda line: line.check_id)))


def counts_of(lines: Iterable[CheckLine]) -> dict[str, int]:
    """How many lines have each verdict, the gravest first."""
    order = ("ERROR", "FAIL", DAMAGED, NOT_COMPILED, "PASS", "SKIPPED", NOT_RUN)
    found = [line.verdict for line in lines]
    return {verdict: found.count(verdict) for verdict in order if verdict in found}


def _line(compiled: CompiledCheck, runs: Sequence[PastRun], stale: str) -> CheckLine:
    check, last = compiled.check, runs[-1] if runs else None
    return CheckLine(
        check_id=check.id,
        title=check.name or check.rule,
        tables=tuple(compiled.plan.reads),
        tags=check.tags,
        severity=check.severity,
        owner=check.owner,
        verdict=last.verdict if last else NOT_RUN,
        violations=last.violation_count if last else None,
        last_run_at=last.started_at if last else "",
        stale=stale,
        review=standing(compiled),
        trend=tuple(run.violation_count for run in runs[-TREND_RUNS:]),
    )


def _without_code(listed: Listed) -> CheckLine:
    """The line of a check that was never compiled, or whose file is damaged."""
    check = listed.check
    if check is None or listed.damaged:
        return CheckLine(listed.id, listed.problem, (), (), "", "", DAMAGED, None, "", "", "", ())
    title = check.name or check.rule
    return CheckLine(
        listed.id, title, check.tables, check.tags, check.severity, check.owner, NOT_COMPILED, None, "",
        listed.problem, "", (),
    )  # fmt: skip
