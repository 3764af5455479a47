"""Rows called by what they are: "surgeries" for visits whose reason is surgery, "deposits" for those of that type."""

from collections.abc import Iterator

from pandas_magic.planner.grammar import modifiers, nouns, phrases, rows
from pandas_magic.planner.grammar.chart import Parse, Position, rule
from pandas_magic.planner.grammar.logic import both
from pandas_magic.planner.grammar.meaning import Rows


@rule
def counted_rows(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, Rows]]:
    """Rows of the table behind a number: "paid orders", "orders in EUR", "surgeries"."""
    plain = [(end, found) for end, found in rows.plain_rows(p, i) if found.table == table]
    yield from plain
    for end, where in (*rows.values_as_nouns(p, i, table), *rows.truths_as_nouns(p, i, table)):
        if any(True for _ in nouns.table_noun(p, end)) or any(int(last) >= int(end) for last, _ in plain):
            continue  # "paid orders" are rows of their own, or of another table
        yield end, Rows(table, where)
        for last, more in modifiers.modifier(p, end, table):
            if not any(True for _ in p.phrase(end, phrases.PER)):
                yield last, Rows(table, both(where, more))
