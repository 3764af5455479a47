"""The desk as a server of the Model Context Protocol, on standard input and output."""

import asyncio
import functools
import inspect
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

from pandas_magic import __version__
from pandas_magic.agents.desk import Desk
from pandas_magic.errors import UsageMistake
from pandas_magic.planner.model.disclosure import DATA_RULE
from pandas_magic.workspace import Workspace

Tool = Callable[..., Awaitable[str]]
_INSTRUCTIONS = (
    "State a rule about tables in a sentence; it becomes pandas code that is proved and runs confined. "
    "A verdict is only what these tools say it is. Only a person approves a check. " + DATA_RULE
)


def serve(workspace: Workspace) -> None:
    """Serve the workspace until standard input ends.

    Raises: UsageMistake when the package mcp is missing.
    """
    try:
        from mcp.server import MCPServer
    except ImportError as error:
        raise UsageMistake(
            "serving agents needs the package mcp, version 2: pip install 'pandas-magic[mcp]'"
        ) from error
    server: MCPServer[None] = MCPServer(
        "pandas_magic", instructions=_INSTRUCTIONS, version=__version__, log_level="WARNING"
    )
    for tool in tools(Desk(workspace)):
        server.add_tool(tool, structured_output=False)
    server.run("stdio")


def tools(desk: Desk) -> Iterator[Tool]:
    """The desk's tools as coroutine functions, one at a time on one thread, as a kernel's client needs it."""
    thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="pandas-magic-desk")
    for name, method in inspect.getmembers(desk, inspect.ismethod):
        if not name.startswith("_"):
            yield _on(thread, method)


def _on(thread: ThreadPoolExecutor, method: Callable[..., str]) -> Tool:
    @functools.wraps(method)
    async def tool(*arguments: object, **named: object) -> str:
        work = functools.partial(method, *arguments, **named)
        return await asyncio.get_running_loop().run_in_executor(thread, work)

    return tool
