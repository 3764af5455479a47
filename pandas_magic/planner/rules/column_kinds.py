"""What kind of thing a column holds, said next to its name: "bed number", "paid amount", "amount paid"."""

from collections.abc import Iterator

from pandas_magic.constraints.expressions import Column, Expression
from pandas_magic.planner.rules import nouns, phrases
from pandas_magic.planner.rules.chart import Parse, Position


def said_behind(p: Parse, i: Position, table: str, column: str) -> Iterator[Position]:
    """Where "number" or "amount" behind the column's name ends; nowhere if a number column is called so itself."""
    kind = p.schema.kind(table, column)
    for said in phrases.KIND_SAID_AGAIN.get(kind, ()):
        if kind == "text" or not p.schema.called(table, (said,)):
            yield from p.phrase(i, said)


def said_before(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, Expression]]:
    """Like "amount paid" for the column "paid", "number of seats" for "seats"."""
    for end, (column,) in p.seq(i, "amount", lambda p, i: nouns.named_column(p, i, table)):
        if p.schema.kind(table, column) == "number" and not p.schema.called(table, ("amount",)):
            yield end, Column(name=column)
    for end, (column,) in p.seq(i, "number of", lambda p, i: nouns.named_column(p, i, table)):
        if p.schema.kind(table, column) in ("integer", "number"):
            yield end, Column(name=column)
