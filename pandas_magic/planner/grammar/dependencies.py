"""One value that settles another: "the model determines the number of seats", "the unit must not vary within a lot"."""

from collections.abc import Iterator

from pandas_magic.constraints.algebra.expressions import Column, Expression
from pandas_magic.planner.grammar import claims, constants, counting, limits, moods, nouns, phrases, rows
from pandas_magic.planner.grammar import lexicon as words
from pandas_magic.planner.grammar.chart import Parse, Position
from pandas_magic.planner.grammar.meaning import Claim

Found = Iterator[tuple[Position, Claim]]
Keys = tuple[Expression, ...]
_ONE_ALONE = "exactly one|only one|just one|a single|at most one|no more than one"


def settled(p: Parse, i: Position, table: str) -> Found:
    """Every way to say it that names the value that settles, the value that is settled, or their group."""
    for middle, one in _of_a_row(p, i, table):
        yield from _settles(p, middle, table, one)
        yield from _is_settled(p, middle, table, one)
    yield from _in_a_group(p, i, table)
    yield from _two_rows(p, i, table)


def _of_a_row(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, Expression]]:
    """Like "the model", "the model of an aircraft"."""
    for begin in (i, *p.phrase(i, "one")):
        for middle, one in nouns.own_column(p, begin, table):
            yield middle, one
            for start in p.phrase(middle, "of"):
                yield from ((end, one) for end in nouns.this_table(p, start, table))


def _settles(p: Parse, i: Position, table: str, one: Expression) -> Found:
    """Like "determines its number of seats"; and "may only hold one product", said of a bin."""
    for start in p.phrase(i, "[uniquely] determine|must [uniquely] determine|fully determine|always determine"):
        for end, x in constants.columns(p, start, table):
            yield from _made(p, i, end, table, x, (one,))
    for start in p.seq_ends(i, f"{words.MUST_ONLY}|{words.MAY}|{words.MUST}", "hold|contain", _ONE_ALONE):
        for end, x in counting.group_key(p, start, table):
            yield from _made(p, i, end, table, x, (one,))
    for start in p.seq_ends(i, words.MUST_ONLY, "hold|contain", "one"):
        for end, x in counting.group_key(p, start, table):
            yield from _made(p, i, end, table, x, (one,))


def _is_settled(p: Parse, i: Position, table: str, one: Expression) -> Found:
    """Like "depends only on the category", "is determined by its category", "must not vary within a category"."""
    said = "depend only on|only depend on|must depend only on|be determined by|must be determined by|follow from"
    for start in p.phrase(i, said):
        for begin in (start, *p.phrase(start, "its|their")):
            for end, by in counting.group_keys(p, begin, table):
                yield from _made(p, i, end, table, one, by)
    for after, negated in moods.head(p, i, "must"):
        for start in p.phrase(after, "vary|differ|change") if negated else ():
            for begin in p.phrase(start, phrases.WITHIN_A_GROUP):
                for end, by in counting.group_keys(p, begin, table):
                    yield from _made(p, i, end, table, one, by)


def _in_a_group(p: Parse, i: Position, table: str) -> Found:
    """Like "Within a category the storage zone must be constant", "for each category there is only one zone"."""
    for start in p.phrase(i, phrases.WITHIN_A_GROUP):
        for middle, by in counting.group_keys(p, start, table):
            for begin in (middle, *p.phrase(middle, ",")):
                for after, x in nouns.own_column(p, begin, table):
                    for end in p.seq_ends(after, f"?{words.MUST}", "be", "?always", "constant|uniform|identical"):
                        yield from _made(p, i, end, table, x, by)
                for after in p.seq_ends(begin, phrases.THERE_IS_FOR_EACH, phrases.EXACTLY_ONE):
                    for end, x in constants.columns(p, after, table):
                        yield from _made(p, i, end, table, x, by)


def _two_rows(p: Parse, i: Position, table: str) -> Found:
    """Like "Two products with the same sku must have the same category"."""
    for start in p.phrase(i, "two|any two"):
        for middle, found in rows.plain_rows(p, start):
            for begin in p.phrase(middle, phrases.WITH_THE_SAME) if found.table == table else ():
                for after, by in counting.group_keys(p, begin, table):
                    for said in p.phrase(after, phrases.HAVE_THE_SAME):
                        for end, x in constants.columns(p, said, table):
                            yield from _made(p, i, end, table, x, by)


def _made(p: Parse, i: Position, end: Position, table: str, x: Expression, by: Keys) -> Found:
    if x not in by and not constants.is_the_row(p, table, by) and x != Column(name=p.schema.key(table) or ""):
        yield p.note(i, end, "one value in each group"), claims.demand(table, limits.constant(x, by))
