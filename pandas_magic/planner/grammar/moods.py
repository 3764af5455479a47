"""The words around a verb that say mood and polarity: "must", "may not", "has never"."""

from collections.abc import Iterator

from pandas_magic.planner.grammar import lexicon as words
from pandas_magic.planner.grammar import phrases
from pandas_magic.planner.grammar.chart import Parse, Position, rule

_LESS_THAN_DENIED = frozenset(
    [
        "always",
        "all",
        "both",
        "each",
        "necessarily",
        "either",
        "every",
        "only",
        "just",
        "limited",
        "restricted",
        "confined",
        "capped",
    ]
)

_WANTED = frozenset(("want", "wants", "expect", "expects", "need", "needs", "require", "requires", "like"))

# A mood is "is" (inside conditions), "must" (what a rule demands) or "may" (what "no row" is allowed).


@rule
def head(p: Parse, i: Position, mood: str) -> Iterator[tuple[Position, bool]]:
    """The words before the main verb that say mood and polarity, as "is negated"."""
    for end, negated in _heads(p, i, mood):
        yield end, negated
        for last in p.phrase(end, words.ADVERBS if negated or mood == "may" else f"{words.ADVERBS}|both|each|all"):
            yield last, negated


def _heads(p: Parse, i: Position, mood: str) -> Iterator[tuple[Position, bool]]:
    yield i, False
    for end in p.phrase(i, "do not|never|do never|not"):
        yield p.note(i, end, "not"), True
    for end in p.phrase(i, "be never|be not ever|be never ever"):
        yield p.note(i, end, "not"), True
    yield from _perfect_denied(p, i)
    if mood == "is":
        for end in p.phrase(i, "do|have ever|do ever"):
            yield end, False
        return
    yield from _modal_heads(p, i, mood)


def _perfect_denied(p: Parse, i: Position) -> Iterator[tuple[Position, bool]]:
    """Like "Have never (made a trip)": what follows is read as if nothing stood between."""
    for end in p.phrase(i, "have never|have not|have not yet|have not ever"):
        token = p.at(end)
        if token is not None and token.low.endswith(("ed", "t", "n", "e", "d")) and token.low not in ("a", "an", "the"):
            yield p.note(i, end, "not"), True


def _modal_heads(p: Parse, i: Position, mood: str) -> Iterator[tuple[Position, bool]]:
    for end in p.seq_ends(i, words.MUST, f"?{words.ADVERBS}"):
        yield p.note(i, end, "must"), False
    for end in p.seq_ends(i, words.MUST, "?always|also", phrases.NEVER_AFTER_MUST):
        yield p.note(i, end, "must not"), True
    for end in p.seq_ends(i, words.MAY, "?also", phrases.NEVER_AFTER_MAY):
        yield p.note(i, end, "must not"), True
    if i > 2 and not _WANTED.isdisjoint(token.low for token in p.tokens[: min(i, 4)]):
        # "We want every order to have a date"
        yield from ((p.note(i, end, "must"), False) for end in p.phrase(i, "to"))
        yield from ((p.note(i, end, "must not"), True) for end in p.phrase(i, "not to|to not|never to|to never"))
    for end in p.phrase(i, words.FORBIDDEN_TO):
        yield p.note(i, end, "must not"), True
    if mood == "may":
        for end in p.phrase(i, f"{words.MAY}|{words.MAY.replace('|', ' ever|')} ever"):
            yield p.note(i, end, "may"), False
    if mood == "must":
        for end in p.phrase(i, words.MUST_ONLY):
            yield p.note(i, end, "must, and nothing else"), False


def is_negated(p: Parse, i: Position) -> bool:
    """One of the next words is a negation."""
    return any(token.low in ("not", "never") for token in p.tokens[i : i + 4])


def half_negated(p: Parse, i: Position, end: Position | None = None) -> bool:
    """Like "Must not always be", "may not both be": less is denied than the rest says, so it cannot be turned round."""
    near = [token.low for token in p.tokens[i : i + 5 if end is None else end]]
    return any(low in _LESS_THAN_DENIED for low in near)
