"""Who or what may have how many rows: "a user may not place more than 3 orders per day"."""

from collections.abc import Callable, Iterator

from pandas_magic.constraints.algebra.conditions import Compare, Condition
from pandas_magic.constraints.algebra.expressions import Column, DatePart, Expression, Group, Value
from pandas_magic.planner.grammar import children, events, limits, measuring_verbs, moods, nouns, phrases, steps
from pandas_magic.planner.grammar import lexicon as words
from pandas_magic.planner.grammar.chart import Parse, Position, position
from pandas_magic.planner.grammar.logic import for_must, for_where, is_count_of, negate
from pandas_magic.planner.grammar.meaning import Claim
from pandas_magic.planner.grammar.morphology import last_word, name_words, word_forms
from pandas_magic.planner.grammar.naming import PEOPLE

Found = Iterator[tuple[Position, Claim]]
Judge = Callable[[Expression, Position], Iterator[tuple[Position, Condition]]]
_HOLDS = f"{words.HAVE}|{phrases.HOLDS}"


def holder_first(p: Parse, i: Position, table: str) -> Found:
    """Like "A user may not place more than 3 orders per day", "No session may contain more than 20 events"."""
    openings = [(start, False) for start in (i, *p.phrase(i, f"{words.EVERY}|a|an|one|the same|one single"))]
    openings += [(start, True) for start in p.phrase(i, words.NO)]
    yield from _by_nobody(p, i, table)
    yield from _in_one_row(p, i, table)
    yield from _by_no_agent(p, i, table)
    for start, key in limits.unwanted_holder(p, i, table):
        for begin in (*p.phrase(start, _HOLDS), *p.seq_ends(start, "have", _HOLDS)):
            if not any(True for _ in p.phrase(begin, "only|just|exactly")):
                yield from _held(p, begin, table, key, forbidden=True, allowed=False)
    for start, none in openings:
        for middle, key in limits.holder(p, start, table):
            for after, forbidden in limits.mood(p, middle, none):
                verb = p.at(middle)
                allowed = not forbidden and verb is not None and verb.low in ("may", "can", "could", "might")
                for begin in p.phrase(after, _HOLDS):
                    if forbidden and moods.half_negated(p, begin):
                        continue  # "must not host only one event"
                    date = _date_of_verb(p, after, table)
                    yield from _held(p, begin, table, key, forbidden=forbidden, allowed=allowed, date=date)
                yield from _by_a_step(p, after, table, key, forbidden=forbidden, allowed=allowed)
                yield from _by_things(p, after, table, key, forbidden=forbidden)


def _in_one_row(p: Parse, i: Position, table: str) -> Found:
    """Like "Nobody may take more than 5 bags on one booking", where each booking has its number of bags."""
    for start in p.phrase(i, words.NOTHING):
        for after, _ in limits.mood(p, p.note(i, start, "no row"), True):
            for begin in p.phrase(after, _HOLDS):
                for middle, condition in measuring_verbs.so_many(p, begin, table):
                    for last in p.phrase(middle, f"{phrases.PER}|with|at|for"):
                        for end in nouns.this_table(p, last, table):
                            yield end, Claim(table, for_must(negate(condition)))


def _by_things(p: Parse, i: Position, table: str, key: Expression, *, forbidden: bool) -> Found:
    """Like "borrow more than five items on one day", where each loan is of one item."""
    for start in (i, *p.phrase(i, "be|have")):
        for middle, apply in _numbers_done(p, start, table):
            for end in _other_things(p, middle, table, key):
                for last, more in limits.further_keys(p, end, table, _date_of_verb(p, start, table)):
                    group = Group(statistic="count", by=(key, *(one for one in more if one != key)))
                    for stop, condition in apply(group, last) if more else ():
                        noted = p.note(i, stop, f"rows of {table}")
                        yield from _at_most(p, noted, table, condition, forbidden=forbidden)


def _numbers_done(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, Judge]]:
    """Like "borrow more than five", "register for at most 3", where the verb makes rows of the table."""
    for verb in events.done_to_rows(p, i, table):
        for begin in (verb, *p.phrase(verb, "for|in|on")):
            yield from children.counts_ahead(p, begin, table)


def _other_things(p: Parse, i: Position, table: str, key: Expression) -> Iterator[Position]:
    """Like "items" of loans; ten items of a movement that has a quantity can be two rows of five."""
    for end, link in nouns.parent(p, i, table):
        said = p.tokens[end - 1].low
        units = said in ("items", "pieces", "units") and bool(p.schema.called(table, ("quantity",)))
        if Column(name=link.column) != key and said.endswith("s") and not units:
            yield end


def _at_most(p: Parse, end: Position, table: str, condition: Condition, *, forbidden: bool) -> Found:
    if is_count_of(condition):
        yield from _not_two(p, end, table, condition, None) if forbidden else ()
        return
    demanded = negate(condition) if forbidden else condition
    if limits.is_upper_limit(demanded):
        yield end, Claim(table, for_must(demanded))


