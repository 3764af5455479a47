"""Conditions that are judged: "If the amount is negative, the record is invalid", "when …, it must be reported"."""

from collections.abc import Iterator

from pandas_magic.planner.grammar import claims, nouns, phrases, statements
from pandas_magic.planner.grammar import lexicon as words
from pandas_magic.planner.grammar.chart import Parse, Position
from pandas_magic.planner.grammar.meaning import Claim, Rows

Found = Iterator[tuple[Position, Claim]]
_BAD = f"{words.NOT_ACCEPTED}|{phrases.ALSO_BAD}"


def judged(p: Parse, i: Position, table: str) -> Found:
    """The claim that the condition in front of the verdict is never true."""
    for start in p.phrase(i, words.IF):
        for middle, condition in statements.condition(p, p.note(i, start, "what follows must not be"), table):
            for begin in p.phrase(middle, phrases.THEN_AT_ONCE):
                for end in verdict(p, begin, table):
                    noted = p.note(middle, end, "there must be no such rows")
                    yield from claims.forbidden(noted, Rows(table, condition))


def verdict(p: Parse, i: Position, table: str) -> Iterator[Position]:
    """Like "it is an error", "that row must be flagged", "the order is not valid", "report it"."""
    yield from p.phrase(i, phrases.REPORT_IT)
    this = (*p.phrase(i, phrases.THIS_ROW), *nouns.this_table(p, i, table))
    for start in this:
        yield from p.seq_ends(start, phrases.TO_BE_BAD, _BAD)
        yield from p.phrase(start, words.BE_BAD)
