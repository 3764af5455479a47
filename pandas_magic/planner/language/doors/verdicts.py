"""What code asserts of all rows at once: `.all()`, `not ….any()`, `….sum() == 0`, `df[…].empty`, `len(df[…]) == 0`."""

from collections.abc import Iterator
from dataclasses import replace

from pandas_magic.constraints.algebra.conditions import All, Any_, Condition, Present, Unique
from pandas_magic.planner.language.doors.frames import of_one_table
from pandas_magic.planner.language.doors.meaning import condition
from pandas_magic.planner.language.doors.names import Names
from pandas_magic.planner.language.doors.terms import NothingHolds, NotMeant, SyntaxTerm, conjuncts, literal
from pandas_magic.planner.language.doors.text_tests import TEXT_PLACES
from pandas_magic.planner.language.doors.values import value
from pandas_magic.planner.language.logic import all_of, opposite

# What is asked of one row by itself.
_REASONED = ("+", "-", "*")
_COUNTED = (*_REASONED, "/", "span")
_SIGNS = ("==", "!=", "<", "<=", ">", ">=", *_COUNTED)
_KEYS = ("unique", "duplicated")
_OF_VALUES = (
    "length", "abs", "whole days", "fold case", "fold case up", "fold space", "part", "date", "moment", "number",
    "time", "fits", "starts with pattern", "has pattern", "slice",
    "coalesce", "round", "case",
)  # fmt: skip
_TESTS = frozenset(("and", "or", "not", "missing", "in", "list", "literal", *_OF_VALUES, *_SIGNS, *TEXT_PLACES, *_KEYS))
_MADE = ("name", "same", "joined column", "mapped", *_OF_VALUES, *_COUNTED)
Scoped = tuple[Condition | None, Condition]


def demanded(term: SyntaxTerm, names: Names) -> Scoped:
    """Of which rows the term speaks, None being all, and what it demands of each. Raises: NotMeant, NothingHolds."""
    names = replace(names, filters=[], read=condition)
    parts = conjuncts(term)
    tested = [_always_so(part) or _never_so(part) for part in parts]
    chosen = [one for test in tested for one in (_chosen(test) if test is not None else (None,))]
    if chosen and chosen[0] is not None and all(one == chosen[0] for one in chosen):
        settled = replace(names, is_settled=True)
        held = [condition(_of_all(test), settled) for test in tested if test is not None]
        musts = [one if _always_so(part) else opposite(one) for part, one in zip(parts, held, strict=True)]
        return condition(chosen[0], settled), all_of(musts)
    found = all_of([_verdict(part, names) for part in parts])
    if not names.filters:
        return None, found
    if len(names.filters) > 1 or isinstance(found, (All, Any_)):
        raise NothingHolds("groups of some rows, beside a condition on all")
    return names.filters[0], found


def _always_so(term: SyntaxTerm) -> SyntaxTerm | None:
    """The test that each row is to fulfil: that of `(df.a > 0).all()`, and `df[df.b].a.is_unique`; else None."""
    if term.op == "all":
        return term.parts[0]
    return term if term.op == "unique" and any(part.op == "where" for part in term.parts) else None


def _never_so(term: SyntaxTerm) -> SyntaxTerm | None:
    """The test that no row may fulfil: that of `not df.a.isna().any()`, of `df.a.isna().sum() == 0`; else None."""
    if term.op == "not" and term.parts[0].op == "any":
        return term.parts[0].parts[0]
    is_none = term.op == "==" and term.parts[1] in (literal(0), literal(False)) and term.parts[0].op in ("sum", "any")
    return term.parts[0].parts[0] if is_none and term.parts[0].parts[0].op in _TESTS - {*_COUNTED} else None


def _chosen(term: SyntaxTerm) -> Iterator[SyntaxTerm | None]:
    """Which rows of the frame each column in the test is of, as in `df[df.a > 0].b.notna()`; None for all of them."""
    if term.op in _KEYS:
        of_one_table(term)
    if (rows := _rows_of(term)) is not None:
        yield rows
    elif term.op == "name" or term.op not in (*_TESTS, "in column"):
        yield None
    for part in _tested(term):
        yield from _chosen(part)


def _rows_of(term: SyntaxTerm) -> SyntaxTerm | None:
    """Which rows of a column are taken: `df[df.a > 0].b`, and those where it is there: `df.b.dropna()`; else None."""
    if term.op == "where" and term.parts[0].op in _MADE:
        return term.parts[1]
    if term.op != "same" or term.said != "known":
        return None
    of = term.parts[0]
    return _all_known(of) if of.op in ("name", *_REASONED) or _is_filled(of) else None


