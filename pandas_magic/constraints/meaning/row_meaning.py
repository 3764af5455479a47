"""What conditions and expressions mean, row by row in plain Python: slow, and meant to be obviously right.

Independent of the pandas code that is rendered from the same tree; the prover and the tests hold the two together.
A condition is True, False or None (unknown), with SQL's logic; a missing value is None.
"""

from collections.abc import Iterable

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
    Moment,
    Now,
    Previous,
    ReadAs,
    Rollup,
    Share,
    Span,
    TextLength,
    Value,
)
from pandas_magic.constraints.algebra.folding import folded
from pandas_magic.constraints.algebra.shapes import cancelling_terms, divided, is_computed, is_rounded, one_by_one
from pandas_magic.constraints.algebra.tree import local_nodes
from pandas_magic.constraints.meaning.plain_rows import Place, Scalar, every_row, key_part, once, said_of
from pandas_magic.constraints.meaning.scalars import (
    arithmetic,
    compare,
    date_part,
    divides,
    has_text,
    length_of_time,
    matches,
    parses,
    point_in_time,
    read_as,
    statistic,
)

Key = tuple[Scalar, ...]


def rows_where(where: Condition | None, place: Place) -> tuple[int, ...]:
    """The positions of the rows in scope in which the condition is true; all of them without one."""
    return tuple(at for at in place.scope if where is None or holds(where, place.at(at)) is True)


def holds(condition: Condition, place: Place) -> bool | None:
    """Whether the condition is true in this row; None when that is unknown."""
    match condition:
        case All(conditions=parts):
            return _every(holds(part, place) for part in parts)
        case Any_(conditions=parts):
            return _opposite(_every(_opposite(holds(part, place)) for part in parts))
        case Not(condition=part):
            return _opposite(holds(part, place))
        case Present(of=of):
            return value(of, place) is not None
        case Compare():
            return _compares(condition, place)
        case Parses(type="integer") if sides := divided(condition.of):
            return divides(value(sides[1], place), value(sides[0], place))
        case OneOf() if is_computed(condition.of):
            return holds(said_of(condition, place, one_by_one), place)
        case Unique():
            return _is_unique(condition, place)
        case Exists():
            return _exists(condition, place)
        case _:
            found = value(condition.of, place)
            return None if found is None else _is_so(condition, found)


def _compares(condition: Compare, place: Place) -> bool | None:
    pair = _pair(condition.left, condition.right, place)
    cancelling, rounded = said_of(condition, place, lambda it: (cancelling_terms(it), is_rounded(it)))
    terms = None if cancelling is None else value(cancelling, place)
    return compare(condition.relation, *pair, within=condition.within, rounded=rounded, terms=terms)


def _every(truths: Iterable[bool | None]) -> bool | None:
    known = set(truths)
    return False if False in known else (None if None in known else True)


def _opposite(truth: bool | None) -> bool | None:
    return None if truth is None else not truth


def _is_so(condition: OneOf | Matches | HasText | Parses, found: Scalar) -> bool:
    match condition:
        case OneOf(values=values):
            return any(_same(found, listed) for listed in values)
        case Matches(pattern=pattern):
            return matches(pattern, found)
        case HasText():
            return has_text(condition, found)
        case Parses(type=kind):
            return parses(kind, found, rounded=is_computed(condition.of))


def _same(found: Scalar, listed: Scalar) -> bool:
    if isinstance(listed, str) and not isinstance(found, str):
        zone = getattr(found, "tzinfo", None)
        return hasattr(found, "normalize") and bool(found == _moment(listed, zone))
    return compare("==", found, listed, within=None, rounded=False) is True


def _moment(iso: str, zone: object) -> Scalar:
    return point_in_time(Moment(iso=iso), zone, None, None)  # type: ignore[arg-type] # a zone of any library


def value(expression: Expression, place: Place) -> Scalar:
    """The expression's value in this row; None when it is missing."""
    match expression:
        case Column(name=name):
            return place.cell(name)
        case Value(value=named):
            return named
        case Moment() | Now():
            return point_in_time(expression, place.zone, place.world.now, place.world.utc_now)
        case Span():
            return length_of_time(expression)
        case Arithmetic(sign=sign, left=left, right=right):
            return arithmetic(sign, *_pair(left, right, place))
        case HowMany(conditions=conditions):
            return sum(holds(condition, place) is True for condition in conditions)
        case Absolute() | TextLength() | Folded() | DatePart():
            found = value(expression.of, place)
            return None if found is None else _derived(expression, found)
        case ReadAs(of=of, type=kind):
            found = value(of, place)
            return None if found is None else read_as(kind, str(found))
        case _:
            return _from_other_rows(expression, place)


def _derived(expression: Absolute | TextLength | Folded | DatePart, found: Scalar) -> Scalar:
    match expression:
        case Absolute():
            return abs(found)
        case DatePart():
            return date_part(expression, found)
        case TextLength():
            return len(found) if isinstance(found, str) else None
        case Folded(fold=fold):
            return folded(found, fold) if isinstance(found, str) else None


