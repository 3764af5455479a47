"""What a row is, has or does, without the mood: "is banned", "has a ship date", "was shipped before it was ordered"."""

from collections.abc import Iterator

from pandas_magic.constraints.algebra.conditions import Condition, Present, Unique
from pandas_magic.constraints.algebra.expressions import Column
from pandas_magic.planner.grammar import (
    ages,
    aliases,
    another_row,
    children,
    comparatives,
    comparisons,
    done_by_whom,
    done_lately,
    done_so_much,
    done_to_parts,
    events,
    lacking,
    light_verbs,
    measuring_verbs,
    modifiers,
    nouns,
    on_lists,
    phrases,
    possession,
    qualities,
    references,
    rows,
    told,
    truths_told,
    two_limits,
    value_limits,
)
from pandas_magic.planner.grammar import lexicon as words
from pandas_magic.planner.grammar.chart import Parse, Position, rule
from pandas_magic.planner.grammar.logic import any_of, both, negate

Found = Iterator[tuple[Position, Condition]]
_STORED = ("registered", "stored", "recorded", "saved", "kept", "entered", "created", "accepted", "listed", "added")
_BY_OR_TO = "to|into|in|at|on|via|through|by|for|with|from"


@rule
def row_predicate(p: Parse, i: Position, table: str) -> Found:
    """What a row is, has or does, without its mood."""
    for start in p.seq_ends(i, "be|have been|remain|become|be being|have ever been|be ever", f"?{words.ADVERBS}|yet"):
        for negated, begin in (
            (False, start),
            *((True, end) for end in p.phrase(start, "not yet|not|never|no longer")),
        ):
            for end, condition in _quality_or_history(p, begin, table):
                yield end, negate(condition) if negated else condition
                for middle in p.phrase(end, "or|, or") if not negated else ():
                    for last, other in comparatives.row_comparative(p, middle, table):
                        yield last, any_of(condition, other)
    yield from _row_verb(p, i, table)
    for start in p.phrase(i, "be neither|have been neither"):
        yield from _neither(p, start, table)
    for start in p.phrase(i, "have|have already|have since"):
        token = p.at(start)
        if token is not None and token.low.endswith(("ed", "en", "nt", "ld", "id")):
            yield from rows.adjectives(p, start, table)
    yield from _left_blank(p, i, table)
    yield from children.done_by(p, i, table)
    yield from another_row.alike(p, i, table)
    yield from value_limits.able(p, i, table)


def _neither(p: Parse, i: Position, table: str) -> Found:
    """Behind "are neither": "cancelled nor confirmed"."""
    for middle, first in _row_quality(p, i, table):
        for start in p.phrase(middle, "nor|, nor"):
            for end, second in _row_quality(p, start, table):
                joined = both(negate(first), negate(second))
                assert joined is not None
                yield p.note(i, end, "neither"), joined


def _left_blank(p: Parse, i: Position, table: str) -> Found:
    """Like "leave the cancel reason empty"."""
    for start in p.phrase(i, "leave"):
        for middle, x in nouns.own_column(p, start, table):
            for end in p.phrase(middle, "blank|empty|open|unset|out|unfilled|missing|null|unspecified|undefined"):
                yield p.note(i, end, "it has no value"), negate(Present(of=x))


def _quality_or_history(p: Parse, i: Position, table: str) -> Found:
    """What the row is; "vehicles that were never rented" are not those whose status is another than "rented" today."""
    auxiliaries = [token.low for token in p.tokens[max(0, i - 4) : i]]
    past = any(low in ("was", "were", "been") for low in auxiliaries)
    history = list(children.happened_to_it(p, i, table)) if past else []
    never = any(low in ("never", "ever") for low in auxiliaries)
    if past and never and not history:
        # It has a date, or it did not happen; the status has gone on since.
        dated = events.happened_at_all(p, i, table)
        history = [(end, found) for end, found in dated if isinstance(found, Present)]
    if history and (never or "not" in auxiliaries):
        yield from history
    if not history or not never:
        yield from _row_quality(p, i, table)


def _row_verb(p: Parse, i: Position, table: str) -> Found:
    terms = [date for date in p.schema.dates(table) if aliases.is_a_term(date) and "due" not in date]
    if len(terms) == 1:
        yield from qualities.run_out(p, i, table, Column(name=terms[0]))
    by_truth = list(rows.needs_by_truth(p, i, table))
    yield from by_truth
    for start in p.phrase(i, f"{words.HAVE}|{words.NEEDS}|{phrases.HAVE_ALSO}") if not by_truth else ():
        for end, condition in possession.had(p, start, table):
            yield end, condition
            yield from ((last, condition) for last in p.phrase(end, phrases.EACH_OF_THEM))
    for start in p.phrase(i, words.LACK):
        yield from lacking.lacking(p, start, table)
    yield from references.row_reference(p, i, table)
    yield from measuring_verbs.measured_by_verb(p, i, table)
    yield from two_limits.kept_within(p, i, table)
    yield from modifiers.exceeds_in_unit(p, i, table)
    for start in (i, *p.phrase(i, "be|get|be being|be ever")) if not _denied_so_far(p, i) else ():
        yield from events.event_predicate(p, start, table, False)
    for start in (*p.phrase(i, "have|have been|have ever|have already"), *((i,) if _denied_so_far(p, i) else ())):
        yield from events.event_predicate(p, start, table, True)
    yield from _done_with(p, i, table)
    yield from done_to_parts.having_part_done(p, i, table)
    yield from _undergone(p, i, table)
    yield from measuring_verbs.done_by_value(p, i, table)
    yield from measuring_verbs.so_many_times(p, i, table)
    yield from done_so_much.done_so_much(p, i, table)
    yield from light_verbs.seen_happening(p, i, table)
    yield from done_lately.done_lately(p, i, table)
    yield from told.tells(p, i, table)
    yield from told.done_by_somebody(p, i, table)
    yield from truths_told.does_so(p, i, table)


