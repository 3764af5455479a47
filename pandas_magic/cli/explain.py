"""`pandas-magic explain FILE.py`: what pandas code checks, in canonical words."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from pandas_magic.errors import NoSuchName, UsageMistake

if TYPE_CHECKING:
    from pandas_magic.planner.language.code_files import StatedCheck
    from pandas_magic.reporters.terminal import Terminal

_DONE = 0

Command = Callable[[argparse.Namespace, "Terminal"], int]


def add_explain(command: Callable[[str, Command, str], argparse.ArgumentParser]) -> None:
    """Add the command to the parser that `command` belongs to."""
    parser = command("explain", _explain, "say in canonical words what pandas code checks, or that it cannot be told")
    parser.add_argument("file", help="a file of Python; it is read and never run")
    parser.add_argument("--table", metavar="NAME", help="the table that frames of another name stand for")


def _explain(options: argparse.Namespace, terminal: Terminal) -> int:
    from dataclasses import asdict

    from pandas_magic.planner.language.code_files import stated_checks
    from pandas_magic.workspace import Workspace

    tables = Workspace.open(options.workspace).catalog.schemas()
    if options.table and options.table not in tables:
        raise NoSuchName("table", options.table, tables)
    try:
        text = Path(options.file).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageMistake(f"{options.file} cannot be read: {error}") from error
    found = stated_checks(text, tables, target=options.table)
    lines = [line for one in found for line in _lines(one)] or ["nothing in it asserts anything that is read here"]
    terminal.told(lines, {"checks": [asdict(one) for one in found]})
    return _DONE


def _lines(one: StatedCheck) -> list[str]:
    from pandas_magic.reporters.value_text import one_line

    told = one.rule or f"cannot be told: {one.problem}"
    changed = f"    about what line {', '.join(map(str, one.changed))} left, not about the table as it lies"
    lines = [f"line {one.line}: {one_line(told)}", f"    {one_line(one.code)}"]
    return [*lines, changed] if one.rule and one.changed else lines
