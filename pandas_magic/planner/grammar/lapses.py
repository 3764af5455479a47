"""Claims about the time between two dates of a row: "there may be at most 14 days between order and ship date"."""

from collections.abc import Iterator

from pandas_magic.constraints.algebra.conditions import Compare, Condition, Relation
from pandas_magic.constraints.algebra.expressions import Span
from pandas_magic.planner.grammar import claims, comparisons, moods, phrases, time_between
from pandas_magic.planner.grammar import lexicon as words
from pandas_magic.planner.grammar.chart import Parse, Position
from pandas_magic.planner.grammar.logic import negate
from pandas_magic.planner.grammar.meaning import Claim
from pandas_magic.planner.grammar.values import number

Found = Iterator[tuple[Position, Claim]]
_ALLOWED = "be allowed|be permitted|be acceptable"


def claimed(p: Parse, i: Position, table: str) -> Found:
    """Like "There may be at most 14 days between a and b", "no more than 14 days may lie between a and b"."""
    yield from _in_units(p, i, table)
    yield from _must_pass(p, i, table)
    yield from _judged(p, i, table)
    for start in p.phrase(i, phrases.THERE_MAY_LIE):
        yield from _must_pass(p, start, table)
        permits = any(token.low in ("may", "can", "allowed") for token in p.tokens[i:start])
        for end, condition in time_between.limited(p, start, table):
            # "There may be at least 14 days" asks for none.
            if _is_upper(condition) or not permits:
                yield end, claims.demand(table, condition)


def _must_pass(p: Parse, i: Position, table: str) -> Found:
    """Like "At most 90 days may lie between a and b", "more than 5 days must not pass between a and b"."""
    may = (f"?{words.MUST}|{words.MAY}", f"{phrases.PASS}|be allowed|be allowed to pass")
    for end, condition in time_between.limited_behind(p, i, table, may):
        if _is_upper(condition):
            yield end, claims.demand(table, condition)
    for end, condition in time_between.limited_behind(p, i, table, (f"?{words.MUST}", phrases.PASS)):
        if not _is_upper(condition):
            yield end, claims.demand(table, condition)
    for end, condition in time_between.limited_behind(p, i, table, (phrases.MUST_NOT, phrases.PASS)):
        if isinstance(condition, Compare) and condition.relation in (">", ">="):
            yield end, claims.demand(table, negate(condition))


def _judged(p: Parse, i: Position, table: str) -> Found:
    """Like "More than 5 days between a and b are not acceptable", "up to 5 days between a and b are allowed"."""
    for end, condition in time_between.limited(p, i, table):
        for last in (*p.seq_ends(end, phrases.TO_BE_BAD, words.NOT_ACCEPTED), *p.phrase(end, words.BE_BAD)):
            yield p.note(end, last, "must not be"), claims.demand(table, negate(condition))
        for last in p.phrase(end, _ALLOWED) if _is_upper(condition) else ():
            yield last, claims.demand(table, condition)


def _is_upper(condition: Condition) -> bool:
    return isinstance(condition, Compare) and condition.relation in ("<", "<=")


def _in_units(p: Parse, i: Position, table: str) -> Found:
    """Like "The number of days between check_in and check_out must be at most 14"."""
    for unit in ("days", "nights", "hours", "weeks", "minutes"):
        for start in p.phrase(i, f"[the] number of {unit}"):
            for middle, lasted in time_between.between_dates(p, start, table):
                for verb, negated in moods.head(p, middle, "must"):
                    for end, relation, amount in _so_many(p, verb):
                        length = Span(amount=amount, unit="days" if unit == "nights" else unit)
                        limit = Compare(relation=relation, left=lasted, right=length)
                        said = negate(limit) if negated else limit
                        yield p.note(verb, end, f"so many {unit}"), claims.demand(table, said)


def _so_many(p: Parse, i: Position) -> Iterator[tuple[Position, Relation, int | float]]:
    for relation, said in comparisons.RELATIONS:
        for end, (amount,) in p.seq(i, "be", said, number):
            yield end, relation, amount
    for end, (amount,) in p.seq(i, words.EXCEED, number):
        yield end, ">", amount
