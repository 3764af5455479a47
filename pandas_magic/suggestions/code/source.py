"""The Python of a script or of a notebook's cells, and where each of its lines stands there."""

from __future__ import annotations

import ast
import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pandas_magic.errors import UsageMistake

# Magics of a cell below which plain Python stands.
_PYTHON_BELOW = re.compile(r"\s*%%(?:time|timeit|capture|prun|memit)\b")
_OTHER_CELL = re.compile(r"\s*%%")
_MOST_BYTES = 20_000_000  # a longer file is no code


@dataclass(frozen=True)
class CodeFile:
    """Code as one text, the place of each of its lines in words, and the cells that are no Python: place -> why."""

    text: str
    places: tuple[str, ...]
    unread: dict[str, str]

    def place(self, line: int) -> str:
        """Where the line, counted from 1, stands: "line 7", or "cell 3, line 2"."""
        return self.places[line - 1]


def source_of(path: Path) -> CodeFile:
    """The code of a file.

    Raises: UsageMistake when it cannot be read, when a notebook is none of format 4 or in another language, when a
    script is no Python.
    """
    try:
        if path.stat().st_size > _MOST_BYTES:
            raise UsageMistake(f"{path} has more than {_MOST_BYTES // 1_000_000} MB; name a script or a notebook")
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageMistake(f"{path} cannot be read: {error}") from error
    if path.suffix == ".ipynb":
        return _of_cells(_cells(path, text))
    if problem := _why_no_python(text):
        raise UsageMistake(f"{path} is no Python: {problem}")
    return CodeFile(text, tuple(f"line {number + 1}" for number in range(text.count("\n") + 1)), {})


def _cells(path: Path, text: str) -> list[str]:
    """The texts of the code cells."""
    try:
        notebook: Any = json.loads(text)
        cells = notebook["cells"]
        language = notebook.get("metadata", {}).get("kernelspec", {}).get("language", "python")
        texts = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
    except (ValueError, RecursionError, KeyError, TypeError, AttributeError) as error:
        raise UsageMistake(f"{path} is no notebook of format 4: {error!r}") from error
    if language != "python":
        raise UsageMistake(f"{path} is a notebook in {language}; what is read here is Python")
    return texts


def _of_cells(cells: list[str]) -> CodeFile:
    lines, places, unread = list[str](), list[str](), dict[str, str]()
    for number, cell in enumerate(cells, 1):
        python = _plain_python(cell)
        if problem := _why_no_python(python):
            unread[f"cell {number}"] = problem
            python = ""
        for at, line in enumerate(python.splitlines(), 1):
            lines.append(line)
            places.append(f"cell {number}, line {at}")
    return CodeFile("\n".join(lines), tuple(places), unread)


def _plain_python(cell: str) -> str:
    """The cell with as many lines, those for IPython and cells of other magics left empty."""
    if _PYTHON_BELOW.match(cell):
        cell = re.sub(r"^\s*%%.*", "", cell)
    elif _OTHER_CELL.match(cell):
        return ""
    # Where a magic is all that a block holds, the block still needs a statement.
    return re.sub(r"(?m)^([ \t]*)(?:(?:[\w, ]+=[ \t]*)?[%!?].*|[^\n#'\"]*\?\??[ \t]*)$", r"\1pass", cell)


def _why_no_python(text: str) -> str:
    try:
        ast.parse(text)
    except SyntaxError as error:
        return f"{error.msg} in line {error.lineno}"
    except (ValueError, RecursionError, MemoryError) as error:
        return str(error) or type(error).__name__
    return ""
