"""Honest cells in a plain ipykernel and in `confined-python`: what differs.

    python -m tests.kernel_sandbox.side_by_side tasks pandas [numpy sklearn …]

`tasks` are those of tasks.txt; any other word is a library, whose examples in docstrings are the cells.

A cell whose outputs differ between two plain kernels (times, random numbers, addresses) says nothing and is left out.
"""

import doctest
import html
import importlib
import json
import pkgutil
import queue
import re
import sys
import tempfile
import time
import warnings
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jupyter_client.blocking.client import BlockingKernelClient
from jupyter_client.manager import KernelManager

from tests.kernel_sandbox.jupyter import confined_kernel

BATCH_SECONDS = 120
# Every example begins alone, as in a notebook of its own.
FRESH = """
get_ipython().reset(new_session=False)
import numpy as np, pandas as pd, random
np.random.seed(0); random.seed(0)
"""
_NEVER_THE_SAME = (
    (re.compile(r"0x[0-9a-fA-F]{6,}"), "0x"),
    (re.compile(r"/\S*ipykernel_\d+/\d+\.py|<ipython-input-[^>]*>|(?<=\()\d+\.py(?=, line)"), "CELL"),
    (re.compile(r"\x1b\[[\d;]*m"), ""),
)
_STREAMS = ("stdout: ", "stderr: ")
_TAG = re.compile(r"<[^>]*>")
_STYLE = re.compile(r"<(style|script)\b.*?</\1>", re.DOTALL)


@dataclass(frozen=True)
class Example:
    """Cells that belong together, as those of one docstring do."""

    name: str
    cells: tuple[str, ...]


@dataclass(frozen=True)
class Difference:
    """One cell whose outcome is another one in the confined kernel, as lines of text."""

    name: str
    cell: str
    plain: str
    confined: str

    @property
    def is_told(self) -> bool:
        """True when the confined kernel said in a line of its own what it did otherwise."""
        return "(confined kernel: " in self.confined


def tasks() -> Iterator[Example]:
    """The tasks of tasks.txt, each a cell."""
    for part in Path(__file__).with_name("tasks.txt").read_text().split("\n# %% ")[1:]:
        name, _, cell = part.partition("\n")
        yield Example(name, (cell,))


def examples(module: str, *, within: str = "") -> Iterator[Example]:
    """The examples in the docstrings of a package, each docstring once; those marked to be skipped are left out."""
    seen: set[str] = set()
    for found in _modules(module):
        for test in doctest.DocTestFinder(exclude_empty=True).find(found, found.__name__):
            cells = tuple(one.source for one in test.examples if not one.options.get(doctest.SKIP))
            if cells and test.docstring not in seen and within in test.name:
                seen.add(test.docstring)
                yield Example(test.name, cells)


def _modules(name: str) -> Iterator[Any]:
    top = importlib.import_module(name)
    yield top
    for found in pkgutil.walk_packages(getattr(top, "__path__", []), f"{name}."):
        if not re.search(r"\b(tests?|conftest|setup|_pytest\w*|__main__)\b", found.name):
            try:
                yield importlib.import_module(found.name)
            except (Exception, SystemExit):
                # A part that needs something that is not installed.
                continue


@contextmanager
def plain_kernel(folder: Path) -> Iterator[BlockingKernelClient]:
    """A client of ipykernel, started in the folder."""
    manager = KernelManager(kernel_name="python3")
    manager.start_kernel(cwd=str(folder))
    client = manager.client()
    client.start_channels()
    try:
        client.wait_for_ready(timeout=60)
        yield client
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)
        manager.cleanup_resources()


def outcomes(client: BlockingKernelClient, example: Example) -> list[str]:
    """What came of each cell: its outputs in order and the error, if any, without what is never the same."""
    asked = [client.execute(cell, stop_on_error=False, allow_stdin=False) for cell in (FRESH, *example.cells)]
    said: dict[str, list[str]] = {one: [] for one in asked}
    end = time.monotonic() + BATCH_SECONDS
    left = set(asked)
    while left and time.monotonic() < end:
        try:
            message = client.get_iopub_msg(timeout=1)
        except queue.Empty:
            continue
        parent = message["parent_header"].get("msg_id")
        if parent in said:
            said[parent] += _lines(message["msg_type"], message["content"])
            if message["content"].get("execution_state") == "idle":
                left.discard(parent)
    while client.shell_channel.msg_ready():
        client.get_shell_msg(timeout=1)
    return [_steady("\n".join(_joined(said[one]))) + ("\nUNANSWERED" if one in left else "") for one in asked[1:]]


def _lines(kind: str, content: dict[str, Any]) -> list[str]:
    match kind:
        case "stream":
            return [f"{content['name']}: {content['text']}"]
        case "display_data" | "execute_result":
            return [f"{kind} {mime}: {_shown(mime, content['data'][mime])}" for mime in sorted(content["data"])]
        case "error":
            notes = [line for line in content["traceback"] if line.startswith("(confined kernel: ")]
            return [f"error {content['ename']}: {content['evalue']}", *notes]
    return []


def _shown(mime: str, data: Any) -> str:
    if mime == "text/html":
        # It was made anew; what a reader reads in it is compared.
        return " ".join(html.unescape(_TAG.sub(" ", _STYLE.sub(" ", data))).split())
    return data if isinstance(data, str) else json.dumps(data, sort_keys=True)


def _joined(lines: list[str]) -> list[str]:
    # How streams are cut, and in a plain kernel how they lie among displays, is chance.
    streams = {name: "".join(line.removeprefix(name) for line in lines if line.startswith(name)) for name in _STREAMS}
    said = [f"{name}{text}" for name, text in streams.items() if text]
    return said + [line for line in lines if not line.startswith(_STREAMS)]


def _steady(text: str) -> str:
    for pattern, replacement in _NEVER_THE_SAME:
        text = pattern.sub(replacement, text)
    return text


def differences(found: list[Example], folder: Path) -> Iterator[Difference]:
    """The cells that come out otherwise in the confined kernel."""
    with ExitStack() as stack:
        places = [folder / name for name in ("plain", "again", "confined")]
        for place in places:
            place.mkdir()
        plain, again = (stack.enter_context(plain_kernel(place)) for place in places[:2])
        confined = stack.enter_context(confined_kernel(places[2])).client
        for example in found:
            first, other = outcomes(plain, example), outcomes(confined, example)
            if first == other:
                continue
            second = outcomes(again, example)
            for cell, *told in zip(example.cells, first, second, other, strict=True):
                if told[0] == told[1] != told[2]:
                    yield Difference(example.name, cell, told[0], told[2])


def main(modules: list[str]) -> None:
    """Print every difference, and how many there are of how many cells."""
    warnings.simplefilter("ignore")
    for module in modules:
        found = list(tasks() if module == "tasks" else examples(module))
        different = []
        with tempfile.TemporaryDirectory(dir="/tmp", prefix="ks-") as folder:
            for one in differences(found, Path(folder)):
                different.append(one)
                print(f"--- {one.name}", one.cell.rstrip(), sep="\n")
                print(f"  plain:    {one.plain[:600]}\n  confined: {one.confined[:600]}", flush=True)
        told = sum(one.is_told for one in different)
        cells = sum(len(example.cells) for example in found)
        print(f"{module}: {len(found):,} examples, {cells:,} cells; {len(different)} differ, {told} with a line")


if __name__ == "__main__":
    main(sys.argv[1:])
