"""What speaks for an atom in a role, as numbers of hashed features: the words around it, and polarity."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache, partial
from zlib import crc32

import numpy as np

from pandas_magic.planner.language.loose.atoms import Atom
from pandas_magic.planner.language.loose.context import Context

BITS = 20
_MASK = (1 << BITS) - 1
_RELATION = re.compile(r"(<=|>=|==|!=|<|>)")
_WAYS = ("PAST", "FUTURE", "NEGATIVE", "GE", "LE", "GT", "LT", "EQ", "NE", "NONNEG", "POSITIVE", "NOW", "AGO")
_AFTERWARDS = frozenset(("GE", "LE", "GT", "LT"))
_TELLING = frozenset((
    *_WAYS, "BETWEEN", "NOT", "UNLESS", "ONLY", "UNIQUE", "PRESENT", "ABSENT", "EXISTS", "ORPHAN", "DUPLICATE",
    "WITHIN",
))  # fmt: skip
_NEGATIVE = ("noneof", "not", "nochild", "missing", "truth-")
_INNER = ("exists where", "exists+present where", "child where", "notexists where", "nochild where")
_SIGNS = "<>=!+-"
_FAR = 8
_NEAR = 5

Features = np.ndarray[tuple[int, ...], np.dtype[np.int32]]
_UNABLE: Features = np.zeros(1, dtype=np.int32)


@lru_cache(maxsize=200_000)
def hashed(feature: str) -> int:
    """The number of a feature."""
    return crc32(feature.encode()) & _MASK


def features_of(atoms: Sequence[Atom], context: Context) -> dict[str, list[Features]]:
    """What speaks for each atom in each of the roles "w" and "m"; little for one in a role that it cannot have."""
    return {
        "w": [_of_atom(atom, "w", context) if atom.chooses_rows else _UNABLE for atom in atoms],
        "m": [_of_atom(atom, "m", context) for atom in atoms],
    }


def _of_atom(atom: Atom, role: str, context: Context) -> Features:
    """What speaks for it as "w", which rows, or as "m", what must hold."""
    family = atom.family
    plain = family.rstrip(_SIGNS)
    tier = min(6, int(atom.tier + 0.5))
    in_role = f"{role}|{family}"
    found = {hashed(f"{role}|{atom.shape}"), hashed(f"{in_role}|t{tier}"), hashed(f"{role}|t{tier}")}
    found.update(_once(context, (in_role, len(atom.slots)), lambda: _of_family(in_role, plain, atom, context)))
    for slot in atom.slots:
        for key, number in ((in_role, 0), (role, 1)):
            numbers = context.numbered.get((key, slot))
            if numbers is None:
                said = context.endings.get(slot[1]) or context.endings.setdefault(slot[1], _endings(slot[1], context))
                numbers = context.numbered[(key, slot)] = tuple(_around(slot, key, said[number]))
            found.update(numbers)
    for pair in zip(atom.slots, atom.slots[1:], strict=False):
        found.update(_once(context, (in_role, pair), partial(_between, in_role, pair, context)))
    places = [at for _, at in atom.slots]
    ends = (min(places), max(places))
    found.update(_once(context, (in_role, atom.shape, ends), lambda: _polarity(atom, role, context)))
    aside = (atom.slots[1:] or atom.slots)[0]
    found.update(_once(context, (in_role, "relation", aside), lambda: _relation(atom, role, context)))
    return np.fromiter(found, dtype=np.int32, count=len(found))


def _once(context: Context, key: object, features: Callable[[], Iterable[str]]) -> tuple[int, ...]:
    """The numbers of features that many atoms of a rule share, worked out once."""
    if key not in context.numbered:
        context.numbered[key] = tuple(map(hashed, features()))
    return context.numbered[key]


def _of_family(in_role: str, plain: str, atom: Atom, context: Context) -> Iterator[str]:
    role = in_role[0]
    yield from (in_role, role, f"{role}|{plain}")
    for cue in context.cues:
        yield f"{in_role}|s{cue}"
        yield f"{role}|{plain}|s{cue}"
    yield f"{in_role}|f{context.first}"
    yield f"{in_role}|ff{context.first_two}"
    yield f"{role}|n{context.mentioned}|{len(atom.slots)}"
    yield f"{in_role}|n{context.mentioned}"


def _around(slot: tuple[str, int], key: str, ends: Iterable[bytes]) -> Iterator[int]:
    """The numbers of what stands around a slot; that of a text is gone on with from that of its beginning."""
    begun = crc32(f"{key}|{slot[0]}".encode())
    return (crc32(end, begun) & _MASK for end in ends)


def _endings(at: int, context: Context) -> tuple[tuple[bytes, ...], tuple[bytes, ...]]:
    """How the features of what stands around a mention end: those of a family of atoms, and those of all atoms."""
    before, after = context.before[at], context.after[at]
    clause, previous = context.clauses[at]
    side = context.sides[at]
    beside = (f"l1{before}", f"r1{after}", f"b{before}_{after}", f"l2{context.before_two[at]}")
    shared = (*beside, f"side{side}", f"cl{clause}")
    words = [*(f"L{word}" for word in context.left[at]), *(f"R{word}" for word in context.right[at])]
    place = (f"neg{context.negations[at]}{side[0]}", f"end{min(context.length - at, 3)}", f"tag{context.tags[at]}")
    of_family = (*shared, f"r2{context.after_two[at]}", *words, *place)
    of_all = (*shared, f"cl{clause}{previous}", f"{clause}{side[:2]}", f"pos{min(at, 3)}")
    return tuple(f"|{end}".encode() for end in of_family), tuple(f"|{end}".encode() for end in of_all)


def _between(in_role: str, slots: tuple[tuple[str, int], tuple[str, int]], context: Context) -> Iterator[str]:
    (label, at), (other, to) = slots
    low, high = min(at, to), max(at, to)
    p = f"{in_role}|{label}{'<' if at < to else '>' if at > to else '='}{other}"
    yield p
    yield f"{p}|d{min(high - low, _FAR)}"
    if high - low > _FAR:
        return
    tags = context.tags[low + 1 : high]
    cues = [cue for place in range(low + 1, high) for cue in context.scene.mentions[place].cues]
    for word in dict.fromkeys((*tags, *cues)):
        yield f"{p}|w{word}"
    telling = "_".join([cue for cue in cues if cue in _TELLING][:3])
    yield f"{p}|rels{telling}"
    yield f"{in_role}|rels{telling}"
    if high - low <= _NEAR:
        yield f"{p}|btw{' '.join(tags)}"


def _polarity(atom: Atom, role: str, context: Context) -> Iterator[str]:
    """Whether the atom denies something, with how often the words around it do."""
    shape, plain = atom.shape, atom.family.rstrip(_SIGNS)
    minus = "-" if shape.startswith(_NEGATIVE) or "!=" in atom.family else "+"
    if role == "m" and shape.startswith(_INNER):
        minus += "w" + ("-" if "!=" in shape or "noneof" in shape or "truth-" in shape else "+")
    places = [at for _, at in atom.slots]
    last, first = max(places), min(places)
    exception = context.exception
    unless = "" if exception is None else "u<" if exception < first else "u>"
    yield f"{role}|{plain}|POL{minus}|{context.nots}a{context.absent}|{context.mood}"
    yield f"{role}|POL{minus}|{context.negations[last]}a{context.absent}|{context.mood}{unless}"
    for count in (context.nots, context.negations[last]):
        yield f"{role}|POL{minus}|{count}|{context.mood}{unless}"
        yield f"{role}|{plain}|POL{minus}|{count}|{context.mood}{unless}"


def _relation(atom: Atom, role: str, context: Context) -> Iterator[str]:
    """The relation with the word nearest to its right side that says one."""
    found = _RELATION.search(atom.family)
    if found is None:
        return
    relation, plain = found[1], atom.family.rstrip(_SIGNS)
    label, at = (atom.slots[1:] or atom.slots)[0]
    place, cue = _nearest_way(at, context)
    side = context.sides[at][0]
    negated = context.negations[place]
    unless = "" if context.exception is None else "u<" if context.exception < at else "u>"
    yield f"{role}|REL{relation}|{cue}|{negated}|{context.mood}"
    yield f"{role}|REL{relation}|{cue}|{negated}|{context.mood}{side}{unless}"
    yield f"{role}|{plain}{relation}|{cue}|{negated}|{context.mood}{label}"


def _nearest_way(at: int, context: Context) -> tuple[int, str]:
    mentions = context.scene.mentions
    for place in range(at, max(-1, at - _NEAR), -1):
        for cue in _WAYS:
            if cue in mentions[place].cues:
                return place, cue
    for place in range(at + 1, min(context.length, at + 3)):
        for cue in mentions[place].cues:
            if cue in _AFTERWARDS and len(mentions[place].words) > 1:
                return place, cue
    return at, "none"
