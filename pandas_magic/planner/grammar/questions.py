"""Rules asked as questions: "Is every email a valid email address?", "Which users have no orders?"."""

from collections.abc import Iterator

from pandas_magic.constraints.algebra.conditions import All, Condition
from pandas_magic.planner.grammar import claims, clauses, phrases, polite_questions, prohibitions, rows
from pandas_magic.planner.grammar.chart import Parse, Position, rule
from pandas_magic.planner.grammar.logic import negate, without_presence
from pandas_magic.planner.grammar.meaning import Claim, Rows

Found = Iterator[tuple[Position, Claim]]
_MODALS = ("must", "should", "shall", "may", "can", "could", "might", "will", "would")


@rule
def question(p: Parse, i: Position, table: str) -> Found:
    """What the question hopes for: yes of all rows, no of any, and nothing to list; up to its question mark."""
    if not any(token.text == "?" for token in p.tokens):
        return
    yield from _hoped_for(p, i, table)
    yield from _unwanted(p, i, table)
    yield from polite_questions.asked(p, i, table)


def _hoped_for(p: Parse, i: Position, table: str) -> Found:
    """Like "Is every email …?", "Do all orders have a user?": it must be so."""
    for start in p.seq_ends(i, "be", phrases.EACH_ONE):
        for middle, (x, where) in claims.value_subject(p, p.note(i, start, "it must be so"), table):
            said = ((after, condition) for after, (condition, _) in clauses.qualities_of(p, middle, table, x))
            for after, condition in _plain(p, middle, said):
                yield from ((end, claims.demand(table, condition, where)) for end in p.phrase(after, "?"))
    for start in p.seq_ends(i, "do", phrases.EACH_ONE):
        noted = p.note(i, start, "it must be so")
        for middle, (x, where) in claims.value_subject(p, noted, table):
            for after, condition in _plain(p, middle, clauses.value_phrase(p, middle, table, x, "is")):
                # It asks about the values that there are, not whether there is one.
                asked = without_presence(condition, x) if isinstance(condition, All) else condition
                yield from ((end, claims.demand(table, asked, where)) for end in p.phrase(after, "?"))
        for middle, found in rows.plain_rows(p, noted):
            for after, condition in (
                _plain(p, middle, clauses.row_phrase(p, middle, table, "is")) if found.table == table else ()
            ):
                yield from ((end, claims.demand(table, condition, found.where)) for end in p.phrase(after, "?"))


def _plain(p: Parse, i: Position, said: Iterator[tuple[Position, Condition]]) -> Iterator[tuple[Position, Condition]]:
    return ((end, condition) for end, condition in said if polite_questions.is_plain(p, i, end))


def _unwanted(p: Parse, i: Position, table: str) -> Found:
    """Like "Are there any orders without a user?", "Which users …?": there must be none."""
    for after, found in _asked_for(p, i, table):
        if found.table == table:
            for end in _asked(p, after):
                yield from claims.forbidden(p.note(i, end, "there must be none"), found)
    for after, found in rows.rows(p, i):
        for begin in p.phrase(after, "?") if found.table == table else ():
            for end in p.phrase(begin, phrases.NONE_OF_THOSE):
                yield from claims.forbidden(p.note(after, end, "there must be none"), found)
    for start in p.phrase(i, phrases.ARE_THERE):
        for after, condition in prohibitions.adjective_and_column(p, start, table):
            for end in _asked(p, after):
                yield p.note(i, end, "there must be none"), claims.demand(table, negate(condition))


def _asked_for(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, Rows]]:
    for start in p.phrase(i, phrases.ARE_THERE):
        yield from rows.rows(p, start)
    for start in p.phrase(i, "which|what"):
        for middle, found in rows.subject_rows(p, start):
            if found.table != table or any(token.low in _MODALS for token in p.tokens[middle : middle + 3]):
                continue  # "Which cars must have a price?" asks for the rule itself
            for after, condition in clauses.row_phrase(p, middle, table, "is"):
                yield after, claims.narrowed(found, condition)


def _asked(p: Parse, i: Position) -> Iterator[Position]:
    for end in p.phrase(i, "?"):
        yield end
        yield from p.phrase(end, f"{phrases.NONE_OF_THOSE}|{phrases.LIST_THEM}")
