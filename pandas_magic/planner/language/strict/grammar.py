"""The grammar as the data files say it: classes of phrases, and productions laid together in one trie a category."""

import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from pandas_magic.planner.language.strict.patterns import (
    PatternError,
    PatternSlot,
    Phrases,
    Sequence,
    WordChoice,
    WordClass,
    sequences,
)
from pandas_magic.planner.language.strict.templates import Meaning, compiled, names_in

DATA = Path(__file__).parent / "data"
_WORDS = "words.toml"
Key = TypeVar("Key")


@dataclass(frozen=True)
class Production:
    """One line of the grammar. `cost` is its precedence: of several readings the one of least cost is meant."""

    category: str
    say: str
    meaning: Meaning
    cost: float = 0.0
    example: str = ""
    echo: str = ""
    note: str = ""


_NOTHING = Production("", "", lambda about, scope: ())


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
    laid = [(_production(category, line, functions), _laid(line["say"], line["mean"])) for category, line in lines]
    grammar = Grammar(tuple(production for production, _ in laid), classes)
    for name, phrases in classes.items():
        _lay_phrases(grammar, f"<{name}>", tuple(sequence for phrase in phrases for sequence in sequences(phrase)))
    for production, found in laid:
        for sequence in found:
            _lay(grammar, production, sequence)
    return grammar


def _production(category: str, line: dict[str, Any], functions: Mapping[str, Callable[..., Any]]) -> Production:
    rest = {name: line[name] for name in ("cost", "example", "echo", "note") if name in line}
    return Production(category, line["say"], compiled(line["mean"], functions), **rest)


def _laid(say: str, mean: str) -> tuple[Sequence, ...]:
    used, found = names_in(mean) - {"it"}, sequences(say)
    for sequence in found:
        if unknown := used - {piece.name for piece in sequence if isinstance(piece, PatternSlot)}:
            raise PatternError(f"{say!r} lacks the slot {sorted(unknown)}")
    return found


def _lay_phrases(grammar: Grammar, name: str, phrases: tuple[Sequence, ...]) -> None:
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


def _nodes(grammar: Grammar, trie: Node, sequence: Sequence, names: tuple[str, ...] = ()) -> Iterator[Node]:
    """The nodes at which the sequence ends."""
    if not sequence:
        yield trie
        return
    piece, rest = sequence[0], sequence[1:]
    if isinstance(piece, WordChoice):
        for word in piece.among:
            yield from _nodes(grammar, _next(trie.words, word), rest, names)
        return
    if isinstance(piece, PatternSlot):
        place = names.index(piece.about) if piece.about is not None else -1
        key = (piece.category, piece.several, place)
        yield from _nodes(grammar, _next(trie.slots, key), rest, (*names, piece.name))
        return
    name = f"<{piece.name if isinstance(piece, WordClass) else piece.among}>"
    if isinstance(piece, Phrases) and name not in grammar.tries:
        _lay_phrases(grammar, name, piece.among)
    yield from _nodes(grammar, _next(trie.classes, name), rest, names)


def _next(following: dict[Key, Node], key: Key) -> Node:
    node = following.get(key)
    if node is None:  # made only where it lacks: sequences share most of their nodes
        node = following[key] = Node()
    return node
