"""Rows that refer to this one, all but some: "tickets for an event, not counting refunded ones"."""

from collections.abc import Iterator

from pandas_magic.constraints.algebra.conditions import Compare, Condition, Not, Present
from pandas_magic.constraints.algebra.expressions import Column
from pandas_magic.planner.grammar import column_kinds, events, modifiers, nouns, phrases, rows
from pandas_magic.planner.grammar.chart import Parse, Position
from pandas_magic.planner.grammar.logic import any_of, both, negate
from pandas_magic.planner.grammar.schema import Link

Children = Iterator[tuple[Position, tuple[Link, Condition | None]]]


def children_but(p: Parse, i: Position, table: str) -> Children:
    """The rows that refer to this one, also without those that the sentence leaves out behind."""
    for end, (link, where) in rows.children(p, i, table):
        yield end, (link, where)
        yield from _without_some(p, end, link, where)


def _without_some(p: Parse, i: Position, link: Link, where: Condition | None) -> Children:
    named = [found for start in p.phrase(i, phrases.NOT_COUNTING) for found in those(p, start, link.table)]
    for end, said in (*named, *_named_behind(p, i, link.table)):
        kept = _is_not(said)
        if kept is not None:
            for last in (end, *p.phrase(end, ",|)")):
                yield p.note(i, last, f"all other rows of {link.table}"), (link, both(where, kept))


def _named_behind(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, Condition]]:
    """Like ", cancelled ones excluded", "(refunded ones not counted)"."""
    for start in p.phrase(i, ",|("):
        for middle, said in those(p, start, table):
            for end in p.phrase(middle, phrases.LEFT_OUT_BEHIND):
                yield end, said


def those(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, Condition]]:
    """Rows narrowed down: "refunded ones", "those that are cancelled", "the ones without a note"."""
    for end, found in rows.rows(p, i):
        if found.table == table and found.where is not None:
            yield end, found.where
    for start in (i, *p.phrase(i, nouns.DETERMINER)):
        for end, said in rows.adjectives(p, start, table):
            yield from ((last, said) for last in p.phrase(end, "one"))
    for start in p.phrase(i, "those|the one|one|for those|for one|for the one"):
        yield from modifiers.modifier(p, start, table)


def exceptions(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, Condition]]:
    """Rows that are excepted; one "with status lost" has a status, so that the rule holds for those without."""
    found = list(those(p, i, table))
    for end, said in found:
        had = both(Present(of=said.left), said) if isinstance(said, Compare) and isinstance(said.left, Column) else None
        if not any(int(other) == int(end) and one == had for other, one in found):
            yield end, said


def _is_not(said: Condition) -> Condition | None:
    """Rows that are not so, or of which it is not known; None for conditions that are not simple enough to turn."""
    if isinstance(said, Compare) and isinstance(said.left, Column) and said.relation == "==":
        return any_of(Not(condition=Present(of=said.left)), negate(said))
    return negate(said) if isinstance(said, Present | Not) else None


def made_of_this(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, tuple[str, Link, Condition | None]]]:
    """Like "quantity dispensed from a batch": the verb says which rows refer to this one."""
    for child in p.schema.tables:
        for link in p.schema.links_to(child, table):
            for middle, column in _numbers_made(p, i, child):
                for start in p.phrase(middle, phrases.OF_THIS):
                    for begin in (start, *p.phrase(start, nouns.DETERMINER)):
                        for end, noun in nouns.table_noun(p, begin):
                            if noun == table:
                                yield end, (column, link, None)
                                for last, (_, where) in _without_some(p, end, link, None):
                                    yield last, (column, link, where)


def _numbers_made(p: Parse, i: Position, child: str) -> Iterator[tuple[Position, str]]:
    """A number of the child's rows with the verb that makes them, in front or behind."""
    for middle, column in nouns.named_column(p, i, child):
        if p.schema.kind(child, column) in ("integer", "number"):
            yield from ((end, column) for end in events.done_to_rows(p, middle, child))
    for end, said in column_kinds.said_before(p, i, child):
        if isinstance(said, Column) and any(True for _ in events.done_to_rows(p, i, child)):
            yield end, said.name
