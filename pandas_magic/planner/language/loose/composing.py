"""Atoms joined to whole rules: which rows, what must hold, and how many rows may break it."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, islice
from typing import NamedTuple

import numpy as np

from pandas_magic.planner.language.loose.atoms import Atom, Scored
from pandas_magic.planner.language.loose.candidate import Candidate
from pandas_magic.planner.language.loose.nodes import Node, joined, joined_with_text, negated, normal, text_of
from pandas_magic.planner.language.loose.scene import Scene

_MOST_MUST, _MOST_WHERE, _MOST_PAIRED, _MOST_PAIRED_WHERE = 20, 12, 11, 8
MOST_CANDIDATES = 280
_MORE_TRIED, _OF_EXTENDED = 120, 12  # of so many of the best one is tried with a part more
_MOST_COVERING, _MOST_OF_SHAPE, _MOST_RESTING = 8, 6, 5
_COVERED = 15.0  # what a column more is worth beside the score of an atom, which is spread over some fifty
SIGNLESS = str.maketrans("", "", "<>=!+-~")
_RIVAL_SLOTS = "NVQDFSBW"
_DEMANDING = (
    "cmp", "between", "oneof", "matches", "age", "makeup", "truth", "len", "has", "sign", "weekday", "unique1",
)  # fmt: skip


_Joined = tuple[float, tuple[Scored, ...], str]  # or what must hold: the score, the parts, and how they are joined


class _Parts(NamedTuple):
    score: float
    where: tuple[Scored, ...]
    where_mode: str
    must: tuple[Scored, ...]
    mode: str


def candidates_of(scene: Scene, scored: Sequence[Scored], breadth: int = MOST_CANDIDATES) -> list[Candidate]:
    """The most promising rules, each once: so many of the best, and some that use what these leave out."""
    wheres = list(_wheres(scored))
    pool = sorted(_pool(scored, wheres, breadth), key=lambda parts: -parts.score)[:breadth]
    pool += _covering(scene, scored, wheres[: _MOST_COVERING + 1])
    pool += _extended(scene, pool[: breadth // _OF_EXTENDED + 1], scored)
    found: dict[str, Candidate] = {}
    known = _JoinedAtoms()
    for parts in pool:
        made = _rule(scene.target, parts, known)
        if made is None:
            continue
        mode = f"{parts.mode}{'' if parts.where_mode == 'all' else '/any'}"
        found.setdefault(made[1], Candidate(*made, parts.where, parts.must, mode))
    for candidate in list(found.values()):
        for tolerated in _tolerating(scene, candidate):
            found.setdefault(tolerated.key, tolerated)
    return list(found.values())


def _pool(scored: Sequence[Scored], wheres: Sequence[_Joined], most: int) -> Iterator[_Parts]:
    """The best pairs of which rows and what must hold, so many at most, and those that hold both ways."""
    yield from islice(_pairs(wheres, list(_mains(scored)), most + _MORE_TRIED), most)
    yield from _both_ways(scored)


def _pairs(wheres: Sequence[_Joined], mains: Sequence[_Joined], tried: int) -> Iterator[_Parts]:
    """The pairs that go together among so many of the best, the best first."""
    valued: dict[str, str | None] = {}
    for _, some, _ in (*wheres, *mains):
        valued.update((part.atom.key, _valued(part.atom)) for part in some if part.atom.key not in valued)
    for at in _highest(np.add.outer([where[0] for where in wheres], [main[0] for main in mains]).ravel(), tried):
        (score, where, where_mode), (more, must, mode) = wheres[at // len(mains)], mains[at % len(mains)]
        keys, demanded = {part.atom.key for part in where}, [part.atom.key for part in must]
        if not ({valued[key] for key in keys} - {None}).isdisjoint(valued[key] for key in demanded):
            continue  # what a column is where it is something else
        if keys.isdisjoint(demanded) and not (len(where) > 1 and must[0].atom.about_table):
            yield _Parts(score + more, where, where_mode, must, mode)


def _highest(totals: np.ndarray[tuple[int], np.dtype[np.float64]], most: int) -> Sequence[int]:
    """The places of the highest, those first that stand before others as high."""
    if len(totals) > most:
        able = np.flatnonzero(totals >= np.partition(totals, -most)[-most])
    else:
        able = np.arange(len(totals))
    best: list[int] = able[np.argsort(-totals[able], kind="stable")[:most]].tolist()
    return best


def _covering(scene: Scene, scored: Sequence[Scored], wheres: Sequence[_Joined]) -> Iterator[_Parts]:
    """The demands that join the most columns, and those that rest on each constant, alone and in the likeliest rows."""
    broad = [part for part in scored if len(_columns(part.atom)) > 1]
    best = sorted(broad, key=lambda part: -part.as_must - _COVERED * len(_columns(part.atom)))[:_MOST_COVERING]
    more = [part for one in ("sum", *(("prev",) if scene.overlaps else ())) for part in _widest(scored, one)]
    for part in {part.atom.key: part for part in (*best, *more, *_resting(scene, scored))}.values():
        for score, where, mode in wheres[:1] if part.atom.about_table else wheres:
            if all(part.atom.key != other.atom.key and not _rivals(part.atom, other.atom) for other in where):
                yield _Parts(score + part.as_must, where, mode, (part,), "one")


def _resting(scene: Scene, scored: Sequence[Scored]) -> Iterator[Scored]:
    """The likeliest demand of each of some kinds that rests on a number, a date or a text of the rule."""
    for mention in scene.mentions:
        some = [
            part for part in scored if mention.is_constant and any(at == mention.place for _, at in part.atom.slots)
        ]
        best: dict[str, Scored] = {}
        for part in sorted(some, key=lambda part: part.as_must):
            best[part.atom.shape.translate(SIGNLESS)] = part
        covering = sorted(best.values(), key=lambda part: -part.as_must - _COVERED * len(_columns(part.atom)))
        yield from covering[:_MOST_RESTING]


def _widest(scored: Sequence[Scored], shape: str) -> list[Scored]:
    """The demands of one shape that rest on the most mentions."""
    some = [part for part in scored if part.atom.shape.startswith(shape)]
    return sorted(some, key=lambda part: -part.as_must - _COVERED * len({at for _, at in part.atom.slots}))[
        :_MOST_OF_SHAPE
    ]


def _columns(atom: Atom) -> set[int]:
    return {at for label, at in atom.slots if label[0] == "C"}


def _wheres(scored: Sequence[Scored]) -> Iterator[_Joined]:
    able = [part for part in scored if part.atom.chooses_rows]
    best = sorted(able, key=lambda part: -part.as_where)[:_MOST_WHERE]
    yield 0.0, (), "all"
    for part in best:
        yield part.as_where, (part,), "all"
    for one, other in combinations(best[:_MOST_PAIRED_WHERE], 2):
        if not _rivals(one.atom, other.atom):
            yield one.as_where + other.as_where, (one, other), "all"
            yield one.as_where + other.as_where - 2, (one, other), "any"


def _mains(scored: Sequence[Scored]) -> Iterator[_Joined]:
    best = sorted(scored, key=lambda part: -part.as_must)[:_MOST_MUST]
    for part in best:
        yield part.as_must, (part,), "one"
    for one, other in combinations(best[:_MOST_PAIRED], 2):
        if not (one.atom.about_table or other.atom.about_table or _rivals(one.atom, other.atom)):
            yield one.as_must + other.as_must, (one, other), "all"
            yield one.as_must + other.as_must - 1, (one, other), "any"
    yield from _filled(best, scored)


def _filled(best: Sequence[Scored], scored: Sequence[Scored]) -> Iterator[_Joined]:
    """What must be there and be so."""
    there = {text_of(part.atom.node["of"]): part for part in scored if part.atom.node["node"] == "present"}
    for part in best[:8]:
        if part.atom.family.startswith(_DEMANDING):
            for of, companion in there.items():
                if of in part.atom.key:
                    yield part.as_must + companion.as_must, (part, companion), "all"


def _both_ways(scored: Sequence[Scored]) -> Iterator[_Parts]:
    """One thing exactly when another: "closed claims have a closing date, and no others"."""
    able = [part for part in scored if part.atom.chooses_rows]
    wheres = sorted(able, key=lambda part: -part.as_where)[:4]
    musts = sorted(able, key=lambda part: -part.as_must)[:5]
    for one in wheres:
        for other in musts:
            same = _valued(one.atom) is not None and _valued(one.atom) == _valued(other.atom)
            if one.atom.key != other.atom.key and not same and not _rivals(one.atom, other.atom):
                yield _Parts(one.as_where + other.as_must - 1, (), "all", (one, other), "iff")


def _valued(atom: Atom) -> str | None:
    """The column, as a text, of which the atom says what it is or is not; None where it says something else."""
    node = atom.node["condition"] if atom.node["node"] == "not" else atom.node
    if node["node"] == "one_of":
        return text_of(node["of"])
    is_value = node["node"] == "compare" and node["relation"] in ("==", "!=") and node["right"]["node"] == "value"
    return text_of(node["left"]) if is_value else None


def _extended(scene: Scene, best: Sequence[_Parts], scored: Sequence[Scored]) -> Iterator[_Parts]:
    """The best rules with one condition or demand more, where that explains a mention that nothing explains yet."""
    mustable = sorted(scored, key=lambda part: -part.as_must)[:_MOST_PAIRED]
    whereable = sorted(scored, key=lambda part: -part.as_where)[:_MOST_PAIRED]
    for parts in best:
        known = (*parts.where, *parts.must)
        used = {at for part in known for _, at in part.atom.slots}
        if parts.mode == "iff" or all(m.place in used for m in scene.mentions if m.names and not m.cues):
            continue
        if parts.mode in ("one", "all") or len(parts.must) == 1:
            for more in _fresh(mustable, known, used):
                if not (more.atom.about_table or parts.must[0].atom.about_table):
                    mode = "all" if parts.mode == "one" else parts.mode
                    yield _Parts(parts.score + more.as_must, parts.where, parts.where_mode, (*parts.must, more), mode)
        for more in _fresh(whereable, known, used) if parts.where_mode == "all" else ():
            if more.atom.chooses_rows:
                yield _Parts(parts.score + more.as_where, (*parts.where, more), "all", parts.must, parts.mode)


def _fresh(scored: Sequence[Scored], known: Sequence[Scored], used: set[int]) -> list[Scored]:
    return [
        part
        for part in scored
        if any(at not in used for _, at in part.atom.slots)
        and not any(part.atom.key == other.atom.key or _rivals(part.atom, other.atom) for other in known)
    ]


def _rivals(one: Atom, other: Atom) -> bool:
    """Whether the atoms use the same number or text, or say that one column is filled and that it is not."""
    taken = {at for label, at in one.slots if label[0] in _RIVAL_SLOTS}
    if one.shape == other.shape and one.slots[0] != other.slots[0] and one.slots[0][0] == "C":
        return False  # both columns are asked the same
    if any(at in taken for label, at in other.slots if label[0] in _RIVAL_SLOTS):
        return True
    presence = {one.family, other.family} <= {"present", "missing"}
    return presence and one.slots == other.slots


def _rule(target: str, parts: _Parts, known: "_JoinedAtoms") -> tuple[Node, str] | None:
    """The rule and its text, of which the parts are `known` from the rules before that have them, too."""
    shapes = " ".join(part.atom.shape for part in (*parts.where, *parts.must))
    if "gapwhere" in shapes and "gap " not in shapes and "gap1 " not in shapes:  # where each follows another
        return None
    if any(part.atom.about_table for part in parts.must):
        if len(parts.must) > 1:
            return None
        demand = parts.must[0].atom.node
        if parts.where:
            demand = normal(_narrowed(demand, joined("all", [part.atom.node for part in parts.where])))
        rule: Node = {"shape": "table", "table": target, "must": demand}
        return rule, text_of(rule)
    demand, said = known.once(parts.mode, parts.must)
    text = f'{{"must": {said}, "shape": "rows", "table": {text_of(target)}'
    rule = {"shape": "rows", "table": target, "must": demand}
    if not parts.where:
        return rule, f"{text}}}"
    rule["where"], said = known.once(parts.where_mode, parts.where)
    return rule, f'{text}, "where": {said}}}'


class _JoinedAtoms:
    """Conditions of atoms joined before, with their texts: many rules share what must hold, or which rows."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, ...], tuple[Node, str]] = {}

    def once(self, how: str, parts: Sequence[Scored]) -> tuple[Node, str]:
        """The conditions joined by "any", both ways by "iff", else by "all"; made once for each way to join them."""
        key = (how, *(part.atom.key for part in parts))
        if key not in self._known:
            # What can be joined is about rows, and its key is its text.
            some = [(part.atom.key, part.atom.node) for part in parts]
            if how == "iff":
                (_, one), (_, other) = some
                ways = (joined("any", [normal(negated(one)), other]), joined("any", [one, normal(negated(other))]))
                some = [(text_of(way), way) for way in ways]
            self._known[key] = joined_with_text("any" if how == "any" else "all", some)
        return self._known[key]


