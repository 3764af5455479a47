"""What nearly canonical words mean on given tables: keys, days, ages and dates as these have them.

Who says "the rate of groups by group" means the column that refers to a group, and the key of a group.
"""

import re
from collections.abc import Mapping
from typing import TypeGuard, TypeVar, cast

from pandas_magic.catalog.table import Table
from pandas_magic.constraints import check_types, reads
from pandas_magic.constraints.algebra.conditions import Compare, Exists, OneOf
from pandas_magic.constraints.algebra.expressions import (
    Aggregate,
    Arithmetic,
    Column,
    DatePart,
    Expression,
    Join,
    Lookup,
    Moment,
    Now,
    Rollup,
    Share,
    Span,
    Value,
)
from pandas_magic.constraints.algebra.rules import ColumnsRule, Constraint
from pandas_magic.constraints.types.value_types import type_of
from pandas_magic.errors import NoSuchName
from pandas_magic.planner.language.canonical import read_canonical
from pandas_magic.planner.language.guards.nodes_needed import each, every_node
from pandas_magic.planner.language.linking.linker import names_of
from pandas_magic.planner.language.linking.references import References
from pandas_magic.planner.language.linking.spelled_out import spelled_out
from pandas_magic.planner.language.linking.tokens import NAMED_PARTS
from pandas_magic.planner.language.linking.words import name_words
from pandas_magic.planner.language.strict.by_content import of_texts
from pandas_magic.record import Record

_Node = TypeVar("_Node", bound=Record)
_Plain = bool | int | float | str
_ISO = re.compile(r"\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d)?)?")
_UNEQUALLY_LONG = ("months", "years")


def nearly_canonical(rule: str, tables: Mapping[str, Table]) -> Constraint | None:
    """What nearly canonical words say, as the tables have it; None where these are other words, or leave it open."""
    constraint = read_canonical(rule, nearly=True)
    if constraint is None or not tables.keys() >= reads(constraint).keys() or _has_clock_as_column(constraint, tables):
        return None
    if not isinstance(constraint, ColumnsRule):
        fitting = _Fitting(names_of(tables).references)
        try:
            constraint = fitting.fit(constraint, constraint.table)
            if _is_open(constraint, tables):
                constraint = fitting.fit(of_texts(constraint, tables), constraint.table)
        except NoSuchName:
            return None
    return None if _is_open(constraint, tables) else constraint


def _has_clock_as_column(constraint: Constraint, tables: Mapping[str, Table]) -> bool:
    """Whether the rule looks at the clock where a column is called "now" or "today"."""
    clock = {"today" if node.midnight else "now" for node in each(constraint, Now)}
    return any(clock & {column.lower() for column in tables[name].columns} for name in reads(constraint))


def _is_open(constraint: Constraint, tables: Mapping[str, Table]) -> bool:
    """Whether its types do not fit, or it puts texts that are numbers or dates in order as texts: '30' before '5'."""
    return bool(check_types(constraint, tables)) or (
        any(isinstance(node, Compare) and node.relation not in ("==", "!=") for node in every_node(constraint))
        and of_texts(constraint, tables) != constraint
    )


