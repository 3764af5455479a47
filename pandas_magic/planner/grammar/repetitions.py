"""How often something may happen: "twice on the same day", "one payslip per employee and month"."""

from collections.abc import Iterator

from pandas_magic.constraints.algebra.conditions import OPPOSITE, Compare, Condition, Relation, Unique
from pandas_magic.constraints.algebra.expressions import Column, DatePart, Expression, Group, Value
from pandas_magic.planner.grammar import counting, events, limits, nouns, phrases, rows, steps
from pandas_magic.planner.grammar import lexicon as words
from pandas_magic.planner.grammar.chart import Parse, Position, rule
from pandas_magic.planner.grammar.logic import for_where
from pandas_magic.planner.grammar.meaning import Claim
from pandas_magic.planner.grammar.morphology import word_forms
from pandas_magic.planner.grammar.values import whole

Found = Iterator[tuple[Position, Claim]]
Keys = tuple[Expression, ...]


@rule
def repetition(p: Parse, i: Position, table: str) -> Found:
    """Limits on how often rows of the table may agree in something."""
    yield from _so_many_times(p, i, table)
    yield from _one_per(p, i, table)
    yield from _by_only_one(p, i, table)


def _so_many_times(p: Parse, i: Position, table: str) -> Found:
    """Like "The same reader must not borrow the same book twice on one day", "users log in at most 5 times a day"."""
    for start, denied in _openings(p, i):
        for middle, key in limits.holder(p, start, table):
            for after, negated in limits.mood(p, middle, denied):
                for begin in (after, *p.phrase(after, "be|get|be being")):
                    for verb in events.done_to_rows(p, begin, table):
                        yield from _times(p, verb, table, (key,), negated)
                        for end, other in _same_thing(p, verb, table):
                            if other != key:
                                yield from _times(p, end, table, (key, other), negated)
                    for verb, date in events.event(p, begin, table):
                        yield from _times(p, verb, table, (key,), negated, date.name)
                    yield from _holding(p, begin, table, key, negated)
                    yield from _used(p, after, table, key, negated)
                    yield from _for_two(p, begin, table, key, negated)
                    yield from _two_at_once(p, begin, table, key, negated)


def _used(p: Parse, i: Position, table: str, key: Expression, negated: bool) -> Found:
    """Like "(The same seat must not) be given away twice on one flight", where no value of the rows is called so."""
    for said, within in ((f"{phrases.BE_USED}|{phrases.BE_PUT}", False), (phrases.BE_ORDERED, True)):
        for verb in p.phrase(i, said):
            told = {form for token in p.tokens[i:verb] for form in token.forms} - {"be"}
            values = (word_forms(value[0]) for value in p.schema.values(table) if len(value) == 1)
            if any(told & forms for forms in values):
                continue  # "picked" may say which movements
            yield from _times(p, verb, table, (key,), negated, within=within)
            for end, other in _same_thing(p, verb, table) if not within else ():
                if other != key:
                    yield from _times(p, end, table, (key, other), negated)


def _holding(p: Parse, i: Position, table: str, key: Expression, negated: bool) -> Found:
    """Like "take a course only once per term", where a row of the table is what brings the two together."""
    for verb in p.phrase(i, f"{phrases.HOLDS}|{phrases.CONTAINS}"):
        for end, other in _same_thing(p, verb, table):
            joined = only_this_table_joins(p, table, key, other) or _is_contained(p, i, table, key, other)
            if joined or _is_used_up(p, i, table, key, other):
                yield from _times(p, end, table, (key, other), negated)


def _is_contained(p: Parse, i: Position, table: str, key: Expression, other: Expression) -> bool:
    """Like "(a receipt may) list an item type once", where only rows of this table tell both."""
    if key == other or not isinstance(key, Column) or not isinstance(other, Column):
        return False
    linked = {link.column for link in p.schema.links(table)}
    both_there = [name for name, there in p.schema.tables.items() if {key.name, other.name} <= set(there.columns)]
    return other.name not in linked and both_there == [table] and any(True for _ in p.phrase(i, phrases.CONTAINS))


