"""Questions put as the statement that they hope for: "Has every user …?" as "every user must have …".

A question is read so where its form says what is hoped for: yes of "every", "each", "all" and "always", no of "any",
"ever" and "are there". What "Is the total above the limit?" hopes for is left open, and so is whatever is denied.
"""

from collections.abc import Iterator

from pandas_magic.constraints.algebra.rules import Constraint, RowRule
from pandas_magic.planner.grammar import phrases
from pandas_magic.planner.grammar.chart import Parse, Position, position
from pandas_magic.planner.grammar.restated import Reader, Words, read_as, verbs_looked_for

Read = Iterator[tuple[Position, Constraint]]
_BE, _DO, _HAVE = frozenset(["is", "are", "was", "were"]), frozenset(["do", "does", "did"]), frozenset(["has", "have"])
_AUXILIARIES = _BE | _DO | _HAVE
_ALL = frozenset(["every", "each", "all", "always", "both"])
_SOME = frozenset(["any", "ever", "anyone", "anybody", "some", "somebody", "someone", "most", "anything"])
_DENIED = frozenset(["not", "never", "no", "none", "nobody", "nothing", "neither"])
_BEFORE_QUESTION = frozenset(["if", "when", "whenever", "for", "in", "where", "apart", "except", "given", "unless"])
_DESCRIBING = frozenset(["that", "which", "who", "whose", "where", "if", "when", "unless", "with", "for"])
# "Is the share at most 10 %?", "Do both agree?": nobody asks so for what should not be.
_HOPEFUL = frozenset([
    "most", "least", "within", "between", "equal", "equals", "same", "match", "matches", "agree", "agrees",
    "correspond", "corresponds", "unique", "identical", "free", "valid", "<=", ">=", "exactly", "only", "multiple",
    "different", "distinct", "consistent", "constant",
])  # fmt: skip
_MORE_OR_LESS = "more than|fewer than|less than|over|under|too many|too few"
_LIMITS = "at least|at most|no more than|not more than|no fewer than|no less than|up to|between|exactly|enough"


def asked(p: Parse, table: str, reader: Reader) -> Read:
    """The readings of a question as a statement; none when the rule is no question or leaves open what is hoped for."""
    places = [place for place, token in enumerate(p.tokens) if token.text == "?"]
    if len(places) != 1:
        return
    mark = places[0]
    unwanted = _said_to_be_unwanted(p, mark)
    for start in _beginnings(p, mark) if unwanted or mark == len(p.tokens) - 1 else ():
        if p.tokens[start + 1].low not in _DENIED:
            yield from _question(p, table, reader, (start, mark, unwanted))


def _said_to_be_unwanted(p: Parse, mark: int) -> bool:
    """Behind the question mark stands "That must not be the case." or the like, and nothing else."""
    tail = p.seq_ends(position(mark + 1), f"{phrases.NONE_OF_THOSE}|that must/should not be the case", "?.|!")
    return any(end == len(p.tokens) for end in tail)


def _beginnings(p: Parse, mark: int) -> Iterator[int]:
    """Where the question itself can begin: "If an order is paid, is …?"."""
    for place in range(mark - 1):
        begun = place == 0 or (p.tokens[place - 1].text == "," and p.tokens[0].low in _BEFORE_QUESTION)
        if begun and p.tokens[place].low in _AUXILIARIES:
            yield place


def _question(p: Parse, table: str, reader: Reader, where: tuple[int, int, bool]) -> Read:
    start, mark, unwanted = where
    before, rest = tuple(range(start)), tuple(range(start + 1, mark))
    verb = p.tokens[start].low
    if p.tokens[start + 1].low == "there" and verb in _BE:
        yield from _there(p, table, reader, (before, rest[1:]), unwanted=unwanted)
    elif p.tokens[start + 1].low == "it" and verb in _BE | _DO:
        yield from _it(p, table, reader, start, mark)
    elif (said := _without_any(p, verb, rest)) is not None:
        yield from _none_may(p, table, reader, (before, said), verb)
    elif any(p.tokens[place].low == "ever" for place in rest):
        place = next(place for place in rest if p.tokens[place].low == "ever")
        said = (*before, *rest[: place - start - 1], "must never", *_auxiliary(verb), *rest[place - start :])
        yield from read_as(p, said, table, reader)
    elif _comes_first(p, rest, _LIMITS) and not unwanted:
        yield from _with_verb(p, table, reader, (before, rest), ("must", *_auxiliary(verb)))
    elif _comes_first(p, rest, "more than") and unwanted:
        yield from _with_verb(p, table, reader, ((*before, "no"), rest), ("may", *_auxiliary(verb)))
    elif not unwanted and _is_hoped_for(p, rest):
        yield from _with_verb(p, table, reader, (before, rest), ("must", *_auxiliary(verb)))


