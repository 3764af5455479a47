"""`pandas-magic export --workflows`: the files of the planner-executor system."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from pandas_magic.errors import UsageMistake

if TYPE_CHECKING:
    from pandas_magic.reporters.terminal import Terminal

_FOLDER = "cached_mem"


def add_workflows(options: argparse._MutuallyExclusiveGroup) -> None:
    """Add the option to those of `export`."""
    options.add_argument(
        "--workflows",
        metavar="DIR",
        nargs="?",
        const=_FOLDER,
        help="workflows.json and the files beside it (default folder: cached_mem in the workspace)",
    )


def export_workflows(options: argparse.Namespace, terminal: Terminal) -> int:
    """Write the files and name them. Raises: UsageMistake when there is no check."""
    from pandas_magic.compat.workflows import export
    from pandas_magic.workspace import Workspace

    workspace = Workspace.open(options.workspace)
    roster = [one for _, one in sorted(workspace.roster().items())]
    left = [f"{one.id} is left out: {one.why_outdated}" for one in roster if one.why_outdated]
    checks = {one.id: one.compiled for one in roster if one.compiled is not None and not one.why_outdated}
    if not checks:
        told = "; ".join(left) or "write one with %%check, or: pandas-magic compile"
        raise UsageMistake(f"there is no check to export; {told}")
    written = export(
        workspace.base_dir / options.workflows,
        checks,
        rules=workspace.base_dir / "checks" / "checks.json",
        catalog=workspace.catalog,
        journal=workspace.journal,
    )
    terminal.told([*map(str, written), *left], {"written": [str(path) for path in written], "left_out": left})
    return 0
