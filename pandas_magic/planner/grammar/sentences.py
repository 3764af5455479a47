"""Whole sentences: a claim with the conditions, tolerances and remarks around it."""

from collections.abc import Iterator

from pandas_magic.constraints.algebra.conditions import All, Compare, Condition, Exists, Not, OneOf
from pandas_magic.constraints.algebra.expressions import Column, Group, Lookup, Previous, Rollup
from pandas_magic.constraints.algebra.rules import Constraint, RowRule
from pandas_magic.constraints.algebra.tree import nodes
from pandas_magic.planner.grammar import (
    afterthoughts,
    ages,
    alternatives,
    asides,
    claims,
    complaints,
    group_notes,
    inversions,
    left_out,
    modifiers,
    nouns,
    one_row,
    openings,
    phrases,
    present_values,
    reasons,
    remarks,
    rows,
    sequences,
    statements,
    terse_notes,
    tolerances,
    we_say,
    whole_tables,
)
from pandas_magic.planner.grammar import lexicon as words
from pandas_magic.planner.grammar.chart import Parse, Position, compiled, position, rule
from pandas_magic.planner.grammar.logic import (
    all_in,
    any_of,
    both,
    for_must,
    for_where,
    has_window,
    negate,
    without_presence,
)
from pandas_magic.planner.grammar.meaning import Claim
from pandas_magic.planner.grammar.values import literal, number
from pandas_magic.record import Record

Found = Iterator[tuple[Position, Claim]]
_STOPS = (".", ";", "!")
_DESCRIBING = frozenset(("where", "if", "when", "whose", "that", "which", "who"))


def text(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, Constraint]]:
    """The whole rule about the table, from its first word to its last."""
    found = False
    for end, constraint in as_written(p, i, table):
        found = True
        yield end, constraint
    if not found:
        yield from inversions.asked(p, table, as_written)
        yield from we_say.restated(p, table, as_written)


def as_written(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, Constraint]]:
    """The rule read in the order of its words."""
    titled = [end for end in terse_notes.title(p, i, table) if end < len(p.tokens)]
    for end, found in (f for start in (i, *titled) for f in whole_tables.about_whole_tables(p, start, table)):
        for last in (
            stop for e in (end, *reasons.follows(p, end, table, conditional=False)) for stop in _stopped(p, e)
        ):
            if last == len(p.tokens):
                yield last, found.rule() if isinstance(found, whole_tables.ColumnNames) else found
    for end, found in (f for start in (i, *titled) for f in _sentences(p, start, table)):
        if end == len(p.tokens) and found.table == table and not only_about_parents(found):
            yield end, RowRule(table=table, where=found.where, must=found.must, tolerance=found.tolerance)


def only_about_parents(found: Claim) -> bool:
    """Nothing is said of the table's own columns, only of rows that it refers to: the rule is about those."""
    if not _is_looked_up(found.must):
        return False
    there = found.where.table if isinstance(found.where, Exists) else ""
    return found.where is None or _is_looked_up(found.where) or there in _looked_up_in(found.must)


def _looked_up_in(condition: Condition) -> set[str]:
    """The tables whose columns are looked up."""
    return {node.join.table for node in nodes(condition) if isinstance(node, Lookup)}


def _is_looked_up(part: object) -> bool:
    if isinstance(part, Lookup):
        return True
    if isinstance(part, (Column, Exists, Rollup, Group, Previous)):
        return False
    if isinstance(part, tuple):
        return all(_is_looked_up(one) for one in part)
    if isinstance(part, Record):
        return all(_is_looked_up(getattr(part, name)) for name in type(part).model_fields)
    return True


def _stopped(p: Parse, i: Position) -> Iterator[Position]:
    yield i
    yield from p.phrase(i, ".|;|!")


@rule
def _sentences(p: Parse, i: Position, table: str) -> Found:
    """One or more sentences whose demands all hold."""
    for end, first in _remarked(p, i, table):
        for last in _stopped(p, end):
            yield last, first
            if last == end:
                continue
            for after, second in _sentences(p, last, table):
                joined = _together(first, second)
                if joined is not None:
                    yield after, joined
        yield from _and_when(p, end, table, first)


