"""Functions of meanings that give conditions. None where the parts do not fit, so that such a reading is dropped."""

from pandas_magic.constraints import (
    All,
    Column,
    Compare,
    Condition,
    DatePart,
    Exists,
    Expression,
    HowMany,
    Matches,
    Not,
    Present,
    Span,
    Value,
)
from pandas_magic.constraints.algebra.conditions import MIRRORED, Relation
from pandas_magic.constraints.algebra.shapes import between_bounds
from pandas_magic.constraints.algebra.tree import conjuncts
from pandas_magic.planner.language.linking.calendar_days import stretch
from pandas_magic.planner.language.strict.expressions import counted_as, folded, plus
from pandas_magic.planner.language.strict.logic import EVERY_ROW, among, both, either, negate, says_too_much, says_twice
from pandas_magic.planner.language.strict.scene import NUMBERS, About, Clock


def anything(about: About) -> Condition:
    """What every row fulfils."""
    return EVERY_ROW


def present(about: About, of: Expression) -> Condition:
    """The value is there."""
    return Present(of=of)


def missing(about: About, of: Expression) -> Condition:
    """The value is not there."""
    return Not(condition=Present(of=of))


def empty(about: About, of: Expression) -> Condition:
    """The value is not there, or is a text without characters."""
    if about.kind(of) not in ("text", "mixed"):
        return missing(about, of)
    return either(missing(about, of), among(of, ("",)))


def blank(about: About, of: Expression) -> Condition:
    """The value is not there, or is a text of nothing but spaces."""
    plain = folded(about, of, "space")
    return missing(about, of) if plain is None else either(missing(about, of), among(plain, ("",)))


def mirrored(about: About, relation: Relation) -> Relation:
    """The relation of the two when their sides are changed: "more before" is less."""
    return MIRRORED[relation]


def compare(about: About, left: Expression, relation: str, right: Expression) -> Condition | None:
    """The two stand in the relation, when they are of one kind."""
    if isinstance(right, Clock):
        return _on_the_clock(about, left, relation, right)
    mine, theirs = about.kind(left), about.kind(right)
    if mine in NUMBERS and theirs == "duration" and (counted := counted_as(left, right)) is not None:
        right, theirs = counted, mine
    if (isinstance(right, Span) and about.is_time_of_day(left)) or about.holds_times(left):
        return None  # no time of the day is half an hour long, and objects of time are read as such
    both_numbers = mine in NUMBERS and theirs in NUMBERS
    if left == right or not mine or not (both_numbers or mine == theirs):
        return None
    if mine == "boolean" and relation not in ("==", "!="):
        return None
    if mine == "text" and relation not in ("==", "!="):
        return None
    return Compare(relation=relation, left=left, right=right)


def _on_the_clock(about: About, left: Expression, relation: str, right: Clock) -> Condition | None:
    """What is said of a time of day, or of that of a moment; a date alone has none."""
    if about.has_clock(left):
        left = DatePart(part="time", of=left)
    elif not about.is_time_of_day(left):
        return None
    return Compare(relation=relation, left=left, right=Span(amount=right.amount, unit=right.unit))


def close(about: About, left: Expression, right: Expression, within: Value) -> Condition | None:
    """The two are equal but for so much."""
    if compare(about, left, "==", right) is None or isinstance(within.value, (str, bool)):
        return None
    return Compare(relation="==", left=left, right=right, within=float(within.value))


def between(about: About, of: Expression, low: Expression, high: Expression) -> Condition | None:
    """The value lies between the two, or is one of them."""
    above, below = compare(about, of, ">=", low), compare(about, of, "<=", high)
    if above is None or below is None or _reversed(low, high):
        return None
    return All(conditions=(above, below))


def _reversed(low: Expression, high: Expression) -> bool:
    if isinstance(low, Value) and isinstance(high, Value):
        return isinstance(low.value, (int, float)) and isinstance(high.value, (int, float)) and low.value > high.value
    # From ten in the evening to six in the morning is over midnight, or a mistake.
    return isinstance(low, Clock) and isinstance(high, Clock) and low.seconds > high.seconds


def equal(about: About, of: Expression, value: bool | int | float | str) -> Condition:
    """The value is this one."""
    return among(of, (value,))


def one_of(about: About, of: Expression, values: tuple[bool | int | float | str, ...]) -> Condition:
    """The value is one of these."""
    return among(of, values)


def true(about: About, of: Expression) -> Condition | None:
    """The column says that it is so."""
    return _truth(about, of, yes=True)


def false(about: About, of: Expression) -> Condition | None:
    """The column says that it is not so."""
    return _truth(about, of, yes=False)


def _truth(about: About, of: Expression, *, yes: bool) -> Condition | None:
    if not isinstance(of, Column):
        return None
    values = about.names.truth_values(about.table, of.name)
    return among(of, (values[0 if yes else 1],)) if values is not None else None


def no(about: About, condition: Condition) -> Condition | None:
    """The opposite."""
    return None if condition == EVERY_ROW else negate(condition)


def left_out(about: About, condition: Condition) -> Condition | None:
    """The opposite of rows that are set apart: "except for IT and HR" leaves out both, and no row is of both."""
    parts = condition.conditions if isinstance(condition, All) else ()
    equal = [part for part in parts if isinstance(part, Compare) and part.relation == "=="]
    one = len({part.left for part in equal}) == 1 and all(isinstance(part.right, Value) for part in equal)
    several = len(equal) == len(parts) > 1 and one
    return no(about, either(*parts) if several else condition)


