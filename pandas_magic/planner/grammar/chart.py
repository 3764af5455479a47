"""The parse itself: every way in which a stretch of tokens can be read, each found once.

A grammar rule is a function `(parse, start, …)` that yields `(end, meaning)` for every reading that begins at
`start`. `rule` remembers its answers, so that the work is polynomial, and keeps apart what means the same.
A position carries its `trace`: how each word before it was understood.
"""

from collections.abc import Callable, Hashable, Iterable, Iterator
from functools import lru_cache, wraps
from itertools import product
from typing import Any, TypeVar

from pandas_magic.planner.grammar.schema import SchemaIndex
from pandas_magic.planner.grammar.tokens import Token

Meaning = TypeVar("Meaning")
Readings = Iterator[tuple["Position", Meaning]]
Rests = dict[str, tuple[tuple[str, ...], ...]]  # the words that can follow each first word of a pattern
Part = "str | Callable[[Parse, Position], Readings[Any]]"
# Sentences with very many readings are refused rather than searched without end.
MAX_STEPS = 60_000


class TooManyReadings(Exception):
    """The sentence can be taken apart in too many ways."""


class Position(int):
    """An index into the tokens that knows how the tokens before it were understood."""

    trace: object = None


def position(index: int, trace: object = None) -> Position:
    """The position at `index`, reached by `trace`."""
    at = Position(index)
    at.trace = trace
    return at


class Parse:
    """The state of one attempt to read `tokens`: what was found, how far it came, which words could come next."""

    def __init__(
        self, tokens: tuple[Token, ...], text: str, schema: SchemaIndex, *, default: str, target: str | None
    ) -> None:
        self.tokens, self.text, self.schema, self.default, self.target = tokens, text, schema, default, target
        self.memo: dict[tuple[Hashable, ...], list[tuple[Position, Any]]] = {}
        self.spans: dict[int, list[tuple[int, tuple[str, ...]]]] = {}  # what could be a name, by where it begins
        self.furthest = 0
        self.steps = 0
        self.expected: set[str] = set()  # what could stand after the last token
        self.refusals: dict[str, None] = {}  # why readings were dropped, in order

    def at(self, index: int) -> Token | None:
        """The token at the index, or None behind the last one."""
        if index > self.furthest:
            self.furthest = int(index)
        return self.tokens[index] if index < len(self.tokens) else None

    def phrase(self, start: Position, pattern: str) -> Iterable[Position]:
        """The ends of the pattern's alternatives that stand at `start`."""
        if start > self.furthest:
            self.furthest = int(start)
        rests_by_first = compiled(pattern)
        if start >= len(self.tokens):
            self.expected.update(rests_by_first)
            return ()
        forms = self.tokens[start].forms
        return () if rests_by_first.keys().isdisjoint(forms) else self._ends(start, forms, rests_by_first)

    def _ends(self, start: Position, forms: frozenset[str], rests_by_first: Rests) -> Iterator[Position]:
        for form in forms:
            for rest in rests_by_first.get(form, ()):
                end = self._rest(int(start) + 1, rest)
                if end is not None:
                    yield position(end, start.trace)

    def _rest(self, index: int, words: tuple[str, ...]) -> int | None:
        for word in words:
            token = self.at(index)
            if token is None:
                self.expected.add(word)
                return None
            if word not in token.forms:
                return None
            index += 1
        return index

    def seq(self, start: Position, *parts: Any) -> Iterable[tuple[Position, list[Any]]]:
        """The readings of the parts one after another, with the meanings of those that are not plain words.

        A part is a pattern of words, "?" and a pattern that may be left out, or a grammar rule.
        """
        if not parts:
            return ((start, []),)
        first, *rest = parts
        if isinstance(first, str):
            middles = self._words(start, first)
            if not rest:
                return ((middle, []) for middle in middles) if middles else ()
            return self._behind(middles, rest) if middles else ()
        return self._with_meaning(first(self, start), rest)

    def _behind(self, middles: Iterable[Position], rest: list[Any]) -> Iterator[tuple[Position, list[Any]]]:
        for middle in middles:
            yield from self.seq(middle, *rest)

    def _with_meaning(self, found: Readings[Any], rest: list[Any]) -> Iterator[tuple[Position, list[Any]]]:
        for middle, meaning in found:
            for end, meanings in self.seq(middle, *rest):
                yield end, [meaning, *meanings]

    def _words(self, start: Position, part: str) -> Iterable[Position]:
        return (start, *self.phrase(start, _without_mark(part))) if part[0] == "?" else self.phrase(start, part)

    def seq_ends(self, start: Position, *parts: Any) -> Iterator[Position]:
        """Where the parts, one after another, can end."""
        for end, _ in self.seq(start, *parts):
            yield end

    def note(self, start: Position, end: int, meaning: str) -> Position:
        """The end, remembering that the tokens from start to end were understood as `meaning`.

        Where `end` was reached from `start` by other rules, what they remember is kept.
        """
        before = end.trace if isinstance(end, Position) and end.trace else start.trace
        return position(end, (before, (int(start), int(end), meaning)))

    def source(self, start: int, end: int) -> str:
        """The text of the tokens from start to end, as the person wrote it."""
        return self.text[self.tokens[start].start : self.tokens[end - 1].end]

    def refuse(self, reason: str) -> None:
        """Remember why a reading was dropped, for the message when none is left."""
        self.refusals[reason] = None


