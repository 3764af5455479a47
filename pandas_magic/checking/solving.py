"""Values for the columns of one row with which an expression comes to what is wanted, or a condition is met or not."""

import math
from collections.abc import Iterator
from typing import Any

import pandas as pd

from pandas_magic.checking.matching_texts import texts_matching
from pandas_magic.constraints.algebra.conditions import (
    All,
    Any_,
    Compare,
    Condition,
    HasText,
    Matches,
    Not,
    OneOf,
    Parses,
    Present,
)
from pandas_magic.constraints.algebra.expressions import (
    Absolute,
    Aggregate,
    Arithmetic,
    Column,
    DatePart,
    Expression,
    Folded,
    Group,
    ReadAs,
    Rollup,
    Share,
    TextLength,
)
from pandas_magic.constraints.meaning.plain_rows import Place, Scalar
from pandas_magic.constraints.meaning.row_meaning import holds, value
from pandas_magic.constraints.meaning.scalars import arithmetic
from pandas_magic.constraints.types.named_formats import FORMATS

UNLISTED = "zz unlisted"
PARSEABLE = ("12", "-7", "1.5", "x", "2026-01-31", "2026-02-30", "yes", "")
# In so many ways does a value fail that is put where it does not belong: a text that is no number, the year 20000.
NOT_COMPUTABLE = (TypeError, ValueError, KeyError, OverflowError, ArithmeticError)

_SECOND = pd.Timedelta(seconds=1)
_DAY = pd.Timedelta(days=1)
_MONDAY = pd.Timestamp("2026-02-02 09:30")
_UNDOING = {"+": "-", "-": "+", "*": "/", "/": "*"}
_MOST_CHARACTERS = 10_000


def solved(side: Expression, wanted: Scalar, place: Place) -> tuple[Expression, Scalar] | None:
    """What inside the expression can be chosen (a column, a statistic), and what it must then be.

    None when that is not plain.
    """
    match side:
        case Column() | Group() | Rollup() | Aggregate() | Share():
            return side, wanted
        case Absolute(of=of) | Folded(of=of):
            return solved(of, wanted, place)
        case ReadAs(of=of, type=kind):
            return solved(of, as_text(wanted), place) if kind != "time" or _in_a_day(wanted) else None
        case TextLength(of=of):
            fits = isinstance(wanted, (int, float)) and 0 <= wanted <= _MOST_CHARACTERS
            return solved(of, "x" * int(wanted), place) if fits else None
        case DatePart(of=of):
            moment = _moment_with(side, wanted)
            return None if moment is None else solved(of, moment, place)
        case Arithmetic():
            return _solved_arithmetic(side, wanted, place)
    return None


def _solved_arithmetic(side: Arithmetic, wanted: Scalar, place: Place) -> tuple[Expression, Scalar] | None:
    rest = value(side.right, place)
    if rest is not None and not (side.sign in "*/" and not rest):
        found = solved(side.left, arithmetic(_UNDOING[side.sign], wanted, rest), place)
        if found is not None:
            return found
    known = value(side.left, place)
    if known is None or (side.sign == "/" and not wanted) or (side.sign == "*" and not known):
        return None
    turned = (known, wanted) if side.sign in "-/" else (wanted, known)
    return solved(side.right, arithmetic(side.sign if side.sign in "-/" else _UNDOING[side.sign], *turned), place)


def _moment_with(part: DatePart, wanted: Scalar) -> pd.Timestamp | None:
    """A moment of which that part is what is wanted; None when there is none."""
    if part.part == "date":
        return wanted if isinstance(wanted, pd.Timestamp) else None
    if part.part == "time":
        return _MONDAY.normalize() + wanted if _in_a_day(wanted) else None
    if not isinstance(wanted, (int, float)) or not float(wanted).is_integer():
        return None
    whole, start = int(wanted), _MONDAY
    try:
        match part.part:
            case "year" | "month" | "day" | "hour" | "minute":
                return pd.Timestamp(start.to_pydatetime().replace(**{str(part.part): whole}))  # type: ignore[arg-type] # a tzinfo is none of them
            case "quarter":
                return start.replace(month=3 * whole - 1)
            case "week":
                return pd.Timestamp.fromisocalendar(2026, whole, 3)
        return start + (whole - 1) * _DAY if 1 <= whole <= 7 else None
    except ValueError:
        return None


