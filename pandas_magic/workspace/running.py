"""Saved checks run in a workspace: what may run, with which code, and what is kept of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, TypedDict, Unpack

from pandas_magic.catalog.sources.memory import describing_once
from pandas_magic.checking.batch import Station
from pandas_magic.checking.bench import Bench, expecting
from pandas_magic.checking.column_reads import read_by_edited
from pandas_magic.checking.finder import EditedCode, Progress
from pandas_magic.checking.in_part import why_not_in_part
from pandas_magic.checking.result import Result
from pandas_magic.checking.runner import errored_run, skipped_run
from pandas_magic.constraints import describe
from pandas_magic.errors import NoSuchName, TableUnreadable, quoted_list
from pandas_magic.history.remembering import remember_run
from pandas_magic.history.run import Run
from pandas_magic.record import digest
from pandas_magic.registry.approval import standing, why_not_run
from pandas_magic.registry.compiled_check import CompiledCheck
from pandas_magic.registry.resting import why_resting
from pandas_magic.registry.roster import Listed

if TYPE_CHECKING:
    from pandas_magic.workspace.workspace import Workspace

_UNPROVED = "unproved: it was never seen to fail where it must"


class Asked(TypedDict, total=False):
    """How a saved check is to be run; what is not said is as in a notebook without options."""

    code: str | None  # of its cell; None: the registry's
    line: int  # of the code's first line in its cell
    approved_only: bool  # refuse code that nobody approved
    allow_edited: bool  # let code that is not the registry's give a verdict, which says so
    keep_removed: bool  # run it though the list does not name it any more
    on_progress: Progress


@describing_once()
def run_listed(workspace: Workspace, listed: Listed, **asked: Unpack[Asked]) -> Result:
    """Run a check of the roster; whatever keeps it from running is a run with the verdict ERROR."""
    compiled, code = listed.compiled, asked.get("code")
    if compiled is None and listed.check and not listed.check.enabled:
        return Result(workspace.keep(skipped_run(listed.id)), None)
    if compiled is None:
        return could_not_run(workspace, listed, listed.problem)
    rests = bool(why_resting(compiled, workspace.runner.instant().local.date()))
    beyond = "" if rests else why_not_in_part(workspace.catalog, compiled)
    stale = "" if rests or beyond else _why_stale(workspace, listed, keep_removed=asked.get("keep_removed", False))
    # What is gone makes a check stale, and is told as what it is; a fresh one has all its tables.
    missing = _missing_table(workspace, compiled) if stale else ""
    stale = "" if missing else stale
    refusal = beyond or missing or stale or (why_not_run(compiled) if asked.get("approved_only") and not rests else "")
    if refusal:
        run = remembered(workspace, errored_run(compiled, refusal), compiled)
        return Result(run, compiled, echo=echo_of(compiled), stale_reason=stale)
    source = compiled.code if code is None else code.strip("\n")
    progress = asked.get("on_progress", lambda _: None)
    if digest(source) == compiled.code_digest == digest(compiled.code):
        return Result(run_and_keep(workspace, compiled, progress), compiled, echo=echo_of(compiled))
    from pandas_magic.checking.compilation import refuse_forbidden

    refuse_forbidden(source, workspace.settings)
    edited = EditedCode(
        source,
        read_by_edited(source, compiled, workspace.catalog),
        allowed=asked.get("allow_edited", False) or compiled.id in workspace.settings.allow_edited,
        line=asked.get("line", 1),
    )
    return Result(run_and_keep(workspace, compiled, progress, edited=edited), compiled)


def run_and_keep(
    workspace: Workspace, compiled: CompiledCheck, on_progress: Progress, *, edited: EditedCode | None = None
) -> Run:
    """Run the check, or edited code in its place, and keep what came of it."""
    notes = () if compiled.proof or edited else (_UNPROVED,)
    run = workspace.runner.run(compiled, edited=edited, notes=notes, on_progress=on_progress)
    review = "proposed" if edited else standing(compiled)
    return remembered(workspace, run.model_copy(update={"review": review}), compiled)


def remembered(workspace: Workspace, run: Run, compiled: CompiledCheck) -> Run:
    """The run in the journal, with what later comparisons need."""
    folder, keep_tables = workspace.journal.folder, workspace.settings.keep_tables
    kept = remember_run(run, compiled, workspace.catalog, folder, keep_tables=keep_tables)
    return workspace.keep(kept, compiled.plan.reads)


def could_not_run(workspace: Workspace, listed: Listed, reason: str) -> Result:
    """A run that did not take place, kept with its reason."""
    reads = listed.compiled.plan.reads if listed.compiled else ()
    return Result(workspace.keep(errored_run(listed.compiled, reason, check_id=listed.id), reads), listed.compiled)


def station_of(workspace: Workspace, asked: Asked) -> Station:
    """The workspace as a station at which a batch runs its checks."""

    def run(listed: Listed, seconds: float | None) -> Result:
        at = workspace
        if seconds is not None and seconds < workspace.settings.wall_seconds:
            at = replace(workspace, settings=workspace.settings.model_copy(update={"wall_seconds": seconds}))
        return run_listed(at, listed, **asked)

    return Station(run, lambda listed, reason: could_not_run(workspace, listed, reason), workspace.bench.stop)


def read_by(checks: Sequence[Listed]) -> dict[str, frozenset[str]]:
    """The columns of each table that the typed rules among these checks read."""
    reads: dict[str, frozenset[str]] = {}
    for listed in checks:
        if listed.compiled is not None and listed.compiled.constraint is not None:
            for name, columns in listed.compiled.plan.reads.items():
                reads[name] = reads.get(name, frozenset()) | frozenset(columns)
    return reads


@contextmanager
def in_batch(
    workspace: Workspace, benches: Sequence[Bench], checks: Sequence[Listed], asked: Asked, *, may_run_ahead: bool
) -> Iterator[None]:
    """Within the block these checks run at the benches, on tables that hold still.

    With `may_run_ahead` one that nothing but its tables can keep from running may run while one before it is judged.
    """
    compiled = [(listed, listed.compiled) for listed in checks if listed.compiled is not None]
    today, in_turn = workspace.runner.instant().local.date(), list[CompiledCheck]()
    if may_run_ahead and len(benches) == 1 and not workspace.settings.only_new:
        in_turn = [
            one
            for listed, one in compiled
            if not (listed.problem or why_resting(one, today) or (asked.get("approved_only") and why_not_run(one)))
        ]
    with expecting(read_by(checks), benches, [one for _, one in compiled], in_turn):
        yield


def echo_of(compiled: CompiledCheck) -> str:
    """The rule in canonical words."""
    return describe(compiled.constraint) if compiled.constraint is not None else compiled.plan.goal


def _why_stale(workspace: Workspace, listed: Listed, *, keep_removed: bool) -> str:
    if listed.problem and not (keep_removed and listed.unlisted):
        return listed.problem
    stale = workspace.stale_reason(listed.compiled)
    return f"it is stale: {stale}. Compile it again: pandas-magic compile {listed.id}" if stale else ""


def _missing_table(workspace: Workspace, compiled: CompiledCheck) -> str:
    """Which table of the check is gone or cannot be read, in one clause; "" when all are there."""
    for name in compiled.schemas:
        try:
            workspace.catalog.schema(name)
        except NoSuchName as error:
            nearest = f' (did you mean "{error.nearest}"?)' if error.nearest else ""
            there = quoted_list(error.known) or "no tables"
            return (
                f'table "{name}" is gone; the workspace has {there}{nearest}. Bring its file back under that name, or '
                "write the check for another table"
            )
        except TableUnreadable as error:
            return f'table "{name}" cannot be read: {error}'
    return ""