class _Fitting:
    def __init__(self, references: References) -> None:
        self.references, self.tables = references, references.tables

    def fit(self, node: _Node, table: str) -> _Node:
        """The node, which is computed in the table, with all that is inside it."""
        there = table
        if isinstance(node, (Lookup, Rollup)):
            join = self._joined(node, table)
            node, there = cast(_Node, node.model_copy(update={"join": join})), join.table
        elif isinstance(node, (Aggregate, Share, Exists)):
            there = node.table
        parts: dict[str, object] = {}
        for name in type(node).model_fields:
            at = table if isinstance(node, Exists) and name == "of" else there
            content = getattr(node, name)
            if isinstance(content, tuple):
                parts[name] = tuple(self.fit(one, at) if isinstance(one, Record) else one for one in content)
            elif isinstance(content, Record) and not isinstance(content, Join):
                parts[name] = self.fit(content, at)
        node = node.model_copy(update=parts)
        if isinstance(node, OneOf):
            return node.model_copy(update={"values": tuple(_numbered(node.of, value) for value in node.values)})
        return cast(_Node, self._compared(node, table)) if isinstance(node, Compare) else node

    def _joined(self, node: Lookup | Rollup, table: str) -> Join:
        """How the node refers to other rows, where one name stands for both sides."""
        join = node.join
        other = join.table
        if len(join.columns) != 1 or join.columns != join.keys:
            return join
        if isinstance(node, Lookup):
            column, key = self._reference(join.columns[0], table, other)
            return Join(columns=(column,), table=other, keys=(key,))
        if table == other:
            return join  # the rows that have the same there
        column, key = self._reference(join.columns[0], other, table)
        return Join(columns=(key,), table=other, keys=(column,))

    def _reference(self, said: str, table: str, parent: str) -> tuple[str, str]:
        """The column of the table that refers to rows of the parent, and their key, where one of them is said."""
        is_here, is_there = (said in self.tables[name].columns for name in (table, parent))
        links = [link for link in self.references.all_from(table) if link.parent == parent]
        by_key = [link for link in links if link.key == said]
        # The "id" of the rows themselves is not the "id" that they refer to.
        is_own = is_here and is_there and said == self.references.key(table) and bool(by_key)
        if is_here and is_there and table != parent and not is_own:
            return said, said
        meant = [link for link in links if link.column == said] if is_here and not is_own else by_key
        return (meant[0].column, meant[0].key) if len(meant) == 1 else (said, said)

    def _compared(self, node: Compare, table: str) -> Compare:
        left, right = node.left, node.right
        for side, other in (("left", right), ("right", left)):
            counted = self._in_days(getattr(node, side), table) if _is_of_days(other) else None
            if counted is not None and self._kind(other, table) in ("integer", "number"):
                return node.model_copy(update={side: counted})
        if isinstance(right, Span) and right.unit in _UNEQUALLY_LONG and _is_difference(left):
            later = Arithmetic(sign="+", left=left.right, right=right)  # an age: that many years after the birth
            return node.model_copy(update={"left": left.left, "right": later})
        if not isinstance(right, Value):
            return node
        if isinstance(right.value, str) and _ISO.fullmatch(right.value) and self._kind(left, table) == "datetime":
            return node.model_copy(update={"right": Moment(iso=right.value.replace(" ", "T"))})
        return node.model_copy(update={"right": Value(value=_numbered(left, right.value))})

    def _in_days(self, expression: Expression, table: str) -> Expression | None:
        """The expression with the days between two dates for their distance, "ended - began + 1"; None without one."""
        if not isinstance(expression, Arithmetic) or expression.sign not in "+-":
            return None
        sides = expression.left, expression.right
        if expression.sign == "-" and all(self._kind(side, table) == "datetime" for side in sides):
            return Arithmetic(sign="/", left=expression, right=Span(amount=1, unit="days"))
        counted = self._in_days(expression.left, table)
        return None if counted is None else expression.model_copy(update={"left": counted})

    def _kind(self, expression: Expression, table: str) -> str:
        return type_of(expression, self.tables[table], self.tables).kind


def _is_of_days(expression: Expression) -> bool:
    """Whether it is a column that by its name holds a number of days."""
    forms = spelled_out(name_words(expression.name)) if isinstance(expression, Column) else ()
    return any(form and form[-1] in ("day", "days", "night", "nights") for form in forms)


def _is_difference(expression: Expression) -> TypeGuard[Arithmetic]:
    return isinstance(expression, Arithmetic) and expression.sign == "-"


def _numbered(of: Expression, said: _Plain) -> _Plain:
    """The number of a weekday or a month that is called by its name."""
    names = NAMED_PARTS.get(of.part, {}) if isinstance(of, DatePart) else {}
    return names.get(said.casefold(), said) if isinstance(said, str) else said
