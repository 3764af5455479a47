"""What a value does: exceed, equal, match, exist elsewhere, occur only once."""

from collections.abc import Iterator

from pandas_magic.constraints.algebra.conditions import Compare, Condition, Parses, Present, Relation, Unique
from pandas_magic.constraints.algebra.expressions import Arithmetic, Column, Expression, Value
from pandas_magic.planner.grammar import (
    another_row,
    comparisons,
    deviations,
    frequencies,
    margins,
    outliers,
    pairings,
    patterns,
    phrases,
    qualities,
    references,
)
from pandas_magic.planner.grammar import lexicon as words
from pandas_magic.planner.grammar.chart import Parse, Position, rule
from pandas_magic.planner.grammar.logic import both, negate
from pandas_magic.planner.grammar.meaning import kind_of_expression
from pandas_magic.planner.grammar.values import number

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
            for end, found in comparisons.compared(p, p.note(i, start, relation), table, x, relation):
                if relation == "==" and (references.is_any_key(p, start, table, x, found) or _adds_up(p, i, found)):
                    continue
                yield end, found
    for start in p.phrase(i, "=|=="):
        yield from comparisons.one_of_several(p, p.note(i, start, "=="), table, x)
    for start in p.phrase(i, phrases.MAKES) if isinstance(x, Arithmetic) else ():
        yield from comparisons.compared(p, p.note(i, start, "=="), table, x, "==")
    yield from margins.apart_by(p, i, table, x)
    yield from margins.exceeded_by(p, i, table, x)
    yield from deviations.deviates(p, i, table, x)
    yield from outliers.had(p, i, table, x)
    for start in p.phrase(i, phrases.TAKE_VALUES):
        yield from _values_taken(p, start, table, x)
    yield from patterns.pattern_verb(p, i, table, x)
    yield from pairings.goes_with(p, i, table, x)
    yield from _can_be_read_as(p, i, x, kind)
    yield from _occurrences(p, i, table, x)
    yield from references.reference(p, i, table, x)
    yield from another_row.elsewhere(p, i, table, x)
    yield from _extremes(p, i, table, x)


def _adds_up(p: Parse, i: Position, found: Condition) -> bool:
    """Like "the shares must add up to 100": all of them together do, not each."""
    constant = isinstance(found, Compare) and isinstance(found.right, Value) and isinstance(found.left, Column)
    return constant and "add" in p.tokens[i].forms


def _starts_and_ends(p: Parse, i: Position, table: str, x: Expression) -> Found:
    """Like "start with 1 and end with 5", of a number."""
    if kind_of_expression(p.schema, table, x) in ("integer", "number"):
        for end, (low_end, high_end) in p.seq(
            i, "start|begin", "with|at|from", number, "and|, and", "end|stop|finish", "with|at|by", number
        ):
            joined = both(
                Compare(relation=">=", left=x, right=Value(value=low_end)),
                Compare(relation="<=", left=x, right=Value(value=high_end)),
            )
            assert joined is not None
            yield p.note(i, end, "from … to …"), joined


def _extremes(p: Parse, i: Position, table: str, x: Expression) -> Found:
    """Like "have a minimum of 1 and a maximum of 100", "have a minimum of 1, and its maximum is 100"."""
    sides: tuple[tuple[Relation, str], ...] = ((">=", phrases.LOWER_LIMIT), ("<=", phrases.UPPER_LIMIT))
    yield from _starts_and_ends(p, i, table, x)
    for (first, low), (second, high) in (sides, sides[::-1]):
        for start in p.seq_ends(i, "have", "?a|an|the", low, "of|at|:"):
            for middle, one in comparisons.compared(p, p.note(i, start, first), table, x, first):
                yield middle, one
                for begin in p.seq_ends(middle, phrases.AND_ITS, high, "of|be|at|:"):
                    for end, other in comparisons.compared(p, p.note(middle, begin, second), table, x, second):
                        joined = both(one, other)
                        assert joined is not None
                        yield end, joined


def _can_be_read_as(p: Parse, i: Position, x: Expression, kind: str) -> Found:
    """Like "can be parsed as a number", "converts to a date"."""
    if kind not in ("text", "mixed"):
        return
    for said, holds in (("can|may|could|must|should|", True), ("can not|could not|may not", False)):
        begun = (i,) if said.endswith("|") else ()
        for start in (*begun, *p.phrase(i, said.rstrip("|"))):
            for middle in p.phrase(start, phrases.BE_READ_AS):
                for end, condition in qualities.by_word(p, middle, x, "text"):
                    if isinstance(condition, Parses):
                        yield end, condition if holds else negate(condition)


def _parsed(p: Parse, i: Position, x: Expression, kind: str) -> Found:
    """Behind "contain": "a valid number", "only whole numbers"."""
    for end, condition in qualities.by_word(p, i, x, "text") if kind in ("text", "mixed") else ():
        if isinstance(condition, Parses):
            yield end, condition


def _values_taken(p: Parse, i: Position, table: str, x: Expression) -> Found:
    """Like "Take the values 1, 2 or 3", "have no missing values", "contain nulls", "contain only 'a' and 'b'"."""
    from pandas_magic.constraints.algebra.conditions import Not, OneOf
    from pandas_magic.planner.grammar.values import value_list

    for start in p.phrase(i, phrases.ONLY_THE_VALUES):
        for end, listed in value_list(p, start, table, x, True):
            yield end, OneOf(of=x, values=listed)
    for start in p.phrase(i, phrases.NO_VALUE_BUT):
        for end, listed in value_list(p, start, table, x, True):
            yield p.note(i, end, "one of these"), OneOf(of=x, values=listed)
    missing = phrases.MISSING_VALUES
    for end in p.phrase(i, "|".join(f"no {word}|zero {word}" for word in missing.split("|"))):
        yield p.note(i, end, "always a value"), Present(of=x)
    for end in p.phrase(i, missing + "|" + "|".join(f"any {word}|a {word}" for word in missing.split("|"))):
        yield p.note(i, end, "has no value"), Not(condition=Present(of=x))
    yield from _parsed(p, i, x, kind_of_expression(p.schema, table, x))
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
    yield from frequencies.so_often(p, i, table, x)
    linked = isinstance(x, Column) and any(link.column == x.name for link in p.schema.links(table))
    is_column = any(token.low in ("column", "field") for token in p.tokens[:i])  # "the column … must exist" is not full
    for end in p.phrase(i, "be in use" if is_column else "exist|be in use") if not linked else ():
        following = p.at(end)
        if following is None or following.low not in ("in", "among", "within"):
            yield p.note(i, end, "has a value"), Present(of=x)