def _and_when(p: Parse, i: Position, table: str, first: Claim) -> Found:
    """Behind "When it is closed, a date must be given": ", and when it is open, the date must be missing"."""
    for start in p.phrase(i, phrases.AND_WHEN) if first.where is not None else ():
        for middle, (where, sense) in _if_or_unless(p, start, table):
            for begin in (middle, *p.phrase(middle, phrases.THEN)):
                for end, found in claims.claim(p, begin, table):
                    second = restricted(found, where, sense)
                    joined = _together(first, second) if second is not None else None
                    if joined is not None:
                        yield end, joined


def _restated(p: Parse, i: Position, table: str) -> Found:
    """Like "Discounts never exceed the price: discount <= price", where both halves say the same."""
    for middle, first in _conditional(p, i, table):
        for start in p.phrase(middle, phrases.THAT_IS):
            for end, second in _conditional(p, start, table):
                if remarks.same(first, second):
                    for last in (end, *p.phrase(end, ")")):
                        yield p.note(middle, last, "the same again"), first


def _together(first: Claim, second: Claim) -> Claim | None:
    if first.tolerance != second.tolerance or first.table != second.table:
        return None
    if first.where == second.where:
        return Claim(first.table, all_in((first.must, second.must)), first.where, first.tolerance)
    parts = first.must.conditions if isinstance(first.must, All) else (first.must,)
    if first.where is not None and second.where is None and second.must in parts:
        return None  # "active users …; a missing login is a violation": of all users, or of those?
    if has_window(first.must) or has_window(second.must) or first.tolerance:
        return None
    musts = [
        claim.must if claim.where is None else any_of(negate(claim.where), claim.must) for claim in (first, second)
    ]
    return Claim(first.table, all_in((musts[0], musts[1])))


@rule
def _remarked(p: Parse, i: Position, table: str) -> Found:
    """A sentence, the reason before it, and what is remarked on missing values: "; missing ages are allowed"."""
    for start in reasons.rule_begins(p, i, table, _conditional):
        yield from _remarked(p, start, table)
    for end, found in _tolerant(p, i, table):
        yield end, found
        yield from asides.with_asides(p, end, found)
        yield from present_values.leaving_missing_out(p, end, table, found)
        for last in tolerances.missing_allowed(p, end, table):
            yield (
                p.note(end, last, "missing values are not judged"),
                Claim(found.table, without_presence(found.must), found.where, found.tolerance),
            )


@rule
def _tolerant(p: Parse, i: Position, table: str) -> Found:
    """A sentence that accepts some violations: "at least 99 % of …", "… ; at most 5 rows may break this"."""
    yield from _conditional(p, i, table)
    yield from _restated(p, i, table)
    for start in (i, *_behind_ceremony(p, i)):
        yield from _tolerant_first(p, start, table)
    yield from tolerances.few_may(p, i, table)
    yield from remarks.introduced(p, i, table, _conditional)
    yield from complaints.complained(p, i, table)
    yield from group_notes.in_so_many(p, i, table, _conditional)
    for end, found in _conditional(p, i, table):
        for last in reasons.follows(p, end, table, conditional=found.where is not None):
            yield last, found
        yield from afterthoughts.added(p, end, table, found)
        for start in p.phrase(end, ";|,|(|.|, but|in|for|, in|with|, with"):
            for last, tolerance in tolerances.closing_tolerance(p, start, table):
                for final in (last, *p.phrase(last, ")")):
                    yield p.note(end, final, "so many violations are accepted"), tolerances.tolerating(found, tolerance)


def _tolerant_first(p: Parse, i: Position, table: str) -> Found:
    """Like "At least 99 % of the orders must …"."""
    for start, tolerance in tolerances.opening_tolerance(p, i, table):
        for end, found in _conditional(p, start, table):
            if found.tolerance is None:
                yield end, tolerances.tolerating(found, tolerance)


