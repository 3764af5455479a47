"""Texts, lists and dictionaries that code writes out, and the names that it gives them."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from typing import Any


def text_of(node: ast.AST | None) -> str | None:
    """The text that is written there; None when it is no text."""
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def texts_of(node: ast.AST | None) -> tuple[str, ...] | None:
    """The texts of a list that is written there, or the one text; None when it is neither."""
    if (one := text_of(node)) is not None:
        return (one,)
    if not isinstance(node, ast.List | ast.Tuple | ast.Set):
        return None
    found = [text for each in node.elts if (text := text_of(each)) is not None]
    return tuple(found) if len(found) == len(node.elts) else None


@dataclass
class Literals:
    """The lists and dictionaries that names are bound to."""

    by_name: dict[str, Any] = field(default_factory=dict)

    def bind(self, name: str, node: ast.AST) -> None:
        """Take note of what the name is bound to now."""
        self.by_name.pop(name, None)
        value = self.value(node)
        if isinstance(value, dict | list | tuple | set):
            self.by_name[name] = value

    def value(self, node: ast.AST | None) -> Any:  # noqa: ANN401 - whatever is written there
        """What is written there, or under that name; None when it is not written out."""
        if isinstance(node, ast.Name):
            return self.by_name.get(node.id)
        try:
            return ast.literal_eval(node) if isinstance(node, ast.expr) else None
        except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
            return None

    def mapping(self, node: ast.AST | None) -> dict[Any, Any]:
        """The dictionary that is written there; empty when none is. Values that are computed are None."""
        if isinstance(node, ast.Dict):
            keys = [self.value(key) for key in node.keys]
            known = all(isinstance(key, str | int | float | bool) for key in keys)
            return dict(zip(keys, map(self.value, node.values), strict=True)) if known else {}
        found = self.value(node)
        return found if isinstance(found, dict) else {}
