"""What a rule says, as guards look at it: which names stand where."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from pandas_magic.planner.language.linking import Linked, LinkedSpan, TableMeant, TextMeant, ValueMeant
from pandas_magic.planner.language.linking.spans import EXACT


@dataclass(frozen=True)
class NamedPlace:
    """A column, a text that occurs in one, or both, named between two places of the text."""

    start: int
    end: int
    columns: frozenset[str]
    values: frozenset[str]


def _place(linked: Linked, span: LinkedSpan) -> tuple[int, int]:
    return linked.tokens[span.start].start, linked.tokens[span.end - 1].end


def mentions(linked: Linked) -> Iterator[NamedPlace]:
    """The columns and values that the rule names, from left to right."""
    for span in linked.segments():
        columns = {meant.column for meant in span.columns}
        values = {meant.value for meant in span.of(ValueMeant)} | {meant.value for meant in span.of(TextMeant)}
        if columns or values:
            yield NamedPlace(*_place(linked, span), frozenset(columns), frozenset(values))


def tables_named(linked: Linked) -> set[str]:
    """The tables of which rows are named."""
    return {meant.table for span in linked.segments() for meant in span.of(TableMeant)}


def literal_columns(linked: Linked) -> Iterator[tuple[str, frozenset[tuple[str, str]]]]:
    """Each name of columns that is written as they are spelt, with an underscore in it, and the columns so named."""
    for span in linked.segments():
        exact = [meant for meant in span.columns if meant.tier == EXACT]
        if exact and "_" in span.text:
            yield span.text, frozenset((meant.table, meant.column) for meant in exact)


def sentences_end(text: str, start: int) -> int:
    """Where the clause that begins at `start` ends: at a comma, a semicolon or a full stop."""
    found = re.compile(r"[,;]|\.(?=\s|$)").search(text, start)
    return found.start() if found else len(text)
