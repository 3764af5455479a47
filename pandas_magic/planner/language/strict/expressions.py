"""Functions of meanings that give expressions: sums, statistics, lengths of time. None where the parts do not fit."""

from typing import Any

from pandas_magic.constraints import (
    Absolute,
    Aggregate,
    Arithmetic,
    Column,
    DatePart,
    Expression,
    Folded,
    Group,
    Lookup,
    Now,
    Previous,
    Rollup,
    Share,
    Span,
    TextLength,
    Value,
)
from pandas_magic.planner.language.strict.chart import About
from pandas_magic.planner.language.strict.logic import EVERY_ROW, both, for_where
from pandas_magic.planner.language.strict.scene import Kin, KinColumn


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
    kinds = [_kind(about, made.left), _kind(about, made.right)]
    if None in kinds or not kinds[0] or not kinds[1]:
        return None
    left, right = kinds
    if left in _NUMBERS and right in _NUMBERS:
        return made
    if left == "datetime" and made.sign in "+-" and right == "duration":
        return made
    if left == right == "datetime" and made.sign == "-":
        return made
    return made if left == "duration" and right in _NUMBERS and made.sign in "*/" else None


_NUMBERS = ("integer", "number")


def _kind(about: About, of: Expression) -> str | None:
    found = about.scene.type_of(of, about.table)
    return found.kind if found is not None else None


def share(about: About, percent: Value, of: Expression) -> Expression | None:
    """So many percent of a number."""
    value = percent.value
    assert not isinstance(value, str)
    return times(about, of, Value(value=_hundredth(value)))


def _hundredth(number: float) -> float:
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
    return TextLength(of=of) if _kind(about, of) in ("text", "mixed") else None


def part(about: About, of: Expression, name: str) -> Expression | None:
    """A part of a date: its "year", "weekday" …"""
    return DatePart(part=name, of=of) if _kind(about, of) == "datetime" else None  # type: ignore[arg-type]


def folded(about: About, of: Expression, fold: str) -> Expression | None:
    """The text without regard to "case", or to outer "space"."""
    return Folded(of=of, fold=fold) if _kind(about, of) in ("text", "mixed") else None  # type: ignore[arg-type]


def of_parent(about: About, of: Expression, parent: Kin) -> Expression | None:
    """A column of the row that the row at hand refers to, when it is that row's."""
    return of if isinstance(of, Lookup) and of.join == parent.join and parent.where == EVERY_ROW else None


def lookup(about: About, parent: Kin, of: Expression) -> Expression | None:
    """The expression in the row that the row at hand refers to."""
    fits = parent.refers and parent.where == EVERY_ROW and not isinstance(of, Lookup)
    return Lookup(join=parent.join, of=of) if fits else None


def count(about: About, kin: Kin) -> Expression | None:
    """How many rows refer to the row at hand."""
    return None if kin.refers else Rollup(statistic="count", join=kin.join, where=_where(kin.where))


def over(about: About, statistic: str, kin: Kin, of: Expression) -> Expression | None:
    """A statistic of the rows that refer to the row at hand."""
    if kin.refers or isinstance(of, (Value, Span)):
        return None
    return Rollup(statistic=statistic, join=kin.join, of=of, where=_where(kin.where))  # type: ignore[arg-type]


def over_column(about: About, statistic: str, column: KinColumn) -> Expression:
    """A statistic of a column of all rows that refer to the row at hand."""
    return Rollup(statistic=statistic, join=column.join, of=column.of)  # type: ignore[arg-type]


def over_of(about: About, statistic: str, column: KinColumn, kin: Kin) -> Expression | None:
    """A statistic of a column of those rows that refer to the row at hand."""
    return over(about, statistic, kin, column.of) if column.join == kin.join else None


def group(about: About, statistic: str, of: Expression, by: tuple[Expression, ...]) -> Expression:
    """A statistic of the rows of the table that share `by`."""
    return Group(statistic=statistic, of=of, by=_flat(by))  # type: ignore[arg-type]


def group_count(about: About, by: tuple[Expression, ...]) -> Expression:
    """How many rows of the table share `by`."""
    return Group(statistic="count", by=_flat(by))


