"""What is said in short of further rows: "seniors earn at most 7000, juniors at most 4500"."""

from collections.abc import Iterator

from pandas_magic.constraints.algebra.conditions import All, Compare, Condition, Present
from pandas_magic.constraints.algebra.expressions import Column, Expression
from pandas_magic.planner.grammar import claims, clauses, comparisons, moods, phrases, possession, rows
from pandas_magic.planner.grammar import lexicon as words
from pandas_magic.planner.grammar.chart import Parse, Position
from pandas_magic.planner.grammar.logic import all_in, any_of, for_where, has_window, negate
from pandas_magic.planner.grammar.meaning import Claim

Found = Iterator[tuple[Position, Claim]]


def in_short(p: Parse, i: Position, table: str) -> Found:
    """Claims whose second half leaves out what the first has said."""
    yield from _other_rows(p, i, table)
    yield from _but_not_both(p, i, table)
    yield from _limits_of_rows(p, i, table)


def _other_rows(p: Parse, i: Position, table: str) -> Found:
    for middle, found in rows.subject_rows(p, i):
        if found.table != table or found.where is None:
            continue
        for end, condition in clauses.row_phrase(p, middle, table, "must"):
            if has_window(condition):
                continue
            for start in p.phrase(end, phrases.NEXT_CLAUSE):
                plainly = isinstance(condition, Present) and not moods.is_negated(p, middle)
                only = _only_these(p, start, table, found.where) if plainly else ()
                where = for_where(found.where) or found.where
                for last in (*_all_others(p, start, table), *only):
                    yield (
                        last,
                        Claim(
                            table,
                            all_in((any_of(negate(where), condition), any_of(where, negate(condition)))),
                        ),
                    )
                for last, others, said in _others(p, start, table, condition):
                    first, second = any_of(negate(found.where), condition), any_of(negate(others), said)
                    yield last, Claim(table, all_in((first, second)))


def _all_others(p: Parse, i: Position, table: str) -> Iterator[Position]:
    """Like "all other projects must not have one"."""
    for start in p.phrase(
        i, "all other|all the other|every other|any other|other|the other|all others|others|no other"
    ):
        for middle in (start, *p.phrase(start, "one|ones"), *(end for end, _ in rows.same_rows(p, start, table))):
            for end in p.phrase(middle, phrases.HAVE_NONE):
                yield p.note(i, end, "the opposite for all others")


def _only_these(p: Parse, i: Position, table: str, where: Condition) -> Iterator[Position]:
    """Like "only closed accounts may have one" behind what closed accounts must have, "nobody else may"."""
    for start in p.phrase(i, "only|only the"):
        for middle, found in rows.subject_rows(p, start):
            for end in p.phrase(middle, phrases.MAY_HAVE_ONE) if found.where == where and found.table == table else ():
                yield p.note(i, end, "the opposite for all others")
    for start in p.phrase(i, "nobody else|no one else|nothing else|no other|no others|none of the others"):
        for middle in (start, *(end for end, _ in rows.same_rows(p, start, table))):
            for end in p.phrase(middle, phrases.MAY_HAVE_ONE):
                yield p.note(i, end, "the opposite for all others")


def _others(p: Parse, i: Position, table: str, condition: Condition) -> Iterator[tuple[Position, Condition, Condition]]:
    """The other rows, and what is said of them: the opposite, or another limit for the same column."""
    for middle, found in rows.rows(p, i):
        for end in p.phrase(middle, phrases.HAVE_NONE) if found.table == table and found.where is not None else ():
            yield p.note(middle, end, "the opposite"), found.where, negate(condition)
    for middle, where in rows.adjectives(p, i, table):
        for after in (middle, *p.phrase(middle, "one|ones")):
            for end in p.phrase(after, phrases.MUST_NOT_EITHER):
                yield p.note(middle, end, "the opposite"), where, negate(condition)
            limit = _limit_in(condition)
            if limit is None:
                continue
            for end, other in comparisons.comparison(p, after, table, limit.left):
                same = other if limit == condition else all_in((Present(of=limit.left), other))
                yield p.note(after, end, "of the same column"), where, same


def _limit_in(condition: Condition) -> Compare | None:
    """The one limit of a column in what was said: "at least 24", or "a warranty of at least 24"."""
    if isinstance(condition, All) and len(condition.conditions) == 2 and isinstance(condition.conditions[0], Present):
        condition = condition.conditions[1]
    return condition if isinstance(condition, Compare) and isinstance(condition.left, Column) else None


def _limits_of_rows(p: Parse, i: Position, table: str) -> Found:
    """Like "The fee is at least 20 for plus members and at least 10 for basic members"."""
    for start in (i, *p.phrase(i, words.EVERY)):
        for middle, (x, where) in claims.value_subject(p, start, table):
            for begin in p.seq_ends(middle, f"?{words.MUST}", "be") if where is None else ():
                for end, condition in comparisons.comparison(p, begin, table, x):
                    for after, first in ((end, None), *_for_rows(p, end, table)):
                        for start_of_next in p.phrase(after, phrases.NEXT_CLAUSE):
                            for last, second, other in _next_limit(p, start_of_next, table, x):
                                own = condition if first is None else any_of(negate(first), condition)
                                yield last, Claim(table, all_in((own, any_of(negate(second), other))))


def _for_rows(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, Condition]]:
    for start in p.phrase(i, "for|in|of"):
        for end, found in rows.rows(p, start):
            if found.table == table and (where := for_where(found.where)) is not None:
                yield end, where


def _next_limit(p: Parse, i: Position, table: str, x: Expression) -> Iterator[tuple[Position, Condition, Condition]]:
    for middle, where in _for_rows(p, i, table):
        yield from ((end, where, other) for end, other in comparisons.comparison(p, middle, table, x))
    for middle, other in comparisons.comparison(p, i, table, x):
        yield from ((end, where, other) for end, where in _for_rows(p, middle, table))


def _but_not_both(p: Parse, i: Position, table: str) -> Found:
    """Like "A ticket can have a voucher or a card number, but not both"."""
    for middle, found in rows.rows(p, i):
        if found.table != table:
            continue
        for said, exactly in ((words.MAY, False), (words.MUST, True), ("?always", True)):
            for start in p.seq_ends(middle, said, "have|contain|carry|show|use|be given", "?either"):
                for end, parts in _alternatives(p, start, table):
                    for last in p.phrase(end, phrases.BUT_NOT_BOTH):
                        apart = negate(all_in(parts))
                        must = all_in((any_of(*parts), apart)) if exactly else apart
                        yield p.note(start, last, "not both"), claims.demand(table, must, found.where)


def _alternatives(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, tuple[Condition, Condition]]]:
    for middle, first in possession.thing(p, i, table):
        for start in p.phrase(middle, "or|, or"):
            yield from ((end, (first, second)) for end, second in possession.thing(p, start, table))
