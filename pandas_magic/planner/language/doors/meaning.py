"""What a term demands or says of a row: the condition, with each literal fitted to its column."""

import re
from typing import cast

from pandas_magic.constraints.algebra.conditions import (
    MIRRORED,
    Compare,
    Condition,
    HasText,
    Matches,
    OneOf,
    Present,
    Relation,
    Unique,
)
from pandas_magic.constraints.algebra.expressions import Aggregate, Column, Expression, Folded, Moment, Now, Span, Value
from pandas_magic.constraints.algebra.tree import nodes
from pandas_magic.constraints.types.named_formats import FORMATS
from pandas_magic.planner.language.doors.names import Names
from pandas_magic.planner.language.doors.terms import NotMeant, SyntaxTerm, UnknownName, literal
from pandas_magic.planner.language.doors.values import like_pattern, text_of, value
from pandas_magic.planner.language.logic import all_of, any_of, opposite

_RELATIONS = frozenset({"==", "!=", "<", "<=", ">", ">="})
_TESTS = _RELATIONS | {
    "and", "or", "not", "is", "in", "in column", "missing", "between", "like", "ilike", "has pattern", "fits",
    "starts with pattern", "starts with", "ends with", "has text", "unique", "duplicated", "empty", "all", "any",
}  # fmt: skip
_TEXT_PLACES = {"starts with": "start", "ends with": "end", "has text": "anywhere"}


class TextsInOrder(NotMeant):
    """Texts are compared by their order, which says nothing of the dates or numbers that they may hold."""


def condition(term: SyntaxTerm, names: Names) -> Condition:
    """The condition. Raises: NotMeant, UnknownName when a name in it is not there."""
    match term.op:
        case "same" | "all":
            return condition(term.parts[0], names)
        case "and":
            return all_of(condition(part, names) for part in term.parts)
        case "or":
            return any_of(condition(part, names) for part in term.parts)
        case "not" if term.parts[0].op == "any":
            return opposite(condition(term.parts[0].parts[0], names))
        case "not":
            return opposite(condition(term.parts[0], names))
        case "empty" if term.parts[0].op == "where":
            return opposite(condition(term.parts[0].parts[1], names))
        case op if op in _RELATIONS:
            return _related(cast(Relation, op), *term.parts, names=names)
        case op if op.startswith("is ") or op in ("fits", "has pattern", "starts with pattern", *_TEXT_PLACES):
            return _text_test(term, names)
    return _test(term, names)


def _test(term: SyntaxTerm, names: Names) -> Condition:
    match term.op:
        case "missing":
            return opposite(Present(of=value(term.parts[0], names)))
        case "is":
            return _is(term, names)
        case "between":
            of, low, high = term.parts
            return all_of((_related(">=", of, low, names=names), _related("<=", of, high, names=names)))
        case "in":
            return _listed(term, names)
        case "in column":
            return _among(term, names)
        case "like" | "ilike":
            return _like(term, names)
        case "unique":
            return Unique(by=_columns(term.parts, names))
        case "duplicated":
            return opposite(Unique(by=_columns(term.parts[1:] or term.parts, names)))
        case "name":
            return _truth(term, names)
    raise NotMeant(term.op)


def _truth(term: SyntaxTerm, names: Names) -> Condition:
    of = value(term, names)
    if names.kind(of) != "boolean":
        raise NotMeant("a column that is neither true nor false")
    return Compare(relation="==", left=of, right=Value(value=True))


def _is(term: SyntaxTerm, names: Names) -> Condition:
    of, what = term.parts
    if what == literal(None):
        return opposite(Present(of=value(of, names)))
    if what.op == "literal" and isinstance(what.said, bool):
        # Where SQL's IS TRUE says no, an equality with a missing value says nothing.
        held = _related("==", of, what, names=names)
        return all_of((Present(of=value(of, names)), held))
    raise NotMeant("is")


