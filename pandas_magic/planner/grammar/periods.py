"""What starts and ends, where two dates say when: "ticket sales must not end after the event" for sales_end."""

from collections.abc import Iterator

from pandas_magic.constraints.algebra.conditions import Condition
from pandas_magic.constraints.algebra.expressions import Column, Expression
from pandas_magic.planner.grammar import claims, comparisons, moods, nouns, phrases
from pandas_magic.planner.grammar.chart import Parse, Position, position, rule
from pandas_magic.planner.grammar.logic import negate
from pandas_magic.planner.grammar.meaning import Claim, compare
from pandas_magic.planner.grammar.morphology import name_words

_SIDES = (
    (("start", "begin", "beginning", "from", "open"), "start|begin|open|commence"),
    (("end", "finish", "close", "until", "to", "till"), "end|finish|close|stop|be over|run out"),
)
_NOT_A_NAME = ("date", "at", "on", "time", "day", "ts")


def period_claim(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, Claim]]:
    """Like "The probation period should end no later than six months after the hire date"."""
    for end, condition in period_clause(p, i, table, "must"):
        yield end, claims.demand(table, condition)


@rule
def period_clause(p: Parse, i: Position, table: str, mood: str) -> Iterator[tuple[Position, Condition]]:
    """When something starts or ends: "the probation ends before the hire date"."""
    for middle, stem in _named(p, i, table):
        for start, negated in moods.head(p, middle, mood):
            for after, date in _verb(p, start, table, stem):
                for end, condition in _compared(p, after, table, date):
                    yield end, negate(condition) if negated else condition


def _compared(p: Parse, i: Position, table: str, date: Column) -> Iterator[tuple[Position, Condition]]:
    yield from comparisons.comparison(p, i, table, date)
    for relation, said in comparisons.DATE_RELATIONS:  # "before they end"
        for start in p.seq_ends(i, said, "it|they"):
            stem = _stem(date.name)
            for end, other in _verb(p, start, table, stem[0]) if stem else ():
                found = compare(p.schema, table, date, relation, other)
                if found is not None:
                    yield p.note(i, end, relation), found


@rule
def begun_or_over(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, Expression]]:
    """Like "the probation ends", which stands for its date."""
    for middle, stem in _named(p, i, table):
        yield from _verb(p, middle, table, stem)


def _named(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, tuple[str, ...]]]:
    """A period by its name: "sales", "ticket sales", "the probation period"."""
    stems = {stem[0] for date in p.schema.dates(table) if (stem := _stem(date))}
    for start in (i, *p.phrase(i, nouns.DETERMINER)) if stems else ():
        for begin in (start, *(end for end, _ in nouns.table_noun(p, start))):
            for end, spoken in nouns.spans(p, begin):
                if spoken in stems:
                    here = position(end, begin.trace)
                    yield from ((last, spoken) for last in (here, *p.phrase(here, phrases.A_PERIOD)))


def _verb(p: Parse, i: Position, table: str, stem: tuple[str, ...]) -> Iterator[tuple[Position, Column]]:
    for side, (_, verbs) in enumerate(_SIDES):
        found = [date for date in p.schema.dates(table) if _stem(date) == (stem, side)]
        for end in p.phrase(i, verbs) if len(found) == 1 else ():
            yield p.note(i, end, f'the date "{found[0]}"'), Column(name=found[0])


def _stem(date: str) -> tuple[tuple[str, ...], int] | None:
    """What a date is the start (0) or the end (1) of: ("sale",) and 1 for sales_end."""
    words = name_words(date)
    while words and words[-1] in _NOT_A_NAME:
        words = words[:-1]
    for side, (names, _) in enumerate(_SIDES):
        if len(words) > 1 and words[-1] in names:
            return words[:-1], side
        if len(words) > 1 and words[0] in names:
            return words[1:], side
    return None
