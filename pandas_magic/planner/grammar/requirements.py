"""What has to be there, and what only some rows may have: "a discount is required", "only paid orders may …"."""

from collections.abc import Iterator

from pandas_magic.constraints.algebra.conditions import Compare, Condition, Present
from pandas_magic.constraints.algebra.expressions import Column
from pandas_magic.planner.grammar import (
    children,
    claims,
    clauses,
    events,
    modifiers,
    only_known,
    parents,
    phrases,
    possession,
    prohibitions,
    row_predicates,
    rows,
    statements,
)
from pandas_magic.planner.grammar import lexicon as words
from pandas_magic.planner.grammar.chart import Parse, Position, after_be
from pandas_magic.planner.grammar.logic import both, negate, simpler
from pandas_magic.planner.grammar.meaning import Claim, Rows, as_claim

Found = Iterator[tuple[Position, Claim]]
_BAD = f"{words.NOT_ACCEPTED}|{phrases.ALSO_BAD}"


def for_each_there_is(p: Parse, i: Position, table: str) -> Found:
    """Like "For each user there must be at least one order"."""
    for start in p.phrase(i, "for each|for every|for any|for all|to each|to every|to any|to all|with each|with every"):
        for middle, found in rows.plain_rows(p, start):
            if found.table != table:
                continue
            for after in p.phrase(middle, phrases.THERE_IS_FOR_EACH):
                for end, condition in possession.had(p, after, table):
                    yield end, claims.demand(table, condition, found.where)
            for after in (middle, *p.phrase(middle, ",")):
                for last, condition in children.counted_children(p, after, table):
                    for end in p.phrase(last, phrases.MUST_BE_THERE):
                        yield end, claims.demand(table, condition, found.where)
    yield from _there_is_for_each(p, i, table)
    yield from _there_is_for_it(p, i, table)


def _there_is_for_each(p: Parse, i: Position, table: str) -> Found:
    """Like "There must be at least one order for each user", "an order must exist for every active user"."""
    begun = tuple(p.phrase(i, phrases.THERE_IS_FOR_EACH))
    for start in (i, *begun):
        for middle, condition in (*children.counted_children(p, start, table), *children.referred(p, start, table)):
            exists = (middle,) if start in begun else p.seq_ends(middle, f"{words.MUST}|{words.MAY}", phrases.EXIST)
            for after in (end for last in exists for end in p.phrase(last, phrases.FOR_EACH_OF_THEM)):
                for end, found in rows.plain_rows(p, after):
                    if found.table == table:
                        yield end, claims.demand(table, condition, found.where)


def _there_is_for_it(p: Parse, i: Position, table: str) -> Found:
    """Behind "If an order is paid": "there must be an invoice for it", "at least one invoice has to exist for it"."""
    begun = tuple(p.phrase(i, phrases.THERE_IS_FOR_EACH)) if i > 0 else ()
    for start in (i, *begun) if i > 0 else ():
        for middle, condition in children.counted_children(p, start, table):
            exists = (middle,) if start in begun else p.seq_ends(middle, f"{words.MUST}|{words.MAY}", phrases.EXIST)
            for last in exists:
                for end in p.phrase(last, "for it|for them|for this/that one|to it|with it"):
                    yield p.note(last, end, f"for that row of {table}"), claims.demand(table, condition)


def of_it_there_is(p: Parse, i: Position, table: str) -> Found:
    """Like "at least one meter has to belong to it", behind "If the status of a contract is active"."""
    if i == 0 or not any(True for _ in p.phrase(Position(0), words.IF)):
        return
    for last, condition in children.counted_children(p, i, table):
        for end in p.phrase(last, phrases.MUST_BELONG_TO_IT):
            yield p.note(last, end, f"for that row of {table}"), claims.demand(table, condition)


def about_children(condition: Condition) -> bool:
    """The condition says that there are, or are not, rows that refer to this one."""
    # "There must be no orders" is about orders, not about the users who place them.
    return children.without_child(negate(condition)) is not None or children.without_child(condition) is not None


