"""Atoms that look at other rows of the same table: duplicates, groups, what is the same within them, the row before."""

from itertools import combinations, permutations

from pandas_magic.planner.language.linking.spans import PART
from pandas_magic.planner.language.loose.atoms import Add, Slots, relations_of
from pandas_magic.planner.language.loose.groupings import Grouping, groupings
from pandas_magic.planner.language.loose.nodes import (
    Node,
    arithmetic,
    column,
    compare,
    negated,
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
_SAID_OF_DISTINCT = frozenset(("NE", "UNIQUE", "COUNT", "MANY"))


def window_atoms(scene: Scene, terms: list[Term], add: Add) -> None:
    """What rows are asked to have in common with others, or not."""
    own = [term for term in terms if term.label in "CPKD" and term.is_own]
    groups = groupings(scene, terms)
    for group in groups:
        _unique(scene, group, add)
        _counts(scene, group, add)
        _within(scene, group, [term for term in terms if term.is_own], add)
    for term in own:
        if term.kind == "text" and "CASE" in scene.cues:
            folded: Node = {"node": "folded", "of": term.plain, "fold": "case"}
            add({"node": "unique", "by": [folded]}, f"unique1f {term.label}", term.slots, term.tier)
    _whole_rows(scene, add)
    _gaps(scene, own, add)
    _before(scene, own, add)
    _after_another(scene, own, add)
    _outliers(scene, own, add)


def _unique(scene: Scene, group: Grouping, add: Add) -> None:
    once = "UNIQUE" in scene.cues or any(mention.number == 1 for mention in scene.mentions)
    if not once and scene.cues.isdisjoint(_SAID_OF_UNIQUE if group.terms else ("ONLY", "PER")):
        return
    add({"node": "unique", "by": group.by}, f"unique{group.size}", group.slots, group.tier)


def _counts(scene: Scene, group: Grouping, add: Add) -> None:
    # When something happened tells of no other rows, unless a column of dates is named: "four with one check-in date".
    if not group.period and all(term.kind == "date" and term.tier >= PART for term in group.terms):
        return
    count = statistic("group", "count", by=group.by)
    numbers = counts_of(scene)
    if "UNIQUE" in scene.cues:
        numbers.append((scene.cue("UNIQUE"), 1))
    for place, number in numbers:
        for relation in relations_of(scene) if number > 0 else ():
            if relation != "!=" and (relation, number) not in ((">=", 1), ("<", 1)):  # a row is there itself
                there = compare(count, relation, value(number))
                add(there, f"count{relation}per{group.size}", (*group.slots, ("N", place)), group.tier)


def _within(scene: Scene, group: Grouping, own: list[Term], add: Add) -> None:
    """What is the same, few or summed up within the group."""
    if len(group.slots) > 3 or scene.cues.isdisjoint(
        ("PER", "DEPEND", "UNIQUE", "EVERY", "EQ", "NE", "IF", "SUM", "MEAN", "MAXSTAT", "GT", "NOT")
    ):
        return
    numbers = [(m.place, n) for m, n in numbers_of(scene) if not m.percent]
    few = [] if scene.cues.isdisjoint(_SAID_OF_DISTINCT) else [one for one in counts_of(scene) if one[1] > 0]
    taken = {place for _, place in group.slots}
    for term in own:
        if term.place in taken or any(text_of(term.plain) == text_of(by) for by in group.by):
            continue
        side = "<" if term.place < min(taken) else ">"
        slots: Slots = (("C0", term.place), *group.slots)
        tier = group.tier + term.tier
        different = statistic("group", "distinct", term.plain, by=group.by)
        if term.label in "CP":
            add(compare(different, "<=", value(1)), f"depends{group.size}{side}{term.label}", slots, tier)
        for place, number in few if term.label in "CP" else ():
            add(
                compare(different, "<=", value(number)),
                f"distinct<=Nper{group.size}{side}",
                (*slots, ("N", place)),
                tier,
            )
        if term.kind == "num":
            _statistics(scene, (group, term), numbers, add)
    _balanced(scene, group, [term for term in own if term.place not in taken], add)


def _balanced(scene: Scene, group: Grouping, own: list[Term], add: Add) -> None:
    """Two columns that come to the same within the group: debit and credit of a voucher."""
    if not group.terms or scene.cues.isdisjoint(("SUM", "EQ", "PER", "EVERY")):
        return
    numbers = [term for term in own if term.kind == "num" and term.label == "C" and term.tier <= _BALANCED]
    numbers = [term for term in numbers if term.plain not in group.by]
    for one, other in combinations(numbers[:_MOST_ORDERS], 2):
        if one.place != other.place and text_of(one.plain) != text_of(other.plain):
            sums = [statistic("group", "sum", term.node, by=group.by) for term in (one, other)]
            slots: Slots = (("C0", one.place), ("C1", other.place), *group.slots)
            add(compare(sums[0], "==", sums[1]), f"balance{group.size}", slots, group.tier + one.tier + other.tier)


def _statistics(scene: Scene, of: tuple[Grouping, Term], numbers: list[tuple[int, int | float]], add: Add) -> None:
    group, term = of
    slots: Slots = (("C0", term.place), *group.slots)
    for name, cue in (("sum", "SUM"), ("mean", "MEAN"), ("max", "MAXSTAT"), ("min", "MINSTAT"), ("median", "MEDIAN")):
        if cue not in scene.cues:
            continue
        over = statistic("group", name, term.node, by=group.by)
        for place, number in numbers:
            for relation in ("<=", "==", ">=", "<", ">"):
                there = compare(over, relation, value(number))
                add(there, f"group:{name}{relation}per{group.size}", (*slots, ("N", place)), group.tier + term.tier)
            if name in ("mean", "median") and "TIMES" in scene.cues | ({"TIMES"} if number in (2, 3) else set()):
                there = compare(term.node, "<=", arithmetic(over, "*", value(number)))
                add(there, f"timesgroup:{name}per{group.size}", (*slots, ("N", place)), group.tier + term.tier)


def _whole_rows(scene: Scene, add: Add) -> None:
    named = any(table == scene.target and tier <= PART for m in scene.mentions for table, _, tier in m.columns)
    said = any(not _SAID_OF_ROWS.isdisjoint(mention.words) for mention in scene.mentions)
    if said and "UNIQUE" in scene.cues and ("UNLESS" in scene.cues or not named):
        noun = next((m.place for m in scene.mentions if scene.target in m.tables), 0)
        every = [column(name) for name in scene.linked.tables[scene.target].columns]
        add(
            {"node": "unique", "by": every, "missing_equal": True},
            "uniquerow",
            (("T", noun), ("S", scene.cue("UNIQUE", "EQ"))),
        )


def _gaps(scene: Scene, own: list[Term], add: Add) -> None:
    """Numbers without gaps: each has the one before it, but for the smallest."""
    for term in own if "GAP" in scene.cues else ():
        others = [other for other in own if other.plain != term.plain and other.kind in ("key", "text", "num")]
        for group in (None, *others[:_MOST_ORDERS]) if term.kind in ("num", "key") else ():
            by = [group.plain] if group is not None else []
            slots = (*term.slots, ("S", scene.cue("GAP")), *((("G", group.place),) if group is not None else ()))
            smallest = statistic("group", "min", term.plain, by=by)
            add(compare(term.plain, ">", smallest), f"gapwhere{len(by) or ''} {term.label}", slots, term.tier)
            before = arithmetic(term.plain, "-", value(1))
            keys = [*(each["name"] for each in by), term.plain["name"]]
            there = {"node": "exists", "of": [*by, before], "table": scene.target, "keys": keys}
            add(there, f"gap{len(by) or ''} {term.label}", slots, term.tier)


def _before(scene: Scene, own: list[Term], add: Add) -> None:
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
                by = [group.plain] if group is not None else []
                previous: Node = {"node": "previous", "of": term.node, "by": by}
                slots: Slots = (*term.slots, ("S", place))
                if order is not None:
                    previous["order"] = order.node
                    slots = (*slots, ("O", order.place))
                if group is not None:
                    slots = (*slots, ("G", group.place))
                tier = term.tier + 0.2 * (order is not None)
                for relation in (">", ">=", "<=", "<"):
                    shape = f"prev{relation}{'o' if order else ''}{len(by)}"
                    add(compare(term.node, relation, previous), shape, slots, tier)
                _steps(scene, (term, previous), slots, add)


def _steps(scene: Scene, of: tuple[Term, Node], slots: Slots, add: Add) -> None:
    """How far a value is from the one before: one higher, or so many days later at most."""
    term, previous = of
    shape = f"{'o' if 'order' in previous else ''}{len(previous['by'])}"
    for mention in scene.mentions:
        places = (*slots, ("N", mention.place))
        if mention.duration is not None and term.kind == "date":
            for relation in ("<=", ">=", "=="):
                there = compare(arithmetic(term.node, "-", previous), relation, span(*mention.duration))
                add(there, f"prevapart{relation}{shape}", places, term.tier)
        elif mention.number is not None and term.kind in ("num", "key"):
            there = compare(term.node, "==", arithmetic(previous, "+", value(mention.number)))
            add(there, f"prevstep{shape}", places, term.tier)


def _after_another(scene: Scene, own: list[Term], add: Add) -> None:
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
                _chained(scene, (term, other), (order, group), add)


def _chained(scene: Scene, pair: tuple[Term, Term], within: tuple[Term, Term | None], add: Add) -> None:
    (term, other), (order, group) = pair, within
    if group is not None and group.plain in (term.plain, other.plain):
        return
    by = [group.plain] if group is not None else []
    previous: Node = {"node": "previous", "of": other.node, "by": by, "order": order.node}
    slots: Slots = (*term.slots, ("S", scene.cue("OVERLAP", "PREV")), ("O", other.place))
    slots = (*slots, ("G", group.place)) if group is not None else slots
    for relation in (">", ">=", "=="):
        tier = term.tier + other.tier + (group.tier if group is not None else 0)
        add(compare(term.node, relation, previous), f"prev{relation}o{len(by)}", slots, tier)


def _outliers(scene: Scene, own: list[Term], add: Add) -> None:
    """What is far from the mean, in standard deviations, or outside of the quartiles."""
    if "STD" not in scene.cues:
        return
    numbers = [(m.place, n) for m, n in numbers_of(scene)] or [(scene.cue("STD"), 3)]
    for term in own:
        if term.kind != "num":
            continue
        mean, std = (statistic("group", name, term.node, by=[]) for name in ("mean", "std"))
        apart = {"node": "absolute", "of": arithmetic(term.node, "-", mean)}
        for place, number in numbers:
            far = compare(apart, "<=", arithmetic(std, "*", value(number)))
            add(far, "outlier", (*term.slots, ("N", place)), term.tier)
            add(negated(far), "notoutlier", (*term.slots, ("N", place)), term.tier)
