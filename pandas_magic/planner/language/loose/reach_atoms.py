"""Atoms that look at rows of other tables: what a row refers to, and the rows that refer to it."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

from pandas_magic.planner.language.linking.references import Reference
from pandas_magic.planner.language.linking.words import name_words
from pandas_magic.planner.language.loose.atoms import Atom, AtomBag, Grounds, Slots, relations_of
from pandas_magic.planner.language.loose.known_values import known_atoms
from pandas_magic.planner.language.loose.nodes import (
    Node,
    arithmetic,
    column,
    compare,
    either,
    every,
    exists,
    lookup,
    negated,
    present,
    statistic,
    value,
)
from pandas_magic.planner.language.loose.numbers import counts_of, numbers_of
from pandas_magic.planner.language.loose.row_atoms import value_atoms
from pandas_magic.planner.language.loose.scene import Scene
from pandas_magic.planner.language.loose.terms import Term, columns_of

_INNER_FAMILIES = ("cmp", "truth", "oneof", "noneof", "missing", "present", "sign", "between", "recent")
_MOST_INNER = 36
_REFERRING = ("_by", "_to", "_id", "_ref", "_code", "_no", "_nr")
# What a row stands for when its table alone is said: "the payments add up to".
_WORTHS = ("amount", "hand", "total", "value", "sum", "price", "qty", "quantity")
_STATISTICS = (
    ("sum", ("SUM",)),
    ("max", ("MAXSTAT",)),
    ("min", ("MINSTAT",)),
    ("mean", ("MEAN",)),
    ("median", ("MEDIAN",)),
    ("distinct", ("NE", "UNIQUE", "COUNT")),
)


@dataclass(frozen=True)
class Scope:
    """Which rows of another table are meant: all, or those with a condition; and the words that say so."""

    node: Node | None = None
    shape: str = ""
    slots: Slots = ()
    tier: float = 0.0

    def of(self, there: Node) -> Node:
        """That such rows exist."""
        return {**there, "where": self.node} if self.node is not None else there


def inner_atoms(scene: Scene, table: str, most: int = _MOST_INNER) -> list[Atom]:
    """Simple conditions about rows of another table, the most literal first."""
    bag = AtomBag()
    terms = [term for term in columns_of(scene, table) if term.label == "C"][:6]
    value_atoms(scene, terms, bag)
    known_atoms(scene, table, {}, bag)
    found = [atom for atom in bag.atoms.values() if atom.tier <= 3 and atom.shape.startswith(_INNER_FAMILIES)]
    return sorted(found, key=lambda atom: atom.tier)[:most]


def scopes(scene: Scene, table: str, most: int = _MOST_INNER) -> list[Scope]:
    """All rows of a table, and those with each simple condition."""
    found = [Scope()]
    for atom in inner_atoms(scene, table, most):
        found.append(Scope(atom.node, f" where {atom.shape}", atom.slots, atom.tier))
        if "UNLESS" in scene.cues and atom.shape.startswith(("cmp!= C:text", "noneof")):
            rest = either(negated(present(atom.node.get("left") or atom.node["condition"]["of"])), atom.node)
            found.append(Scope(rest, f" where left out {atom.shape}", atom.slots, atom.tier))
    return found


def said_tables(scene: Scene) -> dict[str, int]:
    """Where each table is spoken of first."""
    found: dict[str, int] = {}
    for mention in scene.mentions:
        for table in (*mention.tables, *mention.inner_tables):
            found.setdefault(table, mention.place)
        for table, name, tier in mention.columns:
            for link in scene.names.references.links(table) if table == scene.target and tier <= 2 else ():
                if name == link.column:
                    found.setdefault(link.parent, mention.place)
    return found


def parent_atoms(scene: Scene, terms: list[Term], bag: AtomBag) -> None:
    """What a row refers to exists, or does not; with a condition on it, or without."""
    said = said_tables(scene)
    target = scene.target
    for link in scene.names.references.all_from(target):
        named = [m.place for m in scene.mentions if any((t, c) == (target, link.column) for t, c, _ in m.columns)]
        place = said.get(link.parent, named[0] if named else None)
        if place is None:
            continue
        slots: Slots = (("P", place), *((("C", named[0]),) if named and named[0] != place else ()))
        there = exists([column(link.column)], link.parent, [link.key])
        for scope in scopes(scene, link.parent, 30):
            all_slots = (*slots[:1], *scope.slots) if scope.slots else slots
            _existing(scope.of(there), scope.shape, Grounds(bag, all_slots, scope.tier + (0 if named else 0.5)))
    _free_parents(scene, terms, said, bag)
    _same_parents(scene, said, bag)
    if "OWN" in scene.cues:
        _own(scene, terms, bag)


def _existing(there: Node, shape: str, on: Grounds) -> None:
    on.add(there, f"exists{shape}")
    on.add(every(there, present(there["of"][0])), f"exists+present{shape}")
    on.add(negated(there), f"notexists{shape}")


def _same_parents(scene: Scene, said: dict[str, int], bag: AtomBag) -> None:
    """What a row refers to is what another row refers to, to which it refers: "the same lift as its visit"."""
    references, target = scene.names.references, scene.target
    own = {link.parent: link for link in references.all_from(target) if link.parent != target}
    named = {(t, c): m.place for m in reversed(scene.mentions) for t, c, _ in m.columns}
    for through in own.values():
        at = said.get(through.parent, named.get((target, through.column)))
        for further in references.all_from(through.parent) if at is not None else ():
            link = own.get(further.parent)
            if link is not None and link.parent != through.parent and link.parent in said:
                there = lookup(through.column, through.parent, through.key, column(further.column))
                on = Grounds(bag, (("C", said[link.parent]), ("C2", at or 0)), 1.5)
                on.compare(column(link.column), ("==", "!="), there, "cmp? C:key L")


def _free_parents(scene: Scene, terms: list[Term], said: dict[str, int], bag: AtomBag) -> None:
    """A column and a table that no name links: "the code must be among the codes of the list"."""
    references = scene.names.references
    linked = {link.parent for link in references.all_from(scene.target)}
    for term in terms:
        if term.label != "C" or term.tier > 2.5:
            continue
        for table, place in said.items():
            if table == scene.target or (table in linked and not term.plain["name"].lower().endswith(_REFERRING)):
                continue
            columns = scene.linked.tables[table].columns
            keys = [name for name in columns if name == term.plain["name"]]
            keys += [key for key in (*scene.linked.tables[table].keys[:1], references.key(table)) if key]
            keys += [c for m in scene.mentions for t, c, tier in m.columns if t == table and tier <= 1]
            on = Grounds(bag, (("P", place), *term.slots), term.tier)
            for key in list(dict.fromkeys(keys))[:2]:
                there = exists([term.plain], table, [key])
                on.add(there, "existsfree")
                on.add(every(there, present(term.plain)), "existsfree+present")
                on.add(negated(there), "notexistsfree")


def _own(scene: Scene, terms: list[Term], bag: AtomBag) -> None:
    """A row that refers to itself, or twice to the same."""
    references, said = scene.names.references, ("S", scene.cue("OWN"))
    key = references.key(scene.target)
    on = Grounds(bag, (said,), 1)
    for name in references.self_references(scene.target) if key is not None else ():
        on.add(compare(column(name), "!=", column(str(key))), "ownself")
    for term in terms if key is not None else ():
        if term.label == "C" and term.plain != column(str(key)):
            bag.on(term).add(compare(term.plain, "!=", column(str(key))), "ownself", said)
    links = references.all_from(scene.target)
    for one, other in combinations(links, 2):
        if one.parent == other.parent and one.column != other.column:
            on.add(compare(column(one.column), "!=", column(other.column)), "ownrole")


def child_atoms(scene: Scene, terms: list[Term], bag: AtomBag) -> None:
    """The rows that refer to a row: whether there are any, how many, and statistics of their columns."""
    said = said_tables(scene)
    for table in scene.linked.tables:
        if table == scene.target:
            continue
        links = (link for link in scene.names.references.all_from(table) if link.parent == scene.target)
        for link in sorted(links, key=lambda link: link.role):  # one in no role first
            columns = [term for term in columns_of(scene, table) if term.label in "CU" and term.tier <= 3]
            valued = (m.place for m in scene.mentions if any(there == table for there, *_ in m.values))
            place = said.get(table, columns[0].place if columns else next(valued, None))
            if (
                place is not None
                and scene.cues & {"SUM", "LE", "EQ", "GT"}
                and not any(term.kind == "num" for term in columns)
            ):
                columns += _worths(scene, table, place)
            if place is not None:
                _Children(scene, link, place, columns).atoms(terms, bag, is_said=table in said)
                break


def _worths(scene: Scene, table: str, place: int) -> list[Term]:
    numbers = [
        name for name in scene.linked.tables[table].columns if scene.names.kind(table, name) in ("integer", "number")
    ]
    for word in _WORTHS:
        named = [name for name in numbers if word in name_words(name)]
        if len(named) == 1:
            return [Term(column(named[0]), "num", (("C", place),), 3, "C", column(named[0]))]
    return []


class _Children:
    """The rows of one table that refer to the rows judged."""

    def __init__(self, scene: Scene, link: Reference, place: int, columns: list[Term]) -> None:
        self.scene, self.link, self.place, self.columns = scene, link, place, columns
        self.join: Node = {"columns": [link.key], "table": link.table, "keys": [link.column]}
        self.numbers = [(m.place, n) for m, n in numbers_of(scene) if isinstance(n, int) and not m.duration]
        self.counts = counts_of(scene)
        self.relations = relations_of(scene)

    def atoms(self, terms: list[Term], bag: AtomBag, *, is_said: bool) -> None:
        """Whether there are such rows is asked where their table is said, or a condition on them."""
        link = self.link
        there = exists([column(link.key)], link.table, [link.column])
        for scope in scopes(self.scene, link.table):
            node = scope.of(there)
            if is_said or scope.slots:
                on = Grounds(bag, (("T", self.place), *scope.slots), scope.tier)
                on.add(node, f"child{scope.shape}")
                on.add(negated(node), f"nochild{scope.shape}")
            if scope.tier <= 3.5:
                if is_said or scope.slots:
                    self._counts(scope, terms, bag)
                self._statistics(scope, terms, bag)

    def _counts(self, scope: Scope, terms: list[Term], bag: AtomBag) -> None:
        count = statistic("rollup", "count", where=scope.node, join=self.join)
        taken = {place for _, place in scope.slots}
        for place, number in self.counts:
            if place not in taken:
                on = Grounds(bag, (("T", self.place), ("N", place), *scope.slots), scope.tier)
                on.compare(count, self.relations, value(number), f"childcount?N{scope.shape}")
        for term in terms if self.scene.cues & {"COUNT", "EQ", "LE", "GE", "GT", "LT", "MANY"} else ():
            if term.kind == "num" and term.label == "C":
                on = Grounds(bag, (*term.slots, ("T", self.place), *scope.slots), scope.tier + term.tier)
                on.compare(term.node, ("==", "<=", ">="), count, f"childcount?C{scope.shape}")

    def _statistics(self, scope: Scope, terms: list[Term], bag: AtomBag) -> None:
        for name, of, slots, tier in self._statistics_said():
            places = {at for _, at in slots}
            if not places.isdisjoint(at for _, at in scope.slots):
                continue
            total = statistic("rollup", name, of, scope.node, join=self.join)
            for place, number in self.counts if name == "distinct" else self.numbers:
                on = Grounds(bag, (*slots, ("N", place), *scope.slots), tier + scope.tier)
                on.compare(total, self.relations, value(number), f"child:{name}?N{scope.shape}")
            for term in terms:
                if term.label == "C" and term.kind in ("num", "date") and term.place not in places:
                    on = Grounds(bag, (*term.slots, *slots, *scope.slots), tier + scope.tier + term.tier)
                    on.compare(term.node, ("==", "<=", ">="), total, f"child:{name}?C{scope.shape}")

    def _statistics_said(self) -> Iterator[tuple[str, Node, Slots, float]]:
        """The statistics that the rule may speak of: of one column of the children, or of two multiplied."""
        said = [name for name, cues in _STATISTICS if not self.scene.cues.isdisjoint(cues)]
        for term in self.columns:
            fitting = [
                name
                for name in said
                if (name == "distinct" and term.plain != column(self.link.column))
                or (name != "distinct" and term.kind == "num")
                or (term.kind == "date" and name in ("min", "max"))
            ]
            for name in fitting or (["sum"] if term.kind == "num" else []):
                yield name, term.plain if name == "distinct" else term.node, (("C2", term.place),), term.tier
        numbers = [term for term in self.columns if term.kind == "num"][:4]
        for one, other in combinations(numbers, 2):
            if one.place != other.place and "TIMES" in self.scene.cues:
                slots = (("C2", one.place), ("C3", other.place))
                yield "sum", arithmetic(one.node, "*", other.node), slots, one.tier + other.tier
