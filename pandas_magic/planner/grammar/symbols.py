"""Symbolic forms: "qty: 1..100", "status in ('a', 'b')", "unique(a, b)", "email is not null"."""

from collections.abc import Iterator

from pandas_magic.constraints.algebra.conditions import Condition, Matches, OneOf, Present, Unique
from pandas_magic.constraints.algebra.expressions import Expression, TextLength
from pandas_magic.planner.grammar import (
    arithmetic,
    clauses,
    comparisons,
    nouns,
    patterns,
    phrases,
    possession,
    specifications,
)
from pandas_magic.planner.grammar.chart import Parse, Position, rule
from pandas_magic.planner.grammar.logic import all_in, as_list, for_must, negate
from pandas_magic.planner.grammar.meaning import Claim, kind_of_expression
from pandas_magic.planner.grammar.values import value_list

Found = Iterator[tuple[Position, Claim]]
Conditions = Iterator[tuple[Position, Condition]]


@rule
def symbolic(p: Parse, i: Position, table: str) -> Found:
    """Rules written as formulas or bullet specifications."""
    for end, condition in _of_column(p, i, table):
        yield end, Claim(table, for_must(condition))
    for end, condition in _functions(p, i, table):
        yield end, Claim(table, for_must(condition))
    for middle, x in nouns.own_column(p, i, table):
        for start in p.phrase(middle, ":|-|–"):
            yield from specifications.without_gaps(p, start, table, x)


@rule
def _of_column(p: Parse, i: Position, table: str) -> Conditions:
    for middle, x in arithmetic.expression(p, i, table):
        for start in p.phrase(middle, ":|-|–|->|=>|format :|pattern :"):
            yield from _specified(p, start, table, x)
            yield from specifications.specified(p, start, table, x)
            yield from clauses.value_phrase(p, start, table, x, "must")
            yield from patterns.pattern_verb(p, start, table, x)
            for end, pattern in patterns.regex(p, start):
                if p.tokens[start].kind == "regex":
                    yield end, Matches(of=x, pattern=pattern)
        yield from _infix(p, middle, table, x)


def _specified(p: Parse, i: Position, table: str, x: Expression) -> Conditions:
    """Behind a colon: "positive", "at least 1, at most 33"."""
    for end, (condition, _) in clauses.qualities_of(p, i, table, x):
        yield end, condition
        for middle in p.phrase(end, ",|;"):
            for last, (more, _) in clauses.qualities_of(p, middle, table, x):
                if as_list(condition) is None and as_list(more) is None:
                    yield last, all_in((condition, more))


def _infix(p: Parse, i: Position, table: str, x: Expression) -> Conditions:
    """Operators between a column and a value, as in SQL."""
    for said, holds in (("in|∈", True), ("not in|∉", False)):
        for start in p.phrase(i, said):
            for end, values in value_list(p, start, table, x, True):
                listed = OneOf(of=x, values=values)
                yield end, listed if holds else negate(listed)
    for end, condition in comparisons.between(p, i, table, x):
        yield end, condition
    for end, condition in comparisons.comparison(p, i, table, x):
        yield end, condition
    for end, _ in p.seq(i, "not null|notnull|non null|required|mandatory|is_not_null|! = null"):
        yield end, Present(of=x)
    if kind_of_expression(p.schema, table, x) == "text":
        for end, (pattern,) in p.seq(i, "~|=~|matches|like regex|regexp|rlike|matching", patterns.regex):
            yield end, Matches(of=x, pattern=pattern)


def _functions(p: Parse, i: Position, table: str) -> Conditions:
    for end, (names,) in p.seq(
        i,
        "unique|distinct|unique key|primary key|pk|key",
        "(|:",
        lambda p, i: possession.column_list(p, i, table),
        "?)",
    ):
        if qualities_balanced(p, i, end):
            yield end, Unique(by=names)
    for end, (names,) in p.seq(
        i, phrases.NOT_NULL_FUNCTION, "(|:", lambda p, i: possession.column_list(p, i, table), "?)"
    ):
        if qualities_balanced(p, i, end):
            yield end, all_in(tuple(Present(of=name) for name in names))
    for middle, (x,) in p.seq(i, "len|length", "(", lambda p, i: nouns.column(p, i, table), ")"):
        if kind_of_expression(p.schema, table, x) == "text":
            yield from clauses.value_phrase(p, middle, table, TextLength(of=x), "must")
            yield from comparisons.between(p, middle, table, TextLength(of=x))


def qualities_balanced(p: Parse, start: Position, end: Position) -> bool:
    """Every bracket that is opened in the stretch is closed in it."""
    texts = [token.text for token in p.tokens[start:end]]
    return texts.count("(") == texts.count(")")
