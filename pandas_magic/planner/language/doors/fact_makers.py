"""What each kind of fact demands of its column. A maker yields conditions, or raises when the column cannot be so."""

import re
from collections.abc import Iterable

from pandas_magic.constraints.algebra.conditions import (
    Compare,
    Condition,
    OneOf,
    Parses,
    Present,
    Unique,
)
from pandas_magic.constraints.algebra.expressions import Column, Expression, Folded, Moment, Now, TextLength, Value
from pandas_magic.planner.language.doors.conditions import read_condition
from pandas_magic.planner.language.doors.fact_subject import Maker, Match, Subject
from pandas_magic.planner.language.doors.meaning import TextsInOrder
from pandas_magic.planner.language.doors.slots import number_of
from pandas_magic.planner.language.doors.terms import NotMeant
from pandas_magic.planner.language.doors.text_fact_makers import TEXT_MAKERS
from pandas_magic.planner.language.doors.value_lists import listed_values
from pandas_magic.planner.language.doors.values import fitted
from pandas_magic.planner.language.logic import any_of, opposite

_NUMBERS = ("integer", "number")
_RELATIONS = {
    "≤": "<=", "≥": ">=", "=": "==", "before": "<", "after": ">", "not before": ">=", "not after": "<=",
    "on or after": ">=", "on or before": "<=", "at or after": ">=", "at or before": "<=", "at most": "<=",
    "at least": ">=", "never before": ">=", "never after": "<=", "not earlier than": ">=", "not later than": "<=",
    "no later than": "<=", "no earlier than": ">=", "later than": ">", "earlier than": "<", "not greater than": "<=",
    "not less than": ">=", "not more than": "<=", "greater than or equal to": ">=", "less than or equal to": "<=",
    "greater than": ">", "less than": "<", "more than": ">", "same as": "==", "equal": "==", "equals": "==",
    "equal to": "==", "equals to": "==", "different from": "!=", "not equal to": "!=", "not the same as": "!=",
    "since": ">=", "from": ">=",
}  # fmt: skip


def _present(match: Match, subject: Subject) -> Iterable[Condition]:
    yield Present(of=subject.of)


def _not_empty(match: Match, subject: Subject) -> Iterable[Condition]:
    yield Present(of=subject.of)
    if subject.kind == "text":
        yield _related("!=", subject.of, Value(value=""))


def _not_blank(match: Match, subject: Subject) -> Iterable[Condition]:
    yield Present(of=subject.of)
    if subject.kind == "text":
        yield _related("!=", Folded(of=subject.of, fold="space"), Value(value=""))


def _nothing(match: Match, subject: Subject) -> Iterable[Condition]:
    if not subject.is_listed:
        raise NotMeant("a sentence that demands nothing")
    return ()


def _key(match: Match, subject: Subject) -> Iterable[Condition]:
    yield from (Unique(by=(subject.of,)), Present(of=subject.of))


def _unique(match: Match, subject: Subject) -> Iterable[Condition]:
    yield Unique(by=(subject.of,))


def _unique_per(match: Match, subject: Subject) -> Iterable[Condition]:
    others = [_other(match[slot], subject) for slot in ("col", "col2") if match[slot]]
    if not all(isinstance(other, Column) for other in others):
        raise NotMeant("unique per a column of another table")
    yield Unique(by=(subject.of, *others))


def _type(kind: str, *trivial: str) -> Maker:
    def make(match: Match, subject: Subject) -> Iterable[Condition]:
        if subject.kind not in trivial:
            yield Parses.model_validate({"of": subject.of, "type": kind})

    return make


def _text_type(match: Match, subject: Subject) -> Iterable[Condition]:
    if subject.kind not in ("text", "mixed"):
        raise NotMeant(f"{subject.column} holds no texts")
    return ()


def _boolean_type(match: Match, subject: Subject) -> Iterable[Condition]:
    if subject.kind != "boolean":
        raise NotMeant(f"{subject.column} does not hold true and false; list its values")
    return ()


def _length(relation: str) -> Maker:
    def make(match: Match, subject: Subject) -> Iterable[Condition]:
        yield _related(relation, TextLength(of=subject.needs("text")), Value(value=_whole(match["n"])))

    return make


def _length_between(match: Match, subject: Subject) -> Iterable[Condition]:
    length, low, high = TextLength(of=subject.needs("text")), _whole(match["n"]), _whole(match["m"])
    if low > high:
        raise NotMeant("the bounds are the wrong way round")
    yield from (_related(">=", length, Value(value=low)), _related("<=", length, Value(value=high)))


def _fixed_width(match: Match, subject: Subject) -> Iterable[Condition]:
    raise NotMeant(f"say whether {subject.column} has exactly or at most {match['n']} characters")


def _number(relation: str, number: int | None = None) -> Maker:
    def make(match: Match, subject: Subject) -> Iterable[Condition]:
        limit = number_of(match["n"]) if number is None else number
        yield _related(relation, subject.needs(*_NUMBERS), Value(value=limit))
        yield from _whole_too(match, subject)

    return make


def _whole_too(match: Match, subject: Subject) -> Iterable[Condition]:
    """What "positive integer" and "integer 1-5" demand besides, of a column that may hold fractions."""
    if subject.kind == "number" and re.search(r"\b(?:int|integer|whole number)\b", match[0], re.IGNORECASE):
        yield Parses(of=subject.of, type="integer")


