"""Claims: the core of a sentence: "subject must predicate", "no subject may predicate", "flag rows where …"."""

from collections.abc import Iterator

from pandas_magic.constraints.algebra.conditions import All, Compare, Condition, Present, Unique
from pandas_magic.constraints.algebra.expressions import Arithmetic, Column, Expression, Lookup, Value
from pandas_magic.planner.grammar import (
    ages,
    agreements,
    amounts,
    another_row,
    arithmetic,
    associations,
    auditors,
    children,
    clauses,
    converses,
    crowds,
    described_values,
    differences,
    distinct_children,
    done_to_parts,
    ellipses,
    events,
    gaps,
    group_sums,
    group_totals,
    introductions,
    lapses,
    likewise,
    limits,
    moods,
    nouns,
    only_values,
    openings,
    outliers,
    overdue,
    parents,
    patterns,
    periods,
    phrases,
    possession,
    present_values,
    prohibitions,
    purposes,
    qualities,
    questions,
    repetitions,
    requirements,
    rows,
    selves,
    sequences,
    spoken_of,
    statements,
    symbols,
    table_orders,
    terms,
    terse_notes,
    that_one,
    told,
    totals,
    twins,
    verdicts,
    within_groups,
)
from pandas_magic.planner.grammar import lexicon as words
from pandas_magic.planner.grammar.chart import Parse, Position, rule
from pandas_magic.planner.grammar.logic import (
    both,
    for_must,
    for_where,
    has_window,
    is_count_of,
    negate,
    of_which,
    without_presence,
)
from pandas_magic.planner.grammar.meaning import Claim, Rows, forbidden_rows, join_along, kind_of_expression, lifted
from pandas_magic.planner.grammar.morphology import name_words, singular
from pandas_magic.planner.grammar.schema import Link

Found = Iterator[tuple[Position, Claim]]
_BAD = f"{words.NOT_ACCEPTED}|{phrases.ALSO_BAD}"


@rule
def claim(p: Parse, i: Position, table: str) -> Found:
    """Every reading of the core of a sentence about rows of the table."""
    yield from of_values(p, i, table)
    yield from _of_rows(p, i, table)
    yield from prohibitions.of_no(p, i, table)
    yield from prohibitions.no_child(p, i, table)
    yield from prohibitions.there_is_no(p, i, table)
    yield from prohibitions.there_is(p, i, table)
    yield from prohibitions.flagged(p, i, table)
    yield from requirements.only(p, i, table)
    yield from agreements.several(p, i, table)
    yield from requirements.required(p, i, table)
    yield from requirements.for_each_there_is(p, i, table)
    yield from requirements.of_it_there_is(p, i, table)
    yield from agreements.allowed_values(p, i, table)
    yield from agreements.same_values(p, i, table)
    yield from agreements.sums(p, i, table)
    yield from limits.limit(p, i, table)
    yield from ((end, demand(table, condition)) for end, condition in distinct_children.limited(p, i, table))
    yield from symbols.symbolic(p, i, table)
    yield from sequences.sequence(p, i, table)
    yield from gaps.announced(p, i, table)
    yield from table_orders.in_order(p, i, table)
    yield from outliers.there_are_none(p, i, table)
    yield from selves.self_reference(p, i, table)
    yield from repetitions.repetition(p, i, table)
    yield from ellipses.in_short(p, i, table)
    yield from limits.highest_or_lowest(p, i, table)
    yield from parents.same_through_parent(p, i, table)
    yield from parents.same_as_parent(p, i, table)
    yield from within_groups.within_group(p, i, table)
    yield from group_sums.group_limits(p, i, table)
    yield from introductions.introduced(p, i, table)
    yield from introductions.found_lacking(p, i, table)
    yield from described_values.described(p, i, table)
    yield from ((end, demand(table, condition)) for end, condition in patterns.used_in(p, i, table))
    yield from likewise.likewise(p, i, table)
    yield from periods.period_claim(p, i, table)
    yield from overdue.still_so(p, i, table)
    yield from only_values.only_these(p, i, table)
    yield from crowds.too_many(p, i, table)
    yield from crowds.too_crowded(p, i, table)
    yield from twins.forbidden_twins(p, i, table)
    yield from group_totals.limited(p, i, table)
    yield from auditors.audited(p, i, table)
    yield from differences.no_difference(p, i, table)
    yield from questions.question(p, i, table)
    for end, condition in done_to_parts.part_done(p, i, table, "must"):
        yield end, demand(table, condition)
    for end, condition in totals.together(p, i, table, "must"):
        yield end, demand(table, condition)
    yield from _of_truth(p, i, table)
    yield from terse_notes.noted(p, i, table)
    yield from terse_notes.both_ways(p, i, table)
    yield from spoken_of.of_that_value(p, i, table)
    yield from present_values.optional(p, i, table)
    yield from that_one.must_be_there(p, i, table)
    yield from converses.converse(p, i, table)
    yield from verdicts.judged(p, i, table)
    yield from lapses.claimed(p, i, table)
    yield from ((end, demand(table, condition)) for end, condition in terms.about_terms(p, i, table))
    yield from told.must_be_known(p, i, table)
    yield from purposes.needed_for(p, i, table)


