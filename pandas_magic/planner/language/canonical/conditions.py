"""Conditions in canonical words, as statements ("is at least 5") and as demands ("must be at least 5")."""

import re
from collections.abc import Callable, Iterator
from typing import Any

import pandas_magic.planner.language.canonical.expressions as expressions
from pandas_magic.constraints import FORMATS
from pandas_magic.constraints.algebra.conditions import (
    All,
    Any_,
    Compare,
    Condition,
    Exists,
    HasText,
    Matches,
    Not,
    OneOf,
    Parses,
    Present,
    Unique,
)
from pandas_magic.constraints.algebra.expressions import Absolute, Arithmetic, Expression, Value
from pandas_magic.planner.language.canonical.words import CanonicalText, NotCanonical
from pandas_magic.planner.language.logic import opposite

Subject = tuple[Expression, ...]
_RELATIONS = {
    "less than": "<",
    "at most": "<=",
    "greater than": ">",
    "at least": ">=",
    "before": "<",
    "no later than": "<=",
    "no earlier than": ">=",
    "after": ">",
    "<=": "<=",
    ">=": ">=",
    "<": "<",
    ">": ">",
}
_DAY = re.compile(r"\d{4}-\d\d-\d\d")
_OF_TIME = ("before", "no later than", "no earlier than", "after")
_TEXT_VERBS = {
    "start": ("starts with", "start with"),
    "end": ("ends with", "end with"),
    "anywhere": ("contains", "contain"),
}
_READABLE = {"an integer": "integer", "a number": "number", "a date": "date", "a boolean": "boolean", "text": "text"}


def demand(words: CanonicalText) -> Condition:
    """What a rule demands."""
    if words.eats("it must hold that"):
        return condition(words)
    return _joined(words, lambda words: _leaf(words, must=True), only="and")


def condition(words: CanonicalText) -> Condition:
    """A statement: one, or several joined by "and" or by "or"."""
    return _joined(words, _part)


def _joined(words: CanonicalText, one: Callable[[CanonicalText], Condition], only: str = "") -> Condition:
    parts = [one(words)]
    joint = only or ("and" if words.sees("and") else "or")
    while words.eats(joint):
        parts.append(one(words))
    if len(parts) == 1:
        return parts[0]
    return All(conditions=tuple(parts)) if joint == "and" else Any_(conditions=tuple(parts))


def _part(words: CanonicalText) -> Condition:
    if words.sees("not ("):
        return Not(condition=words.in_brackets(condition, "not ("))
    start = words.at
    try:
        return _leaf(words, must=False)
    except NotCanonical:
        words.at = start
    return words.in_brackets(condition)


def _leaf(words: CanonicalText, *, must: bool) -> Condition:
    subject = _subject(words)
    if must:
        words.expect("must")
        negated = words.eats("not")
        found = _what_is(words, subject, negated=negated) if words.eats("be") else _what_does(words, subject, 1)
        return _denied(found, words) if negated else found
    if words.eats("is not"):
        return _denied(_what_is(words, subject, negated=True), words)
    if words.eats("is"):
        return _what_is(words, subject, negated=False)
    if words.eats("does not"):
        return _denied(_what_does(words, subject, 1), words)
    return _what_does(words, subject, 0)


def _denied(found: Condition, words: CanonicalText) -> Condition:
    if words.nearly:
        return opposite(found)
    if not isinstance(found, Compare):
        return Not(condition=found)
    if found.relation == "==":
        return found.model_copy(update={"relation": "!="})
    raise NotCanonical("a negated comparison is said by its opposite")


def _subject(words: CanonicalText) -> Subject:
    start = words.at
    try:
        return (expressions.expression(words),)
    except NotCanonical:
        words.at = start
    return expressions.listed(words)