@rule
def _conditional(p: Parse, i: Position, table: str) -> Found:
    """A claim with its conditions before and behind."""
    yield from _conditioned(p, i, table)
    yield from present_values.said_without_missing(p, i, table)
    for start in _behind_ceremony(p, i):
        for begin in (start, *p.phrase(start, ",")):
            yield from _conditioned(p, begin, table)
    for start in p.phrase(i, phrases.COULD_YOU):
        for end, found in _conditional(p, start, table):
            yield from ((last, found) for last in (end, *p.phrase(end, "?")))


def _behind_ceremony(p: Parse, i: Position) -> Iterator[Position]:
    """Where "Confirm that" ends; "confirmed orders", "verified users" say which rows are meant."""
    token = p.at(i)
    if token is not None and token.low in compiled(words.CEREMONY):
        yield from p.phrase(i, words.CEREMONY)


@rule
def _demands(p: Parse, i: Position, table: str) -> Found:
    """One claim, or several full ones joined by "and"."""
    for end, first in claims.claim(p, i, table):
        yield end, first
        spliced = p.phrase(end, ",") if (after := p.at(end + 1)) and after.low in ("it", "they", "this") else ()
        for middle in (*p.phrase(end, "and|, and|, but|and that|, and that|&"), *spliced):
            for last, second in _demands(p, middle, table) if not _lists_on(p, middle, table, first) else ():
                joined = _together(first, second) if _demands_too(p, i, middle, last) else None
                if joined is not None and (first.where == second.where or second.where is not None):
                    yield last, joined


def _demands_too(p: Parse, i: Position, start: Position, end: Position) -> bool:
    """Behind "Flag orders where gift is true", "and note is missing" is no demand: it says which orders, too."""
    described = next((place for place in range(i, start) if p.tokens[place].low in _DESCRIBING), int(i))
    if not any(True for _ in p.phrase(i, words.FLAG)) and not _obliges(p, i, described):
        return True
    until = next((place for place in range(start, end) if p.tokens[place].low == "and"), end)
    return _obliges(p, start, until)


def _obliges(p: Parse, start: int, end: int) -> bool:
    said = f"{words.MUST}|{words.MAY}|{words.FLAG}"
    return any(True for place in range(start, end) for _ in p.phrase(Position(place), said))


def _lists_on(p: Parse, i: Position, table: str, first: Claim) -> bool:
    """Behind "other than pending, paid": "and shipped", which belongs to the list and begins no demand."""
    must = first.must.condition if isinstance(first.must, Not) else first.must
    of = must.of if isinstance(must, OneOf) else must.left if isinstance(must, Compare) else None
    return isinstance(of, Column) and any(True for _ in literal(p, i, table, of, False))


@rule
def _conditioned(p: Parse, i: Position, table: str) -> Found:
    yield from _demands(p, i, table)
    for end, found in claims.claim(p, i, table):
        yield from _with_tail(p, end, table, found) if not _says_only(p, i, end) else [(end, found)]
    yield from _alternative(p, i, table)
    for middle, (where, sense) in _opening(p, i, table):
        for start in p.phrase(middle, phrases.THEN):
            for end, found in _demands(p, start, table):
                if sense == "if" and (known := openings.happened(p, table, where, found.must)) is not None:
                    yield from _with_tail(p, end, table, Claim(table, found.must, both(known, found.where)))
                narrowed = restricted(found, where, sense)
                if narrowed is not None:
                    yield from _with_tail(p, end, table, narrowed)
        for end, found in (*claims.claim(p, middle, table), *terse_notes.demanded(p, middle, table)):
            narrowed = restricted(found, where, sense)
            if narrowed is not None:
                yield from _with_tail(p, end, table, narrowed)
    for middle, _ in openings.every_row(p, i, table):
        yield from (found for found in _conditioned(p, middle, table) if openings.is_about_each(found[1]))


def _alternative(p: Parse, i: Position, table: str) -> Found:
    """Like "If a, then b, otherwise c", "b if a, otherwise c"."""
    for middle, (where, sense) in _opening(p, i, table):
        for start in (middle, *p.phrase(middle, phrases.THEN)):
            for end, found in claims.claim(p, start, table):
                scope = where if sense == "if" else negate(where)
                yield from alternatives.otherwise(p, end, table, found, begun=start, where=scope)
    for end, found in claims.claim(p, i, table):
        for start in (end, *p.phrase(end, ",")):
            for middle, (where, sense) in _closing(p, start, table):
                if sense != "only if":
                    scope = where if sense == "if" else negate(where)
                    yield from alternatives.otherwise(p, middle, table, found, begun=i, where=scope)


