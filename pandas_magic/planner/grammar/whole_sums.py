"""Statistics of a column over all rows, said without the word: "all costs together must not exceed 1000"."""

import re
from collections.abc import Iterator

from pandas_magic.constraints.algebra.conditions import Condition
from pandas_magic.constraints.algebra.expressions import Aggregate, Expression
from pandas_magic.planner.grammar import comparisons, moods, nouns, phrases, rows, whole_tables
from pandas_magic.planner.grammar.chart import Parse, Position
from pandas_magic.planner.grammar.logic import negate
from pandas_magic.planner.grammar.meaning import kind_of_expression
from pandas_magic.planner.grammar.values import number, percentage

Found = Iterator[tuple[Position, Condition]]
_NUMERIC = ("integer", "number", "duration")
_QUARTILES = {"first|lower": 0.25, "third|upper": 0.75}


def adding_up(p: Parse, i: Position, table: str) -> Found:
    """Like "The costs of all orders must add up to at most 1000", "all costs together must not exceed 1000"."""
    for middle, of in _all_values(p, i, table):
        total = Aggregate(statistic="sum", table=table, of=of)
        for start, negated in moods.head(p, middle, "must"):
            judged = list(whole_tables.said_of(p, start, table, total))
            for begin in p.phrase(start, phrases.ADD_UP_TO):
                judged += comparisons.counted(p, begin, table, total)
            for end, condition in judged:
                yield p.note(i, end, "the sum in the whole table"), negate(condition) if negated else condition


def _all_values(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, Expression]]:
    for start, all_said in ((i, False), *((end, False) for end in p.phrase(i, "the")), *_all(p, i)):
        for middle, of in nouns.own_column(p, start, table):
            if kind_of_expression(p.schema, table, of) not in _NUMERIC:
                continue
            ends = [middle] if all_said else []
            for after in p.phrase(middle, "of all|of all the|over all"):
                ends += [end for end, _ in rows.same_rows(p, after, table)]
            for end in ends:
                together = list(p.phrase(end, "together|taken together|in total|combined"))
                yield from ((last, of) for last in together)
                if any(True for _ in _adds(p, end)):
                    yield end, of


def _all(p: Parse, i: Position) -> Iterator[tuple[Position, bool]]:
    yield from ((end, True) for end in p.phrase(i, "all|all the|all of the"))


def _adds(p: Parse, i: Position) -> Iterator[Position]:
    for start, _ in moods.head(p, i, "must"):
        yield from p.phrase(start, "add up to|sum up to|sum to")


def quantile(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, Expression]]:
    """Like "the 95th percentile of the cost", "the 0.9 quantile of cost", "the third quartile of the cost"."""
    for start in (i, *p.phrase(i, "the")):
        for middle, share in _share(p, start):
            for begin in p.phrase(middle, "of|of the|of all|for|for the"):
                for end, of in nouns.own_column(p, begin, table):
                    if kind_of_expression(p.schema, table, of) in _NUMERIC:
                        found = Aggregate(statistic="quantile", table=table, of=of, quantile=share)
                        noted = p.note(i, end, f"the {share} quantile of the whole table")
                        yield noted, found
                        for after in p.phrase(noted, "of|of all|in|over|across"):
                            yield from ((last, found) for last in nouns.this_table(p, after, table))


def _share(p: Parse, i: Position) -> Iterator[tuple[Position, float]]:
    token = p.at(i)
    ordinal = re.fullmatch(r"(\d{1,2})(st|nd|rd|th)", token.low) if token is not None else None
    if ordinal:
        for end in p.phrase(p.note(i, i + 1, "so many of a hundred"), "percentile"):
            yield end, int(ordinal.group(1)) / 100
    for end, (found,) in p.seq(i, number, "quantile"):
        if 0 < found < 1:
            yield end, float(found)
    for end, (share,) in p.seq(i, percentage, "quantile|percentile"):
        yield end, share
    for said, part in _QUARTILES.items():
        for middle in p.phrase(i, said):
            yield from ((end, part) for end in p.phrase(middle, "quartile"))
