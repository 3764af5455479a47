"""A whole rule in canonical words, and how what it says of missing values and of violations is put."""

from decimal import Decimal

from pandas_magic.constraints.algebra.rules import ColumnsRule, Constraint, RowRule, TableRule, Tolerance
from pandas_magic.constraints.algebra.spelling import name_words
from pandas_magic.constraints.algebra.words import condition_words, demand_words


def describe(constraint: Constraint) -> str:
    """The rule in canonical words, such as "orders where status is 'paid': quantity must be between 1 and 100".

    The words are unambiguous: the rule compiler reads them back as the same constraint.

    >>> from pandas_magic.constraints import Column, Compare, Present, RowRule, Value
    >>> paid = Compare(left=Column(name="status"), relation="==", right=Value(value="paid"))
    >>> describe(RowRule(table="orders", where=paid, must=Present(of=Column(name="paid_at"))))
    "orders where status is 'paid': paid_at must be present"
    """
    match constraint:
        case RowRule(table=table, where=where, must=must, tolerance=tolerance):
            scope = f" where {condition_words(where)}" if where is not None else ""
            return f"{name_words(table)}{scope}: {demand_words(must)}{_tolerance_words(tolerance)}"
        case TableRule(table=table, must=must):
            return f"{name_words(table)} as a whole: {demand_words(must)}"
        case ColumnsRule(table=table):
            return f"columns of {name_words(table)}: {'; '.join(_column_demands(constraint))}"
    raise TypeError(f"no words for a {type(constraint).__name__}")


def _tolerance_words(tolerance: Tolerance | None) -> str:
    if tolerance is None:
        return ""
    limits = []
    if tolerance.max_rows is not None:
        limits.append(f"at most {tolerance.max_rows} row{'' if tolerance.max_rows == 1 else 's'}")
    if tolerance.max_share is not None:
        limits.append(f"at most {percent(tolerance.max_share)} of rows")
    return f"; {' and '.join(limits)} may break this" if limits else ""


def percent(share: float) -> str:
    """The share as an exact decimal percentage: 0.015 is "1.5 %"."""
    exact = (Decimal(repr(share)) * 100).normalize()
    return f"{exact:f} %"


def _column_demands(rule: ColumnsRule) -> list[str]:
    demands = []
    if rule.required:
        demands.append(f"must have {', '.join(map(name_words, rule.required))}")
    if rule.forbidden:
        demands.append(f"must not have {', '.join(map(name_words, rule.forbidden))}")
    if rule.only:
        demands.append("must have no others")
    if rule.ordered:
        demands.append("must stand in this order")
    return demands + [f"{name_words(column)} must be {kind}" for column, kind in rule.types.items()]
