"""Limits on how many rows belong together: "at most three orders per user per day"."""

from collections.abc import Iterator

from pandas_magic.constraints.algebra.conditions import Compare, Condition, Relation, Unique
from pandas_magic.constraints.algebra.expressions import Column, DatePart, Expression, Group, Lookup, Value
from pandas_magic.planner.grammar import (
    children,
    comparisons,
    counting,
    events,
    holders,
    kinds_of_rows,
    nouns,
    phrases,
    qualities,
    steps,
)
from pandas_magic.planner.grammar import lexicon as words
from pandas_magic.planner.grammar.chart import Parse, Position, position, rule
from pandas_magic.planner.grammar.logic import for_must, for_where, negate
from pandas_magic.planner.grammar.meaning import Claim, join_along, kind_of_expression
from pandas_magic.planner.grammar.morphology import last_word, name_words
from pandas_magic.planner.grammar.schema import Link

Found = Iterator[tuple[Position, Claim]]
_HOLDS = f"{words.HAVE}|{phrases.HOLDS}"


# A group that is there has at least one row, so that demanding one would never fail.
_ALWAYS_TRUE = ((">=", Value(value=1)), (">", Value(value=0)), ("!=", Value(value=0)), (">=", Value(value=0)))


@rule
def limit(p: Parse, i: Position, table: str) -> Found:
    """Limits on the number of rows of this table in each group."""
    yield from holders.holder_first(p, i, table)
    yield from _count_first(p, i, table)
    yield from _child_events(p, i, table)
    yield from _once_per(p, i, table)
    yield from _sum_first(p, i, table)


def highest_or_lowest(p: Parse, i: Position, table: str) -> Found:
    """Like "Max. gross weight per container is 30,480 kg", where the rows are containers."""
    sides: tuple[tuple[str, Relation], ...] = (
        ("max .|max|maximum|the maximum|the max|maximal|the maximal|the highest allowed|the maximum allowed", "<="),
        ("min .|min|minimum|the minimum|the min|minimal|the minimal|the lowest allowed|the minimum allowed", ">="),
    )
    for said, relation in sides:
        for middle, (x,) in p.seq(i, said, lambda p, i: nouns.own_column(p, i, table)):
            for after in p.phrase(middle, "per|of each|of every|of a|of an|for each|for a|for an|for every"):
                for end, noun in nouns.table_noun(p, after):
                    for start in p.phrase(end, "be|:|=|must be|should be") if noun == table else ():
                        for last, condition in comparisons.compared(p, start, table, x, relation):
                            yield p.note(i, last, relation), Claim(table, condition)


def _sum_first(p: Parse, i: Position, table: str) -> Found:
    """Like "Machines may produce at most 5000 pieces per shift in total": the sum of a column in each group."""
    for start in (i, *p.phrase(i, f"{words.EVERY}|a|an|one|a single|any single|{words.NO}")):
        none = any(int(end) == int(start) for end in p.phrase(i, words.NO))
        for middle, key in holder(p, start, table):
            for after, forbidden in mood(p, middle, none):
                adds = f"{_HOLDS}|{phrases.ADD_UP_TO}"
                for begin in (*p.phrase(after, adds), *events.done_to_rows(p, after, table)):
                    for end, condition in _summed(p, begin, table, key):
                        upper = isinstance(condition, Compare) and condition.relation in ("<", "<=")
                        if upper != forbidden:
                            yield end, Claim(table, for_must(negate(condition) if forbidden else condition))


def _summed(p: Parse, i: Position, table: str, key: Expression) -> Iterator[tuple[Position, Condition]]:
    for middle, apply in children.counts_ahead(p, i, table):
        for after, of in (*nouns.own_column(p, middle, table), *_units(p, middle, table), *of_unit(p, middle, table)):
            if kind_of_expression(p.schema, table, of) not in ("integer", "number") or of == key:
                continue
            if any(noun == table and int(end) == int(after) for end, noun in nouns.table_noun(p, middle)):
                continue  # "one duty per day" counts the rows, also where they have duty_minutes
            for end in p.phrase(after, phrases.IN_TOTAL):
                for last, more in further_keys(p, end, table):
                    yield from apply(_sum(of, (key, *more)), last)
            for last, more in further_keys(p, after, table):
                for end in p.phrase(last, phrases.IN_TOTAL) if more else ():
                    yield from apply(_sum(of, (key, *more)), end)
                if any(isinstance(one, DatePart) for one in more):
                    yield from apply(_sum(of, (key, *more)), last)


