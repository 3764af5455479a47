"""What terms are worth in a row: columns, literals fitted to what they are compared with, dates, computed values."""

import datetime
from collections.abc import Callable
from dataclasses import replace
from typing import cast

from pandas_magic.catalog.table import ValueKind
from pandas_magic.constraints.algebra.expressions import (
    Absolute,
    Arithmetic,
    Expression,
    Folded,
    Group,
    Moment,
    Now,
    Previous,
    ReadAs,
    Rollup,
    Span,
    TextLength,
    Unit,
    Value,
)
from pandas_magic.constraints.types.value_types import type_of
from pandas_magic.planner.language.doors.names import Names
from pandas_magic.planner.language.doors.statistics import STATISTICS, is_table, statistic
from pandas_magic.planner.language.doors.terms import NothingHolds, NotMeant, SyntaxTerm, UnknownName, literal
from pandas_magic.planner.language.doors.times import in_time, of_time, time_named

__all__ = ["STATISTICS", "doubt_fold", "fitted", "kind_of_value", "moment", "text_of", "value"]

_REACHING = ("over", "filtered", "mapped", "query", "joined column")
_UNITS = frozenset({"seconds", "minutes", "hours", "days", "weeks", "months", "years"})
_NOW = {"now": False, "today": True, "current_date": True, "current_timestamp": False, "sysdate": False}
_PLAIN: dict[str, Callable[[Expression], Expression]] = {
    "abs": lambda of: Absolute(of=of),
    "length": lambda of: TextLength(of=of),
    "fold case": lambda of: Folded(of=of, fold="case"),
    "fold space": lambda of: Folded(of=of, fold="space"),
}
_BEYOND = {
    "%": "the remainder of a division", "//": "a whole quotient", "concat": "texts that are joined",
    "round": "a rounded number", "case": "a choice between values", "coalesce": "a value in place of a missing one",
    "slice": "a part of a text", "fold case up": "a text in upper case", "position": "the place of a text in another",
    "query": "a query of anything but one statistic or one column",
}  # fmt: skip


def value(term: SyntaxTerm, names: Names, beside: Expression | None = None) -> Expression:
    """The expression; a literal or a bare word is fitted to the column `beside` which it stands.

    Raises: NotMeant, UnknownName, NothingHolds.
    """
    match term.op:
        case "same":
            return value(term.parts[0], names, beside)
        case "name":
            return _named(term, names, beside)
        case "literal":
            return fitted(term.said, names, beside)
        case "now" | "today" | "span":
            return _span(term) if term.op == "span" else Now(midnight=term.op == "today")
        case "+" | "-" | "*" | "/" if len(term.parts) == 2:
            return _computed(term, names)
        case "length" if term.said == "column" or (term.said == "len" and _is_column(term.parts[0], names)):
            return _length(term, names)
        case "previous":
            of, order, *by = (value(part, names) if part.op != "rows" else None for part in term.parts)
            return Previous.model_validate({"of": of, "order": order, "by": tuple(by)})
        case "coalesce" if is_filled_sum(term):
            return _filled(value(term.parts[0], replace(names, needs=[])))
        case op if op in STATISTICS or op in _REACHING:
            return statistic(term, names, value)
    return _derived(term, names)


def _length(term: SyntaxTerm, names: Names) -> Expression:
    if term.said == "column":
        names.doubts.append("whether rows are counted or the characters of each text is not said")
    return TextLength(of=value(term.parts[0], names))


def is_filled_sum(term: SyntaxTerm) -> bool:
    """Like `COALESCE(SUM(x), 0)` and `.map(…).fillna(0)`: of no rows 0, as a rule has it anyway."""
    return term.op == "coalesce" and term.parts[1:] == (literal(0),) and term.parts[0].op in (*STATISTICS, *_REACHING)


def _filled(found: Expression) -> Expression:
    if not isinstance(found, (Rollup, Group)) or found.statistic not in ("count", "sum", "distinct"):
        raise NothingHolds("a value in place of a missing one is nothing that a rule can hold here")
    return found


