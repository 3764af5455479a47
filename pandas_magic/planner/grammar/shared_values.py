"""A value that several rows share: "two sellers with the same IBAN are not allowed", "used by more than one seller"."""

from collections.abc import Iterator

from pandas_magic.constraints.algebra.conditions import Unique
from pandas_magic.planner.grammar import another_row, claims, nouns, phrases, possession, qualities, rows
from pandas_magic.planner.grammar import lexicon as words
from pandas_magic.planner.grammar.chart import Parse, Position
from pandas_magic.planner.grammar.meaning import Claim

Found = Iterator[tuple[Position, Claim]]


def shared(p: Parse, i: Position, table: str) -> Found:
    """That no value, or combination of values, stands in two rows."""
    yield from _two_with_the_same(p, i, table)
    yield from _by_more_than_one(p, i, table)
    yield from _duplicates_by(p, i, table)
    yield from _of_any_two(p, i, table)


def _duplicates_by(p: Parse, i: Position, table: str) -> Found:
    """Like "There are no duplicate visits by room and slot", "visits have no duplicates by room and slot"."""
    begun = [
        (end, found.where)
        for start in p.seq_ends(i, phrases.NO_SUCH, "duplicate|duplicated|double|repeated")
        for end, found in rows.plain_rows(p, start)
        if found.table == table
    ]
    for middle, found in rows.rows(p, i):
        if found.table == table:
            begun += [(end, found.where) for end in p.seq_ends(middle, phrases.MUST_NOT, "have|contain", _DUPLICATES)]
            begun += [
                (end, found.where) for end in p.seq_ends(middle, f"?{words.MUST}", "have|contain", _NO_DUPLICATES)
            ]
    for middle, where in begun:
        for start in p.phrase(middle, phrases.COMPARED_BY):
            for after, names in possession.column_list(p, start, table):
                for end, by in qualities.unique_scope(p, after, table, names):
                    yield p.note(i, end, "no two agree in these"), claims.demand(table, Unique(by=by), where)


_DUPLICATES = "duplicates|any duplicates|duplicate rows|duplicate entries"
_NO_DUPLICATES = "no duplicates|no duplicate rows|no duplicate entries|no repetitions"


def _of_any_two(p: Parse, i: Position, table: str) -> Found:
    """Like "For any two orders, the order ids must be different"."""
    for start in p.phrase(i, "for/in/of any two|for any two different|for two different|given any two|of two|for two"):
        for middle, found in rows.plain_rows(p, start):
            for begin in (middle, *p.phrase(middle, ",")) if found.table == table else ():
                for after, names in possession.column_list(p, begin, table):
                    for end in p.phrase(after, phrases.BE_DIFFERENT) if len(names) == 1 else ():
                        yield p.note(i, end, "no two agree"), claims.demand(table, Unique(by=names), found.where)


def _two_with_the_same(p: Parse, i: Position, table: str) -> Found:
    """Like "Two sellers with the same IBAN are not allowed"."""
    for start in p.phrase(i, phrases.TWO_ROWS):
        for middle, found in rows.plain_rows(p, start):
            for begin in p.phrase(middle, phrases.WITH_THE_SAME) if found.table == table else ():
                columns = (*possession.column_list(p, begin, table), *another_row.alike_columns(p, begin, table))
                for after, names in columns:
                    for last, by in qualities.unique_scope(p, after, table, names):
                        bad = p.seq_ends(last, phrases.TO_BE_BAD, words.NOT_ACCEPTED)
                        for end in (*bad, *p.phrase(last, words.BE_BAD)):
                            yield p.note(i, end, "no two agree"), claims.demand(table, Unique(by=by), found.where)


def _by_more_than_one(p: Parse, i: Position, table: str) -> Found:
    """Like "No shop name may be used by more than one seller", "the same plate must not appear on two cars"."""
    openings = [(end, phrases.MAY_BE) for end in p.phrase(i, f"{words.NO}|{phrases.THERE_IS_NO}")]
    openings += [(end, phrases.NEVER_BY_TWO) for end in (i, *p.phrase(i, "the same|one and the same|a|an|any|the"))]
    for start, mood in openings:
        for middle, x in nouns.own_column(p, start, table):
            relative = p.seq_ends(middle, "that|which", f"?{mood}", phrases.STAND_IN, phrases.MORE_THAN_ONE_ROW)
            denied = mood is phrases.MAY_BE
            for begin in (
                *p.seq_ends(middle, mood, phrases.STAND_IN, phrases.MORE_THAN_ONE_ROW),
                *(relative if denied else ()),
            ):
                for end, found in rows.plain_rows(p, begin):
                    for last, by in qualities.unique_scope(p, end, table, (x,)) if found.table == table else ():
                        yield p.note(i, last, "no two rows share it"), claims.demand(table, Unique(by=by), found.where)
