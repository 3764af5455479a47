"""Rows that should have moved on: "no request should still be open more than 30 days after it was made"."""

from collections.abc import Iterator

from pandas_magic.constraints.algebra.conditions import Compare, Condition
from pandas_magic.constraints.algebra.expressions import Expression, Now
from pandas_magic.planner.grammar import arithmetic, claims, comparisons, modifiers, phrases, rows
from pandas_magic.planner.grammar import lexicon as words
from pandas_magic.planner.grammar.chart import Parse, Position
from pandas_magic.planner.grammar.logic import both
from pandas_magic.planner.grammar.meaning import Claim, kind_of_expression
from pandas_magic.planner.grammar.values import shifted, span

Found = Iterator[tuple[Position, Claim]]


def still_so(p: Parse, i: Position, table: str) -> Found:
    """The claim that rows of which something still holds are not older than that."""
    openings = [(start, words.MAY + "|" + words.MUST) for start in p.phrase(i, words.NO)]
    for begin, said in (*openings, (i, phrases.MUST_NOT)):
        for middle, found in rows.rows(p, begin):
            for start in p.seq_ends(middle, said, "still") if found.table == table else ():
                for after, state in _state(p, start, table):
                    for end, limit in _since(p, after, table):
                        noted = p.note(start, end, "counted up to the time of the run")
                        yield noted, claims.demand(table, limit, both(found.where, state))


def _state(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, Condition]]:
    for start in p.phrase(i, "be|have"):
        yield from rows.adjectives(p, start, table)
        for after in (start, *p.phrase(start, phrases.BEFORE_ROW_VALUE)):
            yield from modifiers.in_value(p, after, table)


def _since(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, Condition]]:
    for end, (length, date) in p.seq(
        i, "more than|longer than|over|later than", span, "after|since|past", lambda p, i: _date(p, i, table)
    ):
        yield end, Compare(relation=">=", left=date, right=shifted(Now(), "-", length))


def _date(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, Expression]]:
    for end, of in (*arithmetic.expression(p, i, table), *comparisons.date_of_event(p, i, table)):
        if kind_of_expression(p.schema, table, of) == "datetime":
            yield end, of
