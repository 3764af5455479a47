"""The canonical words read back: what `constraints.describe` says becomes the same constraint again.

These words are unambiguous, so that one look ahead decides, except after an opening parenthesis, where the ways are
tried one after another.
"""

from collections.abc import Callable
from decimal import Decimal
from typing import Any, TypeVar

from pandas_magic.constraints.algebra.conditions import Condition
from pandas_magic.constraints.algebra.expressions import Expression
from pandas_magic.constraints.algebra.rules import ColumnsRule, Constraint, RowRule, TableRule, Tolerance
from pandas_magic.planner.language.canonical.conditions import condition, demand
from pandas_magic.planner.language.canonical.expressions import expression
from pandas_magic.planner.language.canonical.words import CanonicalText, NotCanonical

_T = TypeVar("_T")


def read_canonical(text: str, *, nearly: bool = False) -> Constraint | None:
    """The constraint that the canonical words describe, or None when these are other words.

    With `nearly` as a model says it, or a person who has seen some: in forms that `CanonicalText` tells.
    """
    ways: tuple[Callable[[CanonicalText], Constraint], ...] = (_row_rule, _table_rule, _columns_rule)
    return next((found for way in ways if (found := _read(way, text, nearly=nearly)) is not None), None)


def read_condition(text: str) -> Condition | None:
    """The statement that the canonical words make, or None when these are other words."""
    return _read(condition, text)


def read_expression(text: str) -> Expression | None:
    """The expression that the canonical words describe, or None when these are other words."""
    return _read(expression, text)


def _read(read: Callable[[CanonicalText], _T], text: str, *, nearly: bool = False) -> _T | None:
    words = CanonicalText(text.strip(), nearly=nearly)
    try:
        found = read(words)
        words.end()
    except (NotCanonical, ValueError, RecursionError):
        return None
    return found


def _row_rule(words: CanonicalText) -> RowRule:
    table = words.name()
    where: Condition | None = None
    if words.eats("where"):
        where = condition(words)
    words.expect(":")
    return RowRule(table=table, where=where, must=demand(words), tolerance=_tolerance(words))


def _tolerance(words: CanonicalText) -> Tolerance | None:
    if not words.eats(";"):
        return None
    limits: dict[str, Any] = {}
    for _ in range(2):
        words.expect("at most")
        number = words.match(r"\d+(?:\.\d+)?")
        if words.eats("%"):
            words.expect("of rows")
            limits["max_share"] = float(Decimal(number) / 100)
        else:
            words.expect("rows" if words.sees("rows") else "row")
            limits["max_rows"] = int(number)
        if not words.eats("and"):
            break
    words.expect("may break this")
    return Tolerance(**limits)


def _table_rule(words: CanonicalText) -> TableRule:
    table = words.name()
    words.expect("as a whole")
    words.expect(":")
    return TableRule(table=table, must=demand(words))


def _columns_rule(words: CanonicalText) -> ColumnsRule:
    words.expect("columns of")
    table = words.name()
    words.expect(":")
    clauses: dict[str, Any] = {"types": {}}
    while True:
        _column_clause(words, clauses)
        if not words.eats(";"):
            return ColumnsRule(table=table, **clauses)


def _column_clause(words: CanonicalText, clauses: dict[str, Any]) -> None:
    if words.eats("must have no others"):
        clauses["only"] = True
    elif words.eats("must stand in this order"):
        clauses["ordered"] = True
    elif words.eats("must have"):
        clauses["required"] = words.listed(CanonicalText.name)
    elif words.eats("must not have"):
        clauses["forbidden"] = words.listed(CanonicalText.name)
    else:
        column = words.name()
        words.expect("must be")
        clauses["types"][column] = words.match(r"integer|number|text|boolean|datetime")
