"""Atoms about one value in a row: present, compared with what the rule names, one of a list, of a form."""

from itertools import combinations

from pandas_magic.constraints import FORMATS
from pandas_magic.planner.language.linking.cues import format_of
from pandas_magic.planner.language.linking.words import name_words
from pandas_magic.planner.language.loose.atoms import RELATIONS, Add, Slots, relations_of, runs
from pandas_magic.planner.language.loose.makeup import made_up_of
from pandas_magic.planner.language.loose.nodes import (
    Node,
    arithmetic,
    compare,
    either,
    every,
    moment,
    negated,
    now,
    one_of,
    present,
    span,
    value,
)
from pandas_magic.planner.language.loose.scene import Mention, Scene
from pandas_magic.planner.language.loose.terms import Term, is_birth, numbers_of

_YEARS = range(1900, 2101)
_OLDEST = 130
_ORDERED = ("<", "<=", ">", ">=")
_SHORT_UNITS = ("hours", "minutes", "seconds")
_DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_WORKDAYS = 5


def value_atoms(scene: Scene, terms: list[Term], add: Add) -> None:
    """What single values can be asked to be."""
    relations = relations_of(scene)
    for term in terms:
        slots = term.slots
        if term.label in "CLPKDA":
            add(present(term.plain), f"present {term.label}", slots, term.tier)
            add(negated(present(term.plain)), f"missing {term.label}", slots, term.tier)
        if term.kind in ("num", "len", "year", "month", "quarter", "week", "day", "hour"):
            _numbers(scene, term, relations, add)
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
        if term.kind in ("text", "key"):
            _texts(scene, term, add)


def _numbers(scene: Scene, term: Term, relations: tuple[str, ...], add: Add) -> None:
    node, label, tier = term.node, f"{term.label}:{term.kind}", term.tier
    taken = {at for _, at in term.slots} if term.label != "U" else set()
    some = [(m.place, n) for m, n in numbers_of(scene) if m.place not in taken]
    for place, number in some:
        for relation in relations:
            add(compare(node, relation, value(number)), f"cmp{relation} {label} N", (*term.slots, ("N", place)), tier)
    for (at, low), (to, high) in combinations(some, 2):
        if at != to and abs(to - at) <= 8 and low < high:
            for strict in ("", "<") if term.label == "C" else ("",):
                ends = (
                    compare(node, ">" if strict else ">=", value(low)),
                    compare(node, "<" if strict else "<=", value(high)),
                )
                add(every(*ends), f"between{strict} {label} N N", (*term.slots, ("N", at), ("N", to)), tier)
                add(negated(every(*ends)), f"notbetween{strict} {label} N N", (*term.slots, ("N", at), ("N", to)), tier)
    for mention in scene.mentions:
        if not {"POSITIVE", "NONNEG"}.isdisjoint(mention.cues):
            for relation in _ORDERED:
                add(
                    compare(node, relation, value(0)),
                    f"sign{relation} {label}",
                    (*term.slots, ("S", mention.place)),
                    tier,
                )
    if scene.cues & {"NOT", "PRESENT"} and term.label == "C":
        for relation in ("==", ">"):
            add(compare(node, relation, value(0)), f"none{relation} {label}", term.slots, tier)
    for run in runs(place for place, _ in some):
        listed = one_of(node, [n for at in run if (n := scene.mentions[at].number) is not None])
        add(listed, f"oneof {label} N*", (*term.slots, ("N", run[0]), ("N", run[-1])), tier)
        add(negated(listed), f"noneof {label} N*", (*term.slots, ("N", run[0]), ("N", run[-1])), tier)
    if term.kind == "num":
        _wholes(scene, term, some, add)


