"""CASE, IF, np.where, COALESCE and NULLIF: what holds in which rows, as a conjunction of implications."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from pandas_magic.constraints.algebra.conditions import Condition
from pandas_magic.planner.language.doors.names import Names
from pandas_magic.planner.language.doors.terms import NotMeant, SyntaxTerm, literal
from pandas_magic.planner.language.doors.truth import surely
from pandas_magic.planner.language.logic import all_of, any_of, opposite

BRANCHING = frozenset({"case", "coalesce", "nullif"})
_RECKONED = frozenset({"+", "-", "*", "/", "abs", "same"})
Judge = Callable[[SyntaxTerm], Condition | bool | None]  # None: neither true nor false
Reader = Callable[[SyntaxTerm, Names], Condition]


def branched(term: SyntaxTerm, judge: Judge, read: Reader, names: Names) -> Condition:
    """What it means that the judge holds of the value of the branch that each row takes."""
    demands: list[Condition] = []
    before: list[Condition] = []  # that an earlier branch is taken
    for test, chosen in _branches(term):
        if test is None:
            demands += _demand(before, (), judge(chosen), is_demanded=names.is_demanded)
            break
        taken = surely(read(test, replace(names, is_demanded=False)), names)
        # Where the demand may stay unknown, the plain test does, and says it in fewer words.
        plain = read(test, names.turned()) if names.is_demanded and not names.is_settled else taken
        demands += _demand(before, (opposite(plain),), judge(chosen), is_demanded=names.is_demanded)
        before.append(taken)
    else:
        demands += _demand(before, (), None, is_demanded=names.is_demanded)
    if not demands:
        raise NotMeant("a choice that asks for nothing")
    return all_of(demands)


def chosen_within(term: SyntaxTerm) -> SyntaxTerm | None:
    """The first choice in what is reckoned: the COALESCE(b, 0) of a - COALESCE(b, 0); None where there is none."""
    if term.op in BRANCHING:
        return term
    inner = map(chosen_within, term.parts if term.op in _RECKONED else ())
    return next((found for found in inner if found is not None), None)


def with_chosen(term: SyntaxTerm, chosen: SyntaxTerm) -> SyntaxTerm:
    """The term with what is chosen in place of its first choice, worked out where it is of numbers alone."""
    if term.op in BRANCHING:
        return chosen
    place = next(at for at, part in enumerate(term.parts) if chosen_within(part) is not None)
    parts = tuple(with_chosen(part, chosen) if at == place else part for at, part in enumerate(term.parts))
    return _worked_out(replace(term, parts=parts))


def _worked_out(term: SyntaxTerm) -> SyntaxTerm:
    """Like 1 for 1 - 0 / 100, and price for price * 1."""
    if term.op in "-*/" and term.parts[1:] == (literal({"-": 0}.get(term.op, 1)),):
        return term.parts[0]
    if not all(part.op == "literal" and type(part.said) in (int, float) for part in term.parts):
        return term
    match term.op, [float(str(part.said)) for part in term.parts]:
        case "+", [left, right]:
            return literal(left + right)
        case "-", [left, right]:
            return literal(left - right)
        case "*", [left, right]:
            return literal(left * right)
        case "/", [left, right] if right:
            return literal(left / right)
    return term


def _demand(
    before: Iterable[Condition], otherwise: Iterable[Condition], held: Condition | bool | None, *, is_demanded: bool
) -> Iterator[Condition]:
    if held is True or (held is None and is_demanded):
        return
    parts = [*before, *otherwise, *([held] if held is not None and not isinstance(held, bool) else [])]
    if parts:
        yield any_of(parts)
    else:
        raise NotMeant("a choice that can never hold")


def _branches(term: SyntaxTerm) -> Iterator[tuple[SyntaxTerm | None, SyntaxTerm]]:
    """Each test with the value that it chooses; without a test the value of all other rows."""
    missing = literal(None)
    match term.op:
        case "case":
            pairs = len(term.parts) // 2
            for place in range(pairs):
                yield term.parts[2 * place], term.parts[2 * place + 1]
            if len(term.parts) % 2:
                yield None, term.parts[-1]
        case "coalesce":
            for part in term.parts[:-1]:
                yield SyntaxTerm("not", (SyntaxTerm("is", (part, missing)),)), part
            yield None, term.parts[-1]
        case "nullif":
            of, absent = term.parts
            yield SyntaxTerm("==", (of, absent)), missing
            yield None, of