def _is_used_up(p: Parse, i: Position, table: str, key: Expression, other: Expression) -> bool:
    """Like "use a coupon code once", where each row that names the code is a use of it."""
    used = any(True for _ in p.phrase(i, phrases.USES))
    linked = {link.column for link in p.schema.links(table)}
    text = isinstance(other, Column) and p.schema.kind(table, other.name) == "text" and other.name not in linked
    return used and text and other != key


def _for_two(p: Parse, i: Position, table: str, key: Expression, negated: bool) -> Found:
    """Like "(A seller must not) use the same SKU for two listings"."""
    for start in p.seq_ends(i, phrases.USES, "the same|one and the same|the very same") if negated else ():
        for middle, other in nouns.own_column(p, start, table):
            for begin in p.seq_ends(middle, "for|in|on|across|with", phrases.SEVERAL_ROWS):
                for end, _ in rows.same_rows(p, begin, table):
                    if other != key:
                        yield p.note(i, end, "no two rows agree in these"), Claim(table, Unique(by=(key, other)))


def _two_at_once(p: Parse, i: Position, table: str, key: Expression, negated: bool) -> Found:
    """Like "(A user must never) have two events of the same type at the very same time"."""
    for start in p.seq_ends(i, f"{words.HAVE}|{phrases.HOLDS}", phrases.TWO_ROWS) if negated else ():
        for middle, _ in rows.same_rows(p, start, table):
            for end, others in _all_the_same(p, middle, table):
                for last, more in ((end, ()), *steps.keys_of_a_step(p, end, table)):
                    by = tuple(dict.fromkeys((key, *others, *more)))
                    if key not in others:
                        yield p.note(i, last, "no two rows agree in these"), Claim(table, Unique(by=by))


def _all_the_same(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, Keys]]:
    for start in p.seq_ends(i, "?and", phrases.OF_THE_SAME):
        for end, first in counting.group_key(p, start, table):
            yield end, (first,)
            for last, rest in _all_the_same(p, end, table):
                if first not in rest:
                    yield last, (first, *rest)


def only_this_table_joins(p: Parse, table: str, one: Expression, other: Expression) -> bool:
    """Both refer to rows of other tables, and no other table brings those together: "a student takes a course"."""
    parents = {link.parent for link in p.schema.links(table) if Column(name=link.column) in (one, other)}
    joining = [name for name in p.schema.tables if parents <= {link.parent for link in p.schema.links(name)}]
    return len(parents) == 2 and joining == [table]


def _openings(p: Parse, i: Position) -> Iterator[tuple[Position, bool]]:
    yield i, False
    for end in p.phrase(i, f"{words.EVERY}|a|an|one|the same|the|one and the same"):
        yield end, False
    for end in p.phrase(i, words.NO):
        yield end, True


def _same_thing(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, Expression]]:
    for start in p.phrase(i, phrases.A_SAME_THING):
        yield from limits.holder(p, start, table)


def _times(
    p: Parse, i: Position, table: str, keys: Keys, negated: bool, date: str | None = None, *, within: bool = False
) -> Found:
    """Like "twice on the same day"; with a `date`, which is said of it, the day is its day.

    With `within` it must be said in what: "a test code may not be ordered twice" alone would be said of all samples.
    """
    for middle, relation, limit in _how_often(p, i):
        said = relation if not negated else OPPOSITE[relation] if relation != "==" else "<"
        if said not in ("<", "<="):
            continue  # a minimum, or a permission
        for end, more in limits.further_keys(p, middle, table, date):
            if (date is not None and not steps.tells_the_time_of(more, date)) or (within and not more):
                continue
            every = (*keys, *(key for key in more if key not in keys))
            most = limit if said == "<=" else limit - 1
            yield p.note(i, end, f"at most {most} rows that agree in these"), Claim(table, _at_most(every, most))


