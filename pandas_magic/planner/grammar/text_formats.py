"""Formats of texts: "follow the format …", "deviate from …", "in another format than …", "a malformed email"."""

import re
from collections.abc import Iterator

from pandas_magic.constraints.algebra.conditions import All, Condition, Matches, Not
from pandas_magic.constraints.algebra.expressions import Column, Expression
from pandas_magic.planner.grammar import examples, phrases, templates, text_mixtures, text_shapes
from pandas_magic.planner.grammar.chart import Parse, Position
from pandas_magic.planner.grammar.logic import negate
from pandas_magic.planner.grammar.morphology import name_words
from pandas_magic.planner.grammar.named_formats import PATTERNS

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
    for start in p.phrase(i, phrases.MADE_UP_OF):
        for end, pattern in _whole_shape(p, start):
            yield p.note(i, end, "the whole text"), Matches(of=x, pattern=pattern)
    # "Anything but a number" is about a value, "in another format than one digit" about a shape.
    for said, shape in ((phrases.IN_ANOTHER_FORMAT, text_shapes.longest), (phrases.ANYTHING_BUT, _whole_shape)):
        for start in p.phrase(i, said):
            for end, pattern in (*templates.address(p, start), *shape(p, start)):
                named = "email address" if pattern == PATTERNS["email address"][1] else None
                yield p.note(i, end, "another shape"), Not(condition=Matches(of=x, pattern=pattern, format=named))


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


def then_only(p: Parse, i: Position, x: Expression, first: str) -> Found:
    """Behind "start with +": "and contain only digits after that"."""
    for start in p.phrase(i, phrases.ONLY_CONTAIN):
        for middle, letters in text_mixtures.only_these(p, start):
            for end in p.phrase(middle, phrases.BEHIND_THAT):
                yield p.note(i, end, "the whole text"), Matches(of=x, pattern=f"{first}[{letters}]+")


def _then_ends(p: Parse, i: Position, x: Expression, first: str) -> Found:
    """Behind "start with two letters": "and end with six digits", and what is said of what stands between."""
    for start in p.phrase(i, "and end/finish with|and end/finish in|, and end/finish with|, end/finish with"):
        for begin in (start, *p.phrase(start, "exactly")):
            for end, last in _whole_shape(p, begin):
                parts = (Matches(of=x, pattern=f"{first}(.|\\n)*"), Matches(of=x, pattern=f"(.|\\n)*{last}"))
                yield p.note(i, end, "at the end"), All(conditions=parts)
                for final in p.phrase(end, phrases.NOTHING_BETWEEN):
                    yield p.note(i, final, "the whole text"), Matches(of=x, pattern=first + last)


def malformed(p: Parse, i: Position, x: Expression) -> Found:
    """Like "a malformed email address"; "invalid" alone where the column is called by the name of a format."""
    if not any(True for start in (i, *p.phrase(i, "a|an")) for _ in p.phrase(start, phrases.MALFORMED)):
        return
    name = " ".join(name_words(x.name)) if isinstance(x, Column) else ""
    for format_name, (said, pattern) in PATTERNS.items():
        wrong = negate(Matches(of=x, pattern=pattern, format=format_name))
        # Only the longest: in "malformed email addresses" no other address is a malformed email.
        for end in sorted(p.seq_ends(i, "?a|an", phrases.MALFORMED, said, "?format"))[-1:]:
            yield p.note(i, end, f"not of the format {format_name}"), wrong
        for end in p.seq_ends(i, "?a|an", phrases.MALFORMED) if name in said.split("|") else ():
            yield p.note(i, end, f"not of the format {format_name}"), wrong
