"""What becomes of missing values: when a condition is surely true, and what pandas makes of it."""

from collections.abc import Iterator

from pandas_magic.constraints.algebra.conditions import (
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
    Lookup,
    Previous,
    ReadAs,
    Rollup,
    TextLength,
)
from pandas_magic.constraints.types.value_types import column_type
from pandas_magic.planner.language.doors.names import Names
from pandas_magic.planner.language.logic import all_of, any_of, opposite

# Statistics that are there even of no values.
_ALWAYS_THERE = ("count", "sum", "distinct")


def surely(condition: Condition, names: Names) -> Condition:
    """True where the condition is true, and false where it is false or unknown."""
    return _sure(condition, names, true=True)


def _sure(condition: Condition, names: Names, *, true: bool) -> Condition:
    match condition:
        case Not(condition=inner):
            return _sure(inner, names, true=not true)
        case All(conditions=parts) | Any_(conditions=parts):
            join = all_of if isinstance(condition, All) == true else any_of
            return join([_sure(part, names, true=true) for part in parts])
    return all_of([*_known(condition, names), condition if true else opposite(condition)])


def as_in_pandas(condition: Condition, names: Names) -> Condition:
    """The condition where a comparison with a missing value is false, and "is not equal" is true."""
    match condition:
        case All(conditions=parts):
            return all_of([as_in_pandas(part, names) for part in parts])
        case Any_(conditions=parts):
            return any_of([as_in_pandas(part, names) for part in parts])
        case Not(condition=Present()):
            return condition
        case Not(condition=inner):
            return opposite(as_in_pandas(inner, names))
        case Compare(relation="!="):
            return any_of([*map(opposite, _known(condition, names)), condition])
    return all_of([*_known(condition, names), condition])


def _known(leaf: Condition, names: Names) -> list[Condition]:
    """That the values are there without which the leaf is unknown."""
    match leaf:
        case Present() | Unique():
            return []
        case Compare(left=left, right=right):
            used = [*_used(left, names), *_used(right, names)]
        case Exists(of=parts):
            used = [each for part in parts for each in _used(part, names)]
        case OneOf() | Matches() | HasText() | Parses():
            used = list(_used(leaf.of, names))
        case _:
            used = []
    return [Present(of=each) for each in dict.fromkeys(used)]


def _used(expression: Expression, names: Names) -> Iterator[Expression]:
    match expression:
        case Column(name=name):
            # Whole numbers and truth values of numpy cannot be missing.
            found = column_type(names.tables[names.target], name)
            if found.kind not in ("integer", "boolean") or not found.is_numpy or name in _missing(names):
                yield expression
        case Arithmetic(left=left, right=right):
            yield from _used(left, names)
            yield from _used(right, names)
        case Group(by=by, statistic=statistic):
            for part in by:
                yield from _used(part, names)
            if statistic not in _ALWAYS_THERE:
                yield expression
        case Rollup(statistic=statistic) if statistic in _ALWAYS_THERE:
            return
        case Lookup() | Previous() | Rollup():
            yield expression
        case Absolute() | TextLength() | Folded() | DatePart() | ReadAs():
            yield from _used(expression.of, names)


def _missing(names: Names) -> dict[str, int]:
    return names.tables[names.target].missing
