"""No two alike: "the combination of a and b must be unique", "no two users may share an email"."""

from collections.abc import Iterator

from pandas_magic.constraints.algebra.conditions import Unique
from pandas_magic.constraints.algebra.expressions import Expression
from pandas_magic.planner.grammar import (
    claims,
    counting,
    limits,
    nouns,
    phrases,
    possession,
    qualities,
    rows,
    shared_values,
    whole_rows,
)
from pandas_magic.planner.grammar import lexicon as words
from pandas_magic.planner.grammar.chart import Parse, Position
from pandas_magic.planner.grammar.meaning import Claim, Rows

Found = Iterator[tuple[Position, Claim]]


def unique_together(p: Parse, i: Position, table: str, names: tuple[Expression, ...]) -> Found:
    """Like "a and b together must be unique"."""
    for end, by in (
        (end, by)
        for start in p.seq_ends(
            i,
            "?,",
            phrases.TOGETHER,
            "?,",
            f"?{words.MUST}",
            "be|be always|form",
            words.UNIQUE + "|a unique key|a unique combination|a key",
        )
        for end, by in qualities.unique_scope(p, start, table, names)
    ):
        yield end, claims.demand(table, Unique(by=by))
    for end in p.seq_ends(i, f"?{phrases.TOGETHER}", f"?{words.MUST}", phrases.UNIQUE_TOGETHER):
        yield end, claims.demand(table, Unique(by=names))
    for end in p.seq_ends(i, f"?{phrases.TOGETHER}", f"?{words.MUST}", "?uniquely", "identify"):
        for middle in (end, *p.phrase(end, nouns.DETERMINER)):
            for last, noun in nouns.table_noun(p, middle):
                if noun == table:
                    yield last, claims.demand(table, Unique(by=names))


def combination(p: Parse, i: Position, table: str) -> Found:
    """Like "The combination of a and b must be unique"."""
    opening = phrases.COMBINATION
    for start in p.seq_ends(i, f"?{words.ARTICLE}|{words.EVERY}", opening, "?(|[|:"):
        for middle, names in possession.column_list(p, start, table):
            for after in (middle, *p.phrase(middle, ")|]|column|columns|fields")):
                if len(names) > 1:
                    yield from said_to_be_unique(p, after, table, names)
    for middle, (found, names) in p.seq(
        i,
        "two|2|two different|any two",
        rows.plain_rows,
        phrases.NEVER_BY_TWO,
        phrases.HAVE_IN_COMMON,
        "?the same|an identical|one|the very same",
        lambda p, i: possession.column_list(p, i, table),
    ):
        if found.table == table:
            for end, by in qualities.unique_scope(p, middle, table, names):
                yield end, claims.demand(table, Unique(by=by), found.where)
    yield from _two_never_in_group(p, i, table)
    for start in p.phrase(i, phrases.NO_TWO):
        yield from shared_by_two(p, start, table)
    yield from whole_rows.duplicates(p, i, table)
    yield from _identifies(p, i, table)
    yield from shared_values.shared(p, i, table)
    yield from _twice_with_the_same(p, i, table)
    yield from _alike_in(p, i, table)
    yield from _flagged_alike(p, i, table)
    yield from _in_short(p, i, table)


def _flagged_alike(p: Parse, i: Position, table: str) -> Found:
    """Like "Find all tickets with the same barcode"."""
    for start in p.seq_ends(i, words.ASKED_FOR, f"?{words.EVERY}|the"):
        for middle, found in rows.plain_rows(p, start):
            for begin in p.phrase(middle, phrases.WITH_THE_SAME) if found.table == table else ():
                for end, names in possession.column_list(p, begin, table):
                    for last, by in qualities.unique_scope(p, end, table, names):
                        yield p.note(middle, last, "no two agree"), claims.demand(table, Unique(by=by), found.where)


def _in_short(p: Parse, i: Position, table: str) -> Found:
    """Like "Barcodes: no duplicates allowed"."""
    for middle, x in nouns.own_column(p, i, table):
        for end in p.seq_ends(middle, ":|-|–", phrases.NO_DUPLICATES_IN_SHORT):
            for last, by in qualities.unique_scope(p, end, table, (x,)):
                yield p.note(middle, last, "no two rows have the same"), claims.demand(table, Unique(by=by))


def _twice_with_the_same(p: Parse, i: Position, table: str) -> Found:
    """Like "Students cannot be listed twice with the same student id"."""
    for start, none in ((i, False), *((end, True) for end in p.phrase(i, words.NO))):
        for middle, found in rows.rows(p, start):
            for after, forbidden in limits.mood(p, middle, none) if found.table == table else ():
                for begin in p.seq_ends(after, phrases.BE_IN_A_TABLE, phrases.SEVERAL_TIMES, phrases.OF_THE_SAME):
                    for end, names in possession.column_list(p, begin, table):
                        if forbidden:
                            yield (
                                p.note(after, end, "no two agree"),
                                claims.demand(table, Unique(by=names), found.where),
                            )


