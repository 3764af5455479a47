"""How far one number may be from another: "3 % above the cost", "within 0.01 of the sum", "10 % to 20 % of it"."""

from collections.abc import Iterator

from pandas_magic.constraints.conditions import Condition, Relation
from pandas_magic.constraints.expressions import (
    Arithmetic,
    Expression,
    Value,
)
from pandas_magic.planner.rules import arithmetic, comparisons, phrases
from pandas_magic.planner.rules.chart import Parse, Position, rule
from pandas_magic.planner.rules.meaning import compare, kind_of_expression
from pandas_magic.planner.rules.values import number, percentage

Found = Iterator[tuple[Position, Condition]]

_MIRRORED: dict[Relation, Relation] = {"<": ">", ">": "<", "<=": ">=", ">=": "<="}


def by_a_margin(p: Parse, i: Position, table: str, x: Expression) -> Found:
    """Like "at least 3 % above the cost", "no more than 20 percent below the list price"."""
    if kind_of_expression(p.schema, table, x) not in ("integer", "number"):
        return
    sides = (("above|higher than|more than|over|greater than|larger than", 1), ("below|lower than|less than|under", -1))
    for relation, said in comparisons.RELATIONS[:4]:
        for middle, share in p.seq(i, said, percentage):
            for words_between, sign in sides:
                for end, (other,) in p.seq(middle, words_between, lambda p, i: arithmetic.expression(p, i, table)):
                    if kind_of_expression(p.schema, table, other) in ("integer", "number") and other != x:
                        factor = Value(value=round(1 + sign * share[0], 10))
                        mirrored: Relation = relation if sign > 0 else _MIRRORED[relation]
                        limit = Arithmetic(sign="*", left=other, right=factor)
                        found = compare(p.schema, table, x, mirrored, limit)
                        if found is not None:
                            yield p.note(i, end, f"{mirrored} {factor.value} times the other"), found


@rule
def tolerated(p: Parse, i: Position) -> Iterator[tuple[Position, float]]:
    """How far apart two equal numbers may be: "within 0.01", "± 1", "(tolerance 0.5)"."""
    for end, (found,) in p.seq(i, "?,", phrases.TOLERANCE, number):
        if not _followed_by_unit(p, end):
            yield p.note(i, end, f"equal up to {found}"), float(found)
            for last, scale in money_behind(p, end):
                yield p.note(i, last, f"equal up to {found * scale}"), round(found * scale, 6)
                yield from ((after, round(found * scale, 6)) for after in p.phrase(last, phrases.BE_FINE))
            yield from ((last, float(found)) for last in p.phrase(end, phrases.BE_FINE))
            yield from ((last, float(found)) for last in p.phrase(end, "of each other|tolerance|difference|deviation"))
    for end, (found,) in p.seq(i, "(", phrases.TOLERANCE, number, ")"):
        yield p.note(i, end, f"equal up to {found}"), float(found)


def money_behind(p: Parse, i: Position) -> Iterator[tuple[Position, float]]:
    """The unit of money that stands there, as a part of the main one: a cent is 0.01."""
    yield from ((end, 1.0) for end in p.phrase(i, "euro|euros|eur|dollar|dollars|usd|pound|pounds|€|$|£|gbp|chf"))
    yield from ((end, 0.01) for end in p.phrase(i, "cent|cents|penny|pence|ct|cts"))


def _followed_by_unit(p: Parse, i: Position) -> bool:
    token = p.at(i)
    return token is not None and (token.text == "%" or token.low in ("percent", "per"))


def shares_of(p: Parse, i: Position, table: str, x: Expression) -> Found:
    """Like "10 % and 20 % of the net amount"."""
    for end, (low, high, of) in p.seq(
        i, percentage, "and|to", percentage, "of", lambda p, i: arithmetic.expression(p, i, table)
    ):
        if kind_of_expression(p.schema, table, of) in ("integer", "number") and low < high:
            first, second = (Arithmetic(sign="*", left=of, right=Value(value=share)) for share in (low, high))
            yield from comparisons.in_range(p, i, end, table, x, first, second, strict=False)


def symmetric_tolerance(p: Parse, i: Position, table: str, x: Expression) -> Found:
    """Within 0.01 of the sum: equal up to a tolerance."""
    for end, (tolerance, right) in p.seq(
        i,
        "within|not more than|no more than|at most",
        number,
        "of|from|away from|off",
        lambda p, i: arithmetic.expression(p, i, table),
    ):
        found = compare(p.schema, table, x, "==", right, within=float(tolerance))
        if found and kind_of_expression(p.schema, table, x) in ("integer", "number"):
            yield p.note(i, end, f"equal up to {tolerance}"), found
