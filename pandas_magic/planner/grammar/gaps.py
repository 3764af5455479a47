"""Gaps in a numbering, named as things: "there must be no gaps in the order ids"."""

from collections.abc import Iterator

from pandas_magic.planner.grammar import lexicon as words
from pandas_magic.planner.grammar import nouns, phrases, sequences
from pandas_magic.planner.grammar.chart import Parse, Position
from pandas_magic.planner.grammar.meaning import Claim

Found = Iterator[tuple[Position, Claim]]


def announced(p: Parse, i: Position, table: str) -> Found:
    """Like "There must be no gaps in the order ids", "Are there any gaps in the order ids?"."""
    for start in p.phrase(i, phrases.NO_GAPS_IN):
        for middle, x in nouns.own_column(p, start, table):
            for end, keys in ((middle, ()), *sequences.scope(p, middle, table)):
                for last in (end, *p.phrase(end, phrases.FIRST_TO_LAST)):
                    yield from sequences.gapless(p, i, last, table, x, keys)
    yield from _gaps_are_bad(p, i, table)
    for start in p.phrase(i, "be there [any] gaps/gap in/between|be there a gap in/between"):
        for middle, x in nouns.own_column(p, start, table):
            for end, keys in ((middle, ()), *sequences.scope(p, middle, table)):
                for last in p.phrase(end, "?"):
                    yield from sequences.gapless(p, i, last, table, x, keys)


def _gaps_are_bad(p: Parse, i: Position, table: str) -> Found:
    """Like "Gaps in the numbering of the invoices are not permitted"."""
    for start in p.seq_ends(i, phrases.GAPS_ARE_BAD, f"?{phrases.THE_SERIES_OF}"):
        for middle, x in nouns.own_column(p, start, table):
            for end, keys in ((middle, ()), *sequences.scope(p, middle, table)):
                for last in (*p.seq_ends(end, phrases.TO_BE_BAD, words.NOT_ACCEPTED), *p.phrase(end, words.BE_BAD)):
                    yield from sequences.gapless(p, i, last, table, x, keys)
