"""Which types fit together in a comparison, a sum, a list, a key, a statistic; each misfit in words."""

import datetime
from collections.abc import Iterator

from pandas_magic.constraints.algebra.conditions import Compare, OneOf
from pandas_magic.constraints.algebra.expressions import (
    Aggregate,
    Arithmetic,
    Expression,
    Group,
    Moment,
    Rollup,
    Span,
)
from pandas_magic.constraints.algebra.words import condition_words, expression_words
from pandas_magic.constraints.types.value_types import ANY_ZONE, ValueType, kind_words, literal_type

_NUMBERS = ("integer", "number")
_OWN_ORDER = "its categories have an order of their own, which a rule does not know; give them as numbers, or as texts"
_SUMMABLE = ("integer", "number", "duration", "boolean", "mixed")


def compare_misfit(compare: Compare, left: ValueType, right: ValueType) -> Iterator[str]:
    """Why the two sides cannot be compared."""
    words = f'"{condition_words(compare)}"'
    if not _comparable(left, right):
        hint = "; read it as a date first" if {left.kind, right.kind} == {"text", "datetime"} else ""
        yield f"{words} compares {kind_words(left)} with {kind_words(right)}{hint}"
    elif left.kind == right.kind == "datetime":
        yield from _zone_misfit(words, left, right)
    elif "boolean" in (left.kind, right.kind) and compare.relation not in ("==", "!="):
        yield f"{words} puts true and false in an order"
    elif (left.is_ordered or right.is_ordered) and compare.relation not in ("==", "!="):
        yield f"{words}: {_OWN_ORDER}"
    if compare.within is not None:
        if not all(side.kind in (*_NUMBERS, "mixed") for side in (left, right)):
            yield f"{words}: a tolerance needs numbers on both sides"
        if compare.relation not in ("==", "!=") or compare.within < 0:
            yield f"{words}: a tolerance of 0 or more goes with equality only"
    for side, other in ((compare.left, right), (compare.right, left)):
        if isinstance(side, Span) and side.unit in ("months", "years") and other.kind == "duration":
            yield f"{words}: {expression_words(side)} have no fixed length; compare dates, or say it in days"


def _comparable(left: ValueType, right: ValueType) -> bool:
    if "mixed" in (left.kind, right.kind):
        return True
    return left.kind == right.kind or (left.is_number and right.is_number)


def _zone_misfit(words: str, left: ValueType, right: ValueType) -> Iterator[str]:
    if ANY_ZONE in (left.zone, right.zone):
        return
    naive_literal = any(side.literal and side.zone is None for side in (left, right))
    if (left.zone is None) != (right.zone is None) and not naive_literal:
        yield f"{words} compares a moment with a time zone with one without; convert one of them"


def arithmetic_misfit(expression: Arithmetic, sign: str, left: ValueType, right: ValueType) -> Iterator[str]:
    """Why the two operands cannot be combined."""
    kinds = (left.kind, right.kind)
    numeric = all(kind in (*_NUMBERS, "mixed") for kind in kinds)
    dates = (kinds == ("datetime", "datetime") and sign == "-") or (kinds == ("datetime", "duration") and sign in "+-")
    lengths = (kinds == ("duration", "duration") and sign in "+-/") or (
        left.kind == "duration" and right.is_number and sign in "*/"
    )
    swapped = (kinds == ("duration", "datetime") and sign == "+") or (
        left.is_number and right.kind == "duration" and sign == "*"
    )
    words = f'"{expression_words(expression)}"'
    if not (numeric or dates or lengths or swapped):
        yield f"{words} combines {kind_words(left)} with {kind_words(right)}"
    elif kinds == ("datetime", "datetime"):
        yield from _zone_misfit(words, left, right)


def list_misfit(condition: OneOf, found: ValueType) -> Iterator[str]:
    """Why the values listed cannot be values of the column."""
    words = expression_words(condition.of)
    if not condition.values:
        yield f"the list of values for {words} is empty"
    kinds = {_listed_kind(value) for value in condition.values}
    if len(kinds) > 1:
        yield f"the values listed for {words} are not of one type: {', '.join(sorted(kinds))}"
    wanted = {"integer": "number", "datetime": "text", "mixed": next(iter(kinds), "")}.get(found.kind, found.kind)
    if len(kinds) == 1 and wanted not in kinds:
        yield f"{words} is {kind_words(found)}, but its list holds {' '.join(kinds)} values"
    if found.kind == "datetime" and kinds == {"text"}:
        for moment in (Moment(iso=str(value)) for value in condition.values):
            yield from moment_misfit(moment)
            yield from _zone_misfit(f"the list of values for {words}", found, literal_type(moment))
    if any(isinstance(value, float) and value != value for value in condition.values):
        yield f"the list of values for {words} holds NaN, which no value equals"


def _listed_kind(value: bool | int | float | str) -> str:
    if isinstance(value, bool):
        return "boolean"
    return "text" if isinstance(value, str) else "number"


def moment_misfit(moment: Moment) -> Iterator[str]:
    """Why the text is no date."""
    try:
        datetime.datetime.fromisoformat(moment.iso)
    except ValueError:
        yield f"{moment.iso!r} is not a date in the form 2026-01-31 or 2026-01-31T10:00"


def key_misfit(mine: str, found: ValueType, theirs: str, there: ValueType) -> Iterator[str]:
    """Why values of the one column can never be found in the other."""
    sorts = [_key_sort(side) for side in (found, there)]
    if sorts == ["number", "number"] and {_exactness(found), _exactness(there)} == {"decimal", "fraction"}:
        types = f"{mine} is {kind_words(found)} and {theirs} is {kind_words(there)}"
        yield f"{types}; give both as decimals, or both as floats"
    if sorts[0] != sorts[1]:
        yield f"{mine} is {kind_words(found)} and {theirs} is {kind_words(there)}; they would never match"


def _exactness(found: ValueType) -> str:
    return "whole" if found.kind == "integer" else "decimal" if found.is_decimal else "fraction"


def _key_sort(found: ValueType) -> str:
    if found.is_number:
        return "number"
    if found.kind == "datetime":
        return "datetime" if found.zone is None else "zoned datetime"
    # A column of no one type may hold texts.
    return "text" if found.kind == "mixed" else found.kind


def order_misfit(order: Expression, found: ValueType) -> Iterator[str]:
    """Why rows cannot be put in the order of the values."""
    if found.is_ordered:
        yield f"the order of {expression_words(order)}: {_OWN_ORDER}"


def statistic_misfit(node: Rollup | Group | Aggregate, found: ValueType) -> Iterator[str]:
    """Why the statistic cannot be taken of the values."""
    if node.statistic in ("count", "distinct"):
        return
    allowed = (*_SUMMABLE, "datetime", "text") if node.statistic in ("min", "max") else _SUMMABLE
    if found.is_ordered and node.statistic in ("min", "max"):
        yield f'"{expression_words(node)}": {_OWN_ORDER}'
    if found.kind not in allowed:
        yield f'"{expression_words(node)}" needs numbers, but it is {kind_words(found)}'
