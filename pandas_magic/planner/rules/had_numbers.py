"""Numbers of a row, said as what it has: "a positive number of days", "28 vacation days or more"."""

from collections.abc import Iterator

from pandas_magic.constraints.conditions import Compare, Condition, Relation
from pandas_magic.constraints.expressions import Column, Expression, Value
from pandas_magic.planner.rules import nouns, phrases, possession, qualities
from pandas_magic.planner.rules.chart import Parse, Position, rule
from pandas_magic.planner.rules.morphology import name_words
from pandas_magic.planner.rules.values import number

Found = Iterator[tuple[Position, Condition]]
_ZERO = Value(value=0)
_SIDES: tuple[tuple[Relation, str], ...] = ((">=", phrases.OR_MORE), ("<=", phrases.OR_LESS))


@rule
def before_its_name(p: Parse, i: Position, table: str, x: Expression) -> Found:
    """A quality before the column it is said of, also with "number of" between: "an odd number of", "negative"."""
    for end, condition in qualities.quality(p, i, table, x):
        yield end, condition
        if p.tokens[end - 1].low in ("number", "amount", "value", "total"):
            yield from ((last, condition) for last in p.phrase(end, "of"))
        yield from ((last, condition) for last in p.phrase(end, "number/amount/value/total of"))


def says_more(p: Parse, i: Position, end: Position) -> bool:
    """Behind a number there are more words: "zero or negative", "28 or more"; "3 users" are three of them."""
    return all(int(after) < int(end) for after, _ in number(p, i))


@rule
def or_more(p: Parse, i: Position, table: str) -> Found:
    """Like "28 vacation days or more", where the column counts them."""
    for middle, found in number(p, i):
        for after, name in nouns.named_column(p, middle, table):
            if p.schema.kind(table, name) in ("integer", "number"):
                if found == 0:
                    yield p.note(i, after, f"{name} is 0"), Compare(relation="==", left=Column(name=name), right=_ZERO)
                for relation, said in _SIDES:
                    for end in p.phrase(after, said):
                        limit = Compare(relation=relation, left=Column(name=name), right=Value(value=found))
                        yield p.note(i, end, f"{name} {relation} {found:g}"), limit


def counted(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, Expression]]:
    """A column of the row, also by what it counts: "passengers" for passengers_on_board where no row is one's own."""
    named = list(nouns.own_column(p, i, table))
    yield from named
    for end, spoken in nouns.spans(p, i) if not named else ():
        parents = p.schema.nouns.get(spoken, ())
        numbers = [
            name
            for name in p.schema.tables[table].columns
            if name_words(name)[: len(spoken)] == spoken and p.schema.kind(table, name) in ("integer", "number")
        ]
        linked = any(p.schema.links_to(parent, table) or p.schema.links_to(table, parent) for parent in parents)
        if parents and not linked and len(numbers) == 1 and p.tokens[end - 1].low.endswith("s"):
            yield p.note(i, end, f'the column "{numbers[0]}" of "{table}"'), Column(name=numbers[0])


def called_a_number(p: Parse, i: Position, table: str) -> Found:
    """Like "a number of days that is below zero"."""
    for start in p.phrase(i, "a number of|the number of|a total number of"):
        for end, name in nouns.named_column(p, start, table):
            if p.schema.kind(table, name) in ("integer", "number"):
                yield from possession.described(p, end, table, Column(name=name))
