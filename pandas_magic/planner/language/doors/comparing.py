"""What a comparison of two terms means: each side fitted to the other, whole units of time, slices, upper case."""

import operator
from collections.abc import Callable
from dataclasses import replace
from typing import Any, cast

from pandas_magic.constraints.algebra.conditions import MIRRORED, Compare, Condition, Parses, Relation
from pandas_magic.constraints.algebra.expressions import (
    Arithmetic,
    DatePart,
    Expression,
    Moment,
    Now,
    Span,
    Value,
)
from pandas_magic.planner.language.doors.names import Names
from pandas_magic.planner.language.doors.quotients import multiple, whole_quotient
from pandas_magic.planner.language.doors.terms import NothingHolds, NotMeant, SyntaxTerm, UnknownName, literal
from pandas_magic.planner.language.doors.text_comparing import (
    found_in,
    in_upper_case,
    not_blank,
    occurring,
    sliced,
)
from pandas_magic.planner.language.doors.times import in_time
from pandas_magic.planner.language.doors.values import STATISTICS, kind_of_value, value
from pandas_magic.planner.language.logic import all_of, any_of, opposite

DAY_NUMBERS = ("day from monday", "day from sunday")
_COMPUTED = ("abs", "+", "-", "*", "/")
RELATIONS = frozenset({"==", "!=", "<", "<=", ">", ">="})
_LITERAL: dict[str, Callable[[Any, Any], bool]] = {
    "==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt,
            ">=": operator.ge}  # fmt: skip


class TextsInOrder(NotMeant):
    """Texts are compared by their order, which says nothing of the dates or numbers that they may hold."""


def related(relation: Relation, left: SyntaxTerm, right: SyntaxTerm, names: Names) -> Condition:
    """The comparison of two values. Raises: NotMeant, UnknownName, NothingHolds."""
    left, right = _plain(left), _plain(right)
    if right.op in _SPECIAL and left.op not in _SPECIAL:
        left, relation, right = right, MIRRORED[relation], left
    _aligned(left, right)
    if left.op in _SPECIAL:
        found = _SPECIAL[left.op](relation, left, right, names)
        if found is not None:
            return found
    within = replace(names, needs=[])
    found = _compared(relation, left, right, within)
    if names.is_settled:
        return any_of([*map(opposite, within.needs), found]) if relation == "!=" else all_of([*within.needs, found])
    if names.is_demanded:
        return any_of([*map(opposite, within.needs), found]) if not _holds_at_zero(found) else found
    return all_of([*within.needs, found])


def _plain(term: SyntaxTerm) -> SyntaxTerm:
    return _plain(term.parts[0]) if term.op == "same" else term


def fold(relation: Relation, left: SyntaxTerm, right: SyntaxTerm) -> bool | None:
    """Whether two literals stand in the relation; None when one is missing."""
    if left.said is None or right.said is None:
        return None
    if isinstance(left.said, str) != isinstance(right.said, str):
        raise NotMeant("a text and a number")
    return bool(_LITERAL[relation](left.said, right.said))


def _holds_at_zero(found: Condition) -> bool:
    """Whether no rows, of which the sum is 0, keep the rule anyway."""
    if not isinstance(found, Compare) or not isinstance(found.right, Value):
        return False
    limit = found.right.value
    return not isinstance(limit, str) and bool(_LITERAL[found.relation](0, limit))


def _compared(relation: Relation, left: SyntaxTerm, right: SyntaxTerm, names: Names) -> Condition:
    first, second = in_time(*_sides(left, right, names), names)
    if kind_of_value(first, names) == "datetime":
        second = names.as_told(second, "date")
    elif kind_of_value(second, names) == "datetime":
        first = names.as_told(first, "date")
    kinds = [kind_of_value(first, names), kind_of_value(second, names)]
    in_order = relation not in ("==", "!=") and kinds == ["text", "text"]
    sides = ((left, first), (right, second))
    if in_order and any(term.op == "name" and isinstance(side, Value) for term, side in sides):
        raise NotMeant("a bare word is no limit: in the order of texts S10 comes before S9")
    if in_order and not {type(first), type(second)} & {Value}:
        first, second = (names.as_told(side, "date", "time") for side in (first, second))
        if {kind_of_value(first, names), kind_of_value(second, names)} not in ({"datetime"}, {"duration"}):
            raise TextsInOrder("two columns of texts are compared by their order")
    if kinds[0] == "duration" and isinstance(second, Value) and isinstance(second.value, (int, float)):
        second = Span(amount=float(second.value), unit="days")  # a date less a date is so many days
    literals = (Value, Moment, Now, Span)
    if isinstance(first, literals) and not isinstance(second, literals):
        return Compare(relation=MIRRORED[relation], left=second, right=first)
    return Compare(relation=relation, left=first, right=second)


