"""What a value does: exceed, equal, match, exist elsewhere, occur only once."""

from collections.abc import Iterator

from pandas_magic.constraints.conditions import Compare, Condition, Present, Relation, Unique
from pandas_magic.constraints.expressions import Absolute, Arithmetic, Column, Expression, Value
from pandas_magic.planner.rules import (
    arithmetic,
    comparisons,
    deviations,
    margins,
    nouns,
    patterns,
    phrases,
    qualities,
    references,
)
from pandas_magic.planner.rules import lexicon as words
from pandas_magic.planner.rules.chart import Parse, Position, rule
from pandas_magic.planner.rules.logic import negate
from pandas_magic.planner.rules.meaning import compare, kind_of_expression
from pandas_magic.planner.rules.measures import measured
from pandas_magic.planner.rules.values import number, percentage

Found = Iterator[tuple[Position, Condition]]


_VERBS: tuple[tuple[Relation, str], ...] = (
    (">", words.EXCEED),
    ("<", words.UNDERCUT),
    ("==", words.EQUALS),
    ("!=", words.DIFFERS),
    (">=", words.REACH),
    ("<=", "≤"),
    (">=", "≥"),
)
_SIGNS: tuple[tuple[Relation, str], ...] = (
    ("<", "<"),
    ("<=", "<=|=<"),
    (">", ">"),
    (">=", ">=|=>"),
    ("==", "=|=="),
    ("!=", "!=|<>|≠"),
)
_DATE_VERBS: tuple[tuple[Relation, str], ...] = (("<", words.PRECEDES), (">", words.FOLLOWS))


@rule
def verb(p: Parse, i: Position, table: str, x: Expression) -> Found:
    """What a value does: exceed, equal, lie between, match, exist in, occur once, refer to."""
    kind = kind_of_expression(p.schema, table, x)
    for relation, said in (*_VERBS, *_SIGNS, *(_DATE_VERBS if kind == "datetime" else ())):
        for start in p.phrase(i, said):
            yield from comparisons.compared(p, p.note(i, start, relation), table, x, relation)
    yield from apart_by(p, i, table, x)
    yield from _exceeded_by(p, i, table, x)
    yield from deviations.deviates(p, i, table, x)
    for start in p.phrase(i, phrases.TAKE_VALUES):
        yield from _values_taken(p, start, table, x)
    yield from patterns.pattern_verb(p, i, table, x)
    yield from _occurrences(p, i, table, x)
    yield from references.reference(p, i, table, x)


def apart_by(p: Parse, i: Position, table: str, x: Expression) -> Found:
    """Like "deviate from the list price by more than 10", "differ from it by at most 5 percent"."""
    numeric = ("integer", "number")
    if kind_of_expression(p.schema, table, x) not in numeric:
        return
    for middle, other in ((m, o) for s in p.phrase(i, phrases.DEVIATE) for m, o in arithmetic.expression(p, s, table)):
        if other == x or kind_of_expression(p.schema, table, other) not in numeric:
            continue
        distance = Absolute(of=Arithmetic(sign="-", left=x, right=other))
        for relation, said in comparisons.RELATIONS[:4]:
            for start in p.seq_ends(middle, "by", said):
                for end, limit in (*number(p, start), *measured(p, start, table, x), *_money(p, start)):
                    yield end, Compare(relation=relation, left=distance, right=Value(value=limit))
                for end, share in percentage(p, start):
                    part = Arithmetic(sign="*", left=other, right=Value(value=share))
                    yield p.note(start, end, f"of {said}"), Compare(relation=relation, left=distance, right=part)
    for relation, said in comparisons.RELATIONS[:4]:
        for start in p.seq_ends(i, "differ by|deviate by|be off by|diverge by|vary by", said):
            yield from _apart_from(p, start, table, x, relation)