def _in_a_day(wanted: Scalar) -> bool:
    """Whether it is a time of day."""
    return isinstance(wanted, pd.Timedelta) and pd.Timedelta(0) <= wanted < _DAY


def around(limit: Scalar, compare: Compare) -> list[Scalar]:
    """The limit of a comparison, and values on both sides of it."""
    if isinstance(limit, (int, float)) and not isinstance(limit, bool):
        width = compare.within or 0
        beside = [limit + 1, limit - 1, limit + width, limit - width / 2, limit + width * 1.5, limit - 3 * width]
        return [limit, limit, *beside]
    if isinstance(limit, pd.Timestamp):
        return beside_moment(limit)
    return [limit, limit + _SECOND, limit - _SECOND] if isinstance(limit, pd.Timedelta) else [limit]


def beside_moment(moment: pd.Timestamp) -> list[Scalar]:
    """The moment, a second and a day before and after it, as far as the calendar goes."""
    return [moment, moment - _SECOND, moment + _SECOND, moment - _DAY, moment + _DAY]


def making(condition: Condition, place: Place, *, true: bool) -> Iterator[dict[str, Scalar]]:
    """Changes to the columns of the row that may make the condition true, or false; whether they do is to be seen."""
    if holds(condition, place) is true:
        yield {}
    match condition:
        case Not(condition=part):
            yield from making(part, place, true=not true)
        case All(conditions=parts) | Any_(conditions=parts):
            if isinstance(condition, All) is true:
                first = [next(iter(making(part, place, true=true)), {}) for part in parts]
                yield {column: each for changes in first for column, each in changes.items()}
                yield {column: each for changes in reversed(first) for column, each in changes.items()}
            else:
                for part in parts:
                    yield from making(part, place, true=true)
        case Compare(left=left, right=right):
            yield from _comparing(condition, left, right, place)
            yield from _comparing(condition, right, left, place)
        case Present(of=Column(name=name)):
            yield {name: None}
        case OneOf() | Matches() | HasText() | Parses():
            for each in tried(condition):
                yield from _setting(condition.of, each, place)
        case _:
            return


def _comparing(compare: Compare, side: Expression, other: Expression, place: Place) -> Iterator[dict[str, Scalar]]:
    limit = value(other, place)
    for each in [] if limit is None else [*around(limit, compare), *_unlike(limit)]:
        yield from _setting(side, each, place)


def _unlike(limit: Scalar) -> list[Scalar]:
    if isinstance(limit, bool):
        return [not limit]
    return [f"{limit}x", UNLISTED, ""] if isinstance(limit, str) else []


def _setting(side: Expression, each: Scalar, place: Place) -> Iterator[dict[str, Scalar]]:
    found = solved(side, each, place)
    if found is not None and isinstance(found[0], Column):
        yield {found[0].name: found[1]}


def tried(condition: OneOf | Matches | HasText | Parses) -> list[Any]:
    """Values that tell such a condition from its opposite."""
    match condition:
        case OneOf(values=values):
            first = values[0] if values else None
            beyond = [UNLISTED] if isinstance(first, str) else [] if isinstance(first, bool) else [_beyond(values)]
            return [*values, *beyond]
        case Matches(pattern=pattern, format=named):
            known = FORMATS.get(named or "")
            return [*(known.valid if known else ()), *texts_matching(pattern), "x", "", UNLISTED]
        case HasText(text=text):
            return [text, f"{text}x", f"x{text}", "x", "", UNLISTED]
    return list(PARSEABLE)


def _beyond(values: tuple[Any, ...]) -> int:
    return math.ceil(max((float(each) for each in values), default=0.0)) + 1


def as_text(each: Scalar) -> str:
    """A value as the text that is read as it."""
    if isinstance(each, pd.Timedelta):
        clock = str(pd.Timestamp(0) + each).partition(" ")[2]
        return clock.removesuffix(":00")
    return each.isoformat() if isinstance(each, pd.Timestamp) else str(each)