def _wholes(scene: Scene, term: Term, numbers: list[tuple[int, int | float]], add: Add) -> None:
    whole = {"node": "parses", "of": term.plain, "type": "integer"}
    if "INTEGER" in scene.cues:
        add(whole, f"parses:integer {term.label}:num", (*term.slots, ("S", scene.cue("INTEGER"))), term.tier)
    for place, number in numbers if "MULTIPLE" in scene.cues else ():
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
    dates += [
        (m.place, f"{m.number}-01-01")
        for m in scene.mentions
        if m.number in _YEARS and not m.duration and isinstance(m.number, int)
    ]
    for place, iso in dates:
        for relation in RELATIONS:
            add(
                compare(node, relation, moment(iso)), f"cmp{relation} {label} D", (*term.slots, ("D", place)), term.tier
            )
    for (at, low), (to, high) in combinations(dates, 2):
        if at != to and low < high:
            ends = every(compare(node, ">=", moment(low)), compare(node, "<=", moment(high)))
            add(ends, f"between {label} D D", (*term.slots, ("D", at), ("D", to)), term.tier)
    if term.tier >= 3 and term.label in "CL":  # what has ended by now
        for relation in _ORDERED:
            add(compare(node, relation, now()), f"cmp{relation} {label} DONE", term.slots, term.tier)
    for mention in scene.mentions:
        if "NOW" in mention.cues:
            for relation in _ORDERED:
                for midnight in (False, True):
                    there = compare(node, relation, now(midnight=midnight))
                    add(
                        there,
                        f"cmp{relation} {label} NOW{'m' if midnight else ''}",
                        (*term.slots, ("W", mention.place)),
                        term.tier,
                    )
        if mention.duration is not None:
            _ago(term, mention, mention.duration, add)
        for word, sign in (("yesterday", "-"), ("tomorrow", "+")):
            for relation in _ORDERED if word in mention.words else ():
                then = arithmetic(now(midnight=True), sign, span(1, "days"))
                add(
                    compare(node, relation, then),
                    f"cmp{relation} {label} {word}",
                    (*term.slots, ("W", mention.place)),
                    term.tier,
                )
    if is_birth(term.plain.get("name", "")):
        for mention, number in numbers_of(scene):
            if isinstance(number, int) and number < _OLDEST and (mention.duration or (0, "years"))[1] == "years":
                for relation in _ORDERED:
                    age = compare(node, relation, arithmetic(now(), "-", span(number, "years")))
                    add(age, f"age{relation} {term.label}", (*term.slots, ("N", mention.place)), term.tier)
    if "ISDATE" in scene.cues and term.plain != term.node:
        slots = (*term.slots, ("S", scene.cue("ISDATE")))
        add({"node": "parses", "of": term.plain, "type": "date"}, f"parses:date {term.label}:text", slots, term.tier)


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
    words = {word.rstrip("s") for mention in scene.mentions for word in mention.words}
    workday = list(range(1, _WORKDAYS + 1))
    for node, shape in ((one_of(term.node, workday), "weekday<="), (one_of(term.node, [6, 7]), "weekend")):
        add(node, f"{shape} {term.label}", slots, term.tier)
        add(negated(node), f"not{shape} {term.label}", slots, term.tier)
    add(compare(term.node, "<=", value(_WORKDAYS)), f"weekday<=5 {term.label}", slots, term.tier)
    days = [number for number, day in enumerate(_DAYS, 1) if day in words]
    if len(days) > 1:
        add(one_of(term.node, days), f"oneof {term.label} days", slots, term.tier)
        add(negated(one_of(term.node, days)), f"noneof {term.label} days", slots, term.tier)
    for day in days:
        for relation in ("==", "!="):
            add(compare(term.node, relation, value(day)), f"weekday{relation} {term.label} day", slots, term.tier)


def _texts(scene: Scene, term: Term, add: Add) -> None:
    node, label, tier = term.plain, term.label, term.tier
    quoted = [(m.place, m.quoted) for m in scene.mentions if m.quoted is not None]
    for place, text in quoted:
        slots: Slots = (*term.slots, ("V", place))
        for relation in ("==", "!="):
            add(compare(node, relation, value(text)), f"cmp{relation} {label}:text Q", slots, tier)
        for where, cue in (("start", "STARTS"), ("end", "ENDS"), ("anywhere", "CONTAINS")):
            if cue in scene.cues:
                has = {"node": "has_text", "of": node, "where": where, "text": text}
                add(has, f"has:{where} {label} Q", slots, tier)
                add(negated(has), f"nothas:{where} {label} Q", slots, tier)
    for run in runs(place for place, _ in quoted):
        _beginnings(scene, term, run, add)
        _listed(term, [str(scene.mentions[at].quoted) for at in run], run, "Q*", add)
    for run in {m.listed for m in scene.mentions if m.listed and term.place not in m.listed}:
        if any(not scene.mentions[at].values for at in run):
            texts = [_as_text(scene.mentions[at]) for at in run]
            _listed(term, texts, run, "W*", add)
    if not scene.cues.isdisjoint(("PRESENT", "NOT")):
        add(compare(node, "!=", value("")), f"notempty {label}", term.slots, tier)
        blank = {"node": "folded", "of": node, "fold": "space"}
        add(compare(blank, "!=", value("")), f"notblank {label}", term.slots, tier)
    _forms(scene, term, add)


