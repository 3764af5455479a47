"""What the words of a rule can mean on these tables: spans with meanings, all of them and the best."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache, cached_property
from typing import TypeVar

from pandas_magic.catalog.table import Table
from pandas_magic.constraints.algebra.conditions import Condition
from pandas_magic.constraints.algebra.expressions import Expression
from pandas_magic.planner.language.linking.as_written import as_written
from pandas_magic.planner.language.linking.schema_index import SchemaNames
from pandas_magic.planner.language.linking.tokens import RuleToken

_M = TypeVar("_M")
# How literally a name is meant: the lower, the more.
EXACT, SYNONYM, PART, EVENT, WORD, NEAR = range(6)


@dataclass(frozen=True)
class ColumnMeant:
    """A column. `tier` says how literally it is named, `how` by what: name, synonym, part, event, word, near, key."""

    table: str
    column: str
    tier: int
    how: str


@dataclass(frozen=True)
class TableMeant:
    """The rows of a table."""

    table: str


@dataclass(frozen=True)
class ValueMeant:
    """A text that occurs in a column; `literal` when it is written here as it stands there."""

    table: str
    column: str
    value: str
    literal: bool


@dataclass(frozen=True)
class TruthMeant:
    """That a column of truth is so, or is not; `value` is what stands in the column then."""

    table: str
    column: str
    truth: bool
    value: bool | str


@dataclass(frozen=True)
class NumberMeant:
    """A number; with `percent` 5 stands for 5 %."""

    value: int | float
    percent: bool = False


@dataclass(frozen=True)
class DurationMeant:
    """A length of time, in units that a Span knows."""

    amount: float
    unit: str


@dataclass(frozen=True)
class DateMeant:
    """A date or a moment, as ISO 8601 text."""

    value: str


@dataclass(frozen=True)
class TextMeant:
    """A quoted text."""

    value: str


@dataclass(frozen=True)
class PatternMeant:
    """A regular expression."""

    regex: str


@dataclass(frozen=True)
class FormatMeant:
    """A named format of constraints.FORMATS."""

    name: str


@dataclass(frozen=True)
class CueMeant:
    """A word of the language itself, by its class in cues.toml: such as GE, NOT, UNIQUE."""

    cue: str


@dataclass(frozen=True)
class DefinedMeant:
    """What the glossary defines on rows of a table: a condition or a quantity, and its text there.

    The quantity may also be what functions make of a column: "ABS(drop)".
    """

    table: str
    term: str  # "": functions of a column
    definition: str
    condition: Condition | None = None
    quantity: Expression | None = None


Meaning = (
    ColumnMeant
    | TableMeant
    | ValueMeant
    | TruthMeant
    | NumberMeant
    | DurationMeant
    | DateMeant
    | TextMeant
    | PatternMeant
    | FormatMeant
    | CueMeant
    | DefinedMeant
)


def once(meanings: list[Meaning], *, opens: bool) -> tuple[Meaning, ...]:
    """Each meaning once, each column as it is named most literally, and of its values what stands there as written.

    Not where the words open the sentence with a capital: that is the sentence's, perhaps, and not the value's.
    """
    tiers: dict[tuple[str, str], int] = {}
    for meaning in meanings:
        if isinstance(meaning, ColumnMeant):
            place = (meaning.table, meaning.column)
            tiers[place] = min(meaning.tier, tiers.get(place, meaning.tier))
    literal = {(m.table, m.column) for m in meanings if isinstance(m, ValueMeant) and m.literal and not opens}
    kept = [
        m
        for m in meanings
        if (not isinstance(m, ColumnMeant) or m.tier == tiers[(m.table, m.column)])
        and (not isinstance(m, ValueMeant) or m.literal or (m.table, m.column) not in literal)
    ]
    return tuple({_what(meaning): meaning for meaning in reversed(kept)}.values())[::-1]


def _what(meaning: Meaning) -> object:
    return (meaning.table, meaning.column, "column") if isinstance(meaning, ColumnMeant) else meaning


@dataclass(frozen=True)
class LinkedSpan:
    """The tokens from `start` up to `end`, and everything that they could mean."""

    start: int
    end: int
    text: str
    meanings: tuple[Meaning, ...]

    def of(self, *kinds: type[_M]) -> tuple[_M, ...]:
        """The meanings of these kinds."""
        return tuple(meaning for meaning in self.meanings if isinstance(meaning, kinds))

    @cached_property
    def columns(self) -> tuple[ColumnMeant, ...]:
        """The columns that may be meant, the most literal first."""
        found = [meaning for meaning in self.meanings if isinstance(meaning, ColumnMeant)]
        return tuple(sorted(found, key=lambda meaning: meaning.tier))

    @cached_property
    def tier(self) -> int:
        """How literal the span's most literal meaning in the schema is; NEAR + 1 when it has none."""
        tiers = [meaning.tier for meaning in self.columns]
        tiers += [EXACT for _ in self.of(TableMeant)] + [SYNONYM for _ in self.of(ValueMeant, TruthMeant, DefinedMeant)]
        return min(tiers, default=NEAR + 1)

    @cached_property
    def cues(self) -> tuple[str, ...]:
        """The classes of the words of the language that it is."""
        return tuple(meaning.cue for meaning in self.meanings if isinstance(meaning, CueMeant))

    @cached_property
    def is_mention(self) -> bool:
        """Whether it may be more than words of the language: a name, a number, a date, a text."""
        return any(not isinstance(meaning, CueMeant) for meaning in self.meanings)


