"""Notes without a verb: "GBP orders: tax > 0", "closed_on set <=> status = closed", "patients: min. 1 visit each".

What stands before an arrow or a colon says for which rows, what follows is demanded of them. Alone, a column and what
it is are a demand only where that can be nothing else: "email unique" is one, "email missing" could be a complaint.
"""

from collections.abc import Iterator

from pandas_magic.constraints.algebra.conditions import (
    All,
    Any_,
    Compare,
    Condition,
    Exists,
    Matches,
    OneOf,
    Present,
    Unique,
)
from pandas_magic.constraints.algebra.expressions import Column, Expression, Group, HowMany, Rollup, TextLength, Value
from pandas_magic.planner.grammar import (
    arithmetic,
    children,
    claims,
    clauses,
    column_lists,
    group_notes,
    modifiers,
    nouns,
    phrases,
    possession,
    qualities,
    requirements,
    rows,
)
from pandas_magic.planner.grammar import lexicon as words
from pandas_magic.planner.grammar.chart import Parse, Position, compiled, rule
from pandas_magic.planner.grammar.logic import all_in, any_of, both, expressions_in, has_window, negate
from pandas_magic.planner.grammar.meaning import Claim, Rows
from pandas_magic.planner.grammar.values import whole

Found = Iterator[tuple[Position, Claim]]
Conditions = Iterator[tuple[Position, Condition]]
_ARROWS = "->|=>|→|⇒"
_BOTH_WAYS = f"<=>|<->|⇔|↔|{phrases.IF_AND_ONLY_IF}"
_ALSO = (("and", "and|&|+|, and"), ("or", "or|, or"))
_VERBS = frozenset(
    f"{words.MAY}|must|should|shall|will|would|is|are|was|were|be|been|has|have|had|do|does|did".split("|")
)


def title(p: Parse, i: Position, table: str) -> Iterator[Position]:
    """Where the name of the table ends that stands before the note: "orders: ", "in orders: "."""
    for start in (i, *p.phrase(i, "in|for")):
        for middle in nouns.this_table(p, start, table):
            yield from (p.note(i, end, f"every row of {table}") for end in p.phrase(middle, ":"))


def has_no_verb(p: Parse) -> bool:
    """The sentence is a note: no word in it is a modal, "to be", "to have" or a request."""
    if not p.tokens or p.tokens[0].low in compiled(f"{words.ASKED_FOR}|{words.CEREMONY}"):
        return False
    depth = 0
    for token in p.tokens:
        depth += {"(": 1, ")": -1}.get(token.text, 0)  # what stands in brackets is an aside: "(both empty is ok)"
        if token.low in _VERBS and depth == 0:
            return False
    return True


# ---- for which rows ------------------------------------------------------------------------------------------------


def given(p: Parse, i: Position, table: str) -> Conditions:
    """Like "status = cancelled ->", "country CH:", "permanent + full_time:", up to the arrow or colon."""
    if not _has_mark(p, ("->", "=>", "→", "⇒", ":")):
        return
    for middle, where in facts(p, i, table):
        yield from ((p.note(i, end, "only where this is so"), where) for end in p.phrase(middle, _ARROWS))
        for end in p.phrase(middle, ":") if _is_a_kind(where) else ():
            yield p.note(i, end, "only where this is so"), where


def both_ways(p: Parse, i: Position, table: str) -> Found:
    """Like "exit_date filled <=> status = left": where one is so, the other is, and nowhere else."""
    if not has_no_verb(p):
        return
    for middle, first in facts(p, i, table):
        for start in p.phrase(middle, _BOTH_WAYS):
            for end, second in facts(p, start, table):
                if not has_window(first) and not has_window(second):
                    must = all_in((any_of(negate(second), first), any_of(second, negate(first))))
                    yield p.note(middle, end, "one exactly where the other is so"), Claim(table, must)


def demanded(p: Parse, i: Position, table: str) -> Found:
    """Behind the arrow or colon: "signature_required = true", "employee status not active", "note null"."""
    if i > 0 and p.tokens[i - 1].text in ("->", "=>", "→", "⇒", ":") and has_no_verb(p):
        for end, condition in facts(p, i, table):
            yield end, claims.demand(table, condition)


def _has_mark(p: Parse, marks: tuple[str, ...]) -> bool:
    return any(token.text in marks for token in p.tokens)


