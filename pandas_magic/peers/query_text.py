"""Conditions as text for `DataFrame.query`, which knows true and false only: a text for each of the two.

A comparison with a missing value is unknown to us, so it is neither.
"""

import keyword
import math
from dataclasses import dataclass

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
    HasText,
    HowMany,
    Matches,
    Moment,
    Not,
    OneOf,
    Parses,
    Present,
    TextLength,
    Value,
)
from pandas_magic.constraints.algebra.conditions import OPPOSITE
from pandas_magic.constraints.algebra.patterns import PARSED, explicit
from pandas_magic.peers.demands import exact, refuse_other_rows
from pandas_magic.peers.schemas import Types
from pandas_magic.peers.transfers import CannotSay

_PARTS = {name: f".dt.{name}" for name in ("year", "quarter", "month", "day", "hour", "minute")}


def true_text(condition: Condition, types: Types) -> str:
    """The query of the rows in which the condition is true.

    Raises: CannotSay when there is none.
    """
    refuse_other_rows(condition)
    return _Query(types).said(condition, true=True)


def false_text(condition: Condition, types: Types, where: Condition | None = None) -> str:
    """The query of the rows in which `where` is true and the condition false.

    Raises: CannotSay when there is none.
    """
    refuse_other_rows(condition)
    broken = _Query(types).said(condition, true=False)
    return broken if where is None else f"({true_text(where, types)}) and ({broken})"


def quoted_name(name: str) -> str:
    """The column as a query names it, in backticks unless it is a plain name.

    Raises: CannotSay for names that a query cannot hold.
    """
    if name.isidentifier() and name.isascii() and not keyword.iskeyword(name) and name != "index":
        return name
    if any(sign in name for sign in "`'\"\\#\n"):
        raise CannotSay(f"pandas' query cannot name the column {name!r}")
    return f"`{name}`"


@dataclass(frozen=True)
class _Query:
    types: Types

    def said(self, condition: Condition, *, true: bool) -> str:
        match condition:
            case Not(condition=part):
                return self.said(part, true=not true)
            case All(conditions=parts) | Any_(conditions=parts):
                joint = "and" if isinstance(condition, All) is true else "or"
                return f" {joint} ".join(f"({self.said(part, true=true)})" for part in parts)
            case Present(of=of):
                return f"{self.value(of)}.{'notnull' if true else 'isnull'}()"
            case Compare():
                return self.compared(condition, true=true)
            case OneOf(of=of, values=values):
                self.refuse_moments(of)
                found, listed = self.value(of), f"[{', '.join(map(_literal, values))}]"
                return f"{found} in {listed}" if true else f"{found}.notnull() and {found} not in {listed}"
            case Matches() | HasText() | Parses():
                return self.text_test(condition, true=true)
        raise CannotSay(f"a query has no words for {condition.node}")

    def compared(self, compare: Compare, *, true: bool) -> str:
        self.types.refuse_zones(compare.left, compare.right)
        plain = exact(compare, whole=self.types.is_whole(compare.left, compare.right))
        relation = plain.relation if true else OPPOSITE[plain.relation]
        left, right = self.value(plain.left), self.value(plain.right)
        text = f"{left} {relation} {right}"
        sides = [side for side in (plain.left, plain.right) if not _is_literal(side)]
        if relation not in ("==", "!=") and any(self.types.of(side).is_category for side in sides):
            raise CannotSay("the order of a category's values is not the order of its texts there")
        if relation != "!=" and all(self.types.of(side).is_numpy for side in sides):
            return text
        # NaN differs from everything in pandas, and NA cannot stand in a filter; to us both are unknown.
        return " and ".join([*(f"{self.value(side)}.notnull()" for side in sides), text])

    def text_test(self, condition: Matches | HasText | Parses, *, true: bool) -> str:
        self.types.need("text", condition.of)
        found = self.value(condition.of)
        match condition:
            case Matches(pattern=pattern):
                call = f"fullmatch({explicit(pattern)!r}"
            case Parses(type="date"):
                raise CannotSay("whether a text is a date of the calendar cannot be said in a query")
            case Parses(type=kind):
                call = f"fullmatch({PARSED[kind]!r}"
            case HasText(where=where, text=text, ignore_case=ignore_case):
                found = f"{found}.str.lower()" if ignore_case else found
                names = {"start": "startswith", "end": "endswith", "anywhere": "contains"}
                call = f"{names[where]}({text!r}" + (", regex=False" if where == "anywhere" else "")
        test = f"{found}.str.{call}, na={not true})"
        return test if true else f"not {test}"

    def refuse_moments(self, of: Expression) -> None:
        if self.types.of(of).kind == "datetime":
            raise CannotSay("a list of moments is compared as texts there")

    def value(self, expression: Expression) -> str:
        match expression:
            case Column(name=name):
                return quoted_name(name)
            case Value(value=value):
                return _literal(value)
            case Moment(iso=iso):
                return repr(iso)
            case Arithmetic(sign=sign, left=left, right=right):
                self.need_numbers(left, right)
                return f"({self.value(left)} {sign} {self.value(right)})"
            case Absolute(of=of):
                self.need_numbers(of)
                return f"{self.value(of)}.abs()"
            case TextLength() | Folded() | DatePart():
                return self.part(expression)
            case HowMany(conditions=parts):
                return "(" + " + ".join(f"({self.said(part, true=True)}) * 1" for part in parts) + ")"
        raise CannotSay(_reason(expression))

    def part(self, expression: TextLength | Folded | DatePart) -> str:
        of = self.value(expression.of)
        if isinstance(expression, DatePart):
            self.types.need("datetime", expression.of)
            self.types.refuse_zones(expression.of)
            if expression.part == "weekday":
                return f"({of}.dt.weekday + 1)"
            if expression.part not in (*_PARTS, "date"):
                raise CannotSay(f"a query has no words for the {expression.part} of a date")
            return f"{of}{_PARTS.get(expression.part, '.dt.normalize()')}"
        self.types.need("text", expression.of)
        if isinstance(expression, TextLength):
            return f"{of}.str.len()"
        return f"{of}.str.{'lower' if expression.fold == 'case' else 'strip'}()"

    def need_numbers(self, *expressions: Expression) -> None:
        for expression in expressions:
            found = self.types.of(expression)
            if not found.is_number or found.is_narrow:
                raise CannotSay(f"it computes with {found.dtype or found.kind} values")


def _reason(expression: Expression) -> str:
    if expression.node == "now":
        return "it depends on the time of the run, which the file cannot name"
    return f"a query has no words for {expression.node}"


def _is_literal(expression: Expression) -> bool:
    return isinstance(expression, (Value, Moment))


def _literal(value: bool | int | float | str) -> str:
    if isinstance(value, float) and not math.isfinite(value):
        raise CannotSay(f"{value} cannot be written there")
    if isinstance(value, str) and "`" in value:
        raise CannotSay("a text with a backtick cannot stand in a query")
    return repr(value)
