"""What a rule could compute for a row: columns of it and of the rows it refers to, their parts, sums and distances."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from pandas_magic.planner.language.linking.aliases import is_birth
from pandas_magic.planner.language.linking.references import Reference
from pandas_magic.planner.language.linking.spelled_out import spelled_out
from pandas_magic.planner.language.linking.unit_scales import units_of
from pandas_magic.planner.language.linking.words import name_words, names_data, word_forms
from pandas_magic.planner.language.loose.calendars import months_said, place_of_clock
from pandas_magic.planner.language.loose.nodes import Node, column, lookup, part, text_of
from pandas_magic.planner.language.loose.scene import Mention, Scene

_MOST_TERMS = 14
_MOST_DATES = 3
MOST_OPERANDS = 6
YEARS = range(1800, 2101)
_KINDS = {"integer": "num", "number": "num", "datetime": "date", "boolean": "bool", "mixed": "text", "duration": "span"}
_WHEN = frozenset(("day", "date", "time"))
_BY_DATE = re.compile(r"\b(?:the|that|same|its) (?:day|date|time) of(?: (?:the|an?|each|every|that|its))?$")
_BEFORE = 5
KIN = 0.6  # how much less likely the row that is referred to is meant than the row itself
_ORDERING = frozenset(("before", "after", "until"))
# Units of a fixed length, in seconds; the next one is so many times as long at most.
_SECONDS = {"seconds": 1, "minutes": 60, "hours": 3_600, "days": 86_400, "weeks": 604_800}
_NEXT = 60
_WORTHS = frozenset(("amount", "price", "value", "total"))
_PARTS = ("weekday", "year", "quarter", "month", "week", "day", "hour")


@dataclass(frozen=True)
class Term:
    """An expression with its kind, where in the rule it is said, how loosely, and a label for what it is.

    `plain` is the column itself where the expression reads its texts as dates or numbers.
    """

    node: Node
    kind: str
    slots: tuple[tuple[str, int], ...]
    tier: float
    label: str
    plain: Node

    @property
    def place(self) -> int:
        """Where in the rule it is said first."""
        return self.slots[0][1]

    @property
    def name(self) -> str:
        """The name of the column, here or in the row that is looked up; empty for what is computed."""
        node = self.plain
        while "of" in node:
            node = node["of"]
        return str(node.get("name", ""))

    @property
    def is_own(self) -> bool:
        """Whether it is a column of the row itself."""
        return bool(self.plain["node"] == "column")


def columns_of(scene: Scene, table: str) -> list[Term]:
    """The columns that are mentioned, as rows of `table` see them: their own, and those of rows they refer to."""
    found: dict[str, Term] = {}
    for term in (
        *_named(scene, table),
        *_of_nouns(scene, table),
        *(_of_rows(scene, table) if table == scene.target else ()),
        *_of_ages(scene, table),
        *(_left_over_date(scene) if table == scene.target else ()),
        *_measured(scene, table),
        *(_of_kin(scene, table) if table == scene.target else ()),
    ):
        key = f"{text_of(term.node)}{term.place}"
        if key not in found or term.tier < found[key].tier:
            found[key] = term
    return sorted(found.values(), key=lambda term: (term.tier, term.place))[:_MOST_TERMS]


def term_of(scene: Scene, where: tuple[str, str], place: int, said: tuple[float, str]) -> Term:
    """The column `where` is, said at the place; `said` are how loosely, and the label."""
    (table, name), (tier, label) = where, said
    kind = scene.names.kind(table, name)
    told = {"date": "date", "number": "num", "time": "time"}.get(scene.names.read_as(table, name) or "")
    holds = told or _KINDS.get(kind, kind)
    return Term(read(scene, table, name), holds, (("C", place),), tier, label, column(name))


def read(scene: Scene, table: str, name: str) -> Node:
    """The column, as the dates, numbers or times that its texts are."""
    read_as = scene.names.read_as(table, name)
    return {"node": "read_as", "of": column(name), "type": read_as} if read_as else column(name)


def paths_from(scene: Scene, table: str) -> dict[str, tuple[Reference, ...]]:
    """The way from rows of the table to each table that they refer to, over one other table at most."""
    references = scene.names.references
    found: dict[str, tuple[Reference, ...]] = {}
    for link in references.all_from(table):
        if link.parent != table:
            found.setdefault(link.parent, (link,))
    for link in [path[0] for path in found.values()]:
        for further in references.links(link.parent):
            if further.parent != table:
                found.setdefault(further.parent, (link, further))
    return found


def _named(scene: Scene, table: str) -> Iterator[Term]:
    paths = paths_from(scene, table)
    for mention in scene.mentions:
        for there, name, tier in mention.columns:
            if there == table:
                yield term_of(scene, (table, name), mention.place, (tier, "C"))
            elif there in paths and tier <= mention.tier + 0.6 and name != paths[there][-1].key:
                far = 0.3 * len(paths[there])
                yield looked_up(paths[there], term_of(scene, (there, name), mention.place, (tier + far, "L")))


def kin_of(scene: Scene) -> Iterator[tuple[Reference, int]]:
    """What refers to rows of the same table, with the place where it is named: the mother of an animal."""
    for link in scene.names.references.roles(scene.target):
        named = (m.place for m in scene.mentions if any(c[:2] == (scene.target, link.column) for c in m.columns))
        place = next(named, None)
        if link.parent == scene.target and place is not None:
            yield link, place


def _of_kin(scene: Scene, table: str) -> Iterator[Term]:
    """The same columns of the row that the row refers to in its own table: "older than its mother"."""
    for link, place in kin_of(scene):
        for term in (*_named(scene, table), *_of_ages(scene, table)):
            if term.is_own and term.name not in (link.column, link.key):
                yield replace(looked_up((link,), term), slots=(("C", place),), tier=term.tier + KIN)


def looked_up(path: Sequence[Reference], term: Term) -> Term:
    """The term as rows see it that refer to its table."""
    node, plain = term.node, term.plain
    for link in reversed(path):
        node, plain = (lookup(link.column, link.parent, link.key, of) for of in (node, plain))
    return Term(node, term.kind, term.slots, term.tier, "L", plain)


def _of_nouns(scene: Scene, table: str) -> Iterator[Term]:
    """A table said for what refers to it, and for the key and the date of its own rows."""
    paths, references = paths_from(scene, table), scene.names.references
    for mention in scene.mentions:
        for there in mention.tables:
            named = {name for _, name, tier in mention.columns if tier <= 1}
            if len(paths.get(there, ())) == 1 and paths[there][0].column not in named:
                plain = column(paths[there][0].column)
                yield Term(plain, "key", (("C", mention.place),), 3, "P", plain)
            happened = references.principal_date(there, of_texts=True) if there in paths else None
            if happened is not None:
                yield looked_up(paths[there], term_of(scene, (there, happened), mention.place, (4.3, "D")))
            if there != table:
                continue
            key, date = references.key(table), references.principal_date(table, of_texts=True)
            if key is not None:
                yield Term(column(key), "key", (("C", mention.place),), 3.5, "K", column(key))
            yield from _worth(scene, table, mention.place)
            dates = [date] if date is not None else _dates_of_day(scene, table, mention.place)
            yield from (term_of(scene, (table, name), mention.place, (4 if date else 4.5, "D")) for name in dates)


def _dates_of_day(scene: Scene, table: str, place: int) -> list[str]:
    """The dates of the rows, where it is said when they were: "on the day of the dive"."""
    before = " ".join(mention.text.lower() for mention in scene.mentions[max(0, place - _BEFORE) : place])
    dates = scene.names.references.dates(table, of_texts=True)
    return dates[:_MOST_DATES] if _BY_DATE.search(before) else []


def _worth(scene: Scene, table: str, place: int) -> Iterator[Term]:
    """What a row of the table is worth, where it alone is said: "bids below 100", "a payment of 0"."""
    if any(name.tier <= 1 for name in scene.mentions if name.columns and name.columns[0][0] == table):
        return
    for name in scene.linked.tables[table].columns:
        words = {word for form in spelled_out(name_words(name)) for word in form}
        if words & _WORTHS and scene.names.kind(table, name) in ("integer", "number"):
            yield term_of(scene, (table, name), place, (3, "U"))


def _of_rows(scene: Scene, table: str) -> Iterator[Term]:
    """The dates of the rows themselves, where a time is told without a date of theirs: first the one they are of."""
    place = next((m.place for m in scene.mentions if not _ORDERING.isdisjoint(m.words)), place_of_clock(scene))
    if place is None and (months_said(scene) or "WEEKDAY" in scene.cues):
        place = scene.cue("WEEKDAY") or scene.mentions[0].place
    if place is not None:
        date = scene.names.references.principal_date(table, of_texts=True)
        others = [name for name in scene.names.references.dates(table, of_texts=True) if not is_birth(name)]
        for name in (*([date] if date is not None else ()), *[name for name in others if name != date][:_MOST_DATES]):
            yield term_of(scene, (table, name), place, (4.5 if name == date else 5.0, "D"))


def _left_over_date(scene: Scene) -> Iterator[Term]:
    """The one date that no word names, where a word that means nothing stands before "time": "the release time"."""
    named = {name for mention in scene.mentions for there, name, _ in mention.columns if there == scene.target}
    left = [name for name in scene.names.references.dates(scene.target, of_texts=True) if name not in named]
    for before, mention in pairwise(scene.mentions):
        if before.is_word and not _WHEN.isdisjoint(mention.words) and len(left) == 1 and not mention.columns:
            yield term_of(scene, (scene.target, left[0]), mention.place, (4.5, "D"))


def _of_ages(scene: Scene, table: str) -> Iterator[Term]:
    """A birth date or an age that only "older" and "adults" speak of."""
    ages = [mention.place for mention in scene.mentions if "AGE" in mention.cues]
    ages += [m.place for m in scene.mentions if m.duration and m.duration[1] == "years"] if not ages else []
    paths = paths_from(scene, table) if ages and table == scene.target else {}
    for there in (table, *paths) if ages else ():
        for name in scene.linked.tables[there].columns:
            term = term_of(scene, (there, name), ages[0], (2.5, "A"))
            if (term.kind == "date" and is_birth(name)) or (term.kind == "num" and "age" in name_words(name)):
                yield term if there == table else replace(looked_up(paths[there], term), label="A", tier=3.0)


def _measured(scene: Scene, table: str) -> Iterator[Term]:
    """What a verb or a unit measures: "longer than 60 minutes" a duration, "costs" a price."""
    measures = names_data()["measures"]
    lasting = {name for mention in scene.mentions if mention.duration for name in _unit_names(mention.duration[1])}
    for mention in scene.mentions:
        said = {name for word in mention.words for form in word_forms(word) for name in measures.get(form, ())}
        said = said & lasting if lasting else said  # "longer than two years" measures no minutes
        said.update(_unit_names(mention.duration[1]) if mention.duration else ())
        if mention.number in YEARS and not mention.duration:  # "nothing before 1890"
            said.add("year")
        if not said or mention.tier <= 2:
            continue
        for name in scene.linked.tables[table].columns:
            words = {word for form in spelled_out(name_words(name)) for word in form}
            if said & words and scene.names.kind(table, name) in ("integer", "number"):
                yield term_of(scene, (table, name), mention.place, (3, "U"))


def _unit_names(unit: str) -> set[str]:
    """How columns say that they hold times in the unit, or in one next to it: hours, where 90 minutes are said."""
    units = names_data()["duration_units"]
    at = _SECONDS.get(unit)
    near = (name for name, seconds in _SECONDS.items() if at is not None and 1 / _NEXT <= seconds / at <= _NEXT)
    return {word for name in {unit, *near} for word in units.get(name, ())}


def in_unit_of(name: str, mention: Mention) -> float | None:
    """The length of time that the mention tells, in the unit of the column; None where either has no fixed unit."""
    if mention.duration is None or mention.duration[1] not in _SECONDS:
        return None
    own = [unit for unit in units_of(name) if unit in _SECONDS]
    return mention.duration[0] * _SECONDS[mention.duration[1]] / _SECONDS[own[0]] if own else None


def lengths(columns: list[Term]) -> Iterator[Term]:
    """The lengths of the texts."""
    for term in columns:
        if term.kind in ("text", "key") and term.label in "CL":
            yield Term({"node": "length", "of": term.plain}, "len", term.slots, term.tier, "LEN", term.plain)


def date_parts(scene: Scene, columns: list[Term]) -> Iterator[Term]:
    """The parts of dates that the rule speaks of: the weekday, the month, the hour."""
    said = {word for mention in scene.mentions for word in mention.words} if scene.cues else set()
    said |= {"month"} if months_said(scene) else set()
    said |= {"year"} if any(m.number in YEARS and not m.duration for m in scene.mentions) else set()
    said |= {"hour"} if place_of_clock(scene) is not None and not scene.names.times(scene.target) else set()
    for name in _PARTS:
        if name in said or f"{name}s" in said or (name == "weekday" and "WEEKDAY" in scene.cues):
            for term in columns:
                if term.kind == "date":
                    yield Term(part(name, term.node), name, term.slots, term.tier + 0.3, name.upper(), term.plain)
