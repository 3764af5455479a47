"""Expressions inside row filters: columns, literals, sums, and the few functions whose meaning is the same with us."""

import re
from dataclasses import dataclass
from typing import Any, cast

from pandas_magic.constraints import (
    Absolute,
    Arithmetic,
    Column,
    DatePart,
    Expression,
    Folded,
    Moment,
    TextLength,
    Value,
)
from pandas_magic.peers.crossing_records import CannotRead
from pandas_magic.peers.filter_tokens import Token

_PARTS = frozenset({"year", "quarter", "month", "day", "hour", "minute"})
_MOMENTS = frozenset({"date", "timestamp", "datetime"})
_LENGTHS = frozenset({"length", "len", "char_length", "character_length"})
# Words of SQL that are no columns; a filter that uses them says more than is understood.
_SQL_WORDS = (
    "and or not in is null between like case when then else end select from where exists any all distinct ilike "
    "similar rlike regexp interval over current_date current_timestamp now"
)
_WORDS = frozenset(_SQL_WORDS.split())
_ISO = re.compile(r"\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?)?")


def moment_of(text: str) -> Moment | None:
    """The moment when the text is a date in ISO form, with or without a time, else None."""
    return Moment(iso=text.replace(" ", "T")) if _ISO.fullmatch(text) else None


@dataclass
class Values:
    """A cursor over the tokens of a filter that reads expressions."""

    tokens: list[Token]
    text: str
    sql: bool
    table: str
    at: int = 0

    @property
    def token(self) -> Token:
        """The token that comes next."""
        return self.tokens[self.at]

    def next(self) -> Token:
        """The token that comes next, which is read."""
        found = self.token
        self.at = min(self.at + 1, len(self.tokens) - 1)
        return found

    def sees(self, word: str) -> bool:
        """Whether the mark or bare word comes next."""
        return self.token.word == word

    def eats(self, word: str) -> bool:
        """Read the mark or word if it comes next; whether it did."""
        if self.sees(word):
            self.next()
            return True
        return False

    def expect(self, word: str) -> None:
        """Read the mark or word. Raises: CannotRead when something else comes next."""
        if not self.eats(word):
            raise self.stuck()

    def take(self, kind: str) -> Token:
        """Read a token of the kind. Raises: CannotRead when another one comes next."""
        if self.token.kind != kind:
            raise self.stuck()
        return self.next()

    def finish(self) -> None:
        """Nothing at the end. Raises: CannotRead when something is left."""
        if self.token.kind != "end":
            raise self.stuck()

    def stuck(self, at: Token | None = None) -> CannotRead:
        """The error that says where reading ended."""
        raise NotImplementedError

    def total(self) -> Expression:
        """A sum or difference."""
        left = self.product()
        while self.sees("+") or self.sees("-"):
            sign = cast(Any, self.next().word)
            left = Arithmetic(sign=sign, left=left, right=self.product())
        return left

    def product(self) -> Expression:
        """A product; a quotient in a query only, since databases divide whole numbers in ways of their own."""
        left = self.atom()
        while self.sees("*") or (self.sees("/") and not self.sql):
            sign = cast(Any, self.next().word)
            left = Arithmetic(sign=sign, left=left, right=self.atom())
        return left

    def atom(self) -> Expression:
        """A literal, a column, a function of one of them, or an expression in parentheses."""
        if self.eats("("):
            found = self.total()
            self.expect(")")
        elif self.eats("-"):
            number = self.take("number").value
            found = Value(value=-cast(float, number))
        elif self.token.kind in ("number", "text"):
            found = Value(value=self.next().value)
        elif self.token.kind in ("name", "quoted"):
            found = self.named()
        else:
            raise self.stuck()
        return self.cast(found) if self.sql else self.methods(found)

    def named(self) -> Expression:
        """What a word stands for."""
        name = self.next()
        if name.kind == "name" and name.word in ("true", "false"):
            return Value(value=name.word == "true")
        if name.kind == "name" and name.word in _WORDS:
            raise self.stuck(name)
        if self.sql and name.word in _MOMENTS and self.token.kind == "text":
            return self.moment(str(self.next().value), name)
        if name.kind == "name" and self.eats("("):
            return self.call(name)
        found = str(name.value)
        if self.sql and self.table and found == self.table and self.eats("."):
            column = self.next()
            if column.kind not in ("name", "quoted"):
                raise self.stuck(column)
            found = str(column.value)
        return Column(name=found)

    def call(self, name: Token) -> Expression:
        """A function, its opening parenthesis read."""
        word = name.word
        if word == "col" and not self.sql:
            found: Expression = Column(name=str(self.take("text").value))
        elif word == "extract" and self.sql:
            part = self.take("name").word
            self.expect("from")
            found = self.part_of(part, self.total(), name)
        elif word == "abs":
            found = Absolute(of=self.total())
        elif self.sql and word in _LENGTHS:
            found = TextLength(of=self.total())
        elif self.sql and word == "lower":
            found = Folded(of=self.total(), fold="case")
        else:
            raise self.stuck(name)
        self.expect(")")
        return found

    def part_of(self, part: str, of: Expression, at: Token) -> Expression:
        """The part of a date. Raises: CannotRead for parts that databases number in different ways."""
        if part not in _PARTS:
            raise self.stuck(at)
        return DatePart(part=cast(Any, part), of=of)

    def methods(self, of: Expression) -> Expression:
        """The expression with what pandas' accessors behind it make of it; tests are left to be read."""
        while True:
            ahead = [token.word for token in self.tokens[self.at : self.at + 6]]
            if ahead[:4] == [".", "abs", "(", ")"]:
                of, self.at = Absolute(of=of), self.at + 4
            elif ahead == [".", "str", ".", "len", "(", ")"]:
                of, self.at = TextLength(of=of), self.at + 6
            elif ahead == [".", "str", ".", "lower", "(", ")"]:
                of, self.at = Folded(of=of, fold="case"), self.at + 6
            elif ahead[:3] == [".", "dt", "."] and ahead[3] in _PARTS:
                of, self.at = DatePart(part=cast(Any, ahead[3]), of=of), self.at + 4
            else:
                return of

    def cast(self, of: Expression) -> Expression:
        """The expression, or the moment that a text is cast to."""
        if not self.eats("::"):
            return of
        name = self.next()
        if name.word not in _MOMENTS or not isinstance(of, Value) or not isinstance(of.value, str):
            raise self.stuck(name)
        return self.moment(of.value, name)

    def moment(self, text: str, at: Token) -> Moment:
        """The moment that the text names. Raises: CannotRead when it is no ISO date."""
        found = moment_of(text)
        if found is None:
            raise self.stuck(at)
        return found

    def values(self) -> tuple[bool | int | float | str, ...]:
        """The literals of a list, in parentheses or brackets."""
        closing = {"(": ")", "[": "]"}.get(self.next().word)
        if closing is None:
            self.at -= 1
            raise self.stuck()
        found: list[bool | int | float | str] = []
        while not self.eats(closing):
            value = self.atom()
            if not isinstance(value, Value):
                raise self.stuck()
            found.append(value.value)
            if not self.sees(closing):
                self.expect(",")
        if not found:
            raise self.stuck()
        return tuple(found)