def _sides(left: SyntaxTerm, right: SyntaxTerm, names: Names) -> tuple[Expression, Expression]:
    """Both values, a literal or a bare word fitted to the other side."""
    if left.op in ("literal", "name") and right.op != "literal":
        try:
            first = None if left.op == "literal" else value(left, names)
        except UnknownName:
            first = None
        if first is None:
            second = value(right, names)
            return value(left, names, second), second
        return first, value(right, names, first)
    first = value(left, names)
    return first, value(right, names, first)


def _aligned(left: SyntaxTerm, right: SyntaxTerm) -> None:
    """Raises: NothingHolds where one side has a value for each group, and the other for each row."""
    for one, other in ((left, right), (right, left)):
        if is_per_group(one) and other.op != "literal" and not is_per_group(other):
            raise NothingHolds("a value for each group is compared with one for each row; write .transform(…)")


def is_per_group(term: SyntaxTerm) -> bool:
    """Whether the statistic has a value for each group, and not one for each row."""
    return term.op in STATISTICS and bool(term.parts) and term.parts[0].op == "grouped" and term.said != "each row"


def _whole_units(relation: Relation, left: SyntaxTerm, right: SyntaxTerm, names: Names) -> Condition | None:
    """`(b - a).dt.days <= 30` counts whole days, which is less than 31 days; DATEDIFF(day, a, b) counts midnights."""
    start, end = (value(part, names) for part in left.parts)
    unit, way = cast("tuple[str, str]", left.said)
    if way == "calendar":
        first, second = _calendar(unit, start, end)
        if isinstance(first, DatePart) or unit != "days":
            return Compare(relation=relation, left=first, right=value(right, names, second))
        if right.op == "literal" and isinstance(right.said, int):
            return Compare(relation=relation, left=first, right=Span(amount=right.said, unit="days"))
        return Compare(relation=relation, left=second, right=value(right, names, None))
    if right.op != "literal" or not isinstance(right.said, int) or isinstance(right.said, bool):
        if unit != "days":
            raise NothingHolds(f"whole {unit} are compared with what is no whole number")
        names.doubts.append("where there is a time of day, days are counted here from midnight to midnight")
        return _whole_units(relation, replace(left, said=("days", "calendar")), right, names)
    return _elapsed(relation, (start, end), unit, right.said, floors=way == "floor")


def _calendar(unit: str, start: Expression, end: Expression) -> tuple[Expression, Expression]:
    """The difference as a length of time (or a number), and as a number."""
    if unit == "days":
        days = Arithmetic(sign="-", left=DatePart(part="date", of=end), right=DatePart(part="date", of=start))
        return days, Arithmetic(sign="/", left=days, right=Span(amount=1, unit="days"))
    if unit not in ("months", "years"):
        raise NothingHolds(f"{unit} begun and not elapsed are nothing that a rule can hold; subtract the dates")
    years = _parts_apart("year", start, end)
    if unit == "years":
        return years, years
    twelve = Arithmetic(sign="*", left=years, right=Value(value=12))
    months = Arithmetic(sign="+", left=twelve, right=_parts_apart("month", start, end))
    return months, months


def _parts_apart(part: str, start: Expression, end: Expression) -> Arithmetic:
    first, second = (DatePart.model_validate({"part": part, "of": of}) for of in (end, start))
    return Arithmetic(sign="-", left=first, right=second)


def _elapsed(
    relation: Relation, ends: tuple[Expression, Expression], unit: str, number: int, *, floors: bool
) -> Condition:
    def at_least(amount: int) -> Condition:
        if amount < 1 and not floors:  # what is cut towards zero is 0 from just above one unit below
            return _apart(">", ends, amount - 1, unit)
        return _apart(">=", ends, amount, unit)

    match relation:
        case ">=":
            return at_least(number)
        case "<":
            return opposite(at_least(number))
        case ">":
            return at_least(number + 1)
        case "<=":
            return opposite(at_least(number + 1))
    within = all_of([at_least(number), opposite(at_least(number + 1))])
    return within if relation == "==" else opposite(within)


def _apart(relation: Relation, ends: tuple[Expression, Expression], amount: int, unit: str) -> Compare:
    start, end = ends
    span = Span.model_validate({"amount": amount, "unit": unit})
    if unit in ("months", "years"):  # which have no length of their own
        return Compare(relation=relation, left=end, right=Arithmetic(sign="+", left=start, right=span))
    return Compare(relation=relation, left=Arithmetic(sign="-", left=end, right=start), right=span)


