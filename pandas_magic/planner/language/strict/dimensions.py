"""Functions of meanings for comparatives that name what they measure: "heavier", "longer than an hour", "under 18"."""

from typing import Any

from pandas_magic.constraints import (
    Absolute,
    Arithmetic,
    Column,
    Compare,
    Condition,
    Expression,
    Group,
    Now,
    Span,
    Value,
)
from pandas_magic.constraints.algebra.conditions import MIRRORED, Relation
from pandas_magic.planner.language.linking.aliases import event_verbs, is_birth
from pandas_magic.planner.language.linking.words import name_parts, names_data
from pandas_magic.planner.language.strict.conditions import compare
from pandas_magic.planner.language.strict.expressions import minus, own_date, plus
from pandas_magic.planner.language.strict.scene import NUMBERS, About
from pandas_magic.planner.language.strict.units import MEASURES, UNIT_WORDS


def dimension(about: About, names: str) -> Expression | None:
    """The one column that measures it, by the words of its name."""
    wanted = names.split()
    table = about.tables[about.table]
    found = [name for name in table.columns if set(name_parts(name)) & set(wanted)]
    numbers = [name for name in found if table.kind(name) in NUMBERS]
    if len(numbers) != 1 or set(name_parts(numbers[0])) - set(wanted) - MEASURES.keys() - _PLAIN:
        return None  # the price of a bottle is not that of the shipment
    return Column(name=numbers[0])


def measured_by(about: About, verb: str, said: Condition) -> Condition | None:
    """What is said of an amount that is done: nobody waits by a quota of minutes, or lasts by beds."""
    of = getattr(said, "left", None)
    words = name_parts(of.name) if isinstance(of, Column) else []
    rest = [word for word in words if word not in MEASURES and word not in UNIT_WORDS]
    if len(rest) < len(words):
        return said if not rest or any(word.startswith(verb.lower()[:4]) for word in rest) else None
    return None if verb.lower() in ("last", "lasts", "stay", "stays") else said


_LENGTHS = ("duration", "length", "term", "period")
_PLAIN = frozenset(("total", "list", "gross", "net", "nightly", "full", "current", "of", "in", "at"))


def lasting(about: About, relation: str, span: Span) -> Condition | None:
    """How long a row lasts: by a column of durations in that unit, or from the day it begins to the day it ends."""
    unit = span.unit.rstrip("s")
    table = about.tables[about.table]
    dated = unit in ("day", "week", "month", "year")
    short = {"minute": ("min", "minutes"), "hour": ("h", "hours"), "second": ("sec", "seconds", "s")}.get(unit, ())
    ends = {unit, span.unit, *short}
    named = {name: set(name_parts(name)) for name in table.columns if table.kind(name) in NUMBERS}
    # A birth_year is one of the calendar's, warranty_years and a term_month are lengths.
    found = [
        name for name, words in named.items() if words & ends and (words & {span.unit, *short, *_LENGTHS} or not dated)
    ]
    if found:
        amount = int(span.amount) if float(span.amount).is_integer() else span.amount
        return compare(about, Column(name=found[0]), relation, Value(value=amount)) if len(found) == 1 else None
    begun, over = (_only_event(about, events) for events in ("beginnings", "endings"))
    took = minus(about, over, begun) if begun is not None and over is not None and begun != over else None
    return compare(about, took, relation, span) if took is not None else None


def _only_event(about: About, events: str) -> Column | None:
    """The one date on which what the table tells of begins, or is over: by the plainest word that names one.

    A guest arrives first and departs last, a train the other way round: such dates are left out.
    """
    words = [word for word in names_data()[events] if word not in ("arrive", "depart")]
    dates = about.names.references.dates(about.table) or about.names.times(about.table)
    named = ([name for name in dates if word in event_verbs(name)] for word in words)
    found = next((names for names in named if names), [])
    return Column(name=found[0]) if len(found) == 1 else None


def aged(about: About, relation: Relation, span: Span) -> Condition | None:
    """How old somebody is, by a date of birth or an age."""
    table = about.tables[about.table]
    born = [name for name in table.columns if is_birth(name) and table.kind(name) == "datetime"]
    ages = [name for name in table.columns if "age" in name_parts(name) and table.kind(name) in NUMBERS]
    if span.unit != "years" or len(born) + len(ages) != 1:
        return None
    if ages:
        return compare(about, Column(name=ages[0]), MIRRORED[relation], Value(value=int(span.amount)))
    limit = minus(about, Now(), span)
    return compare(about, Column(name=born[0]), relation, limit) if limit is not None else None


def years(about: About, number: Value) -> Span | None:
    """So many years."""
    return Span(amount=float(number.value), unit="years") if isinstance(number.value, int) else None


def like(about: About, number: Value, span: Span) -> Span | None:
    """So many of the same unit, and fewer."""
    fits = isinstance(number.value, (int, float)) and number.value < span.amount
    return Span(amount=float(number.value), unit=span.unit) if fits else None


def older(about: About, span: Span) -> Condition | None:
    """The row's own date is longer ago; who is so many years old was not entered then."""
    day, limit = own_date(about), minus(about, Now(), span)
    fits = day is not None and limit is not None and span.unit != "years"
    return compare(about, day, "<", limit) if fits and day is not None and limit is not None else None


def outlier(about: About, of: Expression, times: Value, by: Any) -> Condition | None:  # noqa: ANN401 - a key or nothing
    """The value lies more than so many standard deviations from the mean."""
    keys = by if isinstance(by, tuple) else ()
    if about.kind(of) not in NUMBERS or isinstance(of, Group):
        return None
    apart = Absolute(of=Arithmetic(sign="-", left=of, right=Group(statistic="mean", of=of, by=keys)))
    limit = Arithmetic(sign="*", left=Group(statistic="std", of=of, by=keys), right=times)
    return Compare(relation=">", left=apart, right=limit)


def aged_at(about: About, relation: str, span: Span, moment: Expression) -> Condition | None:
    """How old somebody is at that moment, by the date of birth."""
    table = about.tables[about.table]
    born = [name for name in table.columns if is_birth(name) and table.kind(name) == "datetime"]
    if len(born) != 1 or span.unit != "years":
        return None
    reached = plus(about, Column(name=born[0]), span)
    return compare(about, moment, relation, reached) if reached is not None else None
