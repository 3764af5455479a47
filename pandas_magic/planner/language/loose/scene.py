"""A linked rule as the enumeration of its possible meanings looks at it: what is mentioned, in order."""

import re
from calendar import day_name
from collections.abc import Iterator
from dataclasses import dataclass, field

from pandas_magic.constraints.algebra.conditions import Condition
from pandas_magic.planner.language.linking import (
    ColumnMeant,
    DateMeant,
    DefinedMeant,
    DurationMeant,
    FormatMeant,
    Linked,
    LinkedSpan,
    NumberMeant,
    PatternMeant,
    TableMeant,
    TextMeant,
    TruthMeant,
    ValueMeant,
)
from pandas_magic.planner.language.linking.aliases import DATE_PARTS, unit_words
from pandas_magic.planner.language.linking.schema_index import SchemaNames
from pandas_magic.planner.language.linking.spelled_out import spelled_out
from pandas_magic.planner.language.linking.tokens import MONTHS
from pandas_magic.planner.language.linking.words import FUNCTION_WORDS, name_words, nouns_of
from pandas_magic.planner.language.loose.codes import LongForms, long_forms
from pandas_magic.planner.language.loose.nodes import Node

# A name said in a table other than the one that is judged is a little less likely meant.
ELSEWHERE = 0.5
_MOST_COLUMNS = 6
_JOINTS = frozenset((",", "or", "and", "/", "|", "nor"))
_INNER_CUES = frozenset(("COUNT", "SUM", "MEAN", "MINSTAT", "MAXSTAT", "UNIQUE"))
_NO_TEXTS = FUNCTION_WORDS | {*MONTHS} | {day.lower() for day in day_name}
_TEXT_CUES = frozenset(("STARTS", "ENDS", "CONTAINS"))
_FLAGS = ("flag", "indicator")
_LITERAL = 2
_TWO, _AT_ONCE = (
    2,
    re.compile(r"\bat (?:the same time|once|one time)\b|\bsimultaneously\b|\bin parallel\b", re.IGNORECASE),
)
_MORE = (
    "more higher larger greater bigger later longer older heavier warmer dearer taller deeper wider faster thicker"
    " hotter louder stronger steeper brighter farther further costlier"
)
_LESS = (
    "less fewer lower smaller earlier shorter younger lighter colder cooler cheaper shallower narrower slower thinner"
    " weaker nearer closer"
)
_COMPARATIVES = {"GT": frozenset(_MORE.split()), "LT": frozenset(_LESS.split())}


@dataclass
class Mention:
    """A stretch of the rule with everything that it can be; most are empty for most."""

    place: int
    text: str
    words: tuple[str, ...]
    columns: list[tuple[str, str, float]] = field(default_factory=list)  # table, column, tier
    tables: list[str] = field(default_factory=list)
    inner_tables: list[str] = field(default_factory=list)  # tables within a longer name
    values: list[tuple[str, str, str]] = field(default_factory=list)  # table, column, text
    truths: list[tuple[str, str, bool, bool | str]] = field(default_factory=list)
    flags: list[tuple[str, str, bool | int | str, float]] = field(
        default_factory=list
    )  # what a column of truth holds when so
    defined: list[Condition] = field(default_factory=list)  # what the glossary says it is, of rows of the table
    number: int | float | None = None
    percent: bool = False
    duration: tuple[float, str] | None = None
    date: str | None = None
    quoted: str | None = None
    regex: str | None = None
    format: str | None = None
    cues: tuple[str, ...] = ()
    listed: tuple[int, ...] = ()  # the places of the list that it stands in

    @property
    def tier(self) -> float:
        """How literally it names a column; 9 when it names none."""
        return min((tier for *_, tier in self.columns), default=9)

    @property
    def is_constant(self) -> bool:
        """Whether it is a number, a date, a text or a pattern that the rule itself brings."""
        return self.number is not None or self.duration is not None or self.date is not None or self.is_text

    @property
    def is_text(self) -> bool:
        """Whether it is a quoted text or a pattern."""
        return self.quoted is not None or self.regex is not None

    @property
    def names(self) -> bool:
        """Whether it may name something of the tables or is a constant."""
        return bool(self.columns or self.values or self.truths or self.defined or self.format) or self.is_constant

    @property
    def is_word(self) -> bool:
        """Whether it is a content word that means nothing."""
        empty = not (self.names or self.tables or self.cues)
        return empty and bool(self.words) and self.words[0].isalpha() and self.words[0] not in FUNCTION_WORDS


