"""The domain behind the @ of an address: "belongs to the domain example.org", "with another domain than …"."""

import re
from collections.abc import Iterator

from pandas_magic.constraints.algebra.conditions import Condition, HasText
from pandas_magic.constraints.algebra.expressions import Expression
from pandas_magic.planner.grammar import phrases
from pandas_magic.planner.grammar.chart import Parse, Position, position
from pandas_magic.planner.grammar.logic import any_of, negate

Found = Iterator[tuple[Position, Condition]]
_DOMAIN = re.compile(r"[a-z0-9][a-z0-9-]*(\.[a-z0-9-]+)*\.[a-z]{2,}", re.IGNORECASE)


def domain_name(p: Parse, i: Position) -> Iterator[tuple[Position, str]]:
    """Like "example.org", "@example.org", as the end of an address."""
    sign = p.at(i)
    start = position(i + 1, i.trace) if sign is not None and sign.text == "@" else i
    token = p.at(start)
    if token is None or token.kind not in ("word", "text"):
        return
    text = str(token.value).removeprefix("@")
    if _DOMAIN.fullmatch(text) and (start == i or p.tokens[start - 1].end == token.start):
        yield p.note(i, start + 1, f"the domain {text}"), f"@{text}"


def _domains(p: Parse, i: Position) -> Iterator[tuple[Position, tuple[str, ...]]]:
    for end, first in domain_name(p, i):
        yield end, (first,)
        for middle in p.phrase(end, "or|, or|,"):
            for last, rest in _domains(p, middle):
                yield last, (first, *rest)


def of_a_domain(p: Parse, i: Position, x: Expression) -> Found:
    """What an address does or is: "belongs to the domain …", "of the domain …", "with another domain than …"."""
    for said, holds in ((phrases.OF_THE_DOMAIN, True), (phrases.OF_ANOTHER_DOMAIN, False)):
        for start in p.phrase(i, said):
            for end, found in _domains(p, start):
                condition = any_of(*(HasText(of=x, where="end", text=text) for text in found))
                yield p.note(i, end, "behind the @"), condition if holds else negate(condition)
