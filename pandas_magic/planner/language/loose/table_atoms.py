"""Atoms about a whole table: how many rows it has, statistics of its columns, how fresh it is, shares of its rows."""

from collections.abc import Sequence
from itertools import combinations, pairwise

from pandas_magic.planner.language.loose.atoms import Atom, AtomBag, Grounds, relations_of
from pandas_magic.planner.language.loose.nodes import Node, arithmetic, between, now, span, statistic, value
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


def table_atoms(scene: Scene, terms: list[Term], bag: AtomBag) -> None:
    """What a whole table is asked to be."""
    numbers = [(m.place, n) for m, n in numbers_of(scene) if not m.percent]
    noun = next((m.place for m in scene.mentions if scene.target in m.tables), scene.cue("COUNT"))
    rows = Grounds(bag, (("T", noun),), 0, about_table=True)
    count = statistic("aggregate", "count", table=scene.target)
    whole: list[tuple[int, int | float]] = [*counts_of(scene)]
    # "At least ten branches" counts them, a ticket of a branch with a number does not.
    counted = any(n.number is not None and scene.target in m.tables for n, m in pairwise(scene.mentions))
    if counted or scene.cues & {"COUNT", "MANY"}:
        _limits(scene, (count, "rows"), whole, rows)
    empty = next((m.place for m in scene.mentions if "empty" in m.words), None)
    if empty is not None and any("table" in m.words for m in scene.mentions):
        _limits(scene, (count, "notempty"), [(empty, 1)], rows)
    for term in terms:
        if term.label not in "CD" or not term.is_own:
            continue
        on = Grounds(bag, term.slots, term.tier, about_table=True)
        for name, cues in _STATISTICS:
            if scene.cues & set(cues) and (term.kind == "num" or name == "distinct"):
                of = term.plain if name == "distinct" else term.node
                over = statistic("aggregate", name, of, table=scene.target)
                shares = [(m.place, m.number) for m in scene.mentions if m.percent and m.number is not None]
                in_percent = shares and is_percentage(term.plain["name"])
                limits = whole if name == "distinct" else shares if in_percent else numbers
                _limits(scene, (over, f"agg:{name}"), limits, on)
        if term.kind == "date" and scene.cues & {"MAXSTAT", "AGO"}:
            _freshness(scene, term, on)


def share_atoms(scene: Scene, atoms: list[Atom], bag: AtomBag) -> None:
    """How large a share of the rows may be, or must be, as a simple condition says."""
    shares = [(m.place, m.number / 100) for m in scene.mentions if m.percent and m.number is not None]
    shapes = _SHARED if scene.cues & {"ABSENT", "PRESENT"} else _SHARED[:-2]
    simple = sorted((a for a in atoms if a.shape.startswith(shapes)), key=lambda atom: atom.tier)[:_MOST_SHARED]
    for place, limit in shares:
        for atom in simple:
            if place not in {at for _, at in atom.slots}:
                share = {"node": "share", "table": scene.target, "condition": atom.node}
                on = Grounds(bag, atom.slots, atom.tier, about_table=True)
                on.compare(share, relations_of(scene), value(limit), f"share? {atom.shape}", ("N", place))


def _limits(scene: Scene, over: tuple[Node, str], numbers: Sequence[tuple[int, int | float]], on: Grounds) -> None:
    """A statistic, with the shape of its atoms, against each number, and between each two."""
    node, shape = over
    for place, number in numbers:
        on.compare(node, relations_of(scene), value(number), f"{shape}?", ("N", place))
    for (at, low), (to, high) in combinations(numbers, 2):
        if low < high:
            on.add(between(node, value(low), value(high)), f"{shape}between", ("N", at), ("N", to))


def _freshness(scene: Scene, term: Term, on: Grounds) -> None:
    newest = statistic("aggregate", "max", term.node, table=scene.target)
    for mention in scene.mentions:
        if mention.duration is not None:
            for midnight in (False, True):
                then = arithmetic(now(midnight=midnight), "-", span(*mention.duration))
                on.compare(newest, (">=", ">"), then, f"freshest?{'m' if midnight else ''}", ("N", mention.place))
