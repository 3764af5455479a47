"""Atoms about times of the day: of the row, and those that the rule names ("07:35", "six in the morning")."""

from collections.abc import Iterable
from itertools import combinations

from pandas_magic.planner.language.loose.atoms import RELATIONS, AtomBag, relations_of
from pandas_magic.planner.language.loose.calendars import times_said
from pandas_magic.planner.language.loose.nodes import compare, either, every, negated, normal, span
from pandas_magic.planner.language.loose.scene import Scene
from pandas_magic.planner.language.loose.terms import Term
from pandas_magic.planner.language.loose.unsaid import begun_and_over, place_of_ordering

_LITERAL = 2
_UNSAID = "T"  # the label of what is built where no column is said
_ALL_OF_THEM = frozenset(("times", "hours"))
_ANY_OF_THEM = _ALL_OF_THEM | {"time", "hour"}


def time_atoms(scene: Scene, terms: list[Term], bag: AtomBag) -> None:
    """What times of the day can be asked to be: before, after or between others, of the row or of the rule."""
    held = scene.names.times(scene.target)
    if not held:
        return
    times = times_said(scene)
    named = [term for term in terms if term.label in "CU" and term.is_own and term.name in held]
    unsaid = list(_unsaid(scene, [term for term in named if term.tier <= _LITERAL], times))
    sides = named if times else [*named, *unsaid]  # a time that is told is the other side
    for left, right in combinations(sorted(sides, key=lambda term: term.place), 2):
        if left.name != right.name:
            _compared(scene, left, right, bag)
    of_all = len(unsaid) > 1 and any(not _ALL_OF_THEM.isdisjoint(mention.words) for mention in scene.mentions)
    for clocks in (*([term] for term in (named if of_all else (*named, *unsaid))), *([unsaid] if of_all else ())):
        _against_times(scene, clocks, times, bag)


def _compared(scene: Scene, left: Term, right: Term, bag: AtomBag) -> None:
    relations = relations_of(scene) if left.place != right.place else RELATIONS
    if left.label == right.label == _UNSAID:  # of the beginning and the end it is known which comes first
        relations = tuple(relation for relation in relations if relation in ("<", "<="))
    bag.on(left, right).compare(left.node, relations, right.node, "cmp? C:date C")


def _unsaid(scene: Scene, named: list[Term], times: list[tuple[int, int]]) -> Iterable[Term]:
    """When the row begins and is over, where a time or a comparison has no column: "a visit ends after it began"."""
    said = [mention.place for mention in scene.mentions if not _ANY_OF_THEM.isdisjoint(mention.words)]
    place = next((at for at in (*said, *(at for at, _ in times), place_of_ordering(scene)) if at is not None), None)
    if place is None or len(named) > 1:
        return ()
    return begun_and_over(scene, place, named, among=scene.names.times(scene.target))


def _against_times(scene: Scene, clocks: list[Term], times: list[tuple[int, int]], bag: AtomBag) -> None:
    """Each of the times against what the rule says: "all the times lie between seven and five"."""
    first, on = clocks[0], bag.on(clocks[0])
    for place, minutes in times if len(clocks) == 1 else ():
        on.compare(first.node, relations_of(scene), span(minutes, "minutes"), "cmp? HOUR:hour N", ("N", place))
    for (at, begin), (to, end) in combinations(times, 2):
        said = (("N", at), ("N", to))
        low, high = span(begin, "minutes"), span(end, "minutes")
        sides = [(compare(term.node, ">=", low), compare(term.node, "<=", high)) for term in clocks]
        # From ten in the evening to six in the morning is over midnight.
        within = [every(*pair) if begin <= end else either(*pair) for pair in sides]
        on.add(every(*within), "between>=<= HOUR:hour N N", *said)
        if scene.cues & {"NOT", "UNLESS"}:
            on.add(every(*(normal(negated(one)) for one in within)), "notbetween>=<= HOUR:hour N N", *said)
