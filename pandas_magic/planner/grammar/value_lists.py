"""Lists of values under the name of what they are: "one of these statuses: paid, open", "any currency except EUR"."""

from collections.abc import Iterator

from pandas_magic.constraints.algebra.conditions import Condition, OneOf
from pandas_magic.constraints.algebra.expressions import Column, Expression
from pandas_magic.planner.grammar import claims, nouns, phrases, values
from pandas_magic.planner.grammar import lexicon as words
from pandas_magic.planner.grammar.chart import Parse, Position, rule
from pandas_magic.planner.grammar.logic import among, negate
from pandas_magic.planner.grammar.meaning import Claim, kind_of_expression

Found = Iterator[tuple[Position, Condition]]


@rule
def one_of_these(p: Parse, i: Position, table: str) -> Found:
    """Like "one of these statuses: paid, open", "one of the currencies EUR and USD", "any currency except EUR"."""
    for start in p.phrase(i, phrases.ONE_OF_THESE):
        for middle, x in _named(p, start, table):
            for after in (middle, *p.phrase(middle, ":|namely|, namely|, i.e .|, that is ,")):
                for end, listed in values.value_list(p, after, table, x, True):
                    yield p.note(i, end, "a list of values"), among(x, listed)
    for start in p.phrase(i, "any|a|an|some"):
        for middle, x in _named(p, start, table):
            for after in p.phrase(middle, phrases.BUT_FOR):
                for end, listed in values.value_list(p, after, table, x, True):
                    yield p.note(i, end, "none of these"), negate(among(x, listed))


def _named(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, Expression]]:
    for start in (i, *p.phrase(i, phrases.SO_MANY_OF_THEM)):
        of_rows = (end for end, noun in nouns.table_noun(p, start) if noun == table)  # "contract statuses"
        for end, name in (found for begin in (start, *of_rows) for found in nouns.named_column(p, begin, table)):
            x = Column(name=name)
            if kind_of_expression(p.schema, table, x) == "text":
                yield from ((last, x) for last in (end, *nouns.of_this_row(p, end, table)))
                yield from ((last, x) for last in p.phrase(end, "code|value"))


@rule
def of_value(p: Parse, i: Position, table: str, x: Expression) -> Found:
    """The same, said of a value: "(must be) one of these statuses: …", "one of the following three values: …"."""
    if kind_of_expression(p.schema, table, x) not in ("text", "integer", "number", "mixed"):
        return
    for end, condition in one_of_these(p, i, table):
        if isinstance(condition, OneOf) and condition.of == x:
            yield end, condition
    for start in p.seq_ends(i, phrases.ONE_OF_THESE, f"?{phrases.SO_MANY_OF_THEM}", phrases.KINDS_OF_VALUES):
        for after in (start, *p.phrase(start, ":|namely|, namely|, i.e .")):
            for end, listed in values.value_list(p, after, table, x, True):
                yield p.note(i, end, "a list of values"), among(x, listed)


def no_others(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, Claim]]:
    """Like "We only know three room types: …", "As currency we accept EUR and USD, and no other"."""
    for start in p.phrase(i, phrases.WE_ONLY_KNOW):
        for middle, x in _named(p, start, table):
            for after in (middle, *p.phrase(middle, ":|, namely|namely|- |, i.e .")):
                for end, listed in values.value_list(p, after, table, x, True):
                    if len(listed) > 1:
                        yield p.note(i, end, "one of these"), claims.demand(table, among(x, listed))
    yield from _accepted_as(p, i, table)
    yield from _and_no_others(p, i, table)


def _and_no_others(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, Claim]]:
    """Like "Grades are A, B and C; no other grade is allowed"."""
    for middle, x in nouns.own_column(p, i, table):
        for start in p.phrase(middle, "be|be only|be either|may be|must be|can be"):
            for after, listed in values.value_list(p, start, table, x, True):
                for end in _no_other(p, after, table, x) if len(listed) > 1 else ():
                    yield p.note(i, end, "one of these"), claims.demand(table, among(x, listed))


def _no_other(p: Parse, i: Position, table: str, x: Expression) -> Iterator[Position]:
    yield from p.phrase(i, phrases.AND_NO_OTHER)
    for start in p.phrase(i, phrases.BEFORE_NO_OTHER):
        named = (end for end, other in nouns.own_column(p, start, table) if other == x)
        for middle in (*p.phrase(start, phrases.KINDS_OF_VALUES), *named):
            yield from p.phrase(middle, phrases.VALUES_ALLOWED)
            yield from p.phrase(middle, "exist")


def _accepted_as(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, Claim]]:
    for start in p.seq_ends(i, "as", f"?{words.ARTICLE}|{words.POSSESSIVE}"):
        for middle, x in nouns.column(p, start, table):
            for after, only in _we_accept(p, middle):
                for end, listed in values.value_list(p, after, table, x, True):
                    said = (end,) if only else p.phrase(end, f"{phrases.AND_NO_OTHER}|{phrases.ANYTHING_ELSE_IS_WRONG}")
                    for last in said:
                        yield p.note(i, last, "one of these"), claims.demand(table, among(x, listed))


def _we_accept(p: Parse, i: Position) -> Iterator[tuple[Position, bool]]:
    yield from ((end, True) for end in p.phrase(i, phrases.WE_ONLY_ACCEPT))
    yield from ((end, False) for end in p.phrase(i, "we accept|we allow|we use|we know|we have|we take"))
