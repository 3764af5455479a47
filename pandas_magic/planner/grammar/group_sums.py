"""Limits on sums and on different values in groups: "the tips of one waiter may not add up to more than 60 a day"."""

from collections.abc import Iterator

from pandas_magic.constraints.algebra.conditions import Compare, Condition
from pandas_magic.constraints.algebra.expressions import Column, DatePart, Expression, Group, Value
from pandas_magic.planner.grammar import (
    children,
    claims,
    comparisons,
    constants,
    counting,
    events,
    kinds_of_rows,
    limits,
    moods,
    nouns,
    phrases,
    rows,
)
from pandas_magic.planner.grammar import lexicon as words
from pandas_magic.planner.grammar.chart import Parse, Position
from pandas_magic.planner.grammar.logic import negate
from pandas_magic.planner.grammar.meaning import Claim, kind_of_expression

Found = Iterator[tuple[Position, Claim]]

_WHERE = "in|at|from|with|for|on|to|of|by|through|via"


def group_limits(p: Parse, i: Position, table: str) -> Found:
    """Limits on the sum, or on the number of different values, of a column in each group of rows."""
    yield from _summed_of_one(p, i, table)
    yield from _different_in(p, i, table)


def _summed_of_one(p: Parse, i: Position, table: str) -> Found:
    """Like "The tips of one waiter shouldn't add up to more than 60 on any single day"."""
    for middle, (of, where) in _what_is_summed(p, i, table):
        if kind_of_expression(p.schema, table, of) not in ("integer", "number"):
            continue
        for after, keys, timed in _of_one(p, middle, table):
            for begin, more in and_per(p, after, table):
                if of not in (*keys, *more):
                    for end, condition in _added_up(p, begin, table, of, (*keys, *more)):
                        if not timed or _is_timed(condition):
                            yield end, claims.demand(table, condition, where)


def _of_one(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, tuple[Expression, ...], bool]]:
    """Like "of one waiter"; also "of a waiter", "of a waiter's bills", where a day or month must be said as well."""
    for start in p.phrase(i, phrases.OF_ONE):
        yield from ((end, keys, False) for end, keys in counting.group_keys(p, start, table))
    for start in p.phrase(i, "of a|of an|of the|of all a|of any"):
        for middle, key in limits.holder(p, start, table):
            yield middle, (key,), True
            for begin in p.phrase(middle, "'s|'"):
                yield from ((end, (key,), True) for end, _ in rows.same_rows(p, begin, table))


def _is_timed(condition: Condition) -> bool:
    group = condition.left if isinstance(condition, Compare) else None
    return isinstance(group, Group) and any(isinstance(key, DatePart) for key in group.by)


def _what_is_summed(
    p: Parse, i: Position, table: str
) -> Iterator[tuple[Position, tuple[Expression, Condition | None]]]:
    """Like "the tips", "tips of paid rentals", "withdrawals" where each has one amount."""
    named = [(end, (of, None)) for end, of in nouns.own_column(p, i, table)]
    yield from named
    amounts = p.schema.called(table, ("amount",))
    for start in (i, *p.phrase(i, "the|all|all the|the amounts of|amounts of|the amounts of all")):
        for end, found in kinds_of_rows.counted_rows(p, start, table):
            if len(amounts) == 1 and found.where is not None and not named:
                yield p.note(start, end, f"of {amounts[0]}"), (Column(name=amounts[0]), found.where)


def _added_up(
    p: Parse, i: Position, table: str, of: Expression, keys: tuple[Expression, ...]
) -> Iterator[tuple[Position, Condition]]:
    for start, negated in moods.head(p, i, "must"):
        if negated and moods.half_negated(p, i):
            continue
        for middle in p.phrase(start, phrases.ADD_UP_TO):
            for last, condition in comparisons.comparison(p, middle, table, Group(statistic="sum", of=of, by=keys)):
                for end, more in and_per(p, last, table):
                    by = tuple(dict.fromkeys((*keys, *more)))
                    judged = children.on(condition, Group(statistic="sum", of=of, by=by))
                    noted = p.note(i, end, "the sum in each group")
                    yield noted, negate(judged) if negated else judged


def and_per(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, tuple[Expression, ...]]]:
    """Nothing, or a period behind: "on any single day"."""
    yield i, ()
    for start in p.phrase(i, f"{phrases.PER}|{phrases.OVER_THE}"):
        for end, keys in counting.group_keys(p, start, table):
            if any(kind_of_expression(p.schema, table, key) == "datetime" for key in keys) or any(
                isinstance(key, DatePart) for key in keys
            ):
                yield end, keys


