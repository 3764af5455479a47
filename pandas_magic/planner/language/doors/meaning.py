"""What a term demands or says of a row: the condition, with each literal fitted to its column."""

from collections.abc import Callable
from dataclasses import replace
from typing import cast

from pandas_magic.constraints.algebra.conditions import (
    Compare,
    Condition,
    Present,
    Relation,
    Unique,
)
from pandas_magic.constraints.algebra.expressions import (
    Aggregate,
    Column,
    HowMany,
    Value,
)
from pandas_magic.constraints.algebra.tree import nodes
from pandas_magic.planner.language.doors.branches import BRANCHING, branched, chosen_within, with_chosen
from pandas_magic.planner.language.doors.comparing import (
    RELATIONS,
    TextsInOrder,
    fold,
    is_per_group,
    related,
)
from pandas_magic.planner.language.doors.frames import of_one_table
from pandas_magic.planner.language.doors.listing import among_test, each_of, listed_test, query_test
from pandas_magic.planner.language.doors.names import Names
from pandas_magic.planner.language.doors.queries import exists_condition
from pandas_magic.planner.language.doors.terms import NothingHolds, NotMeant, RowQuery, SyntaxTerm, literal
from pandas_magic.planner.language.doors.text_tests import TEXT_PLACES, like_test, text_test, whole_pattern
from pandas_magic.planner.language.doors.truth import as_in_pandas, surely
from pandas_magic.planner.language.doors.values import is_filled_sum, value
from pandas_magic.planner.language.logic import all_of, any_of, opposite

__all__ = ["TextsInOrder", "condition", "is_of_tables", "whole_pattern"]

_JOINING = frozenset({"and", "or", "not", "same", "each", "implies", *BRANCHING})
_TESTS = RELATIONS | _JOINING - BRANCHING | {
    "is", "in", "in column", "in query", "exists", "missing", "between", "like", "ilike", "has pattern", "fits",
    "starts with pattern", "starts with", "ends with", "has text", "unique", "duplicated", "same value", "other value",
}  # fmt: skip


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
    # There is no group of the rows without a key, and of values that are dropped nothing is said.
    is_open = any(is_per_group(part) or part.said == "known" for part in term.parts)
    return as_in_pandas(found, names) if names.is_settled and not is_open else found


def _truth_of(chosen: SyntaxTerm, names: Names) -> Condition | bool | None:
    if chosen.op != "literal":
        return condition(chosen, names)
    if chosen.said not in (None, True, False, 0, 1):
        raise NotMeant("a value where a condition should stand")
    return None if chosen.said is None else bool(chosen.said)


def _test(term: SyntaxTerm, names: Names) -> Condition:
    if term.op in _READERS:
        return _READERS[term.op](term, names)
    if term.op.startswith("is ") or term.op in ("fits", "has pattern", "starts with pattern", *TEXT_PLACES):
        return text_test(term, names)
    raise NotMeant(term.op)


def _between(term: SyntaxTerm, names: Names) -> Condition:
    of, low, high = term.parts
    return all_of([condition(SyntaxTerm(">=", (of, low)), names), condition(SyntaxTerm("<=", (of, high)), names)])


def _exists(term: SyntaxTerm, names: Names) -> Condition:
    return exists_condition(cast(RowQuery, term.said), names)


def _unique(term: SyntaxTerm, names: Names) -> Condition:
    of_one_table(term)
    by = tuple(value(_column(part), names) for each in term.parts for part in each_of(each))
    # pandas takes two missing values for the same one.
    is_dropped = any(part.said == "known" for part in term.parts)
    missing_equal = (
        term.said == "pandas"
        and not is_dropped
        and any(
            node.name in names.tables[names.target].missing
            for of in by
            for node in nodes(of)
            if isinstance(node, Column)
        )
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
        counted = _how_many(one, names)
        if counted is not None and not turned:
            return Compare(relation=relation, left=counted, right=value(other, names))
        choice = chosen_within(one)
        if choice is not None and not is_filled_sum(choice):

            def judge(
                chosen: SyntaxTerm, whole: SyntaxTerm = one, other: SyntaxTerm = other, turned: bool = turned
            ) -> Condition | bool | None:
                if chosen == literal(None):
                    return None
                side = with_chosen(whole, chosen)
                sides = (other, side) if turned else (side, other)
                if all(side.op == "literal" for side in sides):
                    return fold(relation, *sides)
                return condition(SyntaxTerm(relation, sides), names)

            return branched(choice, judge, condition, names)
    return related(relation, left, right, names)


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


def is_of_tables(found: Condition) -> bool:
    """Whether the condition compares statistics of whole tables."""
    return any(isinstance(node, Aggregate) for node in nodes(found))


def _no_truth(term: SyntaxTerm, names: Names) -> Condition:
    raise NothingHolds(f"{'NULL' if term.said is None else term.said!r} stands where a condition should")


_READERS: dict[str, Callable[[SyntaxTerm, Names], Condition]] = {
    "missing": lambda term, names: opposite(_present(term.parts[0], names)),
    "is": _is,
    "between": _between,
    "in": listed_test,
    "in column": among_test,
    "in query": query_test,
    "exists": _exists,
    "like": like_test,
    "ilike": like_test,
    "unique": _unique,
    "duplicated": _unique,
    "same value": _same_value,
    "other value": _same_value,
    "name": _truth,
    "literal": _no_truth,
}
