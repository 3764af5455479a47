"""Atoms about a whole table: how many rows it has, statistics of its columns, how fresh it is, shares of its rows."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise

from pandas_magic.planner.language.loose.atoms import Add, Atom, Slots, relations_of
from pandas_magic.planner.language.loose.nodes import Node, arithmetic, compare, every, now, span, statistic, value
from pandas_magic.planner.language.loose.numbers import counts_of, numbers_of
from pandas_magic.planner.language.loose.scene import Scene
from pandas_magic.planner.language.loose.sums import is_percentage
from pandas_magic.planner.language.loose.terms import Term

# That something is there is one only where that is said.
_SHARED = ("cmp== C:text V", "truth+", "oneof C V*", "missing", "present")
_MOST_SHARED = 12
_STATISTICS = (
    ("sum", ("SUM",)),
    ("mean", ("MEAN",)),
    ("median", ("MEDIAN",)),
    ("min", ("MINSTAT",)),
    ("max", ("MAXSTAT",)),
    ("std", ("STD",)),
    ("distinct", ("UNIQUE", "COUNT", "NE")),
)


def table_atoms(scene: Scene, terms: list[Term], add: Add) -> None:
    """What a whole table is asked to be."""
    numbers = [(m.place, n) for m, n in numbers_of(scene) if not m.percent]
    noun = next((m.place for m in scene.mentions if scene.target in m.tables), scene.cue("COUNT"))
    count = statistic("aggregate", "count", table=scene.target)
    whole: list[tuple[int, int | float]] = [*counts_of(scene)]
    # "At least ten branches" counts them, a ticket of a branch with a number does not.
    counted = any(n.number is not None and scene.target in m.tables for n, m in pairwise(scene.mentions))
    if counted or scene.cues & {"COUNT", "MANY"}:
        _limits(scene, _Statistic(count, "rows", (("T", noun),), 0), whole, add)
    empty = next((m.place for m in scene.mentions if "empty" in m.words), None)
    if empty is not None and any("table" in m.words for m in scene.mentions):
        _limits(scene, _Statistic(count, "notempty", (("T", noun),), 0), [(empty, 1)], add)
    for term in terms:
        if term.label not in "CD" or not term.is_own:
            continue
        for name, cues in _STATISTICS:
            if scene.cues & set(cues) and (term.kind == "num" or name == "distinct"):
                of = term.plain if name == "distinct" else term.node
                over = statistic("aggregate", name, of, table=scene.target)
                shares = [(m.place, m.number) for m in scene.mentions if m.percent and m.number is not None]
                in_percent = shares and is_percentage(term.plain["name"])
                limits = whole if name == "distinct" else shares if in_percent else numbers
                _limits(scene, _Statistic(over, f"agg:{name}", term.slots, term.tier), limits, add)
        if term.kind == "date" and scene.cues & {"MAXSTAT", "AGO"}:
            _freshness(scene, term, add)


def share_atoms(scene: Scene, atoms: list[Atom], add: Add) -> None:
    """How large a share of the rows may be, or must be, as a simple condition says."""
    shares = [(m.place, m.number / 100) for m in scene.mentions if m.percent and m.number is not None]
    shapes = _SHARED if scene.cues & {"ABSENT", "PRESENT"} else _SHARED[:-2]
    simple = sorted((a for a in atoms if a.shape.startswith(shapes)), key=lambda atom: atom.tier)[:_MOST_SHARED]
    for place, limit in shares:
        for atom in simple:
            if place in {at for _, at in atom.slots}:
                continue
            share = {"node": "share", "table": scene.target, "condition": atom.node}
            for relation in relations_of(scene):
                slots = (*atom.slots, ("N", place))
                add(
                    compare(share, relation, value(limit)),
                    f"share{relation} {atom.shape}",
                    slots,
                    atom.tier,
                    about_table=True,
                )


@dataclass(frozen=True)
class _Statistic:
    node: Node
    shape: str
    slots: Slots
    tier: float


def _limits(scene: Scene, over: _Statistic, numbers: Sequence[tuple[int, int | float]], add: Add) -> None:
    for place, number in numbers:
        for relation in relations_of(scene):
            there = compare(over.node, relation, value(number))
            add(there, f"{over.shape}{relation}", (*over.slots, ("N", place)), over.tier, about_table=True)
    for (at, low), (to, high) in combinations(numbers, 2):
        if low < high:
            ends = every(compare(over.node, ">=", value(low)), compare(over.node, "<=", value(high)))
            slots = (*over.slots, ("N", at), ("N", to))
            add(ends, f"{over.shape}between", slots, over.tier, about_table=True)


def _freshness(scene: Scene, term: Term, add: Add) -> None:
    newest = statistic("aggregate", "max", term.node, table=scene.target)
    for mention in scene.mentions:
        if mention.duration is not None:
            for midnight in (False, True):
                then = arithmetic(now(midnight=midnight), "-", span(*mention.duration))
                for relation in (">=", ">"):
                    shape = f"freshest{relation}{'m' if midnight else ''}"
                    add(
                        compare(newest, relation, then),
                        shape,
                        (*term.slots, ("N", mention.place)),
                        term.tier,
                        about_table=True,
                    )
