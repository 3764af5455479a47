"""Ranges between two values of the row referred to: "between the start date and the end date of the policy"."""

from collections.abc import Iterator

from pandas_magic.constraints.expressions import Column, Expression, Lookup
from pandas_magic.planner.rules import nouns, phrases
from pandas_magic.planner.rules.chart import Parse, Position
from pandas_magic.planner.rules.meaning import join_along

Pair = Iterator[tuple[Position, tuple[Expression, Expression]]]


def pair(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, Expression, Expression]]:
    """Like "The start date and the end date of the policy": both are the policy's."""
    for link in p.schema.links(table):
        for end, (first, second, owner) in p.seq(
            i,
            "?the",
            lambda p, i, link=link: nouns.named_column(p, i, link.parent),
            "and|to|until|till",
            "?the",
            lambda p, i, link=link: nouns.named_column(p, i, link.parent),
            "of",
            lambda p, i: nouns.parent(p, i, table),
        ):
            if owner == link:
                join = join_along(link)
                yield end, Lookup(join=join, of=Column(name=first)), Lookup(join=join, of=Column(name=second))
    for middle, link in nouns.parent(p, i, table):
        for end, (first, second) in p.seq(
            middle,
            "?'s|'",
            lambda p, i, link=link: nouns.named_column(p, i, link.parent),
            "and|to|until|till",
            "?its|the",
            lambda p, i, link=link: nouns.named_column(p, i, link.parent),
        ):
            join = join_along(link)
            yield end, Lookup(join=join, of=Column(name=first)), Lookup(join=join, of=Column(name=second))


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
    for link in p.schema.links(table):
        for end, (first, second, owner) in p.seq(
            i,
            "before|earlier than|prior to",
            "?the",
            lambda p, i, link=link: nouns.named_column(p, i, link.parent),
            joint,
            "after|later than|past",
            "?the",
            lambda p, i, link=link: nouns.named_column(p, i, link.parent),
            "of",
            lambda p, i: nouns.parent(p, i, table),
        ):
            if owner == link:
                join = join_along(link)
                yield end, (Lookup(join=join, of=Column(name=first)), Lookup(join=join, of=Column(name=second)))
