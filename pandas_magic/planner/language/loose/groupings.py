"""The columns, and the periods of dates, within which rows of a table are looked at together."""

from itertools import combinations

from pandas_magic.planner.language.linking.aliases import PERIODS
from pandas_magic.planner.language.loose.atoms import Slots
from pandas_magic.planner.language.loose.nodes import Node, part, text_of
from pandas_magic.planner.language.loose.scene import Scene
from pandas_magic.planner.language.loose.terms import Term, read

_MOST_GROUPS = 22
_BEFORE, _GROUPING = 5, frozenset(("PER", "UNIQUE", "EVERY"))
_PARTS = {"day": ("date",), "date": ("date",), "week": ("year", "week"), "month": ("year", "month"), "year": ("year",)}
# The parts of a date that tell a period apart, by what it is called.
_PERIODS = _PARTS | {word: _PARTS[period] for word, period in PERIODS.items() if period in _PARTS}


class Grouping:
    """The columns, and the periods of a date, within which rows are looked at together."""

    def __init__(self, terms: list[Term], period: tuple[str, list[Node], int, float] | None = None) -> None:
        self.terms = terms
        self.period = period[0] if period else ""
        self.by = [term.plain for term in terms] + (period[1] if period else [])
        places = [term.place for term in terms] + ([period[2]] if period else [])
        self.slots: Slots = tuple((f"C{number or ''}", place) for number, place in enumerate(places))
        self.tier = sum(term.tier for term in terms) + (period[3] if period else 0)
        self.size = f"{len(places)}{'p' if period else ''}"


def groupings(scene: Scene, terms: list[Term]) -> list[Grouping]:
    """One to four columns that are said one after another, and each with a period that the rule speaks of."""
    own = [term for term in terms if term.label in "CPKD" and term.is_own]
    best: dict[int, Term] = {}
    for term in own:
        if term.place not in best or term.tier < best[term.place].tier:
            best[term.place] = term
    places = sorted(best)
    found = [[term] for term in own]
    for size in (2, 3, 4):
        for start in range(len(places) - size + 1):
            found.append([best[place] for place in places[start : start + size]])
    found += [
        [best[one], best[two]] for one, two in combinations(places, 2) if places.index(two) > places.index(one) + 1
    ]
    plain = [terms for terms in found if len({text_of(term.plain) for term in terms}) == len(terms)][:_MOST_GROUPS]
    return [Grouping(terms) for terms in plain] + _periodic(scene, plain)


def _periodic(scene: Scene, plain: list[list[Term]]) -> list[Grouping]:
    # "Two years" is no period within which rows are counted, "one day" may be; nor is the date of something.
    able = [m for m in scene.mentions if (m.duration[0] == 1 if m.duration else _is_period(scene, m.place))]
    said = [(m.place, _PERIODS[word]) for m in able for word in m.words if word in _PERIODS]
    said += [(m.place, _PERIODS[unit]) for m in able if m.duration and (unit := m.duration[1].rstrip("s")) in _PERIODS]
    dates = [read(scene, scene.target, name) for name in scene.names.references.dates(scene.target, of_texts=True)]
    found: list[Grouping] = []
    for place, parts in list(dict.fromkeys(said))[:2]:
        for terms in [[], *plain[:10]]:
            dated = [term for term in terms if term.kind == "date"]
            rest = [term for term in terms if term not in dated[:1]]
            for date in [dated[0].node] if dated else dates[:3]:
                period = [part(name, date) for name in parts]
                where = dated[0].place if dated else place
                found.append(Grouping(rest, (parts[0], period, where, dated[0].tier if dated else 1)))
    return found[:_MOST_GROUPS]


def _is_period(scene: Scene, place: int) -> bool:
    """Whether it is a day, month or year in which rows are together: "per customer and day", "the same month"."""
    before = scene.mentions[max(0, place - _BEFORE) : place + 1]
    told = any("calendar" in one.words or not _GROUPING.isdisjoint(one.cues) for one in before)
    behind = scene.mentions[place + 1 :]  # "the date … should be unique"; "the same as" compares it
    told = told or any("UNIQUE" in one.cues and "same" not in one.words for one in behind)
    return told or any(word.endswith("ly") for word in scene.mentions[place].words)
