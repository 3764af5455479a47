"""Words that a sentence explains itself: "open rentals, meaning those without a return date", "(not yet returned)"."""

from collections.abc import Iterator

from pandas_magic.constraints.algebra.conditions import Condition
from pandas_magic.planner.grammar import lexicon as words
from pandas_magic.planner.grammar import modifiers, nouns, phrases, possession, row_predicates, rows, statements
from pandas_magic.planner.grammar.chart import Parse, Position, position
from pandas_magic.planner.grammar.logic import negate
from pandas_magic.planner.grammar.meaning import Rows


def defined(p: Parse, i: Position) -> Iterator[tuple[Position, Rows]]:
    """Like "open rentals (no return date)", where "open" has no other meaning."""
    token = p.at(i)
    if token is None or token.kind != "word" or token.low in words.RESERVED_VALUES:
        return
    for middle, table in nouns.table_noun(p, position(i + 1, i.trace)):
        if any(True for _ in rows.adjectives(p, i, table)):
            continue
        for end, found in (*_in_rows(p, middle, table), *_in_brackets(p, middle, table)):
            yield p.note(i, end, f'what "{token.text}" means is said'), found


def _in_rows(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, Rows]]:
    """Like ", meaning rentals without a return date"."""
    for start in p.phrase(i, phrases.MEANING):
        for end, found in rows.rows(p, start):
            if found.table == table and found.where is not None:
                yield from ((last, found) for last in (end, *p.phrase(end, ")|,")))


def _in_brackets(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, Rows]]:
    for start in p.phrase(i, "(|( i.e .|( i . e .|( i.e|( meaning|( that is|( that is ,"):
        for end, where in _meant(p, start, table):
            yield from ((last, Rows(table, where)) for last in p.phrase(end, ")"))


def _meant(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, Condition]]:
    """Like "no return date", "without a return date", "return date is missing", "not yet returned"."""
    if p.tokens[i].low == "no":
        yield from possession.had(p, i, table)
    yield from modifiers.modifier(p, i, table)
    yield from statements.condition(p, i, table)
    for start in p.phrase(i, "not yet|not|never"):
        done = (*row_predicates.row_predicate(p, start, table), *rows.adjectives(p, start, table))
        yield from ((end, negate(where)) for end, where in done)
