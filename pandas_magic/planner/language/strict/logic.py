"""The logic of what is said: joined and negated so that what stands side by side becomes one list or one limit."""

import operator
from collections.abc import Callable, Iterable

from pandas_magic.constraints import (
    All,
    Any_,
    Column,
    Compare,
    Condition,
    Expression,
    Moment,
    Not,
    OneOf,
    Present,
    Value,
)
from pandas_magic.constraints.algebra.conditions import OPPOSITE, Relation
from pandas_magic.planner.language.logic import flat, missing, unknown_without

EVERY_ROW = All(conditions=())  # the condition that says nothing
_ORDERED: dict[str, Callable[[float, float], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


def both(*conditions: Condition) -> Condition:
    """All of the conditions, without repetition, nested ones laid side by side."""
    parts = _merged_bounds(_merged_exclusions(flat(conditions, All)), {"<=": "<", ">=": ">"}, "!=")
    return parts[0] if len(parts) == 1 else All(conditions=parts)


def either(*conditions: Condition) -> Condition:
    """At least one of the conditions; several equalities with one expression become a list."""
    parts = _merged_bounds(_merged_lists(flat(conditions, Any_)), {"<": "<=", ">": ">="}, "==")
    return parts[0] if len(parts) == 1 else Any_(conditions=parts)


def negate(condition: Condition) -> Condition:
    """The opposite, with the negation as far inside as it goes; unknown stays unknown."""
    match condition:
        case Not(condition=inner):
            return inner
        case Compare(relation=relation):
            return condition.model_copy(update={"relation": OPPOSITE[relation]})
        case All(conditions=parts):
            return either(*map(negate, parts))
        case Any_(conditions=parts):
            return both(*map(negate, parts))
    return Not(condition=condition)


def among(of: Expression, values: Iterable[bool | int | float | str]) -> Condition:
    """The expression is one of the values; a single one is an equality."""
    unique = tuple(dict.fromkeys(values))
    if len(unique) == 1:
        return Compare(relation="==", left=of, right=Value(value=unique[0]))
    return OneOf(of=of, values=unique)


def for_must(condition: Condition) -> Condition:
    """The condition in a simpler form that is false in the same rows: "x is missing or x < 5" is "x < 5"."""
    if isinstance(condition, All):
        return both(*map(for_must, condition.conditions))
    if not isinstance(condition, Any_):
        return condition
    rest = [part for part in condition.conditions if missing(part) is None]
    absent = [of for part in condition.conditions if (of := missing(part)) is not None]
    if len(rest) == 1 and absent and all(unknown_without(rest[0], of) for of in absent):
        return for_must(rest[0])
    return either(*condition.conditions)


def for_where(condition: Condition) -> Condition:
    """The condition in a simpler form that is true in the same rows: "x is present and x < 5" is "x < 5"."""
    if not isinstance(condition, All):
        return condition
    return both(*(part for part in condition.conditions if not _needless(part, condition.conditions)))


def _needless(part: Condition, parts: tuple[Condition, ...]) -> bool:
    others = [other for other in parts if not isinstance(other, Present)]
    return isinstance(part, Present) and any(unknown_without(other, part.of) for other in others)


def _as_list(condition: Condition) -> OneOf | None:
    if isinstance(condition, OneOf):
        return condition
    exact = isinstance(condition, Compare) and condition.relation == "==" and condition.within is None
    if exact and isinstance(condition, Compare) and isinstance(condition.right, Value):
        return OneOf(of=condition.left, values=(condition.right.value,))
    return None


def _merged_lists(parts: tuple[Condition, ...]) -> tuple[Condition, ...]:
    lists = [found for part in parts if (found := _as_list(part)) is not None]
    if len(lists) < len(parts) or len(parts) < 2 or len({found.of for found in lists}) > 1:
        return parts
    return (among(lists[0].of, (value for found in lists for value in found.values)),)


def _merged_exclusions(parts: tuple[Condition, ...]) -> tuple[Condition, ...]:
    """Like "neither a nor b nor c": texts that are left out one after another are one list."""
    texts: dict[Expression, dict[bool | int | float | str, None]] = {}
    for part in parts:
        found = _as_list(negate(part)) if isinstance(part, (Not, Compare)) else None
        if found is not None and isinstance(found.values[0], str) and isinstance(found.of, Column):
            texts.setdefault(found.of, {}).update(dict.fromkeys(found.values))
    merged: dict[Condition, None] = {}
    for part in parts:
        found = _as_list(negate(part)) if isinstance(part, (Not, Compare)) else None
        several = found is not None and len(texts.get(found.of, ())) > 1 and isinstance(found.values[0], str)
        merged[negate(among(found.of, texts[found.of])) if several and found is not None else part] = None
    return tuple(merged)


def _merged_bounds(
    parts: tuple[Condition, ...], wider: dict[Relation, Relation], point: Relation
) -> tuple[Condition, ...]:
    """Like "zero or negative": at most zero."""
    if len(parts) != 2:
        return parts
    for one, other in (parts, parts[::-1]):
        if not isinstance(one, Compare) or not isinstance(other, Compare) or one.within or other.within:
            continue
        same = (one.left, one.right) == (other.left, other.right)
        if same and one.relation == point and other.relation in wider:
            return (other.model_copy(update={"relation": wider[other.relation]}),)
    return parts


def says_too_much(conditions: tuple[Condition, ...]) -> bool:
    """Like "greater than 10 or 20", where the second says nothing beside the first."""
    limits = [part for part in conditions if isinstance(part, Compare) and part.relation in _ORDERED]
    points = [part for part in conditions if isinstance(part, Compare) and part.relation == "=="]
    return any(_reaches(limit, point) for limit in limits for point in points if limit.left == point.left)


def _reaches(limit: Compare, point: Compare) -> bool:
    one, other = getattr(limit.right, "value", None), getattr(point.right, "value", None)
    if not isinstance(other, (int, float)):
        return False
    if not isinstance(one, (int, float)):
        return True  # "less than the sum or 1000" is no list of two
    return other != 0 or _ORDERED[limit.relation](other, one)


def says_twice(conditions: tuple[Condition, ...]) -> bool:
    """Two limits on the same side of one value, as when "not before 1 May and not after 31 May" is cut behind "not"."""
    limits = [part for part in conditions if isinstance(part, Compare) and isinstance(part.right, (Value, Moment))]
    sides = [(part.left, part.relation[0]) for part in limits if part.relation in _ORDERED]
    return len(set(sides)) < len(sides)
