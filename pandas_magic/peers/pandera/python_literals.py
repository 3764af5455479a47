"""Literals in the syntax tree of a module that is never run."""

import ast
import datetime
from typing import Any

from pandas_magic.peers.transfers import CannotRead

_MOMENTS = frozenset({"Timestamp", "to_datetime", "datetime", "date"})
_LONGEST = 80  # characters of what is quoted in a message


def literal(node: ast.expr) -> Any:  # noqa: ANN401 - whatever a literal holds
    """The value that is written out: a literal, or a moment such as `pd.Timestamp("2026-01-31")`.

    Raises: CannotRead for names, calls and anything else that would have to be run.
    """
    if isinstance(node, ast.Call) and last_name(node.func) in _MOMENTS and not node.keywords:
        return _moment(node)
    if isinstance(node, (ast.List, ast.Tuple, ast.Set)):
        return [literal(one) for one in node.elts]
    try:
        return ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError) as error:
        raise CannotRead("it is not written out as a literal, and nothing is run") from error


def _moment(node: ast.Call) -> str:
    values = [literal(one) for one in node.args]
    if len(values) == 1 and isinstance(values[0], str):
        return values[0]
    try:
        found = datetime.datetime(*values) if len(values) > 3 else datetime.date(*values)
    except (TypeError, ValueError) as error:
        raise CannotRead(f"{text_of(node)} is no moment") from error
    return found.isoformat()


def last_name(node: ast.AST) -> str:
    """The last part of a dotted name: "Column" of `pa.Column`; empty for anything else."""
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def place(node: ast.AST) -> str:
    """Where the node stands."""
    return f"line {getattr(node, 'lineno', 1)}"


def text_of(node: ast.AST) -> str:
    """The node as Python, shortened."""
    text = ast.unparse(node)
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"


def source_of(function: ast.FunctionDef) -> str:
    """The function as Python in one canonical form."""
    return ast.unparse(function)
