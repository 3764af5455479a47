"""Shapes of texts as formats: "follow the format …", "deviate from …", "start with … and end with …"."""

import re
from collections.abc import Iterator

from pandas_magic.constraints.conditions import All, Condition, Matches, Not
from pandas_magic.constraints.expressions import Expression
from pandas_magic.planner.rules import examples, phrases, text_shapes
from pandas_magic.planner.rules.chart import Parse, Position

Found = Iterator[tuple[Position, Condition]]


def format_verb(p: Parse, i: Position, x: Expression) -> Found:
    """What a text does: keep to a shape, deviate from it, start with one and end with another."""
    for start in _announced(p, i, phrases.KEEP_TO):
        for end, pattern in _whole_shape(p, start):
            yield from examples.with_sample(p, p.note(i, end, "the whole text"), Matches(of=x, pattern=pattern))
    for start in (*p.phrase(i, phrases.DEVIATE_FROM), *_announced(p, i, phrases.DEVIATE_FROM)):
        for end, pattern in _whole_shape(p, start):
            yield p.note(i, end, "not this shape"), Not(condition=Matches(of=x, pattern=pattern))
    for start in p.phrase(i, phrases.START_WITH):
        for middle, first in _whole_shape(p, start):
            yield from _then_ends(p, middle, x, first)
            # "Start with 10, then four digits" says what the whole text is made of.
            if any(int(end) == int(middle) for end, _ in text_shapes.piece(p, start)):
                yield p.note(i, middle, "at the start"), Matches(of=x, pattern=f"{first}(.|\\n)*")


def format_quality(p: Parse, i: Position, x: Expression) -> Found:
    """What a text is: "made up of two letters and six digits", "in another format than …"."""
    for said, holds in ((phrases.MADE_UP_OF, True), (phrases.OF_ANOTHER_FORMAT, False)):
        for start in p.phrase(i, said):
            for end, pattern in _whole_shape(p, start):
                found = Matches(of=x, pattern=pattern)
                yield p.note(i, end, "the whole text"), found if holds else Not(condition=found)


def _announced(p: Parse, i: Position, verbs: str) -> Iterator[Position]:
    """Where "follow the format:", "deviates from the pattern of" ends."""
    for start in p.phrase(i, verbs):
        for middle in p.seq_ends(start, "?the|a|this", phrases.FORMAT_WORDS):
            yield from (middle, *p.phrase(middle, "of|:|with|"))


def _whole_shape(p: Parse, i: Position) -> Iterator[tuple[Position, str]]:
    """The longest shape that stands here; a quoted text or "a number" alone is none."""
    found = list(text_shapes.shape(p, i))
    longest = max((int(end) for end, _ in found), default=0)
    for end, pattern in found:
        plain = p.tokens[i].kind == "text" and int(end) == int(i) + 1
        if int(end) == longest and not plain and re.search(r"[\]d](\{|\*|\+)|\].*\]|\].*\\d|\\d.*\]", pattern):
            yield end, pattern


def _then_ends(p: Parse, i: Position, x: Expression, first: str) -> Found:
    """Behind "start with two letters": "and end with six digits", and what is said of what stands between."""
    for start in p.phrase(i, "and end/finish with|and end/finish in|, and end/finish with|, end/finish with"):
        for begin in (start, *p.phrase(start, "exactly")):
            for end, last in _whole_shape(p, begin):
                parts = (Matches(of=x, pattern=f"{first}(.|\\n)*"), Matches(of=x, pattern=f"(.|\\n)*{last}"))
                yield p.note(i, end, "at the end"), All(conditions=parts)
                for final in p.phrase(end, phrases.NOTHING_BETWEEN):
                    yield p.note(i, final, "the whole text"), Matches(of=x, pattern=first + last)
