"""The logic of conditions: negation, joining, and simpler forms that mean the same."""

from typing import cast

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
    Relation,
    Unique,
)
from pandas_magic.constraints.algebra.expressions import (
    Absolute,
    Arithmetic,
    Column,
    DatePart,
    Expression,
    Folded,
    Group,
    Previous,
    Rollup,
    TextLength,
    Value,
)
from pandas_magic.constraints.algebra.rules import Constraint, RowRule, TableRule
from pandas_magic.constraints.algebra.tree import nodes
from pandas_magic.constraints.algebra.words import expression_words
from pandas_magic.record import Record


def both(*conditions: Condition | None) -> Condition | None:
    """All of the conditions that are not None, without repetition, nested ones laid side by side."""
    flat: dict[Condition, None] = {}
    for condition in conditions:
        for part in condition.conditions if isinstance(condition, All) else (condition,):
            if part is not None:
                flat[part] = None
    parts = _merged_bounds(_merged_exclusions(tuple(flat)), {"<=": "<", ">=": ">"}, "!=")
    return None if not parts else parts[0] if len(parts) == 1 else All(conditions=parts)


def any_of(*conditions: Condition) -> Condition:
    """At least one of the conditions; several equalities with one expression become a list."""
    flat: dict[Condition, None] = {}
    for condition in conditions:
        for part in condition.conditions if isinstance(condition, Any_) else (condition,):
            flat[part] = None
    parts = _merged_bounds(_merged_lists(tuple(flat)), {"<": "<=", ">": ">="}, "==")
    return parts[0] if len(parts) == 1 else Any_(conditions=parts)


def _merged_exclusions(parts: tuple[Condition, ...]) -> tuple[Condition, ...]:
    """Like "neither a nor b nor c": values that are left out one after another are one list."""
    left_out = [as_list(part.condition if isinstance(part, Not) else negate(part)) for part in parts]
    lists = [item for item in left_out if item is not None]
    if len(lists) < 2 or not all(
        isinstance(part, Not) or (isinstance(part, Compare) and isinstance(getattr(part.right, "value", None), str))
        for part, item in zip(parts, left_out, strict=True)
        if item is not None
    ):
        return parts
    merged: list[Condition] = []
    for part, item in zip(parts, left_out, strict=True):
        same = next((old for old in lists if item is not None and old.of == item.of), None)
        if item is None or same is None:
            merged.append(part)
        elif same is item:
            every = dict.fromkeys(value for one in lists if one.of == item.of for value in one.values)
            merged.append(negate(among(item.of, tuple(every))))
    return tuple(merged)


def _merged_bounds(
    parts: tuple[Condition, ...], wider: dict[Relation, Relation], point: Relation
) -> tuple[Condition, ...]:
    """Like "Zero or negative" is at most zero; "not zero and not negative" is above zero."""
    if len(parts) == 2 and all(isinstance(part, Compare) for part in parts):
        for one, other in (parts, parts[::-1]):
            assert isinstance(one, Compare) and isinstance(other, Compare)
            same = (one.left, one.right, one.within) == (other.left, other.right, other.within)
            if same and one.within is None and one.relation == point and other.relation in wider:
                return (other.model_copy(update={"relation": wider[other.relation]}),)
    return parts


def _merged_lists(parts: tuple[Condition, ...]) -> tuple[Condition, ...]:
    listed = [as_list(part) for part in parts]
    if len(parts) > 1 and all(listed) and len({item.of for item in listed if item}) == 1:
        values = dict.fromkeys(value for item in listed if item for value in item.values)
        first = listed[0]
        assert first is not None
        return (OneOf(of=first.of, values=tuple(values)),)
    return parts


def as_list(condition: Condition) -> OneOf | None:
    """An equality with a value as a list of one, a list as itself, else None."""
    if isinstance(condition, OneOf):
        return condition
    exact = isinstance(condition, Compare) and condition.relation == "==" and condition.within is None
    if exact and isinstance(condition, Compare) and isinstance(condition.right, Value):
        return OneOf(of=condition.left, values=(condition.right.value,))
    return None


