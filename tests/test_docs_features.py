"""The page of features: each row of the inventory with a test that is marked with it and a line that shows it."""

import ast
import os
import re
import shlex
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

import pytest

from pandas_magic.cli.main import main
from pandas_magic.notebook import eda_magics, magics, plan_magics
from pandas_magic.settings import setting_names
from tests.mutants.plant import ROOT, inventory, marked_tests, read_rows

PAGE = ROOT / "docs" / "features.md"
ROWS, MARKED = read_rows(), marked_tests()
SECTIONS = {
    "A": "Checks of data quality",
    "B": "Code execution",
    "C": "Exploration",
    "D": "Code generation",
    "E": "Stateful sessions",
}
_HEAD = """# What there is, and how it is seen

Five earlier systems had 126 contracts; this table has a line for each: what it is, a test that is marked with it, and
a line of a notebook (`%…`, `!…` or Python) or of a shell that shows it. `⏎` begins the next line of a cell. The lines
are for a folder such as `pandas-magic demo` writes; other folders, files and names in capitals are examples; what asks
a model needs one ([models](models.md)); `pytest` is for a copy of the repository. For each row
`tests/mutants/mutants.toml` names faults that its tests find: `python tests/mutants/plant.py ROW` plants them. Only
those lines are written by hand.
"""
_OURS = ("pandas-magic", "python -m pandas_magic")
_OTHER_COMMANDS = ("cat", "echo", "grep", "gzip", "jupyter", "ls", "mkdir", "printf", "pytest", "python", "tail")


def page() -> str:
    """The page, as the data of the rows and the marks of the tests have it."""
    parts = [_HEAD]
    for section, title in SECTIONS.items():
        parts.append(f"## {section}. {title}\n| row | what it is | test | to see it |\n|---|---|---|---|")
        parts += [_line(row) for row in ROWS if row.startswith(section)]
        parts.append("")
    return "\n".join(parts)


def _line(row: str) -> str:
    said = ROWS[row]
    name = MARKED[row][0].rpartition("::")[2]
    lacking = f" (not: {said.partly})" if said.partly else ""
    return f"| {row} | {_cell(said.text)}{_cell(lacking)} | `{name}` | `{_cell(said.see)}` |"


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def test_the_page_is_that_of_the_rows_and_the_marks() -> None:
    # To accept a change: UPDATE_GOLDEN=1 pytest tests/test_docs_features.py, then read the diff.
    if os.environ.get("UPDATE_GOLDEN"):
        PAGE.write_text(page(), encoding="utf-8")
    assert PAGE.read_text(encoding="utf-8") == page()


def test_the_page_has_every_row_once_with_a_test_and_a_line() -> None:
    lines = re.findall(r"^\| ([A-E]\d\d) \| (.+) \| `(test_\w+)` \| `(.+)` \|$", page(), re.MULTILINE)
    assert [row for row, *_ in lines] == inventory()
    assert all(row in _rows_marked(name) for row, _, name, _ in lines)


def _rows_marked(name: str) -> set[str]:
    return {row for row, tests in MARKED.items() if any(test.endswith(f"::{name}") for test in tests)}


@pytest.mark.parametrize("row", ROWS)
def test_the_line_that_shows_a_row_is_one_that_there_is(row: str, capsys: pytest.CaptureFixture[str]) -> None:
    lines = ROWS[row].see.split(" ⏎ ")
    for line in lines[:1] if lines[0].startswith("%%") else lines:
        if line.startswith("%"):
            _is_a_magic(line)
        elif line.startswith(("from ", "import ")):
            _is_of_ours(line)
        else:
            for command in _commands(line.removeprefix("!")):
                _is_a_command(command, capsys)


def _is_a_magic(see: str) -> None:
    magic, *words = see.split()
    if magic == "%config":
        assert words[0].removeprefix("PandasMagic.") in {"base_dir", *setting_names()}
        return
    text = "".join(Path(module.__file__ or "").read_text("utf-8") for module in (magics, eda_magics, plan_magics))
    assert re.search(rf"def {magic.strip('%')}\(self, line", text)
    assert [word for word in words if word.startswith("--") and f'"{word}"' not in text] == []


def _is_of_ours(see: str) -> None:
    for node in ast.walk(ast.parse(see)):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("pandas_magic"):
            module = __import__(node.module or "", fromlist=[each.name for each in node.names])
            assert all(hasattr(module, each.name) for each in node.names)


def _commands(line: str) -> Iterator[list[str]]:
    """The words of each command of a line of a shell."""
    read = shlex.shlex(line, posix=True, punctuation_chars=";|&")
    read.whitespace_split = True
    for ends, words in groupby(read, lambda word: word in ("&&", ";", "|")):
        if not ends:
            yield list(words)


def _is_a_command(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    while re.fullmatch(r"[A-Z_]+=.*", words[0]):
        words.pop(0)
    if not " ".join(words).startswith(_OURS):
        assert words[0] in _OTHER_COMMANDS
        if words[:2] == ["python", "-c"]:
            _is_of_ours(words[2])
        return
    name, *said = words[3:] if words[0] == "python" else words[1:]
    with pytest.raises(SystemExit):
        main([name, "--help"])
    told = capsys.readouterr().out
    assert told.startswith("usage") and [word for word in said if word.startswith("--") and word not in told] == []