def rule(function: Callable[..., Iterable[tuple[Any, Any]]]) -> Callable[..., Any]:
    """A grammar rule whose readings at one place are found once and kept without repetition."""
    name = function.__qualname__ + function.__module__

    @wraps(function)
    def remembered(parse: Parse, start: Position, *arguments: Hashable) -> Iterator[tuple[Position, Any]]:
        key = (name, int(start), *arguments)
        known = parse.memo.get(key)
        if known is None:
            parse.memo[key] = []  # a rule that begins with itself finds nothing there
            known = _without_repetition(parse, function(parse, position(start), *arguments))
            parse.memo[key] = known
        prefix = start.trace
        for end, meaning in known:
            yield position(end, (prefix, end.trace) if end.trace else prefix), meaning

    return remembered


def _without_repetition(parse: Parse, found: Iterable[tuple[Position, Any]]) -> list[tuple[Position, Any]]:
    seen: set[tuple[int, Any]] = set()
    kept = []
    for end, meaning in found:
        parse.steps += 1
        if parse.steps > MAX_STEPS:
            raise TooManyReadings
        if (int(end), meaning) not in seen:
            seen.add((int(end), meaning))
            kept.append((end, meaning))
    return kept


def notes_of(trace: object) -> list[tuple[int, int, str]]:
    """What a trace remembers, in the order of the sentence: (first token, token behind the last, meaning)."""
    if trace is None:
        return []
    assert isinstance(trace, tuple)
    if len(trace) == 3:
        return [trace]
    before, after = trace
    return notes_of(before) + notes_of(after)


VAGUELY = ", by a part of its name"


def vagueness(trace: object) -> int:
    """How many columns are named by a part of their name only."""
    return sum(meaning.endswith(VAGUELY) for _, _, meaning in notes_of(trace))


@lru_cache(maxsize=4096)
def compiled(pattern: str) -> Rests:
    """The pattern's word sequences by their first word.

    "|" parts alternatives, "[x]" may be left out, "a/b" is one of the words.
    """
    by_first: dict[str, list[tuple[str, ...]]] = {}
    for alternative in pattern.split("|"):
        for words in product(*(_choices(part) for part in alternative.split())):
            sequence = tuple(word for choice in words for word in choice.split("_") if word)
            if sequence and sequence[1:] not in by_first.setdefault(sequence[0], []):
                by_first[sequence[0]].append(sequence[1:])
    return {first: tuple(rests) for first, rests in by_first.items()}


@lru_cache(maxsize=4096)
def _without_mark(pattern: str) -> str:
    """The same text object each time, which is looked up faster than a new one."""
    return pattern[1:]


def after_be(pattern: str) -> str:
    """The pattern's alternatives, each behind "be"."""
    return "|".join(f"be {alternative}" for alternative in pattern.split("|"))


def _choices(part: str) -> tuple[str, ...]:
    if part in ("/", "+/-"):
        return (part,)
    if part.startswith("[") and part.endswith("]") and len(part) > 2:
        return ("", *part[1:-1].split("/"))
    return tuple(part.split("/"))
