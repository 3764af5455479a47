"""What nearly canonical words mean on given tables: keys, days, ages and dates as these have them.

Who says "the rate of groups by group" means the column that refers to a group, and the key of a group.
"""

import re
from typing import TypeGuard, TypeVar, cast

from pandas_magic.constraints import check_types, reads
from pandas_magic.constraints.algebra.conditions import Compare, Exists, OneOf
from pandas_magic.constraints.algebra.expressions import (
    Aggregate,
    Arithmetic,
    DatePart,
    Expression,
    Join,
    Lookup,
    Moment,
    Rollup,
    Share,
    Span,
    Value,
)
from pandas_magic.constraints.algebra.rules import ColumnsRule, Constraint
from pandas_magic.constraints.types.value_types import type_of
from pandas_magic.errors import NoSuchName
from pandas_magic.planner.language.linking.references import References
from pandas_magic.planner.language.linking.tokens import NAMED_PARTS
from pandas_magic.planner.language.strict.by_content import of_texts
from pandas_magic.record import Record

_Node = TypeVar("_Node", bound=Record)
_Plain = bool | int | float | str
_ISO = re.compile(r"\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d)?)?")
_UNEQUALLY_LONG = ("months", "years")


def fitted(constraint: Constraint, references: References) -> Constraint | None:
    """The rule as the tables have it, the same where nothing is to be done; None where it cannot be about them."""
    tables = references.tables
    if not tables.keys() >= reads(constraint).keys():
        return None
    try:
        if not isinstance(constraint, ColumnsRule):
            constraint = _Fitting(references).fit(constraint, constraint.table)
        if not check_types(constraint, tables):
            return constraint
        if not isinstance(constraint, ColumnsRule):
            texts = of_texts(constraint, tables)
            constraint = _Fitting(references).fit(texts, constraint.table)
    except NoSuchName:
        return None
    return None if check_types(constraint, tables) else constraint


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
        is_here = said in self.tables[table].columns
        if is_here and said in self.tables[parent].columns and table != parent:
            return said, said
        links = [link for link in self.references.all_from(table) if link.parent == parent]
        meant = [link for link in links if said == (link.column if is_here else link.key)]
        return (meant[0].column, meant[0].key) if len(meant) == 1 else (said, said)

    def _compared(self, node: Compare, table: str) -> Compare:
        left, right = node.left, node.right
        for side, other in (("left", right), ("right", left)):
            counted = self._in_days(getattr(node, side), table)
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


def _is_difference(expression: Expression) -> TypeGuard[Arithmetic]:
    return isinstance(expression, Arithmetic) and expression.sign == "-"


def _numbered(of: Expression, said: _Plain) -> _Plain:
    """The number of a weekday or a month that is called by its name."""
    names = NAMED_PARTS.get(of.part, {}) if isinstance(of, DatePart) else {}
    return names.get(said.casefold(), said) if isinstance(said, str) else said
