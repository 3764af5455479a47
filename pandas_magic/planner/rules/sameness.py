"""Readings that come to the same, or that nobody can have meant: what is left of several readings of one sentence."""

from collections.abc import Iterator
from typing import Any

from pandas_magic.constraints import (
    All,
    Any_,
    Column,
    Compare,
    Condition,
    Expression,
    OneOf,
    Present,
    contradictions,
)
from pandas_magic.constraints.rules import Constraint, RowRule


def apart(constraints: list[Constraint]) -> list[int]:
    """The places of the readings that remain, in their order.

    Left out are readings that flag the same rows as one before them, those that differ from another only in taking
    the day of a date, and, where others remain, those that contradict themselves.
    """
    remaining = [place for place, constraint in enumerate(constraints) if not contradictions(constraint)]
    chosen: dict[str, int] = {}
    # The shortest way to say the same is kept.
    by_length = sorted(remaining or range(len(constraints)), key=lambda place: len(_text(constraints[place])))
    for place in by_length:
        chosen.setdefault(_text(_without_idle_scope(constraints[place])), place)
    texts = {text: place for text, place in chosen.items() if _undated(text, constraints[place]) not in chosen}
    return sorted((texts or chosen).values())


def _text(constraint: Constraint) -> str:
    return constraint.model_dump_json()


def _without_idle_scope(constraint: Constraint) -> Constraint:
    """The rule without "where x is present", when a missing x leaves it open anyway."""
    if not isinstance(constraint, RowRule) or not isinstance(constraint.where, Present):
        return constraint
    must, scope = constraint.must, constraint.where.of
    parts = must.conditions if isinstance(must, All | Any_) else (must,)
    return constraint.model_copy(update={"where": None}) if all(_is_open(part, scope) for part in parts) else constraint


def _is_open(condition: Condition, scope: Expression) -> bool:
    """The condition is unknown where `scope` is missing."""
    judged = isinstance(condition, OneOf) and condition.of == scope
    return judged or (
        isinstance(condition, Compare) and isinstance(scope, Column) and scope in (condition.left, condition.right)
    )


def _undated(text: str, constraint: Constraint) -> str | None:
    """The text of the rule with every "the date of x" read as x; None when there is none."""
    plain = type(constraint).model_validate(_unwrapped(constraint.model_dump()))
    undated = _text(plain)
    return undated if undated != text else None


def _unwrapped(content: Any) -> Any:  # noqa: ANN401 - any part of a dumped rule
    if isinstance(content, dict):
        if content.get("node") == "part" and content.get("part") == "date":
            return _unwrapped(content["of"])
        return {name: _unwrapped(part) for name, part in content.items()}
    if isinstance(content, tuple | list):
        return tuple(_each(content))
    return content


def _each(parts: "tuple[Any, ...] | list[Any]") -> Iterator[Any]:
    for part in parts:
        yield _unwrapped(part)
