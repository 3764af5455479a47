"""The desk's tools for the Jupyter server extension jupyter-server-mcp, over the folder that the server was started in.

The extension reads the entry-point group `jupyter_server_mcp.tools`: a function that lists "module:name" of functions.
"""

from functools import cache

from pandas_magic.agents.desk import Desk
from pandas_magic.agents.server import Tool, tools
from pandas_magic.workspace import Workspace


def tool_names() -> list[str]:
    """Where each tool is found, as the extension wants to be told."""
    return [f"{__name__}:{name}" for name in _tools()]


def __getattr__(name: str) -> Tool:
    if name.startswith("_") or name not in _tools():
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return _tools()[name]


@cache
def _tools() -> dict[str, Tool]:
    return {tool.__name__: tool for tool in tools(Desk(Workspace.open()))}