def _by_no_agent(p: Parse, i: Position, table: str) -> Found:
    """Like "No one may validate more than 20 results on the same day", where validated_by says who does."""
    for start in p.phrase(i, "nobody|no one|no person|no employee|no colleague"):
        for after, _ in limits.mood(p, p.note(i, start, "none of them"), True):
            token = p.at(after)
            for name in p.schema.tables[table].columns if token is not None else ():
                said = name_words(name)
                if len(said) == 2 and said[1] == "by" and token is not None and token.forms & word_forms(said[0]):
                    key, date = Column(name=name), _date_of_verb(p, after, table)
                    begin = p.note(after, int(after) + 1, f'the column "{name}"')
                    here = position(int(after) + 1, begin.trace)
                    for end, claim in _held(p, here, table, key, forbidden=True, allowed=False, date=date):
                        if date is not None or not _is_timed(claim.must):
                            yield end, claim  # else nothing tells on which day that was done


def _is_timed(condition: Condition) -> bool:
    group = condition.left if isinstance(condition, Compare) else None
    return isinstance(group, Group) and any(isinstance(key, DatePart) for key in group.by)


def _date_of_verb(p: Parse, i: Position, table: str) -> str | None:
    """Like "open", whose day is that of opened_on, where it names one date."""
    dates = {date.name for _, date in events.event(p, i, table)}
    return dates.pop() if len(dates) == 1 else None


def _by_a_step(p: Parse, i: Position, table: str, key: Expression, *, forbidden: bool, allowed: bool) -> Found:
    """Like "return more than 3 rentals on the same day", where the verb says of which date the day is."""
    for start in (i, *p.phrase(i, "be|have")):
        for begin, date in events.event(p, start, table):
            if forbidden and moods.half_negated(p, begin):
                continue
            for end, claim in _held(p, begin, table, key, forbidden=forbidden, allowed=allowed, date=date.name):
                group = claim.must.left if isinstance(claim.must, Compare) else None
                if isinstance(group, Group) and steps.tells_the_time_of(group.by, date.name):
                    yield end, claim


def _held(
    p: Parse, i: Position, table: str, key: Expression, *, forbidden: bool, allowed: bool, date: str | None = None
) -> Found:
    """Behind "a user may not place": "more than 3 orders per day"."""
    for end, (condition, where) in limits.counted_rows(p, i, table, (key,), date):
        if forbidden and is_count_of(condition):
            yield from _not_two(p, end, table, condition, where)
            continue
        if _about_the_holder(p, table, key, condition, forbidden=forbidden):
            continue
        if allowed and not limits.is_upper_limit(condition):
            continue
        demanded = negate(condition) if forbidden else condition
        if not limits.always_true(demanded):
            yield end, Claim(table, for_must(demanded), for_where(where))


def _by_nobody(p: Parse, i: Position, table: str) -> Found:
    """Like "Nobody may receive more than 12 payslips a year", where rows refer to one other table only."""
    links = p.schema.links(table)
    if len(links) != 1 or last_word(links[0].parent) not in PEOPLE:
        return  # three issues of a project are not those of one person
    key = Column(name=links[0].column)
    for start in p.phrase(i, "nobody|no one|nobody ever"):
        for after, _ in limits.mood(p, p.note(i, start, f"no {links[0].column}"), True):
            for begin in p.phrase(after, _HOLDS):
                for end, (condition, where) in limits.counted_rows(p, begin, table, (key,)):
                    if not is_count_of(condition) and not _about_the_holder(p, table, key, condition, forbidden=True):
                        yield end, Claim(table, for_must(negate(condition)), for_where(where))


def _about_the_holder(p: Parse, table: str, key: Expression, condition: Condition, *, forbidden: bool) -> bool:
    """A minimum for a row referred to, which rows of this table cannot show: those with none are not among them."""
    if limits.always_true(condition):
        return True
    held = any(isinstance(key, Column) and link.column == key.name for link in p.schema.links(table))
    alone = isinstance(condition, Compare) and isinstance(condition.left, Group) and len(condition.left.by) == 1
    minimum = isinstance(condition, Compare) and condition.relation in (
        (">=", ">", "!=") if not forbidden else ("<", "<=", "==")
    )
    return held and alone and minimum


def _not_two(p: Parse, end: Position, table: str, condition: Condition, where: Condition | None) -> Found:
    """Like "must not have two readings with the same time": at most one. Other numbers leave open what is meant."""
    if isinstance(condition, Compare) and condition.right == Value(value=2):
        one = condition.model_copy(update={"relation": "<=", "right": Value(value=1)})
        yield p.note(end, end, "at most one"), Claim(table, one, for_where(where))