def _of_truth(p: Parse, i: Position, table: str) -> Found:
    """Like "A signature must be required", "damage must be reported" for signature_required, damage_reported."""
    for middle, column in (
        rows.part_of_truth(p, i, table) if not any(True for _ in nouns.own_column(p, i, table)) else ()
    ):
        for start, negated in moods.head(p, middle, "must"):
            if int(start) > int(middle):
                for end, truth in rows.last_word_true(p, start, table, column):
                    is_so = Compare(relation="==", left=Column(name=column), right=Value(value=truth))
                    yield p.note(i, end, f"{column} is {truth}"), demand(table, negate(is_so) if negated else is_so)


def demand(table: str, must: Condition, where: Condition | None = None) -> Claim:
    """The claim that `must` holds where `where` is true, in its simplest form."""
    return Claim(table, for_must(must), for_where(where))


# ---- subjects -----------------------------------------------------------------------------------------------------


@rule
def value_subject(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, tuple[Expression, Condition | None]]]:
    """The value that a sentence is about, and the rows in which: "order amount", "ship dates of delivered orders"."""
    for end, x in arithmetic.expression(p, i, table):
        given = isinstance(x, Column) and present_values.is_said_to_be_given(p, i, end)
        yield end, (x, Present(of=x) if given else None)
    for end, x in present_values.that_are_there(p, i, table):
        yield end, (x, Present(of=x))
    yield from _of_some_rows(p, i, table)
    owned = (after for middle in nouns.this_table(p, i, table) for after in p.phrase(middle, "'s|'"))
    for start in (*p.phrase(i, "that|the|this|its"), *owned):
        for end, link in nouns.parent(p, start, table):
            yield end, (Column(name=link.column), None)
    yield from _parent_of_row(p, i, table)
    yield from that_is_so(p, i, table)


def that_is_so(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, tuple[Expression, Condition]]]:
    """Like "An IBAN that starts with DE": only the values of which this is said."""
    for middle, x in (*nouns.own_column(p, i, table), *present_values.that_are_there(p, i, table)):
        for start in p.phrase(middle, words.RELATIVE):
            for end, where in clauses.value_phrase(p, start, table, x, "is"):
                if not has_window(where):
                    yield end, (x, of_which(x, where))


def _parent_of_row(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, tuple[Expression, None]]]:
    """Like "The guest of a booking", which stands for the booking's reference to the guest."""
    for middle, link in nouns.parent(p, i, table):
        for start in p.phrase(middle, "of|for|on|in|named in|given in|mentioned in|behind"):
            for end in nouns.this_table(p, start, table):
                yield end, (Column(name=link.column), None)


def _of_some_rows(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, tuple[Expression, Condition]]]:
    """Like "the ship dates of delivered orders", "a purchase event's value"."""
    for end, (x, found) in p.seq(
        i, lambda p, i: nouns.own_column(p, i, table), "of|in|for|on|from|at|to|within", rows.rows
    ):
        if found.table == table and found.where is not None:
            yield end, (x, found.where)
    for end, (found, name) in p.seq(i, rows.rows, "?'s|'", lambda p, i: nouns.named_column(p, i, table)):
        if found.table == table and found.where is not None:
            yield end, (Column(name=name), found.where)


