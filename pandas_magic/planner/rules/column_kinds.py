"""What kind of thing a column holds, said next to its name: "bed number", "paid amount", "amount paid"."""

from collections.abc import Iterator

from pandas_magic.constraints.expressions import Column, Expression
from pandas_magic.planner.rules import nouns, phrases
from pandas_magic.planner.rules.chart import Parse, Position, position
from pandas_magic.planner.rules.morphology import name_words


def said_behind(p: Parse, i: Position, table: str, column: str) -> Iterator[Position]:
    """Where "number" or "amount" behind the column's name ends; nowhere if a number column is called so itself."""
    kind = p.schema.kind(table, column)
    for said in phrases.KIND_SAID_AGAIN.get(kind, ()):
        if kind == "text" or not p.schema.called(table, (said,)):
            yield from p.phrase(i, said)


def _of_its_verb(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, Expression]]:
    """Like "measured values" in measurements, "quantity dispensed" in dispensings: the verb adds nothing."""
    if is_made(p, i, table):
        for end, column in nouns.named_column(p, position(i + 1, i.trace), table):
            yield p.note(i, end, f'the column "{column}" of "{table}"'), Column(name=column)
    for middle, column in nouns.named_column(p, i, table):
        if is_made(p, middle, table):
            yield p.note(i, middle + 1, f'the column "{column}" of "{table}"'), Column(name=column)


def is_made(p: Parse, i: Position, table: str) -> bool:
    """A participle stands there that only says how rows of the table come about: "the reserved table"."""
    token = p.at(i)
    if token is None or token.kind != "word" or not token.low.endswith(("ed", "en", "wn", "nt", "ld", "id")):
        return False
    spoken = name_words(token.text)
    occurs = any(spoken in p.schema.values(other) for other in p.schema.tables)
    return not occurs and not token.forms.isdisjoint(p.schema.verbs(table)) and not p.schema.called(table, spoken)


def said_before(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, Expression]]:
    """Like "amount paid" for the column "paid", "number of seats" for "seats"."""
    for end, (column,) in p.seq(i, "amount", lambda p, i: nouns.named_column(p, i, table)):
        if p.schema.kind(table, column) == "number" and not p.schema.called(table, ("amount",)):
            yield end, Column(name=column)
    yield from _of_its_verb(p, i, table)
    for end, (column,) in p.seq(i, "number of", lambda p, i: nouns.named_column(p, i, table)):
        if p.schema.kind(table, column) in ("integer", "number"):
            yield end, Column(name=column)
