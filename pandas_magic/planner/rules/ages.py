"""How old somebody is when something happens: "at least 21 years old on the day of pickup"."""

from collections.abc import Iterator

from pandas_magic.constraints.conditions import Condition, Relation
from pandas_magic.constraints.expressions import Arithmetic, Column, Expression, Lookup, Span
from pandas_magic.planner.rules import comparisons, moods, nouns
from pandas_magic.planner.rules import lexicon as words
from pandas_magic.planner.rules.chart import Parse, Position
from pandas_magic.planner.rules.logic import negate
from pandas_magic.planner.rules.meaning import compare, join_along, kind_of_expression
from pandas_magic.planner.rules.values import number

_AT = "on the day of|at the time of|at|on|as of|by|on the date of|when|at the moment of|by the time of"
_NAMES = ("birth", "date")


def aged_then(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, Condition]]:
    """Behind nothing: "the customer must be at least 21 years old on the day of pickup", said of the table's rows."""
    for middle, born in _births(p, i, table):
        for start, negated in moods.head(p, middle, "must"):
            for begin in p.phrase(start, "be|have been"):
                for end, condition in _then(p, begin, table, born):
                    yield end, negate(condition) if negated else condition


def _births(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, Expression]]:
    for middle, link in nouns.parent(p, i, table):
        for date in p.schema.called(link.parent, _NAMES):
            yield middle, Lookup(join=join_along(link), of=Column(name=date))
    for middle in nouns.this_table(p, i, table):
        for date in p.schema.called(table, _NAMES):
            yield middle, Column(name=date)


def _then(p: Parse, i: Position, table: str, born: Expression) -> Iterator[tuple[Position, Condition]]:
    sides: tuple[tuple[Relation, str], ...] = (
        *comparisons.RELATIONS[:4],
        (">", "older than"),
        ("<", "younger than"),
    )
    for relation, said in sides:
        for end, (years,) in p.seq(i, said, number, f"?{words.AGE_WORDS}|old|years|year"):
            for last, (then,) in p.seq(end, _AT, lambda p, i: _moment_of(p, i, table)):
                birthday = Arithmetic(sign="+", left=born, right=Span(amount=years, unit="years"))
                found = compare(p.schema, table, then, relation, birthday)
                if found is not None and then != born:
                    yield (
                        p.note(i, last, f"{years:g} years after {born.name if isinstance(born, Column) else 'birth'}"),
                        found,
                    )


def _moment_of(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, Expression]]:
    for end, of in (*nouns.column(p, i, table), *comparisons.date_of_event(p, i, table)):
        if kind_of_expression(p.schema, table, of) == "datetime":
            yield end, of
