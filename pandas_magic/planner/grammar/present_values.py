"""Values that are there, and rows without one that a rule leaves alone: "non-empty emails", "; blanks are fine"."""

from collections.abc import Iterator

from pandas_magic.constraints.algebra.conditions import All, Any_, Compare, Condition, Present, Unique
from pandas_magic.constraints.algebra.expressions import Column, Expression, Value
from pandas_magic.planner.grammar import (
    claims,
    clauses,
    modifiers,
    nouns,
    phrases,
    possession,
    rows,
    short_names,
    statements,
)
from pandas_magic.planner.grammar import lexicon as words
from pandas_magic.planner.grammar.chart import Parse, Position
from pandas_magic.planner.grammar.logic import columns_in, has_window, is_missing, is_unknown_without, without_presence
from pandas_magic.planner.grammar.meaning import Claim

Found = Iterator[tuple[Position, Claim]]
_GIVEN = ("given", "stated", "entered", "specified", "mentioned", "named")
_PLACED = ("on", "in", "for", "with", "by", "at")


def that_are_there(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, Column]]:
    """Like "non-empty emails", "a stated referrer_id", "emails that we do have": the values that there are."""
    for start in (i, *p.phrase(i, nouns.DETERMINER)):
        for middle in p.phrase(start, phrases.GIVEN_BEFORE):
            for end, x in nouns.column(p, middle, table):
                if isinstance(x, Column):
                    yield p.note(start, end, "where there is one"), x
    for middle, x in nouns.own_column(p, i, table):
        if isinstance(x, Column):
            used = (end for start in p.phrase(middle, phrases.USED_IN) for end in nouns.this_table(p, start, table))
            for end in (*p.phrase(middle, phrases.GIVEN_AFTER), *used):
                yield p.note(middle, end, "where there is one"), x


def is_said_to_be_given(p: Parse, i: Position, end: Position) -> bool:
    """Like "Each order_id given on an event": only those that are."""
    return any(
        token.low in _GIVEN and after.low in _PLACED
        for token, after in zip(p.tokens[i:end], p.tokens[i + 1 : end], strict=False)
    )


def optional(p: Parse, i: Position, table: str) -> Found:
    """Like "A phone is optional, but if it is given it must …", "the phone may stay empty, otherwise it must …"."""
    for end, x in _may_be_missing(p, i, table):
        for start in _and_if_given(p, end, table, x):
            for after in (start, *p.phrase(start, ",|, then|then")):
                for begin in _that_value(p, after, table, x):
                    for last, condition in clauses.value_phrase(p, begin, table, x, "must"):
                        if not has_window(condition):
                            noted = p.note(end, last, "missing values are not judged")
                            yield noted, claims.demand(table, without_presence(condition, x))


def _may_be_missing(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, Column]]:
    for middle, x in nouns.column(p, i, table):
        if isinstance(x, Column):
            yield from ((end, x) for end in p.phrase(middle, phrases.MAY_STAY_EMPTY))
    for middle, found in rows.rows(p, i):
        if found.table == table and found.where is None:
            for start in p.phrase(middle, phrases.NEED_NOT_HAVE):
                for end, said in possession.thing(p, start, table):
                    for part in said.conditions if isinstance(said, All) else (said,):
                        if isinstance(part, Present) and isinstance(part.of, Column):
                            yield end, part.of


def _and_if_given(p: Parse, i: Position, table: str, x: Column) -> Iterator[Position]:
    yield from p.phrase(i, phrases.OR_ELSE_IT)
    for start in p.phrase(i, phrases.BUT_WHERE):
        yield from p.phrase(start, phrases.IT_IS_GIVEN)
        for end, said in statements.clause(p, start, table):
            if said == Present(of=x):
                yield end


def _that_value(p: Parse, i: Position, table: str, x: Column) -> Iterator[Position]:
    """The value again: "it", "this id", "that hotel", "the order_id"."""
    for start in p.phrase(i, "it|they|this|that"):
        yield start
        yield from p.phrase(start, phrases.VALUE_NOUNS)
    for start in p.phrase(i, "a|an|the|any"):
        yield from p.seq_ends(start, phrases.GIVEN_BEFORE, "one|value|entry|id|number")
    for end, named in nouns.own_column(p, i, table):
        if named == x:
            yield end
    for end, link in nouns.parent(p, i, table):
        if link.column == x.name:
            yield end


def leaving_missing_out(p: Parse, i: Position, table: str, found: Claim) -> Found:
    """Behind a claim: "; users without an email are fine", ", ignoring users without an age", "; blanks are fine"."""
    for start in p.phrase(i, phrases.BESIDE_THE_RULE):
        judged = frozenset(columns_in(found.must))
        for end, x in (*_missing_left_out(p, start, table), *short_names.left_out(p, start, table, judged)):
            without = _without(found, x)
            if without is not None:
                for last in (end, *p.phrase(end, ")")):
                    yield p.note(i, last, "missing values are not judged"), without


def _without(found: Claim, x: Column | None) -> Claim | None:
    """The claim, said of rows that have the value; None where the claim says nothing of it."""
    must = without_presence(found.must, x)
    if x is not None and x not in columns_in(found.must):
        return None
    return None if isinstance(must, Present) else Claim(found.table, must, found.where, found.tolerance)


