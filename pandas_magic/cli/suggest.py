"""`pandas-magic suggest`: checks that fit tables, code that exists, or past runs."""

from __future__ import annotations

import argparse
import shlex
from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pandas_magic.reporters.terminal import Terminal
    from pandas_magic.suggestions import Suggestions

_DONE = 0

Command = Callable[[argparse.Namespace, "Terminal"], int]


def add_suggest(command: Callable[[str, Command, str], argparse.ArgumentParser]) -> None:
    """Add the command to the parser that `command` belongs to."""
    parser = command("suggest", _suggest, "offer checks that fit your tables, your code or past runs, and keep some")
    parser.add_argument(
        "what",
        nargs="?",
        metavar="TABLE|FILE|history|ID",
        help="a table; a script or notebook, which is read and never run; bands for past runs; without it, every table",
    )
    parser.add_argument("--keep", metavar="1,3|all", help="keep these of the checks offered")
    parser.add_argument("--table", metavar="NAME", help="the table that frames of another name in code stand for")


def _suggest(options: argparse.Namespace, terminal: Terminal) -> int:
    from pandas_magic.registry.check_request import CheckRequest
    from pandas_magic.suggestions.asking import suggestions_for
    from pandas_magic.suggestions.trying import chosen_of, keep
    from pandas_magic.workspace import Workspace

    workspace = Workspace.open(options.workspace)
    try:
        found = suggestions_for(workspace, options.what, target=options.table, on_progress=terminal.progress)
        rules = chosen_of([one.sentence for one in found.offered], options.keep or "")
        results = keep(workspace, [CheckRequest(rule) for rule in rules], on_progress=terminal.progress)
    finally:
        workspace.close()
    kept = [result.run.check_id for result in results]
    facts = {"suggestions": [one.facts() for one in found.offered], "kept": kept}
    terminal.told(list(_lines(found)), {**facts, "withheld": [vars(one) for one in found.withheld]})
    if results and not options.json:
        terminal.results(results)
    elif found.offered:
        terminal.say(f"keep some: {_again(options)} --keep 1,2")
    return _DONE


def _lines(found: Suggestions) -> list[str]:
    offered = [line for number, one in enumerate(found.offered, 1) for line in one.lines(number)]
    withheld = ["not offered:", *(f"     {one.line()}" for one in found.withheld)] if found.withheld else []
    return [*(offered or ["nothing that could be offered was found"]), *withheld]


def _again(options: argparse.Namespace) -> str:
    words = ["pandas-magic", "suggest", *([options.what] if options.what else [])]
    words += ["-C", options.workspace] if options.workspace != "." else []
    return shlex.join([*words, *(["--table", options.table] if options.table else [])])
