"""Limits on the time that passes between two dates of a row: "at most 90 days may lie between a and b"."""

from collections.abc import Iterator

from pandas_magic.planner.rules import claims, phrases, time_between
from pandas_magic.planner.rules import lexicon as words
from pandas_magic.planner.rules.chart import Parse, Position
from pandas_magic.planner.rules.logic import negate
from pandas_magic.planner.rules.meaning import Claim


def must_pass(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, Claim]]:
    """Like "At most 90 days may lie between a and b", "more than 5 days must not pass between a and b"."""
    for middle, limit in time_between.limits_of_time(p, i):
        upper = limit[0] in ("<", "<=")
        for start in p.seq_ends(middle, f"?{words.MUST}" + (f"|{words.MAY}" if upper else ""), phrases.PASS):
            yield from ((end, claims.demand(table, found)) for end, found in time_between.apart(p, start, table, limit))
        for start in p.seq_ends(middle, phrases.MUST_NOT, phrases.PASS) if not upper else ():
            yield from (
                (end, claims.demand(table, negate(found))) for end, found in time_between.apart(p, start, table, limit)
            )
        for end, found in time_between.apart(p, middle, table, limit):
            for last in (*p.seq_ends(end, phrases.TO_BE_BAD, words.NOT_ACCEPTED), *p.phrase(end, words.BE_BAD)):
                yield p.note(end, last, "must not be"), claims.demand(table, negate(found))
            for last in p.phrase(end, "be allowed|be permitted|be acceptable") if upper else ():
                yield last, claims.demand(table, found)
