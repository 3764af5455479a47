"""The typed form of a rule: about each row, about a whole table, or about a table's columns."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Annotated, Literal

from pydantic import Field, TypeAdapter

from pandas_magic.constraints.algebra.conditions import Condition
from pandas_magic.record import Record


class Tolerance(Record):
    """How many violating rows the rule accepts: a number of rows, or a share (0 to 1) of the rows in scope."""

    max_rows: int | None = None
    max_share: float | None = None


class RowRule(Record):
    """In every row of `table` in which `where` is true, `must` has to hold.

    A violation is a row of `table` in which `where` is true and `must` is false.
    """

    shape: Literal["rows"] = "rows"
    table: str
    where: Condition | None = None  # None: every row
    must: Condition
    tolerance: Tolerance | None = None  # None: no violation is accepted


class TableRule(Record):
    """A condition on statistics of whole tables. A violation is one row that shows the statistics found."""

    shape: Literal["table"] = "table"
    table: str
    must: Condition


class ColumnsRule(Record):
    """What columns a table has. A violation is one row for each column at fault."""

    shape: Literal["columns"] = "columns"
    table: str
    required: tuple[str, ...] = ()
    forbidden: tuple[str, ...] = ()
    only: bool = False  # True: no columns but the required ones
    ordered: bool = False  # True: the required ones stand in this order
    types: dict[str, Literal["integer", "number", "text", "boolean", "datetime"]] = Field(default_factory=dict)


Constraint = Annotated[RowRule | TableRule | ColumnsRule, Field(discriminator="shape")]


def constraint_from(content: object) -> Constraint:
    """The constraint that the content describes, as a record gives it. Raises: pydantic.ValidationError."""
    return _reader().validate_python(content)


@cache
def _reader() -> TypeAdapter[Constraint]:
    return TypeAdapter(Constraint)


def about_table(constraint: Constraint, old: str, new: str) -> Constraint:
    """The same rule with another name for one of its tables, wherever it is named."""
    return constraint_from(_renamed(constraint.model_dump(), old, new))


def _renamed(node: object, old: str, new: str) -> object:
    if isinstance(node, Mapping):
        return {key: new if (key, each) == ("table", old) else _renamed(each, old, new) for key, each in node.items()}
    return [_renamed(each, old, new) for each in node] if isinstance(node, list | tuple) else node
