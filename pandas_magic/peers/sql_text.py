"""Conditions as SQL that databases agree on. SQL has our three truth values, so that no part needs guarding.

What databases do in ways of their own is refused: regular expressions, quotients, weekdays, moments with a zone.
"""

import math
import re
from dataclasses import dataclass
from typing import cast

from pandas_magic.constraints import (
    Absolute,
    All,
    Any_,
    Arithmetic,
    Column,
    Compare,
    Condition,
    DatePart,
    Exists,
    Expression,
    Folded,
    HasText,
    HowMany,
    Moment,
    Not,
    OneOf,
    Present,
    TextLength,
    Value,
)
from pandas_magic.constraints.algebra.tree import REACHING, WINDOWS, nodes
from pandas_magic.peers.demands import exact
from pandas_magic.peers.schemas import Schemas, Types
from pandas_magic.peers.transfers import CannotSay

_RELATIONS = {"==": "=", "!=": "<>"}
_PARTS = frozenset({"year", "quarter", "month", "day", "hour", "minute"})
# Words that some database takes for its own; a column of such a name is written in double quotes.
_RESERVED_WORDS = (
    "all and any as asc between by case cast check column constraint create cross current_date date default delete "
    "desc distinct drop else end except exists false fetch for foreign from full grant group having in index inner "
    "insert interval into is join key left like limit natural not null on or order outer primary references right row "
    "rows select set table then time timestamp to true union unique update user using values view when where with"
)
_RESERVED = frozenset(_RESERVED_WORDS.split())


def sql_name(name: str) -> str:
    """The column as SQL names it: bare when it cannot be mistaken, else in double quotes.

    Raises: CannotSay for names that a template or a database would take apart.
    """
    if re.fullmatch(r"[a-z_][a-z0-9_]*", name) and name not in _RESERVED:
        return name
    if any(sign in name for sign in "{}\\\n"):
        raise CannotSay(f"the column name {name!r} is read in different ways there")
    return '"' + name.replace('"', '""') + '"'


def sql_literal(value: bool | int | float | str) -> str:
    """The value as SQL writes it. Raises: CannotSay for infinity."""
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, str):
        if re.search(r"[\\{}\x00-\x1f]", value):
            raise CannotSay("a text with a backslash, a brace or a line break is read in different ways there")
        return "'" + value.replace("'", "''") + "'"
    if not math.isfinite(value):
        raise CannotSay(f"{value} cannot be written there")
    return repr(value)


def sql_condition(condition: Condition, table: str, schemas: Schemas) -> str:
    """The condition on a row of `table`. Raises: CannotSay when databases do not agree on it."""
    for part in nodes(condition):
        if isinstance(part, (*REACHING, *WINDOWS)):
            raise CannotSay("it looks at other rows in a way that has no plain SQL")
    return _Sql(table, schemas).said(condition)


def violation_sql(must: Condition, where: Condition | None, table: str, schemas: Schemas) -> str:
    """The rows in which `where` is true and `must` false. Raises: CannotSay as `sql_condition` does."""
    broken = f"NOT ({sql_condition(must, table, schemas)})"
    return broken if where is None else f"({sql_condition(where, table, schemas)}) AND {broken}"