def _between(match: Match, subject: Subject) -> Iterable[Condition]:
    low, high = number_of(match["n"]), number_of(match["m"])
    if low >= high:
        raise NotMeant("the bounds are the wrong way round")
    of = subject.needs(*_NUMBERS)
    yield from (_related(">=", of, Value(value=low)), _related("<=", of, Value(value=high)))
    yield from _whole_too(match, subject)


def _compared(match: Match, subject: Subject) -> Iterable[Condition]:
    other = _other(match["col"], subject)
    kinds = {subject.kind, subject.names.kind(other)}
    relation = relation_of(match["relation"])
    if kinds == {"text"} and relation not in ("==", "!="):
        raise TextsInOrder(f"{subject.column} is compared with texts by their order")
    yield _related(relation, subject.of, other)


def _computed(match: Match, subject: Subject) -> Iterable[Condition]:
    yield read_condition(f"`{subject.column}` = {match['expr']}", subject.names)


def relation_of(said: str) -> str:
    """The sign that a relation's words stand for."""
    plain = re.sub(r"\s+", " ", said.strip().lower())
    return "<=" if plain.endswith(("exceed", "exceeds")) else _RELATIONS.get(plain, plain)


def _dated(relation: str, *, midnight: bool = False) -> Maker:
    def make(match: Match, subject: Subject) -> Iterable[Condition]:
        if subject.kind == "text":
            raise TextsInOrder(f"{subject.column} holds texts")
        yield _related(relation, subject.needs("datetime"), Now(midnight=midnight))

    return make


def _since(match: Match, subject: Subject) -> Iterable[Condition]:
    if subject.kind == "text":
        raise TextsInOrder(f"{subject.column} holds texts")
    moment = fitted(match["date"], subject.names, subject.needs("datetime"))
    assert isinstance(moment, Moment)
    yield _related(relation_of(match["relation"]), subject.of, moment)


def _references(match: Match, subject: Subject) -> Iterable[Condition]:
    keys = (match["key"].replace(" ", "_"),) if match["key"] else ()
    yield subject.names.reference([(subject.column,)], match["table"].replace(" ", "_"), keys)


def _one_of(match: Match, subject: Subject) -> Iterable[Condition]:
    yield _among(subject, listed_values(match["values"], subject.names, subject.of, announced=True))


def _listed(match: Match, subject: Subject) -> Iterable[Condition]:
    if subject.kind == "number" and match["values"].startswith(("[", "(")):
        raise NotMeant("two values, or all between them")
    values = listed_values(match["values"], subject.names, subject.of, announced=False)
    known = subject.names.values(subject.of)
    if not subject.is_listed and known and not all(value in known for value in values) and "'" not in match[0]:
        raise NotMeant("values that do not occur in the column")
    yield _among(subject, values)


def _none_of(match: Match, subject: Subject) -> Iterable[Condition]:
    yield opposite(_among(subject, listed_values(match["values"], subject.names, subject.of, announced=True)))


def _among(subject: Subject, values: tuple[bool | int | float | str, ...]) -> Condition:
    if len(values) == 1:
        return _related("==", subject.of, Value(value=values[0]))
    return OneOf(of=subject.of, values=values)


def _when(*, present: bool, unless: bool) -> Maker:
    """Like "required if status = 'paid'", which demands nothing of other rows."""

    def make(match: Match, subject: Subject) -> Iterable[Condition]:
        when = read_condition(match["when"].strip(), subject.names)
        demand: Condition = Present(of=subject.of)
        yield any_of((when if unless else opposite(when), demand if present else opposite(demand)))

    return make


def _other(said: str, subject: Subject) -> Expression:
    return subject.names.value(tuple(part.strip() for part in said.split(".")))


def _related(relation: str, left: Expression, right: Expression) -> Compare:
    return Compare.model_validate({"relation": relation, "left": left, "right": right})


def _whole(said: str) -> int:
    number = number_of(said)
    if not isinstance(number, int):
        raise NotMeant("a length that is no whole number")
    return number


MAKERS: dict[str, Maker] = {
    "present": _present, "not empty": _not_empty, "not blank": _not_blank,
    "nothing": _nothing, "key": _key, "unique": _unique, "unique per": _unique_per,
    "type number": _type("number", "integer", "number"), "type integer": _type("integer", "integer"),
    "type date": _type("date", "datetime"), "type text": _text_type, "type boolean": _boolean_type,
    "length <=": _length("<="), "length >=": _length(">="), "length ==": _length("=="),
    "length between": _length_between, "fixed width": _fixed_width,
    "positive": _number(">", 0), "not negative": _number(">=", 0), "negative": _number("<", 0),
    "not zero": _number("!=", 0), "between": _between, ">=": _number(">="), "<=": _number("<="), ">": _number(">"),
    "<": _number("<"), "equals number": _number("=="), "compared": _compared, "computed": _computed,
    "not in the future": _dated("<="), "not in the past": _dated(">=", midnight=True), "dated": _since,
    "references": _references, "one of": _one_of, "listed": _listed, "none of": _none_of,
    "present when": _when(present=True, unless=False), "missing when": _when(present=False, unless=False),
    "missing unless": _when(present=False, unless=True), "present unless": _when(present=True, unless=True),
    **TEXT_MAKERS,
}  # fmt: skip