def all_rows(about: About, statistic: str, of: Expression) -> Expression:
    """A statistic of all rows in the rule's scope, seen from each row."""
    return Group(statistic=statistic, of=of)  # type: ignore[arg-type]


def previous(about: About, of: Expression) -> Expression:
    """The value in the row before."""
    return Previous(of=of)


def row_count(about: About, where: Any) -> Expression:  # noqa: ANN401 - a condition, or EVERY_ROW
    """How many rows of the table there are."""
    return Aggregate(statistic="count", table=about.table, where=_where(where))


def whole(about: About, statistic: str, of: Expression, where: Any) -> Expression:  # noqa: ANN401 - as above
    """A statistic of the whole table."""
    return Aggregate(statistic=statistic, table=about.table, of=of, where=_where(where))  # type: ignore[arg-type]


def by_period(about: About, of: Expression, period: str) -> tuple[Expression, ...] | None:
    """What tells the calendar periods of a date apart: its "date", or its year and "month"."""
    if _kind(about, of) != "datetime":
        return None
    day = DatePart(part="date", of=of)
    if period == "date":
        return (day,)
    year = DatePart(part="year", of=of)
    return (year,) if period == "year" else (year, DatePart(part=period, of=of))  # type: ignore[arg-type]


def together(about: About, *parts: Any) -> tuple[Expression, ...]:  # noqa: ANN401 - expressions or tuples of them
    """The parts of a key, side by side."""
    return _flat(parts)


def own_key(about: About, join_holder: Kin) -> Expression | None:
    """The column by which the row at hand refers to the other."""
    return Column(name=join_holder.join.columns[0]) if join_holder.refers else None


def key(about: About) -> Expression | None:
    """The column by which rows of the table are told apart."""
    found = about.scene.linked.names.references.key(about.table)
    return Column(name=found) if found is not None else None


def own_date(about: About) -> Expression | None:
    """The date of the row itself."""
    found = about.scene.linked.names.references.principal_date(about.table)
    return Column(name=found) if found is not None else None


def narrowed(about: About, kin: Kin, where: Any) -> Kin:  # noqa: ANN401 - a condition, or EVERY_ROW
    """The other table's rows, only those in which `where` is true."""
    return Kin(kin.join, both(kin.where, where), kin.refers)


def _flat(parts: tuple[Any, ...]) -> tuple[Expression, ...]:
    flat = [one for part in parts for one in (part if isinstance(part, tuple) else (part,))]
    return tuple(dict.fromkeys(flat))


def _where(where: Any) -> Any:  # noqa: ANN401 - a condition, or EVERY_ROW
    return None if where == EVERY_ROW else for_where(where)


def percent_of(about: About, percent: Value) -> Value | None:
    """A percentage of a column that counts in percent, as its name says."""
    if isinstance(about.subject, Share):
        return Value(value=_hundredth(percent.value)) if isinstance(percent.value, (int, float)) else None
    counted = _counted(about.subject)
    name = counted.name.lower() if counted is not None else ""
    return percent if any(word in name for word in ("pct", "percent")) else None


def mean_of_it(about: About, by: tuple[Expression, ...]) -> Expression | None:
    """The mean of what is read about, among rows that share `by`."""
    return Group(statistic="mean", of=about.subject, by=_flat(by)) if about.subject is not None else None


def count_of(about: About, where: Any, by: tuple[Expression, ...]) -> Expression | None:  # noqa: ANN401 - EVERY_ROW
    """How many rows share `by`; rows of some kind are told by the rule's scope, not here."""
    return Group(statistic="count", by=_flat(by)) if where == EVERY_ROW else None


def time_of(about: About, span: Span) -> Expression | None:
    """A length of time; of a number, how many of the units in which its name says that it counts."""
    counted = _counted(about.subject)
    if counted is None or _kind(about, about.subject) not in _NUMBERS:  # type: ignore[arg-type]
        return span
    words = set(counted.name.lower().split("_"))
    whole = int(span.amount) if float(span.amount).is_integer() else span.amount
    return Value(value=whole) if words & _UNIT_WORDS[span.unit] else None


