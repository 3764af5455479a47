"""Expressions in canonical words: "amount - discount", "the sum of total in orders by user_id"."""

import pandas_magic.planner.language.canonical.conditions as conditions
from pandas_magic.constraints.algebra.conditions import Condition
from pandas_magic.constraints.algebra.expressions import (
    Absolute,
    Aggregate,
    Arithmetic,
    Column,
    DatePart,
    Expression,
    Folded,
    Group,
    HowMany,
    Join,
    Lookup,
    Previous,
    ReadAs,
    Rollup,
    Share,
    TextLength,
)
from pandas_magic.planner.language.canonical.words import CanonicalText, NotCanonical

_PARTS = {part: part for part in ("date", "year", "quarter", "month", "week", "weekday", "day", "hour", "minute")}
_PARTS["time of day"] = "time"
_READ = {"a date": "date", "a number": "number", "a time of day": "time"}
_STATISTICS = {
    "count of": "count",
    "sum of": "sum",
    "mean of": "mean",
    "median of": "median",
    "minimum of": "min",
    "maximum of": "max",
    "standard deviation of": "std",
    "distinct count of": "distinct",
}


def expression(words: CanonicalText) -> Expression:
    """The expression that comes next."""
    found = _sum(words)
    for said, fold in (("ignoring case", "case"), ("ignoring outer spaces", "space")):
        if words.eats(said):
            return Folded(of=found, fold=fold)
    for said, kind in _READ.items():
        if words.eats(f"read as {said}"):
            return ReadAs(of=found, type=kind)
    return found


def tight(words: CanonicalText) -> Expression:
    """A name, a literal, or an expression in parentheses."""
    if words.sees("("):
        return words.in_brackets(expression)
    constant = words.constant()
    return Column(name=words.name()) if constant is None else constant


def _inner(words: CanonicalText) -> Expression:
    """What a length, a part of a date or a statistic is of; the whole of "the absolute value of the x - y" is not."""
    return _phrase(words) if words.nearly and words.eats("the") else tight(words)


def _sum(words: CanonicalText) -> Expression:
    left = _product(words)
    while words.sees("+") or words.sees("-"):
        sign = words.match(r"[+-](?=\s)" if words.nearly else r"[+-]")  # 2024-01 and 10-20 are no differences
        left = Arithmetic(sign=sign, left=left, right=_product(words))
    return left


def _product(words: CanonicalText) -> Expression:
    left = _atom(words)
    while words.sees("*") or words.sees("/"):
        sign = words.match(r"[*/]")
        left = Arithmetic(sign=sign, left=left, right=_atom(words))
    return left


def _atom(words: CanonicalText) -> Expression:
    return _phrase(words) if words.eats("the") else tight(words)


def _phrase(words: CanonicalText) -> Expression:
    if words.eats("absolute value of"):
        return Absolute(of=tight(words))
    if words.eats("length of"):
        return TextLength(of=_inner(words))
    if words.eats("number of true ones among"):
        return _how_many(words)
    if words.eats("share of rows in"):
        return _share(words)
    if words.eats("previous"):
        return _previous(words)
    for said, part in _PARTS.items():
        if words.eats(f"{said} of"):
            return DatePart(part=part, of=_inner(words))
    return _statistic(words) or _lookup(words)


def _how_many(words: CanonicalText) -> HowMany:
    return HowMany(conditions=words.in_brackets(lambda words: words.listed(conditions.condition, ";")))


def _share(words: CanonicalText) -> Share:
    table = words.name()
    where = where_of(words)
    words.expect("with")
    return Share(table=table, condition=words.in_brackets(conditions.condition), where=where)


def _previous(words: CanonicalText) -> Previous:
    of = tight(words)
    order = tight(words) if words.eats("in order of") else None
    return Previous(of=of, order=order, by=listed(words) if words.eats("per") else ())


def listed(words: CanonicalText) -> tuple[Expression, ...]:
    """One tight expression, or several in parentheses."""
    return words.in_brackets(lambda words: words.listed(expression)) if words.sees("(") else (tight(words),)


def where_of(words: CanonicalText) -> Condition | None:
    """The condition in "(where …)", or None when there is none."""
    if words.nearly and words.eats("where"):
        found = conditions.condition(words)
        if not (words.sees("by") or words.sees("per")):
            raise NotCanonical("where the condition ends is not said")
        return found
    return words.in_brackets(conditions.condition, "(where") if words.sees("(where") else None


def _statistic(words: CanonicalText) -> Expression | None:
    name, of, quantile = "count", None, None
    if not words.eats("number of rows"):
        said = next((phrase for phrase in _STATISTICS if words.eats(phrase)), None)
        if said is not None:
            name = _STATISTICS[said]
        else:
            before = words.at
            try:
                quantile, name = float(words.match(r"[\d.e-]+")), "quantile"
                words.expect("quantile of")
            except (NotCanonical, ValueError):
                words.at = before
                return None
        of = _inner(words)
    shared = {"statistic": name, "of": of, "quantile": quantile}
    if words.eats("in"):
        table = words.name()
        where = where_of(words)
        if words.eats("by"):
            return Rollup(join=_join(words, table), where=where, **shared)
        return Aggregate(table=table, where=where, **shared)
    where = where_of(words)
    if words.eats("over all rows"):
        return Group(where=where, **shared)
    words.expect("per")
    return Group(by=listed(words), where=where, **shared)


def _lookup(words: CanonicalText) -> Lookup:
    of = tight(words)
    words.expect("of")
    table = words.name()
    words.expect("by")
    if words.nearly and (words.sees("the") or words.sees("(the")):
        return _by_the_way(of, table, _inner(words))
    return Lookup(join=_join(words, table), of=of)


def _by_the_way(of: Expression, table: str, way: Expression) -> Lookup:
    """What "the rate of groups by the group_id of types by type_id" means."""
    if not (isinstance(way, Lookup) and isinstance(way.of, Column)):
        raise NotCanonical("a key that is no column of another table")
    there = Lookup(join=Join(columns=(way.of.name,), table=table, keys=(way.of.name,)), of=of)
    return Lookup(join=way.join, of=there)


def _join(words: CanonicalText, table: str) -> Join:
    pairs = words.one_or_several(_pair)
    return Join(columns=tuple(here for here, _ in pairs), table=table, keys=tuple(there for _, there in pairs))


def _pair(words: CanonicalText) -> tuple[str, str]:
    here = words.name()
    return (here, words.name()) if words.eats("=") else (here, here)
