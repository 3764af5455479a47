"""The one way to ask for suggestions, for the terminal, the notebook and scripts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from os import PathLike
from pathlib import Path

import pandas as pd

from pandas_magic.catalog.given import refuse_other_type
from pandas_magic.errors import NoSuchName, PandasMagicError, UsageMistake
from pandas_magic.suggestions.from_code import ideas_of_code
from pandas_magic.suggestions.from_history import ideas_of_history
from pandas_magic.suggestions.from_tables import MOST_BROKEN, OFFERED, ideas_of_table
from pandas_magic.suggestions.suggestion import Suggestion, Suggestions, Withheld
from pandas_magic.suggestions.trying import Progress, all_tried
from pandas_magic.workspace import Workspace

_MOST_OF_CODE = 100
HISTORY = "history"
_CODE = (".py", ".ipynb")


def suggest(
    what: str | Path | None = None,
    *,
    tables: Mapping[str, pd.DataFrame | str | Path] | None = None,
    workspace: Workspace | Path | str | None = None,
) -> tuple[Suggestion, ...]:
    """Checks that fit, each proved and run but kept nowhere: `.sentence`, `.because`, `.place`, `.run`.

    `what` is a table, a script (.py) or a notebook (.ipynb), which is read and never run, "history" for bands that fit
    past runs, or the id of a check for a band that fits its own; without it every table is looked at.

    >>> menu = pd.DataFrame({"dish_id": range(100, 120), "course": ["soup", "main"] * 10})
    >>> for one in suggest(tables={"menu": menu})[:2]:
    ...     print(one.sentence, "|", one.run.summary)
    menu: dish_id must be unique | PASS: 0 of 20 rows of menu break the rule
    menu: course must be one of 'main', 'soup' | PASS: 0 of 20 rows of menu break the rule

    Raises: UsageMistake, NoSuchName, TableUnreadable, kernel_sandbox.SandboxUnavailable.
    """
    refuse_other_type("what suggestions are asked for", what, str, PathLike, type(None))
    if isinstance(workspace, Workspace):
        if tables:
            raise UsageMistake("an open workspace has its tables already; give them to Workspace.open(tables=…)")
        return suggestions_for(workspace, what).offered
    opened = Workspace.open(workspace, tables=tables)
    try:
        return suggestions_for(opened, what).offered
    finally:
        opened.close()


def suggestions_for(
    workspace: Workspace,
    what: str | Path | None,
    *,
    target: str | None = None,
    on_progress: Progress = lambda _: None,
) -> Suggestions:
    """What is offered and what is not, with reasons; `target` is the table of frames of another name in code.

    Raises: as `suggest`.
    """
    names = workspace.table_names()
    if what is None and not names:
        raise UsageMistake(f"no table can be read in {workspace.base_dir}; name the folder of your tables with -C")
    if what is None:
        return of_tables(workspace, names, on_progress=on_progress)
    said = str(what)
    if said.endswith(_CODE):
        path = Path(what) if Path(what).exists() else workspace.base_dir / what
        ideas, withheld = ideas_of_code(workspace, path, target)
        return _with(withheld, all_tried(workspace, ideas, most=_MOST_OF_CODE, on_progress=on_progress))
    if said not in names and (said == HISTORY or said in workspace.check_ids()):
        past, withheld = ideas_of_history(workspace, () if said == HISTORY else (said,))
        return _with(withheld, all_tried(workspace, past, most=_MOST_OF_CODE, on_progress=on_progress))
    if said not in names:
        raise NoSuchName("table, script, notebook or check", said, [*names, *workspace.check_ids()])
    return of_tables(workspace, [said], on_progress=on_progress)


def of_tables(workspace: Workspace, names: Iterable[str], *, on_progress: Progress) -> Suggestions:
    """About five checks of each table, table by table; a table that cannot be read is told among what is withheld."""
    whole = Suggestions(())
    for name in names:
        try:
            ideas, withheld = ideas_of_table(workspace, name, on_progress)
        except PandasMagicError as error:
            ideas, withheld = [], [Withheld(name, "", str(error))]
        found = all_tried(workspace, ideas, most=OFFERED, most_broken=MOST_BROKEN, on_progress=on_progress)
        whole = Suggestions((*whole.offered, *found.offered), (*whole.withheld, *withheld, *found.withheld))
    return whole


def _with(withheld: Iterable[Withheld], found: Suggestions) -> Suggestions:
    return Suggestions(found.offered, (*withheld, *found.withheld))