def _apart_from(p: Parse, i: Position, table: str, x: Expression, relation: Relation) -> Found:
    """Like "20 % from the weight of the animal", "5 euros from the list price"."""
    limits = [(end, limit, False) for end, limit in (*number(p, i), *measured(p, i, table, x), *_money(p, i))]
    for middle, limit, of_other in (*limits, *((end, share, True) for end, share in percentage(p, i))):
        for end, (other,) in p.seq(middle, "from|off|compared to|to", lambda p, i: arithmetic.expression(p, i, table)):
            if other != x and kind_of_expression(p.schema, table, other) in ("integer", "number"):
                distance = Absolute(of=Arithmetic(sign="-", left=x, right=other))
                right = Arithmetic(sign="*", left=other, right=Value(value=limit)) if of_other else Value(value=limit)
                yield p.note(i, end, f"{relation} apart"), Compare(relation=relation, left=distance, right=right)


def _money(p: Parse, i: Position) -> Iterator[tuple[Position, float]]:
    for middle, found in number(p, i):
        yield from ((end, round(found * scale, 6)) for end, scale in margins.money_behind(p, middle))


def _exceeded_by(p: Parse, i: Position, table: str, x: Expression) -> Found:
    """Like "exceed the planned quantity by more than 10 %"."""
    for middle, other in ((m, o) for s in p.phrase(i, words.EXCEED) for m, o in nouns.column(p, s, table)):
        for relation, said in comparisons.RELATIONS[:4]:
            for start in p.seq_ends(middle, "by", said):
                for end, share in percentage(p, start):
                    limit = Arithmetic(sign="*", left=other, right=Value(value=round(1 + share, 10)))
                    found = compare(p.schema, table, x, relation, limit)
                    if found is not None:
                        yield p.note(i, end, f"{relation} {round(1 + share, 10)} times the other"), found


def _values_taken(p: Parse, i: Position, table: str, x: Expression) -> Found:
    """Like "Take the values 1, 2 or 3", "have no missing values", "contain nulls", "contain only 'a' and 'b'"."""
    from pandas_magic.constraints.conditions import Not, OneOf
    from pandas_magic.planner.rules.values import value_list

    for start in p.phrase(i, phrases.ONLY_THE_VALUES):
        for end, listed in value_list(p, start, table, x, True):
            yield end, OneOf(of=x, values=listed)
    missing = phrases.MISSING_VALUES
    for end in p.phrase(i, "|".join(f"no {word}|zero {word}" for word in missing.split("|"))):
        yield p.note(i, end, "always a value"), Present(of=x)
    for end in p.phrase(i, missing + "|" + "|".join(f"any {word}|a {word}" for word in missing.split("|"))):
        yield p.note(i, end, "has no value"), Not(condition=Present(of=x))
    for end in p.phrase(i, phrases.SOME_VALUE):
        yield p.note(i, end, "has a value"), Present(of=x)
    for end, by in (
        (end, by)
        for start in p.phrase(i, phrases.NO_DUPLICATES)
        for end, by in qualities.unique_scope(p, start, table, (x,))
    ):
        yield p.note(i, end, "no other row has the same"), Unique(by=by)
    for end, by in (
        (end, by)
        for start in p.phrase(i, phrases.DUPLICATES)
        for end, by in qualities.unique_scope(p, start, table, (x,))
    ):
        yield p.note(i, end, "another row has the same"), negate(Unique(by=by))


def _occurrences(p: Parse, i: Position, table: str, x: Expression) -> Found:
    for start in p.phrase(i, words.REPEATS):
        for end, by in qualities.unique_scope(p, p.note(i, start, "another row has the same"), table, (x,)):
            yield end, negate(Unique(by=by))
    for start in p.phrase(i, words.APPEARS_ONCE):
        for end, by in qualities.unique_scope(p, p.note(i, start, "no other row has the same"), table, (x,)):
            yield end, Unique(by=by)
    linked = isinstance(x, Column) and any(link.column == x.name for link in p.schema.links(table))
    for end in p.phrase(i, "exist|be in use") if not linked else ():
        following = p.at(end)
        if following is None or following.low not in ("in", "among", "within"):
            yield p.note(i, end, "has a value"), Present(of=x)
