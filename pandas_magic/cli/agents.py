"""`pandas-magic mcp`: the workspace served to coding agents."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pandas_magic.reporters.terminal import Terminal

_DONE = 0

Command = Callable[[argparse.Namespace, "Terminal"], int]


def add_agents(command: Callable[[str, Command, str], argparse.ArgumentParser]) -> None:
    """Add the command to the parser that `command` belongs to."""
    command("mcp", _serve, "serve the workspace to coding agents on standard input and output, as MCP")


def _serve(options: argparse.Namespace, _: Terminal) -> int:
    from pandas_magic.agents.server import serve
    from pandas_magic.workspace import Workspace

    workspace = Workspace.open(options.workspace)
    try:
        serve(workspace)
    finally:
        workspace.close()
    return _DONE