def _speaks_of_parent(p: Parse, i: Position, table: str, x: Expression) -> bool:
    """Like "Order ids" are those of orders, also where other tables refer to them; "order_id" could be any of them."""
    words_only = "_" not in p.tokens[i].text and "." not in p.tokens[i].text
    linked = isinstance(x, Column) and any(link.column == x.name for link in p.schema.links(table))
    return words_only and linked and p.target != table and p.tokens[i].low not in ("that", "the", "this", "its")


def of_values(p: Parse, i: Position, table: str) -> Found:
    """What is said of a value of each row: "order amounts must be positive", "an email must be unique"."""
    for start in p.seq_ends(i, f"?{words.EVERY}"):
        for middle, (x, where) in value_subject(p, start, table):
            if isinstance(x, Value) or (where is None and _speaks_of_parent(p, start, table, x)):
                continue  # "3 is the limit" is not about the 3
            for end, condition in clauses.value_phrase(p, middle, table, x, "must"):
                # "a and b together must be unique" is not about their sum.
                of_a_sum = isinstance(x, Arithmetic) and isinstance(condition, Unique)
                if not associations.is_complaint(condition) and not of_a_sum:
                    yield end, present_values.of_those_given(demand(table, condition, where), x)
            yield from _of_each_row(p, middle, table, x)
            yield from _of_stuff(p, middle, table, x)
            if where is None:
                yield from _presupposes(p, middle, table, x)
            yield from _of_a_kind(p, middle, table, x, where)
            if where not in (None, Present(of=x)):
                yield from _are_bad(p, middle, table, Rows(table, where))
            for end, condition in _missing_or(p, middle, table, x):
                yield end, demand(table, condition, where)
            for end, condition in present_values.if_given(p, middle, table, x):
                yield end, demand(table, condition, where)


def _presupposes(p: Parse, i: Position, table: str, x: Expression) -> Found:
    """Behind "a refund date": "requires a refund amount"."""
    for end, (needed,) in p.seq(i, phrases.PRESUPPOSES, lambda p, i: possession.had(p, i, table)):
        if isinstance(x, Column):
            yield p.note(i, end, f"where {x.name} is present"), demand(table, needed, Present(of=x))


def _of_a_kind(p: Parse, i: Position, table: str, x: Expression, where: Condition | None) -> Found:
    """Like "Discounts are percentages, so 0 to 100", "progress is a percentage, so never above 100"."""
    numeric = kind_of_expression(p.schema, table, x) in ("integer", "number")
    for start in p.phrase(i, phrases.BE_OF_A_KIND) if numeric else ():
        noted = p.note(i, start, "what kind of number it is")
        for end, condition in clauses.value_phrase(p, noted, table, x, "must"):
            yield end, demand(table, condition, where)
        for begin in (start, *p.phrase(start, "it/they must be|it/they be|must be")):
            for end, (condition, _) in clauses.qualities_of(p, begin, table, x):
                yield p.note(i, end, "what kind of number it is"), demand(table, condition, where)


def _of_each_row(p: Parse, i: Position, table: str, x: Expression) -> Found:
    """Behind "beds": "per room must be between 1 and 6", where the rows are rooms."""
    for start in p.phrase(i, "per|for each|for every") if isinstance(x, Column) else ():
        for middle, noun in nouns.table_noun(p, start):
            if noun == table:
                noted = p.note(i, middle, f"in each row of {table}")
                for end, condition in clauses.value_phrase(p, noted, table, x, "must"):
                    if not has_window(condition):
                        yield end, demand(table, condition)


