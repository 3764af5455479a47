"""How auditors forbid: "it is not permitted to keep …", "the absence of a … is a finding", "shall hold no …"."""

from collections.abc import Iterator

from pandas_magic.constraints.algebra.conditions import Condition
from pandas_magic.planner.grammar import (
    claims,
    clauses,
    nouns,
    phrases,
    possession,
    prohibitions,
    row_predicates,
    rows,
    statements,
)
from pandas_magic.planner.grammar import lexicon as words
from pandas_magic.planner.grammar.chart import Parse, Position
from pandas_magic.planner.grammar.logic import any_of, negate
from pandas_magic.planner.grammar.meaning import Claim, Rows, as_claim

Found = Iterator[tuple[Position, Claim]]
_COUNTING = ("more", "fewer", "less", "at", "over", "under", "only", "exactly", "up", "several", "multiple", "many")


def audited(p: Parse, i: Position, table: str) -> Found:
    """What an auditor does not accept of the rows."""
    yield from _it_is_bad(p, i, table)
    yield from _absence(p, i, table)
    yield from _holds_none(p, i, table)
    yield from _not_accepted_as(p, i, table)


def _it_is_bad(p: Parse, i: Position, table: str) -> Found:
    """Like "It shall be prohibited that …", "it is inadmissible to store …", "it is a finding for an order to …"."""
    for middle in (*p.seq_ends(i, phrases.IT_IS, words.NOT_ACCEPTED), *p.phrase(i, phrases.IT_IS_NOT_ACCEPTED)):
        noted = p.note(i, middle, "what follows must not be")
        for start in p.phrase(noted, phrases.IF_SO):
            for end, condition in statements.condition(p, start, table):
                yield from claims.forbidden(end, Rows(table, condition))
        for start in p.phrase(noted, "for"):
            for after, found in rows.subject_rows(p, start):
                for begin in p.phrase(after, "to|to ever") if found.table == table else ():
                    for end, condition in row_predicates.row_predicate(p, begin, table):
                        yield end, as_claim(found, condition)
        yield from _for_a_value_to(p, noted, table)
        for start in p.phrase(noted, phrases.TO_KEEP):
            yield from _such(p, start, table)


def _for_a_value_to(p: Parse, i: Position, table: str) -> Found:
    """Behind "it is not acceptable": "for the phone to be missing"."""
    for start in p.phrase(i, "for"):
        for after, (x, where) in claims.value_subject(p, start, table):
            for begin in p.phrase(after, "to"):
                for end, condition in claims.not_negated(p, begin, clauses.value_phrase(p, begin, table, x, "is")):
                    yield end, as_claim(Rows(table, where), condition)


def _such(p: Parse, i: Position, table: str) -> Found:
    """Rows that must not be, or values: "customers without phone", "a negative price"."""
    token = p.at(i)
    if token is None or token.low in _COUNTING or possession.is_count(p, i):
        return  # "to enter more than one age" counts the ages
    for end, found in rows.subject_rows(p, i):
        if found.table == table:
            yield from claims.forbidden(end, found)
    for start in (i, *p.phrase(i, nouns.DETERMINER)):
        for end, condition in prohibitions.adjective_and_column(p, start, table):
            yield end, claims.demand(table, negate(condition))


def _absence(p: Parse, i: Position, table: str) -> Found:
    """Like "The absence of a phone is not permitted", "lack of an email is a finding"."""
    for start in p.phrase(i, phrases.ABSENCE_OF):
        for middle, parts in _things(p, start, table):
            for last in (*p.seq_ends(middle, phrases.TO_BE_BAD, words.NOT_ACCEPTED), *p.phrase(middle, words.BE_BAD)):
                yield p.note(i, last, "must be there"), claims.demand(table, negate(any_of(*map(negate, parts))))


def _things(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, list[Condition]]]:
    yield from ((end, [one]) for end, one in possession.thing(p, i, table))
    for end, parts in possession.things(p, i, table, possession.OR_A):
        if any(token.low == "or" for token in p.tokens[i:end]):
            yield end, parts


def _holds_none(p: Parse, i: Position, table: str) -> Found:
    """Like "The table shall contain no order without user"."""
    said = (*p.phrase(i, "the table|the data|the dataset|the data set|the file|the system"), *_the_table(p, i, table))
    for middle in said:
        for start in p.phrase(middle, phrases.MUST_HOLD_NO):
            yield from _such(p, p.note(i, start, "what follows must not be"), table)


def _the_table(p: Parse, i: Position, table: str) -> Iterator[Position]:
    yield from nouns.this_table(p, i, table)


def _not_accepted_as(p: Parse, i: Position, table: str) -> Found:
    """Like "No order is permitted without a user": what it must not be without."""
    for start in p.phrase(i, words.NO):
        for middle, found in rows.rows(p, start):
            for after in p.phrase(middle, phrases.ROWS_ALLOWED) if found.table == table else ():
                for end, condition in _narrowing(p, after, table):
                    yield p.note(i, end, "there must be no such rows"), as_claim(found, condition)


def _narrowing(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, Condition]]:
    from pandas_magic.planner.grammar import modifiers

    if any(True for _ in p.phrase(i, "without|with|with no|whose|where|lacking|having|that|which|after|before")):
        yield from modifiers.modifier(p, i, table)
