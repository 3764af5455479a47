"""What terms are worth in a row: columns, literals fitted to what they are compared with, dates, computed values."""

import datetime
import re
from typing import cast

from pandas_magic.constraints.algebra.expressions import (
    Absolute,
    Aggregate,
    Arithmetic,
    Column,
    DatePart,
    Expression,
    Folded,
    Group,
    Moment,
    Now,
    Span,
    Statistic,
    TextLength,
    Unit,
    Value,
)
from pandas_magic.planner.language.doors.names import Names
from pandas_magic.planner.language.doors.terms import NotMeant, SyntaxTerm, UnknownName

STATISTICS = frozenset({"sum", "mean", "median", "min", "max", "std", "count", "distinct", "rows"})
_UNITS = frozenset({"seconds", "minutes", "hours", "days", "weeks", "months", "years"})
_NOW = {"now": False, "today": True, "current_date": True, "current_timestamp": False, "sysdate": False}


def value(term: SyntaxTerm, names: Names, beside: Expression | None = None) -> Expression:
    """The expression; a literal or a bare word is fitted to the column `beside` which it stands.

    Raises: NotMeant, UnknownName.
    """
    match term.op:
        case "same":
            return value(term.parts[0], names, beside)
        case "name":
            return _named(term, names, beside)
        case "literal":
            return fitted(term.said, names, beside)
        case "now" | "today":
            return Now(midnight=term.op == "today")
        case "span":
            return _span(term)
        case "+" | "-" | "*" | "/" if len(term.parts) == 2:
            return _computed(term, names)
        case op if op in STATISTICS:
            return _statistic(term, names)
    return _derived(term, names, beside)


def _derived(term: SyntaxTerm, names: Names, beside: Expression | None) -> Expression:
    if term.op in ("date", "moment") and term.parts[0].op == "literal":
        return moment(str(term.parts[0].said))
    if len(term.parts) != 1:
        raise NotMeant(term.op)
    of = value(term.parts[0], names)
    match term.op:
        case "abs":
            return Absolute(of=of)
        case "length":
            return TextLength(of=of)
        case "fold case":
            return Folded(of=of, fold="case")
        case "fold space":
            return Folded(of=of, fold="space")
        case "part":
            return DatePart.model_validate({"part": term.said, "of": of})
        case "date" if names.kind(of) == "datetime":
            return DatePart(part="date", of=of)
        case "moment" if names.kind(of) == "datetime":
            return of
    raise NotMeant(term.op)


def _named(term: SyntaxTerm, names: Names, beside: Expression | None) -> Expression:
    path = cast("tuple[str, ...]", term.said)
    try:
        found = names.value(path)
    except UnknownName:
        if len(path) > 1 or beside is None:
            raise
        return _word(path[0], term.quoted, names, beside)
    if term.quoted and beside is not None and path[-1] in names.values(beside):
        raise NotMeant(f'"{path[-1]}" is a column, and a text in another')
    return found


def _word(said: str, quoted: bool, names: Names, beside: Expression) -> Expression:
    """A word that is no column, beside one: a text in the other quotes, a value that occurs there, the time."""
    if quoted or said in names.values(beside):
        return fitted(said, names, beside)
    if said.lower() in _NOW and names.kind(beside) != "text":
        return Now(midnight=_NOW[said.lower()])
    raise UnknownName(f'no column of {names.target} "{said}"')


def fitted(said: object, names: Names, beside: Expression | None) -> Expression:
    """The literal as the column beside it holds such values: a date as a moment, 1 as true. Raises: NotMeant."""
    kind = None if beside is None else kind_of_value(beside, names)
    if kind == "datetime":
        return moment(str(said))
    if kind == "boolean" and said in (0, 1) and isinstance(said, (bool, int)):
        return Value(value=bool(said))
    if isinstance(said, (bool, int, float, str)):
        return Value(value=said)
    raise NotMeant("nothing is equal to NULL; write IS NULL")