def _related(relation: Relation, left: SyntaxTerm, right: SyntaxTerm, *, names: Names) -> Condition:
    if _is_test(left) or _is_test(right):
        return _same_truth(relation, left, right, names)
    counted = _none_of_them(relation, left, right, names) or _whole_days(relation, left, right, names)
    if counted is not None:
        return counted
    upper = _upper(relation, left, right, names)
    if upper is not None:
        return upper
    first, second = _sides(left, right, names)
    if relation not in ("==", "!=") and {names.kind(first), names.kind(second)} == {"text"}:
        raise TextsInOrder("two columns of texts are compared by their order")
    literals = (Value, Moment, Now, Span)
    if isinstance(first, literals) and not isinstance(second, literals):
        return Compare(relation=MIRRORED[relation], left=second, right=first)
    return Compare(relation=relation, left=first, right=second)


def _sides(left: SyntaxTerm, right: SyntaxTerm, names: Names) -> tuple[Expression, Expression]:
    """Both values, a literal or a bare word fitted to the other side."""
    if left.op in ("literal", "name") and right.op != "literal":
        try:
            first = None if left.op == "literal" else value(left, names)
        except UnknownName:
            first = None
        if first is None:
            second = value(right, names)
            return value(left, names, second), second
        return first, value(right, names, first)
    first = value(left, names)
    return first, value(right, names, first)


def _is_test(term: SyntaxTerm) -> bool:
    return term.op in _TESTS or (term.op == "same" and _is_test(term.parts[0]))


def _same_truth(relation: Relation, left: SyntaxTerm, right: SyntaxTerm, names: Names) -> Condition:
    """Like `(status == "void") == (amount == 0)`: both, or neither."""
    if relation not in ("==", "!="):
        raise NotMeant("conditions are not put in order")
    for test, said in ((left, right.said), (right, left.said)):
        if isinstance(said, bool):
            found = condition(test, names)
            return found if said == (relation == "==") else opposite(found)
    first, second = condition(left, names), condition(right, names)
    if relation == "!=":
        second = opposite(second)
    return all_of((any_of((opposite(first), second)), any_of((first, opposite(second)))))


def _none_of_them(relation: Relation, left: SyntaxTerm, right: SyntaxTerm, names: Names) -> Condition | None:
    """Like `df.a.isna().sum() == 0` and `len(df[df.a < 0]) == 0`: no row is so."""
    if right != literal(0) or relation not in ("==", "<="):
        return None
    if left.op == "sum" and _is_test(left.parts[0]):
        return opposite(condition(left.parts[0], names))
    if left.op == "rows" and left.parts and left.parts[0].op == "where":
        return opposite(condition(left.parts[0].parts[1], names))
    return None


def _whole_days(relation: Relation, left: SyntaxTerm, right: SyntaxTerm, names: Names) -> Condition | None:
    """`(b - a).dt.days <= 30` counts whole days: a difference of less than 31 days."""
    if left.op != "whole days":
        return None
    if right.op != "literal" or not isinstance(right.said, int) or isinstance(right.said, bool):
        raise NotMeant("whole days compared with no whole number")
    of, days = value(left.parts[0], names), right.said
    low = Compare(relation=">=", left=of, right=Span(amount=days, unit="days"))
    high = Compare(relation="<", left=of, right=Span(amount=days + 1, unit="days"))
    match relation:
        case "<=":
            return high
        case ">":
            return opposite(high)
        case ">=":
            return low
        case "<":
            return opposite(low)
    within = all_of((low, high))
    return within if relation == "==" else opposite(within)


def _upper(relation: Relation, left: SyntaxTerm, right: SyntaxTerm, names: Names) -> Condition | None:
    """`upper(a) = a` and `upper(a) = 'ABC'`; None when no side is in upper case."""
    for one, other in ((left, right), (right, left)):
        if one.op != "fold case up":
            continue
        of = value(one.parts[0], names)
        if other.op == "literal" and isinstance(other.said, str) and other.said == other.said.upper():
            folded = Folded(of=of, fold="case")
            return Compare(relation=relation, left=folded, right=Value(value=other.said.lower()))
        if other == one.parts[0] and relation == "==":
            return Matches(of=of, pattern="[^a-z]*")
        raise NotMeant("upper case")
    return None


def _listed(term: SyntaxTerm, names: Names) -> Condition:
    of = value(term.parts[0], names)
    words = [part for part in term.parts[1].parts if part.op == "name"]
    if any(names.has(cast("tuple[str, ...]", word.said)) for word in words):
        raise NotMeant("a list of columns")
    listed = tuple(_list_value(part, of, names) for part in term.parts[1].parts)
    if term.said == "bracketed" and len(listed) == 2 and names.kind(of) == "number":
        raise NotMeant("two values, or all between them")
    return OneOf(of=of, values=listed)


