"""The types of the columns that a compiled check depends on, as far as writing it for a peer needs them."""

from collections.abc import Mapping
from dataclasses import dataclass

from pandas_magic.catalog.table import Table
from pandas_magic.constraints import Expression, Moment, Now
from pandas_magic.constraints.algebra.tree import nodes
from pandas_magic.constraints.types.value_types import ValueType, type_of
from pandas_magic.errors import NoSuchName
from pandas_magic.peers.transfers import CannotSay

Schemas = Mapping[str, Mapping[str, str]]  # table -> column -> dtype


@dataclass(frozen=True)
class Types:
    """The types of expressions in one table."""

    table: str
    schemas: Schemas

    def of(self, expression: Expression) -> ValueType:
        """The type of the expression's values.

        Raises: CannotSay when the check was compiled without the column.
        """
        tables = {name: Table(name=name, columns=dict(columns)) for name, columns in self.schemas.items()}
        try:
            return type_of(expression, tables.get(self.table, Table(name=self.table, columns={})), tables)
        except NoSuchName as error:
            raise CannotSay(f"the type of a column is not known: {error}") from error

    def is_whole(self, *expressions: Expression) -> bool:
        """Whether all are whole numbers."""
        return all(self.of(expression).kind == "integer" for expression in expressions)

    def need(self, kind: str, expression: Expression) -> None:
        """Nothing when the expression is of that kind.

        Raises: CannotSay otherwise: values of no one type are judged one by one here, and otherwise there.
        """
        found = self.of(expression)
        if found.kind != kind:
            raise CannotSay(f"it needs {kind} values; the column is {found.dtype or found.kind}")

    def refuse_zones(self, *expressions: Expression) -> None:
        """Nothing when no moment has a time zone.

        Raises: CannotSay otherwise, since peers compare those in ways of their own.
        """
        for expression in expressions:
            if any(isinstance(part, Now) for part in nodes(expression)):
                raise CannotSay("it depends on the time of the run, which the file cannot name")
            if self.of(expression).zone is not None:
                raise CannotSay("it compares moments with a time zone")
            if any(isinstance(part, Moment) and len(part.iso) > 19 for part in nodes(expression)):
                raise CannotSay("it names a moment with a time zone or with fractions of a second")
