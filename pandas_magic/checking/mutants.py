"""Rules that differ from a rule in one small thing: what a proof must be able to tell apart from the rule itself."""

from collections.abc import Iterator
from typing import Any, TypeVar

from pandas_magic.constraints.algebra.conditions import (
    OPPOSITE,
    All,
    Any_,
    Compare,
    Exists,
    HasText,
    Matches,
    Not,
    OneOf,
    Present,
    Relation,
    Unique,
)
from pandas_magic.constraints.algebra.expressions import Arithmetic, Group, Previous, Rollup, Span, Value
from pandas_magic.constraints.algebra.rules import ColumnsRule, Constraint, RowRule, Tolerance
from pandas_magic.constraints.algebra.spelling import name_words
from pandas_magic.constraints.algebra.tree import children
from pandas_magic.constraints.algebra.words import condition_words
from pandas_magic.record import Record

_MOST = 24
_SHIFTED: dict[Relation, Relation] = {"<": "<=", "<=": "<", ">": ">=", ">=": ">"}
_SIGNS = {"+": "-", "-": "+", "*": "/", "/": "*"}
AnyRecord = TypeVar("AnyRecord", bound=Record)
Mutant = tuple[str, Record]


def mutants(constraint: Constraint) -> tuple[tuple[str, Constraint], ...]:
    """Rules with one relation, limit, value or part changed, each with what was changed in words; at most 24."""
    found: list[tuple[str, Constraint]] = []
    if isinstance(constraint, ColumnsRule):
        found = [(label, _changed(constraint, **change)) for label, change in _columns_changes(constraint)]
    else:
        found = [(label, _changed(constraint, must=part)) for label, part in _of(constraint.must)]
        if isinstance(constraint, RowRule):
            found += [(label, _changed(constraint, **change)) for label, change in _rule_changes(constraint)]
            scoped = () if constraint.where is None else _of(constraint.where)
            found += [(f"scope: {label}", _changed(constraint, where=part)) for label, part in scoped]
    return tuple((label, mutant) for label, mutant in found if mutant != constraint)[:_MOST]


def _changed(node: AnyRecord, **changes: object) -> AnyRecord:
    return node.model_copy(update=changes)


def _rule_changes(rule: RowRule) -> Iterator[tuple[str, dict[str, Any]]]:
    if rule.where is not None:
        yield f"without its scope ({condition_words(rule.where)})", {"where": None}
    limit = rule.tolerance
    if limit is not None:
        yield "without its tolerance", {"tolerance": None}
        if limit.max_rows is not None:
            yield "tolerating one row more", {"tolerance": Tolerance(max_rows=limit.max_rows + 1)}


def _columns_changes(rule: ColumnsRule) -> Iterator[tuple[str, dict[str, Any]]]:
    for name in rule.required:
        others = tuple(column for column in rule.required if column != name)
        yield f"without {name_words(name)}", {"required": others}
    for name in rule.forbidden:
        others = tuple(column for column in rule.forbidden if column != name)
        yield f"allowing {name_words(name)}", {"forbidden": others}
    for name in rule.types:
        types = {column: kind for column, kind in rule.types.items() if column != name}
        yield f"with any type for {name_words(name)}", {"types": types}
    if rule.only:
        yield "allowing other columns", {"only": False}
    if rule.ordered:
        yield "in any order", {"ordered": False}


def _of(node: Record) -> Iterator[Mutant]:
    """The node with one thing changed, in it or anywhere inside it."""
    yield from _here(node)
    for field in type(node).model_fields:
        content = getattr(node, field)
        if isinstance(content, Record):
            yield from ((label, _changed(node, **{field: part})) for label, part in _of(content))
        elif isinstance(content, tuple):
            for place, part in enumerate(content):
                if isinstance(part, Record):
                    for label, other in _of(part):
                        yield label, _changed(node, **{field: (*content[:place], other, *content[place + 1 :])})


def _here(node: Record) -> Iterator[Mutant]:
    match node:
        case Compare():
            yield from _compare_mutants(node)
        case All(conditions=parts) | Any_(conditions=parts):
            joined: type[All | Any_] = Any_ if isinstance(node, All) else All
            yield ('"or" for "and"' if isinstance(node, All) else '"and" for "or"'), joined(conditions=parts)
            for place, part in enumerate(parts):
                rest = (*parts[:place], *parts[place + 1 :])
                yield f"without: {condition_words(part)}", rest[0] if len(rest) == 1 else type(node)(conditions=rest)
        case Not(condition=part):
            yield f"not negated: {condition_words(part)}", part
        case OneOf(values=values):
            yield f"negated: {condition_words(node)}", Not(condition=node)
            if len(values) > 1:
                for value in values[:3]:
                    yield f"without {value!r}", _changed(node, values=tuple(v for v in values if v != value))
        case Present() | Unique() | Exists() | Matches() | HasText():
            yield f"negated: {condition_words(node)}", Not(condition=node)
            yield from _leaf_mutants(node)
        case _:
            yield from _expression_mutants(node)


def _compare_mutants(compare: Compare) -> Iterator[Mutant]:
    words = condition_words(compare)
    yield f"negated: {words}", _changed(compare, relation=OPPOSITE[compare.relation])
    if compare.relation in _SHIFTED:
        shifted = _changed(compare, relation=_SHIFTED[compare.relation])
        yield f"limit itself judged otherwise: {words}", shifted
    if compare.within is not None:
        yield f"exact: {words}", _changed(compare, within=None)
        yield f"twice the tolerance: {words}", _changed(compare, within=compare.within * 2 or 1.0)
    right = compare.right
    if isinstance(right, Value) and isinstance(right.value, (int, float)) and not isinstance(right.value, bool):
        for step in (1, -1):
            yield f"limit moved by {step}: {words}", _changed(compare, right=Value(value=right.value + step))


def _leaf_mutants(node: Present | Unique | Exists | Matches | HasText) -> Iterator[Mutant]:
    match node:
        case Unique(by=by) if len(by) > 1:
            for place in range(len(by)):
                rest = (*by[:place], *by[place + 1 :])
                yield f"unique in fewer columns: {condition_words(node)}", _changed(node, by=rest)
        case Exists(where=where) if where is not None:
            yield f"whatever the other row is: {condition_words(node)}", _changed(node, where=None)
        case HasText(where=where):
            elsewhere = "anywhere" if where != "anywhere" else "start"
            yield f"text elsewhere: {condition_words(node)}", _changed(node, where=elsewhere)
        case _:
            return


def _expression_mutants(node: Record) -> Iterator[Mutant]:
    match node:
        case Arithmetic(sign=sign) if not any(isinstance(part, Span) for part in children(node)):
            yield f"{_SIGNS[sign]} for {sign}", _changed(node, sign=_SIGNS[sign])
        case Span(amount=amount):
            yield "one unit of time more", _changed(node, amount=amount + 1)
        case Rollup() | Group():
            if node.where is not None:
                yield f"counting all rows, not only where {condition_words(node.where)}", _changed(node, where=None)
            if isinstance(node, Group) and len(node.by) > 1:
                for place in range(len(node.by)):
                    yield "in larger groups", _changed(node, by=(*node.by[:place], *node.by[place + 1 :]))
        case Previous(order=order, by=by):
            if order is not None:
                yield "in the order of the table", _changed(node, order=None)
            if by:
                yield "without groups", _changed(node, by=())
        case _:
            return
