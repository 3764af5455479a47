"""The day on which somebody reaches an age: "before the donor turned 18", "after they reach the age of 65"."""

from collections.abc import Iterator

from pandas_magic.constraints.algebra.expressions import Arithmetic, Column, Expression, Lookup, Span
from pandas_magic.planner.grammar import nouns
from pandas_magic.planner.grammar.chart import Parse, Position, rule
from pandas_magic.planner.grammar.meaning import join_along
from pandas_magic.planner.grammar.values import number

_REACH = "turn|have turned|reach the age of|have reached the age of|become|be"
_BIRTH = ("birth", "date")


@rule
def reached(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, Expression]]:
    """Like "the donor turned 18", "they are 18 years old": so many years after the birth."""
    for middle, born in _births(p, i, table):
        for start in p.phrase(middle, _REACH):
            for end, years in number(p, start):
                last = (*p.phrase(end, "years old|year old|years of age"),)
                plain = p.tokens[start - 1].low not in ("is", "are", "was", "were", "be")
                for stop in last or ((end,) if plain else ()):
                    birthday = Arithmetic(sign="+", left=born, right=Span(amount=years, unit="years"))
                    yield p.note(i, stop, f"{years:g} years after birth"), birthday


def _births(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, Expression]]:
    own = p.schema.called(table, _BIRTH)
    there = [(link, date) for link in p.schema.links(table) for date in p.schema.called(link.parent, _BIRTH)]
    pronoun = tuple(p.phrase(i, "they|he|she"))
    for date in own:
        yield from ((end, Column(name=date)) for end in (*pronoun, *nouns.this_table(p, i, table)))
    if len(there) == 1 and not own:
        for link, date in there:
            born = Lookup(join=join_along(link), of=Column(name=date))
            yield from ((end, born) for end in pronoun)
    for end, link in nouns.parent(p, i, table):
        for date in p.schema.called(link.parent, _BIRTH):
            yield end, Lookup(join=join_along(link), of=Column(name=date))


def theirs(p: Parse, i: Position) -> Iterator[tuple[Position, int]]:
    """Like "before their 18th birthday": how many years."""
    for start in p.phrase(i, "before their|before his|before her|before the"):
        token, behind = p.at(start), p.at(start + 1)
        if token is not None and behind is not None and behind.low == "birthday" and token.low[:-2].isdigit():
            yield p.note(i, start + 2, "a birthday"), int(token.low[:-2])