def _alike_in(p: Parse, i: Position, table: str) -> Found:
    """Like "no duplicate payments: same loan, same date and same amount"."""
    for start in p.seq_ends(i, phrases.NO_SUCH, "duplicate|duplicated|double|repeated"):
        for middle, found in rows.plain_rows(p, start):
            for begin in p.phrase(middle, phrases.THAT_IS + "|(|with|having|-") if found.table == table else ():
                for end, by in each_the_same(p, begin, table):
                    for last in (end, *p.phrase(end, ")")):
                        yield p.note(begin, last, "no two agree"), claims.demand(table, Unique(by=by), found.where)


def each_the_same(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, tuple[Expression, ...]]]:
    """Like "the same loan, the same date and the same amount"."""
    for end, (first,) in p.seq(i, phrases.THE_SAME, lambda p, i: counting.group_key(p, i, table)):
        yield end, (first,)
        for middle in p.phrase(end, "and|,|, and"):
            for last, rest in each_the_same(p, middle, table):
                if first not in rest:
                    yield last, (first, *rest)


def _identifies(p: Parse, i: Position, table: str) -> Found:
    """Like "A PZN identifies exactly one drug", "each plate belongs to only one vehicle"."""
    for start in (i, *p.phrase(i, f"{words.EVERY}|a|an|one|the")):
        for middle, x in nouns.own_column(p, start, table):
            asked = f"?{words.MUST}|{words.MUST_ONLY}|{words.MAY}"
            for begin in p.seq_ends(middle, asked, f"?{words.ADVERBS}", phrases.IDENTIFY, phrases.EXACTLY_ONE):
                for end, noun in nouns.table_noun(p, begin):
                    for last in (end, *p.phrase(end, "only|alone")) if noun == table else ():
                        if any(token.low in ("may", "can") for token in p.tokens[middle:begin]) and not any(
                            token.low in ("only", "just", "most", "more", "single") for token in p.tokens[middle:last]
                        ):
                            continue  # "may belong to one animal" is a permission
                        yield p.note(middle, last, "no other row has the same"), claims.demand(table, Unique(by=(x,)))


def said_to_be_unique(p: Parse, i: Position, table: str, names: tuple[Expression, ...]) -> Found:
    """What says that the columns together are unique: "must be unique", "may occur only once", "must not repeat"."""
    for start in p.seq_ends(i, f"?{words.MUST}", "be|be always|have to be"):
        for middle in p.phrase(start, words.UNIQUE + "|a unique key"):
            for end, by in qualities.unique_scope(p, middle, table, names):
                yield end, claims.demand(table, Unique(by=by))
    for middle in p.seq_ends(i, f"?{words.MUST}", words.APPEARS_ONCE):
        for end, by in qualities.unique_scope(p, middle, table, names):
            yield end, claims.demand(table, Unique(by=by))
    for middle in p.seq_ends(i, phrases.NEVER_REPEATS, words.REPEATS):
        for end, by in qualities.unique_scope(p, middle, table, names):
            yield end, claims.demand(table, Unique(by=by))


def shared_by_two(p: Parse, i: Position, table: str) -> Found:
    """Behind "no" or "no two": "two users may share the same email", "two orders with the same order id"."""
    for start in (i, *p.phrase(i, phrases.TWO_ROWS)):
        for middle, found in rows.plain_rows(p, start):
            if found.table != table:
                continue
            yield from _shared_in_group(p, middle, table, found)
            for after in p.phrase(middle, phrases.SHARE):
                shared = p.tokens[after - 1].low == "share"
                for begin in p.phrase(after, phrases.THE_SAME + ("|a|an|any" if shared else "")):
                    for end, names in possession.column_list(p, begin, table):
                        for last, by in qualities.unique_scope(p, end, table, names):
                            yield last, claims.demand(table, Unique(by=by), found.where)
    for end, names in (
        (end, names)
        for start in p.phrase(i, phrases.DUPLICATE_OF)
        for end, names in possession.column_list(p, start, table)
    ):
        for last, by in qualities.unique_scope(p, end, table, names):
            yield last, claims.demand(table, Unique(by=by))


def _two_never_in_group(p: Parse, i: Position, table: str) -> Found:
    """Like "Two wards on the same floor must not have the same specialty"."""
    for start in p.phrase(i, "two|2|two different|any two|different"):
        for middle, found in rows.plain_rows(p, start):
            for begin in p.phrase(middle, phrases.OF_THE_SAME) if found.table == table else ():
                for after, group in counting.group_keys(p, begin, table):
                    said = p.seq_ends(after, phrases.NEVER_BY_TWO, "have|share|use", phrases.THE_SAME)
                    for end, names in (one for last in said for one in possession.column_list(p, last, table)):
                        if not set(group) & set(names):
                            yield end, claims.demand(table, Unique(by=(*group, *names)), found.where)


def _shared_in_group(p: Parse, i: Position, table: str, found: Rows) -> Found:
    """Like "(No two orders) of the same user may have the same order date"."""
    for start in p.phrase(i, phrases.OF_THE_SAME):
        for middle, group in counting.group_keys(p, start, table):
            shared = {
                *p.seq_ends(middle, phrases.SHARE, phrases.THE_SAME),
                *p.seq_ends(middle, f"?{words.MAY}", "share a/an/one"),
            }
            for begin in sorted(shared):
                for end, names in possession.column_list(p, begin, table):
                    if not set(group) & set(names):
                        yield end, claims.demand(table, Unique(by=(*group, *names)), found.where)
