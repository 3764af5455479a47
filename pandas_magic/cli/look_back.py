"""`pandas-magic history`: what the runs so far say of one check, of all, or of the sessions that ran them."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from pandas_magic.errors import NoSuchName, UsageMistake
from pandas_magic.reporters.past_rows import ASIDE_HEADER, RUN_HEADER, aside_row, run_row, session_row

if TYPE_CHECKING:
    from pandas_magic.history.history import History, Session
    from pandas_magic.reporters.terminal import Terminal

_DONE = 0

Command = Callable[[argparse.Namespace, "Terminal"], int]


def add_history(command: Callable[[str, Command, str], argparse.ArgumentParser]) -> None:
    """Add the command to the parser that `command` belongs to."""
    parser = command("history", _history, "the runs of a check: since when it fails, what changed, how long it takes")
    parser.add_argument("id", nargs="?", metavar="ID", help="one check; without one, a line for each")
    parser.add_argument("--last", type=int, default=20, metavar="N", help="with ID: so many runs (default: 20)")
    parser.add_argument("--sessions", action="store_true", help="scheduled runs and notebooks, and what did not run")
    parser.add_argument("--prune", action="store_true", help="delete failing rows older than keep_runs and keep_days")


def _history(options: argparse.Namespace, terminal: Terminal) -> int:
    from pandas_magic.history.pruning import Keeping
    from pandas_magic.workspace import Workspace

    workspace = Workspace.open(options.workspace)
    history = workspace.journal.history
    if options.prune:
        removed = workspace.journal.prune(Keeping(workspace.settings.keep_runs, workspace.settings.keep_days))
        terminal.told([f"deleted the failing rows of {len(removed)} runs"], {"pruned": removed})
    elif options.sessions:
        sessions = history.sessions()
        lines = [session_line(session) for session in sessions]
        terminal.told(lines or ["no sessions yet"], {"sessions": [session_facts(session) for session in sessions]})
    elif options.id:
        terminal.told(run_lines(history, options.id, options.last), check_facts(history, options.id))
    else:
        summaries = history.summaries()
        lines = [f"{summary.check_id}  {summary.in_words()}" for summary in summaries]
        terminal.told(lines or ["no runs yet"], {"checks": [summary.model_dump(mode="json") for summary in summaries]})
    return _DONE


def run_lines(history: History, check_id: str, last: int) -> list[str]:
    """One line that sums a check up, then its last runs and its last runs aside, the latest first.

    Raises: NoSuchName; UsageMistake when `last` is no count.
    """
    from pandas_magic.reporters.plain import columns_of_text

    if last < 1:
        raise UsageMistake(f"--last takes a number of runs, at least 1, and not {last}")
    summary, aside = history.of(check_id), history.runs_aside().get(check_id, [])
    if summary is None and not aside:
        raise NoSuchName("check", check_id, history.check_ids(), within="the history")
    lines = [f"{check_id}  {summary.in_words() if summary else 'no run on its own tables yet'}"]
    listed = [(RUN_HEADER, run_row, history.runs(check_id)), (ASIDE_HEADER, aside_row, aside)]
    for header, row, runs in listed:
        if rows := [row(run) for run in reversed(runs[-last:])]:
            table = columns_of_text([header, *rows], to_the_right=(False, False, False, True, True, True, False))
            lines += table.splitlines()
    return lines


def check_facts(history: History, check_id: str) -> dict[str, Any]:
    """The same as JSON: the summary and every run, oldest first, and those aside."""
    summary = history.of(check_id)
    runs = [run._asdict() for run in history.runs(check_id)]
    aside = [run._asdict() for run in history.runs_aside().get(check_id, ())]
    return {"check": summary.model_dump(mode="json") if summary else None, "runs": runs, "aside": aside}


def session_line(session: Session) -> str:
    """The same in one line."""
    *parts, missed = session_row(session)
    return "  ".join(parts) + (f"; did not run: {missed}" if missed else "")


def session_facts(session: Session) -> dict[str, Any]:
    """A session as JSON."""
    runs = [{"check_id": run.check_id, "run_id": run.run_id, "verdict": run.verdict} for run in session.runs]
    return {
        "session": session.id,
        "started_at": session.started_at,
        "kind": session.kind,
        "runs": runs,
        "not_run": list(session.not_run),
    }
