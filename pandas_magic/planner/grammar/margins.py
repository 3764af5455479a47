"""How far one number may be from another: "3 % above the cost", "within 0.01 of the sum", "10 % to 20 % of it"."""

from collections.abc import Iterator
from dataclasses import dataclass

from pandas_magic.constraints.algebra.conditions import MIRRORED, Compare, Condition, Relation
from pandas_magic.constraints.algebra.expressions import Absolute, Arithmetic, Expression, Value
from pandas_magic.planner.grammar import arithmetic, comparisons, nouns, phrases
from pandas_magic.planner.grammar import lexicon as words
from pandas_magic.planner.grammar.chart import Parse, Position, rule
from pandas_magic.planner.grammar.meaning import compare, kind_of_expression
from pandas_magic.planner.grammar.measures import measured
from pandas_magic.planner.grammar.values import number, percentage

Found = Iterator[tuple[Position, Condition]]

_NUMERIC = ("integer", "number")


def by_a_margin(p: Parse, i: Position, table: str, x: Expression) -> Found:
    """Like "at least 3 % above the cost", "no more than 20 percent below the list price"."""
    if kind_of_expression(p.schema, table, x) not in _NUMERIC:
        return
    sides = (("above|higher than|more than|over|greater than|larger than", 1), ("below|lower than|less than|under", -1))
    for relation, said in comparisons.RELATIONS[:4]:
        for middle, share in p.seq(i, said, percentage):
            for words_between, sign in sides:
                for end, (other,) in p.seq(middle, words_between, lambda p, i: arithmetic.expression(p, i, table)):
                    if kind_of_expression(p.schema, table, other) in _NUMERIC and other != x:
                        factor = Value(value=round(1 + sign * share[0], 10))
                        mirrored: Relation = relation if sign > 0 else MIRRORED[relation]
                        limit = Arithmetic(sign="*", left=other, right=factor)
                        found = compare(p.schema, table, x, mirrored, limit)
                        if found is not None:
                            yield p.note(i, end, f"{mirrored} {factor.value} times the other"), found


def apart_by(p: Parse, i: Position, table: str, x: Expression) -> Found:
    """Like "deviate from the list price by more than 10", "differ by at most 5 percent from the list price"."""
    if kind_of_expression(p.schema, table, x) not in _NUMERIC:
        return
    for middle, other in ((m, o) for s in p.phrase(i, phrases.DEVIATE) for m, o in _another_number(p, s, table, x)):
        for relation, said in comparisons.RELATIONS[:4]:
            for start in p.seq_ends(middle, "by", said):
                for end, limit in _limits(p, start, table, x):
                    yield p.note(start, end, f"of {said}"), _apart(x, other, relation, limit)
        for end, limit in _by_at_most(p, middle, table, x):
            yield end, _apart(x, other, "<=", limit)
    yield from _apart_by_so_much(p, i, table, x)


def _apart_by_so_much(p: Parse, i: Position, table: str, x: Expression) -> Found:
    """Like "differ by at most 5 percent from the list price"."""
    for relation, said in comparisons.RELATIONS[:4]:
        for start in p.seq_ends(i, "differ by|deviate by|be off by|diverge by|vary by", said):
            for middle, limit in _limits(p, start, table, x):
                for end, (other,) in p.seq(
                    middle, "from|off|compared to|to", lambda p, i: _another_number(p, i, table, x)
                ):
                    yield p.note(start, end, f"{relation} apart"), _apart(x, other, relation, limit)


def _by_at_most(p: Parse, i: Position, table: str, x: Expression) -> "Iterator[tuple[Position, _Limit]]":
    """Like "by 0.01 at most", "by 5 percent or less"."""
    for start in p.phrase(i, "by"):
        for end, limit in _limits(p, start, table, x):
            for last in p.phrase(end, "at most|or less|at the most|at a maximum|max|maximum|or lower"):
                yield p.note(start, last, "no more than that"), limit


@dataclass(frozen=True)
class _Limit:
    """A number in the unit of the value, or a share of the number that it is compared with."""

    number: int | float
    is_share: bool = False


def _limits(p: Parse, i: Position, table: str, x: Expression) -> Iterator[tuple[Position, _Limit]]:
    yield from ((end, _Limit(found)) for end, found in (*number(p, i), *measured(p, i, table, x)))
    yield from ((end, _Limit(share, is_share=True)) for end, share in percentage(p, i))


def _another_number(p: Parse, i: Position, table: str, x: Expression) -> Iterator[tuple[Position, Expression]]:
    for end, other in arithmetic.expression(p, i, table):
        if other != x and kind_of_expression(p.schema, table, other) in _NUMERIC:
            yield end, other


def _apart(x: Expression, other: Expression, relation: Relation, limit: _Limit) -> Condition:
    distance = Absolute(of=Arithmetic(sign="-", left=x, right=other))
    size = Value(value=limit.number)
    right = Arithmetic(sign="*", left=other, right=size) if limit.is_share else size
    return Compare(relation=relation, left=distance, right=right)


def exceeded_by(p: Parse, i: Position, table: str, x: Expression) -> Found:
    """Like "exceed the planned quantity by more than 10 %"."""
    for middle, other in ((m, o) for s in p.phrase(i, words.EXCEED) for m, o in nouns.column(p, s, table)):
        for relation, said in comparisons.RELATIONS[:4]:
            for start in p.seq_ends(middle, "by", said):
                for end, share in percentage(p, start):
                    factor = Value(value=round(1 + share, 10))
                    found = compare(p.schema, table, x, relation, Arithmetic(sign="*", left=other, right=factor))
                    if found is not None:
                        yield p.note(i, end, f"{relation} {factor.value} times the other"), found


@rule
def tolerated(p: Parse, i: Position, table: str, x: Expression) -> Iterator[tuple[Position, float]]:
    """How far `x` may be from its equal: "within 0.01", "± 1", "within 1 cent", "(tolerance 0.5)"."""
    for start in p.seq_ends(i, "?,|;|, where|( where|, while|, and|, but", phrases.TOLERANCE):
        plain = ((end, found) for end, found in number(p, start) if not _followed_by_unit(p, end))
        for end, found in (*plain, *measured(p, start, table, x)):
            yield p.note(i, end, f"equal up to {found}"), float(found)
            for last in p.phrase(end, f"{phrases.BE_FINE}|of each other|tolerance|difference|deviation"):
                yield p.note(i, last, f"equal up to {found}"), float(found)
    for end, (found,) in p.seq(i, "(", phrases.TOLERANCE, number, ")"):
        yield p.note(i, end, f"equal up to {found}"), float(found)


def _followed_by_unit(p: Parse, i: Position) -> bool:
    token = p.at(i)
    return token is not None and (token.text == "%" or token.low in ("percent", "per"))


def shares_of(p: Parse, i: Position, table: str, x: Expression) -> Found:
    """Like "10 % and 20 % of the net amount"."""
    for end, (low, high, of) in p.seq(
        i, percentage, "and|to", percentage, "of", lambda p, i: arithmetic.expression(p, i, table)
    ):
        if kind_of_expression(p.schema, table, of) in _NUMERIC and low < high:
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
        if found and kind_of_expression(p.schema, table, x) in _NUMERIC:
            yield p.note(i, end, f"equal up to {tolerance}"), found
