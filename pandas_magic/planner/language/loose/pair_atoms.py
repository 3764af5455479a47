"""Atoms about two values of a row, or of a row and the rows that it refers to."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations

from pandas_magic.constraints.algebra.conditions import MIRRORED
from pandas_magic.planner.language.linking.aliases import is_birth
from pandas_magic.planner.language.linking.unit_scales import counts_percent, units_of
from pandas_magic.planner.language.linking.words import name_words
from pandas_magic.planner.language.loose.atoms import RELATIONS, AtomBag, Grounds, differing, relations_of
from pandas_magic.planner.language.loose.nodes import (
    Node,
    arithmetic,
    between,
    compare,
    distance,
    part,
    span,
    text_of,
    value,
)
from pandas_magic.planner.language.loose.numbers import numbers_of
from pandas_magic.planner.language.loose.scene import Mention, Scene
from pandas_magic.planner.language.loose.sums import sums
from pandas_magic.planner.language.loose.terms import Term
from pandas_magic.planner.language.loose.unsaid import distances

_SMALL_TOLERANCE = 10
_CENTS, _CENT = frozenset(("cent", "cents", "rounded", "rounding", "penny")), 0.01
_MULTIPLES = (0.5, 2, 3)
_UNIT_WORDS = (
    ("days", ("day", "days", "night", "nights")),
    ("hours", ("hour", "hours")),
    ("minutes", ("minute", "minutes")),
)
# What says that something is more or less than what others come to.
_ORDERING = frozenset(("GT", "LT", "GE", "LE", "POSITIVE", "NONNEG", "MAXSTAT", "MINSTAT", "BETWEEN", "WITHIN"))
_TIMED = ("year", "month")


def pair_atoms(scene: Scene, terms: list[Term], bag: AtomBag) -> None:
    """Two columns compared, with a distance or a factor where the rule names one."""
    for left, right in combinations(sorted(terms, key=lambda term: term.place), 2):
        same = text_of(left.node) == text_of(right.node)
        # Two dates may be named at once: "the billing period".
        apart = (
            left.place != right.place or left.label != right.label or left.kind == "date" or _are_siblings(left, right)
        )
        if same or not apart or not _fit(left, right):
            continue
        # Said at once, they stand in no order.
        relations = relations_of(scene) if left.place != right.place else RELATIONS
        relations = relations if differing(scene) else tuple(one for one in relations if one != "!=")
        ordered = left.kind in ("num", "date", *_TIMED) and not _identifies(scene, left, right)
        on = bag.on(left, right)
        shape = f"cmp? {left.label}:{left.kind} {right.label}"
        on.compare(left.node, relations if ordered else ("==", "!="), right.node, shape)
        if left.kind == "date":
            _apart(scene, left, right, on)
        elif left.kind == "num":
            _factors(scene, (left, right), relations_of(scene), on)
            _later(scene, left, right, on)
            _close(scene, left, right, on)
    _days(terms, relations_of(scene), bag)


def _are_siblings(left: Term, right: Term) -> bool:
    """Whether two numbers are called alike but for one word: gewicht_vor and gewicht_nach, where "weight" is said."""
    words, others = name_words(left.name), name_words(right.name)
    alike = len(words) == len(others) > 1 and sum(one != other for one, other in zip(words, others, strict=True)) == 1
    return alike and left.kind == "num" and left.is_own and right.is_own


def _identifies(scene: Scene, *terms: Term) -> bool:
    """Whether one is a number that only tells rows apart, and the other is not: none is more than the other."""
    keys = scene.names.references.telling_apart(scene.target)
    return len({term.is_own and term.name in keys for term in terms}) > 1


def _fit(left: Term, right: Term) -> bool:
    if left.kind == right.kind:
        return left.kind in ("num", "date", "key", "text", *_TIMED)
    return {left.kind, right.kind} <= {"text", "key"}


def _in_both_orders(left: Term, right: Term) -> tuple[tuple[Term, Term, str], ...]:
    return ((left, right, "C12"), (right, left, "C21"))


def _days(terms: list[Term], relations: tuple[str, ...], bag: AtomBag) -> None:
    """The days of two moments: "the same day is fine"."""
    dates = [term for term in terms if term.kind == "date"][:4]
    for left, right in combinations(sorted(dates, key=lambda term: term.place), 2):
        if text_of(left.node) != text_of(right.node):
            on = bag.on(left, right)
            on = replace(on, tier=on.tier + 0.4)
            on.compare(part("date", left.node), relations, part("date", right.node), "cmp? DAY")


def _apart(scene: Scene, left: Term, right: Term, on: Grounds) -> None:
    """A date at most, at least or exactly so long after another."""
    birth = any(is_birth(term.plain.get("name", "")) for term in (left, right)) and "AGE" in scene.cues
    for mention in scene.mentions:
        aged = (mention.number or 0, "years") if birth and mention.number is not None else None
        if mention.duration is None and aged is None:
            continue
        length, said = span(*(mention.duration or aged or (0, "years"))), ("N", mention.place)
        for one, other, order in _in_both_orders(left, right):
            later = arithmetic(other.node, "+", length)
            on.compare(one.node, ("<", "<=", ">", ">=", "=="), later, f"cmp? {order}:date+SPAN", said)
            on.add(between(one.node, other.node, later), f"within {order}:date SPAN", said)
        on.add(compare(distance(left.node, right.node), "<=", length), "apart SPAN", said)
        lowest = [m for m in scene.mentions[: mention.place] if m.number is not None and mention.place - m.place <= 3]
        for low in lowest if mention.duration is not None else ():
            for first, last, _ in _in_both_orders(left, right):
                begin = arithmetic(first.node, "+", span(low.number or 0, length["unit"]))
                ends = between(last.node, begin, arithmetic(first.node, "+", length))
                on.add(ends, "afterbetween", said, ("N", low.place))


def _later(scene: Scene, left: Term, right: Term, on: Grounds) -> None:
    """A year, or another number of units of time, so much after another: "nine years after the last one"."""
    shared = {*units_of(left.name)} & {*units_of(right.name)}
    for mention in scene.mentions:
        if mention.duration is None or mention.duration[1] not in shared:
            continue
        for one, other, order in _in_both_orders(left, right):
            later = arithmetic(other.node, "+", value(mention.number or 0))
            on.compare(one.node, ("<=", ">=", "=="), later, f"cmp? {order}:date+SPAN", ("N", mention.place))


def _factors(scene: Scene, pair: tuple[Term, Term], relations: tuple[str, ...], on: Grounds) -> None:
    """A number that is a percentage or a multiple of another, or more by a percentage or an amount."""
    left, right = pair
    for mention, number in numbers_of(scene):
        said = ("N", mention.place)
        if number and "DIVIDED" in scene.cues and "divided" in scene.mentions[mention.place - 1].words:
            quotient = arithmetic(right.node, "/", value(number))  # the load divided by 75
            on.compare(left.node, relations, quotient, "cmp? C12*N", said)
        is_said = mention.percent or "TIMES" in scene.cues
        is_factor = is_said or (number in _MULTIPLES and mention.duration is None)
        # "20 % of the price" is a fifth of it, never twenty times as much.
        if number == 0 or not is_factor or (mention.percent and number == mention.number):
            continue
        factors = [(number, "*N")]
        behind = [later.text for later in scene.mentions[mention.place + 1 : mention.place + 2]]
        if mention.percent and number < 1 and behind != ["of"]:  # "20 % of the price" is no more than the price
            factors += [(round(1 + number, 10), "*1+N"), (round(1 - number, 10), "*1-N")]
        for one, other, order in _in_both_orders(left, right):
            for factor, shape in factors:
                product = arithmetic(other.node, "*", value(factor))
                on.compare(one.node, relations, product, f"cmp? {order}{shape}", said)


def _close(scene: Scene, left: Term, right: Term, on: Grounds) -> None:
    """Two numbers that may differ by an amount."""
    if scene.cues.isdisjoint(("DEVIATE", "TOLERANCE", "NE", "EQ", "WITHIN")):
        return
    for mention, number in numbers_of(scene):
        for shape, near in zip(("deviation", "equalwithin"), _near((left, right), mention, number), strict=False):
            on.add(near, shape, ("N", mention.place))


def _near(pair: tuple[Term, Term], mention: Mention, number: float) -> Iterator[Node]:
    """The two differ by at most the number; by a percentage of the second, unless they count in percent themselves."""
    left, right = (term.node for term in pair)
    if not mention.percent or counts_percent(pair[0].name):
        yield compare(distance(left, right), "<=", value(number))
        if number <= _SMALL_TOLERANCE and not mention.duration:
            yield compare(left, "==", right, number)
    elif number != mention.number:
        size: Node = {"node": "absolute", "of": right}
        yield compare(distance(left, right), "<=", arithmetic(size, "*", value(number)))


def sum_atoms(scene: Scene, terms: list[Term], bag: AtomBag) -> None:
    """A sum, difference or product of columns compared with a column or a number."""
    if scene.cues.isdisjoint(("SUM", "MINUS", "TIMES", "EQ", "AND", "LE", "GE", "GT", "LT", "NE", "SHARE", "DEVIATE")):
        return
    numbers = [term for term in terms if term.kind == "num" and term.label in "CL"]
    said = relations_of(scene)
    relations = [one for one in RELATIONS if one != "!=" and (one in said or MIRRORED[one] in said)]
    totals = relations if scene.cues & _ORDERING else [one for one in relations if one == "=="]
    constants = numbers_of(scene)
    for total in sums(scene, terms):
        places = {place for _, place in total.slots}
        for term in numbers:
            if term.place not in places and text_of(term.node) not in text_of(total.node):
                _totals(scene, (term, total), totals, bag)
        for mention, number in constants:
            # A percentage is what one number is of another.
            fits = number != mention.number and total.label == "S/" if mention.percent else True
            if mention.place not in places and len(total.slots) == 2 and fits:
                shape = f"sum? {total.label} N"
                bag.on(total).compare(total.node, relations, value(number), shape, ("N", mention.place))


def _totals(scene: Scene, pair: tuple[Term, Term], relations: Sequence[str], bag: AtomBag) -> None:
    term, total = pair
    places = [place for _, place in total.slots]
    if min(places) <= term.place <= max(places):  # nobody says what numbers come to among them
        return
    side = "<" if term.place < min(places) else ">"
    slots = (*term.slots, *((f"C{number}", place) for number, place in enumerate(places, 2)))
    on = Grounds(bag, slots, term.tier + total.tier)
    on.compare(term.node, relations, total.node, f"sum?{side} {total.label}")
    cent = next((m.place for m in scene.mentions if not _CENTS.isdisjoint(m.words)), None)
    if cent is not None and "==" in relations:
        on.add(compare(term.node, "==", total.node, _CENT), f"sum~{side} {total.label} cent", ("N", cent))
    for mention, number in numbers_of(scene) if "==" in relations or "DEVIATE" in scene.cues else ():
        if number <= _SMALL_TOLERANCE and mention.place not in places:
            shapes = (f"sumdev {total.label}", f"sum~{side} {total.label}")
            for shape, near in zip(shapes, _near((term, total), mention, number), strict=False):
                on.add(near, shape, ("N", mention.place))


def distance_atoms(scene: Scene, terms: list[Term], bag: AtomBag) -> None:
    """How far two dates are apart, against a length of time or a column that counts it."""
    for apart in distances(scene, terms):
        on = bag.on(apart)
        _against_lengths(scene, apart, on)
        _against_numbers(scene, apart, on)
        if scene.cues & {"EQ", "MINUS", "COUNT", "TIMES", "BETWEEN", "FORMAT"}:  # "must match the interval"
            _against_columns(terms, apart, bag)


def _against_lengths(scene: Scene, apart: Term, on: Grounds) -> None:
    for mention in scene.mentions:
        if mention.duration is not None:
            length = span(*mention.duration)
            on.compare(apart.node, relations_of(scene), length, f"diff? {apart.label} SPAN", ("N", mention.place))
    lengths = [mention for mention in scene.mentions if mention.duration or mention.number is not None]
    for first, second in combinations(lengths, 2):
        if second.duration is None or second.place - first.place > 4:
            continue
        low = first.duration or (float(first.number or 0), second.duration[1])
        ends = between(apart.node, span(*low), span(*second.duration))
        on.add(ends, f"diffbetween {apart.label}", ("N", first.place), ("N", second.place))


def _against_numbers(scene: Scene, apart: Term, on: Grounds) -> None:
    """Like "the number of nights between them is at most 14"."""
    said = {word for mention in scene.mentions for word in mention.words}
    taken = {place for _, place in apart.slots}
    for unit, words in _UNIT_WORDS:
        for mention, number in numbers_of(scene) if not said.isdisjoint(words) else ():
            if mention.duration is None and mention.place not in taken:
                shape = f"diff? {apart.label} N"
                on.compare(apart.node, relations_of(scene), span(number, unit), shape, ("N", mention.place))


def _against_columns(terms: list[Term], apart: Term, bag: AtomBag) -> None:
    taken = {place for _, place in apart.slots}
    for term in terms:
        if term.kind != "num" or term.label not in "CLU" or term.place in taken:
            continue
        told = units_of(term.name)
        for unit in [unit for unit, _ in _UNIT_WORDS if unit in told] or [unit for unit, _ in _UNIT_WORDS]:
            counted = compare(term.node, "==", arithmetic(apart.node, "/", span(1, unit)))
            slots = (*term.slots, *apart.slots)
            Grounds(bag, slots, term.tier + apart.tier).add(counted, f"diff== {apart.label} C{unit}")
