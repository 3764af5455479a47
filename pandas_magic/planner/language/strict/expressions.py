"""Functions of meanings that give expressions: sums, lengths of time, values looked up; None where parts do not fit."""

from typing import Any

from pandas_magic.constraints import (
    Absolute,
    Arithmetic,
    Column,
    DatePart,
    Expression,
    Folded,
    Lookup,
    Now,
    Span,
    TextLength,
    Value,
)
from pandas_magic.constraints.algebra.expressions import Unit
from pandas_magic.planner.language.linking.aliases import event_verbs
from pandas_magic.planner.language.linking.unit_scales import counts_percent, units_of
from pandas_magic.planner.language.linking.words import name_parts, names_data
from pandas_magic.planner.language.strict.logic import EVERY_ROW, both, for_where
from pandas_magic.planner.language.strict.scene import NUMBERS, About, Kin

_YEARS = (1900, 2100)


def plus(about: About, left: Expression, right: Expression) -> Expression | None:
    """The sum; a date and a length of time make a date."""
    return _fitting(about, Arithmetic(sign="+", left=left, right=right))


def minus(about: About, left: Expression, right: Expression) -> Expression | None:
    """The difference."""
    return _fitting(about, Arithmetic(sign="-", left=left, right=right))


def times(about: About, left: Expression, right: Expression) -> Expression | None:
    """The product."""
    return _fitting(about, Arithmetic(sign="*", left=left, right=right))


def divided(about: About, left: Expression, right: Expression) -> Expression | None:
    """The quotient."""
    return _fitting(about, Arithmetic(sign="/", left=left, right=right))


def sum_of(about: About, parts: tuple[Expression, ...]) -> Expression | None:
    """The parts added up, from left to right."""
    found: Expression | None = parts[0]
    for part in parts[1:]:
        found = plus(about, found, part) if found is not None else None
    return found


def _fitting(about: About, made: Arithmetic) -> Arithmetic | None:
    kinds = [about.kind(made.left), about.kind(made.right)]
    if None in kinds or not kinds[0] or not kinds[1]:
        return None
    left, right = kinds
    if left in NUMBERS and right in NUMBERS:
        mixed = made.sign in "+-" and len({_is_percent(side) for side in (made.left, made.right)} - {None}) > 1
        return None if mixed else made  # an amount less a percentage is no amount
    if left == "datetime" and made.sign in "+-" and right == "duration":
        return made
    if left == right == "datetime" and made.sign == "-":
        return made
    if left == right == "duration" and made.sign in "+-":
        two_times = about.is_time_of_day(made.left) and about.is_time_of_day(made.right)
        return None if two_times and made.sign == "+" else made
    if (left == "datetime" or about.is_time_of_day(made.left)) and right in NUMBERS and made.sign in "+-":
        length = _length_of(made.right)
        return made.model_copy(update={"right": length}) if length is not None else None
    return made if left == "duration" and right in NUMBERS and made.sign in "*/" else None


def _length_of(number: Expression) -> Expression | None:
    """As many of the unit of time as the number counts, as the name of its column says."""
    unit = _unit_of(number)
    return Arithmetic(sign="*", left=number, right=Span(amount=1, unit=unit)) if unit is not None else None


def counted_as(number: Expression, length: Expression) -> Expression | None:
    """The length of time in the unit in which the number counts, as the name of its column says."""
    unit = _unit_of(number)
    return Arithmetic(sign="/", left=length, right=Span(amount=1, unit=unit)) if unit is not None else None


def _unit_of(number: Expression) -> Unit | None:
    """The unit of time of a column of lengths; months and years have none."""
    told = units_of(number.name) if isinstance(number, Column) else []
    return told[0] if len(told) == 1 and told[0] not in ("months", "years") else None  # type: ignore[return-value] # names.toml has the units that a Span knows


def apart(about: About, one: Expression, other: Expression) -> Expression | None:
    """How long it is from one to the other; by their names the later one is that at which something ends."""
    if {about.kind(one), about.kind(other)} & {*NUMBERS}:
        return None
    begun, over = (set(names_data()[events]) for events in ("beginnings", "endings"))
    said = [event_verbs(of.name) if isinstance(of, Column) else set() for of in (one, other)]
    if begun & {*said[0]} and over & {*said[1]}:
        return minus(about, other, one)
    return minus(about, one, other) if over & {*said[0]} and begun & {*said[1]} else None


def _is_percent(of: Expression) -> bool | None:
    """Whether the column counts in percent, as its name says; None for what is no column."""
    return counts_percent(of.name) if isinstance(of, Column) else None


def share(about: About, percent: Value, of: Expression) -> Expression | None:
    """So many percent of a number."""
    value = percent.value
    assert not isinstance(value, str)
    return times(about, of, Value(value=hundredth(value)))


def margin(about: About, percent: Value, of: Expression) -> Expression | None:
    """So many percent of a number as a distance from it, which is never below 0."""
    return share(about, percent, Absolute(of=of))


def as_long(about: About, amount: Value, span: Span) -> Span | None:
    """So many of the units of the length of time, of which there are more."""
    less = isinstance(amount.value, (int, float)) and 0 <= amount.value < span.amount
    return Span(amount=float(amount.value), unit=span.unit) if less else None


def calendar_year(about: About, value: Value) -> int | None:
    """The number where it can be meant as a year."""
    year = value.value
    return year if isinstance(year, int) and _YEARS[0] <= year <= _YEARS[1] else None


def hundredth(number: float) -> float:
    """The number as that many percent."""
    found = round(number / 100, 12)
    return int(found) if found == int(found) and found >= 1 else found


