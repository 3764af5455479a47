"""A value against what is typical of rows like its own: "more than twice the average of its species"."""

from collections.abc import Iterator

from pandas_magic.constraints.algebra.expressions import Arithmetic, Column, Expression, Group, Statistic, Value
from pandas_magic.planner.grammar import counting, nouns, phrases, rows
from pandas_magic.planner.grammar.chart import Parse, Position, rule
from pandas_magic.planner.grammar.meaning import kind_of_expression
from pandas_magic.planner.grammar.values import number, percentage, statistic_word

Found = Iterator[tuple[Position, Expression]]
_FACTORS = (("twice|double|two times", 2.0), ("half|half of", 0.5), ("three times|triple", 3.0))


@rule
def typical(p: Parse, i: Position, table: str, x: Expression) -> Found:
    """Behind what a column is compared with: "twice the average of its species", "150 % of the median of all rows"."""
    if not isinstance(x, Column) or kind_of_expression(p.schema, table, x) not in ("integer", "number"):
        return
    yield from _statistic(p, i, table, x)
    for middle, times in _times(p, i):
        for end, of in _statistic(p, middle, table, x):
            yield end, Arithmetic(sign="*", left=of, right=Value(value=int(times) if times == int(times) else times))


def _times(p: Parse, i: Position) -> Iterator[tuple[Position, float]]:
    for said, times in _FACTORS:
        yield from ((end, times) for end in p.phrase(i, said))
    for end, (found,) in p.seq(i, number, "times|×|x"):
        yield end, found
    for end, (share,) in p.seq(i, percentage, "of"):
        yield end, share


def _statistic(p: Parse, i: Position, table: str, x: Column) -> Found:
    """The mean, the median … of the column itself, in the group of the row or in the whole table."""
    for start in (i, *p.phrase(i, "the|the overall|its|their")):
        for middle, (_, name) in statistic_word(p, start):
            noted = p.note(start, middle, f"the {name} of {x.name}")
            for after in (noted, *_its_own_name(p, noted, table, x)) if name in ("mean", "median") else ():
                yield from _among(p, after, table, x, name)


def _its_own_name(p: Parse, i: Position, table: str, x: Column) -> Iterator[Position]:
    yield from (end for end, of in nouns.own_column(p, i, table) if of == x)


def _among(p: Parse, i: Position, table: str, x: Column, name: Statistic) -> Found:
    for start in p.phrase(i, phrases.OF_ITS_KIND):
        for end, by in counting.group_keys(p, start, table):
            if x not in by:
                yield p.note(i, end, "of the rows of its group"), Group(statistic=name, of=x, by=by)
    for start in p.phrase(i, "of all|over all|across all|of all the|of the whole"):
        for end, _ in rows.same_rows(p, start, table):
            yield p.note(i, end, "of all rows of the table"), Group(statistic=name, of=x)
