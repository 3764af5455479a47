"""What is said behind rows that refer to this one: "tests ordered for that sample", "exams the student has passed"."""

from collections.abc import Iterator

from pandas_magic.constraints.algebra.conditions import Condition, Present
from pandas_magic.constraints.algebra.expressions import Expression, Rollup
from pandas_magic.planner.grammar import events, nouns, phrases, rows
from pandas_magic.planner.grammar import lexicon as words
from pandas_magic.planner.grammar.aliases import event_verbs
from pandas_magic.planner.grammar.chart import Parse, Position, position
from pandas_magic.planner.grammar.logic import negate
from pandas_magic.planner.grammar.meaning import join_down
from pandas_magic.planner.grammar.morphology import word_forms
from pandas_magic.planner.grammar.schema import Link

Found = Iterator[tuple[Position, Condition | None]]
_IT = "it|they|he|she|he or she|them|him|her"
# What nothing comes before: a row is in the table because of it.
_FIRST_STEPS = frozenset(
    ("order", "create", "book", "place", "request", "register", "submit", "open", "enter", "raise")
)
_BE = "be|have been|be being|get|be actually|have actually been"


def told(p: Parse, i: Position, link: Link, table: str) -> Found:
    """Where words end that only say whose rows they are, or which of them: "made for it", "that it has passed"."""
    for start in (i, *p.seq_ends(i, f"?{words.RELATIVE}", _BE)):
        made = [(end, None) for end in _made(p, start, link.table)]
        for middle, which in (*made, *_of_a_kind(p, start, link.table)):
            yield from ((end, which) for end in _for_this_one(p, middle, table))
    for start in p.phrase(i, phrases.BELONGS_HERE):
        yield from ((end, None) for end in _this_one(p, start, table))
    for start in p.phrase(i, "there be"):
        yield from ((end, None) for end in _for_this_one(p, start, table))
    for start in (i, *p.phrase(i, words.RELATIVE)):
        for middle in _this_one(p, start, table):
            for after in p.phrase(middle, "have|have actually|have already"):
                yield from rows.adjectives(p, after, link.table)
            for after in p.phrase(middle, "have not|have not yet|have never"):
                stepped = (
                    found for found in events.happened_at_all(p, after, link.table) if isinstance(found[1], Present)
                )
                yield from ((end, negate(which)) for end, which in (*stepped, *rows.adjectives(p, after, link.table)))


def _of_a_kind(p: Parse, i: Position, child: str) -> Found:
    """Like "passed (by the student)"; "measured" may be a step, or how it stands today."""
    if not any(True for _ in events.event(p, i, child)):
        yield from rows.adjectives(p, i, child)


def _for_this_one(p: Parse, i: Position, table: str) -> Iterator[Position]:
    for start in p.phrase(i, phrases.MADE_FOR):
        yield from _this_one(p, start, table)


def _this_one(p: Parse, i: Position, table: str) -> Iterator[Position]:
    """Like "it", "that sample": the row at hand."""
    yield from p.phrase(i, _IT)
    for start in p.phrase(i, f"{nouns.DETERMINER}|that same|this very"):
        yield from nouns.this_table(p, start, table)


def _made(p: Parse, i: Position, child: str) -> Iterator[Position]:
    """A verb that only says how rows of the table come about: "made", "ordered" for tests with an ordered_on."""
    token = p.at(i)
    if token is None or any(token.forms & word_forms(said[0]) for said in p.schema.values(child) if len(said) == 1):
        return  # "registered" may be a status
    first = p.schema.first_date(child)
    later = (event_verbs(date) for date in p.schema.dates(child) if date != first)
    begins = bool(token.forms & (event_verbs(first) if first else _FIRST_STEPS))
    if any(token.forms & verbs for verbs in later) and not begins:
        return
    ends = (*p.phrase(i, f"{phrases.HAPPEN}|{phrases.ALSO_MADE}"), *events.done_to_rows(p, i, child))
    first_of_all = (position(i + 1, i.trace),) if begins else ()
    for end in dict.fromkeys(map(int, (*ends, *first_of_all))):
        yield p.note(i, end, f"rows of {child}")


def times_done(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, Expression]]:
    """Like "the number of times it was rented", "how often the vehicle has been rented"."""
    for start in p.phrase(i, phrases.HOW_OFTEN):
        for middle in _this_one(p, start, table):
            for child in p.schema.tables:
                links = p.schema.links_to(child, table)
                for begin in p.phrase(middle, _BE) if len(links) == 1 else ():
                    for end in events.done_to_rows(p, begin, child):
                        yield p.note(i, end, f"rows of {child}"), Rollup(statistic="count", join=join_down(links[0]))
