"""What a term demands or says of a row: the condition, with each literal fitted to its column."""

import re
from collections.abc import Callable
from dataclasses import replace
from typing import cast

from pandas_magic.constraints.algebra.conditions import (
    Compare,
    Condition,
    Exists,
    HasText,
    Matches,
    OneOf,
    Present,
    Relation,
    Unique,
)
from pandas_magic.constraints.algebra.expressions import (
    Aggregate,
    Column,
    Expression,
    Folded,
    HowMany,
    Moment,
    Value,
)
from pandas_magic.constraints.algebra.tree import nodes
from pandas_magic.constraints.types.named_formats import FORMATS
from pandas_magic.planner.language.doors.branches import BRANCHING, branched
from pandas_magic.planner.language.doors.comparing import (
    RELATIONS,
    TextsInOrder,
    fold,
    is_per_group,
    is_special,
    related,
)
from pandas_magic.planner.language.doors.correlating import correlated
from pandas_magic.planner.language.doors.masked import outermost
from pandas_magic.planner.language.doors.names import Names
from pandas_magic.planner.language.doors.queries import exists_condition
from pandas_magic.planner.language.doors.terms import NothingHolds, NotMeant, RowQuery, SyntaxTerm, literal
from pandas_magic.planner.language.doors.truth import as_in_pandas, surely
from pandas_magic.planner.language.doors.values import like_pattern, text_of, value
from pandas_magic.planner.language.logic import all_of, any_of, opposite

__all__ = ["TextsInOrder", "condition", "is_of_tables", "whole_pattern"]

_JOINING = frozenset({"and", "or", "not", "same", "each", "implies", *BRANCHING})
_TESTS = RELATIONS | _JOINING - BRANCHING | {
    "is", "in", "in column", "in query", "exists", "missing", "between", "like", "ilike", "has pattern", "fits",
    "starts with pattern", "starts with", "ends with", "has text", "unique", "duplicated", "same value", "other value",
}  # fmt: skip
_TEXT_PLACES = {"starts with": "start", "ends with": "end", "has text": "anywhere"}


def condition(term: SyntaxTerm, names: Names) -> Condition:
    """The condition. Raises: NotMeant, UnknownName when a name in it is not there, NothingHolds."""
    if names.read is None:
        names = replace(names, read=condition)
    match term.op:
        case "same":
            return condition(term.parts[0], names)
        case "and" | "or":
            return (all_of if term.op == "and" else any_of)([condition(part, names) for part in term.parts])
        case "not":
            return opposite(condition(term.parts[0], names.turned()))
        case "implies":
            return any_of([opposite(condition(term.parts[0], names.turned())), condition(term.parts[1], names)])
        case op if op in BRANCHING:
            return branched(term, lambda chosen: _truth_of(chosen, names), condition, names)
        case "all" | "any" | "empty":
            raise NothingHolds("what holds of all rows cannot stand within another condition")
    found = _related(cast(Relation, term.op), term, names) if term.op in RELATIONS else _test(term, names)
    # There is no group of the rows without a key.
    return as_in_pandas(found, names) if names.is_settled and not any(map(is_per_group, term.parts)) else found


def _truth_of(chosen: SyntaxTerm, names: Names) -> Condition | bool | None:
    if chosen.op != "literal":
        return condition(chosen, names)
    if chosen.said not in (None, True, False, 0, 1):
        raise NotMeant("a value where a condition should stand")
    return None if chosen.said is None else bool(chosen.said)


def _test(term: SyntaxTerm, names: Names) -> Condition:
    if term.op in _READERS:
        return _READERS[term.op](term, names)
    if term.op.startswith("is ") or term.op in ("fits", "has pattern", "starts with pattern", *_TEXT_PLACES):
        return _text_test(term, names)
    raise NotMeant(term.op)


