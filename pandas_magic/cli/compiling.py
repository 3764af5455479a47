"""`pandas-magic compile`: rules of the list made into checks; what is refused is asked, a choice is written down."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from pandas_magic.errors import PandasMagicError, RuleNotUnderstood

if TYPE_CHECKING:
    from pandas_magic.checking.compilation import Compilation
    from pandas_magic.reporters.terminal import Terminal
    from pandas_magic.workspace import Workspace

_DONE, _ERROR = 0, 3

Command = Callable[[argparse.Namespace, "Terminal"], int]
Outcomes = dict[str, "Compilation | PandasMagicError"]


def add_compiling(command: Callable[[str, Command, str], argparse.ArgumentParser]) -> None:
    """Add the command to the parser that `command` belongs to."""
    parser = command("compile", _compile, "compile rules of checks/checks.json and stale checks")
    parser.add_argument("ids", nargs="*", metavar="ID", help="only these checks, whether or not they are stale")
    parser.add_argument(
        "--interactive",
        action="store_true",
        help="choose what a refused rule means: one number per line on standard input, an empty line for none",
    )


def _compile(options: argparse.Namespace, terminal: Terminal) -> int:
    from pandas_magic.workspace import Workspace

    workspace = Workspace.open(options.workspace)
    try:
        compiled = workspace.compile(options.ids, on_progress=terminal.progress)
        if options.interactive:
            compiled = _answered(compiled, workspace, terminal)
        terminal.compiled(compiled, are_checks=bool(workspace.check_ids()))
        if not options.interactive:
            _show_questions(compiled, terminal)
    finally:
        workspace.close()
    return _ERROR if any(isinstance(outcome, PandasMagicError) for outcome in compiled.values()) else _DONE


def _show_questions(compiled: Mapping[str, Compilation | PandasMagicError], terminal: Terminal) -> None:
    for check_id, outcome in compiled.items():
        if isinstance(outcome, RuleNotUnderstood):
            terminal.ask(check_id, outcome, how=f"To choose: pandas-magic compile --interactive {check_id}")


def _answered(compiled: Outcomes, workspace: Workspace, terminal: Terminal) -> Outcomes:
    """The outcomes once each refused rule with readings was asked about; a choice becomes the check's rule."""
    from pandas_magic.reporters.question import choices
    from pandas_magic.workspace.compiling import choose_reading

    answered = dict(compiled)
    for check_id, outcome in compiled.items():
        if not isinstance(outcome, RuleNotUnderstood) or not choices(outcome):
            continue
        terminal.ask(check_id, outcome, how="Its number, or an empty line for none:")
        number, offered = sys.stdin.readline().strip(), choices(outcome)
        if number.isdigit() and 1 <= int(number) <= len(offered):
            choose_reading(workspace, check_id, offered[int(number) - 1].sentence)
            answered |= workspace.compile([check_id], on_progress=terminal.progress)
    return answered
