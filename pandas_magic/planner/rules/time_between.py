"""How much time lies between two dates of a row: "the time from a to b", "at most 90 days between a and b"."""

from collections.abc import Iterator

from pandas_magic.constraints.conditions import Condition, Relation
from pandas_magic.constraints.expressions import Arithmetic, Expression, Span
from pandas_magic.planner.rules import comparisons, nouns, phrases
from pandas_magic.planner.rules.chart import Parse, Position, rule
from pandas_magic.planner.rules.meaning import compare, kind_of_expression
from pandas_magic.planner.rules.values import span

Found = Iterator[tuple[Position, Condition]]


def interval(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, Expression]]:
    """Like "the time between order date and ship date", "the period from a to b": the second less the first."""
    for start in p.phrase(i, phrases.TIME_THAT_PASSES):
        for end, passed in _from_to(p, start, table):
            yield p.note(i, end, "from the first date to the second"), passed


@rule
def _from_to(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, Expression]]:
    """Like "between a and b", "from a until b of an order"."""
    for opening, joint in (("between", "and"), ("from", "to|until|till|up to"), ("after", "until|till|before")):
        for start in p.phrase(i, opening):
            for middle, first in _date(p, start, table):
                for after in p.phrase(middle, joint):
                    for end, second in _date(p, after, table):
                        if first != second:
                            passed = Arithmetic(sign="-", left=second, right=first)
                            yield end, passed
                            yield from ((last, passed) for last in nouns.of_this_row(p, end, table))


def _date(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, Expression]]:
    for end, x in nouns.column(p, i, table):
        if kind_of_expression(p.schema, table, x) == "datetime":
            yield end, x
    for start in (i, *p.phrase(i, phrases.THE_DAY_WHEN)):
        yield from comparisons.date_of_event(p, start, table)


def limits_of_time(p: Parse, i: Position) -> Iterator[tuple[Position, tuple[Relation, Span]]]:
    """Like "at most 90 days", "90 days or less"."""
    for relation, said in comparisons.RELATIONS[:4]:
        for end, (length,) in p.seq(i, said, span):
            yield p.note(i, end, relation), (relation, length)
    for middle, length in span(p, i):
        sides: tuple[tuple[Relation, str], ...] = ((">=", phrases.OR_MORE), ("<=", phrases.OR_LESS))
        for relation, said in sides:
            yield from ((end, (relation, length)) for end in p.phrase(middle, said))


@rule
def so_long_between(p: Parse, i: Position, table: str) -> Found:
    """Like "more than 90 days between signing date and start date"."""
    for middle, limit in limits_of_time(p, i):
        yield from apart(p, middle, table, limit)


def apart(p: Parse, i: Position, table: str, limit: tuple[Relation, Span]) -> Found:
    """Behind the limit: "between signing date and start date"."""
    for end, passed in _from_to(p, i, table):
        found = compare(p.schema, table, passed, limit[0], limit[1])
        if found is not None:
            yield end, found


def so_long_passes(p: Parse, i: Position, table: str) -> Found:
    """Like "more than 90 days lie between a and b", said of a row in a condition."""
    for middle, limit in limits_of_time(p, i):
        for start in p.phrase(middle, phrases.PASS):
            yield from apart(p, start, table, limit)