def _between(term: SyntaxTerm, names: Names) -> Condition:
    of, low, high = term.parts
    return all_of([condition(SyntaxTerm(">=", (of, low)), names), condition(SyntaxTerm("<=", (of, high)), names)])


def _exists(term: SyntaxTerm, names: Names) -> Condition:
    return exists_condition(cast(RowQuery, term.said), names)


def _unique(term: SyntaxTerm, names: Names) -> Condition:
    parts = term.parts if term.op == "unique" or len(term.parts) == 1 else term.parts[1:]
    by = tuple(value(_column(part), names) for each in parts for part in _each(each))
    # pandas takes two missing values for the same one.
    missing_equal = term.said == "pandas" and any(
        of.name in names.tables[names.target].missing for of in by if isinstance(of, Column)
    )
    unique = Unique(by=by, missing_equal=missing_equal)
    return unique if term.op == "unique" else opposite(unique)


def _column(part: SyntaxTerm) -> SyntaxTerm:
    return SyntaxTerm("name", said=(str(part.said),)) if part.op == "literal" else part


def _truth(term: SyntaxTerm, names: Names) -> Condition:
    of = value(term, names)
    if names.kind(of) != "boolean":
        raise NotMeant("a column that is neither true nor false")
    return Compare(relation="==", left=of, right=Value(value=True))


def _present(of: SyntaxTerm, names: Names) -> Condition:
    of = of.parts[0] if of.op == "same" else of
    if of.op == "nullif":  # NULLIF(TRIM(x), '') IS NOT NULL
        return surely(_related("!=", SyntaxTerm("!=", of.parts), names), names)
    if of.op == "coalesce":
        return any_of([_present(part, names) for part in of.parts])
    return Present(of=value(of, names))


def _is(term: SyntaxTerm, names: Names) -> Condition:
    of, what = term.parts
    if what == literal(None):
        return opposite(_present(of, names))
    if what.op == "literal" and isinstance(what.said, bool):
        # Where SQL's IS TRUE says no, an equality with a missing value says nothing.
        held = condition(of, names) if _is_test(of) else _related("==", SyntaxTerm("==", (of, what)), names)
        return surely(opposite(held) if _is_test(of) and not what.said else held, names)
    raise NotMeant("is")


def _same_value(term: SyntaxTerm, names: Names) -> Condition:
    """IS NOT DISTINCT FROM: equal, or both missing."""
    first, second = (value(part, names) for part in term.parts)
    both_missing = all_of([opposite(Present(of=of)) for of in (first, second)])
    equal = surely(Compare(relation="==", left=first, right=second), names)
    same = any_of([equal, both_missing])
    return same if term.op == "same value" else opposite(same)


def _related(relation: Relation, term: SyntaxTerm, names: Names) -> Condition:
    left, right = term.parts
    if _is_test(left) or _is_test(right):
        return _same_truth(relation, left, right, names)
    for one, other, turned in ((left, right, False), (right, left, True)):
        one = one.parts[0] if one.op == "same" else one
        if one.op in BRANCHING and not _is_filled_sum(one):

            def judge(chosen: SyntaxTerm, other: SyntaxTerm = other, turned: bool = turned) -> Condition | bool | None:
                sides = (other, chosen) if turned else (chosen, other)
                if chosen == literal(None):
                    return None
                if all(side.op == "literal" for side in sides):
                    return fold(relation, *sides)
                return condition(SyntaxTerm(relation, sides), names)

            return branched(one, judge, condition, names)
        counted = _how_many(one, names)
        if counted is not None and not turned:
            return Compare(relation=relation, left=counted, right=value(other, names))
    return related(relation, left, right, names)


def _is_filled_sum(term: SyntaxTerm) -> bool:
    """`COALESCE(SUM(x), 0)` and `.map(…).fillna(0)`: the sum over no rows, as a rule has it anyway."""
    return term.op == "coalesce" and term.parts[1:] == (literal(0),) and term.parts[0].op not in ("name", "same")