class Scene:
    """The mentions of a rule about the rows of one table."""

    def __init__(self, linked: Linked, target: str) -> None:
        self.linked, self.target = linked, target
        self.names: SchemaNames = linked.names
        self.mentions = [self._mention(place, span) for place, span in enumerate(linked.segments())]
        parents = {link.parent for link in self.names.references.all_from(target)} - {target}
        for mention, meaning in long_forms(self.mentions, LongForms(self.names, (target, *sorted(parents)))):
            self._take(mention, meaning)
        _find_pronouns(self.mentions)
        _find_texts(self.mentions)
        _find_lists(self.mentions)
        _find_comparisons(self.mentions)
        _find_denials(self.mentions)
        _find_units(self.mentions)
        self.cues = {cue for mention in self.mentions for cue in mention.cues}

    @property
    def overlaps(self) -> bool:
        """Whether times must not overlap: "overlapping stays", "on two loans at the same time"."""
        two = any(mention.number == _TWO for mention in self.mentions)
        return "OVERLAP" in self.cues or (two and _AT_ONCE.search(self.linked.text) is not None)

    def known_texts(self, plain: Node) -> tuple[str, ...]:
        """The texts that are known to occur in a column, of the row or of one that it refers to."""
        table = self.target
        while "name" not in plain:
            table, plain = plain["join"]["table"], plain["of"]
        return self.linked.tables[table].values.get(plain["name"], ())

    def cue(self, *cues: str) -> int:
        """The place of the first mention that is one of these words of the language; 0 when there is none."""
        return next((mention.place for mention in self.mentions if not set(cues).isdisjoint(mention.cues)), 0)

    def _mention(self, place: int, span: LinkedSpan) -> Mention:
        tokens = self.linked.tokens[span.start : span.end]
        words = tuple(token.low for token in tokens)
        found = Mention(place, span.text, words, cues=span.cues)
        for meaning in span.meanings:
            self._take(found, meaning)
        if span.end - span.start > 1:
            for inner in self._inside(span):
                _take_inner(found, inner)
        if found.number is None and words[-1] in ("one", "once") and len(words) > 1:
            found.number = 1
        for noun in (noun for word in words for noun in nouns_of(word)) if not found.tables else ():
            found.inner_tables += self.names.nouns.get((noun,), ())  # "enrolled" speaks of enrolments
        found.columns = sorted(found.columns, key=lambda column: column[2])[:_MOST_COLUMNS]
        return found

    def _take(self, found: Mention, meaning: object) -> None:
        match meaning:
            case ColumnMeant(table=table, column=column, tier=tier):
                found.columns.append((table, column, tier + (0 if table == self.target else ELSEWHERE)))
                if (pair := _truth_held(self.names, table, column)) is not None:
                    found.flags.append((table, column, pair[0], tier))
            case TableMeant(table=table):
                found.tables.append(table)
            case ValueMeant(table=table, column=column, value=value):
                if (table, column, value) not in found.values:
                    found.values.append((table, column, value))
            case DefinedMeant(table=table, condition=condition) if table == self.target and condition is not None:
                found.defined.append(condition)
            case TruthMeant(table=table, column=column, truth=truth, value=value):
                found.truths.append((table, column, truth, value))
            case _:
                _take_constant(found, meaning)

    def _inside(self, span: LinkedSpan) -> Iterator[LinkedSpan]:
        for start in range(span.start, span.end):
            for inner in self.linked.at(start):
                if inner.end <= span.end and (inner.start, inner.end) != (span.start, span.end):
                    yield inner


def _truth_held(names: SchemaNames, table: str, column: str) -> tuple[bool | int | str, bool | int | str] | None:
    """What the column holds for true and for false: 1 and 0 in whole numbers that are flags by their name."""
    if names.kind(table, column) != "integer":
        return names.truth_values(table, column)
    return (1, 0) if any(form and form[-1] in _FLAGS for form in spelled_out(name_words(column))) else None


def _take_constant(found: Mention, meaning: object) -> None:
    match meaning:
        case NumberMeant(value=value, percent=percent):
            found.number, found.percent = value, percent
        case DurationMeant(amount=amount, unit=unit):
            found.duration = (amount, unit)
            found.number = int(amount) if amount.is_integer() else amount
        case DateMeant(value=value):
            found.date = value
        case TextMeant(value=value):
            found.quoted = value
        case PatternMeant(regex=regex):
            found.regex = regex
        case FormatMeant(name=name):
            found.format = name


