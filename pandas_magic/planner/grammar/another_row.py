"""The same in another row: "share their email with another user", "an order_id that another order already has"."""

from collections.abc import Iterator

from pandas_magic.constraints.algebra.conditions import Condition, Not, Unique
from pandas_magic.constraints.algebra.expressions import Expression
from pandas_magic.planner.grammar import claims, counting, nouns, phrases, possession, qualities, rows
from pandas_magic.planner.grammar import lexicon as words
from pandas_magic.planner.grammar.chart import Parse, Position, rule
from pandas_magic.planner.grammar.meaning import Claim

Found = Iterator[tuple[Position, Condition]]
Keys = tuple[Expression, ...]


@rule
def alike(p: Parse, i: Position, table: str) -> Found:
    """Said of a row: "share its email with another user", "have the same a and b as another event"."""
    if not _names_another(p, i):
        yield from _agree(p, i, table)
        return
    for start in p.phrase(i, phrases.HAVE_ALIKE):
        for middle, names in _columns(p, start, table):
            for after in p.phrase(middle, "with|as|as that of|like|of|from"):
                yield from _of_another(p, after, table, names)
    for start in p.phrase(i, words.HAVE):
        for middle, names in _columns(p, start, table):
            for after in p.phrase(middle, "that|which|"):
                yield from _held_by_another(p, after, table, names)


def _agree(p: Parse, i: Position, table: str) -> Found:
    """Like "(Events must not) agree in a and b", where no other event is named."""
    for start in p.phrase(i, phrases.AGREE_IN):
        for end, names in _columns(p, start, table):
            if len(names) > 1:
                yield from _said_twice(p, p.note(i, end, "another row has the same"), table, names)


@rule
def alike_in(p: Parse, i: Position, table: str) -> Found:
    """Behind "with" or "sharing": "the same barcode as another ticket", "their email with another user"."""
    if _names_another(p, i):
        for middle, names in _columns(p, i, table):
            for after in p.phrase(middle, "with|as|as that of|like"):
                yield from _of_another(p, after, table, names)


@rule
def elsewhere(p: Parse, i: Position, table: str, x: Expression) -> Found:
    """Said of a value: "be used by another user", "occur in another row", "be the same as that of any other user"."""
    if not _names_another(p, i):
        return
    for start in p.phrase(i, phrases.STAND_IN_ANOTHER):
        yield from _of_another(p, start, table, (x,))


def _names_another(p: Parse, i: Position) -> bool:
    return any(token.low in ("another", "other", "different", "further") for token in p.tokens[i:])


def _columns(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, Keys]]:
    for start in (i, *p.phrase(i, f"{phrases.THE_SAME}|{words.ARTICLE}|{words.POSSESSIVE}|the combination of|any")):
        for end, names in possession.column_list(p, start, table):
            if not any(token.low == "or" for token in p.tokens[start:end]):
                yield end, names


def _of_another(p: Parse, i: Position, table: str, names: Keys) -> Found:
    for end in another(p, i, table):
        yield from _said_twice(p, p.note(i, end, "another row has the same"), table, names)


def _held_by_another(p: Parse, i: Position, table: str, names: Keys) -> Found:
    """Behind "an order_id that": "another order already has", "is used by another order"."""
    for end in another(p, i, table):
        for last in p.seq_ends(end, f"?{words.ADVERBS}", "have|use|carry|hold|bear", "?already|too|as well"):
            yield from _said_twice(p, p.note(i, last, "another row has the same"), table, names)
    for start in p.phrase(i, phrases.STAND_IN_ANOTHER):
        yield from _of_another(p, start, table, names)


def _said_twice(p: Parse, i: Position, table: str, names: Keys) -> Found:
    for end, by in qualities.unique_scope(p, i, table, names):
        yield end, Not(condition=Unique(by=by))


def another(p: Parse, i: Position, table: str) -> Iterator[Position]:
    """Where "another order", "any other row of the table", "a different user" ends."""
    for start in p.phrase(i, phrases.ANOTHER):
        for end, _ in rows.same_rows(p, start, table):
            yield end
            for after in p.phrase(end, "of|in|from"):
                yield from nouns.this_table(p, after, table)
        yield from p.phrase(start, "one")


def two_never_alike(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, Claim]]:
    """Like "Nothing in events may repeat the combination of a and b of another event"."""
    if not _names_another(p, i):
        return
    for start in p.phrase(i, words.NOTHING):
        for after in (start, *(end for at in p.phrase(start, "in|among|of") for end in nouns.this_table(p, at, table))):
            for begin in p.phrase(after, words.MAY):
                for end, condition in alike(p, begin, table):
                    assert isinstance(condition, Not)
                    yield p.note(i, end, "no two rows agree"), claims.demand(table, condition.condition)


def is_shared_by_all(p: Parse, condition: Condition) -> bool:
    """Like "Orders must agree in a and b", which says of which orders elsewhere: not that each has a double."""
    double = isinstance(condition, Not) and isinstance(condition.condition, Unique)
    return double and not _names_another(p, Position(0))


def alike_columns(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, Keys]]:
    """Behind "the same": "user, the same time and the same type", "a and b"."""
    for end, first in counting.group_key(p, i, table):
        yield end, (first,)
        for middle in p.seq_ends(end, ",|and|, and", f"?{phrases.THE_SAME}"):
            for last, rest in alike_columns(p, middle, table):
                if first not in rest:
                    yield last, (first, *rest)