def _is_a_kind(where: Condition) -> bool:
    """Like "country CH", "banned users": before a colon "amount > 0" could be the rule itself, said twice."""
    if isinstance(where, All | Any_):
        return all(_is_a_kind(part) for part in where.conditions)
    named = isinstance(where, Compare) and where.relation == "==" and isinstance(where.right, Value)
    return named or isinstance(where, OneOf | Exists)


@rule
def facts(p: Parse, i: Position, table: str) -> Conditions:
    """One fact, or several joined by "and" or "+", or by "or"."""
    for end, first in _fact(p, i, table):
        yield end, first
        for joint, said in _ALSO:
            yield from _more_facts(p, end, table, first, joint, said)


def _more_facts(p: Parse, i: Position, table: str, first: Condition, joint: str, said: str) -> Conditions:
    for middle in p.phrase(i, said):
        for end, second in _fact(p, middle, table):
            merged = both(first, second) if joint == "and" else any_of(first, second)
            assert merged is not None
            yield end, merged
            yield from _more_facts(p, end, table, merged, joint, said)


@rule
def _fact(p: Parse, i: Position, table: str) -> Conditions:
    """Like "status cancelled", "declared_value > 400", "is_fragile", "closed department", "user banned"."""
    token = p.at(i)
    if token is None or token.kind != "word":
        return
    for end, x in arithmetic.expression(p, i, table):
        for last, (condition, joint) in clauses.qualities_of(p, end, table, x):
            if joint == "":
                yield last, condition
    yield from _truth(p, i, table)
    yield from rows.adjectives(p, i, table)
    yield from _of_kinds(p, i, table)


def _truth(p: Parse, i: Position, table: str) -> Conditions:
    """Like "is_fragile" alone."""
    for end, name in nouns.named_column(p, i, table):
        yes, _ = p.schema.truth_values(table, name) or (None, None)
        if yes is not None and p.schema.kind(table, name) == "boolean":
            yield (
                p.note(i, end, f"{name} is {yes}"),
                Compare(relation="==", left=Column(name=name), right=Value(value=yes)),
            )


def _of_kinds(p: Parse, i: Position, table: str) -> Conditions:
    """Like "closed department", "user banned", "GBP orders"."""
    for end, found in rows.plain_rows(p, i):
        if found.table == table and found.where is not None:
            yield end, found.where
        elif found.where is not None:
            yield from ((end, modifiers.belongs(link, found.where)) for link in p.schema.links_to(table, found.table))
    for middle, link in nouns.parent(p, i, table):
        for end, where in rows.adjectives(p, middle, link.parent):
            yield end, modifiers.belongs(link, where)


# ---- what is demanded ----------------------------------------------------------------------------------------------


def noted(p: Parse, i: Position, table: str) -> Found:
    """A claim without a verb."""
    if not has_no_verb(p):
        return
    yield from _each_has(p, i, table)
    yield from group_notes.of_groups(p, i, table)
    yield from _is_so(p, i, table)
    yield from _several_are_so(p, i, table)
    yield from _some_are_there(p, i, table)
    yield from _not_allowed(p, i, table)


def _not_allowed(p: Parse, i: Position, table: str) -> Found:
    """Like "study_mode part_time + funding scholarship: not allowed"."""
    for middle, where in facts(p, i, table):
        for end in p.seq_ends(middle, f":|{_ARROWS}|=", f"{words.BAD}|never|no"):
            yield from claims.forbidden(p.note(middle, end, "there must be none"), Rows(table, where))


def _each_has(p: Parse, i: Position, table: str) -> Found:
    """Like "patients: min. 1 visit each", "active contracts: >= 1 meter"."""
    for middle, found in rows.plain_rows(p, i):
        for start in p.phrase(middle, ":") if found.table == table else ():
            counted = any(True for _ in children.counts_ahead(p, start, table))
            for end, condition in possession.had(p, start, table):
                if requirements.about_children(condition) or _counts_rows(condition):
                    for last in (*((end,) if counted else ()), *p.phrase(end, "each|per row")):
                        yield p.note(i, last, f"each row of {table}"), claims.demand(table, condition, found.where)


def _counts_rows(condition: Condition) -> bool:
    return any(isinstance(part, Rollup) for part in expressions_in(condition))


