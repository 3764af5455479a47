"""Rules that no row can break, or that no row can satisfy, found by trying every case that matters.

Each value of the rule (a column, a length, a count …) takes, one after the other, the literals it is compared with and
points between and beyond them; what cannot be placed on such a line (a pattern, a foreign key, an approximate
comparison) is taken to be true, false or unknown at will. What no case shows is impossible; rules with too many cases
are not judged.
"""

import itertools
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import pandas as pd

from pandas_magic.constraints.algebra.conditions import (
    All,
    Any_,
    Compare,
    Condition,
    Exists,
    Matches,
    Not,
    OneOf,
    Present,
)
from pandas_magic.constraints.algebra.expressions import (
    Column,
    DatePart,
    Expression,
    Group,
    HowMany,
    Moment,
    Rollup,
    Span,
    TextLength,
    Value,
)
from pandas_magic.constraints.algebra.rules import ColumnsRule, Constraint, RowRule
from pandas_magic.constraints.algebra.shapes import is_rounded, is_time_of_day
from pandas_magic.constraints.algebra.tree import conjuncts
from pandas_magic.constraints.algebra.words import condition_words
from pandas_magic.constraints.meaning.scalars import compare, length_of_time
from pandas_magic.constraints.types.distances import is_impossible_distance
from pandas_magic.record import Record

_LITERALS = (Value, Moment, Span)
_MOST_CASES = 20_000
_SECONDS_OF_A_DAY = 86_400
_PART_RANGES = {
    "month": (1, 12),
    "day": (1, 31),
    "weekday": (1, 7),
    "hour": (0, 23),
    "minute": (0, 59),
    "quarter": (1, 4),
}

Case = Mapping[Record, Any]


class _NotJudged(Exception):
    """The rule has too many cases, or compares values of different types."""


def contradictions(constraint: Constraint) -> tuple[str, ...]:
    """Why the rule is pointless, in words; empty when it is not, or when that cannot be told.

    A rule is pointless when no row can break it, when no value can satisfy it, or when no row can be in its scope.
    """
    if isinstance(constraint, ColumnsRule):
        both = sorted(set(constraint.required) & set(constraint.forbidden))
        return tuple(f"column {name} is both required and forbidden" for name in both)
    where = constraint.where if isinstance(constraint, RowRule) else None
    if where is not None and is_impossible_distance(conjuncts(where)):
        return (f"no row can be in scope: {condition_words(where)}",)
    try:
        outcomes = _outcomes(where, constraint.must)
    except _NotJudged:
        return ()
    if not outcomes:
        return (f"no row can be in scope: {condition_words(where) if where is not None else ''}",)
    must = condition_words(constraint.must)
    if is_impossible_distance(conjuncts(constraint.must)):
        return (f"nothing can satisfy this rule: {must}",)
    if False not in outcomes:
        return (f"nothing can break this rule: {must}",)
    return () if True in outcomes else (f"nothing can satisfy this rule: {must}",)


def _outcomes(where: Condition | None, must: Condition) -> set[bool | None]:
    """What `must` can come to in rows in which `where` is true."""
    parts = [must] if where is None else [where, must]
    found: set[bool | None] = set()
    for case in _cases(parts):
        if where is None or _truth(where, case) is True:
            found.add(_truth(must, case))
            if found >= {True, False}:  # whether it can be unknown as well makes no difference
                break
    return found


def _cases(conditions: Iterable[Condition]) -> Iterator[Case]:
    atoms = list(dict.fromkeys(atom for condition in conditions for atom in _atoms(condition)))
    opaque = [atom for atom in atoms if not _placeable(atom)]
    values = list(dict.fromkeys(value for atom in atoms if _placeable(atom) for value in _values(atom)))
    marks = _marks([atom for atom in atoms if _placeable(atom)])
    # Values that are compared with each other must meet, though the marks of others are of another kind.
    sorts = {_sort_of(mark) for mark in marks} | ({float} if _side_by_side(atoms) else set())
    choices: list[list[Any]] = [_points(value, marks, sorts, len(values)) for value in values]
    choices += [[True, False, None] for _ in opaque]
    count = 1
    for options in choices:
        count *= len(options)
    if count > _MOST_CASES:
        raise _NotJudged
    for combination in itertools.product(*choices):
        case: Case = dict(zip([*values, *opaque], combination, strict=True))
        if not any(case[atom] is not None and _lacks_its_value(atom, case) for atom in opaque):
            yield case


def _lacks_its_value(atom: Condition, case: Case) -> bool:
    """Whether it is about a value that is missing here, so that nobody can say whether it holds."""
    asked = atom.of if isinstance(atom, Exists) else (atom.of,) if isinstance(atom, Matches) else ()
    return any(of in case and case[of] is None for of in asked)


def _atoms(condition: Condition) -> Iterator[Condition]:
    match condition:
        case All(conditions=parts) | Any_(conditions=parts):
            for part in parts:
                yield from _atoms(part)
        case Not(condition=part):
            yield from _atoms(part)
        case _:
            yield condition


