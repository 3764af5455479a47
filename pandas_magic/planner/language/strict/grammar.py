"""The grammar as the data files say it: classes of phrases, and productions laid together in one trie a category."""

import tomllib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar

from pandas_magic.planner.language.strict.patterns import (
    PatternSlot,
    Phrases,
    Sequence,
    WordChoice,
    WordClass,
    sequences,
)
from pandas_magic.planner.language.strict.templates import Meaning, compiled

DATA = Path(__file__).parent / "data"
_WORDS = "words.toml"
Key = TypeVar("Key")


@dataclass(frozen=True)
class Production:
    """One line of the grammar. `cost` is its precedence: of several readings the one of least cost is meant."""

    category: str
    say: str
    mean: str
    functions: Mapping[str, Callable[..., Any]] = field(compare=False, repr=False)  # that `mean` may call
    cost: float = 0.0
    example: str = ""
    echo: str = ""
    note: str = ""

    @cached_property
    def meaning(self) -> Meaning:
        """What `mean` says, compiled for the first sentence that needs it: one needs few of the lines."""
        return compiled(self.mean, self.functions)


_NOTHING = Production("", "", "nothing()", {"nothing": lambda about: ()})


@dataclass(slots=True)
class Node:
    """A place in the trie of a category's sequences: what may stand next, and the productions that end here.

    The phrases of a class make a trie as well, whose name is that of the class in angle brackets.
    """

    words: dict[str, "Node"] = field(default_factory=dict)
    classes: dict[str, "Node"] = field(default_factory=dict)
    slots: dict[tuple[str, str, int], "Node"] = field(default_factory=dict)  # category, several, place of `about`
    ends: list[tuple[Production, tuple[str, ...]]] = field(default_factory=list)  # with the names of the slots


@dataclass
class Grammar:
    """Every category's trie; `grown` are the sequences that begin with their own category, behind that beginning."""

    productions: tuple[Production, ...]
    classes: dict[str, tuple[str, ...]]
    tries: dict[str, Node] = field(default_factory=dict)
    grown: dict[str, Node] = field(default_factory=dict)

    @cached_property
    def phrases(self) -> dict[str, frozenset[str]]:
        """The phrases of each class, for looking one up."""
        return {name: frozenset(phrases) for name, phrases in self.classes.items()}


def load(functions: Mapping[str, Callable[..., Any]], folder: Path = DATA) -> Grammar:
    """The grammar of the folder's files.

    Raises: PatternError for a line that cannot be used.
    """
    classes: dict[str, tuple[str, ...]] = {}
    lines: list[tuple[str, dict[str, Any]]] = []
    for path in sorted(folder.glob("*.toml")):
        content = tomllib.loads(path.read_text(encoding="utf-8"))
        if path.name == _WORDS:
            classes = {name: tuple(phrases) for name, phrases in content.items()}
        else:
            lines += [(category, line) for category, found in content.items() for line in found]
    productions = tuple(Production(category, functions=functions, **line) for category, line in lines)
    grammar = Grammar(productions, classes)
    for name, phrases in classes.items():
        _lay_phrases(grammar, f"<{name}>", (sequence for phrase in phrases for sequence in sequences(phrase)))
    for production in productions:
        for sequence in sequences(production.say):
            _lay(grammar, production, sequence)
    return grammar


def _lay_phrases(grammar: Grammar, name: str, phrases: Iterable[Sequence]) -> None:
    trie = grammar.tries.setdefault(name, Node())
    for sequence in phrases:
        for node in _nodes(grammar, trie, sequence):
            if not node.ends:
                node.ends.append((_NOTHING, ()))


def _lay(grammar: Grammar, production: Production, sequence: Sequence) -> None:
    names = tuple(piece.name for piece in sequence if isinstance(piece, PatternSlot))
    first = sequence[0]
    grows = isinstance(first, PatternSlot) and first.category == production.category and not first.several
    tries = grammar.grown if grows else grammar.tries
    trie = tries.setdefault(production.category, Node())
    for node in _nodes(grammar, trie, sequence[1:] if grows else sequence, names[:1] if grows else ()):
        node.ends.append((production, names))


def _nodes(grammar: Grammar, trie: Node, sequence: Sequence, names: tuple[str, ...] = ()) -> list[Node]:
    """The nodes at which the sequence ends."""
    nodes = [trie]
    for piece in sequence:
        if isinstance(piece, WordChoice):
            nodes = [_next(node.words, word) for node in nodes for word in piece.among]
        elif isinstance(piece, PatternSlot):
            key = (piece.category, piece.several, names.index(piece.about) if piece.about is not None else -1)
            nodes = [_next(node.slots, key) for node in nodes]
            names = (*names, piece.name)
        else:
            name = f"<{piece.name if isinstance(piece, WordClass) else piece.among}>"
            if isinstance(piece, Phrases) and name not in grammar.tries:
                _lay_phrases(grammar, name, piece.among)
            nodes = [_next(node.classes, name) for node in nodes]
    return nodes


def _next(following: dict[Key, Node], key: Key) -> Node:
    node = following.get(key)
    if node is None:  # made only where it lacks: sequences share most of their nodes
        node = following[key] = Node()
    return node