def _denied_so_far(p: Parse, i: Position) -> bool:
    """Behind "has not": "logged in during the last year", which is also true of those who never did."""
    before = [token.low for token in p.tokens[max(0, i - 3) : i]]
    return before[-2:] in (["has", "not"], ["have", "not"], ["has", "never"], ["have", "never"])


def _undergone(p: Parse, i: Position, table: str) -> Found:
    """Like "complete the safety training within 30 days of …", where a date says when."""
    for start in p.phrase(i, phrases.UNDERGO):
        for begin in (start, *p.phrase(start, nouns.DETERMINER)):
            for middle, name in nouns.named_column(p, begin, table):
                if p.schema.kind(table, name) == "datetime":
                    column = Column(name=name)
                    yield from comparisons.comparison(p, middle, table, column)
                    yield middle, Present(of=column)


def _done_with(p: Parse, i: Position, table: str) -> Found:
    """Like "dispensed from a recalled batch", "made on a scrapped machine", "offers 4K", "shipped to DE"."""
    for start in (i, *p.phrase(i, "be|get|have been")):
        for middle in events.done_to_rows(p, start, table):
            for after in p.phrase(middle, _BY_OR_TO):
                yield from modifiers.in_value(p, after, table)
                yield from modifiers.of_parent(p, after, table)
        for middle in p.phrase(start, phrases.MAKE):
            for after in p.phrase(middle, _BY_OR_TO):
                yield from modifiers.of_parent(p, after, table)
                yield from modifiers.in_value(p, after, table)
                yield from possession.had(p, after, table) if p.tokens[after - 1].low == "with" else ()
        for middle in p.seq_ends(start, f"{phrases.MAKE}|give|grant|accept|complete|finish|hand over", "without"):
            yield from possession.lacked(p, middle, table)
    for start in p.phrase(i, phrases.OFFER):
        yield from modifiers.in_value(p, start, table)


def _described_again(p: Parse, i: Position, table: str) -> Found:
    """Like "be savings or checking accounts", said of accounts; "be closed without a closing date"."""
    for start in (i, *p.phrase(i, "a|an")):
        for middle, where in rows.adjectives(p, start, table):
            yield from ((end, where) for end, noun in nouns.table_noun(p, middle) if noun == table)
    for middle, where in rows.adjectives(p, i, table):
        if isinstance(where, Present) and p.tokens[i].low in _STORED:
            continue  # "registered without an email" says no more than that there is none
        for start in p.phrase(middle, "without|with no"):
            for end, lacked in possession.lacked(p, start, table):
                joined = both(where, lacked)
                assert joined is not None
                yield end, joined


def _marked_as(p: Parse, i: Position, table: str) -> Found:
    """Like "categorised as a single, a double or a suite and nothing else"."""
    for start in p.phrase(i, phrases.MARKED_AS):
        for end, condition in modifiers.in_value(p, start, table):
            yield from ((last, condition) for last in (end, *p.phrase(end, phrases.AND_NO_OTHER)))


def _with_or_without(p: Parse, i: Position, table: str) -> Found:
    for start in p.phrase(i, "without"):
        yield from possession.lacked(p, start, table)
    for start in p.phrase(i, "lacking|missing"):
        yield from lacking.lacking(p, start, table)
    for start in p.phrase(i, "with"):
        yield from possession.had(p, start, table)


@rule
def _row_quality(p: Parse, i: Position, table: str) -> Found:
    yield from rows.adjectives(p, i, table)
    yield from _described_again(p, i, table)
    yield from modifiers.of_amount(p, i, table)
    yield from ages.aged(p, i, table)
    yield from done_by_whom.done_by(p, i, table)
    yield from (found for start in p.phrase(i, phrases.MARKED_AS) for found in rows.adjectives(p, start, table))
    yield from _marked_as(p, i, table)
    yield from comparatives.row_comparative(p, i, table)
    yield from modifiers.dated(p, i, table)
    yield from on_lists.on_a_list(p, i, table)
    for start in p.phrase(i, phrases.BEFORE_ROW_VALUE):
        yield from modifiers.in_value(p, start, table)
    yield from _with_or_without(p, i, table)
    for start in p.phrase(i, "from|of|by|made by|placed by|for|owned by"):
        yield from modifiers.of_parent(p, start, table)
    every = tuple(Column(name=column) for column in p.schema.tables[table].columns)
    for said, holds in ((words.UNIQUE, True), (words.DUPLICATED, False)):
        for end in p.phrase(i, said):
            whole = Unique(by=every, missing_equal=True)
            yield p.note(i, end, "compared in all columns"), whole if holds else negate(whole)
        for start in p.seq_ends(i, said, phrases.WITH_REGARD_TO):
            for end, names in possession.column_list(p, start, table):
                unique = Unique(by=names)
                yield end, unique if holds else negate(unique)
