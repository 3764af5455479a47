"""Days and times of day: at which end of a day a limit lies, and what is a month or a weekday of a date."""

import re
from collections.abc import Iterator, Mapping
from typing import Literal

from pandas_magic.catalog.table import Table
from pandas_magic.constraints.algebra.conditions import MIRRORED, Compare, Condition, OneOf
from pandas_magic.constraints.algebra.expressions import (
    Arithmetic,
    Column,
    DatePart,
    Expression,
    Lookup,
    Moment,
    Now,
    ReadAs,
    Span,
    Value,
)
from pandas_magic.constraints.algebra.polarity import Leaf, leaves
from pandas_magic.constraints.algebra.rules import Constraint, RowRule
from pandas_magic.constraints.algebra.tree import nodes, placed_nodes
from pandas_magic.constraints.algebra.words import expression_words
from pandas_magic.planner.language.guards.nodes_needed import denied_like, each, equalled, every_node, turned
from pandas_magic.planner.language.linking import Linked
from pandas_magic.planner.language.linking.calendar_days import stretch
from pandas_magic.planner.language.linking.tokens import MONTHS, WEEKDAYS
from pandas_magic.planner.language.logic import replaced
from pandas_magic.record import Record

Tables = Mapping[str, Table]
# Which end of the day is meant matters to these, said of a time; "before" and "from … on" leave nothing open.
_OPEN = ("<=", ">", "==", "!=")
_IN_DAYS = ("days", "weeks", "months", "years")
_DAY = len("2026-12-31")
_SO_MANY = r"(?: \w+)? (?:hours?|days?|weeks?|months?|years?)\b"
_NEXT = re.compile(rf"\b(?:next|coming|following|upcoming){_SO_MANY}")
_LAST = re.compile(rf"\b(?:last|past|previous|preceding){_SO_MANY}")
_ISO_DAY = re.compile(r"\d{4}-\d\d-\d\d.*")
_NUMBERED: Mapping[Literal["year", "month", "weekday"], Mapping[str, int]] = {
    "year": {str(year): year for year in range(1900, 2100)},
    "month": MONTHS,
    "weekday": WEEKDAYS,
}
_DAY_OF = re.compile(r"\bday of\b")
_UP_TO = frozenset(("to", "through", "until", "till", "-", "–"))


def days_in_doubt(constraint: Constraint, tables: Tables) -> Iterator[str]:
    """Like "paid_at must be no later than due_on": whether what is paid at noon of that day is late."""
    for _, time, day in _compared(constraint, tables):
        words = expression_words(time), expression_words(day)
        yield f"{words[0]} has times of day: whether the whole day of {words[1]} counts is not said"


def ages_of_dates(constraint: Constraint, linked: Linked) -> Iterator[str]:
    """Like a date "older than" another, of which the older is the earlier."""
    said = re.search(r"\b(older|younger)\b", linked.text.lower())
    if said is None or not isinstance(constraint, RowRule):
        return
    for node in each(constraint, Compare):
        if not any(isinstance(part, (Span, Value, Now)) for part in nodes(node)):
            yield f"whether the {said[1]} one is the earlier one is not said"


def times_for_days(constraint: Constraint, linked: Linked) -> Iterator[str]:
    """Like "sold on or before the day of the visit", of a sold_at, which may hold times tomorrow."""
    if not _DAY_OF.search(linked.text.lower()):
        return
    for node in each(constraint, Compare):
        for side in (node.left, node.right):
            there = place(_unmoved(side), constraint.table)
            if there is not None and there[1].endswith("_at"):
                yield f"whether the whole day counts for {there[1]} is not said"


def looks_elsewhere(constraint: Constraint, linked: Linked) -> Iterator[str]:
    """Like "within the next 90 days", taken for the last ones."""
    for node in each(constraint, Arithmetic):
        if isinstance(node.left, Now) and isinstance(node.right, Span):
            ahead = node.sign == "+"
            if (_LAST if ahead else _NEXT).search(linked.text.lower()):
                yield f"it looks {'ahead' if ahead else 'back'}"


def by_days(constraint: Constraint, tables: Tables) -> Constraint | None:
    """The rule with days compared instead of times where that is in doubt; None where it is nowhere."""
    told = [
        (compare, replaced(compare, inner, DatePart(part="date", of=inner)))
        for compare, time, _ in _compared(constraint, tables)
        for inner in (_unmoved(time),)
    ]
    return turned(constraint, told, tables)


