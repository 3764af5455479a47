"""Functions of meanings for amounts in units, as the names of columns say in which they count."""

from collections.abc import Callable

from pandas_magic.constraints import (
    Absolute,
    Aggregate,
    Column,
    Compare,
    Expression,
    Group,
    Lookup,
    Previous,
    Rollup,
    RowRule,
    Share,
    Span,
    Value,
)
from pandas_magic.constraints.algebra.rules import Constraint
from pandas_magic.constraints.algebra.tree import conjuncts
from pandas_magic.planner.language.linking.unit_scales import counts_percent, in_units
from pandas_magic.planner.language.linking.words import name_parts
from pandas_magic.planner.language.strict.conditions import close
from pandas_magic.planner.language.strict.expressions import hundredth
from pandas_magic.planner.language.strict.logic import both
from pandas_magic.planner.language.strict.scene import NUMBERS, About

_MOST_PLACES = 9  # beyond it what rounds in doubles would be taken for a further place


def percent_of(about: About, percent: Value) -> Value | None:
    """A percentage of a column that counts in percent, as its name says."""
    if isinstance(about.subject, Share):
        return Value(value=hundredth(percent.value)) if isinstance(percent.value, (int, float)) else None
    counted = counted_column(about.subject)
    return percent if counted is not None and counts_percent(counted.name) else None


def time_of(about: About, span: Span) -> Expression | None:
    """A length of time; of a number, how many of the units in which its name says that it counts."""
    counted = counted_column(about.subject)
    if counted is None or about.kind(about.subject) not in NUMBERS:
        return span
    words = set(name_parts(counted.name))
    whole = int(span.amount) if float(span.amount).is_integer() else span.amount
    return Value(value=whole) if words & TIMES[span.unit] else None


TIMES: dict[str, frozenset[str]] = {
    "seconds": frozenset(("s", "sec", "secs", "second", "seconds")),
    "minutes": frozenset(("min", "mins", "minute", "minutes")),
    "hours": frozenset(("h", "hr", "hrs", "hour", "hours")),
    "days": frozenset(("d", "day", "days", "nights")),
    "weeks": frozenset(("week", "weeks", "wk")),
    "months": frozenset(("month", "months")),
    "years": frozenset(("year", "years", "age")),
}
UNIT_WORDS = frozenset(word for words in TIMES.values() for word in words)


def counted_column(of: Expression | None) -> Column | None:
    """The column whose values an expression is made of, when there is one."""
    while isinstance(of, (Aggregate, Group, Rollup, Lookup, Absolute, Previous)):
        of = of.of
    return of if isinstance(of, Column) else None


def counted(about: About, span: Span) -> Value | None:
    """So many, of a number that counts in the unit of a length of time."""
    found = time_of(about, span)
    return found if isinstance(found, Value) else None


def in_unit(about: About, number: Value, unit: str) -> Value | None:
    """The number, in the unit in which the column counts, as its name says; None where it counts something else."""
    counted = counted_column(about.subject)
    named = set(name_parts(counted.name)) & MEASURES.keys() if counted is not None else set()
    said = unit.lower().replace(" ", "")
    meant = MEASURES.get(said)
    if len(named) == 1 and meant not in {MEASURES[word] for word in named} and isinstance(number.value, (int, float)):
        told = in_units(number.value, said, *named)
        return None if told is None else Value(value=told)
    if not named and meant == "cents":
        return None  # a price may count in either
    return number if not named or meant is None or meant in {MEASURES[word] for word in named} else None


def counts_in_cents(about: About) -> bool:
    """Whether the column that is read about counts in cents, so that 1 cent is 1 there."""
    counted = counted_column(about.subject)
    return counted is not None and any(MEASURES.get(word) == "cents" for word in name_parts(counted.name))


def hundredths(about: About) -> Value | None:
    """The smallest part of an amount of money; None of one that counts in these."""
    return None if counts_in_cents(about) else Value(value=0.01)


def but_for(about: About, found: Constraint, within: Value, unit: str = "") -> Constraint | None:
    """The rule that two are equal, but for so much, in the unit in which they count."""
    return _near(about, found, lambda it: in_unit(it, within, unit) if unit else within)


def but_for_a_cent(about: About, found: Constraint) -> Constraint | None:
    """The rule that two amounts of money are equal, but for a cent."""
    return _near(about, found, lambda it: hundredths(it) or Value(value=1))


def _near(about: About, found: Constraint, reach: Callable[[About], Value | None]) -> Constraint | None:
    parts = conjuncts(found.must) if isinstance(found, RowRule) else ()
    equal = [part for part in parts if isinstance(part, Compare) and part.relation == "==" and part.within is None]
    if len(equal) != 1 or not isinstance(found, RowRule):
        return None
    it = about._replace(table=found.table, subject=equal[0].left)
    within = reach(it)
    is_part = within is not None and counts_in_cents(it) and within.value != int(within.value)  # of a cent
    near = close(it, equal[0].left, equal[0].right, within) if within is not None and not is_part else None
    if near is None:
        return None
    return found.model_copy(update={"must": both(*(near if part is equal[0] else part for part in parts))})


def decimals(about: About, places: Value) -> Value | None:
    """The smallest part of a number with so many places behind the point."""
    count = places.value
    return Value(value=round(0.1**count, count)) if isinstance(count, int) and 0 < count < _MOST_PLACES else None


def by_unit(about: About, unit: str) -> Expression | None:
    """The one column that counts in the unit, as its name says."""
    meant, table = MEASURES.get(unit.lower().replace(" ", "")), about.tables[about.table]
    found = [
        name
        for name in table.columns
        if meant is not None
        and table.kind(name) in NUMBERS
        and any(MEASURES.get(word) == meant for word in name_parts(name))
    ]
    return Column(name=found[0]) if len(found) == 1 else None


# Units by the words that name them: a column that counts in one of them is compared with amounts in that one alone.
MEASURES = {
    word: words[0]
    for words in (
        ("kg", "kilo", "kilos", "kilogram", "kilograms", "kgs"), ("g", "gram", "grams"), ("mg",),
        ("t", "ton", "tons", "tonne", "tonnes"), ("km", "kilometer", "kilometers", "kilometre", "kilometres"),
        ("m", "meter", "meters", "metre", "metres"), ("cm",), ("mm",), ("l", "liter", "liters", "litre", "litres"),
        ("ml",), ("m3", "cbm", "cubicmeters", "cubicmetres"), ("kwh",), ("kw",), ("kwp",), ("mwh",), ("mb",), ("gb",),
        ("eur", "euro", "euros", "€"), ("usd", "dollar", "dollars", "$"),
        ("gbp", "pound", "pounds", "£"), ("chf", "francs"), ("cents", "cent", "ct"), ("bar",), ("volt", "volts", "v"),
        ("watt", "watts", "w"), ("c", "celsius", "°c"), ("sqm", "m2", "qm", "squaremeters", "squaremetres"),
        ("ha", "hectares"),
    )
    for word in words
}  # fmt: skip
