"""Atoms about one value in a row: present, compared with what the rule names, one of a list, of a form."""

from dataclasses import replace
from itertools import combinations
from math import inf

from pandas_magic.constraints.algebra.conditions import Relation
from pandas_magic.planner.language.linking.aliases import is_birth
from pandas_magic.planner.language.linking.calendar_days import stretch
from pandas_magic.planner.language.linking.words import name_words
from pandas_magic.planner.language.loose.atoms import RELATIONS, AtomBag, Grounds, differing, relations_of, runs
from pandas_magic.planner.language.loose.calendars import (
    days_said,
    months_from_to,
    months_said,
    on_the_clock,
)
from pandas_magic.planner.language.loose.nodes import (
    arithmetic,
    between,
    compare,
    moment,
    negated,
    now,
    one_of,
    parses,
    part,
    present,
    span,
    value,
)
from pandas_magic.planner.language.loose.numbers import numbers_of
from pandas_magic.planner.language.loose.scene import Mention, Scene
from pandas_magic.planner.language.loose.terms import YEARS, Term, in_unit_of
from pandas_magic.planner.language.loose.text_atoms import text_atoms

_OLDEST = 130
_ORDERED: tuple[Relation, ...] = ("<", "<=", ">", ">=")
# How the ends of a range may count; the hour from 10 to 16 is over at 16.
_ENDS: dict[str, tuple[tuple[Relation, Relation], ...]] = {
    "C": ((">=", "<="), (">", "<"), (">", "<=")),
    "HOUR": ((">=", "<"), (">=", "<=")),
}
_SHORT_UNITS = ("hours", "minutes", "seconds")
_WORKDAYS = 5
_LIST_MARKS = frozenset((",", "or", "and", "|", "/", ";"))
_CENTS = frozenset(("ct", "cent", "cents"))
_HALVED = frozenset(("odd", "even"))
_WIDEST_RANGE, _WIDEST_RANGE_OF_HOURS = 8, 14
# What a part of a date can be at all: "the month is at least 0" says nothing.
_PARTS_BETWEEN = {
    "year": (YEARS[0], YEARS[-1]), "quarter": (1, 4), "month": (1, 12), "week": (1, 53), "day": (1, 31), "hour": (0, 24)
}  # fmt: skip
_ANY_WORKDAY = frozenset(
    ("weekday", "weekdays", "weekend", "weekends", "working", "business", "workday", "workdays", "week")
)


def value_atoms(scene: Scene, terms: list[Term], bag: AtomBag) -> None:
    """What single values can be asked to be."""
    relations = relations_of(scene)
    for term in terms:
        on = bag.on(term)
        if term.label in "CLPDA":
            on.add(present(term.plain), f"present {term.label}")
            on.add(negated(present(term.plain)), f"missing {term.label}")
        if term.kind in ("num", "len", "year", "month", "quarter", "week", "day", "hour"):
            _numbers(scene, term, relations, on)
            _months(scene, term, on)
        elif term.kind == "date":
            _dates(scene, term, on)
        elif term.kind == "span":
            _spans(scene, term, on)
        elif term.kind == "weekday":
            _weekdays(scene, term, bag)
        elif term.kind == "bool":
            guessed = replace(on, tier=term.tier + 0.3)
            guessed.add(compare(term.node, "==", value(True)), f"truth+ {term.label}")
            guessed.add(compare(term.node, "==", value(False)), f"truth- {term.label}")
        # A postcode is of digits, and may begin with 97.
        if term.kind in ("text", "key") or (term.kind == "num" and term.plain != term.node and term.label in "CL"):
            text_atoms(scene, term, on)


