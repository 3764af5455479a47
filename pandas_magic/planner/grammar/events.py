"""What happened to a row, and when: "shipped before it was ordered" is about ship_date and order_date."""

from collections.abc import Iterator

from pandas_magic.constraints.algebra.conditions import Compare, Condition, Not, Present, Relation
from pandas_magic.constraints.algebra.expressions import Arithmetic, Column, Expression, Lookup, Now, Span
from pandas_magic.planner.grammar import birthdays, comparisons, nouns, occasions, periods, terms
from pandas_magic.planner.grammar import lexicon as words
from pandas_magic.planner.grammar.aliases import event_verbs
from pandas_magic.planner.grammar.beginnings import begun_and_over
from pandas_magic.planner.grammar.chart import Parse, Position, position, rule
from pandas_magic.planner.grammar.logic import any_of, both
from pandas_magic.planner.grammar.meaning import join_along
from pandas_magic.planner.grammar.morphology import NOMINAL, last_word, name_words, word_forms
from pandas_magic.planner.grammar.naming import MAKING
from pandas_magic.planner.grammar.values import number

_PARTICLES = ("in", "up", "out", "off", "over", "back", "down")
# A row comes into being: "placed" is the order_date of an order, "made" the payment_date of a payment.
_COMES_INTO_BEING = frozenset(
    [
        "place",
        "make",
        "create",
        "enter",
        "raise",
        "file",
        "record",
        "issue",
        "submit",
        "book",
        "open",
        "conduct",
        "take",
        "perform",
        "occur",
        "happen",
        "hold",
        "sit",
    ]
)
_BEGINS = "start|begin|commence"
_PLANNED: tuple[tuple[tuple[str, ...], Relation], ...] = (
    (("start", "begin", "opens", "open"), "<="),
    (("end", "finish", "ends", "close", "closes"), "<"),
)
_HANDING_OVER = frozenset(("lend", "borrow", "rent", "loan", "lease", "hire"))
_PREFIXES = ("re", "pre", "co")  # apart from their verb in "re-registered"
_TENSES: tuple[tuple[str, Relation], ...] = (("in the future|in future", ">"), ("in the past|in past", "<"))
_BE = "be|have been|get|have|be being|have ever been|has already been|be ever"
_PRONOUN = "it|they|he|she|this|that|he or she|you"


@rule
def event(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, Column]]:
    """A verb that names one of the table's dates: "shipped" for ship_date, "signed up" for signup_date."""
    token = p.at(i)
    if token is None or token.kind != "word" or "." in token.text or "_" in token.text:
        return
    if token.low in ("last", "first", "recently"):
        # "who last logged in before" for last_login
        later = event(p, position(int(i) + 1, i.trace), table)
        yield from ((end, date) for end, date in later if token.low in name_words(date.name))
        return
    particle = p.at(i + 1)
    found = False
    yield from _with_prefix(p, i, table)
    for column in (*p.schema.dates(table), *p.schema.years(table)):
        verbs = event_verbs(column)
        if token.forms & verbs:
            found = True
            yield p.note(i, i + 1, f'the date "{column}"'), Column(name=column)
        if particle and particle.low in _PARTICLES and any(form + particle.low in verbs for form in token.forms):
            yield p.note(i, i + 2, f'the date "{column}"'), Column(name=column)
    first = p.schema.first_date(table)
    spoken = last_word(table)
    if (
        not found
        and first is not None
        and token.forms & {spoken, NOMINAL.get(spoken, spoken)}
        and token.low not in (spoken, f"{spoken}s", f"{spoken}es")
    ):
        found = True
        yield p.note(i, i + 1, f'the date "{first}" of the {spoken} itself'), Column(name=first)
    width = 2 if "take" in token.forms and particle and particle.low == "place" else 1
    if not found and (token.forms & _COMES_INTO_BEING or width == 2):
        noun = name_words(table)
        own = [date for date in p.schema.dates(table) if name_words(date)[:-1] in (noun, noun[-1:])]
        own = own or [date for date in p.schema.dates(table) if NOMINAL.get(spoken, "") in event_verbs(date)]
        own = own or _only_beginning(p, table)
        if len(own) == 1:
            yield p.note(i, i + width, f'the date "{own[0]}" of the {spoken} itself'), Column(name=own[0])


def _with_prefix(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, Column]]:
    """Like "re-registered" for reregistered_on."""
    prefix, verb = p.at(i), p.at(i + 1)
    if prefix is not None and verb is not None and prefix.low in _PREFIXES:
        for date in p.schema.dates(table):
            if word_forms(prefix.low + verb.low) & event_verbs(date):
                yield p.note(i, i + 2, f'the date "{date}"'), Column(name=date)