def only(p: Parse, i: Position, table: str) -> Found:
    """Like "Only shipped orders may have a ship date", "we only accept orders in EUR"."""
    for middle, (found,) in p.seq(i, "only|nothing but", _who_may):
        if found.table == table and found.where is not None:
            for end, condition in claims.not_negated(p, middle, clauses.row_phrase(p, middle, table, "may")):
                yield (
                    p.note(i, end, "whoever does so is one of these"),
                    claims.demand(table, _of_these(p, i, middle, found.where), condition),
                )
            for end in p.phrase(middle, f"{phrases.ONLY_ROWS_ALLOWED}|{phrases.ROWS_MAY_BE}"):
                yield end, claims.demand(table, simpler(found.where))
    for end, (found,) in p.seq(i, phrases.WE_ONLY_ACCEPT, rows.rows):
        if found.table == table and found.where is not None:
            yield end, claims.demand(table, simpler(found.where))
    yield from only_known.only_known(p, i, table)
    for start in p.phrase(i, "only|nothing but"):
        yield from parents.only_rows_of_some(p, start, table)
        yield from parents.only_some_do(p, start, table)
    yield from _belong_only_to(p, i, table)
    yield from _may_only_if(p, i, table)
    yield from _may_only_with(p, i, table)
    yield from _value_only_for(p, i, table)
    yield from _may_only_do_if(p, i, table)


def _who_may(p: Parse, i: Position) -> Iterator[tuple[Position, Rows]]:
    """Rows, or a value that stands for them where "may" follows: "crane operators may"."""
    yield from rows.rows(p, i)
    for end, found in rows.subject_rows(p, i):
        if any(True for _ in p.phrase(end, words.MAY)):
            yield end, found


def _of_these(p: Parse, i: Position, end: Position, where: Condition) -> Condition:
    """What those rows have in common; to whom nothing has happened is none of those who "have logged in lately"."""
    went_through = any(token.low in ("have", "has") for token in p.tokens[i:end])
    return where if went_through else simpler(where)


def _belong_only_to(p: Parse, i: Position, table: str) -> Found:
    """Like "Payouts go to funded campaigns only", "loans may only be granted to active customers"."""
    verbs = f"{phrases.ONLY_GOES_TO}|{words.REFERS_TO}"
    for middle, found in rows.subject_rows(p, i):
        if found.table != table:
            continue
        for start, before in ((middle, False), *((end, True) for end in p.phrase(middle, words.MUST_ONLY))):
            for after in p.seq_ends(start, verbs, "?only"):
                said = before or p.tokens[after - 1].low == "only"
                for end, others in parents.belonging_to_others(p, after, table):
                    for last in (end,) if said else p.phrase(end, "only|and to no others|alone|exclusively"):
                        yield p.note(middle, last, "only those"), claims.demand(table, negate(others), found.where)


def _may_only_do_if(p: Parse, i: Position, table: str) -> Found:
    """Like "orders may only have a note if status is cancelled"."""
    for middle, (found,) in p.seq(i, rows.rows, "may/can/must/should/shall only"):
        if found.table == table:
            for end, (condition, needed) in p.seq(
                middle,
                lambda p, i: row_predicates.row_predicate(p, i, table),
                "if|when|where|while|once|in case",
                lambda p, i: statements.condition(p, i, table),
            ):
                yield end, claims.demand(table, needed, both(found.where, condition))


def _may_only_if(p: Parse, i: Position, table: str) -> Found:
    """Like "Orders may have a note only if status is cancelled", "ship_date may be present only when …"."""
    for middle, found in rows.rows(p, i):
        if found.table == table:
            for after in p.phrase(middle, "may|can|must|should|shall"):
                for begin, condition in row_predicates.row_predicate(p, after, table):
                    yield from _needs(p, begin, table, both(found.where, condition))
    for middle, (x, where) in claims.value_subject(p, i, table):
        for after in p.phrase(middle, "may|can|must|should|shall"):
            for begin, condition in clauses.value_phrase(p, after, table, x, "is"):
                yield from _needs(p, begin, table, both(where, condition))


def _may_only_with(p: Parse, i: Position, table: str) -> Found:
    """Like "Orders may only be cancelled with a reason": none is so without one."""
    for middle, found in rows.rows(p, i):
        for after in p.phrase(middle, words.MUST_ONLY) if found.table == table and found.where is None else ():
            for begin, condition in row_predicates.row_predicate(p, after, table):
                for end, needed in _with_or_without(p, begin, table):
                    yield p.note(middle, end, "only so"), claims.demand(table, needed, condition)


def _with_or_without(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, Condition]]:
    for start in p.phrase(i, "with"):
        yield from (found for found in possession.had(p, start, table) if isinstance(found[1], Present))
    for start in p.phrase(i, "without"):
        yield from (found for found in possession.lacked(p, start, table) if not about_children(found[1]))


def _needs(p: Parse, i: Position, table: str, where: Condition | None) -> Found:
    for start in p.phrase(i, phrases.ONLY_ON_CONDITION):
        for end, needed in statements.condition(p, start, table):
            yield p.note(i, end, "only where this is so"), claims.demand(table, needed, where)


