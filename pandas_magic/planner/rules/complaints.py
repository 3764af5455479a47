"""What is wrong today, before what should be: "scan_id has duplicates, should be unique", "due_on is missing - …".

Only the demand is read, and only where the complaint is its exact opposite.
"""

from collections.abc import Iterator

from pandas_magic.constraints.conditions import Condition, Present, Unique
from pandas_magic.constraints.expressions import Expression
from pandas_magic.planner.rules import claims, clauses, nouns, phrases, whole_rows
from pandas_magic.planner.rules import lexicon as words
from pandas_magic.planner.rules.chart import Parse, Position
from pandas_magic.planner.rules.logic import for_must, negate
from pandas_magic.planner.rules.meaning import Claim

Found = Iterator[tuple[Position, Claim]]


def complained(p: Parse, i: Position, table: str) -> Found:
    """The demand behind the complaint about the same value."""
    yield from whole_rows.complained(p, i, table)
    for middle, x in nouns.own_column(p, i, table):
        for after, wrong in _complaint(p, middle, table, x):
            for start in p.phrase(after, phrases.BUT_IT):
                noted = p.note(middle, start, "what is wrong today")
                for end, condition in clauses.value_phrase(p, noted, table, x, "must"):
                    if for_must(condition) == for_must(negate(wrong)):
                        yield end, claims.demand(table, condition)


def _complaint(p: Parse, i: Position, table: str, x: Expression) -> Iterator[tuple[Position, Condition]]:
    said = list(clauses.value_phrase(p, i, table, x, "is"))
    said += [(end, negate(Present(of=x))) for end in p.phrase(i, words.MISSING)]
    said += [(end, negate(Unique(by=(x,)))) for end in p.phrase(i, phrases.HAS_DUPLICATES)]
    for end, condition in said:
        yield end, condition
        for start in p.phrase(end, "in|within|among|on"):
            yield from ((last, condition) for last in nouns.this_table(p, start, table))
        yield from ((last, condition) for last in p.phrase(end, phrases.IN_SOME_ROWS))