@rule
def at_some_time(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, Column]]:
    """An event that is compared with a time: "made before", "start after" can be the date at which the row begins.

    Whether it has happened at all is another question: a project that was created has not yet begun.
    """
    found = list(event(p, i, table))
    yield from found
    begun, _ = begun_and_over(table, p.schema.dates(table))
    first = p.schema.first_date(table)
    for said, candidates in (
        (_BEGINS, begun or [date for date in (first,) if date is not None and event_verbs(date) & _HANDING_OVER]),
        ("make", [] if first is None else [first]),
        ("hold|take place|run|happen|occur", begun or [date for date in (p.schema.principal_date(table),) if date]),
    ):
        for end in p.phrase(i, said) if not found and len(candidates) == 1 else ():
            yield p.note(i, end, f'the date "{candidates[0]}" of the row itself'), Column(name=candidates[0])


def _only_beginning(p: Parse, table: str) -> list[str]:
    """The only date of a row, where it tells of its making: measured_on of a reading that is "taken"."""
    dates = p.schema.dates(table)
    return dates if len(dates) == 1 and event_verbs(dates[0]) & set(MAKING) else []


def done_to_rows(p: Parse, i: Position, table: str) -> Iterator[Position]:
    """Where a verb ends that makes a row of the table: "borrow" for borrowings, "be admitted" for admissions."""
    token = p.at(i)
    if token is None or token.kind != "word" or "." in token.text or "_" in token.text:
        return
    verbs = p.schema.verbs(table)
    particle = p.at(i + 1)
    if token.forms & verbs:
        yield p.note(i, i + 1, f"rows of {table}")
    if particle and particle.low in _PARTICLES and any(form + particle.low in verbs for form in token.forms):
        yield p.note(i, i + 2, f"rows of {table}")


@rule
def event_clause(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, Expression]]:
    """A clause that stands for a date: "it was ordered", "the user signed up", "being shipped", "they were placed"."""
    for start in (i, *p.phrase(i, _PRONOUN)):
        yield from _happened(p, start, table)
        if start > i:  # "they place an order"
            for middle, date in event(p, start, table):
                yield from ((end, date) for end in _this_one(p, middle, table, date))
    yield from _done_by_us(p, i, table)
    for start in (i, *p.phrase(i, nouns.DETERMINER)):
        for middle, noun in nouns.table_noun(p, start):
            if noun == table:
                yield from _happened(p, middle, table)
    token = p.at(i)
    for middle, date in event(p, i, table) if token is not None and token.low.endswith("ing") else ():
        yield from ((end, date) for end in p.phrase(middle, "it|them|for it|for them"))
    yield from occasions.done(p, i, table)
    yield from occasions.part_happened(p, i, table)
    yield from birthdays.reached(p, i, table)
    yield from periods.begun_or_over(p, i, table)
    yield from terms.run_out_then(p, i, table)
    yield from occasions.at_the_parents(p, i, table)
    yield from _happened_to_parent(p, i, table)
    yield from _happened_to_far_parent(p, i, table)
    for middle, link in nouns.parent(p, i, table):
        own = [*_happened(p, middle, link.parent)]
        yield from ((end, Lookup(join=join_along(link), of=date)) for end, date in own)
        if not own:  # "the item was returned" for a loan's returned_on
            yield from _happened(p, middle, table)


def _done_by_us(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, Expression]]:
    """Like "we have shipped them"."""
    for start in p.phrase(i, "we|we have|we had|somebody has|someone has"):
        for middle, date in event(p, start, table):
            yield from ((end, date) for end in (*p.phrase(middle, "it|them"), *_this_one(p, middle, table, date)))


def _happened_to_parent(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, Expression]]:
    """Like "they signed up", where that can only have happened to one of the rows referred to."""
    token = p.at(i)
    gerund = (i,) if token is not None and token.low.endswith("ing") else ()
    for start in (*p.phrase(i, "it|they|he|she"), *gerund):
        there = [(end, date, link) for link in p.schema.links(table) for end, date in _happened(p, start, link.parent)]
        if len({link for _, _, link in there}) == 1 and not any(True for _ in _happened(p, start, table)):
            for end, date, link in there:
                yield p.note(i, end, f"of {link.parent}"), Lookup(join=join_along(link), of=date)


def _happened_to_far_parent(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, Expression]]:
    """Like "the ship arrived" for the arrived_on of the call that a cargo belongs to."""
    for link in p.schema.links(table):
        for middle, far in nouns.parent(p, i, link.parent):
            if far.parent == table or p.schema.links_to(table, far.parent):
                continue
            if not any(True for _ in _happened(p, middle, far.parent)):
                for end, date in _happened(p, middle, link.parent):
                    yield p.note(i, end, f"of {link.parent}"), Lookup(join=join_along(link), of=date)


def _happened(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, Expression]]:
    for start in (i, *p.phrase(i, _BE)):
        yield from at_some_time(p, start, table)