def of_unit(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, Expression]]:
    """Like "kWh consumption" for consumption_kwh."""
    unit = p.at(i)
    for start in (position(i + 1, i.trace), *p.phrase(position(i + 1, i.trace), "of")) if unit is not None else ():
        for end, name in nouns.named_column(p, start, table):
            if unit is not None and len(name_words(name)) > 1 and last_word(name) == unit.low:
                yield p.note(i, end, f'the column "{name}"'), Column(name=name)


def _units(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, Expression]]:
    """Like "80 units", where the table has one quantity."""
    counts = p.schema.called(table, ("quantity",))
    for end in p.phrase(i, "unit|piece|item") if len(counts) == 1 else ():
        if not any(True for _ in nouns.own_column(p, i, table)):
            yield p.note(i, end, f"of {counts[0]}"), Column(name=counts[0])


def _sum(of: Expression, by: tuple[Expression, ...]) -> Group:
    return Group(statistic="sum", of=of, by=tuple(dict.fromkeys(by)))


def constant(x: Expression, by: tuple[Expression, ...]) -> Condition:
    """All rows of a group have the same value, missing ones aside."""
    return Compare(relation="<=", left=Group(statistic="distinct", of=x, by=by), right=Value(value=1))


def always_true(condition: Condition) -> bool:
    """A group that is there has at least one row."""
    return isinstance(condition, Compare) and (condition.relation, condition.right) in _ALWAYS_TRUE


def is_upper_limit(condition: Condition) -> bool:
    """Like "may have at most 3": any other number that somebody may have is a permission, which nothing breaks."""
    return isinstance(condition, Compare) and condition.relation in ("<", "<=")


def holder(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, Expression]]:
    """Who or what has several rows: the row referred to, or a column."""
    for end, link in nouns.parent(p, i, table):
        yield end, Column(name=link.column)
    for end, name in nouns.named_column(p, i, table):
        yield end, Column(name=name)


def unwanted_holder(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, Expression]]:
    """Like "there must be no technicians who", "flag any technician that": who must not do what follows."""
    for start in p.seq_ends(i, f"{phrases.THERE_IS_NO}|{words.ASKED_FOR}", f"?{nouns.DETERMINER}"):
        for middle, key in holder(p, start, table):
            for end in p.phrase(middle, words.RELATIVE):
                yield p.note(i, end, "none of them may do what follows"), key


def mood(p: Parse, i: Position, none: bool) -> Iterator[tuple[Position, bool]]:
    """Where the words of obligation end, and whether what follows is forbidden; `none`: it began with "no"."""
    if none:
        yield i, True
        for end in p.phrase(i, f"{words.MUST}|{words.MAY}"):
            yield end, True
        return
    yield i, False
    for end in p.phrase(i, f"{words.MUST}|{words.MAY}|{words.MUST_ONLY}|must always|always"):
        yield end, False
    for end in p.phrase(i, phrases.MUST_NOT):
        yield end, True


def counted_rows(
    p: Parse, i: Position, table: str, by: tuple[Expression, ...], date: str | None = None
) -> Iterator[tuple[Position, tuple[Condition, Condition | None]]]:
    """Like "More than 3 orders on the same calendar day": the limit on the group's size, and which rows count."""
    for middle, apply in children.counts_ahead(p, i, table):
        for end, where, day in _countable(p, middle, table, date):
            for last, more in further_keys(p, end, table, day) if by else _shared_keys(p, end, table, day):
                keys = (*by, *(key for key in more if key not in by))
                if day != date and not steps.tells_the_time_of(keys, day or ""):
                    continue  # "at most 3 pickups per vehicle" could be all rentals, or those picked up
                if steps.is_another_day(p, table, where, keys):
                    p.refuse("which day is meant, that of the row or the one on which that happened? Name the date")
                    continue
                for stop, condition in apply(Group(statistic="count", by=keys), last):
                    if _may_happen(p, end, last) and not is_upper_limit(condition):
                        continue  # "more than 3 visits may take place" forbids nothing
                    if always_true(condition):
                        p.refuse("a group without rows is not in the table, so that each has at least one")
                        continue
                    yield stop, (_at_most_if_only(p, i, condition), where)


