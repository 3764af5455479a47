"""Atoms: the small conditions of which rules are made, each with the words that it rests on."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from pandas_magic.constraints.algebra.conditions import OPPOSITE, Relation
from pandas_magic.planner.language.loose.nodes import Node, Plain, compare, negated, normal, one_of, text_of
from pandas_magic.planner.language.loose.scene import Scene
from pandas_magic.planner.language.loose.terms import Term

Slot = tuple[str, int]
Slots = tuple[Slot, ...]
RELATIONS: tuple[Relation, ...] = ("==", "!=", "<", "<=", ">", ">=")
_OF_CUES: dict[str, str] = {
    "GE": ">=",
    "LE": "<=",
    "GT": ">",
    "LT": "<",
    "EQ": "==",
    "NE": "!=",
    "POSITIVE": ">",
    "NONNEG": ">=",
    "DEPEND": "==",
}
_EITHER_SIDE = (("or", "after"), ("or", "before"))  # "before the start or after the end"
# Which rows are judged is never said by how many there are, or by those beside them: in none of the frozen sentences.
_OF_SEVERAL_ROWS = (
    "unique", "uniquerow", "share", "count", "distinct", "depends", "prev", "gap ", "gap1 ", "group:", "timesgroup",
    "outlier", "notoutlier",
)  # fmt: skip
_OPEN_CUES = ("BETWEEN", "AGE", "NOW", "AGO", "WITHIN", "MINSTAT", "MAXSTAT", "ONLY")


@dataclass(frozen=True)
class Atom:
    """A condition in its normal form, its shape, and the mentions that it rests on.

    `said` is the same condition in the order of the words. `tier` says how loosely its columns are named;
    `about_table` that it judges the whole table.
    """

    node: Node
    shape: str
    slots: Slots
    tier: float
    about_table: bool
    key: str
    said: Node

    @cached_property
    def family(self) -> str:
        """The first word of the shape."""
        return self.shape.partition(" ")[0]

    @cached_property
    def chooses_rows(self) -> bool:
        """Whether it can say which rows are judged."""
        return not (self.about_table or self.shape.startswith(_OF_SEVERAL_ROWS))


@dataclass(frozen=True, slots=True)
class Scored:
    """An atom with how well it would do as which rows, where it can say that, and as what must hold."""

    atom: Atom
    as_where: float
    as_must: float


class AtomBag:
    """Atoms, each once, as most literally named."""

    def __init__(self) -> None:
        self.atoms: dict[str, Atom] = {}

    def add(self, node: Node, shape: str, slots: Slots, tier: float = 0.0, *, about_table: bool = False) -> None:
        """Keep the condition unless it is known already from words that name its columns as literally."""
        form = normal(node)
        key = text_of(form) + ("T" if about_table else "")
        known = self.atoms.get(key)
        if known is None or tier < known.tier:
            self.atoms[key] = Atom(form, shape, slots, tier, about_table, key, node)

    def on(self, term: Term, other: Term | None = None) -> "Grounds":
        """Where atoms about a term, or about two, are added."""
        if other is None:
            return Grounds(self, term.slots, term.tier)
        return Grounds(self, (*term.slots, ("C2", other.place)), term.tier + other.tier)


@dataclass(frozen=True, slots=True)
class Grounds:
    """The mentions that atoms rest on, each with `more` of its own, and how loosely these name their columns."""

    bag: AtomBag
    slots: Slots
    tier: float
    about_table: bool = False

    def add(self, node: Node, shape: str, *more: Slot) -> None:
        """Add the condition."""
        self.bag.add(node, shape, (*self.slots, *more), self.tier, about_table=self.about_table)

    def add_or_not(self, node: Node, shape: str, *more: Slot) -> None:
        """Add the condition, and that it does not hold."""
        self.add(node, shape, *more)
        self.add(negated(node), f"not{shape}", *more)

    def compare(self, left: Node, relations: Iterable[str], right: Node, shape: str, *more: Slot) -> None:
        """Add the two sides in each of the relations, for which a "?" stands in the shape."""
        for relation in relations:
            self.add(compare(left, relation, right), shape.replace("?", relation), *more)

    def among(self, of: Node, values: Sequence[Plain], label: str, *more: Slot) -> None:
        """Add that the value is one of these, and that it is none of them."""
        listed = one_of(of, values)
        self.add(listed, f"oneof {label}", *more)
        self.add(negated(listed), f"noneof {label}", *more)


def relations_of(scene: Scene) -> tuple[Relation, ...]:
    """The relations that the rule's words allow, each with its opposite; all when they do not say."""
    said = {relation for cue, relation in _OF_CUES.items() if cue in scene.cues}
    either_side = any(mention.words in _EITHER_SIDE for mention in scene.mentions)
    if not said or either_side or not scene.cues.isdisjoint(_OPEN_CUES):
        return RELATIONS
    both = {*said, *(OPPOSITE[relation] for relation in said)}  # type: ignore[index]
    return tuple(relation for relation in RELATIONS if relation in both)


def differing(scene: Scene) -> bool:
    """Whether a word says that something is not the same as something else."""
    return not scene.cues.isdisjoint(("NE", "EQ", "OWN", "UNIQUE", "UNLESS"))


def runs(places: Iterable[int], *, longest_gap: int = 4, most: int = 12) -> list[tuple[int, ...]]:
    """Stretches of mentions with little between them, the longest first: lists."""
    ordered = sorted(set(places))
    found = []
    for start in range(len(ordered)):
        for end in range(start + 2, min(len(ordered), start + 12) + 1):
            run = tuple(ordered[start:end])
            if run[-1] - run[-2] > longest_gap:
                break
            found.append(run)
    return sorted(found, key=len, reverse=True)[:most]
