"""The actions of `%checks`: each takes the notebook's session and gives back what is shown."""

from __future__ import annotations

import os
from argparse import Namespace
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pandas as pd
from IPython.display import display

from pandas_magic.catalog.outputs import OwnOutputs, write_output
from pandas_magic.errors import CheckFailed, NoSuchName, UsageMistake
from pandas_magic.history.run import Verdict
from pandas_magic.history.saved_rows import save_rows
from pandas_magic.history.text_difference import difference
from pandas_magic.notebook import review_actions
from pandas_magic.notebook.history_commands import changed_rows, explained_rows, history, sessions, set_aside
from pandas_magic.notebook.magic_lines import comma_separated
from pandas_magic.notebook.page.bridge import cell_id
from pandas_magic.notebook.patch_command import patch
from pandas_magic.reporters.bundle import Results, worst
from pandas_magic.reporters.card import badge_of
from pandas_magic.reporters.dashboard.board import board_of
from pandas_magic.reporters.dashboard.pages import checks_listing
from pandas_magic.reporters.junit import junit
from pandas_magic.reporters.listing import Listing
from pandas_magic.reporters.value_text import counted
from pandas_magic.reporters.verdict_counts import verdicts_json

if TYPE_CHECKING:
    from pandas_magic.checking.result import Result
    from pandas_magic.notebook.notebook_session import NotebookSession


def look_over(session: NotebookSession, options: Namespace) -> Listing | None:
    """The dashboard where a page looks on; elsewhere the list of checks."""
    if not cell_id(session.shell):
        return list_checks(session, options)
    from pandas_magic.notebook.checks_board import KEY, ChecksBoard

    board = ChecksBoard(session)
    session.parts.put(KEY, board)
    data, metadata = board.bundle()
    display(data, metadata=metadata, raw=True)
    return None


def list_checks(session: NotebookSession, options: Namespace) -> Listing:
    """Every check, its last verdict here, and what it is: approved, proposed, stale and the like."""
    tags, ids = set(comma_separated(options.tags)), _ids(options)
    entries = session.workspace.entries()
    board = board_of(session.workspace, session.edited, entries=entries)
    lines = [line for line in board.lines if (not tags or tags & set(line.tags)) and (not ids or line.check_id in ids)]
    listing = checks_listing(lines)
    changes = "".join(f". Changed: {change.in_words()}" for change in session.workspace.changes(entries))
    return replace(listing, summary=listing.summary + changes)


def run_checks(session: NotebookSession, options: Namespace) -> Result | Results | None:
    """Run saved checks: those named, those with a tag, or all."""
    tags = f"--tags {options.tags}" if options.tags else ""
    matter = session.questions.begin(" ".join(filter(None, ("%checks run", *options.words, tags))))
    session.refuse_local_frames()
    with session.progress() as on_progress:
        results = session.workspace.run(_ids(options), comma_separated(options.tags), on_progress=on_progress)
    if not results:
        raise UsageMistake("no check was run: the registry has none that is meant; %checks lists what it has")
    session.questions.settle(matter)
    return session.give(results, output=options.output)


def save(session: NotebookSession, options: Namespace) -> None:
    """Write every check as a cell into a notebook file."""
    if len(options.words) != 1 or not options.words[0].endswith(".ipynb"):
        raise UsageMistake("%checks save takes one notebook: %checks save checks.ipynb")
    path = Path(options.words[0])
    if path.resolve() == _own_notebook():
        raise UsageMistake(f"{path} is open here, and the page would overwrite it; name another notebook")
    entries = session.workspace.entries()
    if not entries:
        raise UsageMistake("there is no check to save; write one with %%check")
    from pandas_magic.notebook.notebook_file import save_checks  # nbformat takes seconds to import

    saved = save_checks(
        path, [entry.compiled for entry in entries if entry.compiled and not entry.listed.removed], gate=options.gate
    )
    print(f"{path}: {saved.in_words()}")


def share(session: NotebookSession, options: Namespace) -> None:
    """Write one page with every check and its history."""
    from pandas_magic.reporters.dashboard.shared_page import NAME, write_shared_page

    path = Path(options.words[0] if options.words else NAME)
    print(write_shared_page(session.workspace, path, with_rows=options.rows))


def diff(session: NotebookSession, options: Namespace) -> None:
    """Show how the code that last ran in this notebook differs from the compiled code."""
    result = _result(session, options, "diff")
    compiled = next((e.compiled for e in session.workspace.entries() if e.id == result.run.check_id), None)
    if compiled is None:
        raise UsageMistake(f"{result.run.check_id} is not in the registry, so there is nothing to compare with")
    changed = difference(compiled.code, result.run.code, names=("compiled", "ran here"))
    print(changed or f"{compiled.id}: the code that ran here is the compiled code")


def rows(session: NotebookSession, options: Namespace) -> pd.DataFrame:
    """All failing rows of a check's last run, here or in an earlier session."""
    if options.which:
        frame = changed_rows(session, options)
    else:
        result = session.results.get(options.words[0]) if len(options.words) == 1 else None
        frame = _rows_of(result) if result else _kept_rows(session, options)
        frame = explained_rows(session, options, frame) if options.why else frame
    if options.output:
        session.shell.user_ns[options.output] = frame
    if options.save:
        save_rows(frame, _not_of_others(Path(options.save), session))
    return frame


