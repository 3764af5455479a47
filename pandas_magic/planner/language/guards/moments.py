"""Days and times of day: whether a limit that is a day holds from its beginning or up to its end."""

from collections.abc import Iterator, Mapping
from typing import Any

from pandas_magic.catalog.table import Table
from pandas_magic.constraints import check_types
from pandas_magic.constraints.algebra.conditions import MIRRORED, Compare
from pandas_magic.constraints.algebra.expressions import Arithmetic, Column, Expression, Lookup, Moment, Now, Span
from pandas_magic.constraints.algebra.rules import Constraint
from pandas_magic.constraints.algebra.tree import placed_nodes
from pandas_magic.constraints.algebra.words import expression_words
from pandas_magic.record import Record

Tables = Mapping[str, Table]
# Which end of the day is meant matters to these, said of a time; "before" and "from … on" leave nothing open.
_OPEN = ("<=", ">", "==", "!=")
_IN_DAYS = ("days", "weeks", "months", "years")
_DAY = len("2026-12-31")


def days_in_doubt(constraint: Constraint, tables: Tables) -> Iterator[str]:
    """Like "paid_at must be no later than due_on": whether what is paid at noon of that day is late."""
    for _, time, day in _compared(constraint, tables):
        words = expression_words(time), expression_words(day)
        yield f"{words[0]} has times of day: whether the whole day of {words[1]} counts is not said"


def by_days(constraint: Constraint, tables: Tables) -> Constraint | None:
    """The rule with days compared instead of times where that is in doubt; None where it is nowhere."""
    found: Any = constraint.model_dump()
    for compare, time, _ in _compared(constraint, tables):
        inner = _unmoved(time)
        day = {"node": "part", "part": "date", "of": inner.model_dump()}
        found = _exchanged(found, compare.model_dump(), _exchanged(compare.model_dump(), inner.model_dump(), day))
    changed = type(constraint).model_validate(found)
    return changed if changed != constraint and not check_types(changed, tables) else None


def _exchanged(node: object, old: object, new: object) -> object:
    if node == old:
        return new
    if isinstance(node, dict):
        return {name: _exchanged(part, old, new) for name, part in node.items()}
    return [_exchanged(part, old, new) for part in node] if isinstance(node, (list, tuple)) else node


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
    place = _place(_unmoved(side), table)
    return place is not None and place[1] in tables[place[0]].moments


def _is_day(side: Expression, table: str, tables: Tables) -> bool:
    side = _unmoved(side)
    place = _place(side, table)
    if place is None:
        return (isinstance(side, Moment) and len(side.iso) == _DAY) or (isinstance(side, Now) and side.midnight)
    there = tables[place[0]]
    is_looked_at = bool(there.row_count) and there.kind(place[1]) == "datetime"
    return is_looked_at and place[1] not in there.moments


def _unmoved(side: Expression) -> Expression:
    """Of "so many days after due_on" the due_on."""
    while isinstance(side, Arithmetic) and isinstance(side.right, Span) and side.right.unit in _IN_DAYS:
        side = side.left
    return side


def _place(side: Expression, table: str) -> tuple[str, str] | None:
    """The table and column of a value."""
    if isinstance(side, Column):
        return table, side.name
    return (side.join.table, side.of.name) if isinstance(side, Lookup) and isinstance(side.of, Column) else None