def _narrowed(node: Node, where: Node) -> Node:
    """The demand on a whole table with its statistics taken of some rows only."""
    if node.get("node") in ("aggregate", "share"):
        return {**node, "where": where}
    return {key: _narrowed_part(part, where) for key, part in node.items()}


def _narrowed_part(part: object, where: Node) -> object:
    if isinstance(part, dict):
        return _narrowed(part, where)
    return [_narrowed_part(one, where) for one in part] if isinstance(part, list) else part


def _tolerating(scene: Scene, candidate: Candidate) -> Iterable[Candidate]:
    """The rule with a share of rows that may break it: "at least 95 % of the orders have a customer"."""
    if candidate.rule["shape"] != "rows" or candidate.mode not in ("one", "all"):
        return
    used = set(candidate.places)
    for mention in scene.mentions:
        if not mention.percent or mention.number is None or mention.place in used:
            continue
        share = round(mention.number / 100, 10)
        for limit, deny, mode in (
            (round(1 - share, 10), False, "tol1"),
            (share, True, "tolneg"),
            (share, False, "tol"),
        ):
            must = normal(negated(candidate.rule["must"])) if deny else candidate.rule["must"]
            rule = {**candidate.rule, "must": must, "tolerance": {"max_share": normal(limit)}}
            joined = f"{candidate.mode}_{mode}"
            yield Candidate(rule, text_of(rule), candidate.where, candidate.must, joined, mention.place)
        return
