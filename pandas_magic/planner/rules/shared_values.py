"""A value that several rows share: "two sellers with the same IBAN are not allowed", "used by more than one seller"."""

from collections.abc import Iterator

from pandas_magic.constraints.conditions import Unique
from pandas_magic.planner.rules import claims, nouns, phrases, possession, qualities, rows
from pandas_magic.planner.rules import lexicon as words
from pandas_magic.planner.rules.chart import Parse, Position
from pandas_magic.planner.rules.meaning import Claim

Found = Iterator[tuple[Position, Claim]]


def shared(p: Parse, i: Position, table: str) -> Found:
    """That no value, or combination of values, stands in two rows."""
    yield from _two_with_the_same(p, i, table)
    yield from _by_more_than_one(p, i, table)


def _two_with_the_same(p: Parse, i: Position, table: str) -> Found:
    """Like "Two sellers with the same IBAN are not allowed"."""
    for start in p.phrase(i, phrases.TWO_ROWS):
        for middle, found in rows.plain_rows(p, start):
            for begin in p.phrase(middle, phrases.WITH_THE_SAME) if found.table == table else ():
                for after, names in possession.column_list(p, begin, table):
                    for last, by in qualities.unique_scope(p, after, table, names):
                        bad = p.seq_ends(last, phrases.TO_BE_BAD, words.BAD)
                        for end in (*bad, *p.phrase(last, words.BE_BAD)):
                            yield p.note(i, end, "no two agree"), claims.demand(table, Unique(by=by), found.where)


def _by_more_than_one(p: Parse, i: Position, table: str) -> Found:
    """Like "No shop name may be used by more than one seller", "the same plate must not appear on two cars"."""
    openings = [(end, phrases.MAY_BE) for end in p.phrase(i, words.NO)]
    openings += [(end, phrases.NEVER_BY_TWO) for end in (i, *p.phrase(i, "the same|one and the same|a|an|any|the"))]
    for start, mood in openings:
        for middle, x in nouns.own_column(p, start, table):
            for begin in p.seq_ends(middle, mood, phrases.STAND_IN, phrases.MORE_THAN_ONE_ROW):
                for end, found in rows.plain_rows(p, begin):
                    for last, by in qualities.unique_scope(p, end, table, (x,)) if found.table == table else ():
                        yield p.note(i, last, "no two rows share it"), claims.demand(table, Unique(by=by), found.where)
