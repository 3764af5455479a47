"""Numbers of a row, said as what it has: "a positive number of days", "28 vacation days or more"."""

import re
from collections.abc import Iterator

from pandas_magic.constraints.algebra.conditions import All, Compare, Condition, Present, Relation
from pandas_magic.constraints.algebra.expressions import Column, Expression, Lookup, Value
from pandas_magic.planner.grammar import nouns, phrases, possession, qualities
from pandas_magic.planner.grammar.chart import Parse, Position, rule
from pandas_magic.planner.grammar.logic import negate
from pandas_magic.planner.grammar.meaning import join_along
from pandas_magic.planner.grammar.morphology import last_word, name_words, singular, word_forms
from pandas_magic.planner.grammar.naming import UNIT_WORDS
from pandas_magic.planner.grammar.values import number

Found = Iterator[tuple[Position, Condition]]
_LIMITS = frozenset(("limit", "max", "maximum", "allowed", "allowance", "capacity"))
_ZERO = Value(value=0)
_WHERE = re.compile(r"_(?:on|in|at|of)_")
_STATES = ("present", "absent", "left", "open", "available", "free", "missing", "aboard", "due")
_PLURALS = ("children", "people", "men", "women", "mice")
_HAVING = ("have", "has", "having", "with", "carry", "carries", "contain", "contains", "any", "some", "without", "no")
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


def counts_things(p: Parse, table: str, condition: Condition) -> bool:
    """Like "no passengers" of a column that counts them: none at all is 0, not a missing number."""
    name = _numbered(p, table, condition)
    return bool(name) and (_plural(name) != "" or not {"qty", "quantity", "count"}.isdisjoint(name_words(name)))


def is_plural(p: Parse, table: str, condition: Condition) -> bool:
    """The name of the column is what it counts: "passengers", "defects_found"; "hours" are only measured."""
    thing = _plural(_numbered(p, table, condition))
    return thing != "" and singular(thing) not in UNIT_WORDS


def _numbered(p: Parse, table: str, condition: Condition) -> str:
    """The column of numbers that is there, else ""."""
    name = condition.of.name if isinstance(condition, Present) and isinstance(condition.of, Column) else ""
    return name if name and p.schema.kind(table, name) in ("integer", "number") else ""


def _plural(name: str) -> str:
    """The things that the name says: "passengers" of passengers_on_board, "defects" of defects_found; else ""."""
    parts = _WHERE.split(name.lower())[0].split("_")
    done = len(parts) > 1 and bool(word_forms(parts[-1]) - {parts[-1], singular(parts[-1])} or parts[-1] in _STATES)
    thing = parts[-2] if done and singular(parts[-1]) == parts[-1] else parts[-1]
    plural = singular(thing) != thing and len(thing) > 2 and (thing.endswith("s") or thing in _PLURALS)
    return thing if plural else ""


def none_of(p: Parse, table: str, condition: Condition) -> Condition:
    """Not to have what the condition says: of passengers there are 0, anything else is missing."""
    present = condition.conditions[0] if isinstance(condition, All) else condition
    if not isinstance(present, Present) or not is_plural(p, table, present):
        return negate(condition)
    is_zero = Compare(relation="==", left=present.of, right=_ZERO)
    return is_zero if condition in (present, some_of(present)) else negate(condition)


def leaves_open(p: Parse, i: Position, end: Position, table: str, condition: Condition) -> bool:
    """Not to have "quantity" can be to have 0; "a page count" is the number, and "passengers" are things."""
    named = any(token.low in ("a", "an") for token in p.tokens[i:end])
    is_open = counts_things(p, table, condition) and not named
    return is_open and none_of(p, table, condition) == negate(condition)


def some_of(present: Present) -> Condition:
    """Like "passengers" of a column that counts them: the number is there and more than 0."""
    return All(conditions=(present, Compare(relation=">", left=present.of, right=_ZERO)))


def are_some(p: Parse, i: Position, start: Position, table: str, present: Present) -> bool:
    """Like "have passengers", "any bags": said of the things, and not of the column by its own name."""
    bare = start > 0 and p.tokens[start - 1].low in _HAVING
    return bare and is_plural(p, table, present) and "_" not in p.tokens[start].text


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


def allowed(p: Parse, i: Position, table: str, x: Expression) -> Iterator[tuple[Position, Expression]]:
    """Like "(more bags than) its flight allows", where the flight has a bag_limit."""
    counted_word = last_word(x.name) if isinstance(x, Column) else ""
    for middle, link in nouns.parent(p, i, table):
        limits = [
            name
            for name in p.schema.tables[link.parent].columns
            if counted_word in name_words(name)
            and not _LIMITS.isdisjoint(name_words(name))
            and p.schema.kind(link.parent, name) in ("integer", "number")
        ]
        for end in p.phrase(middle, phrases.ALLOWS) if len(limits) == 1 else ():
            yield (
                p.note(i, end, f"{limits[0]} of {link.parent}"),
                Lookup(join=join_along(link), of=Column(name=limits[0])),
            )


def called_a_number(p: Parse, i: Position, table: str) -> Found:
    """Like "a number of days that is below zero"."""
    for start in p.phrase(i, "a number of|the number of|a total number of"):
        for end, name in nouns.named_column(p, start, table):
            if p.schema.kind(table, name) in ("integer", "number"):
                yield from possession.described(p, end, table, Column(name=name))
