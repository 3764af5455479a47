"""Atoms of texts and truths that occur in a column, and of which of several columns are filled."""

from collections.abc import Mapping, Sequence

from pandas_magic.planner.language.linking.references import Reference
from pandas_magic.planner.language.loose.atoms import Add, Slots, runs
from pandas_magic.planner.language.loose.nodes import (
    column,
    compare,
    either,
    every,
    negated,
    normal,
    one_of,
    present,
    value,
)
from pandas_magic.planner.language.loose.scene import Mention, Scene
from pandas_magic.planner.language.loose.terms import KIN, Term, kin_of, looked_up

_LITERAL = 2.5
Paths = Mapping[str, Sequence[Reference]]


def known_atoms(scene: Scene, table: str, paths: Paths, add: Add) -> None:
    """Texts and truths that occur, which say themselves of which column they are."""
    by_column: dict[tuple[str, str], list[tuple[int, str]]] = {}
    for mention in scene.mentions:
        for there, name, text in mention.values:
            by_column.setdefault((there, name), []).append((mention.place, text))
        for there, name, _, content in mention.truths:
            term = _seen(paths, table, there, name)
            if term is not None:
                slots = (("B", mention.place),)
                add(compare(term.plain, "==", value(content)), f"truth+ {term.label}", slots, term.tier)
                add(compare(term.plain, "!=", value(content)), f"truth- {term.label}", slots, term.tier)
        _flagged(paths, table, mention, add)
        for condition in mention.defined:
            node, slots = normal(condition.model_dump(mode="json")), (("B", mention.place),)
            add(node, "truth+ C", slots, 0)
            add(negated(node), "truth- C", slots, 0)
    for (there, name), places in by_column.items():
        term = _seen(paths, table, there, name)
        named = [m.place for m in scene.mentions if _names(m, (there, name))]
        if term is not None:
            _known(term, named, places, add)
        for link, at in kin_of(scene) if there == table == scene.target else ():
            known = looked_up((link,), Term(column(name), "text", (), KIN, "C", column(name)))
            _known(known, [at], places, add)


def _flagged(paths: Paths, table: str, mention: Mention, add: Add) -> None:
    """That it is so, where a column that holds whether it is so is named, however it is: "with aeration" of AER_FLG."""
    known = {(there, name) for there, name, *_ in mention.truths}
    for there, name, content, tier in mention.flags:
        term = _seen(paths, table, there, name) if (there, name) not in known else None
        if term is not None:
            slots = (("B", mention.place),)
            add(compare(term.plain, "==", value(content)), f"truth+ {term.label}", slots, term.tier + tier)
            add(compare(term.plain, "!=", value(content)), f"truth- {term.label}", slots, term.tier + tier)


def _seen(paths: Paths, table: str, there: str, name: str) -> Term | None:
    """The column as rows of the table see it."""
    own = Term(column(name), "text", (), 0, "C", column(name))
    if there == table:
        return own
    return looked_up(paths[there], own) if there in paths else None


def _names(mention: Mention, place: tuple[str, str]) -> bool:
    return any((table, column) == place and tier <= _LITERAL for table, column, tier in mention.columns)


def _known(term: Term, named: list[int], places: list[tuple[int, str]], add: Add) -> None:
    tier = term.tier + (0 if named else 0.5)
    for place, text in places:
        near = min(named, key=lambda at: abs(at - place), default=place)
        slots: Slots = ((("C", near),) if near != place else ()) + (("V", place),)
        for relation in ("==", "!="):
            add(compare(term.plain, relation, value(text)), f"cmp{relation} {term.label}:text V", slots, tier)
    text_at = dict(reversed(places))
    for run in runs(text_at):
        near = min(named, key=lambda at: min(abs(at - place) for place in run), default=run[0])
        slots = ((("C", near),) if near not in run else ()) + tuple(("V", at) for at in run)
        listed = one_of(term.plain, list(dict.fromkeys(text_at[at] for at in run)))
        add(listed, f"oneof {term.label} V*", slots, tier)
        add(negated(listed), f"noneof {term.label} V*", slots, tier)


def presence_atoms(terms: list[Term], add: Add) -> None:
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
            tier = sum(term.tier for term in some)
            there = [present(term.plain) for term in some]
            absent = [negated(one) for one in there]
            add(either(*there), f"anypresent{len(some)}", slots, tier)
            add(either(*absent), f"notallpresent{len(some)}", slots, tier)
            add(every(*there), f"allpresent{len(some)}", slots, tier)
            add(
                compare({"node": "how_many", "conditions": there}, "==", value(1)),
                f"onepresent{len(some)}",
                slots,
                tier,
            )
            add(either(every(*there), every(*absent)), f"allornone{len(some)}", slots, tier)
