"""Totals and averages in groups, with their period before, behind or apart: "for each meter and month the sum of …"."""

from collections.abc import Iterator

from pandas_magic.constraints.algebra.conditions import All, Compare, Condition
from pandas_magic.constraints.algebra.expressions import Column, Expression, Group
from pandas_magic.planner.grammar import (
    children,
    claims,
    clauses,
    comparisons,
    counting,
    group_sums,
    nouns,
    periodic_totals,
    phrases,
)
from pandas_magic.planner.grammar import lexicon as words
from pandas_magic.planner.grammar.chart import Parse, Position
from pandas_magic.planner.grammar.logic import negate
from pandas_magic.planner.grammar.meaning import Claim, kind_of_expression

Found = Iterator[tuple[Position, Claim]]
_NUMERIC = ("integer", "number")


def limited(p: Parse, i: Position, table: str) -> Found:
    """What is demanded of a total in each group."""
    yield from _period_behind(p, i, table)
    yield from _group_before(p, i, table)
    yield from _too_much(p, i, table)
    yield from _summed_up(p, i, table)


def _summed_up(p: Parse, i: Position, table: str) -> Found:
    """Like "The price of a guest summed up over each month must be at most 1000"."""
    for middle, of in nouns.own_column(p, i, table):
        for start in p.phrase(middle, f"{phrases.OF_ONE}|of a|of an"):
            for after, keys in counting.group_keys(p, start, table):
                for added in p.phrase(after, phrases.ADDED_UP):
                    for begin, more in group_sums.and_per(p, added, table):
                        if kind_of_expression(p.schema, table, of) not in _NUMERIC or of in (*keys, *more):
                            continue
                        x = Group(statistic="sum", of=of, by=(*keys, *more))
                        for end, condition in clauses.value_phrase(p, begin, table, x, "must"):
                            yield p.note(i, end, "the sum in each group"), claims.demand(table, condition)


def _period_behind(p: Parse, i: Position, table: str) -> Found:
    """Like "The total price of a guest must not exceed 1000 in a month of the arrival"."""
    for middle, x in counting.statistic(p, i, table):
        if isinstance(x, Group) and x.of is not None:
            for after, condition in clauses.value_phrase(p, middle, table, x, "must"):
                for end, more in group_sums.and_per(p, after, table) if _is_limit(condition) else ():
                    if more and not set(more) & set(x.by):
                        whole = x.model_copy(update={"by": (*x.by, *more)})
                        yield p.note(i, end, "in each group"), claims.demand(table, children.on(condition, whole))


def _is_limit(condition: Condition) -> bool:
    parts = condition.conditions if isinstance(condition, All) else (condition,)
    return all(isinstance(part, Compare) for part in parts)


def _group_before(p: Parse, i: Position, table: str) -> Found:
    """Like "For each guest and each month of the arrival, the sum of the price has to be 1000 or less"."""
    for start in p.phrase(i, phrases.FOR_EACH_GROUP):
        for middle, keys in counting.group_keys(p, start, table):
            if keys == (Column(name=p.schema.key(table) or ""),):
                continue
            for after in (middle, *p.phrase(middle, ",")):
                for begin, x in periodic_totals.statistic_of(p, after, table, keys):
                    for end, condition in clauses.value_phrase(p, begin, table, x, "must"):
                        yield p.note(i, end, "in each group"), claims.demand(table, condition)


def _too_much(p: Parse, i: Position, table: str) -> Found:
    """Like "Monthly totals of the price above 1000 per guest are not permitted"."""
    for start in (i, *p.phrase(i, "the|a|any")):
        for middle, x in (*periodic_totals.periodic(p, start, table), *counting.statistic(p, start, table)):
            if not isinstance(x, Group) or x.of is None:
                continue
            for begin in (middle, *p.phrase(middle, "of")):
                for after, condition in comparisons.comparison(p, begin, table, x):
                    for end, keys in _behind(p, after, table):
                        by = tuple(dict.fromkeys((*keys, *x.by)))
                        for last in (
                            *p.seq_ends(end, phrases.TO_BE_BAD, words.NOT_ACCEPTED),
                            *p.phrase(end, words.BE_BAD),
                        ):
                            judged = children.on(condition, x.model_copy(update={"by": by}))
                            if by and _is_limit(condition):
                                yield p.note(i, last, "must not be"), claims.demand(table, negate(judged))


def _behind(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, tuple[Expression, ...]]]:
    yield i, ()
    for start in p.phrase(i, phrases.OF_ONE):
        yield from counting.group_keys(p, start, table)


def of_those_adding_up(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, Condition]]:
    """Like "(stays) of guests whose price adds up to more than 1000 in the month of arrival"."""
    for start in p.phrase(i, "of|from|by|for"):
        for middle, link in nouns.parent(p, start, table):
            for after in p.phrase(middle, "whose|with a|where the|where"):
                for begin, of in nouns.own_column(p, after, table):
                    numeric = kind_of_expression(p.schema, table, of) in _NUMERIC
                    for then in p.phrase(begin, phrases.ADD_UP_TO) if numeric else ():
                        sum_of = Group(statistic="sum", of=of, by=(Column(name=link.column),))
                        for last, condition in comparisons.comparison(p, then, table, sum_of):
                            for end, more in group_sums.and_per(p, last, table) if _is_limit(condition) else ():
                                whole = sum_of.model_copy(update={"by": (*sum_of.by, *more)})
                                yield p.note(i, end, "the sum in each group"), children.on(condition, whole)
