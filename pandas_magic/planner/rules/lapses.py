"""How long it is from one date of a row to another: "no more than 14 days between order and delivery date"."""

from collections.abc import Iterator

from pandas_magic.constraints.conditions import Compare, Condition, Relation
from pandas_magic.constraints.expressions import Arithmetic, Column, Span
from pandas_magic.planner.rules import claims, comparisons, events, moods, nouns, phrases
from pandas_magic.planner.rules import lexicon as words
from pandas_magic.planner.rules.chart import Parse, Position, position, rule
from pandas_magic.planner.rules.logic import negate
from pandas_magic.planner.rules.meaning import Claim, kind_of_expression
from pandas_magic.planner.rules.values import number

Found = Iterator[tuple[Position, Claim]]
_LONGEST_LIMIT = 9  # tokens of "a maximum of 14 calendar days"


def expressed(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, Arithmetic]]:
    """Like "the time between order_date and ship_date", "the number of days from order date to ship date"."""
    for start in p.phrase(i, phrases.THE_TIME):
        for after in (start, *nouns.of_this_row(p, start, table)):
            yield from between_dates(p, after, table)


@rule
def between_dates(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, Arithmetic]]:
    """Like "between order date and ship date", "from check-in to check-out": from the first to the second."""
    for said, joint in (("between|( between", "and"), ("from|( from|counted from|, counted from|, from", _TO)):
        for start in p.phrase(i, said):
            for middle, begun in _date(p, start, table):
                for after in p.phrase(middle, joint):
                    for end, ended in _date(p, after, table):
                        if begun != ended:
                            lasted = Arithmetic(sign="-", left=ended, right=begun)
                            for last in _closed(p, i, end):
                                yield p.note(i, last, f"from {begun.name} to {ended.name}"), lasted


_TO = "to|until|till|up to|through"


def _closed(p: Parse, i: Position, end: Position) -> Iterator[Position]:
    opened = any(token.text == "(" for token in p.tokens[i : i + 2])
    yield from p.phrase(end, ")") if opened else (end,)
    if p.tokens[i].text == ",":
        yield from p.phrase(end, ",")


def _date(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, Column]]:
    for end, x in nouns.own_column(p, i, table):
        if isinstance(x, Column) and kind_of_expression(p.schema, table, x) == "datetime":
            yield end, x
    for start in (i, *p.phrase(i, nouns.DETERMINER)):
        for middle, date in events.event(p, start, table):  # "signing a contract", "the hiring"
            for end in (middle, *nouns.this_table(p, middle, table)):
                if p.schema.kind(table, date.name) == "datetime":
                    yield end, date


@rule
def limited(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, Condition]]:
    """Like "no more than 14 days between check_in and check_out", "14 nights or fewer from a to b"."""
    for place in range(int(i) + 1, min(int(i) + _LONGEST_LIMIT, len(p.tokens))):
        for end, lasted in between_dates(p, position(place, i.trace), table):
            for last, condition in comparisons.comparison(p, i, table, lasted):
                if int(last) == place:
                    yield p.note(last, end, "how long it is"), condition


def claimed(p: Parse, i: Position, table: str) -> Found:
    """Like "There may be at most 14 days between a and b", "no more than 14 days may lie between a and b"."""
    yield from _in_units(p, i, table)
    for start in (i, *p.phrase(i, phrases.THERE_MAY_LIE)):
        if start > i:
            for end, condition in limited(p, start, table):
                if not _only_permits(p, i, start, condition):
                    yield end, claims.demand(table, condition)
        for place in range(int(start) + 1, min(int(start) + _LONGEST_LIMIT, len(p.tokens))):
            for verb in p.phrase(position(place, start.trace), phrases.MAY_LIE):
                for end, lasted in between_dates(p, verb, table):
                    for last, condition in comparisons.comparison(p, start, table, lasted):
                        if int(last) == place and not _only_permits(p, last, verb, condition):
                            yield p.note(last, end, "how long it is"), claims.demand(table, condition)


def _in_units(p: Parse, i: Position, table: str) -> Found:
    """Like "The number of days between check_in and check_out must be at most 14"."""
    for unit in ("days", "nights", "hours", "weeks", "minutes"):
        for start in p.phrase(i, f"[the] number of {unit}"):
            for middle, lasted in between_dates(p, start, table):
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


def _only_permits(p: Parse, i: Position, end: Position, condition: Condition) -> bool:
    """Like "at least 14 days may lie between", which asks for none."""
    upper = isinstance(condition, Compare) and condition.relation in ("<", "<=")
    return not upper and any(token.low in ("may", "can", "allowed") for token in p.tokens[i:end])
