"""A step of an exploration that raised, the function of ours in which it did, and another version in its place."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from textwrap import dedent, indent
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pandas_magic.explore.delivery import ConfinedExplorer
    from pandas_magic.explore.explorer_answer import Problem

_FRAME = re.compile(r'^ *File "<(?P<module>[\w.]+)>", line (?P<line>\d+), in ', re.MULTILINE)
_DOOR = "entry"  # it only hands over what others found


@dataclass(frozen=True)
class FailedStep:
    """A step that raised: its name, why, and the sources that ran.

    `attempt` runs the step in an explorer of the person's table and gives what is wrong with it, "" for nothing.
    """

    name: str
    probe: str  # "": the report itself
    problem: Problem
    sources: Mapping[str, str]
    deadline: float  # by time.monotonic
    attempt: Callable[[ConfinedExplorer], str]


@dataclass(frozen=True)
class FailedFunction:
    """A function or method of a module that runs in the sandbox: its text, and the lines where it stands."""

    module: str
    name: str
    text: str
    first: int
    last: int

    def within(self, sources: Mapping[str, str], code: str) -> dict[str, str]:
        """The sources with this code in the function's place."""
        lines = sources[self.module].splitlines()
        before = lines[self.first - 1]
        margin = before[: len(before) - len(before.lstrip())]
        lines[self.first - 1 : self.last] = indent(code, margin).splitlines()
        return {**sources, self.module: "\n".join(lines) + "\n"}

    def made_to_raise(self) -> str:
        """The function with nothing in it but an error."""
        found = _only_function(self.text)
        assert found is not None
        found.body = ast.parse('raise RuntimeError("made to raise")').body
        return ast.unparse(found)

    def misfit(self, code: str) -> str:
        """Why the code cannot stand in the function's place, whatever it does; "" when it can."""
        ours, theirs = _only_function(self.text), _only_function(code)
        assert ours is not None
        if theirs is None or theirs.decorator_list:
            return f"the code must be the function {self.name} and nothing else"
        if theirs.name != self.name or ast.dump(theirs.args) != ast.dump(ours.args):
            return f"the function must keep its name and its parameters: {ast.unparse(ours).splitlines()[0]}"
        return ""


def failed_function(trace: str, sources: Mapping[str, str]) -> FailedFunction | None:
    """The innermost function of the sources in the trace of an error; None where there is none to write anew."""
    frames = [(match["module"], int(match["line"])) for match in _FRAME.finditer(trace) if match["module"] in sources]
    if not frames or frames[-1][0].endswith(f".{_DOOR}"):
        return None
    module, line = frames[-1]
    for node in _functions(ast.parse(sources[module])):
        last = node.end_lineno or node.lineno
        if node.lineno <= line <= last:
            lines = sources[module].splitlines()[node.lineno - 1 : last]
            return FailedFunction(module, node.name, dedent("\n".join(lines)), node.lineno, last)
    return None


def _functions(tree: ast.Module) -> Iterator[ast.FunctionDef]:
    """Functions of the module and methods of its classes; those inside of others belong to them."""
    for node in tree.body:
        inner = node.body if isinstance(node, ast.ClassDef) else [node]
        yield from (each for each in inner if isinstance(each, ast.FunctionDef))


def _only_function(code: str) -> ast.FunctionDef | None:
    try:
        body = ast.parse(code).body
    except SyntaxError:
        return None
    return body[0] if len(body) == 1 and isinstance(body[0], ast.FunctionDef) else None
