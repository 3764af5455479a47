"""Ranges between two values of the row referred to: "between the start date and the end date of the policy"."""

from collections.abc import Callable, Iterator

from pandas_magic.constraints.algebra.expressions import Column, Expression, Lookup
from pandas_magic.planner.grammar import nouns, phrases
from pandas_magic.planner.grammar.chart import Parse, Position
from pandas_magic.planner.grammar.meaning import join_along
from pandas_magic.planner.grammar.schema import Link

Pair = Iterator[tuple[Position, tuple[Expression, Expression]]]


def pair(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, Expression, Expression]]:
    """Like "The start date and the end date of the policy": both are the policy's."""
    for start in (i, *p.phrase(i, "the")):
        for end, (first, second) in _of_one_parent(p, start, table, "and|to|until|till"):
            yield end, first, second
    for middle, link in nouns.parent(p, i, table):
        of_it = _column_of(link)
        for end, (first, second) in p.seq(middle, "?'s|'", of_it, "and|to|until|till", "?its|the", of_it):
            yield end, *_looked_up(link, first, second)


def outside(p: Parse, i: Position, table: str) -> Pair:
    """Like "outside the period from start_date to end_date of the policy", "before the start or after the end of …"."""
    for start in p.phrase(i, phrases.OUTSIDE_A_PERIOD):
        yield from ((end, (low, high)) for end, low, high in pair(p, start, table))
    yield from _before_or_after(p, i, table, "or|or be|or fall|or lie|nor")


def neither(p: Parse, i: Position, table: str) -> Pair:
    """Like "neither before the start date nor after the end date of the policy"."""
    for start in p.phrase(i, "neither"):
        yield from _before_or_after(p, start, table, "nor")


def _before_or_after(p: Parse, i: Position, table: str, joint: str) -> Pair:
    for start in p.seq_ends(i, "before|earlier than|prior to", "?the"):
        yield from _of_one_parent(p, start, table, joint, "after|later than|past")


def _of_one_parent(p: Parse, i: Position, table: str, *joint: str) -> Pair:
    """A column, what joins them, another column, "of", and the row in which both are looked up."""
    for link in p.schema.links(table):
        column = _column_of(link)
        parts = (column, *joint, "?the", column, "of", lambda p, i: nouns.parent(p, i, table))
        for end, (first, second, found) in p.seq(i, *parts):
            if found == link:
                yield end, _looked_up(link, first, second)


def _column_of(link: Link) -> Callable[[Parse, Position], Iterator[tuple[Position, str]]]:
    return lambda p, i: nouns.named_column(p, i, link.parent)


def _looked_up(link: Link, first: str, second: str) -> tuple[Expression, Expression]:
    join = join_along(link)
    return Lookup(join=join, of=Column(name=first)), Lookup(join=join, of=Column(name=second))
