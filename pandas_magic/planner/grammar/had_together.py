"""What a row has of several columns at once: "both a and b, or neither", "values in a and b at the same time"."""

from collections.abc import Iterator

from pandas_magic.constraints.algebra.conditions import Condition, Present
from pandas_magic.constraints.algebra.expressions import Column, Expression
from pandas_magic.planner.grammar import column_lists, nouns, phrases, possession
from pandas_magic.planner.grammar.chart import Parse, Position, rule
from pandas_magic.planner.grammar.logic import all_in, among
from pandas_magic.planner.grammar.meaning import compare
from pandas_magic.planner.grammar.values import literals

Found = Iterator[tuple[Position, Condition]]


def together(p: Parse, i: Position, table: str) -> Found:
    """Everything that speaks of several columns, or of the values of one by its name behind."""
    yield from _values_in(p, i, table)
    yield from _at_once(p, i, table)
    yield from _both_or_neither(p, i, table)
    yield from _value_as(p, i, table)
    yield from _same_in_both(p, i, table)


def _same_in_both(p: Parse, i: Position, table: str) -> Found:
    """Like "the same person in approved_by as in entered_by"."""
    for start in p.phrase(i, phrases.SAME_IN):
        for middle, first in nouns.own_column(p, start, table):
            for after in p.phrase(middle, "as in|and in|and|as"):
                for end, second in nouns.own_column(p, after, table):
                    found = compare(p.schema, table, first, "==", second)
                    if found is not None:
                        yield p.note(i, end, "=="), found


def _values_in(p: Parse, i: Position, table: str) -> Found:
    """Like "values in fixed_rate and variable_rate at the same time", "a value in both a and b"."""
    for start in p.phrase(i, phrases.VALUES_IN):
        for middle, names in possession.column_list(p, start, table):
            if len(names) > 1 and column_lists.joint_of(p, start, middle) == "and":
                there = all_in(tuple(Present(of=name) for name in names))
                sure = [middle] if p.tokens[start - 1].low == "both" else []
                for end in (*sure, *_simultaneously(p, middle, table)):
                    yield p.note(i, end, "all of them are present"), there


def _simultaneously(p: Parse, i: Position, table: str) -> Iterator[Position]:
    """Where "at the same time", "on the same account" ends."""
    yield from p.phrase(i, phrases.AT_THE_SAME_TIME)
    for start in p.phrase(i, phrases.ON_THE_SAME):
        yield from nouns.this_table(p, start, table)
        yield from p.phrase(start, "row/record/entry")


def _at_once(p: Parse, i: Position, table: str) -> Found:
    """Like "a fixed rate and a variable rate together"."""
    for middle, parts in possession.things(p, i, table, phrases.AND_A):
        if len(parts) == 2:
            for end in _simultaneously(p, middle, table):
                yield p.note(middle, end, "both together"), all_in(tuple(parts))


def _both_or_neither(p: Parse, i: Position, table: str) -> Found:
    """Like "both a counterparty and a merchant, or neither of them"."""
    for start in p.phrase(i, "both|either both"):
        for middle, parts in possession.things(p, start, table, phrases.AND_A):
            for end in p.seq_ends(middle, "?,", phrases.OR_NEITHER) if len(parts) == 2 else ():
                if all(isinstance(part, Present) for part in parts):
                    yield p.note(i, end, "both or none"), possession.all_or_none(tuple(parts))


def _value_as(p: Parse, i: Position, table: str) -> Found:
    """Like "CHF or EUR as their currency": the value, and of which column."""
    if not any(token.low == "as" for token in p.tokens[i:]):
        return
    for column in p.schema.tables[table].columns:
        of = Column(name=column)
        for middle, listed in literals(p, i, table, of, False):
            for start in p.phrase(middle, "as"):
                for end, x in nouns.own_column(p, start, table):
                    if x == of:
                        yield p.note(i, end, f"{column} is one of these"), among(of, listed)


@rule
def slashed(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, tuple[Expression, ...]]]:
    """Columns parted by "/" or "|", where a list of them is expected."""
    for end, first in nouns.own_column(p, i, table):
        for middle in p.phrase(end, "/"):
            for last, second in nouns.own_column(p, middle, table):
                yield last, (first, second)
            for last, others in slashed(p, middle, table):
                if first not in others:
                    yield last, (first, *others)
