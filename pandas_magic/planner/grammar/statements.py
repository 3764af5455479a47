"""Statements about the row at hand, and how "and" and "or" join them."""

from collections.abc import Iterator

from pandas_magic.constraints.algebra.conditions import Condition, Present
from pandas_magic.planner.grammar import (
    arithmetic,
    associations,
    child_statistics,
    children,
    clauses,
    column_lists,
    crowds,
    distinct_children,
    done_to_parts,
    events,
    modifiers,
    moods,
    nouns,
    periods,
    phrases,
    possession,
    present_values,
    qualities,
    rows,
    time_between,
    totals,
)
from pandas_magic.planner.grammar import lexicon as words
from pandas_magic.planner.grammar.chart import Parse, Position, after_be, rule
from pandas_magic.planner.grammar.logic import any_of, both, negate, of_which
from pandas_magic.planner.grammar.meaning import join_along, lifted
from pandas_magic.planner.grammar.morphology import last_word
from pandas_magic.planner.grammar.naming import PEOPLE
from pandas_magic.planner.grammar.schema import Link

Found = Iterator[tuple[Position, Condition]]


@rule
def condition(p: Parse, i: Position, table: str) -> Found:
    """Clauses joined by "and" or by "or", never by both unless parentheses say how."""
    for end, first in clause(p, i, table):
        yield end, first
        yield from _joined(p, end, table, first, "and")
        yield from _joined(p, end, table, first, "or")


def _joined(p: Parse, i: Position, table: str, first: Condition, joint: str) -> Found:
    said = phrases.AND_CLAUSE if joint == "and" else "or|, or|or if|or where|or when|or whose|or else|||"
    for middle in p.phrase(i, said):
        for end, second in clause(p, middle, table):
            merged = both(first, second) if joint == "and" else any_of(first, second)
            assert merged is not None
            yield end, merged
            yield from _joined(p, end, table, merged, joint)


@rule
def clause(p: Parse, i: Position, table: str) -> Found:
    """One statement about the row at hand."""
    for start in (i, *p.phrase(i, "both|either")):
        for end, x in arithmetic.expression(p, start, table):
            yield from clauses.value_phrase(p, end, table, x, "is")
    for start in p.phrase(i, "a|an|any|another|some"):
        for middle, x in nouns.own_column(p, start, table):
            for after, said in qualities.quality(p, middle, table, x):
                yield from ((end, said) for end in p.phrase(after, "be used|be given|be chosen|be selected|be entered"))
    for middle, given in present_values.that_are_there(p, i, table):
        for end, said in clauses.value_phrase(p, middle, table, given, "is"):
            joined = both(Present(of=given), of_which(given, said))
            assert joined is not None
            yield end, joined
    for end, (inside,) in p.seq(i, "(", lambda p, i: condition(p, i, table), ")"):
        yield end, inside
    for end, (inside,) in p.seq(i, "not (", lambda p, i: condition(p, i, table), ")"):
        yield end, negate(inside)
    yield from _term_is_over(p, i, table)
    yield from periods.period_clause(p, i, table, "is")
    yield from rows.truth_clause(p, i, table)
    yield from done_to_parts.part_done(p, i, table, "is")
    yield from totals.together(p, i, table, "is")
    yield from totals.added_up(p, i, table)
    yield from column_lists.several_columns(p, i, table)
    yield from _so_many_are_given(p, i, table)
    yield from _about_the_row(p, i, table)
    yield from _there_is(p, i, table)
    yield from associations.same_key_clause(p, i, table)
    yield from distinct_children.whose_differ(p, i, table)
    yield from child_statistics.whose_children(p, i, table)
    yield from time_between.so_long_passes(p, i, table)


def _so_many_are_given(p: Parse, i: Position, table: str) -> Found:
    """Like "exactly one of email and phone is given"."""
    for middle, so_many in possession.how_many_present(p, i, table):
        for start, negated in moods.head(p, middle, "is"):
            for end in p.phrase(start, f"{after_be(words.PRESENT)}|have a value|exist"):
                yield end, negate(so_many) if negated else so_many


def _term_is_over(p: Parse, i: Position, table: str) -> Found:
    """Like "licence has expired" for licence_expires_on."""
    for end, column in nouns.term(p, i, table):
        yield from qualities.run_out(p, end, table, column)