def _is_column(term: SyntaxTerm, names: Names) -> bool:
    return term.op == "name" and not (len(cast("tuple[str, ...]", term.said)) == 1 and is_table(term, names))


def _derived(term: SyntaxTerm, names: Names) -> Expression:
    if term.op in ("date", "moment", "time") and term.parts[0].op == "literal":
        said = term.parts[0].said
        return time_named(said) if term.op == "time" else moment(str(said))
    if term.op == "-" and len(term.parts) == 1:
        return Arithmetic(sign="-", left=Value(value=0), right=value(term.parts[0], names))
    if term.op == "round" and len(term.parts) == 2:
        names.doubts.append(f"what is rounded to {term.parts[1].said} places is taken as it is")
        return value(term.parts[0], names)
    if len(term.parts) != 1 or term.op in _BEYOND:
        raise NothingHolds(f"{_BEYOND.get(term.op, term.op)} is nothing that a rule can hold here")
    of = value(term.parts[0], names)
    kind = kind_of_value(of, names)
    if term.op in _PLAIN:
        return _PLAIN[term.op](of)
    if term.op in ("number", "whole number"):
        return _as_number(of, kind, is_whole=term.op == "whole number")
    return of_time(term, of, names)


def _as_number(of: Expression, kind: ValueKind, *, is_whole: bool) -> Expression:
    if kind == "text":
        return ReadAs(of=Folded(of=of, fold="space"), type="number")
    if kind not in ("integer", "number") or (is_whole and kind != "integer"):
        raise NothingHolds("a value made a whole number is nothing that a rule can hold")
    return of


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
    if term.quoted and beside is not None and kind_of_value(beside, names) == "text":
        names.doubts.append(f"{path[-1]} in double quotes is read as the column; a text stands in single ones")
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
    doubt_fold(said, names, beside)
    if isinstance(said, (bool, int, float, str)):
        return Value(value=said)
    raise NothingHolds("nothing is equal to NULL; write IS NULL")


def doubt_fold(said: object, names: Names, of: Expression | None) -> None:
    """What LOWER and TRIM never give: 'HR', ' a'; the rule folds what is written out as well, the code does not."""
    if not isinstance(of, Folded) or not isinstance(said, str):
        return
    plain = said.lower() if of.fold == "case" else said.strip()
    if said != plain:
        names.doubts.append(f"a text so changed never holds {said!r}, and it takes that for {plain!r}")


def kind_of_value(of: Expression, names: Names) -> ValueKind:
    """What kind of values the expression has, as far as the tables tell."""
    return type_of(of, names.tables[names.target], names.tables).kind


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
    right = value(term.parts[1], names, left if term.op == "-" and term.parts[1].said.__class__ is str else None)
    if term.op in "+-":
        left, right = _in_time(left, right, term.op, names)
    kinds = kind_of_value(left, names), kind_of_value(right, names)
    if kinds == ("datetime", "integer") and term.op in "+-" and isinstance(right, Value):
        right = Span(amount=float(right.value), unit="days")
    if "text" in kinds and term.op == "+":
        raise NothingHolds(_BEYOND["concat"] + " are nothing that a rule can hold")
    if term.said == "sql" and kinds == ("integer", "integer"):
        names.doubts.append("many databases cut the quotient of whole numbers to a whole one, and it does not")
    return Arithmetic.model_validate({"sign": term.op, "left": left, "right": right})


def _in_time(left: Expression, right: Expression, sign: str, names: Names) -> tuple[Expression, Expression]:
    """Both sides, columns that hold times of the day as such where that alone can be meant."""
    left, right = in_time(left, right, names)
    return (names.as_told(left, "time"), names.as_told(right, "time")) if sign == "-" else (left, right)


def text_of(term: SyntaxTerm) -> str:
    """The text that a term holds. Raises: NotMeant."""
    if term.op != "literal" or not isinstance(term.said, str):
        raise NotMeant("no text")
    return term.said
