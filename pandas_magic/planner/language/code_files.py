"""What a file of pandas code checks, statement by statement, read from its text and never run."""

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from pandas_magic.catalog.table import Table
from pandas_magic.constraints import describe
from pandas_magic.errors import UsageMistake
from pandas_magic.planner.language.doors import read_by_doors

# What a frame is named that holds the rows that break a rule; of other filters nobody knows what they are for.
_FOUND = frozenset({"violations", "bad", "bad_rows", "invalid", "errors", "offenders", "failing", "wrong"})
_IN_PLACE = frozenset({"insert", "pop", "update"})


@dataclass(frozen=True)
class StatedCheck:
    """One check that code states: its line, its text, and the rule in canonical words, or why that cannot be told.

    `changed` are the lines before it that change the frame: then the rule is about what they left, not about the table.
    """

    line: int
    code: str
    rule: str = ""  # "": it cannot be told
    problem: str = ""  # one clause; "": it can
    changed: tuple[int, ...] = ()


def stated_checks(text: str, tables: Mapping[str, Table], *, target: str | None = None) -> list[StatedCheck]:
    """What the file asserts of the tables, in its order; `target` is the table where a frame has no table's name.

    Read are `assert`, `if …: raise`, and frames of broken rows (`violations = orders[…]`).

    Raises: UsageMistake when the text is no Python.
    """
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise UsageMistake(f"this is no Python: {error}") from error
    found = [code for node in ast.walk(tree) if (code := asserted(node)) is not None]
    changes, checks = list(_changes(tree)), []
    for code in sorted(found, key=lambda each: (each.lineno, each.col_offset)):
        frames, check = _frames(code), stated(code.lineno, code, tables, target)
        changed = sorted({at for name, at in changes if name in frames and at < check.line})
        checks.append(replace(check, changed=tuple(changed)))
    return checks


def asserted(node: ast.AST) -> ast.expr | None:
    """The condition that has to be true where the statement is passed without an error."""
    match node:
        case ast.Assert(test=test):
            return test
        case ast.If(test=test, body=[ast.Raise()], orelse=[]):
            return ast.copy_location(ast.UnaryOp(op=ast.Not(), operand=test), test)
        case ast.Assign(targets=[ast.Name(id=name)], value=ast.Subscript() as rows) if name in _FOUND:
            return ast.copy_location(ast.Attribute(value=rows, attr="empty", ctx=ast.Load()), rows)
    return None


def _changes(tree: ast.AST) -> Iterator[tuple[str, int]]:
    """Where a name is bound to what no file was read for, or changed in place: (name, line)."""
    for node in ast.walk(tree):
        match node:
            case ast.Assign(targets=targets, value=value):
                for each in targets:
                    if not (isinstance(each, ast.Name) and _is_reading(value)):
                        yield _root(each), node.lineno
            case ast.AugAssign(target=target) | ast.For(target=target):
                yield _root(target), node.lineno
            case ast.Delete(targets=targets):
                yield from ((_root(each), node.lineno) for each in targets)
            case ast.Call(func=ast.Attribute(value=of, attr=method), keywords=keywords):
                if method in _IN_PLACE or any(each.arg == "inplace" for each in keywords):
                    yield _root(of), node.lineno


def _is_reading(value: ast.expr) -> bool:
    return isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute) and value.func.attr.startswith("read_")


def _root(node: ast.AST) -> str:
    while isinstance(node, ast.Attribute | ast.Subscript | ast.Call):
        node = node.func if isinstance(node, ast.Call) else node.value
    return node.id if isinstance(node, ast.Name) else ""


def stated(line: int, code: ast.expr, tables: Mapping[str, Table], target: str | None) -> StatedCheck:
    """What the condition asserts of the table that it names, or of `target`."""
    said = ast.unparse(code)
    meant = next((name for name in _frames(code) if name in tables), target)
    if meant is None:
        return StatedCheck(line, said, problem="it names no table; say which one it is about: --table NAME")
    answer = read_by_doors(said, tables, target=meant)
    if answer is None or answer.constraint is None:
        return StatedCheck(line, said, problem=answer.problem if answer else "no rule says this")
    if answer.doubts:
        return StatedCheck(line, said, problem="; ".join(answer.doubts))
    return StatedCheck(line, said, rule=describe(answer.constraint))


def _frames(code: ast.expr) -> list[str]:
    return [_root(node) for node in ast.walk(code) if isinstance(node, ast.Attribute | ast.Subscript)]
