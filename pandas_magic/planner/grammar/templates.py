"""Addresses shown by a template: "written as name@domain.tld", "in the form something@something.something"."""

from collections.abc import Iterator

from pandas_magic.constraints.algebra.conditions import Condition, Matches
from pandas_magic.constraints.algebra.expressions import Expression
from pandas_magic.planner.grammar import phrases
from pandas_magic.planner.grammar.chart import Parse, Position, rule
from pandas_magic.planner.grammar.named_formats import PATTERNS

Found = Iterator[tuple[Position, Condition]]
_EMAIL = "email address"
# Words that stand for any text; "campus.edu" would be that very domain.
_SOMEBODY = frozenset(
    ["name", "user", "local", "something", "x", "a", "someone", "you", "me", "first", "mail", "person"]
)
_DOMAINS = frozenset(["domain", "host", "something", "example", "company", "y", "b", "server", "provider", "site"])
_ENDINGS = frozenset(
    ["tld", "something", "com", "z", "c", "ending", "domain", "org", "suffix", "ext", "net", "extension"]
)


@rule
def address(p: Parse, i: Position) -> Iterator[tuple[Position, str]]:
    """A template of an email address: "name@domain.tld", "x@y.z", "something@something.something"."""
    name, sign = p.at(i), p.at(i + 1)
    if name is None or sign is None or sign.text != "@" or name.low not in _SOMEBODY:
        return
    for end in (i + 3, i + 5):
        said = "".join(token.low for token in p.tokens[i + 2 : end]).split(".")
        if end <= len(p.tokens) and len(said) == 2 and said[0] in _DOMAINS and said[1] in _ENDINGS:
            yield p.note(i, end, "what an email address is"), PATTERNS[_EMAIL][1]


def shown(p: Parse, i: Position) -> Iterator[Position]:
    """Where ", like name@domain.tld", "(name@domain.tld)", "of the form a@b.c" ends."""
    for start in p.phrase(i, phrases.SHOWN_AS):
        for end, _ in address(p, start):
            yield from (end, *p.phrase(end, ")"))


def like_an_address(p: Parse, i: Position, x: Expression) -> Found:
    """Like "have the form something@something.something", "be written as name@domain.tld"."""
    for start in p.seq_ends(
        i, f"{phrases.WRITTEN_LIKE}|{phrases.WRITTEN_OUT}", "?the|a|this", "?form|format|pattern|:"
    ):
        for end, pattern in address(p, start):
            yield end, Matches(of=x, pattern=pattern, format=_EMAIL)