def _numbers(scene: Scene, term: Term, relations: tuple[Relation, ...], on: Grounds) -> None:
    node, label = term.node, f"{term.label}:{term.kind}"
    taken = {at for _, at in term.slots} if term.label != "U" else set()
    cents = not _CENTS.isdisjoint(name_words(term.plain.get("name", "")))
    some = [(m.place, _measured_alike(scene, term, m, n)) for m, n in numbers_of(scene) if m.place not in taken]
    some += [(m.place, 100 * n) for m, n in numbers_of(scene) if cents and not _CENTS.isdisjoint(m.words)]
    low, high = _PARTS_BETWEEN.get(term.kind, (-inf, inf))
    some = [(place, number) for place, number in some if low <= number <= high]
    for place, number in some:
        # Nought is forbidden by itself; of other numbers nobody says that they are only not to be that one.
        fitting = relations if number == 0 or differing(scene) else [one for one in relations if one != "!="]
        on.compare(node, fitting, value(number), f"cmp? {label} N", ("N", place))
    for percent in (True, False):  # "around half; under 35 percent" is no range
        _ranges(scene, term, [one for one in some if scene.mentions[one[0]].percent == percent], on)
    for mention in scene.mentions:
        if not {"POSITIVE", "NONNEG"}.isdisjoint(mention.cues):
            on.compare(node, _ORDERED, value(0), f"sign? {label}", ("S", mention.place))
    if scene.cues & {"NOT", "PRESENT"} and term.label == "C":
        on.compare(node, ("==", ">"), value(0), f"none? {label}")
    for run in (run for run in runs(place for place, _ in some) if not _is_cut(scene, run)):
        listed = [n for at in run if (n := scene.mentions[at].number) is not None]
        on.among(node, listed, f"{label} N*", ("N", run[0]), ("N", run[-1]))
    if term.kind == "num":
        _wholes(scene, term, some, on)


def _is_cut(scene: Scene, run: tuple[int, ...]) -> bool:
    """Whether the list goes on before the run or behind it: a list is meant as a whole."""
    beside = [scene.mentions[max(at, 0) : at + 2] for at in (run[0] - 2, run[-1] + 1)]
    return any(
        any(one.text.lower() in _LIST_MARKS for one in pair) and any(one.number is not None for one in pair)
        for pair in beside
    )


def _measured_alike(scene: Scene, term: Term, mention: Mention, number: int | float) -> int | float:
    """The number as the values are measured: 240 for "4 hours" and minutes, 16 for "four in the afternoon"."""
    if term.kind == "hour":
        return on_the_clock(scene, mention, number)
    there = in_unit_of(term.plain.get("name", ""), mention)
    if there is None:
        return number
    return int(there) if there.is_integer() else there


def _ranges(scene: Scene, term: Term, numbers: list[tuple[int, int | float]], on: Grounds) -> None:
    label = f"{term.label}:{term.kind}"
    for (at, low), (to, high) in combinations(numbers, 2):
        widest = _WIDEST_RANGE_OF_HOURS if term.kind == "hour" else _WIDEST_RANGE
        if at == to or abs(to - at) > widest or low >= high:
            continue
        for ends in _ENDS.get(term.label, ((">=", "<="),)):
            shape = f"between{''.join(ends)} {label} N N"
            add = on.add_or_not if scene.cues & {"NOT", "UNLESS"} else on.add
            add(between(term.node, value(low), value(high), ends), shape, ("N", at), ("N", to))


def _wholes(scene: Scene, term: Term, numbers: list[tuple[int, int | float]], on: Grounds) -> None:
    if "INTEGER" in scene.cues:
        on.add(parses(term.plain, "integer"), f"parses:integer {term.label}:num", ("S", scene.cue("INTEGER")))
    halves = [(m.place, 2) for m in scene.mentions if not _HALVED.isdisjoint(m.words)]
    for place, number in [*halves, *(numbers if "MULTIPLE" in scene.cues else ())]:
        if number:
            steps = arithmetic(term.node, "/", value(number))
            on.add(parses(steps, "integer"), f"multiple {term.label} N", ("N", place))
    if "NUMERIC" in scene.cues and term.plain != term.node:
        on.add(parses(term.plain, "number"), f"parses:number {term.label}:text", ("S", scene.cue("NUMERIC")))


def _dates(scene: Scene, term: Term, on: Grounds) -> None:
    node, label = term.node, f"{term.label}:date"
    dates = [(m.place, m.date) for m in scene.mentions if m.date]
    dates += [(m.place, f"{m.number}-01-01") for m in scene.mentions if m.number in YEARS and not m.duration]
    by_day = replace(on, tier=term.tier + 0.2)
    for place, iso in dates:
        on.compare(node, RELATIONS, moment(iso), f"cmp? {label} D", ("D", place))
        by_day.compare(part("date", node), ("==", "!="), moment(iso), f"cmp? {label} DAY", ("D", place))
    for (at, low), (to, high) in combinations(dates, 2):
        if at != to and low < high:
            on.add(between(node, moment(low), moment(high)), f"between {label} D D", ("D", at), ("D", to))
    for mention in scene.mentions:
        if mention.duration is not None:
            _ago(term, mention, mention.duration, on)
    _today(scene, term, on)
    if is_birth(term.plain.get("name", "")):
        _ages(scene, term, on)
    if "ISDATE" in scene.cues and term.plain != term.node:
        on.add(parses(term.plain, "date"), f"parses:date {term.label}:text", ("S", scene.cue("ISDATE")))