def _whole_days(relation: Relation, left: SyntaxTerm, right: SyntaxTerm, names: Names) -> Condition | None:
    (of,) = left.parts
    of = _plain(of)
    if of.op != "-" or len(of.parts) != 2:
        raise NotMeant("days of what is no difference")
    ends = SyntaxTerm("units between", (of.parts[1], of.parts[0]), said=("days", "floor"))
    return _whole_units(relation, ends, right, names)


def _rounded(relation: Relation, left: SyntaxTerm, right: SyntaxTerm, names: Names) -> Condition | None:
    """`x == round(y, 2)`: equal but for half of the last place, which is not quite the same and therefore asked."""
    places = left.parts[1].said if len(left.parts) > 1 else 0
    if relation not in ("==", "!=") or not isinstance(places, int):
        raise NothingHolds("what is rounded can be held equal to something, and nothing else")
    other = _plain(right)
    if _plain(left.parts[0]) == other:  # `x == x.round(2)`: so many decimals
        step = Arithmetic(sign="/", left=value(other, names), right=Value(value=float(f"1e-{places}")))
        whole = Parses(of=step, type="integer")
        return whole if relation == "==" else opposite(whole)
    names.doubts.append(f"what is rounded to {places} places is compared up to half of the last one")
    other = other.parts[0] if other.op == "round" else other
    first, second = _sides(other, left.parts[0], names)
    return Compare(relation=relation, left=first, right=second, within=0.5 / 10**places)


def _extreme(relation: Relation, left: SyntaxTerm, right: SyntaxTerm, names: Names) -> Condition | None:
    """The greatest of some is at most x: each is; `df.groupby(k).size().max() <= 3`: every group's."""
    is_greatest = left.op in ("greatest", "max")
    parts = left.parts
    bounds = ("<", "<=") if is_greatest else (">", ">=")
    if left.op in ("max", "min") and not (len(parts) == 1 and is_per_group(parts[0])):
        is_of_rows = bool(parts) and (parts[0].op in _COMPUTED or (right.op == "literal" and _is_own(parts[0], names)))
        if names.over is not None or relation not in bounds or not is_of_rows:
            return None
        names = replace(names, is_settled=False)  # of missing values there is no greatest one
    if relation in bounds:
        return all_of([related(relation, part, right, names) for part in parts])
    if relation in ("==", "!=") or left.op in ("max", "min"):
        raise NothingHolds("the greatest or least of several is nothing that a rule can hold, but for a limit to all")
    return any_of([related(relation, part, right, names) for part in parts])


def _is_own(term: SyntaxTerm, names: Names) -> bool:
    """Whether it is a column of the table whose rows are checked."""
    path = term.said if term.op == "name" and isinstance(term.said, tuple) else ()
    return len(path) > 1 and names.is_here(path[-2])


def iso_day(term: SyntaxTerm, item: SyntaxTerm) -> SyntaxTerm:
    """The number that ISO 8601 gives the day, Monday being 1. Raises: NothingHolds."""
    if not isinstance(item.said, int) or not 0 <= item.said <= 6:
        raise NothingHolds("the number of a day of the week is none from 0 to 6")
    return literal(item.said + 1 if term.op == "day from monday" else item.said or 7)


def _weekday(relation: Relation, left: SyntaxTerm, right: SyntaxTerm, names: Names) -> Condition | None:
    if left.op == "day from sunday" and relation not in ("==", "!="):
        raise NothingHolds("days that begin with Sunday can only be listed")
    return Compare(relation=relation, left=value(left.parts[0], names), right=value(iso_day(left, right), names))


_SPECIAL: dict[str, Callable[[Relation, SyntaxTerm, SyntaxTerm, Names], Condition | None]] = {
    "units between": _whole_units,
    "whole days": _whole_days,
    "slice": sliced,
    "fold case up": in_upper_case,
    "round": _rounded,
    "%": multiple,
    "//": whole_quotient,
    "greatest": _extreme,
    "least": _extreme,
    "max": _extreme,
    "min": _extreme,
    "position": found_in,
    "position back": found_in,
    "occurrences": occurring,
    "length": not_blank,
    **dict.fromkeys(DAY_NUMBERS, _weekday),
}


def is_special(term: SyntaxTerm) -> bool:
    """Whether a comparison of the term is more than one of two values."""
    return _plain(term).op in _SPECIAL.keys() - {"max", "min", "length"}
