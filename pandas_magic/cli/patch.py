"""`pandas-magic patch`: the corrections of values, as `%checks patch` has them."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from contextlib import closing
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pandas_magic.reporters.terminal import Terminal

_DONE = 0

Command = Callable[[argparse.Namespace, "Terminal"], int]


def add_patch(command: Callable[[str, Command, str], argparse.ArgumentParser]) -> None:
    """Add the command to the parser that `command` belongs to."""
    parser = command("patch", _patch, "corrections of single values: list, set, try, take back, write as pandas")
    parser.add_argument(
        "words",
        nargs="*",
        metavar="WORD",
        help='without one, list; "set TABLE COLUMN VALUE", "try", "undo NUMBER", or "code" for lines of pandas',
    )
    parser.add_argument(
        "--key", action="append", metavar="COLUMN=VALUE", help="with set: the row; again for a key of several columns"
    )
    parser.add_argument("--row", type=int, metavar="POSITION", help="with set: the row by its place, from 0")


def _patch(options: argparse.Namespace, terminal: Terminal) -> int:
    from pandas_magic.reporters.listing import Listing
    from pandas_magic.workspace import Workspace
    from pandas_magic.workspace.patching import ChosenRow, act_on_patch

    row = ChosenRow(options.row, tuple(options.key or ()))
    with closing(Workspace.open(options.workspace)) as workspace:
        found = act_on_patch(workspace, options.words, row)
    if isinstance(found, Listing):
        rows = [dict(zip(found.header, each, strict=True)) for each in found.rows]
        terminal.told(found.plain().splitlines(), {"summary": found.summary, "rows": rows})
    else:
        terminal.told(found.splitlines(), {"summary": found})
    return _DONE
