"""What the buttons of the dashboard do to checks: each takes the notebook's session, ids and what was filled in."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from pandas_magic.checking.result import kept_result
from pandas_magic.clock import to_the_minute
from pandas_magic.errors import PandasMagicError, UsageMistake
from pandas_magic.peers import export_checks
from pandas_magic.quarantine.splitting import quarantine
from pandas_magic.registry.approval import approve_each, standing, who
from pandas_magic.registry.deciding import add_exception, snooze_each, wake_each
from pandas_magic.registry.removal import delete_checks, restore_checks
from pandas_magic.reporters.value_text import counted

if TYPE_CHECKING:
    from pandas_magic.checking.result import Result
    from pandas_magic.notebook.notebook_session import NotebookSession
    from pandas_magic.registry import Registry
    from pandas_magic.registry.compiled_check import CompiledCheck
    from pandas_magic.workspace import Workspace

# Whose file -> how one of theirs is called.
EXPORTS = {
    "great-expectations": "great_expectations.json",
    "pandera": "pandera_schemas.py",
    "pandera-yaml": "pandera.yaml",
    "dbt": "schema.yml",
    "soda": "soda_checks.yml",
    "odcs": "contract.odcs.yaml",
}


@dataclass(frozen=True)
class Deed:
    """What an action came to, in a sentence."""

    said: str
    undo: Callable[[], str] | None = None  # takes it back and says so; None: nothing in the workspace was changed
    file: tuple[str, str] | None = None  # a file for the person: its name and its text


Outcomes = Mapping[str, "CompiledCheck | PandasMagicError"]
Fields = Mapping[str, str]


def approve(session: NotebookSession, ids: Sequence[str], _: Fields) -> Deed:
    """Approve those that wait for it and can run as they are."""
    workspace = session.workspace
    roster = workspace.roster()
    fit = [check_id for check_id in ids if (found := roster[check_id]).compiled and not found.problem]
    waiting = [check_id for check_id in fit if standing(roster.as_kept(check_id)) == "proposed"]
    if not waiting:
        raise UsageMistake("none of these checks waits for approval and can run as it is")
    by = who(workspace.base_dir)
    return _decided(workspace, waiting, f"approved by {by}", partial(approve_each, by=by))


def snooze(session: NotebookSession, ids: Sequence[str], said: Fields) -> Deed:
    """Let them rest until a day."""
    workspace = session.workspace
    by, today = who(workspace.base_dir), workspace.runner.instant().local.date()
    until, reason = said.get("until", ""), said.get("reason", "")
    rest = partial(snooze_each, until=until, reason=reason, by=by, today=today)
    return _decided(workspace, ids, f"snoozed until {until}", rest)


def wake(session: NotebookSession, ids: Sequence[str], _: Fields) -> Deed:
    """Let them run again."""
    return _decided(session.workspace, ids, "run again", wake_each)


def except_rows(session: NotebookSession, ids: Sequence[str], said: Fields) -> Deed:
    """Let rows of a key, written as "order_id=17, line=2", break the rule of one check."""
    workspace = session.workspace
    by, today = who(workspace.base_dir), workspace.runner.instant().local.date()
    key = [part.strip() for part in said.get("key", "").split(",") if part.strip()]
    reason, until = said.get("reason", ""), said.get("until", "")

    def add(registry: Registry, check_ids: Sequence[str]) -> Outcomes:
        decided = partial(
            add_exception,
            registry,
            key=key,
            reason=reason,
            until=until,
            by=by,
            today=today,
            schema_of=workspace.catalog.schema,
        )
        return {check_id: decided(check_id) for check_id in check_ids}

    return _decided(workspace, ids, f"from now on without rows of {', '.join(key)}", add)


def set_aside(session: NotebookSession, ids: Sequence[str], said: Fields) -> Deed:
    """Write good and bad rows of their tables into a folder, as their last runs found them on the tables of today."""
    if not said.get("folder", "").strip():
        raise UsageMistake("name a folder for the files")
    workspace = session.workspace
    results: list[Result] = []
    told: list[str] = []
    for check_id in ids:
        try:
            here = session.results.get(check_id)
            found = here or kept_result(workspace.registry, workspace.journal, workspace.catalog, check_id)
        except PandasMagicError as error:
            told.append(str(error))
            continue
        results.append(found)
        told += [] if here else [f"{check_id} as it ran on {to_the_minute(found.run.started_at)}"]
    if not results:
        raise UsageMistake(told[0] if told else "no check is listed")
    splits, problems = quarantine(workspace.catalog, results, Path(said["folder"].strip()))
    return Deed("; ".join([*(split.in_words() for split in splits), *problems, *told]))


def export(session: NotebookSession, ids: Sequence[str], said: Fields) -> Deed:
    """The checks as a file for another tool."""
    checks = session.workspace.registry.load()
    exported = export_checks([checks[one] for one in ids if one in checks], said["to"], table=said.get("table", ""))
    if not exported.expressed:
        reasons = "; ".join(f"{one.check_id}: {one.reason}" for one in exported.not_expressed)
        raise UsageMistake(f"nothing to write: {reasons or 'no check is compiled'}")
    missing = f", {len(exported.not_expressed):,} cannot be said there: " if exported.not_expressed else ""
    named = "; ".join(f"{one.check_id}: {one.reason}" for one in exported.not_expressed[:3])
    name = EXPORTS[said["to"]]
    return Deed(f"{counted(len(exported.expressed), 'check')} in {name}{missing}{named}", file=(name, exported.text))


def delete(session: NotebookSession, ids: Sequence[str], _: Fields) -> Deed:
    """Delete them from the registry, and from a list in JSON; their runs stay in the history."""
    workspace = session.workspace
    deleted = delete_checks(workspace.checks_folder, workspace.registry, ids)
    named = _named(ids)

    def undo() -> str:
        restore_checks(workspace.registry, deleted)
        return f"{named} {'is' if len(ids) == 1 else 'are'} back"

    return Deed(f"{named} deleted", undo)


def share(session: NotebookSession, _: Sequence[str], __: Fields) -> Deed:
    """All checks with their history as one page."""
    from pandas_magic.reporters.dashboard.shared_page import NAME, shared_page

    return Deed(
        f"{NAME}: all checks with their history, without values of rows", file=(NAME, shared_page(session.workspace))
    )


ACTIONS: Mapping[str, Callable[[NotebookSession, Sequence[str], Fields], Deed]] = {
    "approve": approve,
    "snooze": snooze,
    "wake": wake,
    "except": except_rows,
    "quarantine": set_aside,
    "export": export,
    "delete": delete,
    "share": share,
}


def _decided(workspace: Workspace, ids: Sequence[str], what: str, decide: Callable[..., Outcomes]) -> Deed:
    """Have a decision written into the checks' files, and remember what stood there."""
    registry = workspace.registry
    checks = registry.load()
    before = {one: checks[one] for one in ids if one in checks}
    outcomes = decide(registry, list(before))
    after = {one: found for one, found in outcomes.items() if not isinstance(found, PandasMagicError)}
    refused = [str(found) for found in outcomes.values() if isinstance(found, PandasMagicError)]
    if not after:
        raise UsageMistake(refused[0] if refused else "none of these checks is compiled")
    named, left = _named(list(after)), len(ids) - len(after)
    said = f"{named} {what}" + (f"; {left:,} not{f': {refused[0]}' if refused else ''}" if left else "")
    return Deed(said, partial(_restored, workspace, before, after))


def _restored(workspace: Workspace, before: Mapping[str, CompiledCheck], after: Mapping[str, CompiledCheck]) -> str:
    def restore(now: CompiledCheck) -> CompiledCheck:
        if now != after[now.id]:
            raise UsageMistake(f"{now.id} was changed since; it stays as it is")
        return before[now.id]

    outcomes = workspace.registry.change_each(list(after), restore)
    refused = [str(found) for found in outcomes.values() if isinstance(found, PandasMagicError)]
    return "; ".join([f"{_named(list(after))} as before", *refused[:1]]) if len(refused) < len(after) else refused[0]


def _named(ids: Sequence[str]) -> str:
    return ids[0] if len(ids) == 1 else counted(len(ids), "check")
