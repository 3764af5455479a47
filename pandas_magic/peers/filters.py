"""Row filters of peers read as conditions: SQL (`status IN ('a') AND x IS NOT NULL`) and pandas' query.

SQL has our three values. A query knows two: `a != 1` and `not (a == 1)` are true where `a` is missing, and so are the
conditions read from them. What is not wholly understood is refused with its place.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, cast

from pandas_magic.constraints import (
    All,
    Any_,
    Column,
    Compare,
    Condition,
    Expression,
    HasText,
    Matches,
    Moment,
    Not,
    OneOf,
    Present,
    Value,
)
from pandas_magic.constraints.algebra.conditions import Relation
from pandas_magic.constraints.algebra.tree import nodes
from pandas_magic.peers.crossing_records import CannotRead
from pandas_magic.peers.filter_tokens import Token, tokens_of
from pandas_magic.peers.filter_values import Values, moment_of
from pandas_magic.peers.regexes import like_condition

_RELATIONS = {"=": "==", "==": "==", "!=": "!=", "<>": "!=", "<": "<", "<=": "<=", ">": ">", ">=": ">="}
_PRESENT = {"notnull": True, "notna": True, "isnull": False, "isna": False}
_TEXTS = {"startswith": "start", "endswith": "end", "contains": "anywhere"}
# Deeper nesting than this is no filter that a person wrote, and would exhaust the stack.
_DEEPEST = 40


def read_filter(text: str, *, sql: bool, table: str = "") -> Condition:
    """The condition that the filter is; columns may be written with the table's name before them.

    Raises: CannotRead naming the words and their place.
    """
    tokens = tokens_of(text, sql=sql)
    if _depth(tokens) > _DEEPEST:
        raise CannotRead(f"{text[:40]!r}… is nested more than {_DEEPEST} deep")
    words = _Filter(tokens, text, sql=sql, table=table)
    found = words.either()
    words.finish()
    return found


def _depth(tokens: Iterable[Token]) -> int:
    """How deep the parentheses go, every negation taken for one more."""
    depth = deepest = negations = 0
    for token in tokens:
        depth += (token.word == "(") - (token.word == ")")
        negations += token.word in ("not", "~")
        deepest = max(deepest, depth)
    return deepest + negations


def untrue(condition: Condition) -> Condition:
    """The condition that is true wherever the given one is not, be it false or unknown."""
    match condition:
        case All(conditions=parts):
            return Any_(conditions=tuple(map(untrue, parts)))
        case Any_(conditions=parts):
            return All(conditions=tuple(map(untrue, parts)))
        case Present():
            return Not(condition=condition)
        case Not(condition=Present() as part):
            return part
    columns = dict.fromkeys(part for part in nodes(condition) if isinstance(part, Column))
    opposite = condition.condition if isinstance(condition, Not) else _opposite(condition)
    return Any_(conditions=(*(Not(condition=Present(of=column)) for column in columns), opposite))


def _opposite(condition: Condition) -> Condition:
    if isinstance(condition, Compare) and condition.relation in ("==", "!="):
        return condition.model_copy(update={"relation": "!=" if condition.relation == "==" else "=="})
    return Not(condition=condition)


@dataclass
class _Filter(Values):
    """A recursive descent: `either` is a chain of or, `both` of and, `single` one test. Expressions are `Values`."""

    def either(self) -> Condition:
        parts = [self.both()]
        while self.eats("or") or self.eats("|"):
            parts.append(self.both())
        return parts[0] if len(parts) == 1 else Any_(conditions=tuple(parts))

    def both(self) -> Condition:
        parts = [self.single()]
        while self.eats("and") or self.eats("&"):
            parts.append(self.single())
        parts = _without_repetition(parts)
        return parts[0] if len(parts) == 1 else All(conditions=tuple(parts))

    def single(self) -> Condition:
        if self.sees("not") or self.sees("~"):
            sign, bracketed = self.next(), self.sees("(")
            found = self.single()
            if sign.word == "~" and not bracketed and isinstance(found, (Compare, All, Any_)):
                raise self.stuck(sign)  # "~" binds closer than "=="
            return Not(condition=found) if self.sql else untrue(found)
        start = self.at
        if self.sees("("):
            # A parenthesis opens a condition or an expression; which one shows only behind it.
            try:
                return self.test(self.total())
            except CannotRead:
                self.at = start
            self.expect("(")
            found = self.either()
            self.expect(")")
            return found
        return self.test(self.total())

    def test(self, left: Expression) -> Condition:
        if self.eats("."):
            return self.method(left)
        if self.token.word in _RELATIONS:
            return self.compared(left)
        if self.sql and self.eats("is"):
            absent = not self.eats("not")
            self.expect("null")
            return Not(condition=Present(of=left)) if absent else Present(of=left)
        negated = self.eats("not")
        found = self.listed(left)
        if found is None and negated:
            raise self.stuck()
        if found is None:
            return self.truth(left)
        return found if not negated else (Not(condition=found) if self.sql else untrue(found))

    def listed(self, left: Expression) -> Condition | None:
        """What follows behind IN, BETWEEN or LIKE, or None when none of them does."""
        if self.eats("in"):
            return OneOf(of=left, values=self.values())
        if self.sql and self.eats("between"):
            low = self.total()
            self.expect("and")
            return All(conditions=(self.pair(">=", left, low), self.pair("<=", left, self.total())))
        if self.sql and self.eats("like"):
            pattern = self.take("text")
            escape = str(self.take("text").value) if self.eats("escape") else ""
            return like_condition(left, str(pattern.value), escape)
        return None

    def compared(self, left: Expression) -> Condition:
        found = []
        while self.token.word in _RELATIONS:
            relation = _RELATIONS[self.next().word]
            right = self.total()
            if isinstance(right, Column) and right.name.lower() in ("null", "none", "nan"):
                raise CannotRead(f"{self.text!r} compares with {right.name}; say that it is or is not null")
            found.append(self.pair(cast(Relation, relation), left, right))
            left = right
        if len(found) > 1 and self.sql:
            raise self.stuck()
        return found[0] if len(found) == 1 else All(conditions=tuple(found))

    def pair(self, relation: Relation, left: Expression, right: Expression) -> Condition:
        if _is_constant(left) and not _is_constant(right):
            left, right = right, left
            relation = cast(Relation, relation.translate(str.maketrans("<>", "><")))
        if relation not in ("==", "!=") and isinstance(right, Value) and isinstance(right.value, str):
            right = moment_of(right.value) or right
        found = Compare(relation=relation, left=left, right=right)
        if relation == "!=" and not self.sql:
            return untrue(found.model_copy(update={"relation": "=="}))
        return found

    def truth(self, left: Expression) -> Condition:
        if not isinstance(left, Column):
            raise self.stuck()
        return Compare(relation="==", left=left, right=Value(value=True))

    def method(self, left: Expression) -> Condition:
        name = self.next()
        word = str(name.value).lower()
        if word == "str":
            self.expect(".")
            return self.text_method(left)
        self.expect("(")
        if word in _PRESENT:
            self.expect(")")
            return Present(of=left) if _PRESENT[word] else Not(condition=Present(of=left))
        if word == "isin":
            found = OneOf(of=left, values=self.values())
            self.expect(")")
            return found
        raise self.stuck(name)

    def text_method(self, left: Expression) -> Condition:
        name = self.next()
        self.expect("(")
        given = str(self.take("text").value)
        options = self.options()
        self.expect(")")
        found: Condition
        if name.word == "fullmatch" and options.get("na") is not True:
            found = Matches(of=left, pattern=given)
        elif name.word in _TEXTS and options.get("na") is not True:
            plain = name.word != "contains" or options.get("regex") is False or re.fullmatch(r"[\w\s@-]*", given)
            if not plain:
                raise CannotRead(f"{self.text!r} searches with a regular expression; say regex=False or use fullmatch")
            found = HasText(of=left, where=cast(Any, _TEXTS[name.word]), text=given)
        else:
            raise self.stuck(name)
        return found

    def options(self) -> dict[str, bool]:
        found = {}
        while self.eats(","):
            name = self.take("name").word
            self.expect("=")
            value = self.next().word
            if name not in ("na", "regex") or value not in ("true", "false"):
                raise self.stuck()
            found[name] = value == "true"
        return found

    def stuck(self, at: Token | None = None) -> CannotRead:
        """The error that says where reading ended."""
        place = (at or self.token).place
        rest = self.text[place : place + 30] or "the end"
        return CannotRead(f"{rest!r} at character {place + 1} of {self.text!r} is not understood")


def _is_constant(expression: Expression) -> bool:
    return isinstance(expression, (Value, Moment))


def _without_repetition(parts: list[Condition]) -> list[Condition]:
    """In `a.notnull() and a != 1` the second part need not say again what happens where `a` is missing."""
    known = [part for part in parts if isinstance(part, Present)]
    settled: list[Condition] = []
    used: set[str] = set()
    for part in parts:
        if isinstance(part, Any_) and all(_is_absence(one) for one in part.conditions[:-1]):
            absent = [one.condition for one in part.conditions[:-1] if isinstance(one, Not)]
            if absent and all(one in known for one in absent) and isinstance(part.conditions[-1], (Compare, Not)):
                used |= {one.model_dump_json() for one in absent}
                settled.append(part.conditions[-1])
                continue
        settled.append(part)
    return [part for part in settled if not (isinstance(part, Present) and part.model_dump_json() in used)]


def _is_absence(condition: Condition) -> bool:
    return isinstance(condition, Not) and isinstance(condition.condition, Present)