def lately(p: Parse, i: Position, condition: Condition) -> Condition:
    """Behind "has not": "logged in within the last 30 days" is not true of who never did."""
    if p.tokens[i].low not in ("has", "have", "had") or not isinstance(condition, Compare):
        return condition
    if condition.relation in (">", ">=") and isinstance(condition.left, Column):
        right = condition.right.left if isinstance(condition.right, Arithmetic) else condition.right
        if isinstance(right, Now):
            joined = both(Present(of=condition.left), condition)
            assert joined is not None
            return joined
    return condition


@rule
def event_predicate(p: Parse, i: Position, table: str, perfect: bool) -> Iterator[tuple[Position, Condition]]:
    """What the row went through, compared with another time: "shipped before it was ordered".

    With `perfect` ("must have logged in within the last 30 days") it must have happened at all; without it, a row to
    which it has not happened yet is not judged.
    """
    if any(token.low == "still" for token in p.tokens[max(0, i - 2) : i]):
        return  # "still requested" is what it is, and not when it was
    for middle, date in at_some_time(p, i, table):
        objects = (*_this_one(p, middle, table, date), *_object(p, middle, table, date))
        for after in (middle, *objects, *p.phrase(middle, "at least once|once|it|them")):
            for end, condition in _compared(p, after, table, date):
                joined = both(Present(of=date), condition) if perfect else condition
                assert joined is not None
                yield end, joined


def _this_one(p: Parse, i: Position, table: str, date: Column) -> Iterator[Position]:
    """Behind "place": "an order", where placing makes the row."""
    if date.name == p.schema.first_date(table):
        yield from nouns.this_table(p, i, table)


def _object(p: Parse, i: Position, table: str, date: Column) -> Iterator[Position]:
    """Behind "book": "a class", the row that a booking is made for."""
    if date.name == p.schema.first_date(table) and p.tokens[i - 1].low not in ("made", "make"):
        yield from (end for end, _ in nouns.parent(p, i, table))
        yield from p.phrase(i, "anything|something")


def _compared(p: Parse, i: Position, table: str, date: Column) -> Iterator[tuple[Position, Condition]]:
    """Like "before 2020", "before 1850 or after 2026", "in the future"."""
    for said, relation in _TENSES if p.schema.kind(table, date.name) == "datetime" else ():
        for end in (*p.phrase(i, said), *(p.seq_ends(i, "on|at|for", words.IN_FUTURE) if relation == ">" else ())):
            yield p.note(i, end, f"{relation} the time of the run"), Compare(relation=relation, left=date, right=Now())
    for birth in p.schema.called(table, ("birth", "date")):
        for end, (years,) in p.seq(i, "before the age of|before turning|before they turn|under the age of", number):
            birthday = Arithmetic(sign="+", left=Column(name=birth), right=Span(amount=years, unit="years"))
            yield p.note(i, end, f"{years:g} years after birth"), Compare(relation="<", left=date, right=birthday)
        for end, years in birthdays.theirs(p, i):
            birthday = Arithmetic(sign="+", left=Column(name=birth), right=Span(amount=years, unit="years"))
            yield p.note(i, end, f"{years} years after birth"), Compare(relation="<", left=date, right=birthday)
    for end, first in comparisons.comparison(p, i, table, date):
        yield end, first
        for middle in p.phrase(end, "or"):
            for last, second in comparisons.comparison(p, middle, table, date):
                yield last, any_of(first, second)


def not_happened_yet(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, Condition]]:
    """Like "unreturned", "unpaid": it has not happened, the date is missing."""
    token = p.at(i)
    low = token.low.removeprefix("un") if token is not None and token.kind == "word" else ""
    if token is None or low == token.low or not low.endswith(("ed", "d", "t", "n")):
        return
    for column in p.schema.dates(table):
        if word_forms(low) & event_verbs(column):
            yield p.note(i, i + 1, f'the date "{column}" is missing'), Not(condition=Present(of=Column(name=column)))


def happened_then(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, Condition]]:
    """Behind "who": "left", "joined", "expired", in the past and with nothing behind that says when."""
    token = p.at(i)
    if token is not None and token.forms - {token.low} and token.low.endswith(("ed", "t", "n", "d", "k", "e")):
        yield from happened_at_all(p, i, table)


@rule
def happened_at_all(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, Condition]]:
    """It has happened: the date is present. A term has run out when it lies before the run."""
    for end, date in event(p, i, table):
        if p.schema.kind(table, date.name) != "datetime":
            continue
        if p.tokens[i].low in ("expired", "lapsed"):
            yield p.note(i, end, f"{date.name} before the run"), Compare(relation="<", left=date, right=Now())
            continue
        happened = _has_come(date) or Present(of=date)
        yield from ((last, happened) for last in (end, *p.phrase(end, "yet|already|so far|until now")))


def _has_come(date: Column) -> Condition | None:
    """What is planned has begun when its day has come: starts_on and end_date, where started_on says that it has."""
    named = frozenset(name_words(date.name))
    for verbs, relation in _PLANNED:
        if not named.isdisjoint(verbs):
            come = Compare(relation=relation, left=date, right=Now())
            return both(Present(of=date), come) if relation == "<=" else come
    return None
