"""What type of value an expression has in a table, as far as the tables' dtypes tell."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from pandas_magic.constraints.algebra.expressions import (
    Absolute,
    Aggregate,
    Arithmetic,
    Column,
    DatePart,
    Expression,
    Folded,
    Group,
    Lookup,
    Moment,
    Now,
    Previous,
    ReadAs,
    Rollup,
    Span,
    TextLength,
    Value,
)
from pandas_magic.errors import NoSuchName

if TYPE_CHECKING:
    from pandas_magic.catalog.table import Table, ValueKind

_NUMPY = re.compile(r"(u?int\d+|float\d+|bool|datetime64\[.*|timedelta64\[.*|object|str)")
_NARROW = re.compile(r"(?i)u?int(8|16|32)(\[pyarrow\])?|float(16|32)|(half)?float\[pyarrow\]")


@dataclass(frozen=True)
class ValueType:
    """The kind of a value, the dtype of the column that it stands in, and its time zone.

    `dtype` is empty for literals and for computed values of no particular dtype. `zone` is None for naive moments, the
    zone's name for a column, "" for an aware moment that the rule names, `ANY_ZONE` for the time of the run.
    """

    kind: ValueKind
    dtype: str = ""
    zone: str | None = None
    literal: bool = False

    @property
    def is_number(self) -> bool:
        """Whether arithmetic with numbers is possible."""
        return self.kind in ("integer", "number")

    @property
    def is_category(self) -> bool:
        """Whether the values stand in a pandas categorical column."""
        return self.dtype.startswith("category")

    @property
    def is_decimal(self) -> bool:
        """Whether the values are decimals of Arrow."""
        return self.dtype.startswith("decimal")

    @property
    def is_ordered(self) -> bool:
        """Whether the values have an order of their own, which is none of texts or numbers."""
        return self.dtype == "category (ordered)"

    @property
    def is_numpy(self) -> bool:
        """Whether comparing gives a plain mask, in which nothing is missing."""
        return not self.dtype or _NUMPY.fullmatch(self.dtype) is not None

    @property
    def is_narrow(self) -> bool:
        """Whether arithmetic in the column's own dtype would overflow early or, unsigned, below zero."""
        return _NARROW.fullmatch(self.dtype) is not None

    @property
    def is_date32(self) -> bool:
        """Whether the column holds Arrow days, which do not compare with moments."""
        return re.match(r"date\d", self.dtype) is not None


INTEGER, NUMBER = ValueType("integer"), ValueType("number")
ANY_ZONE = "*"
_READ_AS: dict[str, ValueKind] = {"date": "datetime", "number": "number", "time": "duration"}


def column_type(table: Table, name: str) -> ValueType:
    """The type of a column.

    Raises: NoSuchName when the table has no such column.
    """
    kind = table.kind(name)
    dtype = table.columns[name]
    zoned = re.fullmatch(r"(?:datetime64|timestamp)\[\w+, (?:tz=)?([^\]]+)\](?:\[pyarrow\])?", dtype)
    return ValueType(kind, dtype, zoned[1] if zoned else None)


def table_named(tables: Mapping[str, Table], name: str) -> Table:
    """The table.

    Raises: NoSuchName when there is none of that name.
    """
    if name not in tables:
        raise NoSuchName("table", name, tables)
    return tables[name]


def type_of(expression: Expression, table: Table, tables: Mapping[str, Table]) -> ValueType:
    """The type of the expression's values in `table`.

    Raises: NoSuchName for a table or column that does not exist.
    """
    match expression:
        case Column(name=name):
            return column_type(table, name)
        case Value() | Moment() | Now() | Span():
            return literal_type(expression)
        case Arithmetic(left=left, right=right, sign=sign):
            return _arithmetic_type(sign, type_of(left, table, tables), type_of(right, table, tables))
        case Absolute() | TextLength() | Folded() | DatePart():
            return _derived_type(expression, type_of(expression.of, table, tables))
        case ReadAs(type=kind):
            return ValueType(_READ_AS[kind])
        case Previous(of=of):
            return _nullable(type_of(of, table, tables))
        case Lookup(join=join, of=of):
            return _nullable(type_of(of, table_named(tables, join.table), tables))
        case Rollup() | Group() | Aggregate():
            return _statistic_type(expression, table, tables)
    return NUMBER if expression.node == "share" else INTEGER