def _there(p: Parse, table: str, reader: Reader, said: tuple[Words, tuple[int, ...]], *, unwanted: bool) -> Read:
    """Behind "is there": "at least one …", "a meter for every reading"; "more than four …", "any …"."""
    before, rest = said
    if not rest or p.tokens[rest[0]].low in _DENIED:
        return
    one = p.tokens[rest[0]].low in ("a", "an", "one")
    for_each = any(
        p.tokens[place].low == "for" and p.tokens[place + 1].low in ("each", "every", "all") for place in rest[:-1]
    )
    if _comes_first(p, rest, _LIMITS) or (one and for_each):
        if not unwanted:
            yield from read_as(p, (*before, "there must be", *rest), table, reader)
        return
    if _comes_first(p, rest, _MORE_OR_LESS):
        for end, constraint in read_as(p, (*before, "there must not be", *rest), table, reader):
            # "Are there more than 100 orders?" can hope for either.
            if unwanted or isinstance(constraint, RowRule):
                yield end, constraint
        return
    bare = rest[1:] if one or p.tokens[rest[0]].low in ("any", "some") else rest
    yield from read_as(p, (*before, "there must be no", *bare), table, reader)


def _it(p: Parse, table: str, reader: Reader, start: int, mark: int) -> Read:
    """Like "Is it true that every order …?", "Does it ever happen that …?"."""
    true = (
        "be it true that|be it so that|be it the case that|be it ensured that|be it guaranteed that|be it certain that"
    )
    wrong = (
        "be it possible that|be it ever the case that|do it happen that|do it ever happen that|do it occur that|"
        "do it ever occur that|be it ever so that|be it possible for"
    )
    before = tuple(range(start))
    for end in p.phrase(position(start), true):
        yield from read_as(p, (*before, *range(end, mark)), table, reader)
    for end in p.phrase(position(start), wrong):
        opening = "it is forbidden for" if p.tokens[end - 1].low == "for" else "it must not happen that"
        yield from read_as(p, (*before, opening, *range(end, mark)), table, reader)


def _without_any(p: Parse, verb: str, rest: tuple[int, ...]) -> Words | None:
    """The words behind "do any", "is anybody", with "no" and "nobody" in the place of those; None for others."""
    first = p.tokens[rest[0]].low
    if first in ("anyone", "anybody", "somebody", "someone"):
        return ("nobody", *rest[1:])
    if first != "any":
        return None
    for end in p.phrase(position(rest[0]), "any of the|any of our|any of these"):
        return ("no", *rest[end - rest[0] :])
    return ("no", *rest[1:])


def _none_may(p: Parse, table: str, reader: Reader, said: tuple[Words, Words], verb: str) -> Read:
    before, rest = said
    spoken = tuple(part for part in rest if not isinstance(part, int) or p.tokens[part].low != "ever")
    yield from _with_verb(p, table, reader, (before, spoken), ("may", *_auxiliary(verb)))


def _with_verb(p: Parse, table: str, reader: Reader, said: tuple[Words, Words], verb: tuple[str, ...]) -> Read:
    """The statement with the verb put in wherever one is looked for behind its subject."""
    before, rest = said
    spoken = (*before, *rest)
    for place in verbs_looked_for(p, spoken, table, reader):
        if place not in rest or p.tokens[place].low in _DENIED:
            continue
        here = spoken.index(place)
        found = list(read_as(p, (*spoken[:here], *verb, *spoken[here:]), table, reader))
        yield from found
        if found:
            return  # "Are any parcels registered on …?" asks whether they are, and not about registered ones


def _auxiliary(verb: str) -> tuple[str, ...]:
    return ("be",) if verb in _BE else ("have",) if verb in _HAVE else ()


def _comes_first(p: Parse, rest: tuple[int, ...], pattern: str) -> bool:
    return any(True for _ in p.phrase(position(rest[0]), pattern))


def _is_hoped_for(p: Parse, rest: tuple[int, ...]) -> bool:
    """Said of every one, or of one thing in words that nobody uses for what should not be."""
    low = [p.tokens[place].low for place in rest]
    described = next((place for place, word in enumerate(low) if word in _DESCRIBING), len(low))
    if not _SOME.isdisjoint(low) or not _DENIED.isdisjoint(low[:described]):
        return False
    if low[0] in _ALL or not frozenset(["every", "each", "always"]).isdisjoint(low):
        return True
    hopeful = not _HOPEFUL.isdisjoint(low) or any(
        word == "or" and low[place + 1 : place + 2] in (["less"], ["lower"], ["more"], ["higher"], ["fewer"])
        for place, word in enumerate(low)
    )
    all_behind = any(
        word == "all"
        and (low[place - 1] in ("for", "in", "on", "across", "have") or low[place + 1 : place + 2] == ["have"])
        for place, word in enumerate(low)
    )
    named = low[0] in ("the", "our", "its") or "_" in low[0] or "." in low[0] or "all" in low
    return (named and hopeful) or all_behind