def _how_many(term: SyntaxTerm, names: Names) -> HowMany | None:
    """`(a IS NOT NULL)::int + (b IS NOT NULL)::int`, num_nonnulls(a, b), `.notna().sum(axis=1)`."""
    if term.op == "present ones":
        return HowMany(conditions=tuple(Present(of=value(part, names)) for part in term.parts))
    if term.op not in ("+", "how many"):
        return None
    parts = _summands(term)
    if not all(_is_test(part) or part.op == "case" for part in parts):
        return None
    within = replace(names, is_demanded=False)
    return HowMany(conditions=tuple(_counted_one(part, within) for part in parts))


def _counted_one(part: SyntaxTerm, names: Names) -> Condition:
    if part.op == "case":
        return condition(SyntaxTerm("==", (part, literal(1))), names)
    return condition(part, names)


def _summands(term: SyntaxTerm) -> tuple[SyntaxTerm, ...]:
    if term.op in ("+", "how many"):
        return tuple(each for part in term.parts for each in _summands(part))
    return _summands(term.parts[0]) if term.op == "same" and not _is_test(term) else (term,)


def _is_test(term: SyntaxTerm) -> bool:
    if term.op == "same":
        return _is_test(term.parts[0])
    return term.op in _TESTS - {"same"} or term.op.startswith("is ")


def _same_truth(relation: Relation, left: SyntaxTerm, right: SyntaxTerm, names: Names) -> Condition:
    """Like `(status == "void") == (amount == 0)`: both, or neither."""
    if relation not in ("==", "!="):
        raise NotMeant("conditions are not put in order")
    for test, said in ((left, right.said), (right, left.said)):
        if isinstance(said, bool):
            same = said == (relation == "==")
            return condition(test, names) if same else opposite(condition(test, names.turned()))
    first, second = condition(left, names), condition(right, names)
    if relation == "!=":
        second = opposite(second)
    return all_of([any_of([opposite(first), second]), any_of([first, opposite(second)])])


def _listed(term: SyntaxTerm, names: Names) -> Condition:
    subject, items = term.parts
    if is_special(subject) or subject.op in BRANCHING:
        return any_of([condition(SyntaxTerm("==", (subject, item)), names) for item in items.parts])
    if subject.op == "sunday first":
        subject = subject.parts[0]
        items = replace(
            items, parts=tuple(literal(7 if item.said == 0 else cast(int, item.said)) for item in items.parts)
        )
    of = value(subject, names)
    words = [part for part in items.parts if part.op == "name"]
    if any(names.has(cast("tuple[str, ...]", word.said)) for word in words):
        return any_of([condition(SyntaxTerm("==", (subject, item)), names) for item in items.parts])
    listed = tuple(_list_value(part, of, names) for part in items.parts)
    if term.said == "bracketed" and len(listed) == 2 and names.kind(of) in ("number", "integer"):
        raise NotMeant("two values, or all between them")
    return OneOf(of=of, values=listed)


def _list_value(part: SyntaxTerm, of: Expression, names: Names) -> bool | int | float | str:
    if part.op == "name" and names.kind(of) == "text":
        (said,) = cast("tuple[str, ...]", part.said)[-1:]
        return said
    if part == literal(None):
        raise NothingHolds("NULL in a list is equal to nothing; say IS NULL besides")
    found = value(part, names, of)
    if isinstance(found, Moment):
        return found.iso
    if not isinstance(found, Value):
        raise NotMeant("a list of what are no values")
    return found.value


