"""What each part of a sentence can begin with: where the word at hand rules a part out, it need not be tried."""

from collections.abc import Iterable, Iterator, Mapping

from pandas_magic.planner.language.strict.grammar import Node


class Openings:
    """The categories by their first words; `tries` are the sequences of each, a class of words is named "<class>"."""

    def __init__(self, tries: Mapping[str, Node]) -> None:
        self.tries = tries
        self.empty: frozenset[str] = frozenset()  # categories of which nothing need be said
        while (empty := frozenset(name for name in tries if self._can_be_empty(tries[name]))) != self.empty:
            self.empty = empty
        self._begun: dict[str, set[str]] = {}
        for name, trie in tries.items():
            for first in self._firsts(trie):
                self._begun.setdefault(first, set()).add(name)
        self._known: dict[str, frozenset[str]] = {}

    def of(self, forms: Iterable[str], told: Iterable[str]) -> frozenset[str]:
        """The categories that can begin with a word of these forms, which tells what these categories do."""
        firsts = (*forms, *(f"{{{name}}}" for name in told))
        return self.empty.union(*map(self.begun_by, firsts))

    def begun_by(self, first: str) -> frozenset[str]:
        """The categories that can begin with a word, or with a part that is told by its name in braces."""
        found = self._known.get(first)
        if found is None:
            reached = {first[1:-1]} if first[0] == "{" else set()
            waiting = list(self._begun.get(first, ()))
            while waiting:
                name = waiting.pop()
                if name not in reached:
                    reached.add(name)
                    waiting += self._begun.get(name if name[0] == "<" else f"{{{name}}}", ())
            found = self._known[first] = frozenset(reached)
        return found

    def _can_be_empty(self, node: Node) -> bool:
        return bool(node.ends) or any(self._can_be_empty(one) for name, one in self._parts(node) if name in self.empty)

    def _firsts(self, node: Node) -> Iterator[str]:
        yield from node.words
        for name, following in self._parts(node):
            yield name if name[0] == "<" else f"{{{name}}}"
            if name in self.empty:
                yield from self._firsts(following)

    @staticmethod
    def _parts(node: Node) -> Iterator[tuple[str, Node]]:
        yield from node.classes.items()
        yield from ((category, following) for (category, _, _), following in node.slots.items())
