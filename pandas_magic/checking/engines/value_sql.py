"""Expressions in SQL: NULL is missing, a length of time a whole number of microseconds."""

import re

import pandas as pd

from pandas_magic.checking.engines.dialect import NotExpressible
from pandas_magic.checking.engines.other_rows_sql import from_other_rows
from pandas_magic.checking.engines.portable_patterns import PLAIN_DATE
from pandas_magic.checking.engines.writing import Standing, Writing
from pandas_magic.constraints.algebra.expressions import (
    Absolute,
    Arithmetic,
    Column,
    DatePart,
    Expression,
    Folded,
    HowMany,
    Moment,
    Now,
    ReadAs,
    Span,
    TextLength,
    Value,
)
from pandas_magic.constraints.algebra.patterns import READ_AS
from pandas_magic.constraints.algebra.tree import local_nodes
from pandas_magic.constraints.types.value_types import ANY_ZONE

_READ = {"date": "read_moment", "number": "read_number", "time": "read_time"}
_SECONDS = {"seconds": 1, "minutes": 60, "hours": 3600, "days": 86400, "weeks": 604800}


def value(node: Expression, w: Writing, rows: Standing, zone: str | None = None) -> str:
    """The expression's value in the row, bare moments being read in the zone. Raises: NotExpressible."""
    match node:
        case Column(name=name):
            return w.column(name, rows)
        case Value() | Moment() | Now() | Span():
            return _named(node, w, zone)
        case Arithmetic():
            return _arithmetic(node, w, rows, zone)
        case Absolute(of=of):
            return w.dialect.say("whole_result", f"abs({value(of, w, rows)})")
        case TextLength() | Folded() | ReadAs():
            return _of_text(node, w, rows)
        case DatePart():
            return _part(node, w, rows, zone)
        case HowMany(conditions=parts):
            return f"({' + '.join(f'CASE WHEN {w.truth(part, rows)} THEN 1 ELSE 0 END' for part in parts) or '0'})"
        case _:
            return from_other_rows(node, w, rows)


def _named(node: Value | Moment | Now | Span, w: Writing, zone: str | None) -> str:
    if isinstance(node, Moment | Now):
        return moment(node, w, zone)
    if isinstance(node, Span):
        if node.unit not in _SECONDS:
            raise NotExpressible("calendar months by themselves")
        return str(round(node.amount * _SECONDS[node.unit] * 1_000_000))
    if isinstance(node.value, bool):
        return f"(1 = {int(node.value)})"
    return w.dialect.text(node.value) if isinstance(node.value, str) else w.dialect.number(node.value)


def _of_text(node: TextLength | Folded | ReadAs, w: Writing, rows: Standing) -> str:
    kind = w.type_in(node.of, rows.table).kind
    if kind != "text":
        raise NotExpressible(f"a {kind} as a text")
    text = value(node.of, w, rows)
    if isinstance(node, TextLength):
        return w.dialect.say("length", text)
    if isinstance(node, Folded):
        return w.dialect.say("lower" if node.fold == "case" else "strip", text)
    form = w.dialect.say("matches", text, w.dialect.text(PLAIN_DATE if node.type == "date" else READ_AS[node.type]))
    return f"(CASE WHEN {form} THEN {w.dialect.say(_READ[node.type], text)} END)"


def moment(node: Moment | Now, w: Writing, zone: str | None) -> str:
    """The moment in a zone, or naive without one. Raises: NotExpressible for one finer than microseconds."""
    zone = zone if zone not in ("", ANY_ZONE) else None
    if isinstance(node, Moment):
        named = pd.Timestamp(node.iso)
        return w.dialect.moment(named.tz_localize(zone) if named.tzinfo is None and zone else named)
    run = pd.Timestamp(w.instant.local) if zone is None else pd.Timestamp(w.instant.utc).tz_convert(zone)
    return w.dialect.moment(run.normalize() if node.midnight else run)


def pair(
    left: Expression, right: Expression, w: Writing, rows: Standing, *, zone: str | None = None
) -> tuple[str, str]:
    """Both values, a bare date on one side being read in the time zone of the other side."""
    if _takes_zone(left) and not _takes_zone(right):
        return value(left, w, rows, _zone(right, w, rows) or zone), value(right, w, rows, zone)
    return value(left, w, rows, zone), value(right, w, rows, _zone(left, w, rows) or zone)


def _takes_zone(node: Expression) -> bool:
    parts = list(local_nodes(node))
    named = any(isinstance(part, (Moment, Now)) for part in parts)
    return named and not any(isinstance(part, Column) for part in parts)


def _zone(node: Expression, w: Writing, rows: Standing) -> str | None:
    zone = w.type_in(node, rows.table).zone
    return zone if zone not in (None, "", ANY_ZONE) else None


