"""The workspace that a call of an earlier system's interface is about."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from pandas_magic.errors import UsageMistake
from pandas_magic.workspace import Workspace


@contextmanager
def opened(
    workspace: Workspace | Path | str | None, tables: Mapping[str, str | Path] | None = None
) -> Iterator[Workspace]:
    """The workspace given, or that of a folder with these files as its tables, which is closed afterwards.

    Raises: UsageMistake for files beside a workspace that is open already.
    """
    if isinstance(workspace, Workspace):
        if tables:
            raise UsageMistake("an open workspace has its tables already; give file_paths or the workspace, not both")
        yield workspace
        return
    given: dict[str, Any] = dict(tables or {})
    at = Workspace.open(workspace, tables=given)
    try:
        yield at
    finally:
        at.close()
