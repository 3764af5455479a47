"""What lasts until a date, of the row or of one that it refers to: "after the customer's licence has expired"."""

from collections.abc import Iterator

from pandas_magic.constraints.algebra.conditions import Compare, Condition, Present, Relation
from pandas_magic.constraints.algebra.expressions import Column, Expression, Lookup, Now
from pandas_magic.planner.grammar import aliases, comparisons, moods, nouns, phrases, qualities
from pandas_magic.planner.grammar.chart import Parse, Position, position, rule
from pandas_magic.planner.grammar.logic import all_in, negate
from pandas_magic.planner.grammar.meaning import compare, join_along
from pandas_magic.planner.grammar.schema import Link
from pandas_magic.planner.grammar.values import shifted, span

_VALID: tuple[tuple[str, Relation], ...] = (
    ("be valid|be still valid|still be valid|remain valid|stay valid|be in force", ">="),
    ("have expired|be expired|have run out|have lapsed", "<"),
)
_AT = (
    "on|at|until|till|on the day of|on the date of|at the time of|by|through|beyond|up to|as of|when|on the day when|"
    "at the moment of|at least until"
)
Termed = Iterator[tuple[Position, Expression]]


@rule
def run_out_then(p: Parse, i: Position, table: str) -> Termed:
    """Like "the card has expired", "the customer's licence runs out", which stands for its date."""
    for middle, ends_on in _named(p, i, table):
        yield from ((end, ends_on) for end in p.phrase(middle, f"{phrases.RUN_OUT}|{phrases.RUNS_OUT}"))


def _named(p: Parse, i: Position, table: str) -> Termed:
    """A term by its name: the row's own, "the customer's licence", "their licence"."""
    own = list(nouns.term(p, i, table))
    yield from own
    for middle, link in nouns.parent(p, i, table):
        for start in p.phrase(middle, "'s|'"):
            yield from _of_parent(p, start, link)
    if not own:
        there = [
            found
            for start in p.phrase(i, "their|its|his|her|the")
            for link in p.schema.links(table)
            for found in _of_parent(p, start, link)
        ]
        if len({date for _, date in there}) == 1:
            yield from there


def _of_parent(p: Parse, i: Position, link: Link) -> Termed:
    for end, spoken in nouns.spans(p, i):
        for date in p.schema.dates(link.parent):
            if aliases.is_a_term(date) and spoken == aliases.term_noun(date):
                found = Lookup(join=join_along(link), of=Column(name=date))
                yield p.note(i, position(end, i.trace), f"{date} of {link.parent}"), found


def valid(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, Condition]]:
    """Like "a valid permit": it is there and has not expired."""
    for start in p.phrase(i, "valid|current|unexpired|still valid|currently valid"):
        for end, spoken in nouns.spans(p, start):
            for date in p.schema.dates(table):
                if aliases.is_a_term(date) and spoken == aliases.term_noun(date):
                    column = Column(name=date)
                    still = Compare(relation=">=", left=column, right=Now())
                    yield p.note(i, end, f"{date} not before the run"), all_in((Present(of=column), still))


def about_terms(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, Condition]]:
    """What is demanded of a term: how long it lasts, on which day it still does."""
    yield from lasting(p, i, table)
    yield from judged(p, i, table)


def judged(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, Condition]]:
    """Like "the guest's passport must be valid on the day of check-in", "must not expire before the pickup"."""
    for middle, ends_on in _named(p, i, table):
        for start, negated in moods.head(p, middle, "must"):
            found = list(_valid_then(p, start, table, ends_on))
            if isinstance(ends_on, Lookup):
                found += [(end, said) for end, said in qualities.run_out(p, start, table, ends_on)]
            for end, condition in found:
                yield end, negate(condition) if negated else condition


def _valid_then(p: Parse, i: Position, table: str, ends_on: Expression) -> Iterator[tuple[Position, Condition]]:
    """Behind "must": "be valid on the pickup date", "have expired by the day of the pickup"."""
    for said, relation in _VALID:
        for after in p.phrase(i, said):
            for end, (then,) in p.seq(after, _AT, lambda p, i: comparisons.operand(p, i, table, ends_on)):
                found = compare(p.schema, table, ends_on, relation, then)
                if found is not None and then != ends_on:
                    yield p.note(i, end, f"{relation} that day"), found


def lasting(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, Condition]]:
    """Like "a warranty must run at least 2 years from the installation", said of when it ends."""
    for middle, ends_on in nouns.term(p, i, table):
        for start, negated in moods.head(p, middle, "must"):
            for after in p.phrase(start, phrases.LAST_FOR):
                for end, condition in _so_long_from(p, after, table, ends_on):
                    yield end, negate(condition) if negated else condition


def _so_long_from(p: Parse, i: Position, table: str, ends_on: Column) -> Iterator[tuple[Position, Condition]]:
    """Behind "last": "at least 2 years from the installation", "no longer than a year after the issue date"."""
    sides = (*comparisons.RELATIONS[:4], (">", "longer than"), ("<", "shorter than"), ("<=", "no longer than"))
    for relation, said in sides:
        for end, (length, begun) in p.seq(
            i, said, span, "from|after|since|beyond|past", lambda p, i: comparisons.operand(p, i, table, ends_on)
        ):
            found = compare(p.schema, table, ends_on, relation, shifted(begun, "+", length))
            if found is not None and begun != ends_on:
                yield p.note(i, end, "how long it lasts"), found