def _of_stuff(p: Parse, i: Position, table: str, x: Expression) -> Found:
    """Behind "reserved" as a number: "stock cannot be more than", where the table is called stock."""
    if isinstance(x, Column) and p.schema.kind(table, x.name) in ("integer", "number"):
        for middle, noun in nouns.table_noun(p, i):
            if noun == table and p.tokens[middle - 1].low == table.lower() == singular(table.lower()):
                for end, condition in clauses.value_phrase(p, middle, table, x, "must"):
                    if isinstance(condition, Compare):
                        yield end, demand(table, condition)


def _missing_or(p: Parse, i: Position, table: str, x: Expression) -> Iterator[tuple[Position, Condition]]:
    """Like "may be missing but never below 2": only the second part can be broken."""
    for start in p.phrase(i, phrases.MAY_BE_MISSING_BUT):
        noted = p.note(i, start, "missing values are not judged")
        for end, condition in clauses.value_phrase(p, noted, table, x, "must"):
            yield end, without_presence(condition, x)
        for middle in p.phrase(noted, "never|not"):
            for end, (condition, joint) in clauses.qualities_of(p, middle, table, x):
                if joint != "and":
                    yield end, without_presence(negate(condition), x)


def _of_rows(p: Parse, i: Position, table: str) -> Found:
    for middle, found in rows.subject_rows(p, i):
        if found.table != table:
            continue
        for end, condition in clauses.row_phrase(p, middle, table, "must"):
            if _all_are_not(p, i, middle) or another_row.is_shared_by_all(p, condition):
                continue
            if p.target == table or children.without_child(condition) is None:
                yield end, demand(table, condition, found.where)
        for end, condition in amounts.signed(p, middle, table):
            yield end, demand(table, condition, found.where)
        yield from _are_bad(p, middle, table, found)
    yield from _of_anyone(p, i, table)
    for end, (condition, where) in ages.aged_then(p, i, table):
        yield end, demand(table, condition, where)
    yield from _of_it(p, i, table)
    yield from _of_terms(p, i, table)
    yield from _of_parent(p, i, table)


def _are_bad(p: Parse, i: Position, table: str, found: Rows) -> Found:
    """Behind rows: "are forbidden", "look wrong, flag them", "are not allowed if the gift is true"."""
    for start in (i, *p.phrase(i, ",")):
        for end in p.seq_ends(start, phrases.TO_BE_BAD, f"{_BAD}|{phrases.FAULTY}", f"?{phrases.FLAG_THEM}"):
            such = (last for begin in p.phrase(end, "as") for last in nouns.this_table(p, begin, table))
            for last in (end, *such):
                yield from forbidden(p.note(i, last, "there must be no such rows"), found)
            for last in p.seq_ends(end, "and|, and|, so they|and so|and therefore", words.BE_BAD):
                yield from forbidden(p.note(i, last, "there must be no such rows"), found)
        for last, (where,) in p.seq(
            start, phrases.TO_BE_BAD, _BAD, words.IF, lambda p, i: statements.condition(p, i, table)
        ):
            yield from forbidden(p.note(i, last, "there must be no such rows"), narrowed(found, where))
    for end in p.phrase(i, f"{words.BE_BAD}|{phrases.FLAG_THEM}"):
        yield from forbidden(p.note(i, end, "there must be no such rows"), found)


def _of_anyone(p: Parse, i: Position, table: str) -> Found:
    for start in p.phrase(i, "you|anyone|anybody|someone|somebody|everyone|everybody|people"):
        for end, condition in clauses.row_phrase(p, start, table, "must"):
            yield p.note(i, end, f"each row of {table}"), demand(table, condition)


def _of_terms(p: Parse, i: Position, table: str) -> Found:
    """Like "Contracts may not have expired" for contract_until."""
    for end, column in nouns.term(p, i, table):
        for middle, negated in moods.head(p, end, "must"):
            for last, condition in qualities.run_out(p, middle, table, column):
                yield last, demand(table, negate(condition) if negated else condition)


def _of_it(p: Parse, i: Position, table: str) -> Found:
    """Like "it must also have a ship date", behind "If an order has a delivery date"."""
    if i == 0 or not (_speaks_of_row(p, i, table) or openings.speaks_of_rows(p, i, table)):
        return
    for start in p.phrase(i, "it|he|she|they"):
        for end, condition in clauses.row_phrase(p, start, table, "must"):
            if not spoken_of.compares_rows(condition):
                yield p.note(i, end, f"that row of {table}"), demand(table, condition)


