"""What of a sentence a reading leaves out, so that whoever is asked sees it before taking that reading."""

import re
from collections.abc import Iterator

from pandas_magic.constraints import reads
from pandas_magic.constraints.algebra.conditions import Matches
from pandas_magic.constraints.algebra.rules import Constraint
from pandas_magic.planner.language.guards import objections
from pandas_magic.planner.language.guards.nodes_needed import each
from pandas_magic.planner.language.guards.objecting import REASON
from pandas_magic.planner.language.linking import (
    ColumnMeant,
    CueMeant,
    DateMeant,
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
from pandas_magic.planner.language.linking.spans import EVENT, PART
from pandas_magic.planner.language.linking.words import FUNCTION_WORDS
from pandas_magic.planner.language.refusing import is_of_the_language

_DENIALS = frozenset(("not", "no", "never", "without"))
_CLAUSE = re.compile(r"[^,;:.!?–()]+")
# How guards name what a rule does no justice to.
_NOT_HELD = re.compile(r'^"([^"]+)": |^nothing in it stands for (.+)$')
_Place = tuple[int, int]


def left_out(constraint: Constraint, linked: Linked) -> tuple[str, ...]:
    """The content words of the sentence for which nothing in the rule stands, as they were written, in their order."""
    # The proposals need numpy, which a rule that is understood at once does not.
    from pandas_magic.planner.language.loose import without_label

    first = len(linked.tokens) - len(without_label(linked).tokens)  # behind the number of a ticket
    asides = [*_asides(linked)]
    named = {
        place for place in _unnamed(constraint, linked) if not any(start <= place[0] < end for start, end in asides)
    }
    told = {*named, *_undone(constraint, linked)}
    return _quoted({place for place in told if place[0] >= linked.tokens[first].start}, linked)


def left_undone(constraint: Constraint, linked: Linked) -> tuple[str, ...]:
    """The same of a rule by which each word was read: what guards find nothing for in it."""
    return _quoted({*_undone(constraint, linked)}, linked)


def _quoted(places: set[_Place], linked: Linked) -> tuple[str, ...]:
    return tuple(dict.fromkeys(linked.written(*place) for place in _joined(sorted(places), linked.text)))


def _unnamed(constraint: Constraint, linked: Linked) -> Iterator[_Place]:
    """Where names, texts and words without a meaning stand that the rule has nothing for."""
    held = _Held(constraint, linked)
    for span in linked.segments():
        start, end = linked.tokens[span.start].start, linked.tokens[span.end - 1].end
        first = linked.tokens[span.start]
        is_unknown = not span.meanings and first.kind == "word" and not is_of_the_language(first)
        is_left = held.misses(span) if span.meanings else is_unknown and not held.spells(first.text)
        if is_left and first.low not in FUNCTION_WORDS:
            yield start, end


def _undone(constraint: Constraint, linked: Linked) -> Iterator[_Place]:
    """Where what a guard finds nothing for in the rule stands: a number, "in the past", "per customer"."""
    for doubt in objections(constraint, linked):
        found = _NOT_HELD.match(doubt)
        said = found[1] or found[2] if found else ""
        at = linked.text.lower().find(said.lower()) if said else -1
        if at >= 0:
            yield at, at + len(said)


class _Held:
    """What a rule speaks of."""

    def __init__(self, constraint: Constraint, linked: Linked) -> None:
        read = reads(constraint)
        links = (link for table in read for link in linked.names.references.all_from(table))
        referred = {link.parent for link in links if link.column in read[link.table]}
        self.tables = {*read, constraint.table, *referred}
        self.columns = {name for names in read.values() for name in names}
        self.text = repr(constraint).casefold()
        self.patterns = [node.pattern for node in each(constraint, Matches)]

    def spells(self, text: str) -> bool:
        """Whether a pattern has the text in it, as a piece of the shape that the words describe."""
        return any(text in pattern for pattern in self.patterns)

    def misses(self, span: LinkedSpan) -> bool:
        """Whether the rule has nothing for any of the span's meanings that it could have something for."""
        told = [self._holds(meaning) for meaning in span.meanings]
        known = [one for one in told if one is not None]
        return bool(known) and not any(known)

    def _holds(self, meaning: object) -> bool | None:
        """None for what guards look at, numbers and words of the language, and for columns that are hardly named."""
        match meaning:
            case ColumnMeant(column=column, tier=tier) if tier > EVENT and column not in self.columns:
                return None
            case ColumnMeant(column=column) | TruthMeant(column=column):
                return column in self.columns
            case TableMeant(table=table):
                return table in self.tables
            case ValueMeant(value=text) | TextMeant(value=text) | DateMeant(value=text):
                return repr(text).casefold() in self.text or self.spells(text)
            case PatternMeant() | FormatMeant():
                return bool(self.patterns)
        return None


def _asides(linked: Linked) -> Iterator[_Place]:
    """Where somebody says why, and where clauses stand that name nothing."""
    yield from (found.span() for found in REASON.finditer(linked.text.lower()))
    telling = [linked.tokens[span.start].start for span in linked.segments() if _tells_of_data(span)]
    for clause in _CLAUSE.finditer(linked.text):
        if not any(clause.start() <= at < clause.end() for at in telling):
            yield clause.span()


def _tells_of_data(span: LinkedSpan) -> bool:
    """Whether it names something, or is a number that counts nothing by the way: "somebody has not got one"."""
    told = [meaning for meaning in span.meanings if not isinstance(meaning, (CueMeant, NumberMeant))]
    return (bool(told) or any(map(str.isdigit, span.text))) and (span.tier <= PART or not span.columns)


def _joined(places: list[_Place], text: str) -> Iterator[_Place]:
    """The places with a denial before them, those side by side as one."""
    found: list[_Place] = []
    for start, end in places:
        before = re.search(r"(\w+)\s+$", text[:start])
        if before is not None and before[1].lower() in _DENIALS:
            start = before.start()
        if found and not re.sub(r"[\s-]+", "", text[found[-1][1] : start]):
            start, end = found[-1][0], max(end, found[-1][1])
            found.pop()
        found.append((start, end))
    yield from found
