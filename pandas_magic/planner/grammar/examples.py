"""Shapes shown by an example: "like AA-999", "(e.g. A12)"."""

import re
from collections.abc import Iterator

from pandas_magic.constraints.algebra.conditions import Condition, Matches
from pandas_magic.planner.grammar import phrases, text_mixtures
from pandas_magic.planner.grammar.chart import Parse, Position, rule

_DIGITS = "90#"
_SIGNS = "-_/. :+"


@rule
def template(p: Parse, i: Position) -> Iterator[tuple[Position, str]]:
    """A text whose A stand for capital letters and whose 9 stand for digits: "AA-999-AA", "9999/99", "'AAA 999'"."""
    for end, sample in written_together(p, i):
        runs = re.findall(r"9+|0+|#+|[A-Z]+|.", sample)
        digits = [run for run in runs if set(run) & set(_DIGITS) and len(set(run)) == 1]
        literal = re.sub(r"[A-Z90#]", "", sample)
        if digits and len({run[0] for run in digits}) == 1 and set(literal) <= set(_SIGNS) and _repeats(digits, runs):
            pattern = "".join(_of_run(run) for run in runs)
            yield p.note(i, end, "A for a capital letter, 9 for a digit, the rest as it stands"), pattern


@rule
def figures(p: Parse, i: Position) -> Iterator[tuple[Position, str]]:
    """An example of digits and signs alone: "2024/25" stands for four digits, a slash and two digits."""
    for end, sample in written_together(p, i):
        if re.fullmatch(r"[0-9]+([-/.:][0-9]+)+", sample):
            digits = dict.fromkeys("0123456789", "[0-9]")
            yield p.note(i, end, "as many digits with these signs between them"), _runs(sample, digits)


def _repeats(digits: list[str], runs: list[str]) -> bool:
    # "A-9" could stand for itself.
    return any(len(run) > 1 for run in digits) or any(len(run) > 1 and set(run) == {"A"} for run in runs)


def _of_run(run: str) -> str:
    letters = "[A-Z]" if set(run) == {"A"} else "[0-9]" if run[0] in _DIGITS else None
    return re.escape(run) if letters is None else letters + (f"{{{len(run)}}}" if len(run) > 1 else "")


def _runs(sample: str, classes: dict[str, str]) -> str:
    pattern = ""
    for run in re.findall(r"([0-9]+|.)", sample):
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
    """The condition on a text, also with "nothing else" or an example behind it, which has to fit."""
    yield end, condition
    if not isinstance(condition, Matches):
        return
    for last, pattern in text_mixtures.or_at_the_end(p, end, condition.pattern):
        yield from with_sample(p, last, condition.model_copy(update={"pattern": pattern}))
    for last in _said_again(p, end, condition.pattern):
        yield from with_sample(p, p.note(end, last, "the whole text, as it is"), condition)
    for start in p.phrase(end, phrases.FOR_EXAMPLE):
        for middle, sample in written_together(p, start):
            if re.fullmatch(condition.pattern, sample):
                for last in (middle, *p.phrase(middle, ")")):
                    yield p.note(end, last, "an example, which fits"), condition
            else:
                p.refuse(f'the example "{sample}" does not have the shape that the rule describes')


def _said_again(p: Parse, i: Position, pattern: str) -> Iterator[Position]:
    """Where "nothing else" ends, and "no spaces" where the pattern has no room for any."""
    yield from p.phrase(i, phrases.NOTHING_ELSE)
    if not re.search(r"[ .\\]", re.sub(r"\\[d.\-+/S]", "", pattern)):
        yield from p.phrase(i, phrases.NO_SPACES)