def _arithmetic(node: Arithmetic, w: Writing, rows: Standing, zone: str | None) -> str:
    kinds = [w.type_in(side, rows.table).kind for side in (node.left, node.right)]
    if "datetime" in kinds:
        return _of_moments(node, w, rows, zone)
    if not set(kinds) <= {"integer", "number", "duration"}:
        raise NotExpressible(f"{kinds[0]} {node.sign} {kinds[1]}")
    if "duration" in kinds and (set(kinds) != {"duration"} or node.sign == "*"):
        raise NotExpressible(f"a length of time {node.sign} a number")
    a, b = pair(node.left, node.right, w, rows, zone=zone)
    if node.sign == "/":
        return _quotient(w, w.dialect.say("double", a), w.dialect.say("double", b))
    if kinds in (["integer", "integer"], ["duration", "duration"]):
        return w.dialect.say("whole_result", f"({a} {node.sign} {b})")
    return w.dialect.say("no_nan", f"({w.dialect.say('double', a)} {node.sign} {w.dialect.say('double', b)})")


def _quotient(w: Writing, a: str, b: str) -> str:
    """A number divided by zero is infinite, below zero where one of both is; zero by zero is missing."""
    infinite, sign = w.dialect.say("infinity"), f"(CASE WHEN {w.dialect.say('minus_zero', b)} THEN -1 ELSE 1 END)"
    by_zero = f"{sign} * (CASE WHEN {a} > 0 THEN {infinite} WHEN {a} < 0 THEN -{infinite} END)"
    return w.dialect.say("no_nan", f"(CASE WHEN {b} = 0 THEN {by_zero} ELSE {a} / {b} END)")


def _of_moments(node: Arithmetic, w: Writing, rows: Standing, zone: str | None) -> str:
    left, right = node.left, node.right
    kinds = [w.type_in(side, rows.table).kind for side in (left, right)]
    if kinds == ["datetime", "datetime"]:
        a, b = pair(left, right, w, rows, zone=zone)
        return f"({w.dialect.say('micros', a)} - {w.dialect.say('micros', b)})"
    if kinds[0] == "duration":
        left, right = right, left
    if w.type_in(right, rows.table).kind != "duration":
        raise NotExpressible("a date and a number")
    at = value(left, w, rows, zone)
    if isinstance(right, Span) and right.unit in ("months", "years"):
        months = int(right.amount) * (12 if right.unit == "years" else 1) * (-1 if node.sign == "-" else 1)
        own = _own_zone(left, w, rows, zone)
        return _off_the_clock(w.dialect.say("plus_months", _on_the_clock(at, own, w), months), own, w)
    amount = value(right, w, rows, zone)
    return w.dialect.say("plus_micros", at, f"-({amount})" if node.sign == "-" else amount)


def _own_zone(node: Expression, w: Writing, rows: Standing, zone: str | None) -> str | None:
    """The zone in which the moment's days are counted; None for a naive one."""
    return _zone(node, w, rows) or (zone if _takes_zone(node) else None)


def _on_the_clock(at: str, zone: str | None, w: Writing) -> str:
    """The moment as the clocks of its zone show it; a naive one as it is."""
    if zone is None:
        return at
    offset = _offset_micros(zone)
    shown = w.dialect.say("to_zone", at, w.dialect.text(zone if offset is None else "UTC"))
    return w.dialect.say("plus_micros", shown, offset) if offset else shown


def _off_the_clock(shown: str, zone: str | None, w: Writing) -> str:
    """The moment at which the clocks of the zone show that."""
    if zone is None:
        return shown
    offset = _offset_micros(zone)
    shown = w.dialect.say("plus_micros", shown, -offset) if offset else shown
    return w.dialect.say("from_zone", shown, w.dialect.text(zone if offset is None else "UTC"))


def _offset_micros(zone: str) -> int | None:
    """How far a zone such as UTC+05:30 is ahead of UTC, in microseconds; None for one that has a name.

    By their names engines take such zones for those of POSIX, whose signs are the other way round.
    """
    found = re.fullmatch(r"(?:UTC)?([+-])(\d\d):(\d\d)(?::(\d\d))?", zone)
    if found is None:
        return None
    seconds = int(found[2]) * 3600 + int(found[3]) * 60 + int(found[4] or 0)
    return (seconds if found[1] == "+" else -seconds) * 1_000_000


def _part(node: DatePart, w: Writing, rows: Standing, zone: str | None) -> str:
    found = w.type_in(node.of, rows.table)
    if found.kind != "datetime":
        raise NotExpressible(f"a part of a {found.kind}")
    at, own = value(node.of, w, rows, zone), _own_zone(node.of, w, rows, zone)
    if node.part == "time":
        shown = _on_the_clock(at, own, w)
        return f"({w.dialect.say('micros', shown)} - {w.dialect.say('micros', w.dialect.part('date', shown))})"
    part = w.dialect.part(node.part, _on_the_clock(at, own, w))
    return _off_the_clock(part, own, w) if node.part == "date" else part