@rule
def whose_condition(p: Parse, i: Position, table: str) -> Found:
    """What stands behind "whose": clauses, or a column with what it is ("with the amount below 5")."""
    yield from condition(p, i, table)


def _about_the_row(p: Parse, i: Position, table: str) -> Found:
    people = "|somebody|someone|anybody|anyone|a person" if last_word(table) in PEOPLE else ""
    for start in p.phrase(i, f"it|they|he|she|the row|the record|a row|a record|this row{people}"):
        yield from clauses.row_phrase(p, start, table, "is")
    one = p.at(i)
    begun = rows.subject_rows if one is not None and one.low in ("a", "an") else rows.rows  # "a refund" is one of those
    for middle, found in begun(p, i):
        if found.table == table:
            for end, said in clauses.row_phrase(p, middle, table, "is"):
                joined = both(found.where, said)
                assert joined is not None
                yield end, joined
                yield from _and_without(p, end, table, joined)
    yield from _about_the_parent(p, i, table)


def _about_the_parent(p: Parse, i: Position, table: str) -> Found:
    """Like "the user is unknown", "the user is banned"."""
    owned = [start for owner in nouns.this_table(p, i, table) for start in p.phrase(owner, "'s|'")]
    named = (found for start in (i, *owned) for found in nouns.parent(p, start, table))
    for middle, link in ((end, link) for after, link in named for end in _of_its_own(p, after, table)):
        for start, negated in moods.head(p, middle, "is"):
            for end in p.phrase(start, "exist|be known|be registered|be on file"):
                there = modifiers.dangling(link) if negated else children.refers(link)
                yield p.note(start, end, f"a row of {link.parent}"), there
            yield from _listed(p, start, link, negated)
            for end in p.phrase(start, phrases.BE_UNKNOWN) if not negated else ():
                yield p.note(start, end, f"not in {link.parent}"), modifiers.dangling(link)
        if not any(
            True for start in (middle, *p.phrase(middle, "be|get")) for _ in events.event(p, start, link.parent)
        ):
            for start in (middle, *p.phrase(middle, "be|get|have been")):
                yield from events.event_predicate(p, start, table, False)
        for end, said in clauses.row_phrase(p, middle, link.parent, "is"):
            seen = lifted(said, join_along(link))
            if seen is not None:
                yield end, seen


def _of_its_own(p: Parse, i: Position, table: str) -> Iterator[Position]:
    """Behind "the user": nothing, or "of an order"."""
    yield from (i, *nouns.of_this_row(p, i, table))


def _listed(p: Parse, i: Position, link: Link, negated: bool) -> Found:
    """Like "(the machine) is not in the machine list"."""
    for after in p.phrase(i, phrases.STANDS_IN):
        for end in nouns.this_table(p, after, link.parent):
            there = modifiers.dangling(link) if negated else children.refers(link)
            yield p.note(i, end, f"a row of {link.parent}"), there
    for after in p.phrase(i, phrases.NOT_IN) if not negated else ():
        for end in nouns.this_table(p, after, link.parent):
            yield p.note(i, end, f"not in {link.parent}"), modifiers.dangling(link)


def _and_without(p: Parse, i: Position, table: str, said: Condition) -> Found:
    """Like "A claim is approved without an amount"."""
    for start in p.phrase(i, "without|with no"):
        for end, thing in possession.had(p, start, table):
            joined = both(said, negate(thing))
            assert joined is not None
            yield end, joined


def _there_is(p: Parse, i: Position, table: str) -> Found:
    for start in p.phrase(i, "no|not any|not a single|not one"):
        for middle, (link, where) in rows.children(p, start, table):
            for end in dict.fromkeys(p.phrase(middle, f"{phrases.THERE_ARE_NONE}|{phrases.IS_THERE}")):
                yield p.note(i, end, f"no row of {link.table} refers to it"), negate(children.has_child(link, where))
    for start in p.phrase(i, "there be|there exist"):
        yield from crowds.so_many_of_one(p, start, table)
        for end, condition in possession.had(p, start, table):
            yield end, condition
    for start in p.phrase(i, "there be not|there do not exist|there be not any"):
        for end, condition in possession.had(p, start, table):
            yield end, negate(condition)