def _placeable(atom: Condition) -> bool:
    if isinstance(atom, Compare):
        return atom.within is None and not is_rounded(atom)
    return isinstance(atom, (OneOf, Present))


def _values(atom: Condition) -> Iterator[Expression]:
    sides = (
        (atom.left, atom.right)
        if isinstance(atom, Compare)
        else (atom.of,)
        if isinstance(atom, (OneOf, Present))
        else ()
    )
    yield from (side for side in sides if not isinstance(side, _LITERALS))


def _marks(atoms: Iterable[Condition]) -> list[Any]:
    """The literals that the values are compared with, in order; all of one type."""
    marks: list[Any] = []
    for atom in atoms:
        if isinstance(atom, Compare):
            marks += [_literal(side) for side in (atom.left, atom.right) if isinstance(side, _LITERALS)]
        elif isinstance(atom, OneOf):
            marks += atom.values
    return marks


def _literal(literal: Value | Moment | Span) -> Any:  # noqa: ANN401 - the type of the literal; of a length, seconds
    if isinstance(literal, Value):
        return literal.value
    if isinstance(literal, Span):
        length = length_of_time(literal)
        if not isinstance(length, pd.Timedelta):  # how long a month is differs
            raise _NotJudged
        return length.total_seconds()
    try:
        return pd.Timestamp(literal.iso)
    except ValueError:
        raise _NotJudged from None


def _side_by_side(atoms: Iterable[Condition]) -> bool:
    compared = [atom for atom in atoms if isinstance(atom, Compare) and _placeable(atom)]
    return any(not isinstance(atom.right, _LITERALS) for atom in compared)


def _points(value: Expression, marks: list[Any], sorts: set[type], apart: int) -> list[Any]:
    """Values enough to stand before, at, between and after all marks, `apart` different ones in each gap; and none."""
    if sorts == {bool}:
        return [True, False, None]
    line: list[Any] = [None]
    for sort in sorts or {float}:
        line += _line(sort, sorted({mark for mark in marks if _sort_of(mark) is sort}), apart)
    points = [point for point in line if point is None or _possible(value, point)]
    if points == [None]:  # none of the marks is of its kind: they are those of other values
        points += [point for point in _line(float, [], apart) if _possible(value, point)]
    return points


def _sort_of(mark: object) -> type:
    if isinstance(mark, bool):
        return bool
    return float if isinstance(mark, (int, float)) else str if isinstance(mark, str) else pd.Timestamp


def _line(sort: type, marks: list[Any], apart: int) -> list[Any]:
    steps = range(1, apart + 1)
    if sort is str:
        between = [mark + " " * step for mark in marks for step in steps]
        return sorted({*marks, *between, *(["", " "] if marks else ["a"])})
    if sort is bool:
        return [False, True]
    if not marks:
        marks = [pd.Timestamp("2026-01-01") if sort is pd.Timestamp else 0]
    one = pd.Timedelta(days=1) if sort is pd.Timestamp else 1
    outside = [marks[0] - one * step for step in steps] + [marks[-1] + one * step for step in steps]
    inside = [low + (high - low) * step / (apart + 1) for low, high in itertools.pairwise(marks) for step in steps]
    return [*outside, *marks, *inside]


def _possible(value: Expression, point: object) -> bool:
    if isinstance(value, DatePart) and value.part == "date" and isinstance(point, pd.Timestamp):
        return True
    if not isinstance(point, (int, float)):
        return isinstance(value, (Column,)) or not isinstance(value, (TextLength, HowMany, DatePart))
    counts = isinstance(value, (Rollup, Group)) and value.statistic in ("count", "distinct")
    if isinstance(value, DatePart) and value.part in _PART_RANGES:
        low, high = _PART_RANGES[value.part]
        return low <= point <= high
    if is_time_of_day(value):
        return 0 <= point < _SECONDS_OF_A_DAY
    return point >= 0 or not (counts or isinstance(value, (TextLength, HowMany)))


def _truth(condition: Condition, case: Case) -> bool | None:
    match condition:
        case All(conditions=parts):
            truths = {_truth(part, case) for part in parts}
            return False if False in truths else None if None in truths else True
        case Any_(conditions=parts):
            truths = {_truth(part, case) for part in parts}
            return True if True in truths else None if None in truths else False
        case Not(condition=part):
            truth = _truth(part, case)
            return None if truth is None else not truth
        case Present(of=of) if not isinstance(of, _LITERALS):
            return case[of] is not None
        case OneOf(of=of, values=values) if not isinstance(of, _LITERALS):
            return None if case[of] is None else case[of] in values
        case Compare(relation=relation) if _placeable(condition):
            left, right = (
                _literal(side) if isinstance(side, _LITERALS) else case[side]
                for side in (condition.left, condition.right)
            )
            return _compared(relation, left, right)
    return case.get(condition)


def _compared(relation: Any, left: Any, right: Any) -> bool | None:  # noqa: ANN401 - values of the rule
    try:
        return compare(relation, left, right, within=None, rounded=False)
    except (TypeError, ValueError):
        # The value stands for one of another type here; no row holds such a pair.
        return None
