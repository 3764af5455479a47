"""Conditions: true, false or unknown in each row, with the logic of SQL.

A comparison with a missing value is unknown. `All` is false when any part is false, `Any` is true when any part is
true, `Not` of unknown is unknown. A rule flags the rows in which its condition is *false*; unknown is not flagged.
"""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from pandas_magic.constraints.algebra.expressions import Expression, Value
from pandas_magic.constraints.algebra.folding import folded_as, folded_value, lower_case
from pandas_magic.record import Record

Relation = Literal["==", "!=", "<", "<=", ">", ">="]
OPPOSITE: dict[Relation, Relation] = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
# What is said of the right side: a < b is b > a.
MIRRORED: dict[Relation, Relation] = {"==": "==", "!=": "!=", "<": ">", ">": "<", "<=": ">=", ">=": "<="}
ParsedType = Literal["integer", "number", "date", "boolean", "text"]


class Present(Record):
    """The value is not missing (None, NaN, NaT, NA). Never unknown. An empty text is present."""

    node: Literal["present"] = "present"
    of: Expression


class Compare(Record):
    """One value stands in a relation to another."""

    node: Literal["compare"] = "compare"
    relation: Relation
    left: Expression
    right: Expression
    within: float | None = None  # tolerance of == and !=, in the values' unit; None: exact

    @model_validator(mode="after")
    def _fold_alike(self) -> Self:
        if isinstance(self.left, Value) or isinstance(self.right, Value):
            self.__dict__.update(left=folded_value(self.left, self.right), right=folded_value(self.right, self.left))
        return self


class OneOf(Record):
    """The value is among those listed."""

    node: Literal["one_of"] = "one_of"
    of: Expression
    values: tuple[bool | int | float | str, ...]

    @model_validator(mode="after")
    def _fold_alike(self) -> Self:
        self.__dict__["values"] = tuple(folded_as(value, self.of) for value in self.values)
        return self


class Matches(Record):
    """The whole text matches the regular expression (RE2 syntax, so that no pattern can run away)."""

    node: Literal["matches"] = "matches"
    of: Expression
    pattern: str
    format: str | None = None  # the name of a known format ("email address"); None: the pattern speaks for itself


class HasText(Record):
    """The text starts with, ends with or contains another text."""

    node: Literal["has_text"] = "has_text"
    of: Expression
    where: Literal["start", "end", "anywhere"]
    text: str
    ignore_case: bool = False

    @model_validator(mode="after")
    def _fold_alike(self) -> Self:
        text = str(folded_as(self.text, self.of))
        self.__dict__["text"] = lower_case(text) if self.ignore_case else text
        return self


class Parses(Record):
    """The value can be read as the type."""

    node: Literal["parses"] = "parses"
    of: Expression
    type: ParsedType


class Unique(Record):
    """No other row in the rule's scope has the same values. Unknown when one of them is missing.

    With `missing_equal` two missing values are the same value, and it is never unknown (duplicates of whole rows).
    """

    node: Literal["unique"] = "unique"
    by: tuple[Expression, ...]
    missing_equal: bool = False


class Exists(Record):
    """Another table has a row with these values under `keys` (and in which `where` is true).

    Unknown when one of the values is missing. A missing key matches nothing.
    """

    node: Literal["exists"] = "exists"
    of: tuple[Expression, ...]
    table: str
    keys: tuple[str, ...]
    where: Condition | None = None  # None: any row


class All(Record):
    """Every condition holds."""

    node: Literal["all"] = "all"
    conditions: tuple[Condition, ...]


class Any_(Record):
    """At least one condition holds."""

    node: Literal["any"] = "any"
    conditions: tuple[Condition, ...]


class Not(Record):
    """The condition does not hold."""

    node: Literal["not"] = "not"
    condition: Condition


Condition = Annotated[
    Present | Compare | OneOf | Matches | HasText | Parses | Unique | Exists | All | Any_ | Not,
    Field(discriminator="node"),
]
