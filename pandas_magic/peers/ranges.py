"""Comparisons, ranges, tolerances and lists as peers state them, as conditions."""

import re
from decimal import Decimal, InvalidOperation
from typing import Any, cast

from pandas_magic.constraints import All, Compare, Condition, Expression, Moment, OneOf, Value
from pandas_magic.constraints.algebra.conditions import Relation
from pandas_magic.peers.rule_parts import scalars
from pandas_magic.peers.transfers import CannotRead

# Parts of a date that all peers number alike.
DATE_PARTS = frozenset({"year", "quarter", "month", "day", "hour", "minute"})
_ISO = re.compile(r"\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?)?")


def moment_of(text: str) -> Moment | None:
    """The moment when the text is a date in ISO form, with or without a time, else None."""
    return Moment(iso=text.replace(" ", "T")) if _ISO.fullmatch(text) else None


def related(left: Expression, relation: Relation, right: Expression) -> Compare:
    """The comparison, a literal on its right; texts that are dates are moments where an order is asked for."""
    if _is_literal(left) and not _is_literal(right):
        left, right = right, left
        relation = cast(Relation, relation.translate(str.maketrans("<>", "><")))
    if relation not in ("==", "!=") and isinstance(right, Value) and isinstance(right.value, str):
        right = moment_of(right.value) or right
    return Compare(relation=relation, left=left, right=right)


def _is_literal(expression: Expression) -> bool:
    return isinstance(expression, (Value, Moment))


def within_limits(
    of: Expression, low: object, high: object, *, low_open: bool = False, high_open: bool = False
) -> Condition:
    """The range between the limits; None is an open side.

    Raises: CannotRead without any limit, and for limits that are no numbers and no moments.
    """
    parts: list[Condition] = []
    for limit, relation in ((low, ">" if low_open else ">="), (high, "<" if high_open else "<=")):
        if limit is not None:
            parts.append(compared(of, relation, limit))
    if not parts:
        raise CannotRead("it has no limit, so nothing can break it")
    return parts[0] if len(parts) == 1 else All(conditions=tuple(parts))


def compared(of: Expression, relation: Any, limit: object) -> Compare:  # noqa: ANN401 - one of the six relations
    """The comparison with a literal; texts that are dates are moments where an order is asked for."""
    known: Relation = relation
    return Compare(relation=known, left=of, right=_literal(limit, ordered=relation not in ("==", "!=")))


def _literal(limit: object, *, ordered: bool) -> Value | Moment:
    if isinstance(limit, (bool, int, float)):
        return Value(value=limit)
    text = limit.isoformat() if hasattr(limit, "isoformat") else limit
    if not isinstance(text, str):
        raise CannotRead(f"{limit!r} is no number, text or date to compare with")
    moment = moment_of(text) if ordered or text is not limit else None
    if moment is not None:
        return moment
    if ordered:
        raise CannotRead(f"{limit!r} is neither a number nor a date such as 2026-01-31 to compare with")
    return Value(value=text)


def one_of(of: Expression, values: object) -> Condition:
    """The value is among those listed; a list of one is an equality."""
    found = scalars(values)
    return (
        OneOf(of=of, values=found) if len(found) > 1 else Compare(relation="==", left=of, right=Value(value=found[0]))
    )


def rest_of(share: object) -> float:
    """What is left of the share of 1 that must hold: 0.95 tolerates 0.05.

    Raises: CannotRead for anything but a number from 0 to 1.
    """
    try:
        found = Decimal(str(share))
    except InvalidOperation as error:
        raise CannotRead(f"{share!r} is no share between 0 and 1") from error
    if isinstance(share, bool) or not 0 <= found <= 1:
        raise CannotRead(f"{share!r} is no share between 0 and 1")
    return float(1 - found)
