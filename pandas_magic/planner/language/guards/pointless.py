"""What a rule says in vain: demands that no row can break, or of which a part asks nothing."""

import re
from collections.abc import Iterator, Sequence
from itertools import chain, combinations

from pandas_magic.constraints import contradictions
from pandas_magic.constraints.algebra.conditions import (
    All,
    Any_,
    Compare,
    Condition,
    Matches,
    Not,
    OneOf,
    Present,
    Unique,
)
from pandas_magic.constraints.algebra.expressions import Arithmetic, Column, Expression, Group, TextLength, Value
from pandas_magic.constraints.algebra.rules import ColumnsRule, Constraint, RowRule
from pandas_magic.constraints.algebra.shapes import value_nodes
from pandas_magic.constraints.algebra.tree import conjuncts
from pandas_magic.constraints.algebra.words import condition_words, expression_words
from pandas_magic.planner.language.guards.nodes_needed import each, leaves_elsewhere
from pandas_magic.planner.language.logic import opposite, unknown_without

# What a pattern begins with that stands for itself alone.
_HEAD = re.compile(r"(?:[A-Za-z0-9_ /-](?![*+?{]))*(?![^|]*\|)")


def pointless_parts(constraint: Constraint) -> tuple[str, ...]:
    """Why the rule, or a part of it, asks for nothing; empty when all of it does."""
    if isinstance(constraint, ColumnsRule):
        return contradictions(constraint)
    there = chain.from_iterable(_held_against_itself(leaf.condition) for _, leaf in leaves_elsewhere(constraint))
    found = (*contradictions(constraint), *_idle(constraint.must), *_always_met(constraint), *there)
    return (*found, *_of_another_form(constraint.must), *_never_known(constraint))


def all_repeated(constraint: Constraint) -> tuple[str, ...]:
    """Like `df.duplicated()` for itself: the mask of the rows at fault, and as a demand that every row repeats one."""
    parts = conjuncts(constraint.must) if isinstance(constraint, RowRule) else ()
    told = any(isinstance(part, Not) and isinstance(part.condition, Unique) for part in parts)
    return ("it demands that every row repeats another; put ~ before it for that none does",) if told else ()


def _always_met(constraint: Constraint) -> Iterator[str]:
    """Like "team is not 'IT' or team is not 'HR'", which every row meets, wherever it stands."""
    for node in each(constraint, Any_):
        apart = [(told, frozenset(others)) for part in node.conditions for told, others in _excluded(part)]
        if any(one == other and not left & right for (one, left), (other, right) in combinations(apart, 2)):
            yield f"every row meets this part: {condition_words(node)}"


def _of_another_form(must: Condition) -> Iterator[str]:
    """Like "is 'NL-' and has six digits", or "begins with A and with B", which no text does."""
    parts = conjuncts(must)
    forms = [part for part in parts if isinstance(part, Matches)]
    for part, of, values in _told(parts):
        for form in forms:
            if form.of == of and not any(re.fullmatch(form.pattern, str(value)) for value in values):
                yield f"nothing can satisfy this rule: {condition_words(part)} and {condition_words(form)}"
    for one, other in combinations(forms, 2):
        first, second = (found[0] if (found := _HEAD.match(form.pattern)) else "" for form in (one, other))
        if one.of == other.of and not first.startswith(second) and not second.startswith(first):
            yield f"nothing can satisfy this rule: {condition_words(one)} and {condition_words(other)}"


def _never_known(constraint: Constraint) -> Iterator[str]:
    """Like "those without a collection date must have been collected before", which no row can break."""
    if not isinstance(constraint, RowRule) or constraint.where is None:
        return
    for part in conjuncts(constraint.where):
        gap = part.condition if isinstance(part, Not) else None
        if isinstance(gap, Present) and unknown_without(constraint.must, gap.of):
            yield f"nothing can break this rule where {condition_words(part)}"


def _excluded(part: Condition) -> Iterator[tuple[Expression, tuple[object, ...]]]:
    """What the condition says is none of which values."""
    match part:
        case Compare(relation="!=", left=of, right=Value(value=value), within=None):
            yield of, (value,)
        case Not(condition=Compare(relation="==", left=of, right=Value(value=value), within=None)):
            yield of, (value,)
        case Not(condition=OneOf(of=of, values=values)):
            yield of, values


def _idle(must: Condition) -> Iterator[str]:
    for demand in conjuncts(must):
        if isinstance(demand, Any_):
            yield from _idle_alternatives(demand.conditions)
        for part in demand.conditions if isinstance(demand, Any_) else (demand,):
            yield from _counted_within_itself(part)
            yield from _held_against_itself(part)
    yield from _said_twice(must.conditions if isinstance(must, All) else ())