def _countable(
    p: Parse, i: Position, table: str, date: str | None
) -> Iterator[tuple[Position, Condition | None, str | None]]:
    """What is counted, and whose day "per day" is: "orders", and "pickups" for the dates that they have."""
    for end, found in kinds_of_rows.counted_rows(p, i, table):
        yield end, found.where, date
    for end, day in steps.dates_of_a_noun(p, i, table) if date is None else ():
        yield end, None, day


def _shared_keys(
    p: Parse, i: Position, table: str, date: str | None
) -> Iterator[tuple[Position, tuple[Expression, ...]]]:
    """What the counted rows share, also behind a verb: "(3 visits) per vet may take place on the same day"."""
    for middle, first in further_keys(p, i, table, date):
        yield middle, first
        # Also "(max 3 visits) booked per vet".
        for begin in (*_happening(p, middle, table), *events.done_to_rows(p, middle, table)):
            for end, more in further_keys(p, begin, table):
                if more:
                    yield end, (*first, *(key for key in more if key not in first))
        for start in p.seq_ends(middle, f"{words.MAY}|{words.MUST}", "?be|get"):
            for end, more in steps.keys_of_a_step(p, start, table):
                yield end, (*first, *(key for key in more if key not in first))


def _may_happen(p: Parse, i: Position, end: Position) -> bool:
    return any(token.low in ("may", "can", "could", "might") for token in p.tokens[i:end])


def _happening(p: Parse, i: Position, table: str) -> Iterator[Position]:
    """Behind the rows: "may be booked", "can take place"."""
    for start in p.seq_ends(i, f"{words.MAY}|{words.MUST}|be", "?be|get"):
        yield from p.phrase(start, phrases.HAPPEN)
        yield from events.done_to_rows(p, start, table)


def _at_most_if_only(p: Parse, i: Position, condition: Condition) -> Condition:
    """Like "only one event per day", where none would do as well."""
    return _at_most(condition) if p.tokens[i].low in ("only", "just") else condition


def _at_most(condition: Condition) -> Condition:
    if isinstance(condition, Compare) and condition.relation == "==":
        return condition.model_copy(update={"relation": "<="})
    return condition


def further_keys(
    p: Parse, i: Position, table: str, date: str | None = None
) -> Iterator[tuple[Position, tuple[Expression, ...]]]:
    """Nothing, or what else the rows that are counted together share: "per day", "on the same day"."""
    yield i, ()
    for start in p.phrase(i, phrases.PER):
        yield from counting.group_keys(p, start, table, date)
    yield from steps.keys_of_a_step(p, i, table)


def _count_first(p: Parse, i: Position, table: str) -> Found:
    """Like "At most three orders per user per day", "no more than 20 events per session are allowed"."""
    for start in (i, *p.phrase(i, phrases.THERE_MAY_BE)):
        for end, (condition, where) in counted_rows(p, start, table, ()):
            counted = [
                part.left for part in getattr(condition, "conditions", (condition,)) if isinstance(part, Compare)
            ]
            if any(isinstance(group, Group) and not group.by for group in counted) or _only_permits(
                p, i, start, condition
            ):
                continue
            if any(token.low == "only" for token in p.tokens[i:start]):
                condition = _at_most(condition)
            yield end, Claim(table, for_must(condition), for_where(where))
            yield from _judged_behind(p, i, end, table, condition, where)
    yield from _group_first(p, i, table)


def _only_permits(p: Parse, i: Position, start: Position, condition: Condition) -> bool:
    """Like "there may be two orders per day", which nothing breaks; "there may only be two" is a limit."""
    said = {token.low for token in p.tokens[i:start]}
    permits = not said.isdisjoint({"may", "can", "allow"}) and "only" not in said
    return permits and not is_upper_limit(condition)


