"""What is asked or forbidden of a whole table: "report if orders has fewer than 20 rows", "is the mean above 5?"."""

from collections.abc import Iterator

from pandas_magic.constraints.algebra.conditions import Compare, Condition
from pandas_magic.constraints.algebra.expressions import Aggregate, Share, Value
from pandas_magic.planner.grammar import (
    bounds,
    clauses,
    comparisons,
    moods,
    nouns,
    phrases,
    row_counts,
    rows,
    whole_tables,
)
from pandas_magic.planner.grammar import lexicon as words
from pandas_magic.planner.grammar.chart import Parse, Position, rule
from pandas_magic.planner.grammar.logic import has_window, negate
from pandas_magic.planner.grammar.values import percentage

Found = Iterator[tuple[Position, Condition]]


def judged(p: Parse, i: Position, table: str) -> Found:
    """What must hold where such a statement is flagged, forbidden or asked."""
    for start in (*p.seq_ends(i, words.ASKED_FOR, "?it|this", phrases.IF_SO), *p.phrase(i, words.FORBID_THAT)):
        for end, condition in statement(p, p.note(i, start, "what follows must not be"), table):
            yield end, negate(condition)
    yield from _asked(p, i, table)
    yield from _bad(p, i, table)


@rule
def statement(p: Parse, i: Position, table: str) -> Found:
    """One statement about the table: "the courses table has fewer than 20 rows", "the mean of score is below 55"."""
    yield from whole_tables.table_with_rows(p, i, table, "is")
    for middle, left in whole_tables.aggregate(p, i, table):
        for start, negated in moods.head(p, middle, "is") if _is_here(left, table) else ():
            for end, condition in whole_tables.said_of(p, start, table, left):
                yield end, negate(condition) if negated else condition
    yield from _such_a_share(p, i, table)
    for start in p.phrase(i, "there be|we have|there exist"):
        yield from _so_many(p, start, table)


def _such_a_share(p: Parse, i: Position, table: str) -> Found:
    """Like "more than 5 % of the orders have no tax"."""
    for relation, said in comparisons.RELATIONS[:4]:
        for middle, (limit,) in p.seq(i, said, percentage, "of|of all|of the|of all the|of our"):
            for after, found in rows.plain_rows(p, p.note(i, middle, "the share of the rows")):
                for end, condition in clauses.row_phrase(p, after, table, "is") if found.table == table else ():
                    share = Share(table=table, condition=condition, where=found.where)
                    if not has_window(condition):
                        yield end, Compare(relation=relation, left=share, right=Value(value=limit))


def _is_here(left: object, table: str) -> bool:
    return not isinstance(left, Aggregate) or left.table == table


def _so_many(p: Parse, i: Position, table: str) -> Found:
    """Behind "there are": "fewer than 20 courses in the table"."""
    count = Aggregate(statistic="count", table=table)
    for middle, condition in comparisons.counted(p, i, table, count):
        for end, _ in rows.same_rows(p, middle, table) if not row_counts.says_none(p, i, middle) else ():
            for last in (end, *p.phrase(end, phrases.IN_THE_TABLE), *_in_this(p, end, table)):
                yield p.note(i, last, "the number of rows"), condition


def _in_this(p: Parse, i: Position, table: str) -> Iterator[Position]:
    for start in p.phrase(i, "in|within"):
        yield from nouns.this_table(p, start, table)


def _asked(p: Parse, i: Position, table: str) -> Found:
    """Like "Are there between 20 and 40 courses in the table?", "Is the average score from 55 to 75?"."""
    if not any(token.text == "?" for token in p.tokens):
        return
    for start in p.phrase(i, "be there|do we have|have we"):
        for end, condition in _so_many(p, start, table) if _is_hoped_for(p, start) else ():
            yield from ((last, condition) for last in p.phrase(end, "?"))
    yield from _statistic_asked(p, i, table)
    for start in p.phrase(i, "do"):
        for middle in nouns.this_table(p, start, table):
            count = Aggregate(statistic="count", table=table)
            for end, condition in whole_tables.has_rows(p, middle, table, count) if _is_hoped_for(p, middle) else ():
                yield from ((last, condition) for last in p.phrase(end, "?"))


def _statistic_asked(p: Parse, i: Position, table: str) -> Found:
    for start in p.phrase(i, "be"):
        for middle, left in whole_tables.aggregate(p, start, table):
            for end, condition in bounds.bounded(p, middle, table, left) if _is_here(left, table) else ():
                if _is_hoped_for(p, middle):
                    yield from ((last, condition) for last in p.phrase(end, "?"))


def _is_whole(p: Parse, i: Position, left: object) -> bool:
    """Like "a mean price"; "a last login" is that of each row."""
    one = p.tokens[i].low in ("a", "an", "any")
    return not (one and isinstance(left, Aggregate) and left.statistic in ("min", "max"))


def _is_hoped_for(p: Parse, i: Position) -> bool:
    """Whoever asks "Are there more than 40 courses?" may hope for no as well as for yes."""
    low = [token.low for token in p.tokens[i:]]
    strict = any(
        word in ("above", "below", "over", "under", "empty", "not", "exceed", ">", "<")
        or (word == "than" and (place < 2 or low[place - 2] not in ("no", "not")))
        for place, word in enumerate(low)
    )
    return not strict


def _bad(p: Parse, i: Position, table: str) -> Found:
    """Like "An average score under 55 or over 75 is not acceptable"."""
    for start in (i, *p.phrase(i, "a|an|any")):
        for middle, left in whole_tables.aggregate(p, start, table):
            for after in (middle, *p.phrase(middle, "of")) if _is_here(left, table) else ():
                for end, condition in bounds.bounded(p, after, table, left) if _is_whole(p, i, left) else ():
                    for last in (*p.seq_ends(end, phrases.TO_BE_BAD, words.NOT_ACCEPTED), *p.phrase(end, words.BE_BAD)):
                        yield p.note(end, last, "must not be"), negate(condition)