def number(about: About, value: float) -> Value:
    """The number, as an expression."""
    return Value(value=value)


def negative(about: About, value: Value) -> Value | None:
    """The number below zero."""
    return None if isinstance(value.value, str) else Value(value=-value.value)


def difference(about: About, left: Expression, right: Expression) -> Expression | None:
    """How far apart two numbers or dates are."""
    apart = minus(about, left, right)
    return Absolute(of=apart) if apart is not None else None


def counted_in(about: About, apart: Expression, unit: Unit) -> Expression | None:
    """How many of the units a length of time is."""
    if about.kind(apart) != "duration":
        return None
    return Arithmetic(sign="/", left=apart, right=Span(amount=1, unit=unit))


def absolute(about: About, of: Expression) -> Expression:
    """The magnitude of a number or of a length of time."""
    return Absolute(of=of)


def now(about: About) -> Expression:
    """The time of the run."""
    return Now()


def today(about: About) -> Expression:
    """The start of the day of the run."""
    return Now(midnight=True)


def length(about: About, of: Expression) -> Expression | None:
    """How many characters the text has."""
    return TextLength(of=of) if about.kind(of) in ("text", "mixed") else None


def part(about: About, of: Expression, name: str) -> Expression | None:
    """A part of a date, such as its "year" or "weekday"."""
    return DatePart(part=name, of=of) if about.kind(of) == "datetime" else None


def folded(about: About, of: Expression, fold: str) -> Expression | None:
    """The text without regard to "case", or to outer "space"."""
    return Folded(of=of, fold=fold) if about.kind(of) in ("text", "mixed") else None


def of_parent(about: About, of: Expression, parent: Kin) -> Expression | None:
    """A column of the row that the row at hand refers to, when it is that row's."""
    return of if isinstance(of, Lookup) and of.join == parent.join and parent.where == EVERY_ROW else None


def lookup(about: About, parent: Kin, of: Expression) -> Expression | None:
    """The expression in the row that the row at hand refers to."""
    fits = parent.refers and parent.where == EVERY_ROW and not isinstance(of, Lookup)
    return Lookup(join=parent.join, of=of) if fits else None


def by_period(about: About, of: Expression, period: str) -> tuple[Expression, ...] | None:
    """What tells the calendar periods of a date apart: its "date", or its year and "month"."""
    if about.kind(of) != "datetime":
        return None
    day = DatePart(part="date", of=of)
    if period == "date":
        return (day,)
    year = DatePart(part="year", of=of)
    return (year,) if period == "year" else (year, DatePart(part=period, of=of))


def together(about: About, *parts: Any) -> tuple[Expression, ...]:  # noqa: ANN401 - expressions or tuples of them
    """The parts of a key, side by side."""
    return side_by_side(parts)


def own_key(about: About, join_holder: Kin) -> Expression | None:
    """The column by which the row at hand refers to the other."""
    return Column(name=join_holder.join.columns[0]) if join_holder.refers else None


def key(about: About) -> Expression | None:
    """The column by which rows of the table are told apart."""
    found = about.names.references.key(about.table)
    return Column(name=found) if found is not None else None


def own_date(about: About) -> Expression | None:
    """The date of the row itself."""
    found = about.names.references.principal_date(about.table)
    return Column(name=found) if found is not None else None


def narrowed(about: About, kin: Kin, where: Any) -> Kin:  # noqa: ANN401 - a condition, or EVERY_ROW
    """The other table's rows, only those in which `where` is true."""
    return Kin(kin.join, both(kin.where, where), kin.refers)


def side_by_side(parts: tuple[Any, ...]) -> tuple[Expression, ...]:
    """Expressions, and tuples of them within tuples, in one row without repetition."""
    flat = [one for part in parts for one in (side_by_side(part) if isinstance(part, tuple) else (part,))]
    return tuple(dict.fromkeys(flat))


def where_of(where: Any) -> Any:  # noqa: ANN401 - a condition, or EVERY_ROW
    """The condition as rules hold it: None for every row."""
    return None if where == EVERY_ROW else for_where(where)


def same_as(about: About, one: Expression, other: Expression) -> Expression | None:
    """The one, when the other is the same."""
    return one if one == other else None


def raised(about: About, of: Expression, percent: Value) -> Expression | None:
    """The number, and so many percent more."""
    if isinstance(percent.value, (str, bool)):
        return None
    return times(about, of, Value(value=round(1 + percent.value / 100, 12)))


def dated_by(about: About, of: Expression) -> Expression | None:
    """The column, when it holds dates."""
    return of if about.kind(of) == "datetime" else None


def twin(about: About, parent: Kin, of: Expression) -> Expression | None:
    """The column of the same name in the row that the row at hand refers to."""
    same = isinstance(of, Column) and of.name in about.tables[parent.join.table].columns
    return Lookup(join=parent.join, of=of) if same and parent.refers and parent.where == EVERY_ROW else None


def parent_date(about: About, parent: Kin) -> Expression | None:
    """The own date of the row that the row at hand refers to."""
    found = about.names.references.principal_date(parent.join.table)
    if isinstance(about.subject, Column) and about.subject.name.lower().endswith(("_at", "time")):
        return None  # a time of that day is later than the day
    return lookup(about, parent, Column(name=found)) if found is not None else None


def parent_birth(about: About, parent: Kin) -> Expression | None:
    """The date of birth in the row that the row at hand refers to."""
    born = [
        name for name in about.tables[parent.join.table].columns if {"birth", "born", "dob"} & set(name_parts(name))
    ]
    return lookup(about, parent, Column(name=born[0])) if len(born) == 1 else None