def _is_filled(term: SyntaxTerm) -> bool:
    """Whether something else stands for a missing value in it, so that it is not missing where a column is."""
    return term.op == "coalesce" or (term.op in ("abs", "round", *_COUNTED) and any(map(_is_filled, term.parts)))


def _all_known(term: SyntaxTerm) -> SyntaxTerm | None:
    """That every column has a value of which one is reckoned, as the result then has one; None where it always has."""
    if term.op == "literal" or (term.op == "coalesce" and any(part.op == "literal" for part in term.parts[1:])):
        return None
    if term.op == "/" and term.parts[1].op == "literal":
        return _all_known(term.parts[0])
    if term.op in ("abs", "round", *_REASONED):
        parts = tuple(part for part in map(_all_known, term.parts) if part is not None)
        return SyntaxTerm("and", parts) if len(parts) > 1 else next(iter(parts), None)
    return SyntaxTerm("not", (SyntaxTerm("missing", (term,)),))


def _tested(term: SyntaxTerm) -> tuple[SyntaxTerm, ...]:
    """The parts of a test that speak of the row itself: not the column in which it is to be found."""
    return term.parts[:1] if term.op == "in column" else term.parts if term.op in _TESTS else ()


def _of_all(term: SyntaxTerm) -> SyntaxTerm:
    """The test of a row, whichever rows were chosen."""
    if _rows_of(term) is not None:
        return term.parts[0]
    own = _tested(term) or term.parts
    return replace(term, parts=(*map(_of_all, own), *term.parts[len(own) :]))


def _verdict(term: SyntaxTerm, names: Names) -> Condition:
    """What each row must be like for the verdict to be true; pandas takes no missing value for a true one."""
    settled = replace(names, is_settled=True)
    match term.op:
        case "all":
            return all_of([_settled(part, settled) for part in conjuncts(term.parts[0])])
        case "not":
            return opposite(_found(term.parts[0], settled)) if _found_op(term.parts[0]) else condition(term, names)
        case "empty":
            return opposite(_filtered(term.parts[0], settled))
        case "==" | "<" | "<=" | "!=":
            counted = _counted_none(term, settled)
            if counted is not None:
                return counted
    return condition(term, names)


def _settled(term: SyntaxTerm, settled: Names) -> Condition:
    return _verdict(term, settled) if term.op == "all" else condition(term, settled)


def _found_op(term: SyntaxTerm) -> bool:
    return term.op == "any" or (term.op == "same" and _found_op(term.parts[0]))


def _found(term: SyntaxTerm, settled: Names) -> Condition:
    return _found(term.parts[0], settled) if term.op == "same" else condition(term.parts[0], settled)


def _filtered(term: SyntaxTerm, settled: Names) -> Condition:
    if term.op != "where" or not _is_frame(term.parts[0], settled):
        raise NotMeant("rows of another table")
    return condition(term.parts[1], settled)


def _is_frame(term: SyntaxTerm, names: Names) -> bool:
    path = term.said if isinstance(term.said, tuple) else ()
    return term.op == "name" and names.is_here(path[0])


def _counted_none(term: SyntaxTerm, settled: Names) -> Condition | None:
    """`df.a.isna().sum() == 0`, `len(df[df.a < 0]) == 0`, `df.k.nunique() == len(df)`; None for anything else."""
    left, right = term.parts
    is_all = right.op in ("length", "rows") and all(_is_frame(part, settled) for part in right.parts)
    if term.op == "==" and left.op == "distinct" and is_all:
        of = value(left.parts[0], settled)
        return all_of([Present(of=of), Unique(by=(of,))])
    is_none = (term.op in ("==", "<=") and right == literal(0)) or (term.op == "<" and right == literal(1))
    if left.op == "sum" and left.parts[0].op not in ("name", "grouped", "+", "-", "*", "/", "where", "case", "mapped"):
        if not is_none:
            raise NothingHolds("a number of rows that are so, but for none")
        return opposite(condition(left.parts[0], settled))
    if left.op in ("length", "rows") and left.parts and left.parts[0].op == "where":
        if not is_none:
            raise NothingHolds("a number of rows that are so, but for none")
        return opposite(_filtered(left.parts[0], settled))
    return None