@dataclass(frozen=True)
class Linked:
    """A rule with everything that its words could mean.

    `tokens` are those of `text`, in which contractions are written out; `target` is the table whose rows are judged
    when the words do not say.
    """

    rule: str
    text: str
    tokens: tuple[RuleToken, ...]
    tables: Mapping[str, Table]
    target: str | None
    names: SchemaNames
    spans_at: Callable[[int], tuple[LinkedSpan, ...]]

    def at(self, position: int) -> tuple[LinkedSpan, ...]:
        """Every span that begins at the token, of all lengths, the longest first."""
        return self.spans_at(position) if position < len(self.tokens) else ()

    def segments(self) -> tuple[LinkedSpan, ...]:
        """The rule cut from left to right into spans, the longest and most literal first; every token is in one."""
        return self._segments

    @cached_property
    def _segments(self) -> tuple[LinkedSpan, ...]:
        found, position = [], 0
        while position < len(self.tokens):
            span = _best(self.at(position)) or self.plain(position)
            found.append(span)
            position = span.end
        return tuple(found)

    def plain(self, position: int) -> LinkedSpan:
        """The token as a span that means nothing."""
        return LinkedSpan(position, position + 1, self.tokens[position].text, ())

    def plain_words(self) -> tuple[RuleToken, ...]:
        """The words that neither name anything nor belong to the language."""
        return tuple(
            self.tokens[span.start]
            for span in self.segments()
            if not span.meanings and self.tokens[span.start].kind == "word"
        )

    @cached_property
    def without_names(self) -> str:
        """The text in lower case, of the same length, each name and quoted text replaced by so many x."""
        text = re.sub(r"'[^']*'|\"[^\"]*\"|`[^`]*`", lambda found: "x" * len(found[0]), self.text)
        for span in self.segments():
            if _is_name(span):
                start, end = self.tokens[span.start].start, self.tokens[span.end - 1].end
                text = f"{text[:start]}{'x' * (end - start)}{text[end:]}"
        return text.lower()

    def written(self, start: int, end: int) -> str:
        """The words between two places of the text as they stand in the rule: "it's" for "it is"."""
        return as_written(self.rule, self.text, start, end)

    def quoted(self, said: str) -> str:
        """What is said about the rule, with what that quotes of its text as it stands in the rule."""

        def written(found: re.Match[str]) -> str:
            there = re.search(rf"(?<!\w){re.escape(found[1])}(?!\w)", self.text, re.IGNORECASE)
            return f'"{self.written(*there.span())}"' if there else found[0]

        return re.sub(r'"([^"]+)"', written, said)

    def part(self, start: int, end: int) -> "Linked":
        """The tokens from one up to another as a rule of their own."""
        text, shift = self.said(start, end), self.tokens[start].start
        tokens = tuple(replace(t, start=t.start - shift, end=t.end - shift) for t in self.tokens[start:end])

        def spans_at(position: int) -> tuple[LinkedSpan, ...]:
            spans = (span for span in self.at(position + start) if span.end <= end)
            return tuple(replace(span, start=span.start - start, end=span.end - start) for span in spans)

        return Linked(text, text, tokens, self.tables, self.target, self.names, cache(spans_at))

    def said(self, start: int, end: int) -> str:
        """The text from one token up to another, as it is written."""
        return self.text[self.tokens[start].start : self.tokens[end - 1].end] if start < end else ""


def _is_name(span: LinkedSpan) -> bool:
    if span.cues and "_" not in span.text:
        return False
    named = span.tier <= PART and span.of(ColumnMeant, TableMeant)
    return bool(named) or bool(span.of(ValueMeant) and not span.cues)


def _best(spans: tuple[LinkedSpan, ...]) -> LinkedSpan | None:
    # A name said loosely gives way to a longer one, and to a word of the language.
    named = [span for span in spans if span.tier <= PART or (span.is_mention and span.tier > NEAR)]
    others = [span for span in spans if span.meanings]
    longest = max((span.end for span in named), default=0)
    cue = max((span for span in others if span.cues), key=lambda span: span.end, default=None)
    if cue is not None and cue.end > longest:
        return cue
    return next((span for span in named if span.end == longest), others[0] if others else None)