def _take_inner(found: Mention, inner: LinkedSpan) -> None:
    """What a part of a longer name can be besides: a table in "customer id", a value in "shipped order"."""
    for meaning in inner.meanings:
        if isinstance(meaning, TableMeant) and meaning.table not in (*found.tables, *found.inner_tables):
            found.inner_tables.append(meaning.table)
        elif isinstance(meaning, ValueMeant) and inner.text not in FUNCTION_WORDS:
            known = (meaning.table, meaning.column, meaning.value)
            if known not in found.values:
                found.values.append(known)
    more = tuple(cue for cue in inner.cues if cue in _INNER_CUES and cue not in found.cues and not found.duration)
    found.cues = (*found.cues, *more)


def _find_denials(mentions: list[Mention]) -> None:
    """Where a column that holds "no" is not named, the word only denies; so it does before a noun: "No dive may"."""
    for mention in mentions:
        before = mentions[mention.place - 1].text if mention.place else "."
        if mention.words[:1] == ("no",) and len(mention.words) == 2 and not before[-1].isalnum():
            mention.columns, mention.cues = [], ("NOT",)
            mention.tables, mention.inner_tables = mention.inner_tables, []
        if mention.words == ("no",):
            named = {column[:2] for other in mentions for column in other.columns}
            mention.values = [known for known in mention.values if known[:2] in named]
            mention.truths = [known for known in mention.truths if known[:2] in named]


def _find_units(mentions: list[Mention]) -> None:
    """Beside a number a unit is no column: "EUR 500"; the 100 of "230 per 100 g" is a part of the unit."""
    for mention in mentions:
        if mention.number is not None and mention.place and mentions[mention.place - 1].words == ("per",):
            mention.number = mention.number if mention.duration else None
        beside = (mentions[at] for at in (mention.place - 1, mention.place + 1) if 0 <= at < len(mentions))
        is_unit = len(mention.words) == 1 and mention.words[0] in unit_words() and mention.number is None
        if is_unit and any(one.number is not None for one in beside):
            mention.columns = []


def _find_pronouns(mentions: list[Mention]) -> None:
    """Where "one" ends a clause it counts nothing: "an open invoice must not show one"."""
    for mention in mentions:
        behind = "".join(later.text for later in mentions[mention.place + 1 :][:1])
        if mention.words == ("one",) and not behind[:1].isalnum():
            mention.number = None


def _find_texts(mentions: list[Mention]) -> None:
    """What a text starts with, ends with or contains, where it is not quoted: "starts with INV-", "with 978 or 979"."""
    reading = False
    for mention in mentions:
        reading = reading or not _TEXT_CUES.isdisjoint(mention.cues)
        named = mention.columns and mention.tier < _LITERAL
        if reading and mention.quoted is None and not (named or mention.tables or mention.values):
            written = mention.text[:1].isdigit() or mention.text[-1:] in "-_/@" or any(map(str.isupper, mention.text))
            if written and mention.text.lower() not in _NO_TEXTS and not mention.duration:
                mention.quoted = mention.text


def _find_comparisons(mentions: list[Mention]) -> None:
    """More … than, when what is compared stands between."""
    for mention in mentions:
        cue = next((cue for cue, words in _COMPARATIVES.items() if not words.isdisjoint(mention.words)), None)
        than = any("than" in later.words for later in mentions[mention.place + 1 :])
        if cue is not None and than and "than" not in mention.words and cue not in mention.cues:
            mention.cues = (*mention.cues, cue)


def _find_lists(mentions: list[Mention]) -> None:
    """Words that stand in a list and are no value that is known: they may be meant as texts."""
    run: list[int] = []
    joint = True
    for mention in [*mentions, Mention(len(mentions), "", ())]:
        is_word = mention.is_word and mention.words[0] not in DATE_PARTS  # "a date day/month/year"
        item = mention.quoted is not None or bool(mention.values) or is_word
        if item and (joint or not run):
            run.append(mention.place)
            joint = False
        elif mention.text.lower() in _JOINTS and run:
            joint = True
        else:
            _close_list(mentions, run)
            run, joint = ([mention.place], False) if item else ([], True)


def _close_list(mentions: list[Mention], run: list[int]) -> None:
    if len(run) >= 2:
        for place in run:
            mentions[place].listed = tuple(run)
