"""The actions of `%checks` that look back: history, session, rows that are new or fixed, and rows set aside."""

from __future__ import annotations

import re
from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import pandas as pd

from pandas_magic.checking.result import results_of
from pandas_magic.errors import NoSuchName, UsageMistake
from pandas_magic.history.comparison import NotComparable
from pandas_magic.history.failing_rows import kept_positions, with_reasons
from pandas_magic.notebook.magic_lines import comma_separated
from pandas_magic.quarantine.splitting import quarantine
from pandas_magic.quarantine.table_files import parse_form
from pandas_magic.reporters.bundle import Results
from pandas_magic.reporters.listing import Listing
from pandas_magic.reporters.past_rows import RUN_HEADER, run_row, session_row

if TYPE_CHECKING:
    from pandas_magic.history.run import Run
    from pandas_magic.notebook.notebook_session import NotebookSession

# A folder that is really called like this can be named ./CHK-010.
_LIKE_AN_ID = re.compile(r"[A-Z]{2,}-\d+")
_LAST = 20  # runs shown of one check; the command line shows more


def history(session: NotebookSession, options: Namespace) -> Listing:
    """The runs of one check, the latest first; without an id what the runs of every check say together."""
    past = session.workspace.journal.history
    if not options.words:
        rows = tuple((summary.check_id, summary.in_words()) for summary in past.summaries())
        return Listing("what the runs so far say" if rows else "no runs yet", ("check", "history"), rows)
    check_id = _only_id(options, "history")
    summary = past.of(check_id)
    if summary is None:
        raise NoSuchName("check", check_id, past.check_ids(), within="the history")
    runs = [run_row(run) for run in reversed(past.runs(check_id)[-_LAST:])]
    return Listing(
        f"{check_id}: {summary.in_words()}", RUN_HEADER, tuple(runs), frozenset({"failing", "of", "seconds"})
    )


def sessions(session: NotebookSession, options: Namespace) -> Listing | Results:
    """The scheduled runs and notebooks so far; with an id what that one found, shown again without running."""
    workspace = session.workspace
    past = workspace.journal.history
    if options.words:
        found = results_of(workspace.registry, workspace.journal, past.session(_only_id(options, "session")))
        if not found:
            raise UsageMistake(f"nothing ran in session {options.words[0]}")
        return Results(found)
    rows = tuple(session_row(each) for each in past.sessions())
    return Listing(
        "sessions, the latest first" if rows else "no sessions yet",
        ("session", "began", "kind", "came of it", "did not run"),
        rows,
    )


def changed_rows(session: NotebookSession, options: Namespace) -> pd.DataFrame:
    """Failing rows of a check's last run that are new, that still fail, or that are fixed since the run before.

    Raises: UsageMistake with the reason when the two runs cannot be compared.
    """
    check_id = _only_id(options, "rows")
    run = _last_run(session, check_id)
    try:
        found = session.workspace.journal.compared(run)
    except NotComparable as reason:
        raise UsageMistake(f"which failing rows of {check_id} are new cannot be said: {reason}") from reason
    frame: pd.DataFrame = getattr(found, options.which)
    return frame


def explained_rows(session: NotebookSession, options: Namespace, frame: pd.DataFrame) -> pd.DataFrame:
    """The failing rows of a check's last run with the reason and their position in the table (from 0) in front."""
    run = _last_run(session, _only_id(options, "rows"))
    positions = kept_positions(session.workspace.journal.folder, run.run_id)
    fits = positions is not None and len(positions) == len(frame)
    return with_reasons(run, frame, positions if fits else None)


def set_aside(session: NotebookSession, options: Namespace) -> None:
    """Write good and bad rows of the tables that this notebook's checks judged into files of a folder.

    Ids behind the folder are the only checks that count. An id is never taken for a folder.
    """
    if not options.words:
        raise UsageMistake("%checks quarantine takes a folder, and ids of checks: %checks quarantine set_aside CHK-001")
    folder, *words = options.words
    ids = [part for word in words for part in comma_separated(word)]
    known = {entry.id for entry in session.workspace.entries()} | session.results.keys()
    if folder in known or _LIKE_AN_ID.fullmatch(folder):
        raise UsageMistake(
            f"{folder} is the id of a check, and no folder; name one first: %checks quarantine set_aside {folder}"
        )
    for line in split_tables(session, Path(folder), ids, options.format):
        print(line)


def split_tables(session: NotebookSession, folder: Path, ids: Sequence[str], form: str | None = None) -> list[str]:
    """Write good and bad rows of the tables that these checks of this notebook judged, or all; told line by line.

    Raises: UsageMistake, NoSuchName when a check did not run in this notebook.
    """
    if not session.results:
        raise UsageMistake("no check ran in this notebook, so there is nothing to set aside; %checks run")
    if unrun := [check_id for check_id in ids if check_id not in session.results]:
        raise NoSuchName("check", unrun[0], session.results, within="what ran in this notebook")
    results = [session.results[check_id] for check_id in ids] or list(session.results.values())
    splits, problems = quarantine(session.workspace.catalog, results, folder, form=parse_form(form))
    return [*(split.in_words() for split in splits), *problems]


def _only_id(options: Namespace, action: str) -> str:
    if len(options.words) != 1:
        raise UsageMistake(f"%checks {action} takes one id: %checks {action} CHK-001")
    return str(options.words[0])


def _last_run(session: NotebookSession, check_id: str) -> Run:
    last = session.workspace.journal.last_runs()
    if check_id not in last:
        raise NoSuchName("check", check_id, last, within="the history")
    return last[check_id]
