"""What holds in the other case: "room_no must be filled if location is gallery, otherwise it must be missing"."""

from collections.abc import Iterator

from pandas_magic.constraints.algebra.conditions import Condition
from pandas_magic.planner.grammar import claims, clauses, phrases, rows
from pandas_magic.planner.grammar.chart import Parse, Position
from pandas_magic.planner.grammar.logic import all_in, any_of, for_where, has_window, negate
from pandas_magic.planner.grammar.meaning import Claim

Found = Iterator[tuple[Position, Claim]]


def otherwise(p: Parse, i: Position, table: str, claim: Claim, *, begun: Position, where: Condition) -> Found:
    """Behind a claim that holds where `where` is true, and whose words began at `begun`: what holds elsewhere."""
    if claim.where is not None or claim.tolerance is not None or has_window(claim.must):
        return
    where = for_where(where) or where
    for start in p.phrase(i, phrases.OTHERWISE):
        noted = p.note(i, start, "where that is not so")
        for end, other in _other_demand(p, noted, table, begun):
            yield end, _either(table, where, claim.must, other)
    for start in p.phrase(i, "and|, and|but|, but|;"):
        for middle, other in _other_demand(p, start, table, begun):
            for end in (*p.phrase(middle, phrases.OTHERWISE_BEHIND), *_for_all_others(p, middle, table)):
                yield p.note(middle, end, "where that is not so"), _either(table, where, claim.must, other)


def _for_all_others(p: Parse, i: Position, table: str) -> Iterator[Position]:
    """Like "for all others", "for any other order"."""
    for start in p.phrase(i, phrases.FOR_ALL_OTHERS):
        yield from (start, *p.phrase(start, "one|ones"), *(end for end, _ in rows.same_rows(p, start, table)))


def _other_demand(p: Parse, i: Position, table: str, begun: Position) -> Iterator[tuple[Position, Condition]]:
    for end, found in claims.claim(p, i, table):
        if found.where is None and found.tolerance is None and not has_window(found.must):
            yield end, found.must
    for _, (x, where) in claims.value_subject(p, begun, table):
        if where is None:
            for start in (i, *p.phrase(i, "it|they|the value|this")):
                yield from clauses.value_phrase(p, start, table, x, "must")
            for end, (condition, _) in clauses.qualities_of(p, i, table, x):
                yield end, condition


def _either(table: str, where: Condition, must: Condition, other: Condition) -> Claim:
    return Claim(table, all_in((any_of(negate(where), must), any_of(where, other))))