def _says_only(p: Parse, i: Position, end: Position) -> bool:
    """Like "may only be positive for cancelled orders", where the end can be what the "only" is about."""
    said = [place for place in range(i, end) if p.tokens[place].low in ("only", "just", "solely")]
    # In "only one row per day", "only once", it is about the one.
    return any(place + 1 == end or p.tokens[place + 1].low not in ("one", "once") for place in said)


def _with_tail(p: Parse, i: Position, table: str, found: Claim) -> Found:
    yield i, found
    for end, narrowed in _narrowed(p, i, table, found) if not ages.is_asked_when(p, i, table) else ():
        yield end, narrowed
        yield from _narrowed(p, end, table, narrowed, comma=True)
    for end in _for_every_row(p, i, table):
        yield end, found
        for after in (end, *p.phrase(end, ",")):
            if any(True for _ in p.phrase(after, f"{phrases.EXCEPT_FOR}|{words.UNLESS}|{words.IF}")):
                yield from _narrowed(p, after, table, found)
    yield from _exactly_then(p, i, table, found)


def _narrowed(p: Parse, i: Position, table: str, found: Claim, *, comma: bool = False) -> Found:
    """Behind a claim: "if …", "unless …", "except for …"; with `comma` only behind one."""
    for start in (*p.phrase(i, ","), *(() if comma else (i,))):
        for end, (where, sense) in _closing(p, start, table):
            narrowed = restricted(found, where, sense)
            if narrowed is not None:
                yield end, narrowed
                yield from _and_only_then(p, end, found, for_where(where) if sense == "if" else None)


def _and_only_then(p: Parse, i: Position, found: Claim, where: Condition | None) -> Found:
    """Behind "is given for closed claims": ", and only for them": nowhere else."""
    if where is None or found.where is not None or found.tolerance is not None or has_window(found.must):
        return
    for end in p.phrase(i, phrases.AND_ONLY_THEN):
        yield p.note(i, end, "and nowhere else"), _both_ways(found.table, where, found.must)


def _exactly_then(p: Parse, i: Position, table: str, found: Claim) -> Found:
    """Behind a claim: "if and only if the order is cancelled", and the opposite for all other rows."""
    if found.where is not None or found.tolerance is not None or has_window(found.must):
        return
    for start in p.phrase(i, phrases.IF_AND_ONLY_IF):
        for end, where in statements.condition(p, p.note(i, start, "where this is so, and only there"), table):
            yield end, _both_ways(table, where, found.must)
    for start in p.phrase(i, phrases.EXACTLY_FOR):
        for end, those in rows.rows(p, p.note(i, start, "for these rows, and only for these")):
            if those.table == table and those.where is not None:
                yield end, _both_ways(table, for_where(those.where) or those.where, found.must)


def _both_ways(table: str, where: Condition, must: Condition) -> Claim:
    there, elsewhere = any_of(negate(where), must), any_of(where, negate(must))
    return Claim(table, all_in((there, elsewhere)))


def _for_every_row(p: Parse, i: Position, table: str) -> Iterator[Position]:
    """Like "For any user", "in the orders table", "in every row": adds nothing."""
    for start in p.seq_ends(i, "?,", "for|in|of|on|within|across|throughout|at|from"):
        for after in (start, *p.phrase(start, nouns.DETERMINER + "|all of the")):
            for end, noun in nouns.table_noun(p, after):
                if noun == table and not one_row.within_one_row(p, start, table):
                    yield p.note(i, end, "every row")
            yield from p.phrase(after, "row|record|entry|rows|records")
    yield from p.phrase(i, phrases.AT_ALL)


