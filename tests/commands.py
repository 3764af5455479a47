"""Commands of the command line as a process runs them, from its standard streams to its exit code, in this process.

Spared are the imports and the end of an interpreter. Where these, or a signal, are what a test is about, or two
commands run at once, it starts processes.
"""

import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from pandas_magic.cli.edge import entry


def run_command(
    *words: str | Path, folder: Path | None = None, out: Path | None = None
) -> subprocess.CompletedProcess[str]:
    """`pandas-magic WORDS...` run to its end, begun in `folder`, perhaps with its output to a device."""
    with tempfile.TemporaryDirectory() as outputs, pytest.MonkeyPatch.context() as patch:
        printed, err = Path(outputs, "out"), Path(outputs, "err")
        patch.chdir(folder or Path.cwd())
        patch.setattr(sys, "argv", ["pandas-magic", *map(str, words)])
        for stream in ("stdout", "stderr"):
            patch.setattr(sys, stream, getattr(sys, f"__{stream}__"))
        with _files_at(Path(os.devnull), out or printed, err), _signals_kept(), pytest.raises(SystemExit) as left:
            entry()
        text = "" if out else printed.read_text()
        return subprocess.CompletedProcess(words, _code(left.value), text, err.read_text())


@contextmanager
def _files_at(*paths: Path) -> Iterator[None]:
    """While it lasts, these are standard input, output and error."""
    before = [os.dup(number) for number in range(len(paths))]
    for number, path in enumerate(paths):
        opened = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        os.dup2(opened, number)
        os.close(opened)
    yield
    for number, kept in enumerate(before):
        os.dup2(kept, number)
        os.close(kept)


@contextmanager
def _signals_kept() -> Iterator[None]:
    heeded = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)}
    yield
    for number, handler in heeded.items():
        signal.signal(number, handler)


def _code(left: SystemExit) -> int:
    assert isinstance(left.code, int)
    return left.code
