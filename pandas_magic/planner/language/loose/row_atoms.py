"""Atoms about one value in a row: present, compared with what the rule names, one of a list, of a form."""

from itertools import combinations
from math import inf

from pandas_magic.constraints.algebra.conditions import Relation
from pandas_magic.planner.language.linking.aliases import is_birth
from pandas_magic.planner.language.linking.calendar_days import stretch
from pandas_magic.planner.language.linking.words import name_words
from pandas_magic.planner.language.loose.atoms import RELATIONS, Add, Slots, differing, relations_of, runs
from pandas_magic.planner.language.loose.calendars import (
    days_said,
    months_from_to,
    months_said,
    on_the_clock,
)
from pandas_magic.planner.language.loose.nodes import (
    arithmetic,
    compare,
    every,
    moment,
    negated,
    now,
    one_of,
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


def value_atoms(scene: Scene, terms: list[Term], add: Add) -> None:
    """What single values can be asked to be."""
    relations = relations_of(scene)
    for term in terms:
        slots = term.slots
        if term.label in "CLPDA":
            add(present(term.plain), f"present {term.label}", slots, term.tier)
            add(negated(present(term.plain)), f"missing {term.label}", slots, term.tier)
        if term.kind in ("num", "len", "year", "month", "quarter", "week", "day", "hour"):
            _numbers(scene, term, relations, add)
            _months(scene, term, add)
        elif term.kind == "date":
            _dates(scene, term, add)
        elif term.kind == "span":
            _spans(scene, term, add)
        elif term.kind == "weekday":
            _weekdays(scene, term, add)
        elif term.kind == "bool":
            for wanted in (True, False):
                add(
                    compare(term.node, "==", value(wanted)),
                    f"truth{'+' if wanted else '-'} {term.label}",
                    slots,
                    term.tier + 0.3,
                )
        # A postcode is of digits, and may begin with 97.
        if term.kind in ("text", "key") or (term.kind == "num" and term.plain != term.node and term.label in "CL"):
            text_atoms(scene, term, add)


def _numbers(scene: Scene, term: Term, relations: tuple[Relation, ...], add: Add) -> None:
    node, label, tier = term.node, f"{term.label}:{term.kind}", term.tier
    taken = {at for _, at in term.slots} if term.label != "U" else set()
    cents = not _CENTS.isdisjoint(name_words(term.plain.get("name", "")))
    some = [(m.place, _measured_alike(scene, term, m, n)) for m, n in numbers_of(scene) if m.place not in taken]
    some += [(m.place, 100 * n) for m, n in numbers_of(scene) if cents and not _CENTS.isdisjoint(m.words)]
    low, high = _PARTS_BETWEEN.get(term.kind, (-inf, inf))
    some = [(place, number) for place, number in some if low <= number <= high]
    for place, number in some:
        # Nought is forbidden by itself; of other numbers nobody says that they are only not to be that one.
        fitting = relations if number == 0 or differing(scene) else [one for one in relations if one != "!="]
        for relation in fitting:
            add(compare(node, relation, value(number)), f"cmp{relation} {label} N", (*term.slots, ("N", place)), tier)
    for percent in (True, False):  # "around half; under 35 percent" is no range
        _ranges(scene, term, [one for one in some if scene.mentions[one[0]].percent == percent], add)
    for mention in scene.mentions:
        for relation in _ORDERED if not {"POSITIVE", "NONNEG"}.isdisjoint(mention.cues) else ():
            add(compare(node, relation, value(0)), f"sign{relation} {label}", (*term.slots, ("S", mention.place)), tier)
    if scene.cues & {"NOT", "PRESENT"} and term.label == "C":
        add(compare(node, "==", value(0)), f"none== {label}", term.slots, tier)
        add(compare(node, ">", value(0)), f"none> {label}", term.slots, tier)
    for run in (run for run in runs(place for place, _ in some) if not _is_cut(scene, run)):
        listed = one_of(node, [n for at in run if (n := scene.mentions[at].number) is not None])
        add(listed, f"oneof {label} N*", (*term.slots, ("N", run[0]), ("N", run[-1])), tier)
        add(negated(listed), f"noneof {label} N*", (*term.slots, ("N", run[0]), ("N", run[-1])), tier)
    if term.kind == "num":
        _wholes(scene, term, some, add)


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


def _ranges(scene: Scene, term: Term, numbers: list[tuple[int, int | float]], add: Add) -> None:
    node, label = term.node, f"{term.label}:{term.kind}"
    for (at, low), (to, high) in combinations(numbers, 2):
        widest = _WIDEST_RANGE_OF_HOURS if term.kind == "hour" else _WIDEST_RANGE
        if at == to or abs(to - at) > widest or low >= high:
            continue
        slots = (*term.slots, ("N", at), ("N", to))
        for more, less in _ENDS.get(term.label, ((">=", "<="),)):
            ends = every(compare(node, more, value(low)), compare(node, less, value(high)))
            add(ends, f"between{more}{less} {label} N N", slots, term.tier)
            if not scene.cues.isdisjoint(("NOT", "UNLESS")):
                add(negated(ends), f"notbetween{more}{less} {label} N N", slots, term.tier)


def _wholes(scene: Scene, term: Term, numbers: list[tuple[int, int | float]], add: Add) -> None:
    whole = {"node": "parses", "of": term.plain, "type": "integer"}
    if "INTEGER" in scene.cues:
        add(whole, f"parses:integer {term.label}:num", (*term.slots, ("S", scene.cue("INTEGER"))), term.tier)
    halves = [(m.place, 2) for m in scene.mentions if not _HALVED.isdisjoint(m.words)]
    for place, number in [*halves, *(numbers if "MULTIPLE" in scene.cues else ())]:
        if number:
            steps = {"node": "parses", "of": arithmetic(term.node, "/", value(number)), "type": "integer"}
            add(steps, f"multiple {term.label} N", (*term.slots, ("N", place)), term.tier)
    if "NUMERIC" in scene.cues and term.plain != term.node:
        number_slot = (*term.slots, ("S", scene.cue("NUMERIC")))
        add(
            {"node": "parses", "of": term.plain, "type": "number"},
            f"parses:number {term.label}:text",
            number_slot,
            term.tier,
        )


def _dates(scene: Scene, term: Term, add: Add) -> None:
    node, label = term.node, f"{term.label}:date"
    dates = [(m.place, m.date) for m in scene.mentions if m.date]
    dates += [(m.place, f"{m.number}-01-01") for m in scene.mentions if m.number in YEARS and not m.duration]
    for place, iso in dates:
        for relation in RELATIONS:
            there = compare(node, relation, moment(iso))
            add(there, f"cmp{relation} {label} D", (*term.slots, ("D", place)), term.tier)
            if relation in ("==", "!="):
                day = compare(part("date", node), relation, moment(iso))
                add(day, f"cmp{relation} {label} DAY", (*term.slots, ("D", place)), term.tier + 0.2)
    for (at, low), (to, high) in combinations(dates, 2):
        if at != to and low < high:
            ends = every(compare(node, ">=", moment(low)), compare(node, "<=", moment(high)))
            add(ends, f"between {label} D D", (*term.slots, ("D", at), ("D", to)), term.tier)
    for mention in scene.mentions:
        if mention.duration is not None:
            _ago(term, mention, mention.duration, add)
    _today(scene, term, add)
    if is_birth(term.plain.get("name", "")):
        _ages(scene, term, add)
    if "ISDATE" in scene.cues and term.plain != term.node:
        slots = (*term.slots, ("S", scene.cue("ISDATE")))
        add({"node": "parses", "of": term.plain, "type": "date"}, f"parses:date {term.label}:text", slots, term.tier)


def _today(scene: Scene, term: Term, add: Add) -> None:
    """A date against the time of the run."""
    node, label = term.node, f"{term.label}:date"
    for relation in _ORDERED:
        if term.tier >= 3 and term.label in "CL":  # what has ended by now
            add(compare(node, relation, now()), f"cmp{relation} {label} DONE", term.slots, term.tier)
        for mention in scene.mentions:
            slots = (*term.slots, ("W", mention.place))
            if "NOW" in mention.cues:
                add(compare(node, relation, now()), f"cmp{relation} {label} NOW", slots, term.tier)
                add(compare(node, relation, now(midnight=True)), f"cmp{relation} {label} NOWm", slots, term.tier)
            for word, sign in (("yesterday", "-"), ("tomorrow", "+")):
                if word in mention.words:
                    then = arithmetic(now(midnight=True), sign, span(1, "days"))
                    add(compare(node, relation, then), f"cmp{relation} {label} {word}", slots, term.tier)


def _ages(scene: Scene, term: Term, add: Add) -> None:
    for mention, number in numbers_of(scene):
        if isinstance(number, int) and number < _OLDEST and (mention.duration or (0, "years"))[1] == "years":
            for relation in _ORDERED:
                age = compare(term.node, relation, arithmetic(now(), "-", span(number, "years")))
                add(age, f"age{relation} {term.label}", (*term.slots, ("N", mention.place)), term.tier)


def _ago(term: Term, mention: Mention, duration: tuple[float, str], add: Add) -> None:
    amount, unit = duration
    slots = (*term.slots, ("N", mention.place))
    midnight = unit not in _SHORT_UNITS
    for relation in _ORDERED:
        for start in {midnight, False}:
            then = arithmetic(now(midnight=start), "-", span(amount, unit))
            add(
                compare(term.node, relation, then),
                f"cmp{relation} {term.label}:date NOW{'m' if start else ''}-SPAN",
                slots,
                term.tier,
            )
        later = arithmetic(now(), "+", span(amount, unit))
        add(compare(term.node, relation, later), f"cmp{relation} {term.label}:date NOW+SPAN", slots, term.tier)
    recent = (
        compare(term.node, ">=", arithmetic(now(midnight=midnight), "-", span(amount, unit))),
        compare(term.node, "<=", now()),
    )
    add(every(*recent), f"recent {term.label}:date", slots, term.tier)


def _spans(scene: Scene, term: Term, add: Add) -> None:
    for mention in scene.mentions:
        if mention.duration is not None:
            for relation in RELATIONS:
                there = compare(term.node, relation, span(*mention.duration))
                add(there, f"cmp{relation} {term.label}:span SPAN", (*term.slots, ("N", mention.place)), term.tier)


def _weekdays(scene: Scene, term: Term, add: Add) -> None:
    place = scene.cue("WEEKDAY")
    slots = (*term.slots, ("W", place))
    workday = list(range(1, _WORKDAYS + 1))
    days = days_said(scene)
    # One day by its name is no weekend: "as agreed on Monday".
    general = len(days) != 1 or any(not _ANY_WORKDAY.isdisjoint(mention.words) for mention in scene.mentions)
    pairs = ((one_of(term.node, workday), "weekday<="), (one_of(term.node, [6, 7]), "weekend"))
    for node, shape in pairs if general else ():
        add(node, f"{shape} {term.label}", slots, term.tier)
        add(negated(node), f"not{shape} {term.label}", slots, term.tier)
    if general:
        add(compare(term.node, "<=", value(_WORKDAYS)), f"weekday<=5 {term.label}", slots, term.tier)
    _named_days(term, days, slots, add)


def _months(scene: Scene, term: Term, add: Add) -> None:
    if (months := months_said(scene)) and term.kind == "month":
        spans = months_from_to(scene)
        for some in (stretch(*ends, 12) for ends in spans):
            _any_of_days(term, some, term.slots, add)
        if len(spans) != 1 or len(months) > 2:  # "from September to February" are six months and not two
            _named_days(term, months, term.slots, add)


def _any_of_days(term: Term, numbers: list[int], slots: Slots, add: Add) -> None:
    add(one_of(term.node, numbers), f"oneof {term.label} days", slots, term.tier)
    add(negated(one_of(term.node, numbers)), f"noneof {term.label} days", slots, term.tier)


def _named_days(term: Term, numbers: list[int], slots: Slots, add: Add) -> None:
    if len(numbers) > 1:
        _any_of_days(term, numbers, slots, add)
    for number in numbers:
        for relation in ("==", "!="):
            add(compare(term.node, relation, value(number)), f"weekday{relation} {term.label} day", slots, term.tier)