def required(p: Parse, i: Position, table: str) -> Found:
    """Like "A discount above zero is required": what is said of the column has to be there."""
    for middle, condition in possession.had(p, i, table):
        if about_children(condition):
            continue
        there = f"{after_be(words.MANDATORY)}|{after_be(words.PRESENT)}|be expected"
        for end in () if _is_name(p, i, middle, condition) else p.seq_ends(middle, f"?{words.MUST}", there):
            yield end, claims.demand(table, condition)
        for end in p.phrase(middle, phrases.MUST_BE_ABSENT):
            yield p.note(middle, end, "must not be"), claims.demand(table, negate(condition))
        for end, (needed,) in p.seq(middle, phrases.ONLY_ALLOWED_IF, lambda p, i: statements.condition(p, i, table)):
            yield end, claims.demand(table, needed, condition)
        yield from _only_for(p, middle, table, condition)
    yield from _bad_values(p, i, table)
    for end, (condition,) in p.seq(i, phrases.WE_NEED, lambda p, i: possession.had(p, i, table)):
        # "We need at least one cancelled order" is about all orders, not about those of each user.
        if not about_children(condition) and not prohibitions.counts_children(condition):
            yield end, claims.demand(table, condition)


def _is_name(p: Parse, i: Position, end: Position, condition: Condition) -> bool:
    """The column's own name, as in "paid must be present": that asks for a value, be it true or false."""
    of = condition.left if isinstance(condition, Compare) else None
    return isinstance(of, Column) and end == i + 1 and p.tokens[i].low == of.name.lower()


def _only_for(p: Parse, i: Position, table: str, condition: Condition) -> Found:
    """Behind "a cancel reason": "may only be given for cancelled orders"."""
    for start in p.phrase(i, phrases.ONLY_ALLOWED_FOR):
        for end, found in rows.rows(p, start):
            if found.table == table and found.where is not None:
                yield end, claims.demand(table, simpler(found.where), condition)
        for end, needed in (*parents.lifted_rows(p, start, table), *modifiers.in_value(p, start, table)):
            yield end, claims.demand(table, simpler(needed), condition)


def _value_only_for(p: Parse, i: Position, table: str) -> Found:
    """Like "Payment by invoice is only possible for business customers", "USD is only allowed for card payments"."""
    for start in (i, *p.phrase(i, "payment by/in|payments by/in|paying by/in")):
        for middle, where in rows.values_as_nouns(p, start, table):
            yield from _only_for(p, middle, table, where)


def _bad_if_so(p: Parse, i: Position, table: str) -> Found:
    """Like "Grades that are not A or B are inadmissible"."""
    for middle, (_, where) in claims.that_is_so(p, i, table):
        for last in (*p.seq_ends(middle, phrases.TO_BE_BAD, words.NOT_ACCEPTED), *p.phrase(middle, words.BE_BAD)):
            yield from claims.forbidden(p.note(middle, last, "must not be"), Rows(table, where))


def _bad_values(p: Parse, i: Position, table: str) -> Found:
    """Like "temperatures below -40 are invalid", "negative amounts are not allowed"."""
    for middle, (x, where) in claims.value_subject(p, i, table):
        if where not in (None, Present(of=x)) and not claims.ends_with_noun(p, middle, table):
            continue
        for after, (condition, _) in clauses.qualities_of(p, middle, table, x):
            bad = p.seq_ends(after, f"{phrases.TO_BE_BAD}|:|->|=>|=|-|–|—", _BAD, f"?{phrases.FLAG_THEM}")
            for last in (*bad, *p.phrase(after, f"{words.BE_BAD}|{phrases.FLAG_THEM}")):
                yield p.note(middle, last, "must not be"), as_claim(Rows(table, where), condition)
    yield from _bad_if_so(p, i, table)
    for after, condition in events.event_predicate(p, i, table, False):
        for last in p.seq_ends(after, ":|->|=>|=|-|–|—|be", _BAD):
            yield p.note(after, last, "must not be"), claims.demand(table, negate(condition))
    described = (one for at in (i, *p.phrase(i, "a|an|any")) for one in prohibitions.adjective_and_column(p, at, table))
    for end, condition in described:
        for last in p.seq_ends(end, phrases.TO_BE_BAD, _BAD):
            yield p.note(end, last, "must not be"), claims.demand(table, negate(condition))
        for last in p.phrase(end, words.BE_BAD):
            yield p.note(end, last, "must not be"), claims.demand(table, negate(condition))