def _speaks_of_row(p: Parse, i: Position, table: str) -> bool:
    """The row, and nothing else, was the subject before: "If the user of an order is …, it …" leaves it open."""
    for start in p.phrase(Position(0), f"{words.IF}|{words.UNLESS}"):
        for middle, found in rows.rows(p, start):
            if found.table == table and any(True for _ in clauses.row_phrase(p, middle, table, "is")):
                return True
    return False


def _all_are_not(p: Parse, i: Position, verb: Position) -> bool:
    """Like "all orders are not paid", which can mean none of them, or not every one."""
    near = p.tokens[verb : verb + 3]
    modal = any(token.low in ("must", "may", "should", "shall", "can", "never") for token in near)
    return p.tokens[i].low in ("all", "every", "each") and not modal and any(token.low == "not" for token in near)


def _of_parent(p: Parse, i: Position, table: str) -> Found:
    """Like "the user must be active", said in a rule about orders."""
    for middle, link in nouns.parent(p, i, table):
        for end, condition in clauses.row_phrase(p, middle, link.parent, "must"):
            seen = lifted(condition, join_along(link))
            if seen is not None:
                yield end, demand(table, seen)
        yield from _happens_to_parent(p, middle, table, link)
        yield from parents.parent_of_some(p, middle, table, link)
    yield from _happens_to_far_parent(p, i, table)
    yield from parents.rows_of_some(p, i, table)
    yield from parents.never_done_by_some(p, i, table)
    yield from parents.some_never_do(p, i, table)


def _happens_to_far_parent(p: Parse, i: Position, table: str) -> Found:
    """Like "Medicine cannot be dispensed before …", where a dispensing refers to a batch of the medicine."""
    for near in p.schema.links(table):
        for middle, far in nouns.parent(p, i, near.parent):
            if not p.schema.links_to(table, far.parent) and far.parent != table:
                yield from _happens_to_parent(p, middle, table, far)


def _happens_to_parent(p: Parse, i: Position, table: str, link: Link) -> Found:
    """Like "A patient cannot be discharged before being admitted", where both are dates of this table's rows."""
    for start, negated in moods.head(p, i, "must"):
        for begin in (start, *p.phrase(start, "be|get")):
            own = (date for _, date in events.event(p, begin, link.parent))
            if int(begin) == int(i) or any(name_words(date.name)[0] not in ("last", "first") for date in own):
                continue
            for end, condition in events.event_predicate(p, begin, table, False):
                if isinstance(condition, Compare) and isinstance(condition.right, Column | Lookup):
                    yield end, demand(table, negate(condition) if negated else condition)


def forbidden(end: Position, found: Rows) -> Found:
    """The claim that there are no such rows; none when the rows are not narrowed down."""
    made = forbidden_rows(found)
    if made is not None:
        yield end, made


def ends_with_noun(p: Parse, i: Position, table: str) -> bool:
    """The words before are the rows' noun: what follows "orders with a tax" could be said of the tax."""
    return any(
        int(end) == int(i) for place in range(i) for end, noun in nouns.table_noun(p, Position(place)) if noun == table
    )


def narrowed(found: Rows, where: Condition) -> Rows:
    """Those of the rows in which the condition is true as well."""
    return Rows(found.table, both(found.where, where))


def not_negated(
    p: Parse, start: Position, found: Iterator[tuple[Position, Condition]]
) -> Iterator[tuple[Position, Condition]]:
    """Without those whose verb is negated: "no order may not …" leaves in doubt what is meant.

    "No order may have different dates" does not say that its date must be that of another.
    """
    for end, condition in found:
        parts = condition.conditions if isinstance(condition, All) else (condition,)
        if (
            not is_count_of(condition)
            and not any(isinstance(part, Unique) for part in parts)
            and not any(token.low in ("not", "never") for token in p.tokens[start : start + 3])
        ):
            yield end, condition


# ---- sentence shapes ---------------------------------------------------------------------------------------------
