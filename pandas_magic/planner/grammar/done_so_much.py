"""How much was done, where a column's name has the verb: "have earned 180 credits" for credits_earned."""

from collections.abc import Iterator

from pandas_magic.constraints.algebra.conditions import Compare, Condition, Relation
from pandas_magic.constraints.algebra.expressions import Column, Value
from pandas_magic.planner.grammar import bounds, nouns
from pandas_magic.planner.grammar.chart import Parse, Position, position, rule
from pandas_magic.planner.grammar.meaning import compare
from pandas_magic.planner.grammar.morphology import name_words, word_forms
from pandas_magic.planner.grammar.naming import UNIT_WORDS

Found = Iterator[tuple[Position, Condition]]
_LONGEST_LIMIT = 8  # tokens of "at least 20 and at most 40"
_BEFORE: dict[str, Relation] = {"no": "==", "any": ">", "some": ">"}
_THAN: tuple[tuple[Relation, str], ...] = ((">", "more"), ("<", "less|fewer"))
_IS = (
    "than be|than have been|than|than it/they/he/she be|than there be|than it/they/he/she|than it/they have|"
    "than it/they/he/she have been"
)


@rule
def done_so_much(p: Parse, i: Position, table: str) -> Found:
    """Like "have earned at least 180 credits", "paid more tuition than is due"."""
    for start in (i, *p.phrase(i, "have")):
        token = p.at(start)
        if token is None or token.kind != "word":
            continue
        here = position(start + 1, start.trace)
        for name, rest in _named_with(p, table, token.forms):
            noted = p.note(start, here, f'the column "{name}"')
            yield from _so_much(p, noted, table, name, rest)
            yield from _more_than_another(p, noted, table, name, rest)


def _named_with(p: Parse, table: str, verb: frozenset[str]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Columns of numbers whose names are a verb in its past form and what it is done to, and the latter."""
    for name in p.schema.tables[table].columns:
        said = _without_unit(name)
        if p.schema.kind(table, name) not in ("integer", "number") or len(said) < 2:
            continue
        for word in (said[0], said[-1]):
            if _is_past(word) and word_forms(word) & verb:
                yield name, said[1:] if word == said[0] else said[:-1]


def _without_unit(name: str) -> tuple[str, ...]:
    said = name_words(name)
    return said[:-1] if len(said) > 2 and said[-1] in UNIT_WORDS else said


def _is_past(word: str) -> bool:
    return word.endswith("ed") or any(form not in (word, f"{word}s") for form in word_forms(word) - {word})


def _so_much(p: Parse, i: Position, table: str, name: str, rest: tuple[str, ...]) -> Found:
    """A limit, and what it counts."""
    for place in range(int(i) + 1, min(int(i) + _LONGEST_LIMIT, len(p.tokens))):
        for end, spoken in nouns.spans(p, Position(place)):
            if spoken == rest:
                said: Relation | None = _BEFORE.get(p.tokens[i].low) if place == int(i) + 1 else None
                if said is not None:
                    some = Compare(relation=said, left=Column(name=name), right=Value(value=0))
                    yield p.note(i, position(end, i.trace), f"{name} {said} 0"), some
                for middle, condition in bounds.bounded(p, i, table, Column(name=name)):
                    if int(middle) == place:
                        yield p.note(middle, end, f"of {name}"), condition


def _more_than_another(p: Parse, i: Position, table: str, name: str, rest: tuple[str, ...]) -> Found:
    """Like "more tuition than is due": the same of another column, whose name ends otherwise."""
    for relation, said in _THAN:
        for start in p.phrase(i, said):
            for middle, spoken in nouns.spans(p, start):
                for begin in p.phrase(position(middle, start.trace), _IS) if spoken == rest else ():
                    token = p.at(begin)
                    other = [] if token is None else _other(p, table, rest, token.forms)
                    if len(other) == 1 and other[0] != name:
                        found = compare(p.schema, table, Column(name=name), relation, Column(name=other[0]))
                        if found is not None:
                            yield p.note(i, begin + 1, f"{relation} {other[0]}"), found


def _other(p: Parse, table: str, rest: tuple[str, ...], forms: frozenset[str]) -> list[str]:
    words = ((name, _without_unit(name)) for name in _numbers(p, table))
    return [
        name
        for name, said in words
        for word, others in ((said[0], said[1:]), (said[-1], said[:-1]))
        if len(said) > 1 and others == rest and (word in forms or word_forms(word) & forms)
    ]


def _numbers(p: Parse, table: str) -> list[str]:
    return [name for name in p.schema.tables[table].columns if p.schema.kind(table, name) in ("integer", "number")]
