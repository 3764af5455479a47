"""The actions of `%checks` by which people decide about checks."""

from __future__ import annotations

from argparse import Namespace
from typing import TYPE_CHECKING

from pandas_magic.errors import PandasMagicError, UsageMistake
from pandas_magic.history.causes import explain
from pandas_magic.notebook.magic_lines import comma_separated
from pandas_magic.registry.approval import approve_each, standing, who
from pandas_magic.registry.deciding import decide_exception, decide_rest
from pandas_magic.registry.removal import delete_checks
from pandas_magic.reporters.listing import Listing

if TYPE_CHECKING:
    from pandas_magic.notebook.notebook_session import NotebookSession


def approve_checks(session: NotebookSession, options: Namespace) -> Listing:
    """Approve the checks named, or every one that waits; without either, show the code of those that wait."""
    workspace = session.workspace
    checks = workspace.registry.load()
    waiting = [check_id for check_id in checks if standing(checks[check_id]) == "proposed"]
    named = [part for word in options.words for part in comma_separated(word)]
    if named and options.all:
        raise UsageMistake("%checks approve takes ids or --all, not both")
    chosen = waiting if options.all else named
    if not chosen:
        rows = tuple((check_id, checks[check_id].check.rule, checks[check_id].code) for check_id in waiting)
        told = "wait for approval: %checks approve ID, or --all" if waiting else "no check waits for approval"
        return Listing(f"{len(waiting)} {told}" if waiting else told, ("check", "rule", "code"), rows)
    by = options.by or who(workspace.base_dir)
    outcomes = approve_each(workspace.registry, chosen, by)
    rows = tuple(
        (check_id, "", str(outcome))
        if isinstance(outcome, PandasMagicError)
        else (check_id, outcome.check.rule, f"approved by {by}")
        for check_id, outcome in outcomes.items()
    )
    refused = sum(isinstance(outcome, PandasMagicError) for outcome in outcomes.values())
    said = f"{len(rows) - refused} approved" + (f", {refused} not" if refused else "")
    return Listing(said, ("check", "rule", "review"), rows)


def snooze_check(session: NotebookSession, options: Namespace) -> None:
    """Let a check rest until a day, or end its rest."""
    print(decide_rest(session.workspace, _one_id("snooze", options), options))


def except_rows(session: NotebookSession, options: Namespace) -> None:
    """Let rows of a key break a rule, or count them again."""
    print(decide_exception(session.workspace, _one_id("except", options), options))


def delete_named(session: NotebookSession, options: Namespace) -> None:
    """Delete the checks named."""
    ids = [part for word in options.words for part in comma_separated(word)]
    if not ids:
        raise UsageMistake("%checks delete takes the ids of the checks to delete: %checks delete CHK-001")
    delete_checks(session.workspace.checks_folder, session.workspace.registry, ids)
    print(f"{', '.join(ids)} deleted; what ran stays in the history")


def _one_id(action: str, options: Namespace) -> str:
    if len(options.words) != 1:
        raise UsageMistake(f"%checks {action} takes one id: %checks {action} CHK-001 --reason …")
    return str(options.words[0])


def why(session: NotebookSession, options: Namespace) -> None:
    """Say why a verdict changed: between the two runs named, or at the last change."""
    if not options.words:
        raise UsageMistake("%checks why takes one id, and two runs or none: %checks why CHK-001")
    check_id, *runs = options.words
    print(explain(session.workspace.journal, check_id, runs).in_words())
