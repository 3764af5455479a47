"""`pandas-magic add "…"`: a rule written into the list that people edit."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import TYPE_CHECKING

from pandas_magic.registry.severities import SEVERITIES

if TYPE_CHECKING:
    from pandas_magic.reporters.terminal import Terminal

_DONE = 0

Command = Callable[[argparse.Namespace, "Terminal"], int]


def add_adding(command: Callable[[str, Command, str], argparse.ArgumentParser]) -> None:
    """Add the command to the parser that `command` belongs to."""
    parser = command("add", _add, "write a rule into the list of checks; compile it next")
    parser.add_argument("rule", metavar="SENTENCE", help="the rule in a sentence, in quotes")
    parser.add_argument("--id", metavar="ID", help="such as CHK-002 (default: the next free one)")
    parser.add_argument("--tables", default="", metavar="A,B", help="the tables that the rule may speak of")
    parser.add_argument("--target", metavar="TABLE", help="the table whose rows are checked, where the rule is silent")
    parser.add_argument("--name", metavar="TEXT", help="a short name for people")
    parser.add_argument("--severity", choices=SEVERITIES, help="how bad a failing row is")
    parser.add_argument("--owner", metavar="WHO", help="who answers for the rule")
    parser.add_argument("--tags", default="", metavar="A,B", help="words to choose checks by")


def _add(options: argparse.Namespace, terminal: Terminal) -> int:
    from pandas_magic.registry.check_request import CheckRequest
    from pandas_magic.workspace import Workspace

    workspace = Workspace.open(options.workspace)
    request = CheckRequest(
        rule=options.rule,
        id=options.id,
        name=options.name,
        tables=_parts(options.tables),
        target=options.target,
        severity=options.severity,
        owner=options.owner,
        tags=_parts(options.tags) or None,
    )
    check, path = workspace.add(request), workspace.roster().path
    terminal.told(
        [f"{check.id}  written into {path}; next: pandas-magic compile {check.id}"],
        {"added": check.to_dict(), "list": str(path)},
    )
    return _DONE


def _parts(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split(",") if part.strip())
