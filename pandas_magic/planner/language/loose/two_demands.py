"""Two demands of one sentence, each for rows of its own: "at least 20 for plus members, at least 10 for basic ones"."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pandas_magic.planner.language.loose.atoms import Atom, Scored
from pandas_magic.planner.language.loose.nodes import Node, either, negated, normal
from pandas_magic.planner.language.loose.scene import Scene

_JOINTS = frozenset((",", ";", ".", ":", "and", "but", "while", "whereas", "-", "–", "otherwise", "else"))
_THE_REST = frozenset(("otherwise", "else", "others", "rest"))
_MOST_SPLITS = 4
_MOST_WHERE, _MOST_MUST, _MOST_CLAIMS = 3, 4, 5
_TABLE_WIDE = ("unique", "uniquerow", "share", "gap")


@dataclass(frozen=True, slots=True)
class OneDemand:
    """What must hold, in which rows of the table, as one condition; `score` is how well its parts would do."""

    score: float
    where: Scored | None
    must: Scored
    node: Node


def two_demands(scene: Scene, scored: Sequence[Scored]) -> Iterator[tuple[OneDemand, OneDemand]]:
    """The pairs of demands that stand one behind the other."""
    able = [part for part in scored if not part.atom.about_table and not part.atom.shape.startswith(_TABLE_WIDE)]
    for split in _splits(scene):
        behind = [part for part in able if _is_behind(part.atom, split)]
        others = _demands(behind)
        for one in _demands([part for part in able if _is_before(part.atom, split)]):
            for other in (*others, *_otherwise(scene, split, one, others), *_denied(one, behind)):
                if (one.where or other.where) and one.node != other.node:
                    yield one, other


def _splits(scene: Scene) -> list[int]:
    """Where the second demand may begin: at a comma or an "and" with names on both sides."""
    named = [mention.place for mention in scene.mentions if mention.names]
    joints = [mention.place for mention in scene.mentions if mention.text.lower() in _JOINTS]
    inside = [place for place in joints if named and named[0] < place < named[-1]]
    middle = len(scene.mentions) / 2
    return sorted(inside, key=lambda place: abs(place - middle))[:_MOST_SPLITS]


def _is_before(atom: Atom, split: int) -> bool:
    return all(at < split for _, at in atom.slots)


def _is_behind(atom: Atom, split: int) -> bool:
    """Whether it is said behind the split; the column may be that of the first demand."""
    return any(at > split for _, at in atom.slots) and all(at > split or label[0] == "C" for label, at in atom.slots)


def _demands(parts: Sequence[Scored]) -> list[OneDemand]:
    wheres = sorted(parts, key=lambda part: -part.as_where)[:_MOST_WHERE]
    musts = sorted(parts, key=lambda part: -part.as_must)[:_MOST_MUST]
    plain = [OneDemand(must.as_must, None, must, must.atom.said) for must in musts[:2]]
    found = [
        _demand(where, must, negated(where.atom.node), must.atom.said)
        for must in musts
        for where in wheres
        if where.atom.key != must.atom.key and not _share(where.atom, must.atom)
    ]
    return plain + sorted(found, key=lambda demand: -demand.score)[:_MOST_CLAIMS]


def _demand(where: Scored, must: Scored, unless: Node, then: Node) -> OneDemand:
    return OneDemand(where.as_where + must.as_must, where, must, either(normal(unless), then))


def _share(one: Atom, other: Atom) -> bool:
    """Whether both use the same number or text."""
    return bool(
        {at for label, at in one.slots if label[0] != "C"} & {at for label, at in other.slots if label[0] != "C"}
    )


def _otherwise(scene: Scene, split: int, one: OneDemand, others: Sequence[OneDemand]) -> Iterator[OneDemand]:
    """The second demand for all other rows."""
    said = {word for mention in scene.mentions[split:] for word in mention.words}
    if one.where is not None and not said.isdisjoint(_THE_REST):
        for other in others:
            if other.where is None:
                yield _demand(one.where, other.must, one.where.atom.node, other.node)


def _denied(one: OneDemand, behind: Sequence[Scored]) -> Iterator[OneDemand]:
    """The opposite for other rows: "fixed contracts must have an end date, open-ended ones must not"."""
    if one.where is None:
        return
    for where in sorted(behind, key=lambda part: -part.as_where)[:2]:
        if where.atom.key != one.where.atom.key:
            opposite = normal(negated(one.must.atom.node))
            yield _demand(where, one.must, negated(where.atom.node), opposite)
