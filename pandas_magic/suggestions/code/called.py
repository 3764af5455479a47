"""A call in code as it stands: its arguments, and what is done with what it gives back."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from pandas_magic.constraints import Constraint
from pandas_magic.suggestions.code.frames import Bindings
from pandas_magic.suggestions.code.literals import text_of

# A rule that is taken for granted, what becomes of the rows that break it, and how much that is, from 1 to 3.
Rules = Iterator[tuple[Constraint | None, str, int]]


@dataclass(frozen=True)
class Called:
    """A call as it stands: its arguments, and what is done with what it gives back."""

    names: Bindings
    call: ast.Call
    around: tuple[ast.AST, ...]  # from the nearest outwards

    @property
    def given(self) -> Mapping[str | int, ast.expr]:
        """The arguments by name, those without one by number."""
        by_number: dict[str | int, ast.expr] = dict(enumerate(self.call.args))
        return by_number | {each.arg: each.value for each in self.call.keywords if each.arg}

    def text(self, *names: str | int) -> str | None:
        """The first of the arguments that is written there as a text."""
        return next((said for name in names if (said := text_of(self.given.get(name))) is not None), None)

    def value(self, name: str | int) -> Any:  # noqa: ANN401 - whatever is written there
        """An argument that is written out; None when it is not there or computed."""
        return self.names.literals.value(self.given.get(name))

    def goes_into(self, *methods: str) -> bool:
        """Whether one of the methods, or an attribute, is asked of what it gives back."""
        return any(isinstance(each, ast.Attribute) and each.attr in methods for each in self.around[:3])
