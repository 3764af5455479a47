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
    Group,
    Lookup,
    Matches,
    OneOf,
    Present,
    Rollup,
    Unique,
    Value,
    contradictions,
)
from pandas_magic.constraints.algebra.conditions import Relation
from pandas_magic.constraints.algebra.rules import Constraint, RowRule
from pandas_magic.planner.grammar.logic import both, for_where, has_window, negate


def apart(constraints: list[Constraint]) -> list[int]:
    """The places of the readings that remain, in their order.

    Left out are readings that flag the same rows as one before them, those that differ from another only in taking
    the day of a date, and, where others remain, those that contradict themselves.
    """
    remaining = [place for place, constraint in enumerate(constraints) if not contradictions(constraint)]
    chosen: dict[str, int] = {}
    # The shortest way to say the same is kept.
    by_length = sorted(remaining or range(len(constraints)), key=lambda place: _length(constraints[place]))
    for place in by_length:
        chosen.setdefault(_text(_one_at_most(_counted(_without_idle_scope(constraints[place])))), place)
    chosen = {text: place for text, place in chosen.items() if not _is_told_by_parent(constraints, place)}
    told: dict[str, str] = {}
    for text, place in chosen.items():
        told.setdefault(_flagged(constraints[place]), text)
    chosen = {text: chosen[text] for text in told.values()}
    texts = {text: place for text, place in chosen.items() if _undated(text, constraints[place]) not in chosen}
    return sorted((texts or chosen).values())


def _is_told_by_parent(constraints: list[Constraint], place: int) -> bool:
    """Like "No user may have more than 3 orders", read of the orders: read of the users it has the same verdict.

    Both find the same users; the sentence is about them.
    """
    own = constraints[place]
    group = own.must.left if isinstance(own, RowRule) and isinstance(own.must, Compare) else None
    if not isinstance(group, Group) or len(group.by) != 1:
        return False
    return any(_is_same_limit(own, group, other) for other in constraints)


def _is_same_limit(own: Constraint, group: Group, other: Constraint) -> bool:
    if not isinstance(other, RowRule) or not isinstance(other.must, Compare) or not isinstance(own, RowRule):
        return False
    told, limit = other.must.left, own.must
    if not isinstance(told, Rollup) or not isinstance(limit, Compare) or other.where is not None:
        return False
    right = limit.right.of if isinstance(limit.right, Lookup) else limit.right
    upper = limit.relation in ("<", "<=") and limit.relation == other.must.relation and right == other.must.right
    same_rows = told.join.table == own.table and group.by == (Column(name=told.join.keys[0]),)
    counted = (told.statistic, told.of, told.where) == (group.statistic, group.of, own.where)
    return upper and same_rows and counted and (own.tolerance, group.where) == (other.tolerance, None)


def _flagged(constraint: Constraint) -> str:
    """What is true of the rows at fault: "paid without a note" are those paid, and those without a note."""
    if not isinstance(constraint, RowRule) or constraint.tolerance is not None:
        return _text(constraint)
    if any(has_window(part) for part in (constraint.must, constraint.where) if part is not None):
        return _text(constraint)
    faults = for_where(both(constraint.where, negate(constraint.must)))
    parts = faults.conditions if isinstance(faults, All) else (faults,)
    return f"{constraint.table}: {sorted(_plainly_equal(part).model_dump_json() for part in parts if part is not None)}"


def _plainly_equal(condition: Condition) -> Condition:
    """A pattern of letters and digits alone is one text."""
    if isinstance(condition, Matches) and condition.format is None and condition.pattern.isalnum():
        return Compare(relation="==", left=condition.of, right=Value(value=condition.pattern))
    return condition


def _text(constraint: Constraint) -> str:
    return constraint.model_dump_json()


def _without_idle_scope(constraint: Constraint) -> Constraint:
    """The rule without "where x is present", when a missing x leaves it open anyway."""
    if not isinstance(constraint, RowRule) or not isinstance(constraint.where, Present):
        return constraint
    must, scope = constraint.must, constraint.where.of
    parts = must.conditions if isinstance(must, All | Any_) else (must,)
    return constraint.model_copy(update={"where": None}) if all(_is_open(part, scope) for part in parts) else constraint


def _length(constraint: Constraint) -> tuple[int, bool]:
    counted = _counted(constraint)
    return len(_text(counted)), counted != constraint


def _counted(constraint: Constraint) -> Constraint:
    """The rule with "less than 2" as "at most 1", and "more than 1" as "at least 2", where something is counted."""
    must = constraint.must if isinstance(constraint, RowRule) else None
    if not isinstance(must, Compare) or not isinstance(must.right, Value) or not isinstance(must.right.value, int):
        return constraint
    counts = isinstance(must.left, Group | Rollup) and must.left.statistic in ("count", "distinct")
    if not counts or must.relation not in ("<", ">") or isinstance(must.right.value, bool):
        return constraint
    limit = Value(value=must.right.value + (1 if must.relation == ">" else -1))
    relation: Relation = ">=" if must.relation == ">" else "<="
    return constraint.model_copy(update={"must": Compare(relation=relation, left=must.left, right=limit)})


def _one_at_most(constraint: Constraint) -> Constraint:
    """The rule with "at most one row per a and b" as "(a, b) is unique", and the parts of keys in one order."""
    if not isinstance(constraint, RowRule):
        return constraint
    must = constraint.must
    group = must.left if isinstance(must, Compare) else None
    if isinstance(group, Group) and isinstance(must, Compare) and group.statistic == "count" and group.of is None:
        limit = (must.relation, must.right.value if isinstance(must.right, Value) else None)
        if group.by and group.where is None and limit in (("<=", 1), ("<", 2), ("==", 1)):
            must = Unique(by=group.by)
    if isinstance(must, Unique):
        must = must.model_copy(update={"by": tuple(sorted(must.by, key=str))})
    return constraint.model_copy(update={"must": must})


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
