"""Notes about several rows together: "parcels per courier: max 7", "check_in: max 4 bookings per day"."""

from collections.abc import Callable, Iterator

from pandas_magic.constraints.algebra.conditions import Compare, Condition
from pandas_magic.constraints.algebra.expressions import DatePart, Expression, Group, Rollup
from pandas_magic.constraints.algebra.rules import Tolerance
from pandas_magic.planner.grammar import (
    children,
    claims,
    comparisons,
    counting,
    kinds_of_rows,
    nouns,
    rows,
    tolerances,
)
from pandas_magic.planner.grammar import lexicon as words
from pandas_magic.planner.grammar.chart import Parse, Position
from pandas_magic.planner.grammar.logic import has_window
from pandas_magic.planner.grammar.meaning import Claim, Rows, as_claim, join_down, kind_of_expression
from pandas_magic.planner.grammar.values import percentage, whole

Found = Iterator[tuple[Position, Claim]]
Demands = Callable[[Parse, Position, str], Found]
_PER = "per|by|for each|for every"


def of_groups(p: Parse, i: Position, table: str) -> Found:
    """Limits without a verb on how many rows belong together, and on how many may be so."""
    yield from _rows_per(p, i, table)
    yield from _one_per(p, i, table)
    yield from _on_each_day(p, i, table)
    yield from _so_few(p, i, table)
    yield from _value_per_row(p, i, table)


def _rows_per(p: Parse, i: Position, table: str) -> Found:
    """Like "parcels per courier: max 7"; asked of the couriers where those are the rows to judge."""
    for begin in (i, *p.phrase(i, "number of|count of|the number of")):
        for middle, found in rows.plain_rows(p, begin):
            for start in p.phrase(middle, _PER):
                counts = _group_counts(p, start, table) if found.table == table else _own_counts(p, start, table, found)
                for after, count in counts:
                    for end, condition in _judged(p, after, table, count):
                        yield end, claims.demand(table, condition, found.where if found.table == table else None)


def _group_counts(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, Expression]]:
    yield from ((end, Group(statistic="count", by=keys)) for end, keys in counting.group_keys(p, i, table))


def _own_counts(p: Parse, i: Position, table: str, found: Rows) -> Iterator[tuple[Position, Expression]]:
    for link in p.schema.links_to(found.table, table) if p.target == table else ():
        for end in nouns.this_table(p, i, table):
            yield end, Rollup(statistic="count", join=join_down(link), where=found.where)


def _judged(p: Parse, i: Position, table: str, count: Expression) -> Iterator[tuple[Position, Condition]]:
    """Behind what is counted: ": max 7", "<= 7"."""
    for start in (i, *p.phrase(i, ":")):
        for end, condition in comparisons.comparison(p, start, table, count):
            if isinstance(condition, Compare):
                yield end, condition


def _one_per(p: Parse, i: Position, table: str) -> Found:
    """Like "readings: max one per meter + reading_date", behind the table's name alone."""
    if i == 0 or p.tokens[i - 1].text != ":":
        return
    for middle, judge in children.counts_ahead(p, i, table):
        for start in p.phrase(middle, _PER):
            for after, keys in counting.group_keys(p, start, table):
                for end, condition in judge(Group(statistic="count", by=keys), after):
                    if isinstance(condition, Compare) and condition.relation in ("<", "<="):
                        yield p.note(i, end, "how many rows of the group"), claims.demand(table, condition)


def _on_each_day(p: Parse, i: Position, table: str) -> Found:
    """Like "check_in: max 4 bookings per day", where the column says which date is meant."""
    for middle, x in nouns.own_column(p, i, table):
        if kind_of_expression(p.schema, table, x) != "datetime":
            continue
        for start in p.phrase(middle, ":"):
            for after, judge in children.counts_ahead(p, start, table):
                for begin, found in kinds_of_rows.counted_rows(p, after, table):
                    for last in p.seq_ends(begin, "per|a|each|every|on any|on one", "day|date|calendar day"):
                        by = (DatePart(part="date", of=x),)
                        for end, condition in judge(Group(statistic="count", by=by), last):
                            if isinstance(condition, Compare) and condition.relation in ("<", "<="):
                                yield p.note(i, end, "on each day"), claims.demand(table, condition, found.where)


def _so_few(p: Parse, i: Position, table: str) -> Found:
    """Like "customers w/o phone: max 5", "rejected claims: max 10 % of all claims"."""
    for middle, found in rows.plain_rows(p, i):
        if found.table != table or found.where is None or has_window(found.where):
            continue
        for start in p.seq_ends(middle, ":", words.AT_MOST):
            accepted = [(end, Tolerance(max_rows=count)) for end, count in whole(p, start)]
            for after, share in percentage(p, start):
                accepted += [(end, Tolerance(max_share=share)) for end in (after, *_of_all(p, after, table))]
            for end, tolerance in accepted:
                none = as_claim(Rows(table), found.where)
                yield p.note(middle, end, "so many are accepted"), tolerances.tolerating(none, tolerance)


def _of_all(p: Parse, i: Position, table: str) -> Iterator[Position]:
    for start in p.phrase(i, "of|of all|of the|of all the"):
        yield from (end for end, _ in rows.same_rows(p, start, table))


def in_so_many(p: Parse, i: Position, table: str, demands: Demands) -> Found:
    """Like "reference filled in >= 95 % of transactions": the claim, and how many rows have to comply."""
    if not any(token.text in ("%", "percent", "per", "pct") for token in p.tokens):
        return
    for before, found in demands(p, i, table):
        for start in p.phrase(before, "in|for|on|with|, in|, for") if found.tolerance is None else ():
            for middle, (share,) in p.seq(start, words.AT_LEAST, percentage):
                for end in _of_all(p, middle, table):
                    noted = p.note(start, end, "so many rows at least have to comply")
                    yield noted, tolerances.tolerating(found, Tolerance(max_share=tolerances.share_left(share)))


def _value_per_row(p: Parse, i: Position, table: str) -> Found:
    """Like "mean transaction amount per account <= 700", "sum of claim_amount per policy: max 5000"."""
    for middle, x in counting.statistic(p, i, table):
        for start in p.phrase(middle, ":"):
            for end, condition in comparisons.comparison(p, start, table, x):
                yield end, claims.demand(table, condition)
