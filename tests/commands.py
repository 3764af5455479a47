"""Commands of the command line in processes of their own, forked from one that has imported the program already.

What a command does, prints and leaves as its exit code is as in a fresh process; only the second of imports is spared.
Where the import itself, or a signal during it, is what a test is about, it starts a fresh process.
"""

import atexit
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any


def run_command(
    *words: str | Path, folder: Path | None = None, environment: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """`pandas-magic WORDS...` run to its end, begun in `folder` and with this environment, by default ours."""
    with tempfile.TemporaryDirectory() as outputs:
        out, err = Path(outputs, "out"), Path(outputs, "err")
        order = {
            "words": list(map(str, words)),
            "folder": str(folder or Path.cwd()),
            "environment": dict(os.environ if environment is None else environment),
            "out": str(out),
            "err": str(err),
        }
        return subprocess.CompletedProcess(words, _status(order), out.read_text(), err.read_text())


def _status(order: dict[str, Any]) -> int:
    server = _server()
    assert server.stdin is not None
    assert server.stdout is not None
    server.stdin.write(json.dumps(order) + "\n")
    server.stdin.flush()
    answer = server.stdout.readline()
    assert answer, "the process that commands are forked from ended"
    return int(answer)


@cache
def _server() -> "subprocess.Popen[str]":
    server = subprocess.Popen(
        [sys.executable, "-c", "from tests.commands import serve; serve()"],
        cwd=Path(__file__).parents[1],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    atexit.register(server.kill)
    return server


def serve() -> None:
    """Fork a process for each order on standard input; its exit code, or minus its signal, is the answer."""
    # Whatever commands import in any case; no thread may run before a fork.
    import pandas_magic.cli.main
    import pandas_magic.planner.language
    import pandas_magic.reporters.terminal
    import pandas_magic.workspace.compiling  # noqa: F401 - as those above

    for line in sys.stdin:
        child = os.fork()
        if child == 0:
            _become(json.loads(line))
        _, status = os.waitpid(child, 0)
        print(os.waitstatus_to_exitcode(status), flush=True)


def _become(order: dict[str, Any]) -> None:
    from pandas_magic.cli.edge import entry

    code = 70
    try:
        for descriptor, path in ((0, os.devnull), (1, order["out"]), (2, order["err"])):
            os.dup2(os.open(path, os.O_RDWR | os.O_CREAT, 0o600), descriptor)
        os.chdir(order["folder"])
        os.environ.clear()
        os.environ.update(order["environment"])
        sys.argv = ["pandas-magic", *order["words"]]
        entry()
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else 70
    finally:
        os._exit(code)
