"""How many different values the rows that refer to this one have: "readings from at least four different sensors"."""

from collections.abc import Iterator

from pandas_magic.constraints.algebra.conditions import Compare, Condition
from pandas_magic.constraints.algebra.expressions import Column, Rollup
from pandas_magic.planner.grammar import children, constants, moods, nouns, phrases, rows
from pandas_magic.planner.grammar import lexicon as words
from pandas_magic.planner.grammar.chart import Parse, Position
from pandas_magic.planner.grammar.logic import negate
from pandas_magic.planner.grammar.meaning import join_down
from pandas_magic.planner.grammar.schema import Link

Found = Iterator[tuple[Position, Condition]]
_PREPOSITIONS = frozenset(("in", "from", "at", "to", "across", "over"))


def whose_differ(p: Parse, i: Position, table: str) -> Found:
    """Like "(customers whose) accounts have more than 2 distinct currencies", "accounts are in three countries"."""
    for middle, children_of in rows.children(p, i, table):
        yield from _so_many_different(p, middle, children_of)


def limited(p: Parse, i: Position, table: str) -> Found:
    """Like "the accounts of a customer must be in at most 2 different currencies", asked of the customers."""
    for middle, children_of in rows.children(p, i, table) if p.target == table else ():
        if not _names(p, i, middle, table):
            continue
        allowed = [(end, False) for end in p.phrase(middle, words.MAY)]
        for start, negated in (*moods.head(p, middle, "must"), *allowed):
            if negated and moods.half_negated(p, middle):
                continue
            for end, condition in _so_many_different(p, start, children_of):
                if isinstance(condition, Compare) and (condition.relation in ("<", "<=")) != negated:
                    yield end, negate(condition) if negated else condition


def _names(p: Parse, i: Position, end: Position, table: str) -> bool:
    """The words name the row that the others refer to: "the accounts of a customer"."""
    return any(noun == table for place in range(i, end) for _, noun in nouns.table_noun(p, Position(place)))


def _so_many_different(p: Parse, i: Position, children_of: tuple[Link, Condition | None]) -> Found:
    link, where = children_of
    for verb in p.phrase(i, phrases.ARE_SPREAD):
        for start in (verb, *p.phrase(verb, "in|over|across|from|at|to")):
            prepositional = p.tokens[start - 1].low in _PREPOSITIONS
            for after, apply in children.counts_ahead(p, start, link.parent):
                for end, of in _different(p, after, link, prepositional=prepositional):
                    count = Rollup(statistic="distinct", join=join_down(link), of=of, where=where)
                    yield from apply(count, p.note(i, end, f"how many different ones in {link.table}"))


def _different(p: Parse, i: Position, link: Link, *, prepositional: bool) -> Iterator[tuple[Position, Column]]:
    """Different values of a column of theirs; "in two currencies" needs no "different"."""
    for begin in p.phrase(i, "different|distinct|separate|unique"):
        for end, of in constants.columns(p, begin, link.table):
            if of != Column(name=link.column) and isinstance(of, Column):
                yield end, of
    for end, of in constants.columns(p, i, link.table) if prepositional else ():
        if of != Column(name=link.column) and isinstance(of, Column) and p.schema.kind(link.table, of.name) == "text":
            yield end, of


def of_different(p: Parse, i: Position, table: str) -> Found:
    """Behind "have" or "deliver": rows of another table, and from how many different ones they are."""
    for middle, (link, where) in rows.children(p, i, table):
        for start in p.phrase(middle, "from|of|in|with|by|on|at|for|through|via|to"):
            for after, apply in children.counts_ahead(p, start, table):
                for end, of in _different(p, after, link, prepositional=p.tokens[start - 1].low in _PREPOSITIONS):
                    count = Rollup(statistic="distinct", join=join_down(link), of=of, where=where)
                    yield from apply(count, p.note(i, end, f"how many different ones in {link.table}"))