def _rows_of(result: Result) -> pd.DataFrame:
    """Its failing rows, or those that an error shows. Raises: UsageMistake where nothing was judged."""
    run = result.run
    if result.violations is None or (not run.verdict.judges and result.violations.empty):
        raise UsageMistake(f"the last run of {run.check_id} judged no rows: {run.summary or run.error}")
    return result.violations


def _not_of_others(path: Path, session: NotebookSession) -> Path:
    """The path, when nobody else wrote a file there: failing rows in the place of a table would hide it."""
    if path.exists() and not OwnOutputs(session.workspace.journal.folder).has(path):
        raise UsageMistake(f"{path} is there already and no output of ours; name another file, or move that one away")
    return path


def gate(session: NotebookSession, options: Namespace) -> Listing:
    """Judge everything that ran in this notebook, for a scheduled run's last cell.

    Writes the verdicts as JSON and JUnit files first, so that they are there when it raises.

    Raises: CheckFailed when a check failed, or what was asked was not judged; UsageMistake when none ran.
    """
    last = [*session.results.values(), *session.edited.values()]
    results = [session.gravest.among(result) for result in last]
    if not results and not session.questions.unanswered():
        raise UsageMistake(
            "no check ran in this notebook, so the gate has nothing to judge; it belongs in the last cell"
        )
    runs = [result.run for result in results]
    write_output(Path(options.json), verdicts_json(runs))
    write_output(Path(options.junit), junit(results))
    bad = [run for run in runs if run.verdict in (Verdict.FAIL, Verdict.ERROR)]
    if unanswered := session.questions.unanswered():
        raise CheckFailed(
            f"{counted(len(unanswered), 'question')} without a verdict (run each again; where one is no longer meant, "
            f"restart the kernel): {'; '.join(unanswered)}"
        )
    if bad:
        now = {id(result.run) for result in last}
        named = ", ".join(f"{run.check_id} {run.verdict}{' earlier in its cell' * (id(run) not in now)}" for run in bad)
        raise CheckFailed(f"{len(bad)} of {counted(len(runs), 'check')} did not pass: {named}")
    listed = tuple((run.check_id, badge_of(run), f"{run.rows:,}" if run.rows is not None else "") for run in runs)
    return Listing(
        f"{counted(len(runs), 'check')}, none failed",
        ("check", "verdict", "rows"),
        listed,
        frozenset({"rows"}),
        (("verdict", worst(results).value),),
        "verdict",
    )


def cost(session: NotebookSession, options: Namespace) -> Listing:
    """What models were asked in this workspace, what it cost, and what recorded answers saved."""
    from pandas_magic.notebook.plan_magics import exchanges_listing

    return exchanges_listing(session)


def suggest(session: NotebookSession, options: Namespace) -> Listing | Result | Results | None:
    """Checks that fit every table, one table, a script or notebook, or past runs; or keep some of those shown last."""
    from pandas_magic.notebook.suggested import kept, shown  # the explorer takes a moment to import

    return kept(session, options) if options.keep else shown(session, options)


Action = Callable[["NotebookSession", Namespace], "Listing | Result | Results | pd.DataFrame | None"]
ACTIONS: dict[str, Action] = {
    "look": look_over,
    "list": list_checks,
    "run": run_checks,
    "save": save,
    "share": share,
    "delete": review_actions.delete_named,
    "diff": diff,
    "rows": rows,
    "gate": gate,
    "cost": cost,
    "history": history,
    "session": sessions,
    "quarantine": set_aside,
    "patch": patch,
    "approve": review_actions.approve_checks,
    "snooze": review_actions.snooze_check,
    "except": review_actions.except_rows,
    "why": review_actions.why,
    "suggest": suggest,
}


def _ids(options: Namespace) -> tuple[str, ...]:
    return tuple(part for word in options.words for part in comma_separated(word))


def _result(session: NotebookSession, options: Namespace, action: str) -> Result:
    if len(options.words) != 1:
        raise UsageMistake(f"%checks {action} takes one id: %checks {action} CHK-001")
    result = session.edited.get(options.words[0]) or session.results.get(options.words[0])
    if result is None:
        raise UsageMistake(f"{options.words[0]} has not run in this notebook; run its cell, or %checks run it")
    return result


def _kept_rows(session: NotebookSession, options: Namespace) -> pd.DataFrame:
    if len(options.words) != 1:
        raise UsageMistake("%checks rows takes one id: %checks rows CHK-001")
    check_id = options.words[0]
    entries = {entry.id: entry for entry in session.workspace.entries()}
    if check_id not in entries:
        raise NoSuchName("check", check_id, entries, within="the registry")
    run = entries[check_id].last_run
    if run is None:
        raise UsageMistake(f"{check_id} has not run yet; %checks run {check_id}")
    if not run.artifact:
        raise UsageMistake(f"the last run of {check_id} kept no failing rows: {run.summary}")
    path = session.workspace.base_dir / run.artifact
    if not path.exists():
        raise UsageMistake(
            f"the failing rows of {check_id} are gone from {path}; %checks run {check_id} finds them again"
        )
    return pd.read_parquet(path)


def _own_notebook() -> Path | None:
    # jupyter_server tells a kernel which notebook it serves.
    name = os.environ.get("JPY_SESSION_NAME")
    return Path(name).resolve() if name else None
