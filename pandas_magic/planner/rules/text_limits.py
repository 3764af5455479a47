"""How long a text may be, and that it is not of a format: "exceeds 40 characters", "a malformed email address"."""

from collections.abc import Iterator

from pandas_magic.constraints.conditions import Compare, Condition, Matches, Relation
from pandas_magic.constraints.expressions import Column, Expression, TextLength, Value
from pandas_magic.planner.rules import lexicon as words
from pandas_magic.planner.rules import phrases
from pandas_magic.planner.rules.chart import Parse, Position
from pandas_magic.planner.rules.logic import negate
from pandas_magic.planner.rules.morphology import name_words
from pandas_magic.planner.rules.named_formats import PATTERNS
from pandas_magic.planner.rules.values import whole

Found = Iterator[tuple[Position, Condition]]
_CHARACTERS = "character|char|symbol|letter|sign"
_SIDES: tuple[tuple[Relation, str], ...] = (
    ("<=", "at most|at the most|maximum|max|or less|or fewer|at a maximum|or shorter|tops"),
    (">=", "at least|minimum|min|or more|at a minimum|or longer"),
)
_LONG = "long|in length|of length|of text"


def limited(p: Parse, i: Position, x: Expression) -> Found:
    """Said of a text: "exceed 40 characters", "fit in 40 characters", "have 40 characters at most"."""
    length = TextLength(of=x)
    verbs: tuple[tuple[Relation, str], ...] = ((">", words.EXCEED), ("<=", phrases.FIT_IN))
    for relation, said in verbs:
        for end, (count,) in p.seq(i, said, whole, _CHARACTERS):
            limit = Compare(relation=relation, left=length, right=Value(value=count))
            yield from ((last, limit) for last in (p.note(i, end, "how many characters"), *p.phrase(end, _LONG)))
    for end, condition in _judged_behind(p, i, length):
        yield end, condition


def _judged_behind(p: Parse, i: Position, length: TextLength) -> Found:
    for start in p.phrase(i, "be|have|contain|count|comprise|be up to"):
        for middle, (count,) in p.seq(start, whole, _CHARACTERS):
            for after in (middle, *p.phrase(middle, _LONG)):
                for relation, said in _SIDES:
                    for end in p.phrase(after, said):
                        noted = p.note(i, end, "how many characters")
                        yield noted, Compare(relation=relation, left=length, right=Value(value=count))


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
