"""Every block of every page: commands and cells run in their order, what they print is compared, files are read.

A page begins in a folder with the example shop, its checks, and the repository's examples. A line in a comment above a
block says what else is done with it: `file: PATH` writes it there, `requests` has each of its sentences read, `run by
TEST` names who runs it, `not run: REASON` why nobody does. A block in a comment runs and is not shown. A block that is
neither command nor cell nor file is what the one before it printed, with `…` for what is left out.
"""

import configparser
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import pytest
import yaml
from IPython.core.interactiveshell import InteractiveShell

from pandas_magic.catalog.table import Table
from pandas_magic.notebook import magics
from pandas_magic.plans.table_questions import read_question
from pandas_magic.workspace import Workspace
from tests.commands import run_command
from tests.keepers import keepers, keepers_are_kept
from tests.pandas_magic.conftest import _old_objects_stay, shell
from tests.test_docs import PAGES, ROOT, page_name

__all__ = ["_old_objects_stay", "keepers", "keepers_are_kept", "shell"]

# Written whole by a test that runs what stands on them.
_MADE = {
    "docs/errors.md": "tests/test_docs_errors.py",
    "docs/language.md": "tests/pandas_magic/planner/language/test_page.py",
}
_BLOCK = re.compile(
    r"(?:<!-- (?P<mark>[^\n]*) -->\n)?^```(?P<language>\w*)\n(?P<text>.*?)^```", re.DOTALL | re.MULTILINE
)
_ASSIGNED = re.compile(r"([A-Z_]+)=(.*)")
_COMMANDS = (
    "pandas-magic ",
    "rm ",
    "cd ",
    "python ",
    "jupyter ",
    "papermill ",
    "mkdir ",
    "cp ",
    "cat ",
    "printf ",
    "$ ",
)
_READ: dict[str, Callable[[str], object]] = {
    "json": json.loads,
    "toml": tomllib.loads,
    "yaml": yaml.safe_load,
    "ini": lambda text: configparser.ConfigParser().read_string(text),
}
_PATIENCE_SECONDS = 120


@dataclass(frozen=True)
class Block:
    """A fenced block of a page, and what the comment above it says."""

    mark: str
    language: str
    text: str

    @property
    def is_cells(self) -> bool:
        return self.language == "python" or self.text.startswith("%")

    @property
    def is_commands(self) -> bool:
        return self.language in ("sh", "console") or self.text.startswith(_COMMANDS) or bool(_ASSIGNED.match(self.text))


def blocks_of(page: Path) -> list[Block]:
    return [Block(*(part or "" for part in found)) for found in _BLOCK.findall(page.read_text(encoding="utf-8"))]


class Reader:
    """A person who types what a page says, in a folder of their own."""

    def __init__(self, folder: Path, shell: InteractiveShell, said: Callable[[], str]) -> None:
        self.folder, self.shell, self._said, self.seen = folder, shell, said, ""

    def follow(self, block: Block) -> None:
        """Do with a block what its mark, its language and its first word ask for."""
        kind, _, rest = block.mark.partition(": ")
        if block.language in _READ:
            _READ[block.language](block.text)
        if kind == "file":
            path = self.folder / rest
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(block.text, encoding="utf-8")
        elif kind == "requests":
            for request in re.split(r" {2,}|\n", block.text.strip()):
                read_question(request, asked_tables(self.folder, request))
        elif block.is_cells:
            self._execute(block.text)
        elif block.is_commands:
            self.seen = "".join(self._command(line) for line in commands_in(block))
        elif block.language not in _READ:
            compare(block.text, self.seen)
        if block.language == "console":
            compare("".join(line for line in block.text.splitlines(True) if not line.startswith("$ ")), self.seen)

    def _execute(self, cell: str) -> None:
        done = self.shell.run_cell(cell, store_history=False)
        self.seen = self._said()
        if error := done.error_before_exec or done.error_in_exec:
            raise error

    def _command(self, line: str) -> str:
        words = shlex.split(line, comments=True)
        expected = re.search(r"# exit code (\d)$", line)
        with pytest.MonkeyPatch.context() as patch:
            while assigned := _ASSIGNED.fullmatch(words[0]):
                patch.setenv(assigned[1], assigned[2])
                words.pop(0)
            done = self._run(words, line)
        # A check that fails is what many blocks show.
        assert done.returncode in ({int(expected[1])} if expected else {0, 1}), f"{line}\n{done.stdout}{done.stderr}"
        return done.stdout + done.stderr

    def _run(self, words: list[str], line: str) -> subprocess.CompletedProcess[str]:
        if words[0] == "pandas-magic" and not {"|", ">", "&&"} & {*words}:
            return run_command(*words[1:], folder=self.folder)
        path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
        return subprocess.run(
            ["sh", "-c", line],
            cwd=self.folder,
            env={**os.environ, "PATH": path},
            capture_output=True,
            text=True,
            timeout=_PATIENCE_SECONDS,
            check=False,
        )


def asked_tables(folder: Path, request: str) -> dict[str, Table]:
    """The shop's tables; orders of a year where the request names one."""
    with closing(Workspace.open(folder)) as workspace:
        tables = dict(workspace.catalog.schemas())
    years = re.findall(r"orders_\d+", request)
    return {year: tables["orders"].model_copy(update={"name": year}) for year in years} or tables


def commands_in(block: Block) -> list[str]:
    """The lines of a block that are commands."""
    lines = [line for line in block.text.replace("\\\n", "").splitlines() if line.strip()]
    if block.language == "console":
        return [line.removeprefix("$ ") for line in lines if line.startswith("$ ")]
    return [line for line in lines if not line.startswith("#")]


def compare(shown: str, seen: str) -> None:
    """Each line that is shown was printed, in that order, whatever stands around it."""
    rest = re.sub(r"[ \t]+", " ", seen)
    for line in shown.splitlines():
        words = [re.escape(part) for part in re.sub(r"\s+", " ", line.strip()).split("…")]
        found = re.search(".*".join(words), rest)
        assert found, f"{line!r} was not printed; there is\n{rest}"
        rest = rest[found.end() :]


@pytest.fixture
def reader(
    tmp_path: Path, shell: InteractiveShell, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Iterator[Reader]:
    shop = tmp_path / "shop"
    for part in ("data", "checks"):
        shutil.copytree(ROOT / "examples" / part, shop / part)
    (shop / "examples").symlink_to(ROOT / "examples")
    monkeypatch.chdir(shop)
    magics.load(shell)
    yield Reader(shop, shell, lambda: capsys.readouterr().out)
    magics.unload(shell)


@pytest.mark.parametrize(
    "page", [page for page in PAGES if page_name(page) not in _MADE and blocks_of(page)], ids=page_name
)
def test_every_block_of_a_page_does_what_the_page_says(page: Path, reader: Reader) -> None:
    for block in blocks_of(page):
        if not block.mark.startswith(("not run: ", "run by ")):
            reader.follow(block)


@pytest.mark.parametrize("page", PAGES, ids=page_name)
def test_what_others_run_is_run_by_them(page: Path) -> None:
    by = [block.mark.removeprefix("run by ") for block in blocks_of(page) if block.mark.startswith("run by ")]
    for test in {*by, *([_MADE[page_name(page)]] if page_name(page) in _MADE else [])}:
        assert page.name in (ROOT / test).read_text(encoding="utf-8"), f"{test} does not name {page.name}"
