"""What facts about numbers demand: limits, steps, and as many digits as the type has."""

import re
from collections.abc import Iterable

from pandas_magic.constraints.algebra.conditions import Compare, Condition, Parses
from pandas_magic.constraints.algebra.expressions import Absolute, Arithmetic, Expression, ReadAs, Value
from pandas_magic.planner.language.doors.fact_subject import FactSubject, Maker, Match
from pandas_magic.planner.language.doors.slots import number_of
from pandas_magic.planner.language.doors.terms import NotMeant

NUMBERS = ("integer", "number")
# A float holds no more digits, so that there is nothing to look at.
_DIGITS_OF_A_FLOAT = 15


def related(relation: str, left: Expression, right: Expression) -> Compare:
    """The comparison of the two."""
    return Compare.model_validate({"relation": relation, "left": left, "right": right})


def _number_type(match: Match, subject: FactSubject) -> Iterable[Condition]:
    if subject.kind not in NUMBERS or subject.is_read:
        yield Parses(of=subject.of, type="number")
    if match["digits"] and int(match["digits"]) <= _DIGITS_OF_A_FLOAT:
        of = subject.of if subject.kind in NUMBERS else ReadAs(of=subject.of, type="number")
        yield from _digits(of, subject.kind, int(match["digits"]), int(match["places"] or 0))


def _digits(of: Expression, kind: str | None, digits: int, places: int) -> Iterable[Condition]:
    """What NUMERIC(5,2) lets in: below 1000 on either side of zero, with two decimals."""
    if places > digits:
        raise NotMeant("more decimals than digits")
    yield related("<", Absolute(of=of), Value(value=10 ** (digits - places)))
    if kind != "integer":
        step = Value(value=float(f"1e-{places}"))
        yield Parses(of=Arithmetic(sign="/", left=of, right=step) if places else of, type="integer")


def _number(relation: str, number: int | None = None) -> Maker:
    def make(match: Match, subject: FactSubject) -> Iterable[Condition]:
        limit = number_of(match["n"]) if number is None else number
        yield related(relation, subject.needs(*NUMBERS), Value(value=limit))
        yield from _whole_too(match, subject)

    return make


def _whole_too(match: Match, subject: FactSubject) -> Iterable[Condition]:
    """What "positive integer" and "integer 1-5" demand besides, of a column that may hold fractions."""
    if subject.kind == "number" and re.search(r"\b(?:int|integer|whole number)\b", match[0], re.IGNORECASE):
        yield Parses(of=subject.of, type="integer")


def _between(match: Match, subject: FactSubject) -> Iterable[Condition]:
    low, high = number_of(match["n"]), number_of(match["m"])
    if low >= high:
        raise NotMeant("the bounds are the wrong way round")
    of = subject.needs(*NUMBERS)
    yield from (related(">=", of, Value(value=low)), related("<=", of, Value(value=high)))
    yield from _whole_too(match, subject)


def _steps(match: Match, subject: FactSubject) -> Iterable[Condition]:
    step = Value(value=number_of(match["n"]))
    yield Parses(of=Arithmetic(sign="/", left=subject.needs(*NUMBERS), right=step), type="integer")


NUMBER_MAKERS: dict[str, Maker] = {
    "type number": _number_type, "positive": _number(">", 0), "not negative": _number(">=", 0),
    "negative": _number("<", 0), "not zero": _number("!=", 0), "between": _between, ">=": _number(">="),
    "<=": _number("<="), ">": _number(">"), "<": _number("<"), "equals number": _number("=="), "steps": _steps,
}  # fmt: skip
