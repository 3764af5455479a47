"""Questions that ask for a check: "Could you flag orders without a user?", "Do any two tickets share a barcode?"."""

from collections.abc import Iterator

from pandas_magic.planner.grammar import claims, clauses, phrases, possession, prohibitions, rows, uniqueness
from pandas_magic.planner.grammar import lexicon as words
from pandas_magic.planner.grammar.chart import Parse, Position
from pandas_magic.planner.grammar.meaning import Claim, Rows, as_claim

Found = Iterator[tuple[Position, Claim]]


def asked(p: Parse, i: Position, table: str) -> Found:
    """What is asked for, up to its question mark."""
    yield from _please(p, i, table)
    for end, found in (
        *_any_so(p, i, table),
        *_any_has(p, i, table),
        *_two_alike(p, i, table),
        *_always_so(p, i, table),
    ):
        for last in p.phrase(end, "?"):
            yield last, found


def _please(p: Parse, i: Position, table: str) -> Found:
    """Like "Could you flag …?", "Can you make sure that …?"."""
    for start in p.phrase(i, phrases.COULD_YOU):
        flagged = list(prohibitions.flagged(p, start, table))
        ensured = [found for begin in p.phrase(start, words.CEREMONY) for found in claims.claim(p, begin, table)]
        for end, found in (*flagged, *uniqueness.combination(p, start, table), *ensured):
            yield from ((last, found) for last in p.phrase(end, "?"))


def _any_so(p: Parse, i: Position, table: str) -> Found:
    """Like "Do any bookings have a status other than paid?", "Is any title longer than 60 characters?"."""
    for start in p.phrase(i, "do any|do any of the|be any|be any of the"):
        noted = p.note(i, start, "there must be none")
        for middle, found in rows.plain_rows(p, noted) if p.tokens[i].low not in ("is", "are", "be") else ():
            for end, condition in clauses.row_phrase(p, middle, table, "is") if found.table == table else ():
                if is_plain(p, middle, end):
                    yield end, as_claim(Rows(table, found.where), condition)
        for middle, (x, where) in claims.value_subject(p, noted, table):
            if p.tokens[i].low in ("is", "are"):
                said = [(end, condition) for end, (condition, _) in clauses.qualities_of(p, middle, table, x)]
            else:
                said = list(clauses.value_phrase(p, middle, table, x, "is"))
            for end, condition in said:
                if is_plain(p, middle, end):
                    yield end, as_claim(Rows(table, where), condition)


def _any_has(p: Parse, i: Position, table: str) -> Found:
    """Like "Has any event more bookings than its capacity?"."""
    for start in p.phrase(i, "have any"):
        for middle, found in rows.plain_rows(p, p.note(i, start, "there must be none")):
            for end, condition in possession.had(p, middle, table) if found.table == table else ():
                yield end, as_claim(Rows(table, found.where), condition)


def _two_alike(p: Parse, i: Position, table: str) -> Found:
    """Like "Do any two tickets share a barcode?"."""
    for start in p.phrase(i, "do any|be there any|be there|do"):
        yield from uniqueness.shared_by_two(p, start, table)


def _always_so(p: Parse, i: Position, table: str) -> Found:
    """Like "Is the status always paid or open?", "Has every event at least one booking?"."""
    for start in p.phrase(i, "be"):
        for middle, (x, where) in claims.value_subject(p, start, table):
            for after in p.phrase(middle, "always"):
                for end, (condition, _) in clauses.qualities_of(p, after, table, x):
                    if is_plain(p, after, end):
                        yield p.note(i, end, "it must be so"), claims.demand(table, condition, where)
    for start in p.seq_ends(i, "have", phrases.EACH_ONE):
        for middle, found in rows.plain_rows(p, start):
            for begin in (middle, *p.phrase(middle, "got")) if found.table == table else ():
                for end, condition in possession.had(p, begin, table):
                    yield p.note(i, end, "it must be so"), claims.demand(table, condition, found.where)


def is_plain(p: Parse, i: Position, end: Position) -> bool:
    """Nothing is denied from `i` to `end`; what "Do any orders not have a note?" hopes for is open."""
    return not any(token.low in ("not", "never") for token in p.tokens[i:end])