def _pair(left: Expression, right: Expression, place: Place) -> tuple[Scalar, Scalar]:
    """Both values, a bare date on one side being read in the time zone of the other side."""
    if said_of(left, place, _takes_zone) and not said_of(right, place, _takes_zone):
        other = value(right, place)
        return value(left, _in_zone_of(other, place)), other
    other = value(left, place)
    return other, value(right, _in_zone_of(other, place))


def _takes_zone(expression: Expression) -> bool:
    parts = tuple(local_nodes(expression))
    named = any(isinstance(part, (Moment, Now)) for part in parts)
    return named and not any(isinstance(part, Column) for part in parts)


def _in_zone_of(found: Scalar, place: Place) -> Place:
    zone = getattr(found, "tzinfo", None)
    return place if zone is None else Place(place.world, place.table, place.scope, place.position, zone)


def _from_other_rows(expression: Lookup | Rollup | Group | Previous | Aggregate | Share, place: Place) -> Scalar:
    match expression:
        case Lookup(join=join, of=of):
            matched = _matching(join, place)
            return value(of, place.across(join.table).at(matched[0])) if matched else None
        case Rollup(join=join):
            return _statistic(expression, place.across(join.table), _matching(join, place))
        case Aggregate(table=table):
            return _statistic(expression, place.across(table), every_row(place.world, table))
        case Group(by=by):
            members = _by_key(id(expression), by, place)
            mine = _key(by, place)
            # The rows of one group share their statistic, so it is worked out once for each group.
            memo = once(("statistic", id(expression)), place, dict)
            if mine is not None and mine not in memo:
                memo[mine] = _statistic(expression, place, members.get(mine, ()))
            return None if mine is None else memo[mine]
        case Previous():
            return _previous(expression, place)
        case Share(table=table, condition=condition, where=where):
            there = place.across(table)
            rows = rows_where(where, there)
            return sum(holds(condition, there.at(row)) is True for row in rows) / len(rows) if rows else None


def _statistic(of: Rollup | Group | Aggregate, place: Place, rows: Iterable[int]) -> Scalar:
    chosen = [row for row in rows if of.where is None or holds(of.where, place.at(row)) is True]
    if of.of is None:
        return len(chosen)
    found = [value(of.of, place.at(row)) for row in chosen]
    return statistic(of.statistic, [each for each in found if each is not None], of.quantile)


def _key(by: Iterable[Expression], place: Place) -> Key | None:
    key = tuple(key_part(value(part, place)) for part in by)
    return None if None in key else key


def _by_key(name: object, by: tuple[Expression, ...], place: Place) -> dict[Key, list[int]]:
    """The rows in scope by their values of `by`; a row with a missing one is in no group."""

    def sort_out() -> dict[Key, list[int]]:
        groups: dict[Key, list[int]] = {}
        for row in place.scope:
            key = _key(by, place.at(row))
            if key is not None:
                groups.setdefault(key, []).append(row)
        return groups

    return once(("groups", name), place, sort_out)  # type: ignore[no-any-return] # what it was given


def _matching(join: Join, place: Place) -> list[int]:
    key = tuple(key_part(place.cell(column)) for column in join.columns)
    keys = tuple(Column(name=name) for name in join.keys)
    return [] if None in key else _by_key((join.table, join.keys), keys, place.across(join.table)).get(key, [])


def _is_unique(unique: Unique, place: Place) -> bool | None:
    def count() -> dict[Key, int]:
        counted: dict[Key, int] = {}
        for row in place.scope:
            key = tuple(value(part, place.at(row)) for part in unique.by)
            counted[key] = counted.get(key, 0) + 1
        return counted

    mine = tuple(value(part, place) for part in unique.by)
    if None in mine and not unique.missing_equal:
        return None
    counted: dict[Key, int] = once(("unique", id(unique)), place, count)
    return counted[mine] == 1


def _exists(exists: Exists, place: Place) -> bool | None:
    mine = _key(exists.of, place)

    def keys_there() -> set[Key]:
        there = place.across(exists.table)
        rows = [there.at(row) for row in rows_where(exists.where, there)]
        return {tuple(key_part(row.cell(key)) for key in exists.keys) for row in rows}

    known: set[Key] = once(("exists", id(exists)), place, keys_there)
    return None if mine is None else mine in known


def _previous(previous: Previous, place: Place) -> Scalar:
    def line_up() -> dict[int, int]:
        before: dict[int, int] = {}
        for rows in _by_key(id(previous), previous.by, place).values():
            ordered = rows if previous.order is None else _ordered(previous.order, rows, place)
            before.update(zip(ordered[1:], ordered, strict=False))
        return before

    before: dict[int, int] = once(("previous", id(previous)), place, line_up)
    return value(previous.of, place.at(before[place.position])) if place.position in before else None


def _ordered(order: Expression, rows: Iterable[int], place: Place) -> list[int]:
    placed = [(value(order, place.at(row)), row) for row in rows]
    return [row for _, row in sorted(pair for pair in placed if pair[0] is not None)]
