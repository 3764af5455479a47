"""The state of rendering one rule: the tables, the names bound so far, the statements written so far."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pandas_magic.constraints.algebra.conditions import Condition
from pandas_magic.constraints.algebra.expressions import Expression
from pandas_magic.constraints.code.python_text import Code, assignment, identifier, identifiers, literal, selection
from pandas_magic.constraints.types.value_types import ValueType, table_named, type_of

if TYPE_CHECKING:
    from pandas_magic.catalog.table import Table


@dataclass(frozen=True)
class At:
    """Where an expression is rendered: its table, and the Python name of the frame that holds those rows."""

    table: Table
    frame: str

    def column(self, name: str) -> Code:
        """The frame's column."""
        return Code(f"{self.frame}[{literal(name)}]")


@dataclass
class Writer:
    """Renders the parts of one rule, which call each other through it.

    `render_value` and `render_mask` are the two halves of the renderer; the mask is true in the rows in which a
    condition is true (`truth=True`) or false (`truth=False`), and never in those in which it is unknown.
    """

    tables: Mapping[str, Table]
    render_value: Callable[[Writer, Expression, At, ValueType | None], Code]
    render_mask: Callable[[Writer, Condition, At, bool], Code]
    statements: list[str] = field(default_factory=list)
    # The statistics of a rule about a whole table, by their words; None while rendering a rule about rows.
    statistics: dict[str, Code] | None = None
    _bound: dict[str, str] = field(default_factory=dict)
    _names: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._names = identifiers(self.tables)

    def whole(self, table: str) -> At:
        """All rows of a table.

        Raises: NoSuchName when there is no such table.
        """
        return At(table_named(self.tables, table), self._names.get(table, table))

    def value(self, expression: Expression, at: At, beside: ValueType | None = None) -> Code:
        """The expression's values, fit to stand beside a value of the other type."""
        return self.render_value(self, expression, at, beside)

    def mask(self, condition: Condition, at: At, truth: bool) -> Code:
        """The rows in which the condition is true, or is false."""
        return self.render_mask(self, condition, at, truth)

    def type_of(self, expression: Expression, at: At) -> ValueType:
        """The type of the expression's values."""
        return type_of(expression, at.table, self.tables)

    def bind(self, stem: str, code: Code) -> Code:
        """A name for the code's value; the same name again for the same code."""
        if code.text not in self._bound:
            name = self._free_name(re.sub(r"_+", "_", identifier(stem)).strip("_") or "value")
            self.statements.append(assignment(name, code))
            self._bound[code.text] = name
        return Code(self._bound[code.text], scalar=code.scalar)

    def bind_in_steps(self, stem: str, code: Code, *steps: str) -> Code:
        """As `bind`, with statements that make more of the value; `{name}` stands for its name in them."""
        whole = "; ".join((code.text, *steps))
        if whole not in self._bound:
            name = self._free_name(stem)
            self.statements += [assignment(name, code), *(step.format(name=name) for step in steps)]
            self._bound[whole] = name
        return Code(self._bound[whole])

    def _free_name(self, stem: str) -> str:
        taken = {*self._names.values(), *self._bound.values(), "pd", "np", "now", "utc_now", "violations", "found"}
        number = 1
        while (name := stem if number == 1 else f"{stem}_{number}") in taken:
            number += 1
        return name

    def chosen(self, where: Condition | None, at: At) -> At:
        """The rows in which the condition is true, under a name of their own; `at` itself without one."""
        if where is None:
            return at
        mask = self.mask(where, at, True)
        whole = f"{at.frame}[{mask.text}]"
        if whole not in self._bound:
            name = self._free_name(f"chosen_{at.frame}")
            self.statements.append(selection(name, at.frame, mask))
            self._bound[whole] = name
        return At(at.table, self._bound[whole])
