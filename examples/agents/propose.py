"""A small agent without a model: it states a rule to `pandas-magic mcp` and reads what came of it.

    pandas-magic demo shop && python propose.py shop "orders.total must be positive"

Needs: pip install 'pandas-magic[mcp]'. A coding agent starts the server by the same command: `pandas-magic mcp`.
"""

import asyncio
import json
import os
import sys
from typing import Any

from mcp import Client, StdioServerParameters, stdio_client


async def ask(folder: str, *questions: tuple[str, dict[str, Any]]) -> tuple[list[str], list[Any]]:
    """The names of the tools, and the answer to each question (a tool and its arguments), from a server of `folder`."""
    command = ["-m", "pandas_magic", "mcp", "-C", folder]
    async with Client(
        stdio_client(StdioServerParameters(command=sys.executable, args=command, env=dict(os.environ)))
    ) as client:
        tools = [tool.name for tool in (await client.list_tools()).tools]
        answers = [await client.call_tool(tool, arguments) for tool, arguments in questions]
    # The first lines say that what follows, between <data> and </data>, is data: one line of JSON.
    return tools, [json.loads(answer.content[0].text.splitlines()[2]) for answer in answers]


if __name__ == "__main__":
    asked = "propose_check", {"rule": sys.argv[2]}
    print(json.dumps(asyncio.run(ask(sys.argv[1], asked))[1], indent=2))