@dataclass(frozen=True)
class _Sql:
    table: str
    schemas: Schemas

    @property
    def types(self) -> Types:
        return Types(self.table, self.schemas)

    def said(self, condition: Condition) -> str:
        match condition:
            case All(conditions=parts) | Any_(conditions=parts):
                joint = " AND " if isinstance(condition, All) else " OR "
                return joint.join(self.part(part) for part in parts)
            case Not(condition=Present(of=of)):
                return f"{self.value(of)} IS NULL"
            case Not(condition=OneOf(of=of, values=values)):
                return f"{self.value(of)} NOT IN {self.listed(of, values)}"
            case Not(condition=part):
                return f"NOT ({self.said(part)})"
            case Present(of=of):
                return f"{self.value(of)} IS NOT NULL"
            case OneOf(of=of, values=values):
                return f"{self.value(of)} IN {self.listed(of, values)}"
        return self.tested(condition)

    def tested(self, condition: Condition) -> str:
        match condition:
            case Compare():
                return self.compared(condition)
            case HasText():
                return self.like(condition)
            case Exists():
                return self.exists(condition)
        raise CannotSay(f"databases do not agree on how to say it ({condition.node})")

    def part(self, condition: Condition) -> str:
        text = self.said(condition)
        return f"({text})" if isinstance(condition, (All, Any_)) else text

    def listed(self, of: Expression, values: tuple[bool | int | float | str, ...]) -> str:
        if self.types.of(of).kind == "datetime":
            raise CannotSay("a list of moments is compared in different ways there")
        return f"({', '.join(map(sql_literal, values))})"

    def compared(self, compare: Compare) -> str:
        self.types.refuse_zones(compare.left, compare.right)
        plain = exact(compare, whole=self.types.is_whole(compare.left, compare.right))
        relation = _RELATIONS.get(plain.relation, plain.relation)
        return f"{self.value(plain.left)} {relation} {self.value(plain.right)}"

    def like(self, condition: HasText) -> str:
        self.types.need("text", condition.of)
        if condition.ignore_case and not condition.text.isascii():
            raise CannotSay("ignoring the case of letters beyond ASCII is not the same everywhere")
        escaped = re.sub(r"([%_!])", r"!\1", condition.text)
        pattern = {"start": f"{escaped}%", "end": f"%{escaped}", "anywhere": f"%{escaped}%"}[condition.where]
        found = f"LOWER({self.value(condition.of)})" if condition.ignore_case else self.value(condition.of)
        return f"{found} LIKE {sql_literal(pattern)}" + (" ESCAPE '!'" if escaped != condition.text else "")

    def exists(self, condition: Exists) -> str:
        if len(condition.of) != 1:
            raise CannotSay("a reference by several columns has no plain SQL that treats missing values as we do")
        key, there = sql_name(condition.keys[0]), _Sql(condition.table, self.schemas)
        chosen = "" if condition.where is None else f" AND ({there.said(condition.where)})"
        # A missing key in the list would make "not found" unknown.
        rows = f"SELECT {key} FROM {sql_name(condition.table)} WHERE {key} IS NOT NULL{chosen}"
        return f"{self.value(condition.of[0])} IN ({rows})"

    def value(self, expression: Expression) -> str:
        match expression:
            case Column(name=name):
                return sql_name(name)
            case Value(value=value):
                return sql_literal(value)
            case Moment(iso=iso):
                return f"TIMESTAMP '{iso.replace('T', ' ') if 'T' in iso else f'{iso} 00:00:00'}'"
            case Arithmetic(sign=sign, left=left, right=right):
                return self.computed(sign, left, right)
            case Absolute(of=of):
                self.need_numbers(of)
                return f"ABS({self.value(of)})"
            case HowMany(conditions=parts):
                ones = (f"CASE WHEN {self.said(part)} THEN 1 ELSE 0 END" for part in parts)
                return f"({' + '.join(ones)})"
        return self.part_of(expression)

    def part_of(self, expression: Expression) -> str:
        match expression:
            case TextLength(of=of):
                self.types.need("text", of)
                return f"LENGTH({self.value(of)})"
            case Folded(of=of, fold="case"):
                self.types.need("text", of)
                return f"LOWER({self.value(of)})"
            case DatePart(of=of, part=part) if part in _PARTS:
                self.types.refuse_zones(of)
                self.types.need("datetime", of)
                return f"EXTRACT({part.upper()} FROM {self.value(of)})"
            case DatePart(part="date", of=of):
                self.types.refuse_zones(of)
                return f"CAST({self.value(of)} AS DATE)"
        if expression.node == "now":
            raise CannotSay("it depends on the time of the run, which databases tell in a zone of their own")
        raise CannotSay(f"databases do not agree on how to say it ({expression.node})")

    def computed(self, sign: str, left: Expression, right: Expression) -> str:
        self.need_numbers(left, right)
        if sign == "/":
            raise CannotSay("databases differ in dividing whole numbers and in dividing by zero")
        return f"({self.value(left)} {sign} {self.value(right)})"

    def need_numbers(self, *expressions: Expression) -> None:
        for expression in expressions:
            if not self.types.of(expression).is_number:
                raise CannotSay("databases do not agree on computing with dates")


def number(value: object) -> float:
    """The value as a number. Raises: CannotSay when it is none."""
    if isinstance(value, (bool, str)) or not isinstance(value, (int, float)) or not math.isfinite(value):
        raise CannotSay(f"{value!r} is no number to compare a statistic with")
    return cast(float, value)
