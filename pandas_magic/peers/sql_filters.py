"""SQL row filters of peers read as conditions: `status IN ('a') AND x IS NOT NULL`.

sqlglot reads the text. No file names its database, so this says of each of its nodes what all databases take it for,
or refuses it at its place: quotients, functions of their own, and words that one of them does not have.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, cast

from pandas_magic.constraints import (
    Absolute,
    All,
    Any_,
    Arithmetic,
    Column,
    Compare,
    Condition,
    DatePart,
    Expression,
    Folded,
    HowMany,
    Moment,
    Not,
    OneOf,
    Present,
    TextLength,
    Value,
)
from pandas_magic.constraints.algebra.conditions import Relation
from pandas_magic.peers.ranges import DATE_PARTS, moment_of, related
from pandas_magic.peers.regexes import like_condition
from pandas_magic.peers.sql_parsing import parse_sql
from pandas_magic.peers.transfers import CannotRead, unread_from
from pandas_magic.planner.language.doors.sql_syntax import SqlNode

_RELATIONS = {"eq": "==", "neq": "!=", "lt": "<", "lte": "<=", "gt": ">", "gte": ">="}
_SIGNS = {"add": "+", "sub": "-", "mul": "*"}
# Words that no database takes for a column's name, and sqlglot does.
_NO_COLUMNS = frozenset({"end", "in", "is"})


def read_sql(text: str, *, table: str = "") -> Condition:
    """The condition that the filter is; columns may be written with the table's name before them.

    Raises: CannotRead naming the words and their place.
    """
    try:
        return _SqlFilter(text, table).condition(parse_sql(text))
    except RecursionError as error:
        raise CannotRead(f"{text[:40]!r}… is nested too deep") from error


@dataclass(frozen=True)
class _SqlFilter:
    """The text of a filter, and what the nodes in it mean: `condition` and `test` are true or not, `value` is not."""

    text: str
    table: str

    def condition(self, node: SqlNode) -> Condition:
        match node.key:
            case "paren":
                return self.condition(*self.parts(node, "this"))
            case "and" | "or" as joint:
                # A chain of a thousand is a thousand deep there.
                chain = tuple(map(self.condition, node.flatten(unnest=False)))
                return All(conditions=chain) if joint == "and" else Any_(conditions=chain)
            case "not":
                return _opposite(self.condition(*self.parts(node, "this")))
            case "like" if node.args.get("negate"):
                return Not(condition=self.like(node))
            case "escape" if node.this.args.get("negate"):
                return Not(condition=self.test(node))
            case "nullsafeneq":
                return Not(condition=_same(*self.sides(node)))
            case "column":
                return Compare(relation="==", left=self.value(node), right=Value(value=True))
        return self.test(node)

    def test(self, node: SqlNode) -> Condition:
        match node.key:
            case key if key in _RELATIONS:
                left, right = self.sides(node)
                return related(left, cast(Relation, _RELATIONS[key]), right)
            case "is":
                return self.is_(*self.parts(node, "this", "expression"))
            case "nullsafeeq":
                return _same(*self.sides(node))
            case "in":
                of, listed = self.parts(node, "this", "expressions")
                return OneOf(of=self.value(of), values=self.listed(node, listed))
            case "between":
                of, low, high = map(self.value, self.parts(node, "this", "low", "high"))
                return All(conditions=(related(of, ">=", low), related(of, "<=", high)))
            case "like":
                return self.like(node)
            case "escape":
                like, sign = self.parts(node, "this", "expression")
                return self.like(like, self.text_of(sign))
        raise self.stuck(node)

    def is_(self, of: SqlNode, what: SqlNode) -> Condition:
        if what.key == "null":
            return Not(condition=Present(of=self.value(of)))
        if what.key != "boolean":
            raise self.stuck(what)
        return _same(self.value(of), self.value(what))

    def like(self, node: SqlNode, escape: str = "") -> Condition:
        if node.key != "like":
            raise self.stuck(node)
        of, pattern, _ = self.parts(node, "this", "expression", "negate")
        return like_condition(self.value(of), self.text_of(pattern), escape)

    def listed(self, node: SqlNode, values: Iterable[SqlNode]) -> tuple[bool | int | float | str, ...]:
        found = [self.value(value) for value in values]
        literals = tuple(one.value for one in found if isinstance(one, Value))
        if not literals or len(literals) < len(found):
            raise self.stuck(node)
        return literals

    def value(self, node: SqlNode) -> Expression:
        match node.key:
            case "paren":
                return self.value(*self.parts(node, "this"))
            case "boolean":
                return Value(value=bool(node.this))
            case "literal" if node.args["is_string"]:
                return Value(value=node.name)
            case "literal":
                return Value(value=self.number(node))
            case "neg" if node.this.key == "literal" and not node.this.args["is_string"]:
                return Value(value=-self.number(node.this))
            case "column":
                return self.column(node)
            case key if key in _SIGNS:
                return _computed(_SIGNS[key], *self.sides(node))
        return self.called(node)

    def called(self, node: SqlNode) -> Expression:
        match node.key:
            case "abs":
                return Absolute(of=self.value(*self.parts(node, "this")))
            case "length":
                return TextLength(of=self.value(*self.parts(node, "this")))
            case "lower":
                return Folded(of=self.value(*self.parts(node, "this")), fold="case")
            case "extract" if node.this.key == "var" and node.name.lower() in DATE_PARTS:
                _, of = self.parts(node, "this", "expression")
                return DatePart(part=cast(Any, node.name.lower()), of=self.value(of))
            case "cast":
                return self.moment(node)
            case "case":
                return self.counted(node)
        raise self.stuck(node)

    def column(self, node: SqlNode) -> Column:
        name, table = self.parts(node, "this", "table")
        is_name = name.key == "identifier" and (name.args.get("quoted") or name.name.lower() not in _NO_COLUMNS)
        if not is_name or (table is not None and table.name != self.table):
            raise self.stuck(node)
        return Column(name=name.name)

    def moment(self, node: SqlNode) -> Moment:
        text, kind = self.parts(node, "this", "to")
        (type_,) = self.parts(kind, "this")
        found = moment_of(self.text_of(text))
        if found is None or type_.name not in ("DATE", "TIMESTAMP", "DATETIME"):
            raise self.stuck(node)
        if type_.name == "DATE" and "T" in found.iso:
            raise CannotRead(f"{self.text!r} makes a date of {found.iso}, which cuts off its time")
        return found

    def counted(self, node: SqlNode) -> HowMany:
        """The count of one condition that `CASE WHEN … THEN 1 ELSE 0 END` is."""
        branches, otherwise = self.parts(node, "ifs", "default")
        if len(branches) > 1 or otherwise is None or self.value(otherwise) != Value(value=0):
            raise self.stuck(node)
        when, then = self.parts(branches[0], "this", "true")
        if self.value(then) != Value(value=1):
            raise self.stuck(node)
        return HowMany(conditions=(self.condition(when),))

    def number(self, node: SqlNode) -> int | float:
        try:
            return int(node.name) if node.name.isdigit() else float(node.name)
        except ValueError as error:
            raise self.stuck(node) from error

    def text_of(self, node: SqlNode) -> str:
        if node.key != "literal" or not node.args["is_string"]:
            raise self.stuck(node)
        return node.name

    def sides(self, node: SqlNode) -> tuple[Expression, Expression]:
        left, right = self.parts(node, "this", "expression")
        return self.value(left), self.value(right)

    def parts(self, node: SqlNode, *names: str) -> list[Any]:
        """The parts of those names. Raises: CannotRead when the node says anything else besides."""
        if any(part for name, part in node.args.items() if name not in names):
            raise self.stuck(node)
        return [node.args.get(name) for name in names]

    def stuck(self, node: SqlNode) -> CannotRead:
        """The error that names the first word of the node."""
        return unread_from(
            self.text, min((part.meta["start"] for part in node.walk() if "start" in part.meta), default=0)
        )


def _opposite(condition: Condition) -> Condition:
    is_absence = isinstance(condition, Not) and isinstance(condition.condition, Present)
    return condition.condition if isinstance(condition, Not) and is_absence else Not(condition=condition)


def _same(left: Expression, right: Expression) -> Condition:
    """What IS NOT DISTINCT FROM says: both are missing, or neither is and they are equal."""
    unsure = [side for side in (left, right) if not isinstance(side, (Value, Moment))]
    equal = All(conditions=(*(Present(of=side) for side in unsure), related(left, "==", right)))
    if len(unsure) < 2:
        return equal
    missing = All(conditions=tuple(Not(condition=Present(of=side)) for side in unsure))
    return Any_(conditions=(missing, equal))


def _computed(sign: str, left: Expression, right: Expression) -> Expression:
    if sign == "+" and isinstance(left, HowMany) and isinstance(right, HowMany):
        return HowMany(conditions=(*left.conditions, *right.conditions))
    return Arithmetic(sign=cast(Any, sign), left=left, right=right)