def _what_is(words: CanonicalText, subject: Subject, *, negated: bool) -> Condition:
    if words.eats("unique"):
        return Unique(by=subject, missing_equal=words.eats("counting missing values as equal"))
    if words.eats("among"):
        return _exists(words, subject)
    (x,) = subject if len(subject) == 1 else _refuse()
    if words.eats("readable as"):
        said = words.match("an integer|a number|a date|a boolean|text")
        words.eats("(up to rounding)")
        return Parses(of=x, type=_READABLE[said])
    if not negated or words.nearly:
        found = _stated(words, x)
        if found is not None:
            return found
    return Compare(relation="==", left=x, right=Value(value=words.literal()))


def _refuse() -> Any:  # noqa: ANN401 - never gives anything back
    raise NotCanonical("several subjects")


def _stated(words: CanonicalText, x: Expression) -> Condition | None:
    if words.eats("present"):
        return Present(of=x)
    if words.eats("missing"):
        return Not(condition=Present(of=x))
    for said, inside in (("one of", True), ("none of", False)):
        if words.eats(said):
            listed = OneOf(of=x, values=tuple(_values(words)))
            return listed if inside else Not(condition=listed)
    if words.eats("between"):
        low = expressions.expression(words)
        words.expect("and")
        high = expressions.expression(words)
        return All(conditions=(Compare(relation=">=", left=x, right=low), Compare(relation="<=", left=x, right=high)))
    for said, relation in _RELATIONS.items():
        if words.eats(said):
            found = _compared(words, x, relation)
            if words.nearly and said in _OF_TIME and _is_plain_text(found.right):
                raise NotCanonical("texts stand in no order of time")
            return found
    return None


def _values(words: CanonicalText) -> Iterator[bool | int | float | str]:
    yield words.literal()
    while words.eats(","):
        if words.nearly:
            words.expect_space()  # 1,000 and 1,5 are one number each
        yield words.literal()
    words.eats("(up to rounding)")


def _is_plain_text(expression: Expression) -> bool:
    value = expression.value if isinstance(expression, Value) else None
    return isinstance(value, str) and not _DAY.match(value)


def _compared(words: CanonicalText, x: Expression, relation: str) -> Compare:
    right = expressions.expression(words)
    within = float(words.match(r"[\d.e+-]+")) if words.eats("within") else None
    if within is not None and within > 0 and words.nearly and relation == "==" and words.eats("%"):
        share = Arithmetic(sign="*", left=Value(value=round(within / 100, 10)), right=Absolute(of=right))
        return Compare(relation="<=", left=Absolute(of=Arithmetic(sign="-", left=x, right=right)), right=share)
    words.eats("(up to rounding)")
    return Compare(relation=relation, left=x, right=right, within=within)


def _exists(words: CanonicalText, subject: Subject) -> Exists:
    pairs = words.one_or_several(_dotted)
    where = expressions.where_of(words)
    return Exists(of=subject, table=pairs[0][0], keys=tuple(key for _, key in pairs), where=where)


def _dotted(words: CanonicalText) -> tuple[str, str]:
    table = words.name()
    words.expect(".")
    return table, words.name()


def _what_does(words: CanonicalText, subject: Subject, bare: int) -> Condition:
    """What a verb says; `bare` is 1 behind "must" and "does not"."""
    (x,) = subject if len(subject) == 1 else _refuse()
    if words.eats(("equals", "equal")[bare]):
        return _compared(words, x, "==")
    if words.eats(("has the format", "have the format")[bare]):
        named = words.match("|".join(sorted(map(_escaped, FORMATS), key=len, reverse=True)))
        return Matches(of=x, pattern=FORMATS[named].pattern, format=named)
    if words.eats(("matches", "match")[bare]):
        return Matches(of=x, pattern=words.match(r"/(?:[^/\\]|\\.)*/")[1:-1].replace("\\/", "/"))
    for where, verbs in _TEXT_VERBS.items():
        if words.eats(verbs[bare]):
            text = words.text_value()
            return HasText(of=x, where=where, text=text, ignore_case=words.eats("ignoring case"))
    raise NotCanonical(words.text[words.at :])


def _escaped(name: str) -> str:
    return name.replace(".", r"\.").replace("+", r"\+")
