"""Atoms that look at other rows of the same table: duplicates, groups, what is the same within them, the row before."""

from dataclasses import replace
from itertools import combinations, permutations

from pandas_magic.planner.language.linking.spans import PART
from pandas_magic.planner.language.loose.atoms import AtomBag, Grounds, Slots, relations_of
from pandas_magic.planner.language.loose.groupings import Grouping, groupings
from pandas_magic.planner.language.loose.nodes import (
    Node,
    arithmetic,
    column,
    compare,
    distance,
    exists,
    folded,
    span,
    statistic,
    text_of,
    value,
)
from pandas_magic.planner.language.loose.numbers import counts_of, numbers_of
from pandas_magic.planner.language.loose.scene import Scene
from pandas_magic.planner.language.loose.terms import Term
from pandas_magic.planner.language.loose.unsaid import begun_and_over

_MOST_ORDERS = 4
_BALANCED = 2.6  # how loosely one of two sums may be named
# What says, besides "unique" and "one", that rows may not be alike in something.
_SAID_OF_UNIQUE = frozenset(("PER", "ONLY", "NOT", "EVERY", "OWN", "DEPEND", "SUM"))
_SAID_OF_ROWS = frozenset((
    "row", "rows", "record", "records", "entry", "entries", "line", "lines", "table", "identical", "twice", "duplicate",
    "duplicates", "duplicated", "completely", "copy", "copies", "column", "columns",
))  # fmt: skip
_STATISTICS = (("sum", "SUM"), ("mean", "MEAN"), ("max", "MAXSTAT"), ("min", "MINSTAT"), ("median", "MEDIAN"))
_SAID_OF_DISTINCT = frozenset(("NE", "UNIQUE", "COUNT", "MANY"))


def window_atoms(scene: Scene, terms: list[Term], bag: AtomBag) -> None:
    """What rows are asked to have in common with others, or not."""
    own = [term for term in terms if term.label in "CPKD" and term.is_own]
    for group in groupings(scene, terms):
        on = Grounds(bag, group.slots, group.tier)
        _unique(scene, group, on)
        _counts(scene, group, on)
        _within(scene, group, [term for term in terms if term.is_own], bag)
    for term in own:
        if term.kind == "text" and "CASE" in scene.cues:
            bag.on(term).add({"node": "unique", "by": [folded(term.plain, "case")]}, f"unique1f {term.label}")
    _whole_rows(scene, bag)
    _gaps(scene, own, bag)
    _before(scene, own, bag)
    _after_another(scene, own, bag)
    _outliers(scene, own, bag)


def _unique(scene: Scene, group: Grouping, on: Grounds) -> None:
    once = "UNIQUE" in scene.cues or any(mention.number == 1 for mention in scene.mentions)
    if once or not scene.cues.isdisjoint(_SAID_OF_UNIQUE if group.terms else ("ONLY", "PER")):
        on.add({"node": "unique", "by": group.by}, f"unique{group.size}")


def _counts(scene: Scene, group: Grouping, on: Grounds) -> None:
    # When something happened tells of no other rows, unless a column of dates is named: "four with one check-in date".
    if not group.period and all(term.kind == "date" and term.tier >= PART for term in group.terms):
        return
    count = statistic("group", "count", by=group.by)
    numbers = counts_of(scene)
    if "UNIQUE" in scene.cues:
        numbers.append((scene.cue("UNIQUE"), 1))
    for place, number in numbers:
        said = relations_of(scene) if number > 0 else ()
        # A row is there itself.
        relations = [one for one in said if one != "!=" and (one, number) not in ((">=", 1), ("<", 1))]
        on.compare(count, relations, value(number), f"count?per{group.size}", ("N", place))