def _different_in(p: Parse, i: Position, table: str) -> Found:
    """Like "A seller should be active in no more than two different categories"."""
    for start in (i, *p.phrase(i, "a|an|each|every|one|any|the same|a single|no")):
        none = any(int(end) == int(start) for end in p.phrase(i, "no"))
        for middle, key in (*limits.holder(p, start, table), *_rows_of_one(p, start, table)):
            for after, forbidden in limits.mood(p, middle, none):
                if forbidden and moods.half_negated(p, after):
                    continue
                for begin in dict.fromkeys(_does(p, after, table)):
                    for end, condition in _how_many_different(p, begin, table, key):
                        most = _upper_limit(condition, forbidden=forbidden)
                        if most is not None:
                            yield end, claims.demand(table, most)
    yield from _that_have_different(p, i, table)


def _that_have_different(p: Parse, i: Position, table: str) -> Found:
    """Like "There must be no barcodes that are used for more than one patient", "flag sellers active in …"."""
    for middle, key in limits.unwanted_holder(p, i, table):
        for begin in dict.fromkeys(_does(p, middle, table)):
            for end, condition in _how_many_different(p, begin, table, key):
                most = _upper_limit(condition, forbidden=True)
                if most is not None:
                    yield end, claims.demand(table, most)


def _upper_limit(condition: Condition, *, forbidden: bool) -> Condition | None:
    """The most that is allowed, also where "two different ones" are forbidden; None where nothing limits upwards."""
    if not isinstance(condition, Compare):
        return None
    if not forbidden:
        return condition if condition.relation in ("<", "<=") else None
    if condition.relation in (">", ">="):
        return negate(condition)
    if condition.relation == "==" and condition.right == Value(value=2):
        return condition.model_copy(update={"relation": "<"})
    return None


def _rows_of_one(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, Expression]]:
    """Like "the transactions of a single account": what they share."""
    for middle, _ in rows.same_rows(p, i, table):
        for start in p.phrase(middle, phrases.OF_ONE):
            yield from limits.holder(p, start, table)


def _does(p: Parse, i: Position, table: str) -> Iterator[Position]:
    """Where the verb ends: "be active in", "scan" where a row is a scan."""
    yield from p.phrase(i, f"{phrases.ACTIVE_IN}|{words.HAVE}|{phrases.HOLDS}")
    yield from _has_them_in(p, i, table)
    for start in (i, *p.phrase(i, "be|get")):
        yield from events.done_to_rows(p, start, table)


def _has_them_in(p: Parse, i: Position, table: str) -> Iterator[Position]:
    """Like "list items in", "place orders with"."""
    for start in p.phrase(i, f"{phrases.HOLDS}|list|offer|sell|have|appear/occur/be/be_used/be_found/stand on/in"):
        for middle, _ in rows.same_rows(p, start, table):
            yield from p.phrase(middle, _WHERE)
    for start in (i, *p.phrase(i, "be|get")):
        for middle in events.done_to_rows(p, start, table):
            for end in (middle, *(last for last, _ in nouns.parent(p, middle, table))):
                yield from p.phrase(end, _WHERE)


def _a_parent(p: Parse, i: Position, table: str) -> Iterator[Position]:
    """Nothing, before "(be used for more than one) patient": rows of another table are different by themselves.

    To borrow three books is another matter: the same book three times are three.
    """
    near = range(max(0, int(i) - 8), int(i))
    said = any(int(end) <= int(i) for at in near for end in p.phrase(Position(at), phrases.USED_FOR))
    exact = any(p.tokens[at].low in ("exactly", "precisely", "just", "only") for at in near)
    yield from (i for _ in (list(nouns.parent(p, i, table))[:1] if said and not exact else ()))


def _how_many_different(p: Parse, i: Position, table: str, key: Expression) -> Iterator[tuple[Position, Condition]]:
    several = Compare(relation=">", left=Value(value=0), right=Value(value=1))
    counts = [*children.counts_ahead(p, i, table), *((i, children.judge(several)) for _ in p.phrase(i, "different"))]
    for middle, apply in counts:
        for start in (*p.phrase(middle, "different|distinct|separate"), *_a_parent(p, middle, table)):
            for last, of in constants.columns(p, start, table):
                for end, more in limits.further_keys(p, last, table):
                    if of not in (key, *more):
                        counted = Group(statistic="distinct", of=of, by=tuple(dict.fromkeys((key, *more))))
                        yield from apply(counted, p.note(i, end, "how many different ones in each group"))
