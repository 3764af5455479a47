"""Functions of meanings for "at most three orders a day": how much there may be, of whom and of when said later."""

from dataclasses import dataclass, replace
from typing import Any

from pandas_magic.constraints import Column, Condition, DatePart, Expression, Group, Unique, Value
from pandas_magic.constraints.algebra.conditions import OPPOSITE, Relation
from pandas_magic.planner.language.strict.conditions import compare
from pandas_magic.planner.language.strict.expressions import by_period, own_date, side_by_side
from pandas_magic.planner.language.strict.logic import EVERY_ROW
from pandas_magic.planner.language.strict.scene import NUMBERS, About, Claim

_SOME_DAY = Column(name="")  # the row's own date, until the sentence says which


@dataclass(frozen=True)
class Tally:
    """A limit to how many rows, or to how much in sum, rows may share that agree in `by`."""

    where: Condition
    relation: Relation
    number: Value
    statistic: str = "count"
    of: Expression | None = None
    by: tuple[Expression, ...] = ()
    in_total: bool = False
    day: Expression | None = None  # the date by which days and months are told; None: the row's own


def tally(about: About, where: Condition, relation: Relation, number: Value) -> Tally | None:
    """So many rows of that kind."""
    return Tally(where, relation, number) if isinstance(number.value, int) else None


def summed_up(about: About, of: Any, relation: Relation, number: Value) -> Tally | None:  # noqa: ANN401 - a key
    """So much in sum."""
    fits = isinstance(of, Column) and about.kind(of) in NUMBERS
    return Tally(EVERY_ROW, relation, number, "sum", of) if fits else None


def different(about: About, of: Any, relation: Relation, number: Value) -> Tally | None:  # noqa: ANN401 - a key
    """So many different values."""
    fits = isinstance(of, Column) and about.kind(of) != "boolean"
    return Tally(EVERY_ROW, relation, number, "distinct", of) if fits else None


def per(about: About, found: Tally, *keys: Any) -> Tally:  # noqa: ANN401 - expressions or tuples of them
    """The tally of rows that share these as well."""
    return replace(found, by=side_by_side((*found.by, *side_by_side(keys))))


def whose(about: About, found: Tally, *keys: Any) -> Tally:  # noqa: ANN401 - as in `per`
    """The tally of what these have, named before the rest."""
    return replace(found, by=side_by_side((*side_by_side(keys), *found.by)))


def uncounted(about: About, of: Any) -> Any:  # noqa: ANN401 - a key
    """The key, unless it is a number: "more than two hours" are no two kinds of hours."""
    return None if isinstance(of, Column) and about.kind(of) in NUMBERS else of


def in_total(about: About, found: Tally) -> Tally:
    """The tally, said to be a sum."""
    return replace(found, in_total=True)


def by_day(about: About, found: Tally, day: Expression) -> Tally | None:
    """The tally, its days and months told by that date."""
    return replace(found, day=day) if about.kind(day) == "datetime" and found.day in (None, day) else None


def happening(about: About, found: Tally, day: Any) -> Tally | None:  # noqa: ANN401 - a date, or a word
    """The tally of what happens on that date; a word of the trade says no more than that it happens."""
    return found if not isinstance(day, Column) or day == own_date(about) else by_day(about, found, day)


def overdone(about: About, found: Tally, *keys: Any) -> Tally | None:  # noqa: ANN401 - as in `per`
    """What rows that share the keys must not reach, as what they keep to; "never at most one" is no limit."""
    if found.relation not in (">", ">="):
        return None
    return whose(about, replace(found, relation=OPPOSITE[found.relation]), *keys)


def allowed(about: About, found: Tally, how: str) -> Tally | None:
    """The tally, unless what may be so is no limit: "may have more than one" demands nothing."""
    return found if how == "must" or found.relation in ("<=", "<") else None


def period(about: About, name: str) -> tuple[Expression, ...]:
    """Calendar periods of the row's own date, or of the date that is said elsewhere; of months that are numbers."""
    day = own_date(about)
    if day is not None:
        return by_period(about, day, name) or ()
    parts = (name,) if name in ("date", "year") else ("year", name)
    return tuple(DatePart(part=part, of=_SOME_DAY) for part in parts)


def with_year(about: About, key: Expression) -> Any:  # noqa: ANN401 - the key, or a tuple
    """The key; a month or a week is of its year, where rows tell it."""
    columns = {name.lower(): name for name in about.tables[about.table].columns}
    told = isinstance(key, Column) and key.name.lower() in ("month", "week", "quarter") and "year" in columns
    return (Column(name=columns["year"]), key) if told else key


def agreeing(about: About, found: Tally, of: Any) -> Claim | None:  # noqa: ANN401 - an expression or several
    """Those rows have one and the same value."""
    alike = different(about, of, "<=", Value(value=1))
    return claimed(about, replace(alike, where=found.where, by=found.by)) if alike is not None else None


def unlike(about: About, found: Tally, of: Any) -> Claim | None:  # noqa: ANN401 - an expression or several
    """No two of those rows have the same value."""
    return claimed(about, per(about, found, of)) if of not in found.by else None


def claimed(about: About, found: Tally) -> Claim | None:
    """The limit as a claim on the table's rows."""
    told = _on_its_day(about, found)
    summed = found.statistic == "sum"
    if told is None or not told.by or told.of in told.by or (summed and not (told.in_total or _has_period(told))):
        return None
    if told.relation not in ("<=", "<") and (told.where != EVERY_ROW or _counts_referring(about, told)):
        return None  # who has none at all is no row here
    group = Group(statistic=told.statistic, of=told.of, by=told.by)
    said = compare(about, group, told.relation, told.number)
    if (told.statistic, told.relation, told.number.value) == ("count", "<=", 1):
        said = Unique(by=told.by)
    return Claim(told.where, said) if said is not None else None


def _has_period(found: Tally) -> bool:
    named = {part.name.lower() for part in found.by if isinstance(part, Column)}
    return any(isinstance(part, DatePart) for part in found.by) or bool(named & _PERIODS)


_PERIODS = frozenset(("year", "month", "week", "day", "shift"))


def _on_its_day(about: About, found: Tally) -> Tally | None:
    """The tally by the date that it names, where it was told by the row's own."""
    day, own = found.day, own_date(about) or _SOME_DAY
    if day in (None, own):
        return found
    periods = [part for part in found.by if isinstance(part, DatePart) and part.of in (own, day)]
    by = tuple(part.model_copy(update={"of": day}) if part in periods else part for part in found.by)
    return replace(found, by=by) if periods else None  # who did it once at all may have done other things more often


def _counts_referring(about: About, found: Tally) -> bool:
    if not all(isinstance(part, Column | DatePart) for part in found.by):
        return True
    named = {part.name for part in found.by if isinstance(part, Column)}
    return any(own == about.table and set(join.columns) <= named for own, join in about.joins)