def if_given(p: Parse, i: Position, table: str, x: Expression) -> Iterator[tuple[Position, Condition]]:
    """Behind a value: ", if given, must be …", "must, unless it is blank, be …"."""
    for after in p.seq_ends(i, words.MUST, phrases.IN_PASSING):
        noted = p.note(i, after, "missing values are not judged")
        for end, condition in clauses.plain_predicates(p, noted, table, x):
            yield end, without_presence(condition, x)
    for after in p.seq_ends(i, "?,|(", words.IF_GIVEN, "?,|)"):
        noted = p.note(i, after, "missing values are not judged")
        for end, condition in clauses.value_phrase(p, noted, table, x, "must"):
            yield end, without_presence(condition, x)


def _missing_left_out(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, Column | None]]:
    for end, x in missing_things(p, i, table):
        for last in p.seq_ends(end, f"?{phrases.WE_JUST}", f"{phrases.LEFT_ALONE}|{words.IGNORED_MISSING}"):
            yield last, x
    for start in p.phrase(i, phrases.LEAVE_ALONE):
        yield from missing_things(p, start, table)
    for middle, x in _may_be_missing(p, i, table):
        yield middle, x
    for end in p.phrase(i, phrases.THEY_MAY_BE_MISSING):
        yield end, None
    yield from _fine_if_missing(p, i, table)


def _fine_if_missing(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, Column | None]]:
    """Like "if the age is unknown that's fine"."""
    for start in p.phrase(i, "if|when|where"):
        for middle, x in nouns.own_column(p, start, table):
            if isinstance(x, Column):
                for after in p.seq_ends(middle, "be", f"{words.MISSING}|unknown|empty|blank"):
                    for end in p.seq_ends(after, "?,", "that be|it be", "fine|ok|okay|all right|alright|no problem"):
                        yield end, x


def missing_things(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, Column | None]]:
    """Values that are not there, or rows without one: "missing ones", "blanks", "users without an email"."""
    yield from missing_values(p, i, table)
    for end, where in _rows_without(p, i, table):
        if (x := blank_column(where)) is not None:
            yield end, x


def missing_values(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, Column | None]]:
    """Values that are not there: "missing ones", "blanks", "an empty email"."""
    for end in p.phrase(i, phrases.MISSING_ONES):
        yield end, None
    for start in (*nouns.this_table(p, i, table), *p.phrase(i, "those|rows|records|the others|others")):
        yield from ((end, None) for end in p.phrase(start, "without one|with none|that have none|that do not have one"))
    for start in (i, *p.phrase(i, "a|an|any|the")):
        for middle in p.phrase(start, f"{words.MISSING}|empty|blank"):
            for end, x in nouns.own_column(p, middle, table):
                if isinstance(x, Column):
                    yield end, x
        for middle in p.phrase(start, "unknown"):
            for end, x in nouns.own_column(p, middle, table):
                if isinstance(x, Column) and not _refers(p, table, x):
                    yield end, x


def _refers(p: Parse, table: str, x: Column) -> bool:
    """An unknown one of these can be one that is not there, rather than a missing one."""
    return any(link.column == x.name for link in (*p.schema.links(table), *p.schema.roles(table)))


def blank_column(where: Condition) -> Column | None:
    """The column of which the condition says that it is missing, or missing or an empty text; else None."""
    parts = where.conditions if isinstance(where, Any_) else (where,)
    missing = {of for part in parts if isinstance(of := is_missing(part), Column)}
    if len(missing) == 1 and columns_in(where) == missing:
        rest = [part for part in parts if is_missing(part) is None]
        if all(isinstance(part, Compare) and part.right == Value(value="") for part in rest):
            return next(iter(missing))
    return None


def _rows_without(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, Condition]]:
    for end, found in rows.rows(p, i):
        if found.table == table and found.where is not None:
            yield end, found.where
    for start in p.phrase(i, "those|the ones|rows|the rows|records|entries|others|the others"):
        yield from modifiers.modifier(p, start, table)


def apart_from_missing(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, Column | None]]:
    """In front of a claim: "Apart from missing ones,", "Unless it is empty,"."""
    for start in p.phrase(i, phrases.APART_FROM_THESE):
        for end, x in missing_values(p, start, table):
            yield from ((last, x) for last in p.phrase(end, ","))
    for end in p.phrase(i, phrases.UNLESS_IT_IS_MISSING):
        yield from ((last, None) for last in p.phrase(end, ","))


def said_without_missing(p: Parse, i: Position, table: str) -> Found:
    """Like "Apart from missing ones, emails must be unique"."""
    for middle, x in apart_from_missing(p, i, table):
        for end, found in claims.claim(p, p.note(i, middle, "missing values are not judged"), table):
            without = _without(found, x)
            if without is not None:
                yield end, without


def of_those_given(found: Claim, x: Expression) -> Claim:
    """The claim, in fewer words where it is made only of rows that have the value."""
    if found.where != Present(of=x):
        return found
    must = without_presence(found.must, x)
    said_anyway = is_unknown_without(must, x) or (isinstance(must, Unique) and x in must.by)
    return Claim(found.table, must, None if said_anyway else found.where, found.tolerance)