def names_of_days(constraint: Constraint, tables: Tables) -> Iterator[str]:
    """Like "booked must not be in December" of texts that are dates, none of which is 'December', or 2026."""
    for leaf, of in _dates_told(constraint, tables):
        held = tables[constraint.table].values.get(of.name, ())
        strange = [text for text in sorted(leaf.values) if text not in held and not _ISO_DAY.fullmatch(text)]
        if strange:
            yield f"{of.name} holds dates, and {' or '.join(map(repr, strange))} is none"


def other_weekdays(constraint: Constraint, linked: Linked) -> Iterator[str]:
    """Days of the week of which the words, that name some, name none: all five of "a Tuesday or Friday"."""
    words = [token.low for token in linked.tokens]
    named = [WEEKDAYS[day] for word in words if (day := word.removesuffix("s")) in WEEKDAYS]
    if not named or any(word.startswith(("weekday", "weekend")) for word in words):
        return
    if not _UP_TO.isdisjoint(words):
        named = stretch(named[0], named[-1], 7)
    for node in every_node(constraint):
        days = {day for of, day in equalled(node) if isinstance(of, DatePart) and of.part == "weekday"}
        if not days.issubset(named):
            yield "it speaks of other days of the week"


def by_names(constraint: Constraint, tables: Tables) -> Constraint | None:
    """The rule with the months or weekdays of the dates in place of such names; None where there are none."""
    told: list[tuple[Condition, Condition]] = []
    for leaf, of in _named(constraint, tables):
        part, numbers = next(one for one in _NUMBERED.items() if _are_all(leaf, one[1]))
        day = DatePart(part=part, of=ReadAs(of=of, type="date"))
        days = OneOf(of=day, values=tuple(sorted(numbers[name.lower()] for name in leaf.values)))
        told.append((leaf.condition, denied_like(leaf, days)))
    return turned(constraint, told, tables)


def _named(constraint: Constraint, tables: Tables) -> Iterator[tuple[Leaf, Column]]:
    """Each leaf that tells dates in texts apart by names of months or of weekdays, or by years, and its column."""
    for leaf, of in _dates_told(constraint, tables):
        if leaf.values and any(_are_all(leaf, numbers) for numbers in _NUMBERED.values()):
            yield leaf, of


def _dates_told(constraint: Constraint, tables: Tables) -> Iterator[tuple[Leaf, Column]]:
    for leaf in leaves(constraint) if isinstance(constraint, RowRule) else ():
        of = leaf.told_apart
        if of is not None and tables[constraint.table].read_as.get(of.name) == "date":
            yield leaf, of


def _are_all(leaf: Leaf, numbers: Mapping[str, int]) -> bool:
    return all(name.lower() in numbers for name in leaf.values)


def _compared(constraint: Constraint, tables: Tables) -> Iterator[tuple[Compare, Expression, Expression]]:
    """Each comparison of a time with a day that depends on which end of the day is meant, the time and the day."""
    for part in (getattr(constraint, "where", None), getattr(constraint, "must", None)):
        for node, table in placed_nodes(part, constraint.table) if isinstance(part, Record) else ():
            if not isinstance(node, Compare):
                continue
            sides = ((node.left, node.right, node.relation), (node.right, node.left, MIRRORED[node.relation]))
            for one, other, relation in sides:
                if relation in _OPEN and _is_time(one, table, tables) and _is_day(other, table, tables):
                    yield node, one, other


def _is_time(side: Expression, table: str, tables: Tables) -> bool:
    there = place(_unmoved(side), table)
    return there is not None and there[1] in tables[there[0]].moments


def _is_day(side: Expression, table: str, tables: Tables) -> bool:
    side = _unmoved(side)
    named = place(side, table)
    if named is None:
        return (isinstance(side, Moment) and len(side.iso) == _DAY) or (isinstance(side, Now) and side.midnight)
    there, column = tables[named[0]], named[1]
    return bool(there.row_count) and there.kind(column) == "datetime" and column not in there.moments


def _unmoved(side: Expression) -> Expression:
    """Of "so many days after due_on" the due_on."""
    while isinstance(side, Arithmetic) and isinstance(side.right, Span) and side.right.unit in _IN_DAYS:
        side = side.left
    return side


def place(side: Expression, table: str) -> tuple[str, str] | None:
    """The table and column of a value."""
    if isinstance(side, Column):
        return table, side.name
    return (side.join.table, side.of.name) if isinstance(side, Lookup) and isinstance(side.of, Column) else None
