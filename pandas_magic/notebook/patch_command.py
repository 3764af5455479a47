"""`%checks patch`: the corrections that grids collected, and single ones set, tried, taken back, as lines of pandas."""

from __future__ import annotations

from argparse import Namespace
from contextlib import nullcontext
from typing import TYPE_CHECKING

from pandas_magic.reporters.listing import Listing
from pandas_magic.workspace.patching import ChosenRow, act_on_patch

if TYPE_CHECKING:
    from pandas_magic.notebook.notebook_session import NotebookSession


def patch(session: NotebookSession, options: Namespace) -> Listing | None:
    """List the corrections that were made, or do with them what the words say. Raises: as `act_on_patch`."""
    row = ChosenRow(options.row, tuple(options.key or ()))
    with session.progress() if options.words == ["try"] else nullcontext(lambda _: None) as on_progress:
        on_progress("trying on a copy")
        found = act_on_patch(session.workspace, options.words, row)
    if isinstance(found, Listing):
        return found
    print(found)
    return None