def kind_of_value(of: Expression, names: Names) -> str | None:
    """What kind of values the expression has, as far as a literal beside it must know."""
    if isinstance(of, DatePart):
        return "datetime" if of.part == "date" else "integer"
    if isinstance(of, Arithmetic):
        kinds = {kind_of_value(of.left, names), kind_of_value(of.right, names)}
        return "datetime" if "datetime" in kinds and isinstance(of.right, Span) else None
    return "datetime" if isinstance(of, (Now, Moment)) else names.kind(of)


def moment(said: str) -> Moment:
    """The point in time. Raises: NotMeant when it is not written as ISO 8601 has it."""
    try:
        datetime.datetime.fromisoformat(said)
    except ValueError:
        raise NotMeant(f"{said!r} is no date in the form 2026-01-31") from None
    return Moment(iso=said.replace(" ", "T"))


def _span(term: SyntaxTerm) -> Span:
    unit = f"{str(term.said).removesuffix('s')}s"
    amount = term.parts[0].said
    if unit not in _UNITS or not isinstance(amount, (int, float)):
        raise NotMeant("a length of time")
    return Span(amount=float(amount), unit=cast(Unit, unit))


def _computed(term: SyntaxTerm, names: Names) -> Expression:
    left = value(term.parts[0], names)
    right = value(term.parts[1], names, left if term.op == "-" else None)
    return Arithmetic.model_validate({"sign": term.op, "left": left, "right": right})


def _statistic(term: SyntaxTerm, names: Names) -> Expression:
    """A statistic of the table, or of each group of `grouped` rows. Raises: NotMeant."""
    (of,) = term.parts or (SyntaxTerm("rows"),)
    statistic = "count" if term.op == "rows" else term.op
    if of.op == "grouped":
        return _per_group(statistic, of, names)
    if of.op == "distinct" and statistic == "count":
        statistic, of = "distinct", of.parts[0]
    if of.op == "rows" and not of.parts:
        return Aggregate(statistic="count", table=names.target)
    if of.op != "name":
        raise NotMeant("a statistic of what is no column")
    path = cast("tuple[str, ...]", of.said)
    if term.said == "len" and not (len(path) == 1 and _is_table(path[0], names)):
        return TextLength(of=names.value(path))
    if term.op == "rows":
        return Aggregate(statistic="count", table=_table_of(path[0], names))
    *before, column = path
    table = _table_of(before[-1], names) if before else names.target
    return Aggregate(statistic=cast(Statistic, statistic), table=table, of=Column(name=names.key(table, column)))


def _per_group(statistic: str, grouped: SyntaxTerm, names: Names) -> Group:
    by, *of = grouped.parts
    keys = by.parts if by.op == "list" else (by,)
    paths = [(str(key.said),) if key.op == "literal" else key.said for key in keys]
    columns = tuple(Column(name=names.own(cast("tuple[str, ...]", path))) for path in paths)
    counted = Column(name=names.own(cast("tuple[str, ...]", of[0].said))) if of else None
    if counted is None and statistic != "count":
        raise NotMeant("a statistic of no column")
    return Group(statistic=cast(Statistic, statistic), of=counted, by=columns)


def _is_table(said: str, names: Names) -> bool:
    return said == "df" or any(said.lower() == table.lower() for table in names.tables)


def _table_of(said: str, names: Names) -> str:
    return names.target if said == "df" else names.table(said)


def text_of(term: SyntaxTerm) -> str:
    """The text that a term holds. Raises: NotMeant."""
    if term.op != "literal" or not isinstance(term.said, str):
        raise NotMeant("no text")
    return term.said


def like_pattern(text: str) -> str:
    """The regular expression of what LIKE means by % and _."""
    return "".join({"%": ".*", "_": "."}.get(part, re.escape(part)) for part in re.split(r"([%_])", text))
