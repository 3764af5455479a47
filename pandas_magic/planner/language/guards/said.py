"""What a rule says, as guards look at it: its words without names, and which names stand where."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from pandas_magic.planner.language.linking import ColumnMeant, Linked, LinkedSpan, TableMeant, TextMeant, ValueMeant
from pandas_magic.planner.language.linking.spans import EXACT, PART


@dataclass(frozen=True)
class NamedPlace:
    """A column, a text that occurs in one, or both, named between two places of the text."""

    start: int
    end: int
    columns: frozenset[str]
    values: frozenset[str]


_last: tuple[Linked, str] | None = None  # many readings of one rule are looked at


def plain_words(linked: Linked) -> str:
    """The rule in lower case, of the same length, each name and quoted text replaced by so many x."""
    global _last
    known = _last
    if known is None or known[0] is not linked:
        known = _last = linked, _plain_words(linked)
    return known[1]


def _plain_words(linked: Linked) -> str:
    text = re.sub(r"'[^']*'|\"[^\"]*\"|`[^`]*`", lambda found: _crossed(found[0]), linked.text)
    for span in linked.segments():
        if _is_name(span):
            start, end = _place(linked, span)
            text = text[:start] + _crossed(text[start:end]) + text[end:]
    return text.lower()


def _crossed(text: str) -> str:
    return "x" * len(text)


def _is_name(span: LinkedSpan) -> bool:
    if span.cues and not any("_" in word for word in (span.text,)):
        return False
    named = span.tier <= PART and span.of(ColumnMeant, TableMeant)
    return bool(named) or bool(span.of(ValueMeant) and not span.cues)


def _place(linked: Linked, span: LinkedSpan) -> tuple[int, int]:
    return linked.tokens[span.start].start, linked.tokens[span.end - 1].end


def mentions(linked: Linked) -> Iterator[NamedPlace]:
    """The columns and values that the rule names, from left to right."""
    for span in linked.segments():
        columns = {meant.column for meant in span.of(ColumnMeant) if isinstance(meant, ColumnMeant)}
        values = {meant.value for meant in span.of(ValueMeant) if isinstance(meant, ValueMeant)}
        values |= {meant.value for meant in span.of(TextMeant) if isinstance(meant, TextMeant)}
        if columns or values:
            yield NamedPlace(*_place(linked, span), frozenset(columns), frozenset(values))


def literal_columns(linked: Linked) -> Iterator[tuple[str, frozenset[tuple[str, str]]]]:
    """Each name of columns that is written as they are spelt, with an underscore in it, and the columns so named."""
    for span in linked.segments():
        exact = [meant for meant in span.of(ColumnMeant) if isinstance(meant, ColumnMeant) and meant.tier == EXACT]
        if exact and "_" in span.text:
            yield span.text, frozenset((meant.table, meant.column) for meant in exact)


def sentences_end(text: str, start: int) -> int:
    """Where the clause that begins at `start` ends: at a comma, a semicolon or a full stop."""
    found = re.compile(r"[,;]|\.(?=\s|$)").search(text, start)
    return found.start() if found else len(text)