def never(about: About, condition: Condition) -> Condition | None:
    """The opposite; "not above a and below b" leaves open whether one of the two would do."""
    parts = condition.conditions if isinstance(condition, All) and between_bounds(condition) is None else ()
    known = any(isinstance(part, Exists) for part in parts)
    return None if parts and not known else no(about, condition)


def limiting(about: About, condition: Condition) -> Condition | None:
    """The condition, unless it is an exact number, which nobody forbids."""
    exact = isinstance(condition, Compare) and condition.relation == "=="
    return None if exact else condition


def computed(about: About, of: Expression) -> Expression | None:
    """What is more than a column: "packages must be damaged" compares no two columns."""
    return None if isinstance(of, Column) and isinstance(about.subject, Column) else of


def every(about: About, conditions: tuple[Condition, ...]) -> Condition | None:
    """All of them."""
    if says_twice(conditions):
        return None
    shapes = [part for part in conditions if isinstance(part, Matches) and part.format is None]
    if len(shapes) > 1 and len({part.of for part in shapes}) < len(shapes):
        return None  # "three letters and two digits" are one text
    return conditions[0] if len(conditions) == 1 and between_bounds(conditions[0]) else both(*conditions)


def either_of(about: About, conditions: tuple[Condition, ...]) -> Condition | None:
    """At least one of them."""
    is_idle = EVERY_ROW in conditions or says_too_much(conditions) or says_twice(conditions)
    return None if is_idle else either(*conditions)


def also(about: About, *conditions: Condition) -> Condition | None:
    """All of them, in this order."""
    return None if says_twice(conditions) else both(*conditions)


def how_many(about: About, conditions: tuple[Condition, ...], relation: str, count: Value) -> Condition | None:
    """So many of the conditions are true."""
    if len(conditions) < 2:
        return None
    return Compare(relation=relation, left=HowMany(conditions=conditions), right=count)


def presences(about: About, of: tuple[Expression, ...]) -> tuple[Condition, ...]:
    """Of each value, that it is there."""
    return tuple(Present(of=part) for part in dict.fromkeys(of))


def absences(about: About, of: tuple[Expression, ...]) -> tuple[Condition, ...]:
    """Of each value, that it is not there."""
    return tuple(Not(condition=Present(of=part)) for part in dict.fromkeys(of))


def iff(about: About, one: Condition, other: Condition) -> Condition:
    """The two are true in the same rows."""
    return both(either(negate(one), other), either(one, negate(other)))


def within(about: About, of: Expression, span: Span, start: Expression) -> Condition | None:
    """The moment lies no more than so long after the other, and not before it."""
    end = plus(about, start, span)
    return between(about, of, start, end) if end is not None else None


def any_missing(about: About, of: Expression, values: tuple[bool | int | float | str, ...]) -> Condition:
    """The value is one of these, or missing."""
    return either(missing(about, of), among(of, values))


def weekdays(about: About, first: int, last: int) -> tuple[int, ...]:
    """The days of the week from one to another, 1 for Monday, also over its turn."""
    return tuple(sorted(stretch(first, last, 7)))


def any_two(about: About, one: Condition, other: Condition) -> Condition:
    """One or the other."""
    return either(one, other)


def any_of_one(about: About, said: tuple[Condition, ...]) -> Condition | None:
    """Values of one column named side by side: "vans and trucks" are those of either kind."""
    parts = {part.left for part in said if isinstance(part, Compare)}
    return either(*said) if len(parts) == 1 and all(isinstance(part, Compare) for part in said) else None


def any_of_rows(about: About, said: tuple[Condition, ...]) -> Condition | None:
    """Values of one column, several of them or one."""
    return said[0] if len(said) == 1 else any_of_one(about, said)


def values(about: About, *found: bool | int | float | str) -> tuple[bool | int | float | str, ...]:
    """The values as a list."""
    return found


def at_least_one(about: About, of: Expression) -> Condition:
    """At least one is counted; a value that is no number is there."""
    if about.kind(of) in NUMBERS:
        return Compare(relation=">=", left=of, right=Value(value=1))
    return present(about, of)


def comes_to(about: About, of: Expression, amount: Expression) -> Condition | None:
    """What is summed up comes to the amount."""
    summed = getattr(of, "node", "") in ("rollup", "group", "aggregate", "arithmetic")
    return compare(about, of, "==", amount) if summed else None


def summed(about: About, of: Expression, said: Condition) -> Condition | None:
    """What is said of an amount that is summed up, when it is one."""
    return said if getattr(of, "node", "") in ("rollup", "group", "aggregate", "arithmetic") else None


def said_of(about: About, of: Expression, said: Condition) -> Condition | None:
    """The condition, when it is about this value."""
    return said if getattr(said, "left", getattr(said, "of", None)) == of else None


def valued(about: About, of: Expression, said: Condition) -> Condition | None:
    """What an adjective says, when it is about this value."""
    return said if isinstance(said, Compare) and said.left == of else None


def valued_each(about: About, of: Expression, said: tuple[Condition, ...]) -> Condition | None:
    """What adjectives say, when all are about this value."""
    return either(*said) if all(valued(about, of, one) for one in said) else None


def as_far_as_there(about: About, said: Condition) -> Condition:
    """What may only be so, of values that are there."""
    parts = conjuncts(said)
    rest = [part for part in parts if not isinstance(part, Present)]
    return both(*rest) if rest else said