def _within(scene: Scene, group: Grouping, own: list[Term], bag: AtomBag) -> None:
    """What is the same, few or summed up within the group."""
    if len(group.slots) > 3 or scene.cues.isdisjoint(
        ("PER", "DEPEND", "UNIQUE", "EVERY", "EQ", "NE", "IF", "SUM", "MEAN", "MAXSTAT", "GT", "NOT")
    ):
        return
    few = [] if scene.cues.isdisjoint(_SAID_OF_DISTINCT) else [one for one in counts_of(scene) if one[1] > 0]
    taken = {place for _, place in group.slots}
    for term in own:
        if term.place in taken or any(text_of(term.plain) == text_of(by) for by in group.by):
            continue
        side = "<" if term.place < min(taken) else ">"
        on = Grounds(bag, (("C0", term.place), *group.slots), group.tier + term.tier)
        different = statistic("group", "distinct", term.plain, by=group.by)
        if term.label in "CP":
            on.add(compare(different, "<=", value(1)), f"depends{group.size}{side}{term.label}")
        for place, number in few if term.label in "CP" else ():
            on.add(compare(different, "<=", value(number)), f"distinct<=Nper{group.size}{side}", ("N", place))
        if term.kind == "num":
            _statistics(scene, group, term, on)
    _balanced(scene, group, [term for term in own if term.place not in taken], bag)


def _balanced(scene: Scene, group: Grouping, own: list[Term], bag: AtomBag) -> None:
    """Two columns that come to the same within the group: debit and credit of a voucher."""
    if not group.terms or scene.cues.isdisjoint(("SUM", "EQ", "PER", "EVERY")):
        return
    numbers = [term for term in own if term.kind == "num" and term.label == "C" and term.tier <= _BALANCED]
    numbers = [term for term in numbers if term.plain not in group.by]
    for one, other in combinations(numbers[:_MOST_ORDERS], 2):
        if one.place != other.place and text_of(one.plain) != text_of(other.plain):
            sums = [statistic("group", "sum", term.node, by=group.by) for term in (one, other)]
            slots: Slots = (("C0", one.place), ("C1", other.place), *group.slots)
            on = Grounds(bag, slots, group.tier + one.tier + other.tier)
            on.add(compare(sums[0], "==", sums[1]), f"balance{group.size}")


def _statistics(scene: Scene, group: Grouping, term: Term, on: Grounds) -> None:
    for name in [name for name, cue in _STATISTICS if cue in scene.cues]:
        over = statistic("group", name, term.node, by=group.by)
        for mention, number in numbers_of(scene):
            if mention.percent:
                continue
            said = ("N", mention.place)
            on.compare(over, ("<=", "==", ">=", "<", ">"), value(number), f"group:{name}?per{group.size}", said)
            if name in ("mean", "median") and ("TIMES" in scene.cues or number in (2, 3)):
                times = arithmetic(over, "*", value(number))
                on.add(compare(term.node, "<=", times), f"timesgroup:{name}per{group.size}", said)


def _whole_rows(scene: Scene, bag: AtomBag) -> None:
    named = any(table == scene.target and tier <= PART for m in scene.mentions for table, _, tier in m.columns)
    said = any(not _SAID_OF_ROWS.isdisjoint(mention.words) for mention in scene.mentions)
    if said and "UNIQUE" in scene.cues and ("UNLESS" in scene.cues or not named):
        noun = next((m.place for m in scene.mentions if scene.target in m.tables), 0)
        every = [column(name) for name in scene.linked.tables[scene.target].columns]
        once: Node = {"node": "unique", "by": every, "missing_equal": True}
        bag.add(once, "uniquerow", (("T", noun), ("S", scene.cue("UNIQUE", "EQ"))))


def _gaps(scene: Scene, own: list[Term], bag: AtomBag) -> None:
    """Numbers without gaps: each has the one before it, but for the smallest."""
    for term in own if "GAP" in scene.cues else ():
        others = [other for other in own if other.plain != term.plain and other.kind in ("key", "text", "num")]
        for group in (None, *others[:_MOST_ORDERS]) if term.kind in ("num", "key") else ():
            by, grouped = _grouped(group)
            on = Grounds(bag, (*term.slots, ("S", scene.cue("GAP")), *grouped), term.tier)
            smallest = statistic("group", "min", term.plain, by=by)
            on.add(compare(term.plain, ">", smallest), f"gapwhere{len(by) or ''} {term.label}")
            before = arithmetic(term.plain, "-", value(1))
            keys = [*(each["name"] for each in by), term.plain["name"]]
            on.add(exists([*by, before], scene.target, keys), f"gap{len(by) or ''} {term.label}")


def _grouped(group: Term | None) -> tuple[list[Node], Slots]:
    """By what rows are put in groups, where they are, and where that is said."""
    return ([group.plain], (("G", group.place),)) if group is not None else ([], ())


