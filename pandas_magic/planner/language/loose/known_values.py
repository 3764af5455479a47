"""Atoms of texts and truths that occur in a column, and of which of several columns are filled."""

from collections.abc import Mapping, Sequence

from pandas_magic.planner.language.linking.references import Reference
from pandas_magic.planner.language.loose.atoms import AtomBag, Grounds, Slots, runs
from pandas_magic.planner.language.loose.nodes import (
    column,
    compare,
    either,
    every,
    negated,
    normal,
    present,
    value,
)
from pandas_magic.planner.language.loose.scene import Mention, Scene
from pandas_magic.planner.language.loose.terms import KIN, Term, kin_of, looked_up

_LITERAL = 2.5
Paths = Mapping[str, Sequence[Reference]]


def known_atoms(scene: Scene, table: str, paths: Paths, bag: AtomBag) -> None:
    """Texts and truths that occur, which say themselves of which column they are."""
    by_column: dict[tuple[str, str], list[tuple[int, str]]] = {}
    for mention in scene.mentions:
        for there, name, text in mention.values:
            by_column.setdefault((there, name), []).append((mention.place, text))
        # That it is so, where a column that holds whether it is so is named, however it is: "with aeration" of AER_FLG.
        named = {(there, name) for there, name, *_ in mention.truths}
        told = [(there, name, content, 0) for there, name, _, content in mention.truths]
        for there, name, content, tier in (*told, *(flag for flag in mention.flags if flag[:2] not in named)):
            term = _seen(paths, table, there, name)
            if term is not None:
                on = Grounds(bag, (("B", mention.place),), term.tier + tier)
                on.add(compare(term.plain, "==", value(content)), f"truth+ {term.label}")
                on.add(compare(term.plain, "!=", value(content)), f"truth- {term.label}")
        for condition in mention.defined:
            node, on = normal(condition.model_dump(mode="json")), Grounds(bag, (("B", mention.place),), 0)
            on.add(node, "truth+ C")
            on.add(negated(node), "truth- C")
    for (there, name), places in by_column.items():
        term = _seen(paths, table, there, name)
        if term is not None:
            _known(term, [m.place for m in scene.mentions if _names(m, (there, name))], places, bag)
        for link, at in kin_of(scene) if there == table == scene.target else ():
            known = looked_up((link,), Term(column(name), "text", (), KIN, "C", column(name)))
            _known(known, [at], places, bag)


def _seen(paths: Paths, table: str, there: str, name: str) -> Term | None:
    """The column as rows of the table see it."""
    own = Term(column(name), "text", (), 0, "C", column(name))
    if there == table:
        return own
    return looked_up(paths[there], own) if there in paths else None


def _names(mention: Mention, place: tuple[str, str]) -> bool:
    return any((table, column) == place and tier <= _LITERAL for table, column, tier in mention.columns)


def _known(term: Term, named: list[int], places: list[tuple[int, str]], bag: AtomBag) -> None:
    def resting_on(run: Sequence[int], nearest: int) -> Grounds:
        column_said: Slots = (("C", nearest),) if nearest not in run else ()
        return Grounds(bag, (*column_said, *(("V", at) for at in run)), term.tier + (0 if named else 0.5))

    for place, text in places:
        near = min(named, key=lambda at: abs(at - place), default=place)
        on = resting_on((place,), near)
        on.compare(term.plain, ("==", "!="), value(text), f"cmp? {term.label}:text V")
    text_at = dict(reversed(places))
    for run in runs(text_at):
        near = min(named, key=lambda at: min(abs(at - place) for place in run), default=run[0])
        texts = list(dict.fromkeys(text_at[at] for at in run))
        resting_on(run, near).among(term.plain, texts, f"{term.label} V*")


def presence_atoms(terms: list[Term], bag: AtomBag) -> None:
    """Which of several columns are filled: at least one, not both, exactly one, all or none."""
    by_place: dict[int, Term] = {}
    for term in terms:
        if term.label == "C" and (term.place not in by_place or term.tier < by_place[term.place].tier):
            by_place[term.place] = term
    places = sorted(by_place)
    for start in range(len(places)):
        for end in range(start + 2, min(len(places), start + 4) + 1):
            some = [by_place[place] for place in places[start:end]]
            if len({term.plain["name"] for term in some}) < len(some):
                continue
            slots = tuple((f"C{number or ''}", term.place) for number, term in enumerate(some))
            on = Grounds(bag, slots, sum(term.tier for term in some))
            there = [present(term.plain) for term in some]
            absent = [negated(one) for one in there]
            on.add(either(*there), f"anypresent{len(some)}")
            on.add(either(*absent), f"notallpresent{len(some)}")
            on.add(every(*there), f"allpresent{len(some)}")
            counted = {"node": "how_many", "conditions": there}
            on.add(compare(counted, "==", value(1)), f"onepresent{len(some)}")
            on.add(either(every(*there), every(*absent)), f"allornone{len(some)}")