def literal_type(literal: Value | Moment | Now | Span) -> ValueType:
    """The type of what a rule names."""
    if isinstance(literal, Moment):
        return ValueType("datetime", zone="" if has_offset(literal) else None, literal=True)
    if isinstance(literal, Now):
        return ValueType("datetime", zone=ANY_ZONE, literal=True)
    if isinstance(literal, Span):
        return ValueType("duration", literal=True)
    kinds: dict[type, ValueKind] = {bool: "boolean", int: "integer", float: "number", str: "text"}
    return ValueType(kinds[type(literal.value)], literal=True)


def _derived_type(expression: Absolute | TextLength | Folded | DatePart, of: ValueType) -> ValueType:
    """A computed column stays nullable where that of which it is computed was."""
    match expression:
        case Absolute():
            return replace(of, literal=False)
        case Folded():
            return ValueType("text", "" if of.is_numpy else of.dtype)
        case DatePart(part="time"):
            return ValueType("duration")
        case DatePart(part="date"):
            return ValueType("datetime", "" if of.is_numpy else of.dtype, of.zone)
    week = isinstance(expression, DatePart) and expression.part == "week"
    return ValueType("integer", "" if of.is_numpy and not week else "Int64")


def has_offset(moment: Moment) -> bool:
    """Whether the moment says its own distance from UTC."""
    return re.search(r"[T ].*(Z|[+-]\d\d:?\d\d)$", moment.iso) is not None


def _arithmetic_type(sign: str, left: ValueType, right: ValueType) -> ValueType:
    kinds = (left.kind, right.kind)
    if "datetime" in kinds:
        zone = left.zone if left.kind == "datetime" else right.zone
        return ValueType("duration") if kinds == ("datetime", "datetime") else ValueType("datetime", zone=zone)
    if "duration" in kinds:
        return NUMBER if kinds == ("duration", "duration") and sign == "/" else ValueType("duration")
    # Columns of no one type are read as nullable numbers.
    dtypes = ("Float64" if side.kind == "mixed" else side.dtype for side in (left, right))
    dtype = next((dtype for dtype in dtypes if not ValueType("number", dtype).is_numpy), "")
    whole = kinds == ("integer", "integer") and sign != "/"
    return ValueType("integer" if whole else "number", dtype if not whole or not dtype else "Int64")


def _statistic_type(of: Rollup | Group | Aggregate, table: Table, tables: Mapping[str, Table]) -> ValueType:
    if of.statistic in ("count", "distinct") or of.of is None:
        return INTEGER
    if isinstance(of, Rollup):
        table = table_named(tables, of.join.table)
    found = type_of(of.of, table_named(tables, of.table) if isinstance(of, Aggregate) else table, tables)
    if of.statistic in ("min", "max") and isinstance(of, Rollup):
        return _nullable(found)
    if of.statistic in ("sum", "min", "max") or found.kind in ("datetime", "duration"):
        return INTEGER if found.kind == "boolean" else replace(found, literal=False)
    return NUMBER if found.is_numpy or found.kind == "number" else ValueType("number", "Float64")


def _nullable(found: ValueType) -> ValueType:
    # Looked-up whole numbers and truth values may be missing, so they are kept in pandas' nullable dtypes.
    dtypes = {"integer": "Int64", "boolean": "boolean"}
    return replace(found, dtype=dtypes.get(found.kind, found.dtype), literal=False)


def kind_words(found: ValueType) -> str:
    """What the value is, for people: "text", "a whole number", "a date"."""
    words = {
        "integer": "a whole number",
        "number": "a number",
        "text": "text",
        "boolean": "true or false",
        "datetime": "a date",
        "duration": "a length of time",
        "mixed": "values of no one type",
    }
    return words[found.kind] + (f" ({found.dtype})" if found.dtype else "")
