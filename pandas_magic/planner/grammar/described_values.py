"""Claims about values that are narrowed down, or spoken of again: "a fine above 20 must be paid", "it must be paid"."""

from collections.abc import Iterator

from pandas_magic.constraints.algebra.conditions import Condition, Not, Present, Unique
from pandas_magic.constraints.algebra.expressions import Column
from pandas_magic.planner.grammar import claims, clauses, moods, nouns, openings, phrases, statements, value_limits
from pandas_magic.planner.grammar import lexicon as words
from pandas_magic.planner.grammar.chart import Parse, Position
from pandas_magic.planner.grammar.logic import columns_in, has_window, negate
from pandas_magic.planner.grammar.meaning import Claim

Found = Iterator[tuple[Position, Claim]]


def described(p: Parse, i: Position, table: str) -> Found:
    """What is said of such values alone, or of the value that the condition in front speaks of."""
    for middle, (x, where) in value_limits.such_values(p, i, table):
        for end, condition in _judged(p, middle, table, x):
            yield end, claims.demand(table, condition, where)
    again = [*p.phrase(i, "it|they|that|this|the value|this value|that value|the same")]
    for start in (*again, *(end for at in p.phrase(i, "this|that|the") for end in p.phrase(at, phrases.VALUE_NOUNS))):
        for x in _spoken_of(p, i, table):
            noted = p.note(i, start, f"the {x.name}")
            for end, condition in _judged(p, noted, table, x):
                yield end, claims.demand(table, condition)
            for end, condition in clauses.value_phrase(p, noted, table, x, "must") if _is_given(p, table, x) else ():
                if isinstance(condition, Unique) and columns_in(condition) == {x}:
                    yield end, claims.demand(table, condition)
    for middle, x in nouns.own_column(p, i, table):
        for end, condition in _is_done(p, middle, table, x) if isinstance(x, Column) else ():
            yield end, claims.demand(table, condition, Present(of=x))


def _judged(p: Parse, i: Position, table: str, x: Column) -> Iterator[tuple[Position, Condition]]:
    for end, condition in clauses.value_phrase(p, i, table, x, "must"):
        if not has_window(condition) and condition not in (Present(of=x), Not(condition=Present(of=x))):
            yield end, condition
    yield from _is_done(p, i, table, x)


def _is_done(p: Parse, i: Position, table: str, x: Column) -> Iterator[tuple[Position, Condition]]:
    """Behind "a fine": "must be paid" for fine_paid."""
    for start, negated in moods.head(p, i, "must"):
        for end, condition in value_limits.truth_of_value(p, start, table, x) if start > i else ():
            yield end, negate(condition) if negated else condition


def _is_given(p: Parse, table: str, x: Column) -> bool:
    """The sentence begins with "If a user has an email,"."""
    return any(x == said for start in p.phrase(Position(0), words.IF) for _, said in _given(p, start, table))


def _given(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, Column]]:
    yield from openings.value_spoken_of(p, i, table)
    for end, there in statements.clause(p, i, table):
        if isinstance(there, Present) and isinstance(there.of, Column):
            yield end, there.of


def _spoken_of(p: Parse, i: Position, table: str) -> list[Column]:
    """The one column that "If the fine is above 20," in front of "it" is about."""
    found: dict[Column, None] = {}
    begun = int(i) - 1 if i > 0 and p.tokens[i - 1].low == "then" else int(i)
    places = {int(i), begun, begun - 1 if begun > 0 and p.tokens[begun - 1].text == "," else begun}
    for start in p.phrase(Position(0), words.IF):
        for middle, x in nouns.own_column(p, start, table):
            said = clauses.value_phrase(p, middle, table, x, "is") if middle < i else ()
            if isinstance(x, Column) and any(int(end) in places for end, _ in said):
                found[x] = None
        for end, x in _given(p, start, table):
            if int(end) in places:
                found[x] = None
    return list(found) if len(found) == 1 else []