def _at_most(keys: Keys, most: int) -> Condition:
    if most == 1:
        return Unique(by=keys)
    return Compare(relation="<=", left=Group(statistic="count", by=keys), right=Value(value=most))


def _how_often(p: Parse, i: Position) -> Iterator[tuple[Position, Relation, int]]:
    relations: tuple[tuple[Relation, str], ...] = (
        (">", words.GREATER),
        ("<=", f"{words.AT_MOST}|only"),
        ("<", words.LESS),
        ("==", "exactly"),
    )
    for relation, said in relations:
        for start in p.phrase(i, said):
            yield from ((end, relation, times) for end, times in _number_of_times(p, start))
    only = any(token.low == "only" for token in p.tokens[max(0, i - 4) : i])
    for end, times in _number_of_times(p, i):
        if only:
            yield end, "<=", times  # "may only be billed once"
        elif times > 1:
            yield end, "==", times
    for end in p.phrase(i, "again|repeatedly|multiple times|several times|more than one time"):
        yield end, ">", 1
    for end in p.phrase(i, "just once"):
        yield end, "<=", 1


def _number_of_times(p: Parse, i: Position) -> Iterator[tuple[Position, int]]:
    for said, times in (("once|one time", 1), ("twice", 2), ("thrice", 3)):
        for end in p.phrase(i, said):
            yield end, times
    for end, (times,) in p.seq(i, whole, "time|times"):
        if times > 1:
            yield end, times


def _one_per(p: Parse, i: Position, table: str) -> Found:
    """Like "One payslip per employee, year and month, no more", "only one active contract per employee"."""
    for start in (i, *p.phrase(i, phrases.THERE_MAY_BE)):
        for begin in p.phrase(start, phrases.ONE_ONLY):
            yield from _one_value_per(p, begin, table)
            for middle, found in rows.plain_rows(p, begin):
                if found.table != table:
                    continue
                for after in p.phrase(middle, phrases.PER):
                    for end, keys in counting.group_keys(p, after, table):
                        made = Claim(table, Unique(by=keys), for_where(found.where))
                        for last in (end, *p.phrase(end, phrases.AND_NO_MORE)):
                            yield p.note(i, last, "no two rows agree in these"), made


def _one_value_per(p: Parse, i: Position, table: str) -> Found:
    """Behind "only one": "crop per field and season"."""
    for middle, x in nouns.own_column(p, i, table):
        for start in p.phrase(middle, phrases.PER):
            for end, keys in counting.group_keys(p, start, table):
                timed = any(isinstance(key, DatePart) for key in keys) and _is_a_date(p, table, x)
                true = isinstance(x, Column) and x.name in p.schema.truths(table)
                if x not in keys and not timed and not true:  # "one pickup per day", "one captain" count the rows
                    yield p.note(i, end, "one value in each group"), Claim(table, limits.constant(x, keys))


def _is_a_date(p: Parse, table: str, x: Expression) -> bool:
    return isinstance(x, Column) and x.name in p.schema.dates(table)


def _by_only_one(p: Parse, i: Position, table: str) -> Found:
    """Like "A shirt number can be worn by only one player per team"."""
    for start in (i, *p.phrase(i, f"{words.EVERY}|a|an|the same|one")):
        for middle, name in nouns.own_column(p, start, table):
            for after in p.seq_ends(middle, f"{words.MUST}|{words.MAY}|{words.MUST_ONLY}", phrases.BE_HELD_BY):
                for begin in p.phrase(after, phrases.ONE_HOLDER):
                    for last, found in rows.plain_rows(p, begin):
                        if found.table == table:
                            yield p.note(after, last, "no two rows share it"), _unique(table, (name,), found.where)
                            for inner in p.phrase(last, phrases.PER):
                                for end, keys in counting.group_keys(p, inner, table):
                                    if name not in keys:
                                        yield end, _unique(table, (*keys, name), found.where)


def _unique(table: str, by: Keys, where: Condition | None) -> Claim:
    return Claim(table, Unique(by=by), for_where(where))
