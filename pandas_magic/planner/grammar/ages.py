"""How old somebody is when something happens: "at least 21 years old on the day of pickup"."""

from collections.abc import Iterator

from pandas_magic.constraints.algebra.conditions import Condition, Relation
from pandas_magic.constraints.algebra.expressions import Arithmetic, Column, Expression, Lookup, Span
from pandas_magic.planner.grammar import comparisons, events, modifiers, moods, nouns, occasions, rows
from pandas_magic.planner.grammar import lexicon as words
from pandas_magic.planner.grammar.chart import Parse, Position
from pandas_magic.planner.grammar.logic import negate
from pandas_magic.planner.grammar.meaning import compare, join_along, kind_of_expression
from pandas_magic.planner.grammar.values import number

Judged = Iterator[tuple[Position, tuple[Condition, Condition | None]]]
_AT = "on the day of|at the time of|at|on|as of|by|on the date of|when|at the moment of|by the time of|by the time"
_NAMES = ("birth", "date")


def aged_then(p: Parse, i: Position, table: str) -> Judged:
    """Like "the customer must be at least 21 years old on the day of pickup", and of which rows."""
    for middle, (born, where) in _births(p, i, table):
        for start, negated in moods.head(p, middle, "must"):
            for begin in p.phrase(start, "be|have been"):
                for end, condition in _then(p, begin, table, born):
                    yield end, (negate(condition) if negated else condition, where)

    yield from _age_then(p, i, table)


def aged(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, Condition]]:
    """Behind "be" of the row itself: "under 18 years old on their hire date", "18 or older when hired"."""
    for date in p.schema.called(table, _NAMES):
        yield from _then(p, i, table, Column(name=date))


def _age_then(p: Parse, i: Position, table: str) -> Judged:
    """Like "the age of an employee at the hire date must not be under 18", "age at hire_date >= 18"."""
    for middle, born in _ages(p, i, table):
        for after, (then,) in p.seq(middle, _AT, lambda p, i: _moment_of(p, i, table)):
            for start, negated in moods.head(p, after, "must"):
                for begin in (start, *p.phrase(start, "be|:")):
                    for end, (relation, years) in _so_old(p, begin):
                        found = _that_old(p, table, then, relation, born, years)
                        if found is not None and (int(begin) > int(start) or int(start) == int(after)):
                            yield p.note(i, end, "the age then"), (negate(found) if negated else found, None)


def _ages(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, Expression]]:
    """Whose age: "the age of an employee", "the employee's age", "age"."""
    for date in p.schema.called(table, _NAMES):
        for middle in p.seq_ends(i, "?the|an|their|his|her", "age"):
            yield middle, Column(name=date)
            yield from ((end, Column(name=date)) for end in nouns.of_this_row(p, middle, table))
        for noun in nouns.this_table(p, i, table):
            yield from ((end, Column(name=date)) for end in p.phrase(noun, "'s age|' age|age"))
    for middle, link in nouns.parent(p, i, table):
        for date in p.schema.called(link.parent, _NAMES):
            of = Lookup(join=join_along(link), of=Column(name=date))
            yield from ((end, of) for end in p.phrase(middle, "'s age|' age|age"))


def _that_old(
    p: Parse, table: str, then: Expression, relation: Relation, born: Expression, years: float
) -> Condition | None:
    birthday = Arithmetic(sign="+", left=born, right=Span(amount=years, unit="years"))
    return compare(p.schema, table, then, relation, birthday) if then != born else None


def too_old_or_young(p: Parse, i: Position, table: str) -> Judged:
    """Behind "no": "customer may be younger than 21 on the day of pickup"."""
    for middle, (born, where) in _births(p, i, table):
        for begin in p.phrase(middle, "may be|can be|must be|should be|may have been|can have been"):
            yield from ((end, (condition, where)) for end, condition in _then(p, begin, table, born))


def _births(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, tuple[Expression, Condition | None]]]:
    """Whose birth it is: the row referred to, or the row itself; and which rows."""
    for middle, link in nouns.parent(p, i, table):
        for date in p.schema.called(link.parent, _NAMES):
            born = Lookup(join=join_along(link), of=Column(name=date))
            yield middle, (born, None)
            yield from ((end, (born, where)) for end, where in modifiers.modifier(p, middle, table))
    if p.schema.is_part(table, _NAMES) or not p.schema.called(table, _NAMES):
        for start in (i, *p.phrase(i, nouns.DETERMINER)):
            for end, spoken in nouns.spans(p, start):  # "the driver" of driver_birth_date
                for date in p.schema.called(table, (*spoken, *_NAMES)):
                    if not p.schema.is_part(table, (*spoken, *_NAMES)):
                        yield p.note(start, end, f'the date "{date}"'), (Column(name=date), None)
    for middle, found in rows.subject_rows(p, i):
        for date in p.schema.called(table, _NAMES) if found.table == table else ():
            yield middle, (Column(name=date), found.where)


def _then(p: Parse, i: Position, table: str, born: Expression) -> Iterator[tuple[Position, Condition]]:
    for end, (relation, years) in _so_old(p, i):
        for last, (then,) in p.seq(end, _AT, lambda p, i: _moment_of(p, i, table)):
            found = _that_old(p, table, then, relation, born, years)
            if found is not None:
                yield p.note(i, last, f"{years:g} years after {_name_of(born)}"), found


def _name_of(born: Expression) -> str:
    return born.name if isinstance(born, Column) else "birth"


def _so_old(p: Parse, i: Position) -> Iterator[tuple[Position, tuple[Relation, int | float]]]:
    sides: tuple[tuple[Relation, str], ...] = (
        *comparisons.RELATIONS[:4],
        (">", "older than"),
        ("<", "younger than"),
    )
    for relation, said in sides:
        for end, (years,) in p.seq(i, said, number, f"?{words.AGE_WORDS}|old|years|year"):
            yield end, (relation, years)
    for end, (years,) in p.seq(i, number, f"?{words.AGE_WORDS}|years|year", "or older|or above|or over|or more"):
        yield end, (">=", years)


def _moment_of(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, Expression]]:
    whens = (
        *nouns.column(p, i, table),
        *events.event(p, i, table),
        *comparisons.date_of_event(p, i, table),
        *occasions.day_of_clause(p, i, table),
        *occasions.row_itself(p, i, table, Column(name="")),
    )
    for end, of in whens:
        if kind_of_expression(p.schema, table, of) == "datetime":
            yield end, of


def is_asked_when(p: Parse, i: Position, table: str) -> bool:
    """Behind an age, "when they are admitted" says at which age, and not for which rows."""
    token, before = p.at(i), p.tokens[max(0, i - 4) : i]
    if token is None or token.low not in ("when", "once", "while") or not any(one.kind == "number" for one in before):
        return False
    aged = any(one.low in ("older", "younger", "old", "aged", "age") for one in p.tokens[max(0, i - 6) : i])
    does = any(True for _ in p.phrase(Position(i + 1), "they|he|she")) and p.tokens[i + 2 : i + 3] != ()
    is_something = any(True for _ in p.phrase(Position(i + 2), "be"))
    return aged and ((does and not is_something) or any(True for _ in _moment_of(p, Position(i + 1), table)))
