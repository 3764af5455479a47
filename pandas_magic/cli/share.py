"""`pandas-magic share`: all checks with their history as one page to send on."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pandas_magic.reporters.terminal import Terminal

_DONE = 0

Command = Callable[[argparse.Namespace, "Terminal"], int]


def add_share(command: Callable[[str, Command, str], argparse.ArgumentParser]) -> None:
    """Add the command to the parser that `command` belongs to."""
    parser = command("share", _share, "write one HTML page with every check, its code and its history")
    parser.add_argument("-o", "--output", default="checks.html", metavar="FILE", help="where to (default: checks.html)")
    parser.add_argument("--rows", action="store_true", help="with the first failing rows of each check")


def _share(options: argparse.Namespace, terminal: Terminal) -> int:
    from pandas_magic.reporters.dashboard.shared_page import write_shared_page
    from pandas_magic.workspace import Workspace

    said = write_shared_page(Workspace.open(options.workspace), Path(options.output), with_rows=options.rows)
    terminal.told([said], {"file": options.output})
    return _DONE
