"""Short asides behind a note: ", no orphans", "(same policy)", "(customers)", ", null = fail", ", or null"."""

from collections.abc import Iterator

from pandas_magic.constraints.algebra.conditions import Compare, Exists, Present
from pandas_magic.constraints.algebra.expressions import Column, Lookup
from pandas_magic.constraints.algebra.tree import nodes
from pandas_magic.planner.grammar import nouns, phrases, possession
from pandas_magic.planner.grammar.chart import Parse, Position
from pandas_magic.planner.grammar.logic import both, columns_in, without_presence
from pandas_magic.planner.grammar.meaning import Claim

Found = Iterator[tuple[Position, Claim]]


def with_asides(p: Parse, i: Position, found: Claim) -> Found:
    """The claim, with what the aside behind it adds; nothing where there is none."""
    if found.tolerance is not None or i >= len(p.tokens) or p.tokens[i].text not in (",", "(", ";", "based"):
        return
    parts = list(nodes(found.must))
    for end in p.phrase(i, phrases.NO_ORPHANS) if any(isinstance(part, Exists) for part in parts) else ():
        yield p.note(i, end, "the same again"), found
    for start in p.phrase(i, "( same|( of the same|( for the same|, same|, of the same"):
        for part in parts:
            for noun, end in _tables(p, start) if isinstance(part, Lookup) else ():
                if isinstance(part, Lookup) and part.join.table == noun:
                    yield p.note(i, end, "the row it refers to"), found
    for start in p.phrase(i, "(|( in|( table|( the"):
        for noun, end in _tables(p, start):
            if noun == found.table and p.tokens[end - 1].text == ")":
                yield p.note(i, end, f"in {noun}"), found
    yield from _about_missing(p, i, found)
    yield from _going_by(p, i, found)


def _going_by(p: Parse, i: Position, found: Claim) -> Found:
    """Behind "was 18 or older when hired": ", based on birth_date and hire_date", which are what is compared."""
    used = columns_in(found.must) | (columns_in(found.where) if found.where is not None else set())
    for start in p.phrase(i, phrases.GOING_BY):
        for middle, names in possession.column_list(p, start, found.table):
            for end in (middle, *p.phrase(middle, ")")):
                if used.issuperset(names):
                    yield p.note(i, end, "which columns are meant"), found


def _about_missing(p: Parse, i: Position, found: Claim) -> Found:
    columns = {part.left for part in nodes(found.must) if isinstance(part, Compare) and isinstance(part.left, Column)}
    for end in p.phrase(i, phrases.NULL_FAILS) if len(columns) == 1 else ():
        must = both(Present(of=next(iter(columns))), found.must)
        assert must is not None
        yield p.note(i, end, "missing values break it, too"), Claim(found.table, must, found.where)
    for end in p.phrase(i, phrases.OR_NULL):
        must = without_presence(found.must)
        if not isinstance(must, Present):
            yield p.note(i, end, "missing values are not judged"), Claim(found.table, must, found.where)


def _tables(p: Parse, i: Position) -> Iterator[tuple[str, Position]]:
    for start in (i, *p.phrase(i, nouns.DETERMINER)):
        for end, noun in nouns.table_noun(p, start):
            yield from ((noun, last) for last in (end, *p.phrase(end, ")")))
