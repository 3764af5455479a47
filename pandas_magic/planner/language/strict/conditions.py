"""Functions of meanings that give conditions. None where the parts do not fit, so that such a reading is dropped."""

import builtins
import operator
import re
from collections.abc import Callable
from itertools import combinations
from typing import Any

from pandas_magic.constraints import (
    FORMATS,
    Absolute,
    All,
    Any_,
    Arithmetic,
    Compare,
    Condition,
    Exists,
    Expression,
    Group,
    HasText,
    HowMany,
    Lookup,
    Matches,
    Not,
    Now,
    Parses,
    Present,
    Span,
    Unique,
    Value,
)
from pandas_magic.constraints import Column as ColumnOf
from pandas_magic.constraints.algebra.conditions import MIRRORED
from pandas_magic.constraints.algebra.expressions import Join
from pandas_magic.constraints.algebra.shapes import between_bounds
from pandas_magic.planner.language.strict import expressions
from pandas_magic.planner.language.strict.chart import About
from pandas_magic.planner.language.strict.logic import EVERY_ROW, among, both, either, for_where, negate, replaced
from pandas_magic.planner.language.strict.scene import Kin, Of, looked_up

_ORDERED: dict[str, Callable[[float, float], bool]] = {"<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge}
_NUMBERS = ("integer", "number")


def _kind(about: About, of: Expression) -> str:
    found = about.scene.type_of(of, about.table)
    return found.kind if found is not None else ""


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
    if _kind(about, of) not in ("text", "mixed"):
        return missing(about, of)
    return either(missing(about, of), among(of, ("",)))


def blank(about: About, of: Expression) -> Condition:
    """The value is not there, or is a text of nothing but spaces."""
    plain = expressions.folded(about, of, "space")
    return missing(about, of) if plain is None else either(missing(about, of), among(plain, ("",)))


def compare(about: About, left: Expression, relation: str, right: Expression) -> Condition | None:
    """The two stand in the relation, when they are of one kind."""
    mine, theirs = _kind(about, left), _kind(about, right)
    both_numbers = mine in _NUMBERS and theirs in _NUMBERS
    if left == right or not mine or not (both_numbers or mine == theirs):
        return None
    if mine == "boolean" and relation not in ("==", "!="):
        return None
    if mine == "text" and relation not in ("==", "!="):
        return None
    return Compare(relation=relation, left=left, right=right)  # type: ignore[arg-type]


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
    return False


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
    if not isinstance(of, ColumnOf):
        return None
    values = about.scene.linked.names.truth_values(about.table, of.name)
    return among(of, (values[0 if yes else 1],)) if values is not None else None


def no(about: About, condition: Condition) -> Condition | None:
    """The opposite."""
    return None if condition == EVERY_ROW else negate(condition)


def every(about: About, conditions: tuple[Condition, ...]) -> Condition | None:
    """All of them."""
    shapes = [part for part in conditions if isinstance(part, Matches) and part.format is None]
    if len(shapes) > 1 and len({part.of for part in shapes}) < len(shapes):
        return None  # "three letters and two digits" are one text
    return conditions[0] if len(conditions) == 1 and between_bounds(conditions[0]) else both(*conditions)


def any(about: About, conditions: tuple[Condition, ...]) -> Condition | None:
    """At least one of them."""
    return None if EVERY_ROW in conditions or _says_too_much(conditions) else either(*conditions)


def _says_too_much(conditions: tuple[Condition, ...]) -> bool:
    """Like "greater than 10 or 20", where the second says nothing beside the first."""
    limits = [part for part in conditions if isinstance(part, Compare) and part.relation in _ORDERED]
    points = [part for part in conditions if isinstance(part, Compare) and part.relation == "=="]
    return builtins.any(_reaches(limit, point) for limit in limits for point in points if limit.left == point.left)


def _reaches(limit: Compare, point: Compare) -> bool:
    one, other = getattr(limit.right, "value", None), getattr(point.right, "value", None)
    if not isinstance(one, (int, float)) or not isinstance(other, (int, float)):
        return False
    return _ORDERED[limit.relation](other, one)


def also(about: About, *conditions: Condition) -> Condition:
    """All of them, in this order."""
    return both(*conditions)


def matches(about: About, of: Expression, pattern: str) -> Condition | None:
    """The whole text matches the pattern."""
    bare = pattern[1:] if pattern.startswith("^") else pattern
    bare = bare[:-1] if bare.endswith("$") and not bare.endswith("\\$") else bare
    return Matches(of=of, pattern=bare) if _kind(about, of) in ("text", "mixed") else None


def has_format(about: About, of: Expression, name: str) -> Condition | None:
    """The text has the form of that name."""
    if _kind(about, of) not in ("text", "mixed"):
        return None
    return Matches(of=of, pattern=FORMATS[name].pattern, format=name)


def has_text(about: About, of: Expression, where: str, text: str) -> Condition | None:
    """The text has this one at its "start", its "end" or "anywhere"."""
    fits = _kind(about, of) in ("text", "mixed")
    return HasText(of=of, where=where, text=text) if fits else None  # type: ignore[arg-type]


def has_one_text(about: About, of: Expression, where: str, texts: tuple[str, ...]) -> Condition | None:
    """The text has one of these there."""
    parts = [has_text(about, of, where, text) for text in texts]
    return either(*(part for part in parts if part is not None)) if None not in parts else None


def parses(about: About, of: Expression, kind: str) -> Condition | None:
    """The value can be read as that kind."""
    fits = _kind(about, of) in ("text", "mixed", "integer", "number")
    return Parses(of=of, type=kind) if fits else None  # type: ignore[arg-type]


def unique(about: About, of: Any) -> Condition | None:  # noqa: ANN401 - an expression or several
    """No other row has the same values."""
    by = of if isinstance(of, tuple) else (of,)
    fits = all(isinstance(part, ColumnOf) or getattr(part, "node", "") in ("folded", "part", "lookup") for part in by)
    return Unique(by=tuple(dict.fromkeys(by))) if fits and by else None


def unique_rows(about: About) -> Condition:
    """No other row is the same in all columns."""
    columns = about.scene.tables[about.table].columns
    return Unique(by=tuple(ColumnOf(name=name) for name in columns), missing_equal=True)


def exists(about: About, kin: Kin) -> Condition:
    """There is a row of the other table that belongs to this one."""
    of = tuple(ColumnOf(name=name) for name in kin.join.columns)
    where = None if kin.where == EVERY_ROW else for_where(kin.where)
    found = Exists(of=of, table=kin.join.table, keys=kin.join.keys, where=where)
    return both(*(Present(of=part) for part in of), found)


def known(about: About, of: Expression, kin: Kin) -> Condition | None:
    """The value is the key of a row of the other table."""
    if not isinstance(of, ColumnOf) or not kin.refers:
        return None
    own = about.scene.linked.names.references.self_references(about.table)
    if kin.join.columns == ("",) and of.name in own:
        # What refers to another row of its own table often refers to none.
        return Exists(of=(of,), table=about.table, keys=kin.join.keys)
    return exists(about, kin) if kin.join.columns == (of.name,) else None


def listed(about: About, of: Expression, table: str, key: Expression) -> Condition | None:
    """The value occurs in a column of another table."""
    named = isinstance(of, ColumnOf) and isinstance(key, ColumnOf)
    if not named or not isinstance(key, ColumnOf):
        return None
    return both(Present(of=of), Exists(of=(of,), table=table, keys=(key.name,)))


def how_many(about: About, conditions: tuple[Condition, ...], relation: str, count: Value) -> Condition | None:
    """So many of the conditions are true."""
    if len(conditions) < 2:
        return None
    return Compare(relation=relation, left=HowMany(conditions=conditions), right=count)  # type: ignore[arg-type]


def presences(about: About, of: tuple[Expression, ...]) -> tuple[Condition, ...]:
    """Of each value, that it is there."""
    return tuple(Present(of=part) for part in dict.fromkeys(of))


def absences(about: About, of: tuple[Expression, ...]) -> tuple[Condition, ...]:
    """Of each value, that it is not there."""
    return tuple(Not(condition=Present(of=part)) for part in dict.fromkeys(of))


def iff(about: About, one: Condition, other: Condition) -> Condition:
    """The two are true in the same rows."""
    return both(either(negate(one), other), either(one, negate(other)))


def implies(about: About, one: Condition, other: Condition) -> Condition:
    """Where the one is true, the other is."""
    return either(negate(one), other)


def within(about: About, of: Expression, span: Span, start: Expression) -> Condition | None:
    """The moment lies no more than so long after the other, and not before it."""
    end = expressions.plus(about, start, span)
    return between(about, of, start, end) if end is not None else None


def any_missing(about: About, of: Expression, values: tuple[bool | int | float | str, ...]) -> Condition:
    """The value is one of these, or missing."""
    return either(missing(about, of), among(of, values))


def weekdays(about: About, first: int, last: int) -> tuple[int, ...]:
    """The days of the week from 1, Monday, to 7."""
    return tuple(range(first, last + 1))


def unique_in(about: About, of: Any, where: Condition) -> Condition | None:  # noqa: ANN401 - as in `unique`
    """No other row of the table has the same value; nothing is known of a part of the table."""
    return unique(about, of) if where == EVERY_ROW else None


def unique_at(about: About, of: Any, table: str) -> Condition | None:  # noqa: ANN401 - as in `unique`
    """No other row has the same value, when the table named is the one at hand."""
    return unique(about, of) if table == about.table else None


def known_itself(about: About, of: Expression) -> Condition | None:
    """What the column refers to exists."""
    joins = [join for own, join in about.scene.joins if own == about.table and isinstance(of, ColumnOf)]
    found = [join for join in joins if isinstance(of, ColumnOf) and join.columns == (of.name,)]
    return exists(about, Kin(found[0], refers=True)) if len(found) == 1 else None


def stripped(about: About, of: Expression) -> Condition | None:
    """The text has no outer spaces."""
    plain = expressions.folded(about, of, "space")
    return Compare(relation="==", left=of, right=plain) if plain is not None else None


def valued(about: About, of: Expression, said: Condition) -> Condition | None:
    """What an adjective says, when it is about this value."""
    return said if isinstance(said, Compare) and said.left == of else None


def own_format(about: About, of: Expression) -> Condition | None:
    """The text has the form that the column is named for."""
    if not isinstance(of, ColumnOf):
        return None
    words = of.name.lower().replace("_", " ")
    found = [name for name in FORMATS if name.lower() in (words, f"{words} address") or words in name.lower().split()]
    return has_format(about, of, found[0]) if len(found) == 1 else None


def restricted(about: About, subject: Of, said: Condition) -> Condition:
    """What is said of a value of some rows, as a condition of rows."""
    return both(subject.where, said)


def exists_that(about: About, parent: Kin, said: Condition) -> Condition:
    """The row that the row at hand refers to is like that."""
    return looked_up(parent.join, both(parent.where, said)) or exists(about, Kin(parent.join, both(parent.where, said)))


def any_two(about: About, one: Condition, other: Condition) -> Condition:
    """One or the other."""
    return either(one, other)


def any_of_one(about: About, said: tuple[Condition, ...]) -> Condition | None:
    """Values of one column named side by side: "vans and trucks" are those of either kind."""
    parts = {part.left for part in said if isinstance(part, Compare)}
    return either(*said) if len(parts) == 1 and all(isinstance(part, Compare) for part in said) else None


def dimension(about: About, names: str) -> Expression | None:
    """The one column that measures it, by the words of its name."""
    wanted = names.split()
    table = about.scene.tables[about.table]
    found = [name for name in table.columns if set(name.lower().split("_")) & set(wanted)]
    numbers = [name for name in found if table.kind(name) in _NUMBERS]
    return ColumnOf(name=numbers[0]) if len(numbers) == 1 else None


def lasting(about: About, relation: str, span: Span) -> Condition | None:
    """How long it takes, from a column of durations in that unit."""
    unit = span.unit.rstrip("s")
    table = about.scene.tables[about.table]
    short = {"minute": ("min", "minutes"), "hour": ("h", "hours"), "second": ("sec", "seconds", "s")}.get(unit, ())
    ends = {unit, span.unit, *short}
    found = [name for name in table.columns if set(name.lower().split("_")) & ends and table.kind(name) in _NUMBERS]
    if len(found) != 1:
        return None
    amount = int(span.amount) if float(span.amount).is_integer() else span.amount
    return compare(about, ColumnOf(name=found[0]), relation, Value(value=amount))


def aged(about: About, relation: str, span: Span) -> Condition | None:
    """How old somebody is, by a date of birth or an age."""
    table = about.scene.tables[about.table]
    born = [name for name in table.columns if _BIRTH & set(name.lower().split("_")) and table.kind(name) == "datetime"]
    ages = [name for name in table.columns if "age" in name.lower().split("_") and table.kind(name) in _NUMBERS]
    if span.unit != "years" or len(born) + len(ages) != 1:
        return None
    if ages:
        return compare(about, ColumnOf(name=ages[0]), MIRRORED[relation], Value(value=int(span.amount)))  # type: ignore[index]
    limit = expressions.minus(about, Now(), span)
    return compare(about, ColumnOf(name=born[0]), relation, limit) if limit is not None else None


_BIRTH = frozenset(("birth", "born", "birthday", "birthdate", "dob"))


def years(about: About, number: Value) -> Span | None:
    """So many years."""
    return Span(amount=float(number.value), unit="years") if isinstance(number.value, int) else None


def like(about: About, number: Value, span: Span) -> Span | None:
    """So many of the same unit."""
    return Span(amount=float(number.value), unit=span.unit) if isinstance(number.value, (int, float)) else None


def older(about: About, span: Span) -> Condition | None:
    """The row's own date is longer ago."""
    day, limit = expressions.own_date(about), expressions.minus(about, Now(), span)
    return compare(about, day, "<", limit) if day is not None and limit is not None else None


def narrowed_by(about: About, kin: Kin, said: Kin) -> Kin | None:
    """The other table's rows that an adjective is said of."""
    return Kin(kin.join, both(said.where, kin.where), kin.refers) if kin.join == said.join else None


def own_rows(about: About) -> Kin | None:
    """Rows of the table at hand, as what one of its columns refers to."""
    key = about.scene.linked.names.references.key(about.table)
    return Kin(Join(columns=("",), table=about.table, keys=(key,)), refers=True) if key is not None else None


def of_each(about: About, subjects: tuple[Expression, ...], said: Condition) -> Condition:
    """What was said of the first subject, of each."""
    return both(*_told(subjects, said))


def of_one(about: About, subjects: tuple[Expression, ...], said: Condition) -> Condition:
    """What was said of the first subject, of at least one."""
    return either(*_told(subjects, said))


def of_exactly_one(about: About, subjects: tuple[Expression, ...], said: Condition) -> Condition | None:
    """What was said of the first subject, of exactly one."""
    return how_many(about, tuple(_told(subjects, said)), "==", Value(value=1))


def _told(subjects: tuple[Expression, ...], said: Condition) -> list[Condition]:
    return [replaced(said, subjects[0], subject) for subject in subjects]


def differ(about: About, values: tuple[Expression, ...]) -> Condition | None:
    """No two of the values are the same."""
    pairs = [compare(about, one, "!=", other) for one, other in combinations(values, 2)]
    return both(*(pair for pair in pairs if pair is not None)) if None not in pairs else None


def agree(about: About, values: tuple[Expression, ...]) -> Condition | None:
    """All values are the same."""
    pairs = [compare(about, values[0], "==", other) for other in values[1:]]
    return both(*(pair for pair in pairs if pair is not None)) if None not in pairs else None


def values(about: About, *found: bool | int | float | str) -> tuple[bool | int | float | str, ...]:
    """The values as a list."""
    return found


def at_least_one(about: About, of: Expression) -> Condition:
    """At least one is counted; a value that is no number is there."""
    if _kind(about, of) in _NUMBERS:
        return Compare(relation=">=", left=of, right=Value(value=1))
    return present(about, of)


def comes_to(about: About, of: Expression, amount: Expression) -> Condition | None:
    """What is summed up comes to the amount."""
    summed = getattr(of, "node", "") in ("rollup", "group", "aggregate", "arithmetic")
    return compare(about, of, "==", amount) if summed else None


def summed(about: About, of: Expression, said: Condition) -> Condition | None:
    """What is said of an amount that is summed up, when it is one."""
    return said if getattr(of, "node", "") in ("rollup", "group", "aggregate", "arithmetic") else None


def outlier(about: About, of: Expression, times: Value, by: Any) -> Condition | None:  # noqa: ANN401 - a key or nothing
    """The value lies more than so many standard deviations from the mean."""
    keys = by if isinstance(by, tuple) else ()
    if _kind(about, of) not in _NUMBERS or isinstance(of, Group):
        return None
    apart = Absolute(of=Arithmetic(sign="-", left=of, right=Group(statistic="mean", of=of, by=keys)))
    limit = Arithmetic(sign="*", left=Group(statistic="std", of=of, by=keys), right=times)
    return Compare(relation=">", left=apart, right=limit)


def unknown(about: About, parent: Kin) -> Condition:
    """The row names one of the other table, and there is none."""
    of = tuple(ColumnOf(name=name) for name in parent.join.columns)
    there = Exists(of=of, table=parent.join.table, keys=parent.join.keys)
    return both(*(Present(of=part) for part in of), Not(condition=there))


def aged_at(about: About, relation: str, span: Span, moment: Expression) -> Condition | None:
    """How old somebody is at that moment, by the date of birth."""
    table = about.scene.tables[about.table]
    born = [name for name in table.columns if _BIRTH & set(name.lower().split("_")) and table.kind(name) == "datetime"]
    if len(born) != 1 or span.unit != "years":
        return None
    reached = expressions.plus(about, ColumnOf(name=born[0]), span)
    return compare(about, moment, relation, reached) if reached is not None else None


def said_of(about: About, of: Expression, said: Condition) -> Condition | None:
    """The condition, when it is about this value."""
    return said if getattr(said, "left", getattr(said, "of", None)) == of else None


def known_by(about: About, of: Expression, key: Expression, kin: Kin) -> Condition | None:
    """The value is the key of a row of the other table, which is named as such."""
    named = isinstance(key, Lookup) and key.join == kin.join and key.of == ColumnOf(name=kin.join.keys[0])
    return known(about, of, kin) if named else None


def as_far_as_there(about: About, said: Condition) -> Condition:
    """What may only be so, of values that are there."""
    parts = said.conditions if isinstance(said, All) else (said,)
    rest = [part for part in parts if not isinstance(part, Present)]
    return both(*rest) if rest else said


def denied(about: About, said: Condition) -> Condition | None:
    """The opposite; "do not have a or b" leaves open whether one of them would do."""
    open_ = isinstance(said, Any_) and all(isinstance(part, Present) for part in said.conditions)
    return None if open_ or said == EVERY_ROW else negate(said)


def shaped(about: About, of: Expression, pattern: str) -> Condition | None:
    """The text is made up like that; a pattern that is one text only is an example of it."""
    return matches(about, of, pattern) if re.search(r"\[|\\d", pattern) else None


FUNCTIONS = {
    function.__name__: function
    for function in (
        anything, present, missing, empty, blank, compare, close, between, equal, one_of, true, false, no, every,
        any, also, matches, has_format, has_text, has_one_text, parses, unique, unique_rows, exists, known, listed,
        how_many, presences, absences, iff, implies, within, any_missing, weekdays, unique_in, unique_at, known_itself,
        stripped, valued, own_format, restricted, exists_that, any_two, any_of_one, dimension, lasting, aged, years,
        like, older, narrowed_by, own_rows, of_each, of_one, of_exactly_one, differ, agree, values, at_least_one, comes_to, summed, outlier, unknown, aged_at, said_of, known_by, as_far_as_there, denied, shaped,
    )
}  # fmt: skip
