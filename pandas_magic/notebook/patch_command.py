"""`%checks patch`: the corrections that grids collected: listed, tried, taken back, and as lines of pandas."""

from __future__ import annotations

from argparse import Namespace
from typing import TYPE_CHECKING

from pandas_magic.corrections.applying import pandas_lines, standings
from pandas_magic.corrections.correction import said
from pandas_magic.errors import UsageMistake
from pandas_magic.reporters.listing import Listing
from pandas_magic.reporters.value_text import counted
from pandas_magic.workspace.trying import patch_of, try_corrections

if TYPE_CHECKING:
    from pandas_magic.notebook.notebook_session import NotebookSession
    from pandas_magic.workspace import Workspace

_NONE = "nothing is corrected; in a grid of failing rows, a double click on a value corrects it"


def patch(session: NotebookSession, options: Namespace) -> Listing | None:
    """List the corrections that were made, try them, take one back, or show the pandas that makes them.

    Raises: UsageMistake when something else is asked for.
    """
    workspace = session.workspace
    match options.words:
        case []:
            return _listed(workspace)
        case ["try"]:
            with session.progress() as on_progress:
                on_progress("trying on a copy")
                return _tried(workspace)
        case ["undo", number] if number.isdigit():
            print(f"taken back: {patch_of(workspace).take_back(int(number)).in_words()}")
        case ["code"]:
            print(pandas_lines(patch_of(workspace).read()), end="")
        case _:
            raise UsageMistake("%checks patch lists the corrections; behind it may stand try, code or undo NUMBER")
    return None


def _listed(workspace: Workspace) -> Listing:
    patch = patch_of(workspace)
    made = patch.read()
    if not made:
        return Listing(_NONE, (), ())
    why_not = standings(made, workspace.catalog)
    rows = tuple(
        (
            str(number),
            one.table,
            ", ".join(f"{column} {said(value)}" for column, value in one.row.items()),
            str(one.position),
            one.column,
            said(one.old),
            said(one.new),
            one.by,
            why_not[one.cell] or "fits",
        )
        for number, one in enumerate(made, 1)
    )
    header = ("", "table", "row of", "position", "column", "old", "new", "by", "today")
    path = patch.path.relative_to(workspace.base_dir)
    does = "%checks patch try runs the checks on a corrected copy, code shows the pandas that corrects the data"
    return Listing(f"{counted(len(made), 'correction')} in {path}: {does}", header, rows, frozenset({"", "position"}))


def _tried(workspace: Workspace) -> Listing:
    made = patch_of(workspace).read()
    if not made:
        return Listing(_NONE, (), ())
    trial = try_corrections(workspace, made)
    summary = ". ".join((trial.in_words(), *(f"Not made: {text}" for text in trial.left_out)))
    header = ("check", "rule", "before", "after", "rows")
    return Listing(summary, header, tuple(one.row for one in trial.tried), verdicts="after")
