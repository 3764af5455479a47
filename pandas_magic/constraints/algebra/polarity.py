"""In which direction each leaf of a rule works: for it, against it, and as part of which rows are judged."""

from collections.abc import Iterator
from dataclasses import dataclass

from pandas_magic.constraints.algebra.conditions import All, Any_, Compare, Condition, Exists, Not, OneOf
from pandas_magic.constraints.algebra.expressions import Column, Value
from pandas_magic.constraints.algebra.rules import Constraint, RowRule
from pandas_magic.constraints.algebra.tree import nodes


@dataclass(frozen=True)
class Leaf:
    """A condition that is made of no others, the side it stands on, and whether a "not" stands over it."""

    condition: Condition
    is_scope: bool
    negated: bool

    @property
    def columns(self) -> frozenset[str]:
        """The columns that it is about."""
        return columns_in(self.condition)

    @property
    def told_apart(self) -> Column | None:
        """The column whose texts it tells apart, by one of them or by a list."""
        found = self.condition
        is_equal = isinstance(found, Compare) and found.relation in ("==", "!=")
        of = found.left if isinstance(found, Compare) and is_equal else found.of if isinstance(found, OneOf) else None
        return of if isinstance(of, Column) else None

    @property
    def values(self) -> frozenset[str]:
        """The texts that it names."""
        condition = self.condition
        own = condition.model_copy(update={"where": None}) if isinstance(condition, Exists) else condition
        return frozenset(texts_in(own))

    @property
    def is_positive(self) -> bool:
        """Whether it holds of the rows that are so, instead of those that are not."""
        unequal = isinstance(self.condition, Compare) and self.condition.relation == "!="
        return self.negated == unequal


def leaves(constraint: Constraint) -> Iterator[Leaf]:
    """The leaves of the rule, those of the rows judged first."""
    where = constraint.where if isinstance(constraint, RowRule) else None
    for part, is_scope in ((where, True), (getattr(constraint, "must", None), False)):
        if part is not None:
            yield from leaves_of(part, is_scope=is_scope)


def leaves_of(condition: Condition, *, is_scope: bool, negated: bool = False) -> Iterator[Leaf]:
    """The leaves of a condition."""
    match condition:
        case All(conditions=parts) | Any_(conditions=parts):
            for part in parts:
                yield from leaves_of(part, is_scope=is_scope, negated=negated)
        case Not(condition=inner):
            yield from leaves_of(inner, is_scope=is_scope, negated=not negated)
        case _:
            yield Leaf(condition, is_scope, negated)


def columns_in(condition: Condition) -> frozenset[str]:
    """The columns that a condition speaks of."""
    return frozenset(node.name for node in nodes(condition) if isinstance(node, Column))


def texts_in(condition: Condition) -> Iterator[str]:
    """The texts that a condition compares something with."""
    for node in nodes(condition):
        if isinstance(node, OneOf):
            yield from (value for value in node.values if isinstance(value, str))
        elif isinstance(node, Value) and isinstance(node.value, str):
            yield node.value


def passing_texts(constraint: Constraint) -> Iterator[tuple[str, str]]:
    """Each column with a text without which in some row the rule finds nothing there: forbidden, or which rows."""
    for leaf in leaves(constraint):
        of = leaf.told_apart
        if of is not None and (leaf.is_scope or not leaf.is_positive):
            yield from ((of.name, text) for text in sorted(leaf.values))


def is_alike(text: str, other: str) -> bool:
    """Whether two texts differ at most in capitals and in the spaces around them."""
    return text.strip().casefold() == other.strip().casefold()


def held(condition: Condition, true: frozenset[Condition]) -> bool:
    """Whether the condition holds in a row of which just the leaves in `true` hold."""
    match condition:
        case All(conditions=parts):
            return all(held(part, true) for part in parts)
        case Any_(conditions=parts):
            return any(held(part, true) for part in parts)
        case Not(condition=inner):
            return not held(inner, true)
        case Compare(relation="!="):
            return condition.model_copy(update={"relation": "=="}) not in true
    return condition in true


def flagged(constraint: RowRule, true: frozenset[Condition]) -> bool:
    """Whether the rule flags a row of which just the leaves in `true` hold."""
    judged = constraint.where is None or held(constraint.where, true)
    return judged and not held(constraint.must, true)