def _before(scene: Scene, own: list[Term], bag: AtomBag) -> None:
    """What is compared with the row before, in an order, within a group."""
    place = next((m.place for m in scene.mentions if "PREV" in m.cues and not m.tables), None)  # "orders" are rows
    if place is None or "OVERLAP" in scene.cues:
        return
    for term in own:
        if term.kind not in ("num", "date", "key"):
            continue
        others = [other for other in own if text_of(other.plain) != text_of(term.plain)]
        orders = [other for other in others if other.kind in ("date", "num", "key") and other.tier <= 4][:_MOST_ORDERS]
        for order in (None, *orders):
            # Without an order the row before is the one above, of whatever it is.
            for group in (None, *(other for other in others[:_MOST_ORDERS] if order and other is not order)):
                by, grouped = _grouped(group)
                previous: Node = {"node": "previous", "of": term.node, "by": by}
                ordered: Slots = ()
                if order is not None:
                    previous["order"], ordered = order.node, (("O", order.place),)
                slots = (*term.slots, ("S", place), *ordered, *grouped)
                on = Grounds(bag, slots, term.tier + 0.2 * (order is not None))
                shape = f"prev?{'o' if order else ''}{len(by)}"
                on.compare(term.node, (">", ">=", "<=", "<"), previous, shape)
                _steps(scene, term, previous, replace(on, tier=term.tier))


def _steps(scene: Scene, term: Term, previous: Node, on: Grounds) -> None:
    """How far a value is from the one before: one higher, or so many days later at most."""
    shape = f"{'o' if 'order' in previous else ''}{len(previous['by'])}"
    for mention in scene.mentions:
        said = ("N", mention.place)
        if mention.duration is not None and term.kind == "date":
            apart = arithmetic(term.node, "-", previous)
            on.compare(apart, ("<=", ">=", "=="), span(*mention.duration), f"prevapart?{shape}", said)
        elif mention.number is not None and term.kind in ("num", "key"):
            stepped = arithmetic(previous, "+", value(mention.number))
            on.add(compare(term.node, "==", stepped), f"prevstep{shape}", said)


def _after_another(scene: Scene, own: list[Term], bag: AtomBag) -> None:
    """What is compared with another value of the row before: a period begins when the one before it is over."""
    if "PREV" not in scene.cues and not scene.overlaps:
        return
    dates = [term for term in own if term.kind == "date" and term.label in "CD"]
    if scene.overlaps:
        dates += begun_and_over(scene, scene.cue("OVERLAP"), dates)
    numbers = [term for term in own if term.kind == "num" and term.label == "C"]
    groups = [term for term in own if term.kind in ("key", "text", "num")][:_MOST_ORDERS]
    pairs = (*permutations(dates[:_MOST_ORDERS], 2), *permutations(numbers[:_MOST_ORDERS], 2))
    for term, other in pairs:
        for order in [term] if term.kind == "date" else dates[:2]:
            for group in (None, *groups) if term.plain != other.plain else ():
                if group is None or group.plain not in (term.plain, other.plain):
                    _chained(scene, (term, other), (order, group), bag)


def _chained(scene: Scene, pair: tuple[Term, Term], within: tuple[Term, Term | None], bag: AtomBag) -> None:
    (term, other), (order, group) = pair, within
    by, grouped = _grouped(group)
    previous: Node = {"node": "previous", "of": other.node, "by": by, "order": order.node}
    slots: Slots = (*term.slots, ("S", scene.cue("OVERLAP", "PREV")), ("O", other.place), *grouped)
    tier = term.tier + other.tier + (group.tier if group is not None else 0)
    Grounds(bag, slots, tier).compare(term.node, (">", ">=", "=="), previous, f"prev?o{len(by)}")


def _outliers(scene: Scene, own: list[Term], bag: AtomBag) -> None:
    """What is far from the mean, in standard deviations, or outside of the quartiles."""
    if "STD" not in scene.cues:
        return
    numbers = [(m.place, n) for m, n in numbers_of(scene)] or [(scene.cue("STD"), 3)]
    for term in own:
        if term.kind == "num":
            mean, std = (statistic("group", name, term.node, by=[]) for name in ("mean", "std"))
            for place, number in numbers:
                near = compare(distance(term.node, mean), "<=", arithmetic(std, "*", value(number)))
                bag.on(term).add_or_not(near, "outlier", ("N", place))
