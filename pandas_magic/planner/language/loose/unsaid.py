"""What a rule leaves unsaid: the dates between which a row lasts, and the other side of a comparison."""

from collections.abc import Iterator, Sequence
from itertools import permutations

from pandas_magic.planner.language.linking.aliases import event_verbs
from pandas_magic.planner.language.linking.spelled_out import spelled_out
from pandas_magic.planner.language.linking.words import name_words, names_data
from pandas_magic.planner.language.loose.nodes import arithmetic, column, text_of
from pandas_magic.planner.language.loose.scene import Scene
from pandas_magic.planner.language.loose.terms import MOST_OPERANDS, Term, term_of

_MOST_UNSAID, _LOOSE = 4, 5
_BY_POSITION = 3.5
_ONE_SIDED = frozenset(("GT", "LT", "GE", "LE"))


def distances(scene: Scene, columns: list[Term]) -> Iterator[Term]:
    """How far apart two dates are, or two times of the day."""
    dates, times = ([term for term in columns if term.kind == kind][:MOST_OPERANDS] for kind in ("date", "time"))
    lasting = next((m.place for m in scene.mentions if m.duration), 0)
    if len(dates) < 2 and len(times) < 2:
        held = scene.names.times(scene.target)
        dates = [*dates, *begun_and_over(scene, lasting, dates)]
        times = [*times, *begun_and_over(scene, lasting, times, among=held)] if len(dates) < 2 and len(held) > 1 else []
    for left, right in (*permutations(dates, 2), *permutations(times, 2)):
        if text_of(left.node) != text_of(right.node):
            node = arithmetic(left.node, "-", right.node)
            order = "DIFF<" if left.place < right.place else "DIFF>"
            slots = (("C", left.place), ("C2", right.place))
            yield Term(node, "span", slots, left.tier + right.tier, order, node)


def begun_and_over(
    scene: Scene, place: int, known: list[Term], *, among: Sequence[str] | None = None
) -> Iterator[Term]:
    """The two dates between which the row lasts, said at the place: "shifts must not be longer than 12 hours".

    `among` are other columns than the dates, of times of the day.
    """
    dates = scene.names.references.dates(scene.target, of_texts=True) if among is None else list(among)
    plain = [term.plain for term in known]
    told: list[str] = []
    for words in (names_data()["beginnings"], names_data()["endings"]):
        fitting = ([name for name in dates if word in _events(name)] for word in words)
        told += next((named for named in fitting if len(named) == 1), [])
    for at, name in enumerate(dict.fromkeys((*told, *dates[:_MOST_UNSAID]))):
        if column(name) not in plain:
            yield term_of(scene, (scene.target, name), place, (3.0 + 0.1 * at + 0.5 * (name not in told), "T"))


def unsaid(scene: Scene, terms: list[Term]) -> list[Term]:
    """What the row's own columns may add where a comparison has one side: "never above the capacity of the ship"."""
    place = place_of_ordering(scene)
    if place is None or any(m.is_constant for m in scene.mentions):
        return []
    said = [term for term in terms if term.kind == "num" and term.label in "CL" and term.tier <= _LOOSE]
    if not said and sum(term.kind == "date" and term.label in "CL" for term in terms) < 2:
        found = list(begun_and_over(scene, place, terms))
        # Where the row has times of the day, it lasts between these, unless dates say so by their names.
        by_name = [term for term in found if term.tier < _BY_POSITION]
        return found if len(by_name) > 1 or len(scene.names.times(scene.target)) < 2 else []
    if len({text_of(term.plain) for term in said}) != 1:
        return []
    words = {word for term in said for form in spelled_out(name_words(term.name)) for word in form}
    at = min(place, said[0].place)  # "may exceed the capacity" leaves unsaid what stands before
    found = [
        term_of(scene, (scene.target, name), at, (2.5 + 1.5 * words.isdisjoint(name_words(name)), "U"))
        for name in scene.linked.tables[scene.target].columns
        if scene.names.kind(scene.target, name) in ("integer", "number") and column(name) != said[0].plain
    ]
    keys = scene.names.references.telling_apart(scene.target)
    return sorted((t for t in found if t.plain["name"] not in keys), key=lambda term: term.tier)[:_MOST_UNSAID]


def place_of_ordering(scene: Scene) -> int | None:
    """Where something is said to be more or less than another; None where nothing is."""
    return next((m.place for m in scene.mentions if not _ONE_SIDED.isdisjoint(m.cues)), None)


def _events(name: str) -> set[str]:
    return {*event_verbs(name), *(word for form in spelled_out(name_words(name)) for word in form)}
