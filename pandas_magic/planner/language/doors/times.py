"""Dates and times of the day in code: of columns that hold them, of moments, and as they are written beside one."""

from pandas_magic.catalog.table import ValueKind
from pandas_magic.constraints.algebra.expressions import DatePart, Expression, ReadAs, Span, Value
from pandas_magic.constraints.algebra.shapes import is_time_of_day
from pandas_magic.constraints.meaning.scalars import read_as
from pandas_magic.constraints.types.value_types import type_of
from pandas_magic.planner.language.doors.names import Names
from pandas_magic.planner.language.doors.terms import NothingHolds, NotMeant, SyntaxTerm

# Formats of times alone, by which pandas reads texts; of all others only that of ISO 8601 is one that rules know.
CLOCKS = frozenset({"%H:%M", "%H:%M:%S", "%H:%M:%S.%f", "%X", "%T", "%R"})
_ISO_FORMATS = frozenset(
    {"ISO8601", "mixed", "%Y-%m-%d"}
    | {f"%Y-%m-%d{sign}{clock}" for sign in " T" for clock in ("%H:%M", "%H:%M:%S", "%H:%M:%S.%f")}
)


def of_time(term: SyntaxTerm, of: Expression, names: Names) -> Expression:
    """What the term makes of it: a date, a part of one, a moment, a time of day. Raises: NotMeant, NothingHolds."""
    match term.op:
        case "part" | "date":
            return DatePart.model_validate({"part": term.said or "date", "of": _date_of(of, names)})
        case "time":
            return _time_of(of, names)
        case "moment" | "days of":
            if _kind(of, names) == "text" and term.said not in (None, *_ISO_FORMATS):
                raise NothingHolds(f"texts are read as dates in ISO 8601 alone, and as none in the form {term.said}")
            told = names.as_told(of, "time")
            return told if told != of else _date_of(of, names)
    raise NotMeant(term.op)


def _date_of(of: Expression, names: Names) -> Expression:
    if names.as_told(of, "time") != of:
        raise NothingHolds("a time of day has no parts in a rule; compare the time itself, as with TIME '08:00'")
    return ReadAs(of=of, type="date") if _kind(of, names) == "text" else of


def _time_of(of: Expression, names: Names) -> Expression:
    """The value as a time of day: a text or an object read as one, that of a moment. Raises: NotMeant."""
    kind = _kind(of, names)
    if kind in ("text", "mixed"):
        return ReadAs(of=of, type="time")
    if kind == "datetime":
        return DatePart(part="time", of=of)
    if kind != "duration":
        raise NotMeant(f"a time of day of {kind}")
    return of


def time_named(said: object) -> Span:
    """The time of day that is written, "18:00", as the length of time since midnight. Raises: NothingHolds."""
    length = read_as("time", said) if isinstance(said, str) else None
    if length is None:
        raise NothingHolds(f"{said!r} is no time of the day, such as '08:30'")
    minutes = length.total_seconds() / 60
    whole = minutes.is_integer()
    return Span(amount=minutes, unit="minutes") if whole else Span(amount=length.total_seconds(), unit="seconds")


def in_time(one: Expression, other: Expression, names: Names) -> tuple[Expression, Expression]:
    """Both sides, as times of the day where one of them is such: columns that hold them, and what is written."""
    one, other = (_of_objects(side, names) for side in (one, other))
    return _beside(one, other, names), _beside(other, one, names)


def _of_objects(side: Expression, names: Names) -> Expression:
    """A column of objects of time read as such; as they are, there is no time between them, and none beside a text."""
    return names.as_told(side, "time") if _kind(side, names) == "mixed" else side


def _beside(side: Expression, other: Expression, names: Names) -> Expression:
    if isinstance(side, Value):
        return time_named(side.value) if is_time_of_day(other) else side
    return names.as_told(side, "time") if _kind(other, names) == "duration" else side


def _kind(of: Expression, names: Names) -> ValueKind:
    return type_of(of, names.tables[names.target], names.tables).kind