def _is_so(p: Parse, i: Position, table: str) -> Found:
    """Like "email unique", "last_name filled", "cost_center in capitals"."""
    for middle, x in arithmetic.expression(p, i, table):
        for end, (condition, joint) in clauses.qualities_of(p, middle, table, x):
            if joint == "" and _is_asked_for(condition):
                yield end, claims.demand(table, condition)


def _is_asked_for(condition: Condition) -> bool:
    """What a rule demands and nobody complains of; "note missing" could be either."""
    parts = condition.conditions if isinstance(condition, All) else (condition,)
    return all(
        isinstance(part, Present | Unique | Matches) or _says_alike(part) or _limits_length(part) for part in parts
    )


def _limits_length(part: Condition) -> bool:
    """Like "remark max 50 characters"."""
    return isinstance(part, Compare) and isinstance(part.left, TextLength)


def _says_alike(part: Condition) -> bool:
    return isinstance(part, Compare) and isinstance(part.left, Group) and part.left.statistic == "distinct"


def _several_are_so(p: Parse, i: Position, table: str) -> Found:
    """Like "room + visit_date + slot unique", "a + b both mandatory", "a / b / c: exactly one filled"."""
    for middle, (names, mark) in _columns(p, i, table):
        if len(names) < 2:
            continue
        present = tuple(Present(of=name) for name in names)
        if mark in ("+", "&"):
            for start in p.phrase(middle, words.UNIQUE) if mark == "+" or len(names) == 2 else ():
                for end, by in qualities.unique_scope(p, start, table, names):
                    yield p.note(i, end, "no two rows agree in these"), claims.demand(table, Unique(by=by))
            for end in p.seq_ends(middle, "?:", "?both|all", f"{words.MANDATORY}|{words.PRESENT}"):
                yield p.note(i, end, "each of them"), claims.demand(table, all_in(present))
        for start in p.phrase(middle, ":") if mark != "+" else ():
            for after, judged in children.counts_ahead(p, start, table):
                for end in p.seq_ends(after, "?of them|of these", f"{words.PRESENT}|{words.MANDATORY}"):
                    yield from _so_many(p, i, end, table, present, judged)


def _some_are_there(p: Parse, i: Position, table: str) -> Found:
    """Like "exactly one of a / b filled", "email or phone given (>= 1 of them)", "a and b never both filled"."""
    filled = f"{words.PRESENT}|{words.MANDATORY}"
    for middle, condition in possession.how_many_present(p, i, table):
        for end in p.phrase(middle, filled):
            yield p.note(middle, end, "so many of them"), claims.demand(table, condition)
    for middle, names in possession.column_list(p, i, table):
        present = tuple(Present(of=name) for name in names)
        joint = column_lists.joint_of(p, i, middle) if len(names) > 1 else ""
        for end in p.phrase(middle, filled) if joint == "or" else ():
            for last in (end, *_at_least_one(p, end)):
                yield p.note(i, last, "at least one of them"), claims.demand(table, any_of(*present))
        for end in p.seq_ends(middle, "never both|not both", filled) if joint == "and" and len(names) == 2 else ():
            for last in (end, *p.seq_ends(end, "(|,|;|, but", phrases.NONE_IS_FINE, "?)")):
                yield p.note(i, last, "not both"), claims.demand(table, negate(all_in(present)))


def _at_least_one(p: Parse, i: Position) -> Iterator[Position]:
    """Where "(>= 1 of them)" ends."""
    for end, (count,) in p.seq(i, "(|,|;", words.AT_LEAST, whole, "?of them|of these|of the two|of the three", "?)"):
        if count == 1:
            yield end


def _so_many(
    p: Parse, i: Position, end: Position, table: str, present: tuple[Present, ...], judged: "children.Judge"
) -> Found:
    for last, condition in judged(HowMany(conditions=present), end):
        yield p.note(i, last, "so many of them"), claims.demand(table, condition)


@rule
def _columns(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, tuple[tuple[Expression, ...], str]]]:
    """Columns all joined by the same mark, and that mark: "a + b + c", "a / b"."""
    for end, first in nouns.own_column(p, i, table):
        yield end, ((first,), "")
        for middle in p.phrase(end, "+|&|/"):
            mark = p.tokens[end].text
            for last, (others, joint) in _columns(p, middle, table):
                if first not in others and joint in ("", mark):
                    yield last, ((first, *others), mark)
