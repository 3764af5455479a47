"""The same said of several columns: of all, of any, of none."""

from collections.abc import Iterator

from pandas_magic.constraints.algebra.conditions import Condition
from pandas_magic.constraints.algebra.expressions import Column, Expression
from pandas_magic.planner.grammar import agreements, arithmetic, clauses, comparisons, moods, possession
from pandas_magic.planner.grammar.chart import Parse, Position
from pandas_magic.planner.grammar.logic import any_of, both, negate, replaced

Found = Iterator[tuple[Position, Condition]]


_HOLE = Column(name="\0")


def several_columns(p: Parse, i: Position, table: str) -> Found:
    """Like "both a and b are present", "a or b is missing", "neither a nor b is given"."""
    for start in (i, *p.phrase(i, "both|either|neither")):
        for middle, names in possession.column_list(p, start, table):
            if len(names) < 2:
                continue
            joint = joint_of(p, start, middle)
            if any(True for _ in agreements.adding_up(p, middle, "is")):
                if joint == "and" and p.tokens[i].low not in ("either", "neither"):
                    yield from _added_up(p, middle, table, names)
                continue
            neither = int(start) > int(i) and p.tokens[i].low == "neither"
            yield from each_of(p, middle, table, names, "is", "neither" if neither else joint)


def _added_up(p: Parse, i: Position, table: str, names: tuple[Expression, ...]) -> Found:
    """Behind "a and b": "do not add up to c"."""
    total = names[0]
    for name in names[1:]:
        joined = arithmetic.calculated(p, table, total, "+", name)
        if joined is None:
            return
        total = joined
    for start, negated in agreements.adding_up(p, i, "is"):
        noted = p.note(i, start, "their sum")
        found = (*comparisons.compared(p, noted, table, total, "=="), *comparisons.comparison(p, noted, table, total))
        yield from ((end, negate(condition) if negated else condition) for end, condition in found)


def joint_of(p: Parse, start: Position, end: Position) -> str:
    """What joins the columns between start and end: "and", "or" or "nor"."""
    lows = {token.low for token in p.tokens[start:end]}
    return "or" if "or" in lows else "nor" if "nor" in lows else "and"


def each_of(p: Parse, i: Position, table: str, names: tuple[Expression, ...], mood: str, joint: str) -> Found:
    """The same said of several columns: of all ("and"), of any ("or"), of none ("neither … nor")."""
    found = [
        dict.fromkeys((int(end), _template(c, x)) for end, c in clauses.value_phrase(p, i, table, x, mood))
        for x in names
    ]
    shared = [key for key in found[0] if all(key in other for other in found)]
    negated = moods.is_negated(p, i)
    for end, template in shared:
        parts = [_filled(template, x) for x in names]
        trace = next(
            (
                e
                for e, c in clauses.value_phrase(p, i, table, names[0], mood)
                if int(e) == end and _template(c, names[0]) == template
            )
        )
        if joint == "and":
            joined = both(*parts)
            assert joined is not None
            yield trace, joined
        elif joint == "neither":
            joined = both(*(negate(part) for part in parts))
            assert joined is not None
            yield trace, joined
        elif joint == "or" and not negated:
            yield trace, any_of(*parts)


def _template(condition: Condition, x: Expression) -> Condition:
    return replaced(condition, x, _HOLE)


def _filled(condition: Condition, x: Expression) -> Condition:
    return replaced(condition, _HOLE, x)
