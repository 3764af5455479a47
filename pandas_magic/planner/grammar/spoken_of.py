"""What "it" stands for behind the first half of a sentence: the one column that was named there."""

from collections.abc import Iterator

from pandas_magic.constraints.algebra.conditions import Condition, Unique
from pandas_magic.constraints.algebra.expressions import Column, Expression
from pandas_magic.planner.grammar import claims, clauses, nouns, phrases
from pandas_magic.planner.grammar.chart import Parse, Position
from pandas_magic.planner.grammar.meaning import Claim

Found = Iterator[tuple[Position, Claim]]


def of_that_value(p: Parse, i: Position, table: str) -> Found:
    """Like "it must not be repeated" behind "The order id is a key": read of the column, unless it fits the row too."""
    for start in p.phrase(i, phrases.THAT_VALUE) if i > 0 else ():
        x = only_column_before(p, i, table)
        if x is None:
            return
        of_row = [found for found in clauses.row_phrase(p, start, table, "must") if not compares_rows(found[1])]
        noted = p.note(i, start, f'the column "{x.name}"')
        for end, condition in clauses.value_phrase(p, noted, table, x, "must"):
            if all(int(last) != int(end) or other == condition for last, other in of_row):
                yield end, claims.demand(table, condition)


def that_other_value(p: Parse, i: Position, table: str, x: Expression) -> Iterator[tuple[Position, Expression]]:
    """Like "it" in "must be after the start, but not more than 3 years after it": the other column named before."""
    if not isinstance(x, Column):
        return
    for end in p.phrase(i, "it|that date|this date|that value|this value|that one"):
        named = columns_named(p, 0, i, table) - {x.name}
        if len(named) == 1:
            name = named.pop()
            yield p.note(i, end, f'the column "{name}"'), Column(name=name)


def compares_rows(condition: Condition) -> bool:
    """Whole rows are compared: "it must be unique" behind the name of a column says that of the column."""
    return isinstance(condition, Unique) and condition.missing_equal


def only_column_before(p: Parse, i: int, table: str) -> Column | None:
    """The column of the table that the words before `i` name, when they name one only."""
    found = columns_named(p, 0, i, table)
    return Column(name=found.pop()) if len(found) == 1 else None


def columns_named(p: Parse, start: int, end: int, table: str) -> set[str]:
    """The columns of the table that the words from `start` to `end` name in full."""
    found: set[str] = set()
    place = start
    while place < end:
        spoken = [
            (last, columns)
            for last, words in nouns.spans(p, Position(place))
            if last <= end and not p.schema.is_part(table, words) and (columns := p.schema.called(table, words))
        ]
        place, columns = spoken[-1] if spoken else (place + 1, [])
        found.update(columns)
    return found