_UNIT_WORDS: dict[str, frozenset[str]] = {
    "seconds": frozenset(("s", "sec", "secs", "second", "seconds")),
    "minutes": frozenset(("min", "mins", "minute", "minutes")),
    "hours": frozenset(("h", "hr", "hrs", "hour", "hours")),
    "days": frozenset(("d", "day", "days", "nights")),
    "weeks": frozenset(("week", "weeks", "wk")),
    "months": frozenset(("month", "months")),
    "years": frozenset(("year", "years", "age")),
}


def _counted(of: Expression | None) -> Column | None:
    """The column whose values an expression is made of, when there is one."""
    while isinstance(of, (Aggregate, Group, Rollup, Lookup, Absolute, Previous)):
        of = of.of
    return of if isinstance(of, Column) else None


def same_as(about: About, one: Expression, other: Expression) -> Expression | None:
    """The one, when the other is the same."""
    return one if one == other else None


def counted(about: About, span: Span) -> Value | None:
    """So many, of a number that counts in the unit of a length of time."""
    found = time_of(about, span)
    return found if isinstance(found, Value) else None


def in_unit(about: About, number: Value, unit: str) -> Value | None:
    """The number, unless the column counts in another unit, as its name says."""
    counted = _counted(about.subject)
    named = set(counted.name.lower().split("_")) & _MEASURES.keys() if counted is not None else set()
    meant = _MEASURES.get(unit.lower().replace(" ", ""))
    return number if not named or meant is None or meant in {_MEASURES[word] for word in named} else None


# Units by the words that name them: a column that counts in one of them is compared with amounts in that one alone.
_MEASURES = {
    word: words[0]
    for words in (
        ("kg", "kilo", "kilos", "kilogram", "kilograms", "kgs"), ("g", "gram", "grams"), ("mg",),
        ("t", "ton", "tons", "tonne", "tonnes"), ("km", "kilometer", "kilometers", "kilometre", "kilometres"),
        ("m", "meter", "meters", "metre", "metres"), ("cm",), ("mm",), ("l", "liter", "liters", "litre", "litres"),
        ("ml",), ("kwh",), ("kw",), ("mb",), ("gb",), ("eur", "euro", "euros", "€"), ("usd", "dollar", "dollars", "$"),
        ("gbp", "pound", "pounds", "£"), ("chf", "francs"), ("cents", "cent", "ct"), ("bar",), ("volt", "volts", "v"),
        ("watt", "watts", "w"), ("c", "celsius", "°c"), ("sqm", "squaremeters", "squaremetres"), ("ha", "hectares"),
    )
    for word in words
}  # fmt: skip


def worth(about: About, kin: Kin) -> Expression | None:
    """The one amount that each row of the other table stands for: its amount, else its total."""
    names = about.scene.linked.names
    for word in ("amount", "total"):
        found = [column for table, column, _ in names.columns.get((word,), ()) if table == kin.join.table]
        numbers = [column for column in found if names.kind(kin.join.table, column) in _NUMBERS]
        if numbers:
            return Column(name=numbers[0]) if len(set(numbers)) == 1 else None
    return None


def twin(about: About, parent: Kin, of: Expression) -> Expression | None:
    """The column of the same name in the row that the row at hand refers to."""
    same = isinstance(of, Column) and of.name in about.scene.tables[parent.join.table].columns
    return Lookup(join=parent.join, of=of) if same and parent.refers and parent.where == EVERY_ROW else None


def raised(about: About, of: Expression, percent: Value) -> Expression | None:
    """The number, and so many percent more."""
    if isinstance(percent.value, (str, bool)):
        return None
    return times(about, of, Value(value=round(1 + percent.value / 100, 12)))


def dated_by(about: About, of: Expression) -> Expression | None:
    """The column, when it holds dates."""
    return of if _kind(about, of) == "datetime" else None


FUNCTIONS = {
    function.__name__: function
    for function in (
        absolute, plus, minus, times, divided, sum_of, share, number, negative, difference, now, today, length, part, folded,
        of_parent, lookup, count, over, over_column, over_of, group, group_count, all_rows, previous, row_count, whole,
        by_period, together, own_key, key, own_date, narrowed, percent_of, mean_of_it, count_of, time_of, same_as, counted, in_unit, worth, twin, raised, dated_by,
    )
}  # fmt: skip
