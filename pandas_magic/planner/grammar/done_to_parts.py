"""What was done to a part of a row, told by its date: "the licence was last checked" for licence_checked_on."""

from collections.abc import Iterator
from itertools import islice

from pandas_magic.constraints.algebra.conditions import Condition, Present
from pandas_magic.constraints.algebra.expressions import Column
from pandas_magic.planner.grammar import comparisons, moods, nouns
from pandas_magic.planner.grammar.chart import Parse, Position, position, rule
from pandas_magic.planner.grammar.logic import both, negate
from pandas_magic.planner.grammar.morphology import name_words, word_forms

Found = Iterator[tuple[Position, Condition]]
_DONE = "be|have been|get|have last been|be last|be most recently|have most recently been|be being|last be"
_PREPOSITIONS = frozenset(["on", "at", "date", "time", "day"])
_LONGEST_PART = 2  # words


def part_done(p: Parse, i: Position, table: str, mood: str) -> Found:
    """Like "the licence was checked more than 180 days ago", "the licence must have been checked in the last year"."""
    for start in (i, *p.phrase(i, nouns.DETERMINER)):
        for middle, said in islice(nouns.spans(p, start), _LONGEST_PART):
            here = position(middle, start.trace)
            for begin, negated in moods.head(p, here, mood) if _is_part(p, table, said) else ():
                for verb in p.phrase(begin, _DONE):
                    perfect = "been" in (token.low for token in p.tokens[begin:verb])
                    for end, condition in _done_when(p, verb, table, said, perfect=perfect):
                        yield end, negate(condition) if negated else condition


@rule
def having_part_done(p: Parse, i: Position, table: str) -> Found:
    """Behind "must": "have had the licence checked within the last 180 days"."""
    for start in p.phrase(i, "have had|have|get|have got"):
        for begin in (start, *p.phrase(start, nouns.DETERMINER)):
            for middle, said in islice(nouns.spans(p, begin), _LONGEST_PART):
                if _is_part(p, table, said):
                    yield from _done_when(p, position(middle, begin.trace), table, said, perfect=True)


def _is_part(p: Parse, table: str, said: tuple[str, ...]) -> bool:
    return any(name_words(date)[: len(said)] == said for date in p.schema.dates(table))


def _done_when(p: Parse, i: Position, table: str, said: tuple[str, ...], *, perfect: bool) -> Found:
    """Behind the part: "checked before 2026"; with `perfect` it must have been checked at all."""
    token = p.at(i)
    if token is None or token.kind != "word":
        return
    for date in p.schema.dates(table):
        name = name_words(date)
        rest = name[len(said) + 1 :]
        if name[: len(said)] != said or len(name) == len(said) or not _PREPOSITIONS.issuperset(rest):
            continue
        if not (token.forms & word_forms(name[len(said)])) or not token.low.endswith(("d", "t", "n")):
            continue
        of = Column(name=date)
        noted = p.note(i, i + 1, f'the date "{date}"')
        for end, condition in comparisons.comparison(p, noted, table, of):
            joined = both(Present(of=of), condition) if perfect else condition
            assert joined is not None
            yield end, joined
        if perfect:
            yield noted, Present(of=of)
