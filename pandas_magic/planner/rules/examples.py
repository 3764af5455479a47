"""Shapes shown by an example: "like AA-999", "(e.g. A12)"."""

import re
from collections.abc import Iterator

from pandas_magic.constraints.conditions import Condition, Matches
from pandas_magic.planner.rules import phrases
from pandas_magic.planner.rules.chart import Parse, Position, rule

_LETTERS, _DIGITS = "AL", "90#N"
_SIGNS = "-_/. :+"


@rule
def template(p: Parse, i: Position) -> Iterator[tuple[Position, str]]:
    """A text whose A stand for capital letters and whose 9 stand for digits: "AA-999-AA", "9999/99", "'AAA 999'"."""
    for end, sample in written_together(p, i):
        letters, digits = set(sample) & set(_LETTERS), set(sample) & set(_DIGITS)
        others = set(sample) - letters - digits
        repeated = re.search(r"(.)\1", sample)
        if len(letters) <= 1 and len(digits) == 1 and others <= set(_SIGNS) and repeated and len(sample) > 2:
            pattern = _runs(sample, {**dict.fromkeys(letters, "[A-Z]"), **dict.fromkeys(digits, "[0-9]")})
            yield p.note(i, end, "capital letters and digits in these places"), pattern


@rule
def figures(p: Parse, i: Position) -> Iterator[tuple[Position, str]]:
    """An example of digits and signs alone: "2024/25" stands for four digits, a slash and two digits."""
    for end, sample in written_together(p, i):
        if re.fullmatch(r"[0-9]+([-/.:][0-9]+)+", sample):
            digits = dict.fromkeys("0123456789", "[0-9]")
            yield p.note(i, end, "as many digits with these signs between them"), _runs(sample, digits)


def _runs(sample: str, classes: dict[str, str]) -> str:
    pattern = ""
    for run in re.findall(r"([0-9]+|#+|N+|[AL]+|.)", sample):
        said = classes.get(run[0])
        pattern += re.escape(run) if said is None else said + (f"{{{len(run)}}}" if len(run) > 1 else "")
    return pattern


def written_together(p: Parse, i: Position) -> Iterator[tuple[Position, str]]:
    """The text in quotes, or the longest stretch without a space, up to a stop or closing bracket at its end."""
    token = p.at(i)
    if token is None:
        return
    if token.kind == "text":
        yield p.note(i, i + 1, "an example"), str(token.value)
        return
    end = int(i) + 1
    # Hyphens between words are no tokens of their own.
    while end < len(p.tokens) and p.text[p.tokens[end - 1].end : p.tokens[end].start] in ("", "-"):
        end += 1
    while end > int(i) + 1 and p.tokens[end - 1].text in (".", ")", ",", ";", "!"):
        end -= 1
    p.at(end)
    yield p.note(i, end, "an example"), p.source(i, end).strip()


def with_sample(p: Parse, end: Position, condition: Condition) -> Iterator[tuple[Position, Condition]]:
    """The condition on a text, also with an example behind it, which has to fit."""
    yield end, condition
    if not isinstance(condition, Matches):
        return
    for start in p.phrase(end, phrases.FOR_EXAMPLE):
        for middle, sample in written_together(p, start):
            if re.fullmatch(condition.pattern, sample):
                for last in (middle, *p.phrase(middle, ")")):
                    yield p.note(end, last, "an example, which fits"), condition
            else:
                p.refuse(f'the example "{sample}" does not have the shape that the rule describes')
