"""What columns say of each other in every row: in words, and as rules that a check can hold."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from pandas_magic.constraints import (
    Arithmetic,
    Column,
    Compare,
    Condition,
    Expression,
    Group,
    RowRule,
    Value,
)
from pandas_magic.explore.proposal import ABOUT_RELATIONS, Proposal

if TYPE_CHECKING:
    from pandas_magic.catalog import Table
    from pandas_magic.explore.details import Derivation
    from pandas_magic.explore.report_content import ReportContent

_NUMBERS = ("integer", "number")


def in_words(found: Derivation) -> str:
    """The finding in one line: what holds, in how many rows (those with all of the values), and how exactly."""
    within = f", within {found.within:g}" if found.within else ""
    return f"{_claim(found)} in all {found.rows:,} rows{within}"


def _claim(found: Derivation) -> str:
    of = [f'"{name}"' for name in found.of]
    match found.kind:
        case "equal":
            return f'"{found.column}" equals {of[0]}'
        case "order":
            return f'"{found.column}" is never above {of[0]}'
        case "determined":
            return f'each {of[0]} has one "{found.column}"'
        case "formula":
            return f'"{found.column}" is {_computation(found, of)}'


def _computation(found: Derivation, of: list[str]) -> str:
    if found.sign is not None:
        return f" {'+' if found.sign == '+' else '×'} ".join(of)
    told = of[0] if found.factor in (None, 1.0) else f"{of[0]} × {found.factor:g}"
    if not found.offset:
        return told
    return f"{told} {'+' if found.offset > 0 else '−'} {abs(found.offset):g}"


def relations_as_rules(report: ReportContent, table: Table) -> Iterator[Proposal]:
    """A rule for each such finding about columns whose types the rule language can compare."""
    for found in report.details.derivations:
        names = (found.column, *found.of)
        if not all(name in table.columns for name in names):
            continue
        must = _condition(found, [table.kind(name) for name in names])
        if must is not None:
            rule = RowRule(table=table.name, must=must)
            yield Proposal.of(ABOUT_RELATIONS[found.kind], found.column, rule, in_words(found))


def _condition(found: Derivation, kinds: list[str]) -> Condition | None:
    column, other = Column(name=found.column), Column(name=found.of[0])
    alike = kinds[0] == kinds[1] or set(kinds) <= set(_NUMBERS)
    match found.kind:
        case "equal":
            return Compare(relation="==", left=column, right=other) if alike and kinds[0] != "mixed" else None
        case "order":
            sound = alike and (kinds[0] == "datetime" or kinds[0] in _NUMBERS)
            return Compare(relation="<=", left=column, right=other) if sound else None
        case "determined":
            if "mixed" in kinds:
                return None
            distinct = Group(statistic="distinct", of=column, by=(other,))
            return Compare(relation="<=", left=distinct, right=Value(value=1))
        case "formula":
            if not set(kinds) <= set(_NUMBERS):
                return None
            return Compare(relation="==", left=column, right=_formula(found), within=found.within or None)


def _formula(found: Derivation) -> Expression:
    first = Column(name=found.of[0])
    if found.sign is not None:
        return Arithmetic(sign=found.sign, left=first, right=Column(name=found.of[1]))
    scaled: Expression = first
    if found.factor not in (None, 1.0):
        scaled = Arithmetic(sign="*", left=first, right=Value(value=_number(found.factor)))
    if not found.offset:
        return scaled
    sign = "+" if found.offset > 0 else "-"
    return Arithmetic(sign=sign, left=scaled, right=Value(value=_number(abs(found.offset))))


def _number(value: float) -> int | float:
    return int(value) if value.is_integer() and abs(value) < 1e15 else value
