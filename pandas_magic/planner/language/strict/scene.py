"""What a sentence is read against: its words, what they name, and how the tables hang together."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from pandas_magic.catalog.table import TIME_OF_DAY, Table
from pandas_magic.constraints import (
    All,
    Any_,
    Column,
    Compare,
    Condition,
    Expression,
    Lookup,
    Moment,
    Not,
    Now,
    OneOf,
    Present,
    Span,
    Value,
)
from pandas_magic.constraints.algebra.expressions import Join
from pandas_magic.constraints.types.value_types import ValueType, type_of
from pandas_magic.errors import NoSuchName
from pandas_magic.planner.language.linking import Linked
from pandas_magic.planner.language.linking.schema_index import SchemaNames
from pandas_magic.planner.language.linking.spans import PART
from pandas_magic.planner.language.strict.logic import EVERY_ROW

NUMBERS = ("integer", "number")  # the kinds of values that can be reckoned with


@dataclass(frozen=True)
class Kin:
    """Rows of another table that the row at hand refers to, or that refer to it."""

    join: Join
    where: Condition = EVERY_ROW
    refers: bool = False  # True: the row at hand refers to it, so there is one at most


@dataclass(frozen=True)
class KinColumn:
    """A column of rows that refer to the row at hand."""

    join: Join
    of: Expression


@dataclass(frozen=True)
class Of:
    """An expression, in those rows of the table in which `where` is true."""

    of: Expression
    where: Condition = EVERY_ROW


@dataclass(frozen=True)
class Claim:
    """In the rows in which `where` is true, `must` has to hold."""

    where: Condition
    must: Condition


class Clock(Span):
    """A time of day that the rule names: how long it is since midnight, and no other length of time."""

    @property
    def seconds(self) -> float:
        """How many seconds it is since midnight."""
        return self.amount * (60 if self.unit == "minutes" else 1)


class About(NamedTuple):
    """What a part is read about: the table whose rows are judged, and the expression of which something is said."""

    table: str
    subject: Expression | None = None
    scene: "SpokenRule | None" = None  # None: for words that name no data

    @property
    def tables(self) -> Mapping[str, Table]:
        """The tables of the sentence."""
        assert self.scene is not None
        return self.scene.tables

    @property
    def names(self) -> SchemaNames:
        """What the tables and columns are called."""
        assert self.scene is not None
        return self.scene.linked.names

    @property
    def joins(self) -> tuple[tuple[str, Join], ...]:
        """How rows refer to rows of other tables."""
        assert self.scene is not None
        return self.scene.joins

    def kind(self, of: Expression | None) -> str:
        """The kind of the expression's values in the table; "" where a name in it is of another table."""
        found = self.scene.type_of(of, self.table) if self.scene is not None and of is not None else None
        return found.kind if found is not None else ""

    def is_time_of_day(self, of: Expression) -> bool:
        """Whether the values are times of the day, and no other lengths of time."""
        found = self.scene.type_of(of, self.table) if self.scene is not None else None
        return found is not None and found.dtype == TIME_OF_DAY

    def holds_times(self, of: Expression) -> bool:
        """Whether it is a column of objects of time, that are not taken for the times that they are."""
        return isinstance(of, Column) and self.kind(of) == "mixed" and self.names.is_time(self.table, of.name)

    def has_clock(self, of: Expression) -> bool:
        """Whether the values are moments, some of them with a time of day."""
        table, column = (of.join.table, of.of) if isinstance(of, Lookup) else (self.table, of)
        return isinstance(column, Column) and column.name in self.tables[table].moments

    def has_times(self, of: Expression) -> bool:
        """Whether it can be said of the values at what time of day they are."""
        return self.has_clock(of) or self.is_time_of_day(of)


class SpokenRule:
    """The linked sentence and its tables. Two scenes are never the same.

    `widest` is how loosely a column may be named: what words only hint at is for questions.
    """

    def __init__(self, linked: Linked, widest: int = PART) -> None:
        self.linked, self.widest = linked, widest
        self.tables: Mapping[str, Table] = linked.tables

    @cached_property
    def joins(self) -> tuple[tuple[str, Join], ...]:
        """How rows refer to rows of other tables: the referring table, and the join to the other."""
        references = self.linked.names.references
        return tuple(
            (table, Join(columns=(link.column,), table=link.parent, keys=(link.key,)))
            for table in self.tables
            for link in references.links(table)
        )

    def up(self, table: str, parent: str) -> tuple[Join, ...]:
        """How rows of the table refer to rows of the parent."""
        plain = tuple(join for own, join in self.joins if own == table and join.table == parent)
        return plain or tuple(
            Join(columns=(role.column,), table=parent, keys=(role.key,))
            for role in self.linked.names.references.roles(table)
            if role.parent == parent and parent != table
        )

    def down(self, table: str, child: str) -> tuple[Join, ...]:
        """How rows of the child are found that refer to rows of the table."""
        return tuple(Join(columns=join.keys, table=child, keys=join.columns) for join in self.up(child, table))

    def type_of(self, expression: Expression, table: str) -> ValueType | None:
        """The type of the expression's values; None where a name in it is of another table."""
        try:
            return type_of(expression, self.tables[table], self.tables)
        except NoSuchName:
            return None


def looked_up(join: Join, condition: Condition) -> Condition | None:
    """The condition on the row referred to, as one on values looked up there; None where that cannot be said."""
    match condition:
        case All(conditions=parts) | Any_(conditions=parts):
            found = [looked_up(join, part) for part in parts]
            if any(part is None for part in found):
                return None
            return condition.model_copy(update={"conditions": tuple(found)})
        case Compare(left=Column() as left, right=Value() | Moment() | Now()):
            return condition.model_copy(update={"left": Lookup(join=join, of=left)})
        case OneOf(of=Column() as of) | Present(of=Column() as of):
            return condition.model_copy(update={"of": Lookup(join=join, of=of)})
        case Not(condition=inner):
            told = looked_up(join, inner)
            return Not(condition=told) if told is not None else None
    return None
