"""The chart: every reading of a stretch of words as a category, each found once."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from pandas_magic.constraints import ColumnsRule
from pandas_magic.planner.language.strict.grammar import Grammar, Node
from pandas_magic.planner.language.strict.scene import About

MAX_STEPS = 40_000  # a sentence with more is taken apart in too many ways; about half a second
_ONLY_COMMAS = 0.2
_JOINTS = {
    "and": ("and", ", and", ",", "as well as", "but", ", but"),
    "or": ("or", ", or", ",", "nor", ", nor", "/", "|"),
}


class Parsed(NamedTuple):
    """A reading: where it ends, what it means, how far-fetched it is, and what it was made of."""

    end: int
    meaning: Any
    cost: float
    notes: tuple[Any, ...]


_Known = dict[tuple[str, str, int], list[Parsed]]  # by category, several, start


class _Place(NamedTuple):
    """What parts are read about, and those that were read of it."""

    about: About
    known: _Known


class Read(NamedTuple):
    """The part of a sequence that was read: what of, what its slots mean, and what that cost and was made of."""

    place: _Place
    bound: tuple[Any, ...] = ()
    cost: float = 0.0
    notes: tuple[Any, ...] = ()


class TooManyReadings(Exception):
    """The sentence can be taken apart in too many ways."""


Mentions = Callable[[int, About], list[Parsed]]


@dataclass(frozen=True)
class SpokenWords:
    """What is the same for every chart of a sentence, whichever table it is about.

    `forms` are the ways to look up each word, `can_begin` the categories that can begin with it; `ends` are those of
    phrases, by class, first word, and the words passed over.
    """

    forms: tuple[frozenset[str], ...]
    can_begin: tuple[frozenset[str], ...]
    ends: dict[tuple[str, int, frozenset[int]], list[int]] = field(default_factory=dict)


class Chart:
    """One sentence's readings; `mentions` read what names data."""

    def __init__(self, grammar: Grammar, spoken: SpokenWords, mentions: dict[str, Mentions]) -> None:
        self.grammar, self.spoken, self.mentions = grammar, spoken, mentions
        self.forms = spoken.forms
        self.known: dict[About, _Known] = {}
        self.steps = 0
        self.expected: set[str] = set()  # the words that could stand behind the last one
        self.wanted: set[tuple[str, About]] = set()  # the parts that could: category, and what they are read about
        self.furthest = 0  # the token behind the last one that was read
        self.skipped: frozenset[int] = frozenset()  # where words stand that may be passed over
        self.refer: Callable[[About, Any], About | None] = lambda about, meaning: about

    def read(self, category: str, start: int, about: About, several: str = "") -> list[Parsed]:
        """The readings that begin at `start`, the same meaning once for each end."""
        return self._read(category, start, self._of(about), several)

    def _of(self, about: About) -> _Place:
        return _Place(about, self.known.setdefault(about, {}))

    def _read(self, category: str, start: int, place: _Place, several: str = "") -> list[Parsed]:
        key = (category, several, start)
        found = place.known.get(key)
        if found is None:
            place.known[key] = []  # a category that begins with itself finds nothing there
            if several:
                found = _cheapest(self._several(category, start, place, several))
            elif category in self.mentions:
                found = self._mentioned(category, start, place.about)
            else:
                found = self._grow(category, start, place)
            place.known[key] = found
        return found

    def _mentioned(self, category: str, start: int, about: About) -> list[Parsed]:
        if start >= len(self.forms):
            self.wanted.add((category, about))
            return []
        found = _cheapest(self.mentions[category](start, about))
        self.furthest = max((self.furthest, *(one.end for one in found)))
        return found

    def words(self, word_class: str) -> frozenset[str]:
        """The phrases of the class, each one word."""
        return self.grammar.phrases[word_class]

    def ends(self, word_class: str, start: int) -> list[int]:
        """Where the phrases of the class that begin at `start` end."""
        if start >= len(self.forms):
            return [found.end for found in self.read(word_class, start, _NOBODY)]
        key = (word_class, start, self.skipped)
        found = self.spoken.ends.get(key)
        if found is None:
            found = self.spoken.ends[key] = [one.end for one in self.read(word_class, start, _NOBODY)]
        return found

    def _grow(self, category: str, start: int, place: _Place) -> list[Parsed]:
        trie = self.grammar.tries.get(category)
        found: list[Parsed] = []
        if trie is not None:
            self._walk(trie, start, Read(place), found)
            found = _cheapest(found)
        grown = self.grammar.grown.get(category)
        if grown is None or not found:
            return found
        seen = {(one.end, _told_apart(one.meaning)) for one in found}
        for one in found:  # grows while it is walked over
            more: list[Parsed] = []
            self._walk(grown, one.end, Read(place, (one.meaning,), one.cost, one.notes), more)
            for longer in more:
                if (longer.end, _told_apart(longer.meaning)) not in seen:
                    seen.add((longer.end, _told_apart(longer.meaning)))
                    found.append(longer)
        return found

    def _walk(self, node: Node, at: int, so_far: Read, found: list[Parsed]) -> None:
        """Put the readings of the rest of the sequences that come this far to those found."""
        self.steps += 1
        if self.steps > MAX_STEPS:
            raise TooManyReadings
        place, bound, cost, notes = so_far
        for production, names in node.ends:
            meaning = production.meaning(place.about, dict(zip(names, bound, strict=True)))
            if meaning is not None:
                found.append(Parsed(at, meaning, cost + production.cost, (*notes, production)))
        able = self._able(at)
        for following, end in self._next_words(node, at, able):
            self.furthest = max(self.furthest, end)
            self._walk(following, end, so_far, found)
        for (category, several, of), following in node.slots.items():
            if able is not None and category not in able:
                continue
            there = place
            if of >= 0:
                about = self.refer(place.about, bound[of])
                if about is None:
                    continue
                there = self._of(about)
            for one in self._read(category, at, there, several):
                made = Read(place, (*bound, one.meaning), cost + one.cost, (*notes, *one.notes))
                self._walk(following, one.end, made, found)

    def _able(self, at: int) -> frozenset[str] | None:
        """The categories that can begin here; None where all may be looked for."""
        return self.spoken.can_begin[at] if at < len(self.forms) and at not in self.skipped else None

    def _next_words(self, node: Node, at: int, able: frozenset[str] | None) -> list[tuple[Node, int]]:
        found = [(node, at + 1)] if at in self.skipped else []
        if at >= len(self.forms):
            self.expected.update(node.words)
        elif node.words and not node.words.keys().isdisjoint(self.forms[at]):
            found += [(node.words[form], at + 1) for form in sorted(self.forms[at] & node.words.keys())]
        for name, following in node.classes.items():
            if able is None or name in able:
                found += [(following, end) for end in self.ends(name, at)]
        return found

    def _several(self, category: str, start: int, place: _Place, several: str) -> list[Parsed]:
        """Lists joined by one word; between the earlier parts a comma will do."""
        words = ("and", "or") if len(several) == 1 else (several[1:],)
        found: list[Parsed] = []
        for first in self._read(category, start, place):
            alone = first._replace(meaning=(first.meaning,))
            if several[0] == "*":
                found.append(alone)
            for word in words:
                commas = len(several) == 1 and word == "and"
                found += self._longer(category, place, word, alone, commas=commas)
        return found

    def _longer(self, category: str, place: _Place, word: str, before: Parsed, *, commas: bool) -> Iterator[Parsed]:
        for end, is_comma in self._joints(before.end, word):
            for one in self._read(category, end, place):
                meaning = (*before.meaning, one.meaning)
                longer = Parsed(one.end, meaning, before.cost + one.cost, (*before.notes, *one.notes))
                if not is_comma:
                    yield longer
                elif commas:
                    yield longer._replace(cost=longer.cost + _ONLY_COMMAS)
                yield from self._longer(category, place, word, longer, commas=commas and is_comma)

    def _joints(self, at: int, word: str) -> list[tuple[int, bool]]:
        found = []
        for joint in _JOINTS[word]:
            words = joint.split()
            here = self.forms[at : at + len(words)]
            if len(here) == len(words) and all(part in forms for part, forms in zip(words, here, strict=True)):
                found.append((at + len(words), joint == ","))
        return found


_NOBODY = About("")


def _cheapest(found: list[Parsed]) -> list[Parsed]:
    """The readings, each meaning once for each end."""
    if len(found) <= 1:
        return found
    best: dict[tuple[int, Any], Parsed] = {}
    for one in found:
        key = (one.end, _told_apart(one.meaning))
        known = best.get(key)
        if known is None or one.cost < known.cost:
            best[key] = one
    return list(best.values())


def _told_apart(meaning: object) -> object:
    """What tells meanings apart; rules about columns hold a mapping, which nothing can be looked up by."""
    return meaning.model_dump_json() if isinstance(meaning, ColumnsRule) else meaning