def _beginnings(scene: Scene, term: Term, run: tuple[int, ...], add: Add) -> None:
    for where, cue in (("start", "STARTS"), ("end", "ENDS"), ("anywhere", "CONTAINS")):
        if cue in scene.cues:
            texts = [scene.mentions[at].quoted for at in run]
            some = [{"node": "has_text", "of": term.plain, "where": where, "text": text} for text in texts]
            add(either(*some), f"has:{where} {term.label} Q*", (*term.slots, ("V", run[0]), ("V", run[-1])), term.tier)


def _as_text(mention: Mention) -> str:
    return mention.quoted or (mention.values[0][2] if mention.values else mention.text)


def _listed(term: Term, texts: list[str], run: tuple[int, ...], label: str, add: Add) -> None:
    slots = (*term.slots, ("V", run[0]), ("V", run[-1]))
    listed = one_of(term.plain, texts)
    add(listed, f"oneof {term.label} {label}", slots, term.tier)
    add(negated(listed), f"noneof {term.label} {label}", slots, term.tier)


def _forms(scene: Scene, term: Term, add: Add) -> None:
    """The forms of a text: a pattern, a known format, a make-up, its case, its spaces, what it can be read as."""
    node, label, tier = term.plain, term.label, term.tier
    for mention in scene.mentions:
        slots: Slots = (*term.slots, ("F", mention.place))
        if mention.regex is not None:
            _matching(add, node, mention.regex, f"matches {label} RE", slots, tier)
        if mention.format is not None:
            own = 0.5 if mention.place == term.place else 0
            _matching(
                add, node, FORMATS[mention.format].pattern, f"matches {label} F", slots, tier + own, mention.format
            )
    made = made_up_of(scene.linked.text)
    if made is not None:
        _matching(add, node, made, f"makeup {label}", (*term.slots, ("F", scene.cue("LENGTH"))), tier)
    if not scene.cues.isdisjoint(("FORMAT", "EXISTS", "VALID")):
        words = name_words(node.get("name", ""))
        named = format_of(words) or (format_of(words[-1:]) if words else None)
        if named is not None:
            slots = (*term.slots, ("F", scene.cue("FORMAT", "EXISTS", "VALID")))
            _matching(add, node, FORMATS[named].pattern, f"matches {label} own", slots, tier, named)
    if "CASE" in scene.cues:
        _cases(scene, term, add)
    for cue, kind in (("INTEGER", "integer"), ("NUMERIC", "number"), ("ISDATE", "date")):
        if cue in scene.cues:
            readable = {"node": "parses", "of": node, "type": kind}
            add(readable, f"parses:{kind} {label}:text", (*term.slots, ("S", scene.cue(cue))), tier)
    if "SPACE" in scene.cues:
        stripped = compare(node, "==", {"node": "folded", "of": node, "fold": "space"})
        add(stripped, f"stripped {label}", (*term.slots, ("S", scene.cue("SPACE"))), tier)


def _matching(
    add: Add, node: Node, pattern: str, shape: str, slots: Slots, tier: float, named: str | None = None
) -> None:
    matches: Node = {"node": "matches", "of": node, "pattern": pattern, **({"format": named} if named else {})}
    add(matches, shape, slots, tier)
    add(negated(matches), f"not{shape}", slots, tier)


def _cases(scene: Scene, term: Term, add: Add) -> None:
    said = " ".join(mention.text.lower() for mention in scene.mentions)
    slots = (*term.slots, ("F", scene.cue("CASE")))
    for pattern, words in (("[^a-z]*", ("upper", "capital")), ("[^A-Z]*", ("lower", "small"))):
        if any(word in said for word in words):
            _matching(add, term.plain, pattern, f"matches {term.label} case", slots, term.tier)