def _today(scene: Scene, term: Term, on: Grounds) -> None:
    """A date against the time of the run."""
    node, label = term.node, f"{term.label}:date"
    if term.tier >= 3 and term.label in "CL":  # what has ended by now
        on.compare(node, _ORDERED, now(), f"cmp? {label} DONE")
    for mention in scene.mentions:
        said = ("W", mention.place)
        if "NOW" in mention.cues:
            on.compare(node, _ORDERED, now(), f"cmp? {label} NOW", said)
            on.compare(node, _ORDERED, now(midnight=True), f"cmp? {label} NOWm", said)
        for word, sign in (("yesterday", "-"), ("tomorrow", "+")):
            if word in mention.words:
                then = arithmetic(now(midnight=True), sign, span(1, "days"))
                on.compare(node, _ORDERED, then, f"cmp? {label} {word}", said)


def _ages(scene: Scene, term: Term, on: Grounds) -> None:
    for mention, number in numbers_of(scene):
        if isinstance(number, int) and number < _OLDEST and (mention.duration or (0, "years"))[1] == "years":
            born = arithmetic(now(), "-", span(number, "years"))
            on.compare(term.node, _ORDERED, born, f"age? {term.label}", ("N", mention.place))


def _ago(term: Term, mention: Mention, duration: tuple[float, str], on: Grounds) -> None:
    label, said = f"{term.label}:date", ("N", mention.place)
    midnight = duration[1] not in _SHORT_UNITS
    for start in {midnight, False}:
        then = arithmetic(now(midnight=start), "-", span(*duration))
        on.compare(term.node, _ORDERED, then, f"cmp? {label} NOW{'m' if start else ''}-SPAN", said)
    on.compare(term.node, _ORDERED, arithmetic(now(), "+", span(*duration)), f"cmp? {label} NOW+SPAN", said)
    begin = arithmetic(now(midnight=midnight), "-", span(*duration))
    on.add(between(term.node, begin, now()), f"recent {label}", said)


def _spans(scene: Scene, term: Term, on: Grounds) -> None:
    for mention in scene.mentions:
        if mention.duration is not None:
            length = span(*mention.duration)
            on.compare(term.node, RELATIONS, length, f"cmp? {term.label}:span SPAN", ("N", mention.place))


def _weekdays(scene: Scene, term: Term, bag: AtomBag) -> None:
    on = Grounds(bag, (*term.slots, ("W", scene.cue("WEEKDAY"))), term.tier)
    days = days_said(scene)
    # One day by its name is no weekend: "as agreed on Monday".
    if len(days) != 1 or any(not _ANY_WORKDAY.isdisjoint(mention.words) for mention in scene.mentions):
        on.add_or_not(one_of(term.node, list(range(1, _WORKDAYS + 1))), f"weekday<= {term.label}")
        on.add_or_not(one_of(term.node, [6, 7]), f"weekend {term.label}")
        on.add(compare(term.node, "<=", value(_WORKDAYS)), f"weekday<=5 {term.label}")
    _named_days(term, days, on)


def _months(scene: Scene, term: Term, on: Grounds) -> None:
    if (months := months_said(scene)) and term.kind == "month":
        spans = months_from_to(scene)
        for ends in spans:
            on.among(term.node, stretch(*ends, 12), f"{term.label} days")
        if len(spans) != 1 or len(months) > 2:  # "from September to February" are six months and not two
            _named_days(term, months, on)


def _named_days(term: Term, numbers: list[int], on: Grounds) -> None:
    if len(numbers) > 1:
        on.among(term.node, numbers, f"{term.label} days")
    for number in numbers:
        on.compare(term.node, ("==", "!="), value(number), f"weekday? {term.label} day")
