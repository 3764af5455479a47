"""The logic of conditions: negation, joining, and simpler forms that flag the same rows."""

from collections.abc import Iterable
from typing import TypeVar, cast

from pandas_magic.constraints.algebra.conditions import (
    OPPOSITE,
    All,
    Any_,
    Compare,
    Condition,
    Exists,
    HasText,
    Matches,
    Not,
    OneOf,
    Parses,
    Present,
)
from pandas_magic.constraints.algebra.expressions import (
    Absolute,
    Arithmetic,
    DatePart,
    Expression,
    Folded,
    ReadAs,
    TextLength,
)
from pandas_magic.record import Record

_Node = TypeVar("_Node", bound=Record)


def all_of(conditions: Iterable[Condition]) -> Condition:
    """All of the conditions, nested ones laid side by side, none twice."""
    parts = flat(conditions, All)
    return parts[0] if len(parts) == 1 else All(conditions=parts)


def any_of(conditions: Iterable[Condition]) -> Condition:
    """At least one of the conditions, nested ones laid side by side, none twice."""
    parts = flat(conditions, Any_)
    return parts[0] if len(parts) == 1 else Any_(conditions=parts)


def flat(conditions: Iterable[Condition], joint: type[All] | type[Any_]) -> tuple[Condition, ...]:
    """The conditions, of those that are joined in the same way the parts; none twice."""
    found: dict[Condition, None] = {}
    for condition in conditions:
        found.update(dict.fromkeys(condition.conditions if isinstance(condition, joint) else (condition,)))
    return tuple(found)


def opposite(condition: Condition) -> Condition:
    """The negation, as far inside as it goes; unknown stays unknown."""
    match condition:
        case Not(condition=inner):
            return inner
        case Compare(relation=relation):
            return condition.model_copy(update={"relation": OPPOSITE[relation]})
        case All(conditions=parts):
            return any_of(opposite(part) for part in parts)
        case Any_(conditions=parts):
            return all_of(opposite(part) for part in parts)
    return Not(condition=condition)


def as_demand(condition: Condition) -> Condition:
    """A simpler condition that is false in the same rows: "x is missing or x < 5" demands no more than "x < 5"."""
    match condition:
        case Not(condition=All() | Any_() | Not() | Compare()):
            return as_demand(opposite(condition.condition))
        case All(conditions=parts):
            return all_of(as_demand(part) for part in parts)
        case Any_(conditions=parts):
            simpler = [as_demand(part) for part in parts]
            absent = {of for part in simpler if (of := missing(part)) is not None}
            rest = [part for part in simpler if missing(part) is None]
            if len(rest) == 1 and absent and all(unknown_without(rest[0], of) for of in absent):
                return rest[0]
            return any_of(simpler)
    return condition


def missing(condition: Condition) -> Expression | None:
    """The expression that the condition says is missing, or None when it says something else."""
    if isinstance(condition, Not) and isinstance(condition.condition, Present):
        return condition.condition.of
    return None


def unknown_without(condition: Condition, of: Expression) -> bool:
    """Whether the condition is unknown in each row where the expression is missing."""
    match condition:
        case All(conditions=parts) | Any_(conditions=parts):
            return all(unknown_without(part, of) for part in parts)
        case Not(condition=inner):
            return unknown_without(inner, of)
        case Compare(left=left, right=right):
            return _uses(left, of) or _uses(right, of)
        case Exists(of=parts):
            return any(_uses(part, of) for part in parts)
        case OneOf() | Matches() | HasText() | Parses():
            return _uses(condition.of, of)
    return False


def _uses(expression: Expression, of: Expression) -> bool:
    if expression == of:
        return True
    if isinstance(expression, Arithmetic):
        return _uses(expression.left, of) or _uses(expression.right, of)
    return isinstance(expression, (Absolute, TextLength, Folded, DatePart, ReadAs)) and _uses(expression.of, of)


def replaced(node: _Node, old: Record, new: Record) -> _Node:
    """The node with another part in every place of the old one."""

    def swap(part: object) -> object:
        if part == old:
            return new
        if isinstance(part, tuple):
            return tuple(swap(one) for one in part)
        if isinstance(part, Record):
            return part.model_copy(update={name: swap(getattr(part, name)) for name in type(part).model_fields})
        return part

    return cast(_Node, swap(node))
