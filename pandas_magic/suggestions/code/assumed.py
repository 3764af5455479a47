"""One thing that a line of code takes for granted of a table."""

from __future__ import annotations

from dataclasses import dataclass

from pandas_magic.constraints import Column, Compare, Condition, Constraint, Present, Unique, Value
from pandas_magic.suggestions.code.frames import Frame


@dataclass(frozen=True)
class Assumption:
    """A rule that code takes for granted, and what becomes of the rows that break it. `line` counts from 1.

    `rule` is None where what is taken for granted cannot be told; `because` then says why.
    """

    line: int
    code: str
    rule: Constraint | None
    because: str
    weight: int = 1  # of 0 to 3: how much is lost where it does not hold


def unique(frame: Frame, *columns: str) -> Constraint | None:
    """The rule that no two rows have the same values; None for rows that nobody can tell."""
    return frame.rule(Unique(by=tuple(Column(name=name) for name in columns)))


def present(frame: Frame, column: str) -> Constraint | None:
    """The rule that there is a value; None where only rows with one are left."""
    return None if frame.is_known(column) else frame.rule(Present(of=Column(name=column)))


def compared(column: str, relation: str, number: float) -> Condition:
    """The comparison of a column with a number."""
    return Compare.model_validate({"relation": relation, "left": Column(name=column), "right": Value(value=number)})