def _idle_alternatives(parts: tuple[Condition, ...]) -> Iterator[str]:
    """Like "x is present or x is positive", which asks no more than that x is present."""
    for part in parts:
        if isinstance(part, Present) and Not(condition=part) in parts:
            yield f"{expression_words(part.of)} is always present or missing"
        elif isinstance(part, Present) and any(unknown_without(other, part.of) for other in parts):
            yield f"with or without the rest, {expression_words(part.of)} only has to be present"
        for other in parts:
            if _lets_through(other, part):
                yield f"{condition_words(part)} says nothing beside {condition_words(other)}; say which are allowed"
        for told in part.conditions if isinstance(part, All) else ():
            gap = told.condition.of if isinstance(told, Not) and isinstance(told.condition, Present) else None
            if gap is not None and any(unknown_without(other, gap) for other in parts if other is not part):
                yield f"without {expression_words(gap)} it leaves open what the part for these rows asks"


def _lets_through(form: Condition, part: Condition) -> bool:
    """Whether all values of the part have the form: "the length is 1, or L or R"."""
    of, values = next(((of, values) for _, of, values in _told((part,))), (None, ()))
    texts = [value for value in values if isinstance(value, str)]
    match form:
        case Matches(of=subject, pattern=pattern) if subject == of and texts:
            return all(re.fullmatch(pattern, text) for text in texts)
        case Compare(relation="==", left=TextLength(of=subject), right=Value(value=length)) if subject == of and texts:
            return all(len(text) == length for text in texts)
    return False


def _counted_within_itself(part: Condition) -> Iterator[str]:
    group = part.left if isinstance(part, Compare) else None
    least = (part.relation, part.right) if isinstance(part, Compare) else None
    is_count = isinstance(group, Group) and group.statistic == "count" and group.where is None
    if is_count and least in ((">=", Value(value=1)), (">", Value(value=0))):
        yield "each row is one of its group; say in which table those stand that may have none"
    if isinstance(group, Group) and group.statistic == "distinct" and group.of is not None and group.of in group.by:
        words = expression_words(group.of)
        yield f"{words} is counted in groups that share it; say of which rows there may be how many"


def _held_against_itself(part: Condition) -> Iterator[str]:
    """Like "x <= 0.9 x", which says no more than which sign x has."""
    if isinstance(part, Compare) and part.within is None:
        left, right = _columns_alone(part.left), _columns_alone(part.right)
        if left == right and left is not None and len(left) == 1:
            yield f"{next(iter(left))} is held against itself"


def _columns_alone(side: Expression) -> frozenset[str] | None:
    """The columns that the expression computes with; None when it is made of more than columns and numbers."""
    parts = list(value_nodes(side))
    if not all(isinstance(part, (Column, Value, Arithmetic)) for part in parts):
        return None
    return frozenset(part.name for part in parts if isinstance(part, Column))


def _said_twice(parts: tuple[Condition, ...]) -> Iterator[str]:
    """Like "x is 0 and x is one of 0, 1", or two limits, where for some rows only the one may have been meant."""
    limits = [part for part in parts if isinstance(part, Compare) and isinstance(part.right, Value)]
    for one, other in combinations(limits, 2):
        if one.left == other.left and one.relation[0] == other.relation[0] in ("<", ">") and one.within is None:
            both = f"{condition_words(one)} and {condition_words(other)}"
            yield f"of {both} one says nothing; say of which rows each is meant"
    for told, value in _fixed(parts):
        for part in parts:
            if isinstance(part, OneOf) and part.of == told.left and value in part.values:
                yield f"{condition_words(told)} says more than {condition_words(part)}; say of which rows each is meant"


def _told(parts: tuple[Condition, ...]) -> Iterator[tuple[Condition, Expression, Sequence[object]]]:
    """Each part that says which values something has, and these."""
    yield from ((part, part.of, part.values) for part in parts if isinstance(part, OneOf))
    yield from ((part, part.left, (value,)) for part, value in _fixed(parts))


def _fixed(parts: tuple[Condition, ...]) -> Iterator[tuple[Compare, object]]:
    for part in parts:
        if isinstance(part, Compare) and part.relation == "==" and isinstance(part.right, Value):
            yield part, part.right.value


def idle_in_scope(constraint: Constraint) -> Iterator[str]:
    """Parts that say nothing of the rows that are judged.

    Like "remote is not 'yes', or …" of the rows where remote is 'yes'; "for dramas but not musicals", which are none.
    """
    where = constraint.where if isinstance(constraint, RowRule) else None
    given = conjuncts(where) if where is not None else ()
    for part in (part for node in each(constraint, Any_) for part in node.conditions):
        if opposite(part) in given:
            yield f"none of its rows meets the part: {condition_words(part)}"
    for one, value in _fixed(given):
        for part in given:
            if any(told == one.left and value not in values for told, values in _excluded(part)):
                yield f"beside {condition_words(one)} it says nothing that {condition_words(part)}"
