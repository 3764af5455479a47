"""Rules, columns and lists made of the plain values in a peer's file, or refused."""

from collections.abc import Iterable, Mapping, Sequence

from pandas_magic.constraints import All, Column, Condition, Expression, Present, RowRule, Tolerance
from pandas_magic.peers.transfers import CannotRead


def row_rule(
    table: str, must: Condition, where: Condition | None = None, tolerance: Tolerance | None = None
) -> RowRule:
    """A rule about rows."""
    return RowRule(table=table, where=where, must=must, tolerance=tolerance)


def judged_where_present(table: str, of: Sequence[Expression], rule: RowRule, max_share: float) -> RowRule:
    """The rule about rows in which the columns have a value, which are those whose share a peer counts."""
    present = tuple(Present(of=one) for one in of)
    known = () if rule.where is None else (rule.where,)
    scope = (*known, *present)
    where = scope[0] if len(scope) == 1 else All(conditions=scope)
    return row_rule(table, rule.must, where, Tolerance(max_share=max_share))


def column(name: object) -> Column:
    """The column. Raises: CannotRead when the name is no text."""
    if not isinstance(name, str) or not name:
        raise CannotRead(f"{name!r} is no column's name")
    return Column(name=name)


def scalars(values: object) -> tuple[bool | int | float | str, ...]:
    """The values of a list. Raises: CannotRead for anything but a list of texts, numbers and truth values."""
    if not isinstance(values, (list, tuple)) or not values:
        raise CannotRead(f"{values!r} is no list of values")
    found = tuple(value for value in values if isinstance(value, (bool, int, float, str)))
    if len(found) != len(values):
        raise CannotRead("its list holds something that is no text, number or truth value")
    return found


def refuse_unknown(given: Mapping[str, object], known: Iterable[str], what: str) -> None:
    """Nothing when all arguments are known. Raises: CannotRead naming the others, which could change the meaning."""
    unknown = sorted(set(given) - set(known))
    if unknown:
        raise CannotRead(f"{what} has {', '.join(unknown)}, which is not understood")