def among(of: Expression, values: tuple[bool | int | float | str, ...]) -> Condition:
    """The expression is one of the values; a single one is an equality."""
    unique = tuple(dict.fromkeys(values))
    if len(unique) == 1:
        return Compare(relation="==", left=of, right=Value(value=unique[0]))
    return OneOf(of=of, values=unique)


def negate(condition: Condition) -> Condition:
    """The condition's opposite, with the negation as far inside as it goes; unknown stays unknown."""
    if isinstance(condition, Not):
        return condition.condition
    if isinstance(condition, Compare):
        return condition.model_copy(update={"relation": OPPOSITE[condition.relation]})
    if isinstance(condition, All):
        return any_of(*(negate(part) for part in condition.conditions))
    if isinstance(condition, Any_):
        negated = both(*(negate(part) for part in condition.conditions))
        assert negated is not None
        return negated
    return Not(condition=condition)


def columns_in(condition: Condition) -> set[Column]:
    """The columns that the condition is about, wherever they stand in it."""
    return {node for node in nodes(condition) if isinstance(node, Column)}


def replaced(condition: Condition, old: Expression | Condition, new: Expression | Condition) -> Condition:
    """The condition with another part in every place of the old one."""

    def swap(part: object) -> object:
        if part == old:
            return new
        if isinstance(part, tuple):
            return tuple(swap(one) for one in part)
        if isinstance(part, Record):
            return part.model_copy(update={name: swap(getattr(part, name)) for name in type(part).model_fields})
        return part

    return cast(Condition, swap(condition))


def expressions_in(condition: Condition) -> tuple[Expression, ...]:
    """The expressions that the condition itself compares, without those inside other conditions."""
    if isinstance(condition, Compare):
        return condition.left, condition.right
    if isinstance(condition, Not):
        return expressions_in(condition.condition)
    if isinstance(condition, Exists):
        return condition.of
    if isinstance(condition, (OneOf, Matches, HasText, Parses)):
        return (condition.of,)
    return ()


def _unknown_without(condition: Condition, of: Expression) -> bool:
    """The condition is unknown whenever the expression is missing."""
    if isinstance(condition, (All, Any_)):
        return all(_unknown_without(part, of) for part in condition.conditions)
    return any(_uses(expression, of) for expression in expressions_in(condition))


def _uses(expression: Expression, of: Expression) -> bool:
    if expression == of:
        return True
    if isinstance(expression, Arithmetic):
        return _uses(expression.left, of) or _uses(expression.right, of)
    if isinstance(expression, (Absolute, TextLength, Folded, DatePart)):
        return _uses(expression.of, of)
    return False


def idle_parts(constraint: Constraint) -> tuple[str, ...]:
    """What a rule says in vain: "x is present or x is positive" asks no more than that x is present."""
    demands = (constraint.must,) if isinstance(constraint, (RowRule, TableRule)) else ()
    always = tuple(
        f"{expression_words(part.of)} is always present or missing"
        for demand in demands
        for either in (demand.conditions if isinstance(demand, All) else (demand,))
        if isinstance(either, Any_)
        for part in either.conditions
        if isinstance(part, Present) and Not(condition=part) in either.conditions
    )
    counted = tuple(
        f"{expression_words(group.of)} is counted in groups that share it; say of which rows there may be how many"
        for demand in demands
        for part in (demand.conditions if isinstance(demand, (All, Any_)) else (demand,))
        for group in expressions_in(part)
        if isinstance(group, Group) and group.statistic == "distinct" and group.of is not None
        if any(_uses(key, group.of) for key in group.by)
    )
    return (
        always
        + counted
        + tuple(
            f"with or without the rest, {expression_words(part.of)} only has to be present"
            for demand in demands
            for either in (demand.conditions if isinstance(demand, All) else (demand,))
            if isinstance(either, Any_)
            for part in either.conditions
            if isinstance(part, Present) and any(_unknown_without(other, part.of) for other in either.conditions)
        )
    )


