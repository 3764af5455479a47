"""Dates spoken of by what happens: "a sample was taken", "after the visit", "the day on which they signed up"."""

from collections.abc import Iterator

from pandas_magic.constraints.algebra.expressions import Column, Expression, Lookup
from pandas_magic.planner.grammar import nouns, phrases
from pandas_magic.planner.grammar.aliases import event_verbs
from pandas_magic.planner.grammar.chart import Parse, Position, position, rule
from pandas_magic.planner.grammar.meaning import join_along, kind_of_expression
from pandas_magic.planner.grammar.morphology import NOMINAL, last_word, name_words, singular, word_forms
from pandas_magic.planner.grammar.nominals import verbs_of

Found = Iterator[tuple[Position, Expression]]


@rule
def day_of_clause(p: Parse, i: Position, table: str) -> Found:
    """Like "the date on which a sample was taken", "the day they signed up as a customer"."""
    from pandas_magic.planner.grammar.events import event_clause

    for start in p.phrase(i, phrases.THE_DAY_WHEN):
        for end, date in event_clause(p, start, table):
            if kind_of_expression(p.schema, table, date) == "datetime":
                yield p.note(i, end, "the date of what happens"), date
                for after in p.phrase(end, "as a|as an|as our"):
                    yield from ((last, date) for last, _ in nouns.table_noun(p, after))


def done(p: Parse, i: Position, table: str) -> Found:
    """Like "a sample was taken", "the payment has been received", where a noun says what happened at a date."""
    for start in (i, *p.phrase(i, nouns.DETERMINER)):
        token = p.at(start)
        if token is None or token.kind != "word":
            continue
        said = token.forms | {NOMINAL[form] for form in token.forms if form in NOMINAL}
        for date in p.schema.dates(table):
            if said & event_verbs(date):
                for end in p.phrase(position(start + 1, start.trace), phrases.IS_DONE):
                    if not any(p.tokens[end - 1].forms & event_verbs(other) for other in p.schema.dates(table)):
                        yield p.note(i, end, f'the date "{date}"'), Column(name=date)


def part_happened(p: Parse, i: Position, table: str) -> Found:
    """Like "its permit was granted" for permit_granted_on."""
    for start in (i, *p.phrase(i, nouns.DETERMINER)):
        for middle, said in nouns.spans(p, start):
            for after in p.phrase(position(middle, start.trace), "be|have been|have"):
                verb = p.at(after)
                for date in p.schema.dates(table) if verb is not None and verb.kind == "word" else ():
                    name = tuple(word for word in name_words(date) if word not in ("on", "at", "date", "time"))
                    if verb is not None and name[:-1] == said and word_forms(name[-1]) & verb.forms:
                        yield p.note(i, after + 1, f'the date "{date}"'), Column(name=date)


def row_itself(p: Parse, i: Position, table: str, x: Expression) -> Found:
    """Behind "60 days after": "the visit", "the event", which stands for its date."""
    for start in (i, *p.phrase(i, "the|its|their|that")):
        for end, noun in nouns.table_noun(p, start) if start > i or _is_bare(p, i) else ():
            date = p.schema.principal_date(noun) or (p.schema.first_date(noun) if start == i else None)
            if noun == table and date is not None and Column(name=date) != x:
                yield p.note(i, end, f'the date "{date}"'), Column(name=date)
        if start == i:
            continue
        for end, link in nouns.parent(p, start, table):
            date = p.schema.principal_date(link.parent)
            if date is not None and _is_dated_by(link.parent, date):
                yield p.note(i, end, f"{date} of {link.parent}"), Lookup(join=join_along(link), of=Column(name=date))
        yield from _far_row(p, start, table)


@rule
def at_the_parents(p: Parse, i: Position, table: str) -> Found:
    """Like "departure", "the departure date", "the day of departure", where only a row referred to has such a date."""
    for start in (i, *p.phrase(i, "the|the day of|the date of|the time of|the day of the|the date of the")):
        token = p.at(start)
        if token is None or token.kind != "word" or _is_own(p, start, table):
            continue
        there = [
            (end, link, date)
            for link in p.schema.links(table)
            for end, date in _date_of(p, start, link.parent)
            if p.schema.kind(link.parent, date) == "datetime"
        ]
        if len({(link, date) for _, link, date in there}) == 1:
            for end, link, date in there:
                yield p.note(i, end, f"{date} of {link.parent}"), Lookup(join=join_along(link), of=Column(name=date))


def _is_own(p: Parse, i: Position, table: str) -> bool:
    """The row itself has such a date, or the word names rows."""
    token = p.tokens[i]
    dates = p.schema.dates(table)
    happens = any((verbs_of(token.low) | token.forms) & event_verbs(date) for date in dates)
    return happens or any(True for _ in nouns.named_column(p, i, table)) or any(True for _ in nouns.table_noun(p, i))


def _date_of(p: Parse, i: Position, parent: str) -> Iterator[tuple[Position, str]]:
    for end, date in nouns.named_column(p, i, parent):
        spoken = name_words(p.source(i, end))
        event = tuple(word for word in name_words(date) if word not in ("on", "at", "date", "time"))
        if not p.schema.is_part(parent, spoken) or spoken == event:  # "the check-in", "the premiere" of premiere_on
            yield end, date
    token = p.tokens[i]
    same = frozenset() if token.low.endswith(("ed", "ing")) else frozenset((token.low,))  # "after discharge"
    for date in p.schema.dates(parent):
        if (verbs_of(token.low) | same) & event_verbs(date):
            here = p.note(i, i + 1, f'the date "{date}"')
            yield from ((end, date) for end in (here, *p.phrase(here, "date|day|time")))


def _is_bare(p: Parse, i: Position) -> bool:
    """Like "donation" behind "3 days after", in the singular and without an article."""
    token, before = p.at(i), p.tokens[i - 1] if i else None
    near = before is not None and before.low in ("after", "before", "since", "following")
    return near and token is not None and token.kind == "word" and token.low == singular(token.low)


def _far_row(p: Parse, i: Position, table: str) -> Found:
    """Like "the event" for tickets, whose booking has one."""
    for near in p.schema.links(table):
        for end, far in nouns.parent(p, i, near.parent):
            date = p.schema.principal_date(far.parent)
            own = far.parent == table or p.schema.links_to(table, far.parent)
            if date is not None and _is_dated_by(far.parent, date) and not own:
                there = Lookup(join=join_along(far), of=Column(name=date))
                yield p.note(i, end, f"{date} of {far.parent}"), Lookup(join=join_along(near), of=there)


def _is_dated_by(table: str, date: str) -> bool:
    """The date is that of the row, as its name says: event_date of events, booked_on of bookings."""
    noun = last_word(table)
    return date.lower().startswith(noun) or not event_verbs(date).isdisjoint({NOMINAL.get(noun, noun), *verbs_of(noun)})
