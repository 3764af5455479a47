"""The order in which a table stands: "the rows of the tests table must be in ascending order of test_id"."""

from collections.abc import Iterator

from pandas_magic.constraints.algebra.conditions import Compare, Present, Relation
from pandas_magic.constraints.algebra.expressions import Column, Expression, Previous
from pandas_magic.planner.grammar import lexicon as words
from pandas_magic.planner.grammar import moods, nouns, phrases, rows
from pandas_magic.planner.grammar.chart import Parse, Position
from pandas_magic.planner.grammar.meaning import Claim, kind_of_expression

Found = Iterator[tuple[Position, Claim]]
_COMPARABLE = ("integer", "number", "datetime")
_SIDES: tuple[tuple[Relation, str, str], ...] = (
    (">=", phrases.BE_IN_RISING_ORDER, phrases.RISING_ORDER),
    ("<=", phrases.BE_IN_FALLING_ORDER, phrases.FALLING_ORDER),
)


def in_order(p: Parse, i: Position, table: str) -> Found:
    """Like "bookings must be sorted by booked_on, newest first": each row compared with the one above it."""
    for middle in _the_rows(p, i, table):
        for start, negated in moods.head(p, middle, "must"):
            for end, x, relation in _sorted(p, start, table) if not negated else ():
                before = Previous(of=x, order=None, by=())
                noted = p.note(middle, end, f"{relation} the row above, as the table stands")
                yield noted, Claim(table, Compare(relation=relation, left=x, right=before), Present(of=x))


def _the_rows(p: Parse, i: Position, table: str) -> Iterator[Position]:
    """Where "the rows of the tests table", "the tests" or, for the table that is asked about, "rows" ends."""
    yield from nouns.this_table(p, i, table)
    yield from (end for start in p.phrase(i, words.EVERY) for end, _ in rows.same_rows(p, start, table))
    for start in p.phrase(i, "[the/all/all_the] rows/records/entries/lines"):
        if p.target == table or len(p.schema.tables) == 1:
            yield start
        for middle in p.phrase(start, "of|in"):
            yield from nouns.this_table(p, middle, table)


def _sorted(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, Expression, Relation]]:
    for relation, order, _ in _SIDES:
        for start in p.phrase(i, order):
            yield from ((end, x, relation) for end, x in _by(p, start, table))
            date = p.schema.first_date(table)
            if date is not None and any(token.low.startswith("chronolog") for token in p.tokens[i:start]):
                yield start, Column(name=date), relation
    for start in p.phrase(i, phrases.BE_IN_ORDER_OF):
        placed = any(token.low == "ordered" for token in p.tokens[i:start])
        for end, x in _column(p, start, table):
            if placed and any(x == Column(name=link.column) for link in p.schema.links(table)):
                continue  # "ordered by the customer" says who ordered
            yield end, x, ">="
            for relation, _, last in _SIDES:
                yield from ((final, x, relation) for final in p.phrase(end, last))


def _by(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, Expression]]:
    for start in p.phrase(i, "of|by|by the|of the|of their"):
        yield from _column(p, start, table)


def _column(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, Expression]]:
    for end, x in nouns.own_column(p, i, table):
        if kind_of_expression(p.schema, table, x) in _COMPARABLE:
            yield end, x
