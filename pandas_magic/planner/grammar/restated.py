"""A sentence put another way before it is read: its own words in another order, with a few put between.

What is left is read with the whole grammar, so that a question or "we never …" can say whatever a statement can.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence

from pandas_magic.constraints.algebra.rules import Constraint
from pandas_magic.planner.grammar.chart import Parse, Position, notes_of, position
from pandas_magic.planner.grammar.morphology import word_forms
from pandas_magic.planner.grammar.tokens import Token

Words = Sequence["int | str"]  # a token of the sentence by its place, or words that are put in
Reader = Callable[[Parse, Position, str], Iterator[tuple[Position, Constraint]]]
# These stand where a verb is looked for.
_VERB_LOOKED_FOR = ("must|", "may|")


class Restated(Parse):
    """An attempt to read the sentence of another one, put another way."""

    def __init__(self, p: Parse, said: Words) -> None:
        tokens, places = _put(p, said)
        super().__init__(tokens, p.text, p.schema, default=p.default, target=p.target)
        self.places = places
        self.put_in = frozenset(
            place for place, part in enumerate(part for one in said for part in _words(one)) if isinstance(part, str)
        )
        self.verbs_looked_for: set[int] = set()

    def phrase(self, start: Position, pattern: str) -> Iterable[Position]:
        """The ends of the pattern's alternatives that stand at `start`, remembering where verbs could."""
        if pattern.startswith(_VERB_LOOKED_FOR):
            self.verbs_looked_for.add(int(start))
        return super().phrase(start, pattern)

    def leaves_aside(self, end: Position) -> bool:
        """Words that were put in are in a part that is not checked: that part is what was asked for."""
        return any(
            "not checked" in meaning and not self.put_in.isdisjoint(range(first, behind))
            for first, behind, meaning in notes_of(end.trace)
        )

    def back(self, end: Position) -> object:
        """What is remembered of the words before `end`, about the sentence as it was written."""
        trace: object = None
        for first, behind, meaning in notes_of(end.trace):
            begin = self.places[first]
            trace = (trace, (begin, max(begin, self.places[behind - 1]) + 1, meaning))
        return trace


def _words(part: int | str) -> "Sequence[int | str]":
    return (part,) if isinstance(part, int) else part.split()


def _put(p: Parse, said: Words) -> tuple[tuple[Token, ...], tuple[int, ...]]:
    tokens: list[Token] = []
    places: list[int] = []
    here = 0
    for part in said:
        if isinstance(part, int):
            here = part
            tokens.append(p.tokens[part])
            places.append(part)
            continue
        beside = p.tokens[here]
        for word in part.split():
            tokens.append(Token(word, "word", beside.start, beside.end, word, word_forms(word)))
            places.append(here)
    return tuple(tokens), tuple(places)


def read_as(p: Parse, said: Words, table: str, reader: Reader) -> Iterator[tuple[Position, Constraint]]:
    """What the sentence says when it is put so."""
    other = Restated(p, said)
    for end, constraint in reader(other, position(0), table):
        if not other.leaves_aside(end):
            yield position(len(p.tokens), other.back(end)), constraint
    p.refusals.update(other.refusals)


def verbs_looked_for(p: Parse, said: Words, table: str, reader: Reader) -> list[int]:
    """Where, in the sentence as it was written, a statement made of these words could have its verb."""
    other = Restated(p, said)
    for _ in reader(other, position(0), table):
        pass
    return sorted({other.places[place] for place in other.verbs_looked_for if 0 < place < len(other.places)})
