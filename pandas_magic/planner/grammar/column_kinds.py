"""What kind of thing a column holds, said next to its name: "bed number", "paid amount", "amount paid"."""

from collections.abc import Iterator

from pandas_magic.constraints.algebra.expressions import Column, Expression
from pandas_magic.planner.grammar import events, measures, nouns, phrases
from pandas_magic.planner.grammar.chart import Parse, Position, position
from pandas_magic.planner.grammar.morphology import name_words

_DONE_SOMEHOW = ("payment", "delivery", "shipping", "shipment", "transport", "contact")  # the values say by what method


def said_behind(p: Parse, i: Position, table: str, column: str) -> Iterator[Position]:
    """Where "number" or "amount" behind the column's name ends; nowhere if a number column is called so itself."""
    kind = p.schema.kind(table, column)
    for said in phrases.KIND_SAID_AGAIN.get(kind, ()):
        if (kind == "text" and said != "name") or not p.schema.called(table, (said,)):
            yield from p.phrase(i, said)
    if kind == "text" and name_words(column)[-1] in _DONE_SOMEHOW and p.schema.occurring(table, column):
        yield from p.phrase(i, "method|mode") if not p.schema.called(table, ("method",)) else ()
    if kind in ("integer", "number"):
        yield from _in_its_unit(p, i, column)
        yield from (end for end in _participle(p, i, table) if not _is_named_so(p, i, end, table, column))


def _in_its_unit(p: Parse, i: Position, column: str) -> Iterator[Position]:
    """Like "in weeks" behind "the notice period", "(kg)" behind "the weight": the unit that the name ends in."""
    for said, closing in (("in|measured in|given in", ""), ("(|( in", ")")):
        for start in p.phrase(i, said):
            for end in measures.own_unit(p, start, column):
                yield from p.phrase(end, closing) if closing else (end,)


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
    named = occurs or spoken in p.schema.nouns or p.schema.called(table, spoken)  # "event" is no participle
    return not named and not token.forms.isdisjoint(p.schema.verbs(table))


def said_before(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, Expression]]:
    """Like "amount paid" for the column "paid", "number of seats" for "seats"."""
    for end, (column,) in p.seq(i, "amount", lambda p, i: nouns.named_column(p, i, table)):
        if p.schema.kind(table, column) == "number" and not p.schema.called(table, ("amount",)):
            yield end, Column(name=column)
    yield from _of_its_verb(p, i, table)
    for end, (column,) in p.seq(i, "number of", lambda p, i: nouns.named_column(p, i, table)):
        if p.schema.kind(table, column) in ("integer", "number"):
            yield end, Column(name=column)
    for start in _participle(p, i, table):
        for end, column in nouns.named_column(p, start, table):
            numeric = p.schema.kind(table, column) in ("integer", "number")
            if numeric and not _is_named_so(p, i, start, table, column):
                yield p.note(i, end, f'the column "{column}" of "{table}"'), Column(name=column)


def _participle(p: Parse, i: Position, table: str) -> Iterator[Position]:
    """Where "dispensed" ends, if dispensing is what makes a row of the table: it says nothing about its quantity."""
    token = p.at(i)
    if token is not None and token.kind == "word" and token.low.endswith(("ed", "d", "n", "t")):
        inflected = any(form != token.low for form in token.forms)
        yield from events.done_to_rows(p, i, table) if inflected else ()


def _is_named_so(p: Parse, i: Position, end: Position, table: str, column: str) -> bool:
    """Another column has the participle in its name: "received" in quantity_received."""
    said = {form for token in p.tokens[i:end] for form in token.forms}
    return any(
        not said.isdisjoint(name_words(other)) and p.schema.kind(table, other) in ("integer", "number")
        for other in p.schema.tables[table].columns
    )
