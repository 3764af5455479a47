"""Rows that are alike in all columns: "no duplicate rows in orders", "apart from the id no two rows are identical"."""

from collections.abc import Iterator

from pandas_magic.constraints.conditions import Condition, Unique
from pandas_magic.constraints.expressions import Column, Expression
from pandas_magic.planner.rules import claims, nouns, phrases, possession
from pandas_magic.planner.rules.chart import Parse, Position
from pandas_magic.planner.rules.meaning import Claim

Found = Iterator[tuple[Position, Claim]]


def duplicates(p: Parse, i: Position, table: str) -> Found:
    """That no two rows are alike in all columns, or in all but those that the sentence leaves out first."""
    yield from _whole_rows(p, i, table, ())
    for start in p.phrase(i, phrases.APART_FROM):
        for middle, names in possession.column_list(p, start, table):
            for begin in (middle, *p.phrase(middle, ",")):
                yield from _whole_rows(p, p.note(i, begin, "these columns do not count"), table, names)


def _alike(p: Parse, table: str, without: tuple[Expression, ...]) -> Condition:
    columns = (Column(name=name) for name in p.schema.tables[table].columns)
    return Unique(by=tuple(column for column in columns if column not in without), missing_equal=True)


def _whole_rows(p: Parse, i: Position, table: str, without: tuple[Expression, ...]) -> Found:
    """Like "no duplicate rows in orders", "orders must not contain duplicates"."""
    unique, alike = _alike(p, table, without), phrases.DUPLICATE_ROWS
    for start in p.phrase(i, phrases.NO_SUCH):
        for middle in p.phrase(start, alike):
            for after in p.phrase(middle, "in|among|within|in the list of"):
                yield from ((end, claims.demand(table, unique)) for end in nouns.this_table(p, after, table))
    if p.target == table or len(p.schema.tables) == 1:
        for end in p.seq_ends(i, phrases.NO_SUCH, phrases.DUPLICATE_ROWS_ONLY):
            yield p.note(i, end, f"compared in all columns of {table}"), claims.demand(table, unique)
    for middle in nouns.this_table(p, i, table):
        for end in p.seq_ends(middle, f"{phrases.MUST_NOT}|must be", "contain|have|free of", "?any", alike):
            if ("be" in p.tokens[middle + 1].forms) == ("free" in {token.low for token in p.tokens[middle:end]}):
                yield end, claims.demand(table, unique)
    yield from _no_two(p, i, table, unique)


def _no_two(p: Parse, i: Position, table: str, unique: Condition) -> Found:
    """Like "no two rows in measurements may be completely identical"."""
    for start in p.phrase(i, phrases.NO_TWO):
        found = [end for middle in p.phrase(start, "row|record|entry") for end in _in_table(p, middle, table)]
        for middle in (*found, *nouns.this_table(p, start, table)):
            for end in p.seq_ends(middle, "may be|be|should be|can be|must be", phrases.COMPLETELY_ALIKE):
                yield p.note(middle, end, "alike in these columns"), claims.demand(table, unique)


def _in_table(p: Parse, i: Position, table: str) -> Iterator[Position]:
    if p.target == table or len(p.schema.tables) == 1:
        yield i
    for start in p.phrase(i, "in|of|among|within"):
        yield from nouns.this_table(p, start, table)