def _among(term: SyntaxTerm, names: Names) -> Condition:
    subject, there = term.parts
    if subject.op == "literal" and isinstance(subject.said, str):
        return HasText(of=value(there, names), where="anywhere", text=subject.said)
    paths = [cast("tuple[str, ...]", part.said) for part in _each(subject) if part.op == "name"]
    keys = [cast("tuple[str, ...]", part.said) for part in _each(there) if part.op == "name"]
    if len(paths) != len(_each(subject)) or len(keys) != len(_each(there)):
        raise NotMeant("in what is no column")
    if len(keys) == 1 and len(keys[0]) == 1:
        return names.reference(paths, keys[0][0], ())
    if len({key[-2] for key in keys}) != 1:
        raise NotMeant("columns of several tables")
    return names.reference(paths, keys[0][-2], [key[-1] for key in keys])


def _in_query(term: SyntaxTerm, names: Names) -> Condition:
    """`x IN (SELECT k FROM t WHERE …)`, which asks for a row of t with that k."""
    query, subject = cast(RowQuery, term.said), _each(term.parts[0])
    if query.by or query.having is not None or len(query.selected) != len(subject):
        raise NothingHolds("values can be looked up in the columns of a query, and in no statistic of groups")
    there = names.table(query.table)
    paths = [cast("tuple[str, ...]", part.said) for part in query.selected if part.op == "name"]
    if len(paths) != len(subject):
        raise NothingHolds("values can be looked up in columns, and in nothing computed")
    if not names.is_demanded and any(path[-1] in names.tables[there].missing for path in paths):
        names.doubts.append(f"{there} has a missing value there, with which NOT IN finds nothing, and this does")
    found = correlated(query, names)
    if found.keys or found.said_here or found.compared:
        raise NothingHolds("a query behind IN that speaks of the row outside; write EXISTS")
    of = tuple(value(part, names) for part in subject)
    keys = tuple(names.key(there, path[-1]) for path in paths)
    return Exists(of=of, table=there, keys=keys, where=found.where())


def _each(term: SyntaxTerm) -> tuple[SyntaxTerm, ...]:
    return term.parts if term.op == "list" else (term,)


def _text_test(term: SyntaxTerm, names: Names) -> Condition:
    if term.parts[0].op == "slice":
        return _sliced_form(term, names)
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


def _sliced_form(term: SyntaxTerm, names: Names) -> Condition:
    """`x[2:].isdigit()`: of what a part of a text is made."""
    start, stop = cast("tuple[int, int | None]", term.parts[0].said)
    classes = {"is digits": "[0-9]", "is letters": "[A-Za-z]", "is letters and digits": "[A-Za-z0-9]"}
    if term.op not in classes or start < 0 or (stop is not None and stop <= start):
        raise NothingHolds("of a part of a text a rule can say what it equals, and whether it is digits or letters")
    rest = "+" if stop is None else f"{{1,{stop - start}}}"
    more = "" if stop is None else "|" + rf"[\s\S]{{{start}}}{classes[term.op]}{{{stop - start}}}[\s\S]*"
    pattern = rf"[\s\S]{{{start}}}{classes[term.op]}{rest}{more}"
    return Matches(of=value(term.parts[0].parts[0], names), pattern=pattern)


def whole_pattern(text: str, op: str = "has pattern") -> str:
    """The pattern for a whole text, when `op` says that the given one may fit only a part of it."""
    begins = op != "has pattern" or text.startswith("^")
    ends = op == "fits" or (text.endswith("$") and not text.endswith(r"\$"))
    core = text.removeprefix("^")
    core = core.removesuffix("$") if ends and not core.endswith(r"\$") else core
    if "|" in core and not (begins and ends and core == text):
        if core != text and "|" in outermost(core):
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


_READERS: dict[str, Callable[[SyntaxTerm, Names], Condition]] = {
    "missing": lambda term, names: opposite(_present(term.parts[0], names)),
    "is": _is,
    "between": _between,
    "in": _listed,
    "in column": _among,
    "in query": _in_query,
    "exists": _exists,
    "like": _like,
    "ilike": _like,
    "unique": _unique,
    "duplicated": _unique,
    "same value": _same_value,
    "other value": _same_value,
    "name": _truth,
}
