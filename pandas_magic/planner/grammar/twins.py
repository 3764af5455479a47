"""Rows that may not agree, as what is forbidden: "two visits with the same room and the same day are not permitted"."""

from collections.abc import Iterator

from pandas_magic.constraints.algebra.conditions import Unique
from pandas_magic.planner.grammar import claims, phrases, possession, qualities, rows, uniqueness
from pandas_magic.planner.grammar import lexicon as words
from pandas_magic.planner.grammar.chart import Parse, Position
from pandas_magic.planner.grammar.meaning import Claim

Found = Iterator[tuple[Position, Claim]]


def forbidden_twins(p: Parse, i: Position, table: str) -> Found:
    """Behind "two" or "several": rows with the same values, and that this is not permitted."""
    for start in p.phrase(i, phrases.TWO_ROWS):
        for middle, found in rows.plain_rows(p, start):
            for begin in p.phrase(middle, phrases.HAVING) if found.table == table else ():
                alike = [*uniqueness.each_the_same(p, begin, table)]
                for then in p.phrase(begin, phrases.THE_SAME):
                    alike += possession.column_list(p, then, table)
                for after, by in alike:
                    for end, keys in qualities.unique_scope(p, after, table, by):
                        for last in (
                            *p.seq_ends(end, phrases.TO_BE_BAD, words.NOT_ACCEPTED),
                            *p.phrase(end, words.BE_BAD),
                        ):
                            claim = claims.demand(table, Unique(by=keys), found.where)
                            yield p.note(i, last, "no two agree in these"), claim