def _list_value(part: SyntaxTerm, of: Expression, names: Names) -> bool | int | float | str:
    if part.op == "name" and names.kind(of) == "text":
        (said,) = cast("tuple[str, ...]", part.said)[-1:]
        return said
    found = value(part, names, of)
    if isinstance(found, Moment):
        return found.iso
    if not isinstance(found, Value):
        raise NotMeant("a list of what are no values")
    return found.value


def _among(term: SyntaxTerm, names: Names) -> Condition:
    subject, there = term.parts
    paths = [cast("tuple[str, ...]", part.said) for part in _each(subject) if part.op == "name"]
    keys = [cast("tuple[str, ...]", part.said) for part in _each(there) if part.op == "name"]
    if len(paths) != len(_each(subject)) or len(keys) != len(_each(there)):
        raise NotMeant("in what is no column")
    if len(keys) == 1 and len(keys[0]) == 1:
        return names.reference(paths, keys[0][0], ())
    if len({key[-2] for key in keys}) != 1:
        raise NotMeant("columns of several tables")
    return names.reference(paths, keys[0][-2], [key[-1] for key in keys])


def _each(term: SyntaxTerm) -> tuple[SyntaxTerm, ...]:
    return term.parts if term.op == "list" else (term,)


def _columns(terms: tuple[SyntaxTerm, ...], names: Names) -> tuple[Expression, ...]:
    parts = [part for term in terms for part in _each(term)]
    paths = [(str(part.said),) if part.op == "literal" else part.said for part in parts]
    return tuple(Column(name=names.own(cast("tuple[str, ...]", path))) for path in paths)


def _text_test(term: SyntaxTerm, names: Names) -> Condition:
    of = value(term.parts[0], names)
    if term.op.startswith("is "):
        form = term.op.removeprefix("is ")
        return Matches(of=of, pattern=FORMATS[form].pattern, format=form)
    text = text_of(term.parts[1])
    if term.op in _TEXT_PLACES:
        return HasText.model_validate({"of": of, "where": _TEXT_PLACES[term.op], "text": text})
    if term.op == "has pattern" and re.fullmatch(r"[\w @:#-]+", text):
        return HasText(of=of, where="anywhere", text=text)
    return Matches(of=of, pattern=whole_pattern(text, term.op))


def whole_pattern(text: str, op: str = "has pattern") -> str:
    """The pattern for a whole text, when `op` says that the given one may fit only a part of it."""
    begins = op != "has pattern" or text.startswith("^")
    ends = op == "fits" or (text.endswith("$") and not text.endswith(r"\$"))
    core = text.removeprefix("^")
    core = core.removesuffix("$") if ends and not core.endswith(r"\$") else core
    if "|" in core and not (begins and ends and core == text):
        if core != text and not re.fullmatch(r"\(.*\)", core):
            raise NotMeant("an anchor beside an alternative")  # ^a|b$ means something else than it seems
        core = f"(?:{core})"
    return f"{'' if begins else '.*'}{core}{'' if ends else '.*'}"


def _like(term: SyntaxTerm, names: Names) -> Condition:
    of, text = value(term.parts[0], names), text_of(term.parts[1])
    core = text.strip("%")
    ignore = term.op == "ilike"
    if not core or "_" in core or "%" in core:
        if ignore or not core:
            raise NotMeant("a pattern")
        return Matches(of=of, pattern=like_pattern(text))
    if not (text.startswith("%") or text.endswith("%")):
        right = Folded(of=of, fold="case") if ignore else of
        return Compare(relation="==", left=right, right=Value(value=core.lower() if ignore else core))
    where = "anywhere" if text[0] == text[-1] == "%" else "start" if text[-1] == "%" else "end"
    return HasText.model_validate({"of": of, "where": where, "text": core, "ignore_case": ignore})


def is_of_tables(found: Condition) -> bool:
    """Whether the condition compares statistics of whole tables."""
    return any(isinstance(node, Aggregate) for node in nodes(found))
