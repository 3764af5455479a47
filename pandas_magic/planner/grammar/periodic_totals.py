"""Totals and averages of a month, a quarter, a year or a day: "the monthly total of the price per guest"."""

from collections.abc import Iterator

from pandas_magic.constraints.algebra.expressions import Column, DatePart, Expression, Group
from pandas_magic.planner.grammar import counting, nouns, phrases
from pandas_magic.planner.grammar.chart import Parse, Position, rule
from pandas_magic.planner.grammar.meaning import kind_of_expression
from pandas_magic.planner.grammar.values import statistic_word

_NUMERIC = ("integer", "number")
_PERIODS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("monthly|per month", ("year", "month")),
    ("quarterly", ("year", "quarter")),
    ("yearly|annual", ("year",)),
    ("daily", ("date",)),
)


def statistic_of(
    p: Parse, i: Position, table: str, keys: tuple[Expression, ...]
) -> Iterator[tuple[Position, Expression]]:
    """Like "the sum of the price", in the groups of these keys."""
    for start in (i, *p.phrase(i, "the|its|their")):
        for middle, (_, name) in statistic_word(p, start):
            for end, (of,) in p.seq(
                middle, "?of|over|of all|of the|of its", lambda p, i: nouns.own_column(p, i, table)
            ):
                if kind_of_expression(p.schema, table, of) in _NUMERIC and of not in keys:
                    yield p.note(i, end, f"the {name}"), Group(statistic=name, of=of, by=keys)


@rule
def periodic(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, Expression]]:
    """Like "the monthly total of the price per guest", "monthly sums of the price"."""
    date = p.schema.first_date(table)
    for said, parts in _PERIODS:
        for start in p.phrase(i, said):
            for middle, x in statistic_of(p, start, table, ()):
                for end, (keys, day) in _per(p, middle, table):
                    of = day or (Column(name=date) if date is not None else None)
                    if of is not None and isinstance(x, Group):
                        period = tuple(DatePart(part=part, of=of) for part in parts)
                        yield (
                            p.note(i, end, f"of each {parts[-1]} of {of.name}"),
                            x.model_copy(update={"by": (*keys, *period)}),
                        )


def _per(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, tuple[tuple[Expression, ...], Column | None]]]:
    """Behind a periodic total: "per guest, by arrival date"."""
    yield i, ((), None)
    for start in p.phrase(i, phrases.OF_ONE):
        for end, keys in counting.group_keys(p, start, table):
            if not any(isinstance(key, DatePart) for key in keys):
                yield end, (keys, None)
                yield from ((last, (keys, day)) for last, day in _going_by(p, end, table))
    yield from ((last, ((), day)) for last, day in _going_by(p, i, table))


def _going_by(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, Column]]:
    for start in p.phrase(i, phrases.GOING_BY):
        for middle, of in nouns.own_column(p, start, table):
            if isinstance(of, Column) and kind_of_expression(p.schema, table, of) == "datetime":
                yield from ((end, of) for end in (middle, *p.phrase(middle, ",|)")))
