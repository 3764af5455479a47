"""What is wrong today, before what should be: "scan_id has duplicates, should be unique", "due_on is missing - …".

Only the demand is read, and only where the complaint is its exact opposite.
"""

from collections.abc import Iterator

from pandas_magic.constraints.algebra.conditions import Condition, Present, Unique
from pandas_magic.constraints.algebra.expressions import Expression
from pandas_magic.planner.grammar import claims, clauses, nouns, phrases, prohibitions, rows, whole_rows
from pandas_magic.planner.grammar import lexicon as words
from pandas_magic.planner.grammar.chart import Parse, Position
from pandas_magic.planner.grammar.logic import for_must, negate
from pandas_magic.planner.grammar.meaning import Claim

Found = Iterator[tuple[Position, Claim]]


def complained(p: Parse, i: Position, table: str) -> Found:
    """The demand behind the complaint about the same value."""
    yield from whole_rows.complained(p, i, table)
    yield from _there_are(p, i, table)
    for middle, x in nouns.own_column(p, i, table):
        for after, wrong in _complaint(p, middle, table, x):
            for start in p.phrase(after, phrases.BUT_IT):
                noted = p.note(middle, start, "what is wrong today")
                for end, condition in clauses.value_phrase(p, noted, table, x, "must"):
                    if for_must(condition) == for_must(negate(wrong)):
                        yield end, claims.demand(table, condition)


def _there_are(p: Parse, i: Position, table: str) -> Found:
    """Like "There are duplicate barcodes, there should not be any"."""
    for start in p.phrase(i, "there be|there be some|there be several|there be many|we have|we have some|we found"):
        for middle, condition in prohibitions.adjective_and_column(p, start, table):
            for end in p.phrase(middle, phrases.FLAG_THEM):
                yield p.note(i, end, "there must be none"), claims.demand(table, negate(condition))
        for middle, found in rows.rows(p, start):
            for end in p.phrase(middle, phrases.FLAG_THEM) if found.table == table else ():
                yield from claims.forbidden(p.note(i, end, "there must be none"), found)


def _complaint(p: Parse, i: Position, table: str, x: Expression) -> Iterator[tuple[Position, Condition]]:
    said = list(clauses.value_phrase(p, i, table, x, "is"))
    said += [(end, negate(Present(of=x))) for end in p.phrase(i, words.MISSING)]
    said += [(end, negate(Unique(by=(x,)))) for end in p.phrase(i, phrases.HAS_DUPLICATES)]
    for end, condition in said:
        yield end, condition
        for start in p.phrase(end, "in|within|among|on"):
            yield from ((last, condition) for last in nouns.this_table(p, start, table))
        yield from ((last, condition) for last in p.phrase(end, phrases.IN_SOME_ROWS))