def _judged_behind(
    p: Parse, i: Position, end: Position, table: str, condition: Condition, where: Condition | None
) -> Found:
    """Like "(At most 3 orders per day) are allowed", "(More than 4 orders on the same day) is suspicious"."""
    relation = condition.relation if isinstance(condition, Compare) else ""
    if relation in ("<", "<="):  # more than that being allowed forbids nothing
        for final in p.phrase(end, phrases.ROWS_ARE_ALLOWED):
            yield final, Claim(table, for_must(condition), for_where(where))
    if relation in (">", ">="):
        for final in (*p.seq_ends(end, phrases.TO_BE_BAD, words.NOT_ACCEPTED), *p.phrase(end, words.BE_BAD)):
            yield p.note(i, final, "must not be"), Claim(table, for_must(negate(condition)), for_where(where))


def _group_first(p: Parse, i: Position, table: str) -> Found:
    """Like "Per account no more than 5 transactions a day"."""
    for middle, (keys,) in p.seq(
        i,
        "per|for each|for every|for any|for one|within one|within each|in each|at/in/on/with/by every/any|"
        "at/on/with/by each|for a|for a/any/each given|on/in/at a/any given|for one and the same|for the same",
        lambda p, i: counting.group_keys(p, i, table),
    ):
        for begin in (middle, *p.phrase(middle, phrases.THERE_MAY_BE_PER_GROUP)):
            for end, (condition, where) in counted_rows(p, begin, table, keys):
                if _only_permits(p, middle, begin, condition):
                    continue
                at_least = isinstance(condition, Compare) and condition.relation in (">", ">=")
                # "At least 5 may be recorded" asks for none.
                behind = phrases.MUST_BE_THERE if at_least else f"{phrases.ROWS_ARE_ALLOWED}|{phrases.MUST_BE_THERE}"
                for final in (end, *p.phrase(end, behind)):
                    yield final, Claim(table, for_must(condition), for_where(where))
            yield from _one_in_group(p, middle, begin, table, keys)


def _one_in_group(p: Parse, i: Position, begin: Position, table: str, by: tuple[Expression, ...]) -> Found:
    """Behind "at each venue there can only be": "one event per day"."""
    only = any(token.low == "only" for token in p.tokens[i:begin])
    for start in p.phrase(begin, phrases.ONE_ONLY if only else "only one|at most one|no more than one|just one"):
        for middle, found in kinds_of_rows.counted_rows(p, start, table):
            for end, more in further_keys(p, middle, table):
                keys = (*by, *(key for key in more if key not in by))
                yield (
                    p.note(start, end, "no two rows agree in these"),
                    Claim(table, Unique(by=keys), for_where(found.where)),
                )


def _once_per(p: Parse, i: Position, table: str) -> Found:
    """Like "A product may appear only once per order"."""
    for start in (i, *p.phrase(i, f"{words.EVERY}|a|an|the same")):
        for middle, key in holder(p, start, table):
            for after in (middle, *p.phrase(middle, f"{words.MUST}|{words.MAY}|{words.MUST_ONLY}")):
                for begin in p.phrase(
                    after, words.APPEARS_ONCE + "|be contained only once|be contained at most once|once"
                ):
                    for last in p.phrase(begin, phrases.PER):
                        for end, keys in counting.group_keys(p, last, table):
                            if key not in keys:
                                noted = p.note(after, end, "no other row has the same")
                                yield noted, Claim(table, Unique(by=(*keys, key)))
                                for final, folded in qualities.ignoring_case(p, noted, table, (*keys, key)):
                                    yield final, Claim(table, Unique(by=folded))


def _child_events(p: Parse, i: Position, table: str) -> Found:
    """Like "Users cannot order anything before their signup date": the verb names the date of this table's rows."""
    for start in (i, *p.phrase(i, nouns.DETERMINER)):
        for middle, link in nouns.parent(p, start, table):
            for after in p.phrase(middle, phrases.MUST_NOT):
                for begin, date in events.event(p, after, table):
                    for last in p.phrase(begin, "anything|something|any order"):
                        yield from _before_own_date(p, last, table, date, link)


def _before_own_date(p: Parse, i: Position, table: str, date: Column, link: Link) -> Found:
    for relation, said in comparisons.DATE_RELATIONS:
        for start in p.phrase(i, said):
            for begin in p.phrase(start, words.POSSESSIVE):
                for end, name in nouns.named_column(p, begin, link.parent):
                    if p.schema.kind(link.parent, name) == "datetime":
                        other = Lookup(join=join_along(link), of=Column(name=name))
                        yield end, Claim(table, negate(Compare(relation=relation, left=date, right=other)))