def _opening(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, tuple[Condition, str]]]:
    recorded = {int(end) for end in openings.recorded(p, i, table)}
    yield from (found for found in _if_or_unless(p, i, table) if int(found[0]) not in recorded)
    yield from ((end, (where, "if")) for end, where in openings.given_value(p, i, table))
    for start in p.phrase(i, "if|when|whenever|once|where"):
        for end, where in rows.adjectives(p, start, table):
            if (after := p.at(end)) is not None and after.text == ",":
                yield p.note(i, end, "only where this is so"), (where, "if")
    for end, (where,) in p.seq(i, "with", lambda p, i: rows.adjectives(p, i, table)):
        yield p.note(i, end, "only where this is so"), (where, "if")
    yield from _for_rows(p, i, table)
    yield from ((end, (where, "if")) for end, where in terse_notes.given(p, i, table))
    for start in p.phrase(i, phrases.EXCEPT_FOR):
        for end, found in rows.subject_rows(p, p.note(i, start, "only for other rows")):
            if found.table == table and found.where is not None and (after := p.at(end)) and after.text == ",":
                yield end, (found.where, "unless")
    for end, found in rows.plain_rows(p, i):
        if found.table == table and found.where is not None and (after := p.at(end)) and after.text == ":":
            yield p.note(i, end, "only for these rows"), (found.where, "if")


def _if_or_unless(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, tuple[Condition, str]]]:
    for start in p.phrase(i, words.IF):
        for end, where in statements.condition(p, p.note(i, start, "only where this is so"), table):
            yield end, (where, "if")
    for start in p.phrase(i, words.UNLESS):
        for end, where in statements.condition(p, p.note(i, start, "only where this is not so"), table):
            yield end, (where, "unless")


def _closing(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, tuple[Condition, str]]]:
    yield from _if_or_unless(p, i, table)
    for start in p.phrase(i, phrases.EXCEPT_FOR):
        for end, where in left_out.exceptions(p, p.note(i, start, "only for other rows"), table):
            yield end, (where, "unless")
        for end, where in modifiers.of_parent(p, p.note(i, start, "only for those of others"), table):
            yield end, (where, "unless")
    for start in p.phrase(i, words.ONLY_IF):
        for end, where in statements.condition(p, p.note(i, start, "only where this is so"), table):
            yield end, (where, "only if")
    yield from _for_rows(p, i, table)


def _for_rows(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, tuple[Condition, str]]]:
    for start in p.phrase(i, words.FOR):
        for end, found in rows.subject_rows(p, p.note(i, start, "only for these rows")):
            if found.table == table and found.where is not None:
                yield end, (found.where, "if")
        made_so = i > 0 and any(True for _ in p.phrase(position(i - 1), phrases.MAKE))
        # "Must be placed in EUR" says in what, not that it must be placed.
        for end, where in () if made_so else modifiers.in_value(p, p.note(i, start, "only for these rows"), table):
            yield end, (where, "if")
        for end, where in modifiers.of_parent(p, start, table) if p.tokens[i].low == "for" else ():
            yield p.note(i, end, "only for rows of these"), (where, "if")


def _more_than_demanded(scope: Condition, must: Condition) -> Condition:
    """Without the part that is demanded: to have an order is to name one, where "that order must exist"."""
    demanded = set(must.conditions) if isinstance(must, All) else {must}
    parts = scope.conditions if isinstance(scope, All) else (scope,)
    if not any(isinstance(part, Exists) and part in demanded for part in parts) or len(parts) == 1:
        return scope
    return all_in(tuple(part for part in parts if not (isinstance(part, Exists) and part in demanded)))


def restricted(found: Claim, where: Condition, sense: str) -> Claim | None:
    """The claim, only for the rows in which `where` is true ("if"), or is not ("unless"); None for "only if"."""
    if sense == "only if" or found.table is None:
        return None
    scope = _more_than_demanded(where if sense == "if" else negate(where), found.must)
    present = {part for part in (scope.conditions if isinstance(scope, All) else (scope,)) if part.node == "present"}
    if sequences.follows_its_own(found):
        narrow = sequences.among_these(found, scope)
        return Claim(found.table, narrow.must, narrow.where, found.tolerance)
    must = found.must
    if isinstance(must, All):
        left = both(*(part for part in must.conditions if part not in present))
        must = must if left is None else left
    return Claim(found.table, for_must(must), for_where(both(scope, found.where)), found.tolerance)


__all__ = ["number", "text"]