def for_must(condition: Condition) -> Condition:
    """The condition in a simpler form that is false in the same rows."""
    if isinstance(condition, Any_):
        # "x is missing or x < 5" is false exactly where "x < 5" is.
        absent = [of for part in condition.conditions if (of := is_missing(part)) is not None]
        rest = [part for part in condition.conditions if is_missing(part) is None]
        if (
            rest
            and absent
            and all(any(_unknown_without(part, of) for part in rest) and len(rest) == 1 for of in absent)
        ):
            return for_must(rest[0])
        return any_of(*condition.conditions)
    if isinstance(condition, All):
        simpler = both(*(for_must(part) for part in condition.conditions))
        assert simpler is not None
        return simpler
    return condition


def is_missing(condition: Condition) -> Expression | None:
    """The expression that the condition says is missing, or None when it says something else."""
    if isinstance(condition, Not) and isinstance(condition.condition, Present):
        return condition.condition.of
    return None


def for_where(condition: Condition | None) -> Condition | None:
    """The condition in a simpler form that is true in the same rows."""
    if isinstance(condition, All):
        present = {part.of for part in condition.conditions if isinstance(part, Present)}
        needless = {
            Present(of=of)
            for of in present
            if any(_unknown_without(part, of) for part in condition.conditions if not isinstance(part, Present))
        }
        return both(*(part for part in condition.conditions if part not in needless))
    return condition


def has_window(condition: Condition) -> bool:
    """The condition looks at other rows of the table, so that it matters which rows are in scope."""
    if isinstance(condition, (All, Any_)):
        return any(has_window(part) for part in condition.conditions)
    if isinstance(condition, Not):
        return has_window(condition.condition)
    if isinstance(condition, Unique):
        return True
    return any(_has_group(expression) for expression in expressions_in(condition))


def _has_group(expression: Expression) -> bool:
    if isinstance(expression, Arithmetic):
        return _has_group(expression.left) or _has_group(expression.right)
    if isinstance(expression, (Absolute, TextLength, Folded, DatePart)):
        return _has_group(expression.of)
    return isinstance(expression, (Group, Previous))


def simpler(where: Condition) -> Condition:
    """The condition of rows in a simpler form that is true in the same rows."""
    found = for_where(where)
    assert found is not None
    return found


def without_presence(condition: Condition, of: Expression | None = None) -> Condition:
    """The condition without the demand that `of` (None: any value) be there, unless nothing else is demanded."""
    if isinstance(condition, All):
        rest = [part for part in condition.conditions if not (isinstance(part, Present) and of in (None, part.of))]
        joined = both(*rest)
        return condition if joined is None else joined
    return condition


def of_which(x: Expression, said: Condition) -> Condition:
    """What is said of a value, of those that there are: "an id that does not exist in users" is no missing one."""
    missing = Not(condition=Present(of=x))
    if not isinstance(said, Any_) or missing not in said.conditions:
        return said
    rest = [part for part in said.conditions if part != missing]
    return all_in((Present(of=x), any_of(*rest))) if rest else said


def is_count_of(condition: Condition) -> bool:
    """A number of rows is said to be exactly so many; denied, that can mean fewer as well as another number."""
    left = condition.left if isinstance(condition, Compare) and condition.relation == "==" else None
    return isinstance(left, (Rollup, Group)) and left.statistic == "count"


def all_in(conditions: tuple[Condition, ...]) -> Condition:
    """All of at least one condition."""
    joined = both(*conditions)
    assert joined is not None
    return joined


def is_unknown_without(condition: Condition, of: Expression) -> bool:
    """Whether the condition is never false where the value is missing."""
    return _unknown_without(condition, of)
