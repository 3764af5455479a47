"""Functions of meanings for what is said of several values at once."""

from itertools import combinations

from pandas_magic.constraints import Condition, Expression, Value
from pandas_magic.constraints.algebra.conditions import All, Compare
from pandas_magic.planner.language.logic import replaced
from pandas_magic.planner.language.strict.conditions import compare, how_many
from pandas_magic.planner.language.strict.logic import both, either
from pandas_magic.planner.language.strict.scene import About, Of


def of_each(about: About, subjects: tuple[Expression, ...], said: Condition) -> Condition:
    """What was said of the first subject, of each."""
    return both(*_told(about, subjects, said))


def of_one(about: About, subjects: tuple[Expression, ...], said: Condition) -> Condition:
    """What was said of the first subject, of at least one."""
    return either(*_told(about, subjects, said))


def of_exactly_one(about: About, subjects: tuple[Expression, ...], said: Condition) -> Condition | None:
    """What was said of the first subject, of exactly one."""
    return how_many(about, tuple(_told(about, subjects, said)), "==", Value(value=1))


def _told(about: About, subjects: tuple[Expression, ...], said: Condition) -> list[Condition]:
    told = [replaced(said, subjects[0], subject) for subject in subjects]
    return [
        one if about.kind(subject) in ("text", "mixed") else _of_no_text(one)
        for subject, one in zip(subjects, told, strict=True)
    ]


def _of_no_text(said: Condition) -> Condition:
    """What is said of a number, or a date, where the same of a text says as well that it is not ''."""
    if not isinstance(said, All):
        return said
    nothing = Value(value="")
    return both(*(part for part in said.conditions if not (isinstance(part, Compare) and part.right == nothing)))


def differ(about: About, values: tuple[Expression, ...]) -> Condition | None:
    """No two of the values are the same."""
    pairs = [compare(about, one, "!=", other) for one, other in combinations(values, 2)]
    return both(*(pair for pair in pairs if pair is not None)) if None not in pairs else None


def agree(about: About, values: tuple[Expression, ...]) -> Condition | None:
    """All values are the same."""
    pairs = [compare(about, values[0], "==", other) for other in values[1:]]
    return both(*(pair for pair in pairs if pair is not None)) if None not in pairs else None


def restricted(about: About, subject: Of, said: Condition) -> Condition:
    """What is said of a value of some rows, as a condition of rows."""
    return both(subject.where, said)
